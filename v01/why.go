package v01

import "ctxmigrate/translate/model"

// Why is what gave an item its role (4.1, 4.3 of the contract).
type Why uint8

// The reasons.
const (
	MadeUp      Why = iota // no item: a root was made up
	AsRoot                 // it is the root
	ByPayload              // its payload says the role
	BySelection            // the word is selection
	ByFixed                // the word has the role wherever it is
	ByParent               // the word is an entry, and its parent says the role
	ByItself               // the word is an entry, and its parent says nothing
	ByUnknown              // the word is in no vocabulary, or there is none, and its place says the role
)

var whyTexts = [...]string{"a root was made up", "it is the root", "its payload says the role", "the word is selection",
	"the word has one role", "the word is an entry, whose parent says the role", "the word is an entry, whose parent says nothing",
	"the word is not known, and its place says the role"}

// String is the reason in words.
func (w Why) String() string { return whyTexts[w] }

// Type is the type of an item of the last answer as it was written, by the index of
// its element; absent where it has none.
func (d *Decoder) Type(i int32) model.Span {
	if int(i) >= len(d.items) {
		return model.Span{}
	}
	return d.items[i].typ
}

// IsItem reports whether an element of the last answer is one of its items.
func (d *Decoder) IsItem(i int32) bool { return int(i) < len(d.items) }

// Fate tells of an item of the last answer what gave it its role, and whether a
// mapping file left it out.
func (d *Decoder) Fate(i int32) (why Why, dropped bool) {
	if !d.IsItem(i) {
		return MadeUp, false
	}
	it := &d.items[i]
	switch {
	case i == d.S.Root:
		why = AsRoot
	case it.role != model.Unknown:
		why = ByPayload
	case it.rule.Selection:
		why = BySelection
	case it.rule == unknownRule:
		why = ByUnknown
	case !it.rule.Entry:
		why = ByFixed
	case d.parentTells(i):
		why = ByParent
	default:
		why = ByItself
	}
	return why, it.drop
}

// parentTells reports whether the parent of an entry says its role.
func (d *Decoder) parentTells(i int32) bool {
	p := d.S.Elements[i].Parent
	if p == None {
		return false
	}
	switch d.S.Elements[p].Role {
	case model.List, model.Table:
		return true
	case model.Row:
		g := d.S.Elements[p].Parent
		if g == None {
			return false
		}
		switch d.S.Elements[g].Role {
		case model.List, model.Table, model.Row:
			return true
		}
	}
	return false
}

// Choice is what is known of a type word.
type Choice struct {
	// Word is the word, or the part of it, by which it was found; "" where no mapping
	// file can name it.
	Word  string
	Rule  Rule
	Known bool // it is in the vocabulary, or in the mapping file
}

// Choose tells what a type word says, where m, which may be nil, is the mapping
// file.
func Choose(word []byte, m *Mapping) (c Choice) {
	var mapped map[string]*Rule
	if m != nil {
		mapped = m.rules
	}
	rule, known := model.LookUp(word, func(folded []byte) (*Rule, bool) {
		r, ok := mapped[string(folded)]
		if !ok {
			r, ok = builtin[string(folded)]
		}
		if ok {
			c.Word = string(folded)
		}
		return r, ok
	})
	if c.Known = known; known {
		c.Rule = *rule
		return c
	}
	c.Rule = *unknownRule
	f := model.Fold(word)
	c.Word = string(f.Bytes())
	return c
}
