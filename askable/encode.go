package askable

import (
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// DefaultMaxSurrounding is how long each list of surroundings may be where
// nothing else is said.
const DefaultMaxSurrounding = 50

// Encoder writes packets. Its zero value works; what a packet must say and the
// snapshot does not is then assumed, and said.
type Encoder struct {
	MaxSurrounding int         // length of each list; 0 stands for DefaultMaxSurrounding, less than 0 for no limit
	Timestamp      string      // where the snapshot has none
	Assumed        bool        // the timestamp was assumed, not given
	Redacted       bool        // privacy, where the snapshot has none
	Consent        string      // the same; "" stands for none
	Producer       string      // "" stands for ctxmigrate
	Method         string      // "" stands for app
	Words          model.Words // secure words
	KeepSecure     bool        // pass the content of secure values on

	// Leaks reports that the packet written last has values which are secure to its
	// readers by an attribute of their elements alone, and are to be withheld.
	Leaks bool

	words    secureWords // Words, for asking
	s        *model.Snapshot
	c        *diag.Collector
	facts    facts
	target   int32
	why      chosen
	path     []int32 // from the root's child to the target's parent
	used     []bool  // elements that have a place
	near     []int32
	seen     []int32
	shown    []bool // effectively visible
	document int32
	plan     plan
	back     bool                      // the packet was put back by it
	equals   map[jsontree.Digest]int32 // see appendPutBack

	text, want, have, shot []byte // working memory
}

// facts are what the root says of the packet that the snapshot came from.
type facts struct {
	timestamp, capture, privacy, provenance, history, sources, places []byte
	class                                                             modeClass // what the capture says
	does                                                              effect
	any                                                               bool
	others                                                            bool // the root has other attributes
}

// chosen is why an element is the target.
type chosen uint8

const (
	noTarget chosen = iota
	bySelection
	byFocus
	byHover
)

// Append appends a snapshot as a packet on one line, without white space between
// tokens, and notes in c what does not come through. Members come in the order
// of the specification.
func (w *Encoder) Append(dst []byte, s *model.Snapshot, c *diag.Collector) []byte {
	w.s, w.c, w.Leaks = s, c, false
	w.words.use(w.Words)
	w.readFacts()
	w.used = w.used[:0]
	for range s.Elements {
		w.used = append(w.used, false)
	}
	dst = append(dst, `{"protocol":"askable.context","version":"0.1","source":`...)
	from := len(dst)
	w.back = false
	if p := w.putBack(); p != nil {
		told := len(c.Records)
		if dst, w.back = w.appendPutBack(dst, p); !w.back {
			c.Cut(told)
		}
	}
	if !w.back {
		w.Leaks = false
		dst = w.appendTree(dst[:from])
	}
	dst = append(dst, `,"privacy":`...)
	dst = w.appendPrivacy(dst)
	dst = append(dst, `,"provenance":`...)
	dst = w.appendProvenance(dst)
	c.Add(diag.InstanceDropped, 0) // also where there was none: the way back makes one up
	return append(dst, '}')
}

// readFacts reads what the root keeps of a packet.
func (w *Encoder) readFacts() {
	w.facts = facts{}
	v := model.Span{}
	w.s.EachAttribute(w.s.Root, func(m model.Member) bool {
		switch {
		case !jsontree.EqualText(w.s.Raw(m.Name), "askable"):
			w.facts.others = true
		case v.IsZero():
			v = m.Value
		}
		return true
	})
	if v.IsZero() {
		return
	}
	raw := w.s.Raw(v)
	if jsontree.KindOf(raw) != jsontree.Object {
		return
	}
	f := &w.facts
	f.any = true
	jsontree.Members(raw, func(name, v []byte) bool {
		kind := jsontree.KindOf(v)
		object, list := kind == jsontree.Object, kind == jsontree.Array
		switch word := string(jsontree.Unquote(name)); {
		case word == "timestamp" && kind == jsontree.String:
			f.timestamp = v
		case word == "capture" && object:
			f.capture = v
		case word == "privacy" && object:
			f.privacy = v
		case word == "provenance" && object:
			f.provenance = v
		case word == "history" && list:
			f.history = v
		case word == "sources" && list:
			f.sources = v
		case word == "places" && object:
			f.places = v
		}
		return true
	})
	f.class, f.does = modeOf(f.capture)
}

// appendTree appends what the ordinary rules make of a tree: source, capture,
// target and surrounding.
func (w *Encoder) appendTree(dst []byte) []byte {
	w.choose()
	w.findDocument()
	dst = w.appendSource(dst, w.document)
	dst = append(dst, `,"capture":{"mode":`...)
	switch w.why {
	case noTarget:
		dst = append(dst, `"full-page"}`...)
	case bySelection:
		if w.s.Elements[w.target].Role == model.Text {
			dst = append(dst, `"text-selection"}`...)
		} else {
			dst = append(dst, `"element-focus"}`...)
		}
	case byFocus:
		dst = append(dst, `"element-focus","gesture":"focus"}`...)
	case byHover:
		dst = append(dst, `"element-focus","gesture":"hover"}`...)
	}
	if w.why != noTarget {
		w.used[w.target] = true
		dst = append(dst, `,"target":`...)
		dst = w.appendElement(dst, w.target, ofTarget)
	}
	w.gather()
	dst = w.appendSurrounding(dst)
	w.tellDropped()
	return dst
}

// appendSource appends the source, of which a Document gives the page.
func (w *Encoder) appendSource(dst []byte, document int32) []byte {
	s := w.s
	dst = append(dst, '{')
	put := func(name string, v []byte) {
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = append(dst, name...)
		dst = append(dst, `":`...)
		dst = append(dst, v...)
	}
	root := &s.Elements[s.Root]
	var route []byte
	if document != model.None {
		e := &s.Elements[document]
		if !e.URL.IsZero() {
			put("url", s.Raw(e.URL))
		}
		if !e.Title.IsZero() {
			put("title", s.Raw(e.Title))
		}
		if v := w.route(document); !v.IsZero() {
			route = s.Raw(v)
		}
	}
	if !root.Title.IsZero() {
		put("app", s.Raw(root.Title))
	}
	if route != nil {
		put("route", route)
	}
	if w.facts.timestamp != nil {
		put("timestamp", w.facts.timestamp)
	} else {
		put("timestamp", jsontree.AppendQuoted(nil, []byte(w.Timestamp)))
		if w.Assumed {
			w.c.Add(diag.TimestampAssumed, 0)
		}
	}
	return append(dst, '}')
}

// appendSurrounding appends the surroundings, each list cut where it is long.
func (w *Encoder) appendSurrounding(dst []byte) []byte {
	n := w.limit()
	cut := func(list []int32, last bool, name string) []int32 {
		if len(list) <= n {
			return list
		}
		w.c.AddArgs(diag.SurroundingCut, 0, w.s.Make([]byte(name), false), model.Span{})
		kept, gone := list[:n], list[n:]
		if last {
			kept, gone = list[len(list)-n:], list[:len(list)-n]
		}
		for _, i := range gone {
			w.used[i] = false
		}
		return kept
	}
	lists := []struct {
		name string
		list []int32
		at   place
	}{
		{"ancestors", cut(w.path, true, "ancestors"), ofAncestor},
		{"nearby", cut(w.near, false, "nearby"), ofNearby},
		{"visible", cut(w.seen, false, "visible"), ofVisible},
	}
	return w.appendLists(dst, len(lists), func(k int) (string, int) { return lists[k].name, len(lists[k].list) },
		func(dst []byte, k, n int) []byte { return w.appendElement(dst, lists[k].list[n], lists[k].at) })
}

// appendLists appends surrounding, of lists that are told by name and length,
// and of history and sources; nothing where all are empty.
func (w *Encoder) appendLists(dst []byte, lists int, list func(k int) (string, int), entry func(dst []byte, k, n int) []byte) []byte {
	open := `,"surrounding":{`
	begin := func(name string) {
		dst = append(dst, open...)
		open = ","
		dst = append(dst, '"')
		dst = append(dst, name...)
		dst = append(dst, `":[`...)
	}
	for k := range lists {
		name, n := list(k)
		if n == 0 {
			continue
		}
		begin(name)
		for i := range n {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = entry(dst, k, i)
		}
		dst = append(dst, ']')
	}
	for _, f := range []struct {
		name string
		list []byte
	}{{"history", w.facts.history}, {"sources", w.facts.sources}} {
		if f.list == nil {
			continue
		}
		from, before := len(dst), open
		begin(f.name)
		at := len(dst)
		if dst = w.appendStrictEntries(dst, f.name, f.list); len(dst) == at {
			dst, open = dst[:from], before // none
			continue
		}
		dst = append(dst, ']')
	}
	if open == "," {
		dst = append(dst, '}')
	}
	return dst
}
