package v01

import (
	"bytes"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/translate/wire"
)

// Checker looks at answers that a Decoder has read with KeepSecure set. It keeps
// its working memory; the zero Checker is ready.
type Checker struct{ wire.Finder }

// Check finds, in k.Found, where an answer breaks the Rules: what reading it into
// s noted in c, and what only a look at the whole shows. Start is where the answer
// begins; focus is its focus list as it was written, absent where there is none.
func (k *Checker) Check(s *model.Snapshot, c *diag.Collector, start int, focus model.Span) {
	k.Begin(s, c, standing)
	k.Instance(start)
	if c.Counts[diag.DuplicateID] > 0 {
		k.ambiguous(c, focus)
	}
	for i := range s.Elements {
		e := &s.Elements[i]
		if !e.Content.IsZero() {
			k.Content(e.Content)
		}
		if e.Secure {
			k.Secure(e)
		}
	}
}

// standing reports whether a finding of reading is one of checking.
func standing(c diag.Code) bool {
	switch c {
	case diag.WrongType, diag.MissingID, diag.DuplicateID, diag.OrphanParent, diag.ParentCycle, diag.SelectionPlaced,
		diag.TypeMissing, diag.TypeUnknown, diag.SecondApplication, diag.FocusUnknownID, diag.FocusOffPath,
		diag.StateRepeated, diag.ReservedAttribute:
		return true
	}
	return false
}

// ambiguous tells of ids that several items bear and that the focus list or a
// parent names.
func (k *Checker) ambiguous(c *diag.Collector, focus model.Span) {
	s := k.S
	several := map[string]bool{}
	for _, r := range c.Records {
		if r.Code == diag.DuplicateID {
			several[string(s.Text(r.A))] = true
		}
	}
	look := func(raw []byte, at uint32) {
		if raw[0] == '"' && several[string(jsontree.Unquote(raw))] {
			k.Tell(diag.IDAmbiguous, at, jsontree.MakeSpan(int(at), len(raw), bytes.IndexByte(raw, '\\') >= 0))
		}
	}
	if !focus.IsZero() {
		switch raw := focus.In(s.Src); raw[0] {
		case '"':
			look(raw, focus.Off)
		case '[':
			jsontree.Entries(raw, func(id []byte) bool {
				look(id, focus.Off+uint32(cap(raw)-cap(id)))
				return true
			})
		}
	}
	for i := range s.Elements {
		if int32(i) == s.Root && s.Elements[i].MadeID {
			continue // it may be made up, and has no parent
		}
		at := int(s.Elements[i].At)
		jsontree.MembersAt(s.Src[at:], func(n, nEnd, v, vEnd int) bool {
			if jsontree.EqualText(s.Src[at+n:at+nEnd], "parent") {
				look(s.Src[at+v:at+vEnd], uint32(at+v))
			}
			return true
		})
	}
}
