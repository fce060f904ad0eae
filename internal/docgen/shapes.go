package docgen

import (
	"fmt"
	"strings"
)

// Shape is a document whose shape is hard on a careless reader or writer, of any
// number of units.
type Shape struct {
	Name string
	Form Form
	Make func(n int) []byte
}

// Shapes are documents that cost more than their bytes where something is done
// for each unit over all the others.
var Shapes = []Shape{
	{"items", V01, func(n int) []byte { return Items(V01, n) }},
	{"elements", V020, func(n int) []byte { return Items(V020, n) }},
	{"values", Askable, func(n int) []byte { return Items(Askable, n) }},
	{"one id", V01, repeat(V01, func(int) string { return `{"id":"a","type":"note","parent":"a"}` })},
	{"no ids", V01, repeat(V01, func(int) string { return `{"type":"note"}` })},
	{"made-up ids are taken", V01, repeat(V01, func(i int) string { return fmt.Sprintf(`{"id":"a~%d"},{"id":"a"},{}`, i) })},
	{"a ring", V01, repeat(V01, func(i int) string { return fmt.Sprintf(`{"id":"%d","parent":"%d"}`, i, i+1) })},
	{"a chain from its end", V01, func(n int) []byte {
		return repeat(V01, func(i int) string { return fmt.Sprintf(`{"id":"%d","parent":"%d"}`, n-i, n-i-1) })(n)
	}},
	{"orphans", V01, repeat(V01, func(i int) string { return fmt.Sprintf(`{"id":"%d","parent":"gone"}`, i) })},
	{"all focused", V01, func(n int) []byte {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"%d"`, i)
		}
		list := repeat(V01, func(i int) string { return fmt.Sprintf(`{"id":"%d","parent":"%d"}`, i, i-1) })(n)
		return []byte(strings.Replace(string(list), `"focus":[]`, `"focus":[`+b.String()[1:]+`]`, 1))
	}},
	{"selections", V01, repeat(V01, func(i int) string { return fmt.Sprintf(`{"id":"%d","type":"selection"}`, i) })},
	{"unknown types", V01, repeat(V01, func(i int) string { return fmt.Sprintf(`{"id":"%d","type":"t%d"}`, i, i) })},
	{"one payload", V01, func(n int) []byte {
		return []byte(`{"protocol":"0.1","instance":"i","items":[{"id":"a","type":"note","payload":` + members(n) + `,` + members(n)[1:] + `],"focus":[]}`)
	}},
	{"unknown members", V020, func(n int) []byte {
		return []byte(`{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application","attributes":` + members(n/2) + `},` + members(n)[1:])
	}},
	{"one id in a tree", V020, repeat(V020, func(int) string { return `{"id":"a","role":"Row","focused":true}` })},
	{"all selected", V020, repeat(V020, func(i int) string {
		return fmt.Sprintf(`{"id":"%d","role":"Text","selected":true,"visible":true,"title":"t"}`, i)
	})},
	{"many blocks", V020, func(n int) []byte {
		return []byte(`{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application","children":[{"id":"a","role":"Text","selected":true,"content":[` +
			strings.Repeat(`{"type":"text","text":"t"},`, n) + `{"type":"image"}]}]}}`)
	}},
	{"equal values", Askable, packets("visible", func(int) string { return `{"text":"t"}` })},
	{"visible values", Askable, packets("visible", func(i int) string { return fmt.Sprintf(`{"text":"%d"}`, i) })},
	{"ancestors", Askable, packets("ancestors", func(i int) string { return fmt.Sprintf(`{"text":"some text","selector":"%d"}`, i) })},
	{"restored values", Askable, packets("nearby", func(i int) string {
		return fmt.Sprintf(`{"role":"row","selector":"%d","metadata":{"element":{"id":"%d","role":"Row"}}}`, i/2, i/2)
	})},
	{"history", Askable, packets("history", func(int) string { return `{"role":"password","text":"t"}` })},
}

// repeat makes answers of n items, or of n elements below the root.
func repeat(f Form, unit func(i int) string) func(n int) []byte {
	return func(n int) []byte {
		var b strings.Builder
		for i := range n {
			b.WriteByte(',')
			b.WriteString(unit(i))
		}
		if f == V01 {
			return []byte(`{"protocol":"0.1","instance":"i","items":[` + b.String()[1:] + `],"focus":[]}`)
		}
		return []byte(`{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application","children":[` + b.String()[1:] + `]}}`)
	}
}

// packets makes packets of which a list has n entries, and the target is selected
// by its text.
func packets(list string, value func(i int) string) func(n int) []byte {
	return func(n int) []byte {
		var b strings.Builder
		for i := range n {
			b.WriteByte(',')
			b.WriteString(value(i))
		}
		return []byte(`{"protocol":"askable.context","version":"0.1","source":{"title":"T","timestamp":"2026-01-02T03:04:05Z"},` +
			`"capture":{"mode":"text-selection"},"target":{"text":"some text or other"},"surrounding":{"` + list + `":[` + b.String()[1:] +
			`]},"privacy":{"redacted":false,"consent":"none"},"provenance":{"producer":"p","method":"app"}}`)
	}
}

// members is an object of n members.
func members(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"m%d":%d`, i, i)
	}
	return `{` + b.String()[1:] + `}`
}
