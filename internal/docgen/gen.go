package docgen

import (
	"math/rand/v2"
	"strings"

	"ctxmigrate/translate/jsontree"
)

// Form is a form of document, named as the command line names it.
type Form string

// The forms.
const (
	V01     Form = "0.1"
	V020    Form = "0.2.0"
	Askable Form = "askable"
)

// Forms are all of them.
var Forms = []Form{V01, V020, Askable}

// Options say what is drawn.
type Options struct {
	Odd    bool // what a careless producer might send
	Secure bool // password fields and the like, often
}

// Gen draws documents. Two of the same seed and options draw the same ones.
type Gen struct {
	Options
	r *rand.Rand
}

// New begins a generator.
func New(seed uint64, o Options) *Gen {
	return &Gen{Options: o, r: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
}

// Document draws a document of a form.
func (g *Gen) Document(f Form) []byte { return g.write(g.Value(f)) }

// Value draws a document of a form as a value.
func (g *Gen) Value(f Form) *Value {
	switch f {
	case V01:
		return g.answer01()
	case V020:
		return g.answer020()
	}
	return g.packet()
}

// write writes a document, an odd one with white space here and there.
func (g *Gen) write(v *Value) []byte {
	if !g.odd(.3) {
		return v.Append(nil)
	}
	return v.appendSpaced(nil, func() string {
		if g.p(.8) {
			return ""
		}
		return pick(g, []string{" ", "\n", "\t", "\r\n  "})
	})
}

// p is true that often.
func (g *Gen) p(x float64) bool { return g.r.Float64() < x }

// odd is p for what only odd documents have.
func (g *Gen) odd(x float64) bool { return g.Odd && g.p(x) }

func pick[T any](g *Gen, list []T) T { return list[g.r.IntN(len(list))] }

// word draws one of the plain words, or now and then of the odd ones.
func (g *Gen) word(plain, odd []string, x float64) string {
	if len(odd) > 0 && g.odd(x) {
		return pick(g, odd)
	}
	return pick(g, plain)
}

// str spells a string, an odd one now and then with escapes that say the same,
// or with half of a surrogate pair.
func (g *Gen) str(s string) *Value {
	v := Str(s)
	if runes := []rune(s); len(runes) > 0 && g.odd(.12) {
		i := g.r.IntN(len(runes))
		if c := runes[i]; c < 0x10000 {
			v.Text = quote(string(runes[:i]))
			v.Text = v.Text[:len(v.Text)-1] + hexEscape(c, g.p(.3)) + quote(string(runes[i+1:]))[1:]
			if c == '/' && g.p(.5) {
				v.Text = strings.Replace(v.Text, hexEscape(c, false), `\/`, 1)
			}
		}
	}
	if g.odd(.01) {
		v.Text = v.Text[:len(v.Text)-1] + pick(g, []string{`\ud83d"`, `\udc00x"`, `\u0000"`, `\ud83d\ude00"`})
	}
	return v
}

func hexEscape(c rune, upper bool) string {
	digits := "0123456789abcdef"
	if upper {
		digits = "0123456789ABCDEF"
	}
	return `\u` + string([]byte{digits[c>>12&15], digits[c>>8&15], digits[c>>4&15], digits[c&15]})
}

// value draws any opaque value.
func (g *Gen) value() *Value { return Raw(pick(g, opaque)) }

// wrong draws a value that is of none of the kinds named.
func (g *Gen) wrong(kinds ...jsontree.Kind) *Value {
	for {
		v := Raw(pick(g, []string{`"w"`, `5`, `1.0`, `-0`, `true`, `false`, `[]`, `["w"]`, `[{}]`, `{}`, `{"type":"text","text":"o"}`, `null`}))
		ok := true
		for _, k := range kinds {
			ok = ok && v.Kind != k
		}
		if ok {
			return v
		}
	}
}

// object makes an object of members, the first of each name; an odd one in any
// order.
func (g *Gen) object(list []Member, shuffle bool) *Value {
	v := Obj()
	seen := map[string]bool{}
	for _, m := range list {
		if name := m.Says(); !seen[name] {
			seen[name] = true
			v.Members = append(v.Members, m)
		}
	}
	if shuffle {
		g.r.Shuffle(len(v.Members), func(i, j int) { v.Members[i], v.Members[j] = v.Members[j], v.Members[i] })
	}
	return v
}

// unknown draws a member that a form may not know, often with a name that means
// something elsewhere.
func (g *Gen) unknown() Member { return M(pick(g, unknownNames), g.value()) }

// name draws the name of an opaque member.
func (g *Gen) name() string {
	if g.odd(.05) {
		return pick(g, []string{"", "a/b", "m~n", "k\u0000", "a.b", "ctxmigrate"})
	}
	return pick(g, names)
}

// block draws a content block.
func (g *Gen) block() *Value {
	switch x := g.r.IntN(10); {
	case x < 5:
		return Obj(M("type", Str("text")), M("text", g.text()))
	case x < 7:
		return Raw(`{"type":"image","data":"QUJD","mimeType":"image/png"}`)
	case x < 8:
		return Raw(`{"type":"resource_link","uri":"u:2","name":"screenshot","mimeType":"image/png"}`)
	case x < 9:
		return Obj(M("type", Str("future")), M("v", g.value()))
	case g.Odd:
		return Raw(pick(g, []string{`1`, `null`, `{}`, `{"type":"text"}`, `{"text":"nt","type":"text"}`, `{"type":"text","text":5}`, `{"type":"text","text":"an","annotations":{}}`}))
	}
	return Obj(M("type", Str("text")), M("text", g.text()), M("annotations", Raw(`{"p":0.5}`)))
}

func (g *Gen) content() *Value {
	if g.odd(.1) {
		return g.wrong(jsontree.Array)
	}
	v := List()
	for range pick(g, []int{0, 1, 1, 1, 2, 3}) {
		v.Entries = append(v.Entries, g.block())
	}
	return v
}

func (g *Gen) text() *Value { return g.str(pick(g, texts)) }

// attributes draws attributes, or a payload, of which a 0.1 reader takes words.
func (g *Gen) attributes(f Form) *Value {
	var ms []Member
	for range pick(g, []int{0, 1, 1, 2}) {
		ms = append(ms, M(g.name(), g.value()))
	}
	if g.p(.15) {
		ms = append(ms, M("author", Str("Ada")))
		if g.odd(.3) {
			ms[len(ms)-1].Value = g.value()
		}
	}
	if g.p(.1) {
		ms = append(ms, M("related", Raw(`[{"relation":"r","id":"b"}]`)))
		if g.odd(.3) {
			ms[len(ms)-1].Value = g.value()
		}
	}
	if g.p(.1) {
		ms = append(ms, M("route", Str(pick(g, []string{"/r", "/q"}))))
	}
	if g.odd(.05) {
		ms = append(ms, M("route", g.value()))
	}
	if f == V01 || g.p(.15) {
		if g.p(.2) {
			ms = append(ms, M("role", g.str(g.word(roles, oddRoles, .2))))
		}
		if g.p(.2) {
			ms = append(ms, M("subrole", g.str(g.word(subroles, g.withSecure(oddSubroles), .3))))
		}
		if g.odd(.1) {
			ms = append(ms, M(pick(g, []string{"role", "subrole"}), g.value()))
		}
		for _, s := range states {
			switch {
			case !g.p(.15):
			case (f == V01 || g.Odd) && g.p(.8):
				ms = append(ms, M(s, Raw(pick(g, []string{"true", "false"}))))
			default:
				ms = append(ms, M(s, Raw(pick(g, []string{`"yes"`, `1`, `null`}))))
			}
		}
	}
	if g.odd(.05) {
		ms = append(ms, M(pick(g, []string{"id", "type", "payload", "attributes", "children", "title", "locatable", "x", "parent"}), g.value()))
	}
	return g.object(ms, true)
}

// withSecure adds secure words to a list, where they are wanted often.
func (g *Gen) withSecure(list []string) []string {
	if !g.Secure {
		return list
	}
	return append(append([]string(nil), list...), secureSpellings...)
}

// secureWord draws a secure word where they are wanted.
func (g *Gen) secureWord() (string, bool) {
	if g.Secure && g.p(.2) {
		return pick(g, secureSpellings), true
	}
	return "", false
}
