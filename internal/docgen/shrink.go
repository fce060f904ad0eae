package docgen

import "ctxmigrate/translate/jsontree"

// Shrink finds a smaller document that fails too: it takes out members and
// entries, one after another and the largest first, puts an element's children in
// its place, and spells strings plainly, as long as fails says that it still
// fails. It answers doc itself where that cannot be read.
func Shrink(doc []byte, fails func(doc []byte) bool) []byte {
	v := Parse(doc)
	if v == nil {
		return doc
	}
	s := shrinker{top: v, fails: fails, left: 20000}
	if !fails(v.Append(nil)) {
		return doc // it fails by its white space
	}
	for s.pass() {
	}
	return s.top.Append(nil)
}

type shrinker struct {
	top   *Value
	fails func([]byte) bool
	left  int // how often it may still try
}

// still reports whether the document, as it has just been changed, fails.
func (s *shrinker) still() bool {
	s.left--
	return s.left >= 0 && s.fails(s.top.Append(nil))
}

// pass goes through the document once, level by level.
func (s *shrinker) pass() (changed bool) {
	for queue := []*Value{s.top}; len(queue) > 0; queue = queue[1:] {
		changed = s.lessen(queue[0]) || changed
		for _, m := range queue[0].Members {
			queue = append(queue, m.Value)
		}
		queue = append(queue, queue[0].Entries...)
	}
	return changed
}

// lessen takes out of one value what can go.
func (s *shrinker) lessen(v *Value) (changed bool) {
	for i := len(v.Members) - 1; i >= 0; i-- {
		was := v.Members
		v.Members = append(append([]Member(nil), was[:i]...), was[i+1:]...)
		if s.still() {
			changed = true
			continue
		}
		v.Members = was
	}
	for i := len(v.Entries) - 1; i >= 0; i-- {
		was := v.Entries
		for _, with := range [][]*Value{nil, childrenOf(was[i])} {
			v.Entries = append(append(append([]*Value(nil), was[:i]...), with...), was[i+1:]...)
			if s.still() {
				changed = true
				break
			}
			v.Entries = was
		}
	}
	if v.Kind == jsontree.String {
		was := v.Text
		if plain := quote(unquote(was)); plain != was {
			if v.Text = plain; s.still() {
				return true
			}
			v.Text = was
		}
	}
	return changed
}

// childrenOf are the children of an element.
func childrenOf(v *Value) []*Value {
	if c := v.Get("children"); c != nil {
		return c.Entries
	}
	return nil
}
