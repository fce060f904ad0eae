package model

// Withhold leaves every element that bears a secure word with its id, role,
// subrole, title and states: what else it holds, and what stands below it, goes.
// Withheld is told of each element of which something went.
func (s *Snapshot) Withhold(withheld func(i int32)) {
	if !s.Secure {
		return
	}
	for i := s.Root; i != None; {
		e := &s.Elements[i]
		if !e.Secure {
			i, _ = s.After(i, s.Root)
			continue
		}
		if !e.Content.IsZero() || !e.URL.IsZero() || e.HasAttributes() || e.First != None {
			withheld(i)
		}
		e.Content, e.URL = Span{}, Span{}
		e.DropAttributes()
		e.First, e.Last = None, None
		i, _ = s.Past(i, s.Root)
	}
}
