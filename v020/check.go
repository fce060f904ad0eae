package v020

import (
	"bytes"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/translate/wire"
)

// Checker looks at answers that a Decoder has read with KeepSecure set. It keeps
// its working memory; the zero Checker is ready.
type Checker struct {
	wire.Finder
	drawn []bool // by element: it is drawn, as far as the answer says
}

// Check finds, in k.Found, where an answer breaks the Rules: what reading it into
// s noted in c, and what only a look at the whole shows. Start is where the answer
// begins.
func (k *Checker) Check(s *model.Snapshot, c *diag.Collector, start int) {
	k.Begin(s, c, standing)
	k.Instance(start)
	k.sort()
	k.drawn = s.AppendDrawn(k.drawn[:0])
	for i := range s.Elements {
		e := &s.Elements[i]
		k.visible(int32(i), e)
		if e.Role == model.Unknown {
			k.Tell(diag.RoleUnknown, e.At, e.RoleWord)
		}
		if !e.Content.IsZero() {
			k.Content(e.Content)
			k.nested(e.Content, 1)
		}
		if e.HasAttributes() {
			k.Related(int32(i))
			k.attributes(int32(i), e)
		}
		if e.Secure {
			k.Secure(e)
		}
	}
}

// standing reports whether a finding of reading is one of checking.
func standing(c diag.Code) bool {
	switch c {
	case diag.WrongType, diag.StateRepeated, diag.RootRole, diag.RoleMissing, diag.MissingID, diag.DuplicateID,
		diag.FocusGap, diag.FocusOffPath, diag.ReservedAttribute:
		return true
	}
	return false
}

// sort tells findings apart that are one in reading: a focused root is no fork, and
// an unknown member that is named like a state says one.
func (k *Checker) sort() {
	root := k.S.Elements[k.S.Root].At
	for i := range k.Found {
		r := &k.Found[i]
		switch {
		case r.Code == diag.FocusOffPath && r.Off == root:
			r.Code = diag.RootFocused
		case r.Code == diag.MemberUnknown:
			switch string(k.S.Text(r.A)) {
			case "selected", "focused", "visible", "hovered", "focus", "selection":
				r.Code = diag.StateRepeated
			}
		}
	}
}

// visible looks at what an element says of being drawn.
func (k *Checker) visible(i int32, e *model.Element) {
	drawn := k.drawn[i]
	switch {
	case e.Parent == model.None:
		if !drawn {
			k.Tell(diag.RootHidden, e.At, e.ID)
		}
	case drawn && !k.drawn[e.Parent]:
		k.clash(e, "that of what it is in")
	case e.Hovered && !drawn:
		k.clash(e, "hovered")
	}
}

func (k *Checker) clash(e *model.Element, what string) {
	k.Found = append(k.Found, diag.Record{Code: diag.VisibleClash, Off: e.At, A: e.ID, B: k.S.Make([]byte(what), false)})
}

// attributes looks for states, and for names that deny what visible says.
func (k *Checker) attributes(i int32, e *model.Element) {
	s := k.S
	if !e.Composed {
		k.nested(e.Attributes, 1)
	}
	if !e.Composed && e.Visible == model.Unstated {
		return
	}
	s.EachAttribute(i, func(m model.Member) bool {
		raw := s.Raw(m.Value)
		if e.Composed && (raw[0] == '{' || raw[0] == '[') {
			k.nested(m.Value, 0)
		}
		if jsontree.KindOf(raw) != jsontree.Bool || e.Visible == model.Unstated {
			return true
		}
		yes := raw[0] == 't'
		switch name := string(s.Text(m.Name)); name {
		case "hidden", "invisible", "offscreen":
			yes = !yes
			fallthrough
		case "shown", "displayed", "onscreen":
			if yes != (e.Visible == model.Shown) {
				k.clash(e, "the attribute "+name)
			}
		}
		return true
	})
}

var stateNames = [][]byte{[]byte(`"selected"`), []byte(`"focused"`), []byte(`"visible"`), []byte(`"hovered"`)}

// nested looks for booleans that are named like states, deeper in a value than so
// many levels.
func (k *Checker) nested(value model.Span, above int) {
	s := k.S
	if int(value.Off) >= len(s.Src) {
		return
	}
	raw := value.In(s.Src)
	if bytes.IndexByte(raw[above:], '{') < 0 || !bytes.Contains(raw, []byte("true")) && !bytes.Contains(raw, []byte("false")) {
		return
	}
	for _, name := range stateNames {
		if bytes.Contains(raw, name) {
			k.findNested(raw, value.Off, above)
			return
		}
	}
}

func (k *Checker) findNested(raw []byte, at uint32, above int) {
	depth := 0
	var name []byte // the last string, which a colon makes a name
	named := false
	jsontree.Tokens(raw, func(t []byte) {
		switch t[0] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			if !named {
				name = t
			}
		case 't', 'f':
			if named && depth > above {
				for _, n := range stateNames {
					if bytes.Equal(n, name) {
						off := at + uint32(cap(raw)-cap(name))
						k.Tell(diag.StateNested, off, jsontree.MakeSpan(int(off), len(name), false))
					}
				}
			}
		}
		named = t[0] == ':'
	})
}
