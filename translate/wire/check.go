package wire

import (
	"bytes"
	"slices"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// Finder looks at what the answers of both tree forms share: content blocks,
// links, secure elements, and members that are not known. It keeps its working
// memory; the zero Finder is ready.
type Finder struct {
	S     *model.Snapshot
	Found []diag.Record
	wrong []uint32 // where members are of the wrong type, in rising order
}

// Begin takes what reading a document found. Known tells the codes that stand for
// themselves; members that joined others, or did not, are told as unknown.
func (k *Finder) Begin(s *model.Snapshot, c *diag.Collector, known func(diag.Code) bool) {
	k.S, k.Found, k.wrong = s, k.Found[:0], k.wrong[:0]
	moved := c.Counts[diag.MemberMoved]+c.Counts[diag.MemberLost] > 0
	for i := range c.Records {
		r := c.Records[i]
		if !known(r.Code) {
			continue
		}
		k.Found = append(k.Found, r)
		if moved && r.Code == diag.WrongType {
			k.wrong = append(k.wrong, r.Off)
		}
	}
	if !moved {
		return
	}
	slices.Sort(k.wrong)
	for i := range c.Records {
		r := c.Records[i]
		if r.Code != diag.MemberMoved && r.Code != diag.MemberLost {
			continue
		}
		// of one that is known and of the wrong type it was told that it is
		if _, told := slices.BinarySearch(k.wrong, r.Off); !told {
			k.Tell(diag.MemberUnknown, r.Off, r.A)
		}
	}
}

// Tell notes a finding that names one thing.
func (k *Finder) Tell(code diag.Code, off uint32, a model.Span) {
	k.Found = append(k.Found, diag.Record{Code: code, Off: off, A: a})
}

// Say notes a finding in words.
func (k *Finder) Say(code diag.Code, off uint32, text string) {
	k.Tell(code, off, k.S.Make([]byte(text), false))
}

// Instance tells of an answer without one.
func (k *Finder) Instance(start int) {
	if k.S.Instance.IsZero() {
		k.Tell(diag.InstanceMissing, uint32(start), model.Span{})
	}
}

// Secure tells of an element that bears a secure word and holds more than may be
// passed on.
func (k *Finder) Secure(e *model.Element) {
	if e.Secure && (!e.Content.IsZero() || !e.URL.IsZero() || e.HasAttributes() || e.First != model.None) {
		k.Tell(diag.SecureContent, e.At, e.ID)
	}
}

// inSource reports whether a span is of the document itself.
func (k *Finder) inSource(sp model.Span) bool { return !sp.IsZero() && int(sp.Off) < len(k.S.Src) }

// Content looks at the blocks of an element.
func (k *Finder) Content(content model.Span) {
	if !k.inSource(content) {
		return
	}
	raw := content.In(k.S.Src)
	jsontree.Entries(raw, func(b []byte) bool {
		k.block(b, content.Off+uint32(cap(raw)-cap(b)))
		return true
	})
}

// blockParts are the members of the blocks that MCP defines.
type blockParts struct{ text, data, mime, uri, name, resource []byte }

// block looks at one content block (MCP, content blocks).
func (k *Finder) block(b []byte, at uint32) {
	if b[0] != '{' {
		k.Say(diag.ContentBlock, at, "a content block is "+jsontree.KindOf(b).String()+", not an object")
		return
	}
	var typ []byte
	var p blockParts
	jsontree.MembersAt(b, func(n, nEnd, v, vEnd int) bool {
		value := b[v:vEnd]
		switch string(jsontree.Unquote(b[n:nEnd])) {
		case "type":
			typ = value
		case "text":
			p.text = value
		case "data":
			p.data = value
		case "mimeType":
			p.mime = value
		case "uri":
			p.uri = value
		case "name":
			p.name = value
		case "resource":
			p.resource = value
		}
		return true
	})
	if jsontree.KindOf(typ) != jsontree.String {
		k.Say(diag.ContentBlock, at, "a content block has no type")
		return
	}
	missing := ""
	need := func(value []byte, name string) {
		if missing == "" && jsontree.KindOf(value) != jsontree.String {
			missing = name
		}
	}
	word := jsontree.Unquote(typ)
	switch string(word) {
	case "text":
		need(p.text, "text")
	case "image", "audio":
		need(p.data, "data")
		need(p.mime, "mimeType")
	case "resource_link":
		need(p.uri, "uri")
		need(p.name, "name")
	case "resource":
		missing = resourceLacks(p.resource)
	default:
		k.Tell(diag.ContentUnknown, at, k.S.Make(typ, true))
		return
	}
	if missing != "" {
		k.Say(diag.ContentBlock, at, "a block of type "+string(word)+" has no "+missing+" that is "+wanted(missing))
	}
}

func wanted(name string) string {
	if name == "resource" {
		return "an object"
	}
	return "a string"
}

// resourceLacks is what an embedded resource lacks, or "".
func resourceLacks(raw []byte) string {
	if jsontree.KindOf(raw) != jsontree.Object {
		return "resource"
	}
	if jsontree.KindOf(jsontree.Member(raw, "uri")) != jsontree.String {
		return "uri"
	}
	for _, name := range []string{"text", "blob"} {
		if jsontree.KindOf(jsontree.Member(raw, name)) == jsontree.String {
			return ""
		}
	}
	return "text or blob"
}

var relatedName = []byte(`"related"`)

// Related looks at the links of an element.
func (k *Finder) Related(i int32) {
	s := k.S
	e := &s.Elements[i]
	if !e.Composed {
		if e.Attributes.IsZero() {
			return
		}
		raw := s.Raw(e.Attributes)
		if !bytes.Contains(raw, relatedName) && !bytes.Contains(raw, []byte(`\u`)) {
			return
		}
	}
	links, ok := s.Attribute(i, "related")
	if !ok || !k.inSource(links) {
		return
	}
	raw := links.In(s.Src)
	if raw[0] != '[' {
		return // told already
	}
	jsontree.Entries(raw, func(link []byte) bool {
		k.link(link, links.Off+uint32(cap(raw)-cap(link)))
		return true
	})
}

func (k *Finder) link(raw []byte, at uint32) {
	fault := ""
	id, url := jsontree.Member(raw, "id"), jsontree.Member(raw, "url")
	switch {
	case raw[0] != '{':
		fault = "it is " + jsontree.KindOf(raw).String()
	case jsontree.KindOf(jsontree.Member(raw, "relation")) != jsontree.String:
		fault = "it has no relation that is a string"
	case id == nil && url == nil:
		fault = "it has neither id nor url"
	case id != nil && jsontree.KindOf(id) != jsontree.String:
		fault = "its id is no string"
	case url != nil && jsontree.KindOf(url) != jsontree.String:
		fault = "its url is no string"
	}
	if fault != "" {
		k.Say(diag.RelatedEntry, at, fault)
		return
	}
	if id != nil && k.S.Find(jsontree.Unquote(id)) == model.None {
		k.Tell(diag.RelatedUnknownID, at+uint32(cap(raw)-cap(id)), k.S.Make(id, true))
	}
}
