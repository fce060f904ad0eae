package carry

import "ctxmigrate/translate/jsontree"

// Unit is an item or an element, without its children.
type Unit struct {
	Members []Member
	Parent  int // of a tree: the index of the unit that it is in, -1 for the root
}

// Doc is a document taken apart: the members of the answer but its items or its
// root, and the units in document order.
type Doc struct {
	Answer []Member
	Units  []Unit
	shape  Shape
	at     int // how many members of the answer stand before the items or the root
}

// Split takes a list or a tree apart, in one pass. It is for documents that a
// Reader has passed.
func Split(doc []byte, shape Shape, maxDepth int) Doc {
	d := Doc{shape: shape}
	var r jsontree.Reader
	r.Reset(doc, maxDepth)
	member := func(list *[]Member) {
		name := r.KeySpan().In(doc)
		*list = append(*list, Member{name, r.Skip().In(doc)})
	}
	r.Enter()
	for r.Next() {
		switch key := string(r.Key()); {
		case shape == List && key == "items" && r.Kind() == jsontree.Array:
			d.at = len(d.Answer)
			r.Enter()
			for r.More() {
				u := Unit{Parent: -1}
				r.Enter()
				for r.Next() {
					member(&u.Members)
				}
				d.Units = append(d.Units, u)
			}
		case shape == Tree && key == "root" && r.Kind() == jsontree.Object:
			d.at = len(d.Answer)
			d.splitTree(doc, &r)
		default:
			member(&d.Answer)
		}
	}
	return d
}

func (d *Doc) splitTree(doc []byte, r *jsontree.Reader) {
	type level struct {
		unit     int
		children bool
		empty    jsontree.Span // the name of a list of children, while it has none
	}
	open := func(parent int) level {
		d.Units = append(d.Units, Unit{Parent: parent})
		r.Enter()
		return level{unit: len(d.Units) - 1}
	}
	stack := []level{open(-1)}
	for len(stack) > 0 && r.Err() == nil {
		top := &stack[len(stack)-1]
		u := &d.Units[top.unit]
		switch {
		case top.children && r.More():
			top.empty = jsontree.Span{}
			stack = append(stack, open(top.unit))
		case top.children:
			if !top.empty.IsZero() {
				u.Members = append(u.Members, Member{top.empty.In(doc), []byte("[]")})
			}
			top.children = false
		case !r.Next():
			stack = stack[:len(stack)-1]
		case string(r.Key()) == "children" && r.Kind() == jsontree.Array:
			top.empty, top.children = r.KeySpan(), true
			r.Enter()
		default:
			name := r.KeySpan().In(doc)
			u.Members = append(u.Members, Member{name, r.Skip().In(doc)})
		}
	}
}

// Append puts a document together again.
func (d *Doc) Append(dst []byte) []byte {
	dst = append(dst, '{')
	for i, m := range d.Answer {
		if i == min(d.at, len(d.Answer)) {
			dst = append(d.appendUnits(dst), ',')
		}
		if i > 0 && dst[len(dst)-1] != ',' {
			dst = append(dst, ',')
		}
		dst = append(append(dst, m.Name...), ':')
		dst = jsontree.AppendCompact(dst, m.Value)
	}
	if d.at >= len(d.Answer) {
		if len(d.Answer) > 0 {
			dst = append(dst, ',')
		}
		dst = d.appendUnits(dst)
	}
	return append(dst, '}')
}

// appendUnits appends the member that holds the units.
func (d *Doc) appendUnits(dst []byte) []byte {
	if dst[len(dst)-1] != '{' && dst[len(dst)-1] != ',' {
		dst = append(dst, ',')
	}
	if d.shape == Tree {
		return d.appendTree(dst)
	}
	dst = append(dst, `"items":[`...)
	for i, u := range d.Units {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendMembers(dst, u.Members)
	}
	return append(dst, ']')
}

// appendTree appends the root, with a stack of the units that are open.
func (d *Doc) appendTree(dst []byte) []byte {
	dst = append(dst, `"root":`...)
	var open []int // the units that are not closed yet
	begun := make([]bool, len(d.Units))
	closeLast := func() {
		last := len(open) - 1
		if begun[open[last]] {
			dst = append(dst, ']')
		}
		dst = append(dst, '}')
		open = open[:last]
	}
	for i, u := range d.Units {
		for len(open) > 0 && open[len(open)-1] != u.Parent {
			closeLast()
		}
		if u.Parent >= 0 {
			if begun[u.Parent] || len(d.Units[u.Parent].Members) > 0 {
				dst = append(dst, ',')
			}
			if !begun[u.Parent] {
				dst = append(dst, `"children":[`...)
				begun[u.Parent] = true
			}
		}
		dst = AppendMembers(dst, u.Members)
		dst = dst[:len(dst)-1]
		open = append(open, i)
	}
	for len(open) > 0 {
		closeLast()
	}
	return dst
}
