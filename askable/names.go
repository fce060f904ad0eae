package askable

import "ctxmigrate/translate/jsontree"

// The members of a packet, and those of what it holds.
const (
	packetProtocol = iota + 1
	packetVersion
	packetSource
	packetCapture
	packetTarget
	packetSurrounding
	packetPrivacy
	packetProvenance
)

const (
	sourceURL = iota + 1
	sourceTitle
	sourceApp
	sourceRoute
	sourceTimestamp
)

const (
	captureMode = iota + 1
	captureGesture
	captureIntent
)

const (
	surroundingAncestors = iota + 1
	surroundingNearby
	surroundingVisible
	surroundingHistory
	surroundingSources
)

const (
	privacyRedacted = iota + 1
	privacyConsent
	privacyOmitted
)

const (
	provenanceProducer = iota + 1
	provenanceMethod
)

const (
	valueText = iota + 1
	valueRole
	valueLabel
	valueSelector
	valueBounds
	valueMetadata
	valueScreenshot
)

// The members of an element in metadata, in the order in which 6.2 writes them.
const (
	elementID = iota + 1
	elementRole
	elementSubrole
	elementURL
	elementSelected
	elementFocused
	elementVisible
	elementHovered
	elementContent
	elementAttributes
)

var (
	packetNames = jsontree.NewVocabulary(jsontree.Name{Name: "protocol"}, jsontree.Name{Name: "version"},
		jsontree.Name{Name: "source"}, jsontree.Name{Name: "capture"}, jsontree.Name{Name: "target"},
		jsontree.Name{Name: "surrounding"}, jsontree.Name{Name: "privacy"}, jsontree.Name{Name: "provenance"})
	sourceNames      = jsontree.NewVocabulary(text("url"), text("title"), text("app"), text("route"), text("timestamp"))
	captureNames     = jsontree.NewVocabulary(word("mode"), word("gesture"), text("intent"))
	surroundingNames = jsontree.NewVocabulary(jsontree.Name{Name: "ancestors"}, jsontree.Name{Name: "nearby"},
		jsontree.Name{Name: "visible"}, jsontree.Name{Name: "history"}, jsontree.Name{Name: "sources"})
	privacyNames = jsontree.NewVocabulary(truth("redacted"), word("consent"),
		jsontree.Name{Name: "omitted", Kind: jsontree.Array})
	provenanceNames = jsontree.NewVocabulary(text("producer"), word("method"))
	valueNames      = namesOfValue(jsontree.Name{Name: "metadata"}) // which has a method of its own
	entryNames      = namesOfValue(object("metadata"))              // of values that never become elements
	elementNames    = jsontree.NewVocabulary(word("id"), text("role"), text("subrole"), text("url"), truth("selected"),
		truth("focused"), truth("visible"), truth("hovered"), jsontree.Name{Name: "content", Kind: jsontree.Array}, object("attributes"))
)

func namesOfValue(metadata jsontree.Name) *jsontree.Vocabulary {
	return jsontree.NewVocabulary(text("text"), word("role"), text("label"), text("selector"),
		object("bounds"), metadata, object("screenshot"))
}

func truth(name string) jsontree.Name { return jsontree.Name{Name: name, Kind: jsontree.Bool} }
func text(name string) jsontree.Name  { return jsontree.Name{Name: name, Kind: jsontree.String} }
func word(name string) jsontree.Name {
	return jsontree.Name{Name: name, Kind: jsontree.String, Word: true}
}
func object(name string) jsontree.Name { return jsontree.Name{Name: name, Kind: jsontree.Object} }
