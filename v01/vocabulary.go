package v01

import (
	_ "embed"
	"strings"

	"ctxmigrate/translate/model"
)

//go:embed types.tsv
var typesTSV string

// Rule is what a type word says.
type Rule struct {
	Role      model.Role // wherever the item is, or, of an entry, where it is in no list, table or row
	Entry     bool       // the role follows the parent
	Entries   model.Role // of a table word: the role of an entry directly inside
	Selection bool       // the word is selection
	Subrole   *string    // of a mapping file: the subrole, in place of the type as written
	Drop      bool       // of a mapping file: such items are left out
}

// unknownRule is for words that are in no vocabulary, and for items without a
// type.
var unknownRule = &Rule{Role: model.Group, Entry: true}

var builtin = parseTypes(typesTSV)

func parseTypes(tsv string) map[string]*Rule {
	_, rows, _ := strings.Cut(tsv, "\n")
	n := strings.Count(rows, "\n")
	rules, made := make(map[string]*Rule, n), make([]Rule, n)
	for line := range strings.Lines(rows) {
		word, says, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		role, says, _ := strings.Cut(says, "\t")
		class, entries, _ := strings.Cut(says, "\t")
		r := &made[len(rules)]
		*r = Rule{Role: model.ParseRole([]byte(role)), Entry: class == "entry", Entries: model.ParseRole([]byte(entries)), Selection: word == "selection"}
		rules[word] = r
	}
	return rules
}

// roleRules are the rules of the words that the roles are written as.
var roleRules = func() (rules [model.Document + 1]*Rule) {
	for r := model.Application; r <= model.Document; r++ {
		rules[r] = builtin[r.Lower()]
	}
	return rules
}()

// facts are what is asked of a type word again and again.
type facts struct {
	rule   *Rule
	role   model.Role // that the word is the plain spelling of, in lower case; or Unknown
	known  bool
	secure bool
}

// lookup finds the facts of type words. Mapped words come before the built-in
// ones.
type lookup struct {
	mapped map[string]*Rule
	words  model.Words
	memo   model.Memo[facts]
	search func(word []byte) facts
}

// reset makes the lookup one of other words.
func (l *lookup) reset(mapped map[string]*Rule, words model.Words) {
	l.mapped, l.words = mapped, words
	l.memo.Forget()
}

func (l *lookup) of(word []byte) facts {
	if l.search == nil {
		l.search = l.find
	}
	return l.memo.Of(word, l.search)
}

func (l *lookup) find(word []byte) (f facts) {
	f.rule, f.known = model.LookUp(word, func(folded []byte) (*Rule, bool) {
		if r, ok := l.mapped[string(folded)]; ok {
			return r, true
		}
		r, ok := builtin[string(folded)]
		return r, ok
	})
	if !f.known {
		f.rule = unknownRule
	}
	f.secure = l.words.Secure(word)
	for r := model.Application; r <= model.Document; r++ {
		if string(word) == r.Lower() {
			f.role = r
		}
	}
	return f
}

// roleUnder is the role of an item by its rule: that of an entry follows its
// parent p, what the type of p says of entries, and the parent of p.
func (r *Rule) roleUnder(s *model.Snapshot, p int32, entries model.Role) model.Role {
	if !r.Entry || p == None {
		return r.Role
	}
	switch s.Elements[p].Role {
	case model.List:
		return model.Row
	case model.Table:
		if entries != model.Unknown {
			return entries
		}
		return model.Row
	case model.Row:
		if g := s.Elements[p].Parent; g != None {
			switch s.Elements[g].Role {
			case model.Table:
				return model.Cell
			case model.List, model.Row:
				return model.Row
			}
		}
	}
	return r.Role
}
