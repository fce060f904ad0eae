package carry

import (
	"bytes"
	"slices"

	"ctxmigrate/translate/jsontree"
)

// Name is the member that carries.
const Name = "ctxmigrate"

// Own is the field of a carried value for the member of that name that was there.
const Own = "own"

// Shape is how a document is built, as far as finding what it carries needs it.
type Shape uint8

// The shapes.
const (
	List   Shape = iota // items with a payload
	Tree                // elements with attributes and children
	Packet              // a target, or sources, with metadata
)

// Found is a value that is carried, and where.
type Found struct {
	Unit  int    // the index of the item or element in document order; -1 in a packet
	Value []byte // the value of the member ctxmigrate
	from  int    // what is to be cut out of the document
	to    int
	own   []byte // what stands there without it, the member that it took the place of; else nil
}

// Of is the form of the source that a carried value is for.
func (f Found) Of() string {
	of := jsontree.Member(f.Value, "of")
	return string(jsontree.Unquote(of))
}

// Field is the member of that name of a carried value, nil where there is none.
func (f Found) Field(name string) []byte { return jsontree.Member(f.Value, name) }

// recognised reports whether a value is of this package's format.
func recognised(value []byte) bool { return recognisedWithin(value, 8) }

// recognisedWithin is recognised that looks at no more than so many values which
// stand one in another in place of what they took the place of: the innermost then
// counts as of the format.
func recognisedWithin(value []byte, levels int) bool {
	if jsontree.KindOf(value) != jsontree.Object {
		return false
	}
	if levels == 0 {
		return true
	}
	ok := true
	jsontree.Members(value, func(name, v []byte) bool {
		switch string(jsontree.Unquote(name)) {
		case "v":
			ok = string(v) == "1"
		case "of":
			ok = jsontree.EqualText(v, "0.1") || jsontree.EqualText(v, "0.2.0") || jsontree.EqualText(v, "askable")
		case "was", "answer", "document", "units":
			ok = jsontree.KindOf(v) == jsontree.Object
		case "order", "focus", "like":
			ok = jsontree.KindOf(v) == jsontree.Array
		case "each", "ids", "locatable", "for": // ids is what earlier builds had for each
			ok = jsontree.KindOf(v) == jsontree.String
		case "root":
			ok = jsontree.KindOf(v) == jsontree.Object
		case "placed":
			ok = jsontree.KindOf(v) == jsontree.Number
		case "empty":
			ok = string(v) == "true"
		case Own:
			ok = isOwn(v, levels-1)
		default:
			ok = false
		}
		return ok
	})
	return ok && jsontree.Member(value, "v") != nil && jsontree.Member(value, "of") != nil
}

// isOwn reports whether a value holds a member that had the name before: one
// that is not itself of the format.
func isOwn(v []byte, levels int) bool {
	list := membersIn(v)
	return len(list) == 1 && jsontree.EqualText(list[0].Name, Name) && !recognisedWithin(list[0].Value, levels)
}

// Put adds the member that carries to the members of an object: at their end, or
// in the place of one that has the name already, which it then carries too.
func Put(list []Member, value []byte) []Member {
	name := []byte(`"` + Name + `"`)
	k := Index(list, Name)
	if k < 0 {
		return append(list[:len(list):len(list)], Member{name, value})
	}
	v := append(value[:len(value)-1:len(value)-1], `,"`+Own+`":`...)
	v = append(AppendMembers(v, list[k:k+1]), '}')
	list = append([]Member(nil), list...)
	list[k] = Member{name, v}
	return list
}

// May reports whether a document may carry something: it is quick, and right
// where it answers no.
func May(doc []byte) bool { return bytes.Contains(doc, []byte(`"`+Name+`"`)) }

// Find finds what a document carries. It is for documents that a Reader has
// passed; those that are built otherwise carry nothing.
func Find(doc []byte, shape Shape, maxDepth int) []Found {
	f := finder{doc: doc}
	f.r.Reset(doc, maxDepth)
	if f.r.Kind() != jsontree.Object {
		return nil
	}
	f.r.Enter()
	for f.r.Next() {
		switch key := string(f.r.Key()); {
		case shape == List && key == "items" && f.r.Kind() == jsontree.Array:
			f.items()
		case shape == Tree && key == "root" && f.r.Kind() == jsontree.Object:
			f.tree()
		case shape == Packet && key == "target" && f.r.Kind() == jsontree.Object:
			f.target()
		case shape == Packet && key == "surrounding" && f.r.Kind() == jsontree.Object:
			f.surrounding()
		default:
			f.r.Skip()
		}
	}
	slices.SortFunc(f.found, func(a, b Found) int { return a.from - b.from })
	return f.found
}

type finder struct {
	doc   []byte
	r     jsontree.Reader
	unit  int
	found []Found
}

func (f *finder) items() {
	f.r.Enter()
	for f.r.More() {
		if f.r.Kind() != jsontree.Object {
			f.r.Skip()
			continue
		}
		f.r.Enter()
		for f.r.Next() {
			if string(f.r.Key()) == "payload" && f.r.Kind() == jsontree.Object {
				f.holder(f.r.KeySpan())
			} else {
				f.r.Skip()
			}
		}
		f.unit++
	}
}

// tree goes through the elements with a stack of its own: for each its unit, and
// whether its children are being read.
func (f *finder) tree() {
	type level struct {
		unit     int
		children bool
	}
	next := 0
	open := func() level {
		f.r.Enter()
		next++
		return level{unit: next - 1}
	}
	stack := []level{open()}
	for len(stack) > 0 && f.r.Err() == nil {
		top := &stack[len(stack)-1]
		switch {
		case top.children && !f.r.More():
			top.children = false
		case top.children && f.r.Kind() == jsontree.Object:
			stack = append(stack, open())
		case top.children:
			f.r.Skip()
		case !f.r.Next():
			stack = stack[:len(stack)-1]
		case string(f.r.Key()) == "attributes" && f.r.Kind() == jsontree.Object:
			f.unit = top.unit
			f.holder(f.r.KeySpan())
		case string(f.r.Key()) == "children" && f.r.Kind() == jsontree.Array:
			f.r.Enter()
			top.children = true
		default:
			f.r.Skip()
		}
	}
}

func (f *finder) target() {
	f.unit = -1
	f.r.Enter()
	for f.r.Next() {
		if string(f.r.Key()) == "metadata" && f.r.Kind() == jsontree.Object {
			f.holder(f.r.KeySpan())
		} else {
			f.r.Skip()
		}
	}
}

// surrounding looks for the entry of sources that was made to carry; a list, and
// a surrounding, that hold nothing else go with it.
func (f *finder) surrounding() {
	f.unit = -1
	outer := f.r.KeySpan()
	members, at, alone := 0, -1, jsontree.Span{}
	f.r.Enter()
	for f.r.Next() {
		members++
		name := f.r.KeySpan()
		if string(f.r.Key()) != "sources" || f.r.Kind() != jsontree.Array {
			f.r.Skip()
			continue
		}
		if k, only := f.sources(f.r.Skip()); only {
			at, alone = k, name
		}
	}
	if at < 0 {
		return
	}
	c := &f.found[at]
	if members > 1 {
		c.from, c.to = f.comma(int(alone.Off), c.to)
	} else {
		c.from, c.to = f.comma(int(outer.Off), f.r.Pos())
	}
}

// sources looks for the entry that carries, and answers its index among what was
// found, and whether it is the only entry of the list; its end is then that of the
// list.
func (f *finder) sources(list jsontree.Span) (at int, only bool) {
	raw, base := list.In(f.doc), int(list.Off)
	n, bearers := 0, 0
	at = -1
	jsontree.Entries(raw, func(e []byte) bool {
		n++
		m := membersIn(jsontree.Member(e, "metadata"))
		if len(membersIn(e)) == 2 && jsontree.EqualText(jsontree.Member(e, "label"), Name) &&
			len(m) == 1 && string(m[0].Name) == `"`+Name+`"` && recognised(m[0].Value) {
			from := base + cap(raw) - cap(e)
			at = len(f.found)
			bearers++
			f.found = append(f.found, Found{Unit: -1, Value: m[0].Value, from: from, to: from + len(e)})
		}
		return true
	})
	if bearers > 1 { // one at most is ours, and nobody knows which
		f.found = f.found[:len(f.found)-bearers]
		return -1, false
	}
	if at < 0 {
		return at, false
	}
	c := &f.found[at]
	if n > 1 {
		c.from, c.to = f.comma(c.from, c.to)
		return at, false
	}
	c.to = list.End()
	return at, true
}

// membersIn is MembersOf for any value: nothing where it is no object.
func membersIn(v []byte) []Member {
	if jsontree.KindOf(v) != jsontree.Object {
		return nil
	}
	return MembersOf(v)
}

// Only is what an object carries that holds nothing else.
func Only(object []byte) (f Found, ok bool) {
	jsontree.Members(object, func(name, v []byte) bool {
		ok = f.Value == nil && string(name) == `"`+Name+`"`
		f.Value = v
		return ok
	})
	return f, ok && recognised(f.Value)
}

// Recognise is a value as what is carried, where it is of this package's format.
func Recognise(value []byte) (f Found, ok bool) { return Found{Value: value}, recognised(value) }

// holder looks into the object that may carry, the value of the member whose
// name is at key.
func (f *finder) holder(key jsontree.Span) {
	from, found := -1, Found{}
	n := 0
	f.r.Enter()
	for f.r.Next() {
		n++
		name := f.r.KeySpan()
		plain := string(f.r.Key()) == Name && !name.Marked()
		v := f.r.Skip()
		if plain && recognised(v.In(f.doc)) {
			from = int(name.Off)
			found = Found{Unit: f.unit, Value: v.In(f.doc), from: from, to: v.End()}
		}
	}
	if from < 0 {
		return
	}
	if own := found.Field(Own); own != nil {
		found.own = own[1 : len(own)-1]
	} else if n > 1 {
		found.from, found.to = f.comma(found.from, found.to)
	} else if found.Field("empty") == nil {
		// the object was made for it, and goes with it
		found.from, found.to = f.comma(int(key.Off), f.r.Pos())
	}
	f.found = append(f.found, found)
}

// comma widens a member or an entry to the comma after it, or before it.
func (f *finder) comma(from, to int) (int, int) {
	for i := to; i < len(f.doc); i++ {
		if c := f.doc[i]; c == ',' {
			return from, i + 1
		} else if c == '}' || c == ']' {
			break
		}
	}
	for i := from - 1; i >= 0; i-- {
		if c := f.doc[i]; c == ',' {
			return i, to
		} else if c == '{' || c == '[' {
			break
		}
	}
	return from, to
}

// Cut appends the document without what it carries.
func Cut(dst, doc []byte, found []Found) []byte {
	at := 0
	for _, f := range found {
		dst = append(append(dst, doc[at:f.from]...), f.own...)
		at = f.to
	}
	return append(dst, doc[at:]...)
}

// Place is the offset in the document of what is at off where it was cut.
func Place(off int, found []Found) int {
	for _, f := range found {
		if off >= f.from {
			off += f.to - f.from - len(f.own)
		}
	}
	return off
}
