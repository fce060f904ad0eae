package model

// AppendDrawn appends, for each element, whether it is visible: what it states,
// else what its parent is; the root is visible (RFC-0001, 4.1). What is not in the
// tree is not.
func (s *Snapshot) AppendDrawn(dst []bool) []bool {
	from := len(dst)
	for range s.Elements {
		dst = append(dst, false)
	}
	drawn := dst[from:]
	for i := s.Root; i != None; i, _ = s.After(i, s.Root) {
		e := &s.Elements[i]
		drawn[i] = e.Visible == Shown || e.Visible == Unstated && (e.Parent == None || drawn[e.Parent])
	}
	return dst
}
