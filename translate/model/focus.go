package model

// MarkPath marks every element from the root's child down to i as focused. The
// root is never marked.
func (s *Snapshot) MarkPath(i int32) {
	for i != None && i != s.Root && !s.Elements[i].Focused {
		s.Elements[i].Focused = true
		i = s.Elements[i].Parent
	}
}

// Position is the deepest element of the focused path, or None.
func (s *Snapshot) Position() int32 {
	at, _ := s.focused()
	return at
}

// focused is the deepest element of the focused path, or None, and how many are on it.
func (s *Snapshot) focused() (at int32, n int) {
	at = None
	for c := s.Elements[s.Root].First; c != None; {
		if !s.Elements[c].Focused {
			c = s.Elements[c].Next
			continue
		}
		at, c = c, s.Elements[c].First
		n++
	}
	return at, n
}

// OnePath makes the focus one path: that of the first focused element, in
// document order, with none focused below it. Gap is told of each element of the
// path that was not marked, off of each marked one that is not on it.
func (s *Snapshot) OnePath(gap, off func(i int32)) {
	all := 0
	for i := range s.Elements {
		if s.Elements[i].Focused {
			all++
		}
	}
	if _, n := s.focused(); n == all {
		return // it is one, or nothing is focused
	}
	end := s.pathEnd()
	path := s.onPath[:0]
	for range s.Elements {
		path = append(path, false)
	}
	s.onPath = path
	for i := end; i != s.Root; i = s.Elements[i].Parent {
		path[i] = true
	}
	for i := s.Root; i != None; i, _ = s.After(i, s.Root) {
		e := &s.Elements[i]
		if e.Focused == path[i] {
			continue
		}
		if e.Focused {
			off(i)
		} else {
			gap(i)
		}
		e.Focused = path[i]
	}
}

// pathEnd is the first focused element, in document order, with none focused
// below it, where anything is focused.
func (s *Snapshot) pathEnd() int32 {
	end, endDepth := None, 0
	for i, depth := s.Root, 0; i != None; {
		if end != None && depth <= endDepth {
			break // all below it has been seen
		}
		if s.Elements[i].Focused {
			end, endDepth = i, depth
		}
		next, deeper := s.After(i, s.Root)
		i, depth = next, depth+deeper
	}
	return end
}
