package jsondiff

import (
	"math"

	"ctxmigrate/translate/jsontree"
)

// node is a value of a document: where it is, and what is next to it.
type node struct {
	key         jsontree.Span // the name of a member
	start, end  int
	first, next int32
	count       int // of children
	place       int // among its siblings
	kind        jsontree.Kind
}

// tree is a document taken apart in one pass. Its first node is the outermost
// value.
type tree struct {
	src   []byte
	nodes []node
}

func build(src []byte) (tree, *jsontree.Error) {
	t := tree{src: src}
	var r jsontree.Reader
	r.Reset(src, math.MaxInt)
	type open struct{ node, last int32 }
	var stack []open
	// add adds the value that comes next; a container is left open
	add := func(key jsontree.Span) {
		i := int32(len(t.nodes))
		n := node{key: key, start: r.Pos(), first: none, next: none, kind: r.Kind()}
		if len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.last == none {
				t.nodes[top.node].first = i
			} else {
				t.nodes[top.last].next = i
			}
			top.last, n.place = i, t.nodes[top.node].count
			t.nodes[top.node].count++
		}
		if n.kind == jsontree.Object || n.kind == jsontree.Array {
			r.Enter()
			stack = append(stack, open{i, none})
		} else {
			n.end = r.Skip().End()
		}
		t.nodes = append(t.nodes, n)
	}
	add(jsontree.Span{})
	for len(stack) > 0 && r.Err() == nil {
		top := stack[len(stack)-1].node
		if t.nodes[top].kind == jsontree.Object && r.Next() {
			add(r.KeySpan())
		} else if t.nodes[top].kind == jsontree.Array && r.More() {
			add(jsontree.Span{})
		} else {
			t.nodes[top].end = r.Pos()
			stack = stack[:len(stack)-1]
		}
	}
	r.End()
	return t, r.Err()
}

// raw is the text of a value.
func (t *tree) raw(i int32) []byte { return t.src[t.nodes[i].start:t.nodes[i].end] }

// name is the name of a member, its escapes resolved.
func (t *tree) name(n *node) string { return string(jsontree.Unquote(n.key.In(t.src))) }

// id is the member id of an entry, as it is written but for escapes; "" where it
// has none that is a string or a number.
func (t *tree) id(i int32) string {
	for c := t.nodes[i].first; c != none && t.nodes[i].kind == jsontree.Object; c = t.nodes[c].next {
		if n := &t.nodes[c]; jsontree.EqualText(n.key.In(t.src), "id") {
			switch n.kind {
			case jsontree.String:
				return "s" + string(jsontree.Unquote(t.raw(c)))
			case jsontree.Number:
				return "n" + string(t.raw(c))
			}
		}
	}
	return ""
}
