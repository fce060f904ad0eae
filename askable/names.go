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
	sourceNames      = jsontree.NewVocabulary(textName("url"), textName("title"), textName("app"), textName("route"), textName("timestamp"))
	captureNames     = jsontree.NewVocabulary(wordName("mode"), wordName("gesture"), textName("intent"))
	surroundingNames = jsontree.NewVocabulary(jsontree.Name{Name: "ancestors"}, jsontree.Name{Name: "nearby"},
		jsontree.Name{Name: "visible"}, jsontree.Name{Name: "history"}, jsontree.Name{Name: "sources"})
	privacyNames = jsontree.NewVocabulary(truthName("redacted"), wordName("consent"),
		jsontree.Name{Name: "omitted", Kind: jsontree.Array})
	provenanceNames = jsontree.NewVocabulary(textName("producer"), wordName("method"))
	valueNames      = namesOfValue(jsontree.Name{Name: "metadata"}) // which has a method of its own
	entryNames      = namesOfValue(objectName("metadata"))          // of values that never become elements
	elementNames    = jsontree.NewVocabulary(elements...)
	elements        = []jsontree.Name{wordName("id"), textName("role"), textName("subrole"), textName("url"),
		truthName("selected"), truthName("focused"), truthName("visible"), truthName("hovered"),
		{Name: "content", Kind: jsontree.Array}, objectName("attributes")}
)

func namesOfValue(metadata jsontree.Name) *jsontree.Vocabulary {
	return jsontree.NewVocabulary(textName("text"), wordName("role"), textName("label"), textName("selector"),
		objectName("bounds"), metadata, objectName("screenshot"))
}

func truthName(name string) jsontree.Name { return jsontree.Name{Name: name, Kind: jsontree.Bool} }
func textName(name string) jsontree.Name  { return jsontree.Name{Name: name, Kind: jsontree.String} }
func wordName(name string) jsontree.Name {
	return jsontree.Name{Name: name, Kind: jsontree.String, Word: true}
}
func objectName(name string) jsontree.Name { return jsontree.Name{Name: name, Kind: jsontree.Object} }
