package docgen

import (
	"strconv"
	"strings"

	"ctxmigrate/translate/jsontree"
)

// Value is a JSON value as a document spells it, white space aside.
type Value struct {
	Kind    jsontree.Kind
	Text    string   // of a scalar, as it is spelled
	Members []Member // of an object
	Entries []*Value // of an array
}

// Member is a member of an object.
type Member struct {
	Name  string // as it is spelled, with its quotes
	Value *Value
}

// Parse reads a document; it answers nil where it is no JSON.
func Parse(doc []byte) *Value {
	var r jsontree.Reader
	r.Reset(doc, 1<<20)
	v := parse(&r, doc)
	r.End()
	if r.Err() != nil {
		return nil
	}
	return v
}

func parse(r *jsontree.Reader, doc []byte) *Value {
	v := &Value{Kind: r.Kind()}
	switch v.Kind {
	case jsontree.Object:
		r.Enter()
		for r.Next() {
			name := string(r.KeySpan().In(doc))
			v.Members = append(v.Members, Member{name, parse(r, doc)})
		}
	case jsontree.Array:
		r.Enter()
		for r.More() {
			v.Entries = append(v.Entries, parse(r, doc))
		}
	default:
		v.Text = string(r.Skip().In(doc))
	}
	return v
}

// Raw is a value of its text, which must be JSON.
func Raw(text string) *Value {
	v := Parse([]byte(text))
	if v == nil {
		panic("docgen: no JSON: " + text)
	}
	return v
}

// Str is a string.
func Str(s string) *Value { return &Value{Kind: jsontree.String, Text: quote(s)} }

// List is an array.
func List(entries ...*Value) *Value { return &Value{Kind: jsontree.Array, Entries: entries} }

// Obj is an object.
func Obj(members ...Member) *Value { return &Value{Kind: jsontree.Object, Members: members} }

// M is a member.
func M(name string, v *Value) Member { return Member{quote(name), v} }

func quote(s string) string { return string(jsontree.AppendQuoted(nil, []byte(s))) }

func unquote(raw string) string { return string(jsontree.Unquote([]byte(raw))) }

// Says is the name of a member with its escapes resolved.
func (m Member) Says() string { return unquote(m.Name) }

// Says is what a string says; "" for any other value, and for none.
func (v *Value) Says() string {
	if v == nil || v.Kind != jsontree.String {
		return ""
	}
	return unquote(v.Text)
}

// Is reports whether a value is of a kind; no value is of none.
func (v *Value) Is(k jsontree.Kind) bool { return v != nil && v.Kind == k }

// True reports whether a value is true.
func (v *Value) True() bool { return v != nil && v.Text == "true" }

// Get is the member of that name, nil where there is none.
func (v *Value) Get(name string) *Value {
	if v == nil {
		return nil
	}
	for _, m := range v.Members {
		if m.Name == `"`+name+`"` || strings.IndexByte(m.Name, '\\') >= 0 && m.Says() == name {
			return m.Value
		}
	}
	return nil
}

// At follows a path of member names and indexes; nil where it leads nowhere.
func (v *Value) At(path ...string) *Value {
	for _, p := range path {
		if v == nil {
			return nil
		}
		if v.Kind != jsontree.Array {
			v = v.Get(p)
			continue
		}
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 || n >= len(v.Entries) {
			return nil
		}
		v = v.Entries[n]
	}
	return v
}

// Set sets a member, which it adds at the end where there is none.
func (v *Value) Set(name string, to *Value) {
	for i, m := range v.Members {
		if m.Says() == name {
			v.Members[i].Value = to
			return
		}
	}
	v.Members = append(v.Members, M(name, to))
}

// Remove takes a member out.
func (v *Value) Remove(name string) {
	for i, m := range v.Members {
		if m.Says() == name {
			v.Members = append(v.Members[:i:i], v.Members[i+1:]...)
			return
		}
	}
}

// Clone is a copy of a value that shares nothing with it.
func (v *Value) Clone() *Value {
	if v == nil {
		return nil
	}
	c := &Value{Kind: v.Kind, Text: v.Text}
	for _, m := range v.Members {
		c.Members = append(c.Members, Member{m.Name, m.Value.Clone()})
	}
	for _, e := range v.Entries {
		c.Entries = append(c.Entries, e.Clone())
	}
	return c
}

// Each calls f with a value and with all below it.
func (v *Value) Each(f func(*Value)) {
	f(v)
	for _, m := range v.Members {
		m.Value.Each(f)
	}
	for _, e := range v.Entries {
		e.Each(f)
	}
}

// Append appends the text of a value without white space between tokens.
func (v *Value) Append(dst []byte) []byte {
	return v.appendSpaced(dst, func() string { return "" })
}

// String is the text of a value.
func (v *Value) String() string {
	if v == nil {
		return ""
	}
	return string(v.Append(nil))
}

// appendSpaced appends a value with white space of that kind between tokens.
func (v *Value) appendSpaced(dst []byte, space func() string) []byte {
	switch v.Kind {
	case jsontree.Object:
		dst = append(dst, '{')
		for i, m := range v.Members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(append(append(dst, space()...), m.Name...), space()...)
			dst = append(append(dst, ':'), space()...)
			dst = append(m.Value.appendSpaced(dst, space), space()...)
		}
		return append(dst, '}')
	case jsontree.Array:
		dst = append(append(dst, '['), space()...)
		for i, e := range v.Entries {
			if i > 0 {
				dst = append(append(dst, ','), space()...)
			}
			dst = append(e.appendSpaced(dst, space), space()...)
		}
		return append(dst, ']')
	}
	return append(dst, v.Text...)
}
