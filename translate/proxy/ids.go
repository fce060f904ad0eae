package proxy

import (
	"bytes"
	"sync"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
)

// The bounds of what is remembered. The oldest is forgotten first; an id that was
// forgotten passes as it is, and the provider does not know it.
const (
	MaxIDs     = 16 << 10 // ids that are remembered
	maxIDBytes = 1 << 10  // of one id
)

// memory is which ids were made up, of the answers of one instance.
type memory struct {
	mu       sync.Mutex
	instance string
	made     map[string]origin
	order    []string // keys of made and of some that were taken out of it, the oldest first
}

// origin is what stands behind an id. The zero origin is that of an element
// which the provider does not know.
type origin struct{ raw string } // the provider's id as it wrote it, JSON

// made is an id that was made, and what for.
type made struct{ id, raw []byte }

// learn takes in what a conversion made up.
func (m *memory) learn(c *translate.Converter, src, out []byte, to translate.Form, depth int) {
	list := madeIDs(c, src, out, to, depth)
	instance := bytes.TrimLeft(bytes.TrimPrefix(src, []byte("\ufeff")), " \t\r\n")
	if c.From() == translate.Askable {
		instance = out // a packet has none, but what it becomes has
	}
	now := string(jsontree.Member(instance, "instance"))
	m.mu.Lock()
	defer m.mu.Unlock()
	if now != m.instance {
		m.instance, m.made, m.order = now, nil, nil
	}
	if c.From() != translate.Askable && !m.holdsOnly(list) {
		eachID(src, c.From(), depth, func(id []byte) { delete(m.made, idText(id)) })
	}
	for _, x := range list {
		m.add(idText(x.id), origin{string(x.raw)})
	}
}

// holdsOnly reports whether nothing is remembered but what is in a list. What was
// made up for an answer is none of its own ids, so these need not be looked at.
func (m *memory) holdsOnly(list []made) bool {
	n := 0
	for _, x := range list {
		if _, known := m.made[idText(x.id)]; known {
			n++
		}
	}
	return n == len(m.made)
}

func (m *memory) add(id string, o origin) {
	if len(id) > maxIDBytes || len(o.raw) > maxIDBytes {
		return
	}
	if _, known := m.made[id]; known {
		m.made[id] = o
		return
	}
	if m.made == nil {
		m.made = map[string]origin{}
	}
	for len(m.order) >= MaxIDs {
		delete(m.made, m.order[0])
		m.order = m.order[1:]
	}
	m.made[id] = o
	m.order = append(m.order, id)
}

// original is the provider's id, as JSON, behind an id that the host was given.
// Changed is false where that is the id itself.
func (m *memory) original(id string) (raw string, changed, gone bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	o, known := m.made[id]
	return o.raw, known && o.raw != "", known && o.raw == ""
}

// idText is the id that a raw value stands for: numbers are taken by their text.
func idText(raw []byte) string {
	if jsontree.KindOf(raw) == jsontree.String {
		raw = jsontree.Unquote(raw)
	}
	return string(raw)
}

// madeIDs are the ids in out that are none of the provider's own.
func madeIDs(c *translate.Converter, src, out []byte, to translate.Form, depth int) (list []made) {
	if c.From() == translate.Askable {
		own := map[string]bool{}
		eachID(src, translate.Askable, depth, func(id []byte) { own[idText(id)] = true })
		eachID(out, to, depth, func(id []byte) {
			if !own[idText(id)] {
				list = append(list, made{id, nil})
			}
		})
		return list
	}
	if c.Counts()[diag.RootMadeUp] > 0 && to == translate.V020 {
		if id := rootID(out); id != nil {
			list = append(list, made{id, nil})
		}
	}
	c.MadeIDs(func(id, was []byte) {
		list = append(list, made{bytes.Clone(id), bytes.Clone(was)})
	})
	return list
}

// rootID is the id of the root of a 0.2.0 answer that we wrote.
func rootID(out []byte) []byte {
	var r jsontree.Reader
	r.Reset(out, 0)
	for _, name := range []string{"root", "id"} {
		r.Enter()
		for r.Next() && string(r.Key()) != name {
			r.Skip()
		}
	}
	if r.Err() != nil || r.Kind() != jsontree.String {
		return nil
	}
	return r.Skip().In(out)
}

// eachID calls f with the raw id of every element of a document that
// was converted. Of packets these are the elements that are kept in metadata.
func eachID(doc []byte, form translate.Form, depth int, f func(id []byte)) {
	w := idWalk{f: f, doc: doc}
	w.Reset(doc, depth+8)
	switch form {
	case translate.V01:
		w.member("items", func() { w.list(func() { w.id("") }) })
	case translate.V020:
		w.member("root", func() { w.id("children") })
	case translate.Askable:
		w.packet()
	}
}

type idWalk struct {
	jsontree.Reader
	f   func(id []byte)
	doc []byte
}

// member calls f at the value of a member of the object that comes next.
func (w *idWalk) member(name string, f func()) {
	if w.Kind() != jsontree.Object {
		w.Skip()
		return
	}
	w.Enter()
	for w.Next() {
		if string(w.Key()) == name {
			f()
		} else {
			w.Skip()
		}
	}
}

// list calls f at each entry of the array that comes next.
func (w *idWalk) list(f func()) {
	if w.Kind() != jsontree.Array {
		w.Skip()
		return
	}
	w.Enter()
	for w.More() {
		f()
	}
}

// id tells of the id of the object that comes next, and of those of the objects
// in the member that holds its children.
func (w *idWalk) id(children string) {
	if w.Kind() != jsontree.Object {
		w.Skip()
		return
	}
	w.Enter()
	for w.Next() {
		switch key := string(w.Key()); {
		case key == "id":
			if s := w.Skip(); w.Err() == nil {
				w.f(s.In(w.doc))
			}
		case key == children && children != "":
			w.list(func() { w.id(children) })
		default:
			w.Skip()
		}
	}
}

func (w *idWalk) packet() {
	if w.Kind() != jsontree.Object {
		return
	}
	value := func() { w.member("metadata", func() { w.member("element", func() { w.id("") }) }) }
	w.Enter()
	for w.Next() {
		switch string(w.Key()) {
		case "target":
			value()
		case "surrounding":
			if w.Kind() != jsontree.Object {
				w.Skip()
				continue
			}
			w.Enter()
			for w.Next() {
				switch string(w.Key()) {
				case "ancestors", "nearby", "visible":
					w.list(value)
				default:
					w.Skip()
				}
			}
		default:
			w.Skip()
		}
	}
}
