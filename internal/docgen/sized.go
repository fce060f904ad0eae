package docgen

import (
	"fmt"
	"strconv"
	"strings"
)

// Flavour is what a Sized document is rich in.
type Flavour string

// The flavours.
const (
	Plain   Flavour = "plain"
	Unicode Flavour = "unicode" // titles and texts far from ASCII
	Content Flavour = "content" // long texts and images
)

// Sized is an ordinary document of a form, of about that many bytes: a window
// with lists of things, one of them focused, some with content and attributes.
func Sized(f Form, size int, flavour Flavour) []byte {
	n := 1
	var doc []byte
	for {
		if doc = sized(f, n, flavour); len(doc) >= size || f == Askable && n > size {
			return doc
		}
		n = max(n+1, n*(size+len(doc))/(2*len(doc)))
	}
}

// Items is an ordinary document of a form with that many items or elements.
func Items(f Form, n int) []byte { return sized(f, n, Plain) }

func sized(f Form, n int, flavour Flavour) []byte {
	title, text := "Quarterly planning", "The review moves to Thursday; see the notes below."
	switch flavour {
	case Unicode:
		title, text = "Übersicht — 四半期計画 🗓", "レビューは木曜日に移動します。Ниже — заметки. 🎉 العربية"
	case Content:
		text = strings.Repeat(text+" ", 20)
	}
	content := func(i int) *Value {
		v := List(Obj(M("type", Str("text")), M("text", Str(text+" "+strconv.Itoa(i)))))
		if flavour == Content && i%4 == 0 {
			v.Entries = append(v.Entries, Obj(M("type", Str("image")), M("data", Str(strings.Repeat("iVBORw0KGgo", 60))), M("mimeType", Str("image/png"))))
		}
		return v
	}
	attributes := func(i int) *Value {
		return Obj(M("author", Str("Ada")), M("rank", Raw(strconv.Itoa(i)+".0")), M("due", Str("2026-03-01")), M("done", Raw("false")))
	}
	id := func(i int) *Value { return Str(fmt.Sprintf("i-%05d", i)) }
	switch f {
	case V01:
		items := List(Obj(M("id", Str("w")), M("type", Str("window")), M("title", Str(title))),
			Obj(M("id", Str("l")), M("type", Str("list")), M("parent", Str("w")), M("title", Str(title))))
		for i := range n {
			e := Obj(M("id", id(i)), M("type", Str([]string{"task", "note", "comment", "thread"}[i%4])), M("parent", Str("l")),
				M("title", Str(title+" "+strconv.Itoa(i))))
			if i%2 == 0 {
				e.Set("content", content(i))
			}
			if i%3 == 0 {
				e.Set("payload", attributes(i))
			}
			items.Entries = append(items.Entries, e)
		}
		return Obj(M("protocol", Str("0.1")), M("instance", Str("k3f9x2")), M("items", items), M("focus", List(id(n/2)))).Append(nil)
	case V020:
		rows := List()
		for i := range n {
			e := Obj(M("id", id(i)), M("role", Str("Row")), M("subrole", Str([]string{"task", "note", "comment", "thread"}[i%4])),
				M("title", Str(title+" "+strconv.Itoa(i))))
			if i == n/2 {
				e.Set("focused", Raw("true"))
			}
			if i%2 == 0 {
				e.Set("content", content(i))
			}
			if i%3 == 0 {
				e.Set("attributes", attributes(i))
			}
			rows.Entries = append(rows.Entries, e)
		}
		list := Obj(M("id", Str("l")), M("role", Str("List")), M("title", Str(title)), M("focused", Raw("true")), M("children", rows))
		window := Obj(M("id", Str("w")), M("role", Str("Window")), M("title", Str(title)), M("focused", Raw("true")), M("children", List(list)))
		return Obj(M("protocol", Str("0.2.0")), M("instance", Str("k3f9x2")),
			M("root", Obj(M("id", Str("app")), M("role", Str("Application")), M("title", Str(title)), M("children", List(window))))).Append(nil)
	}
	value := func(i int) *Value {
		v := Obj(M("text", Str(text+" "+strconv.Itoa(i))), M("role", Str([]string{"listitem", "group", "article", "button"}[i%4])),
			M("label", Str(title+" "+strconv.Itoa(i))), M("selector", Str(fmt.Sprintf("[data-id=\"%d\"]", i))),
			M("bounds", Raw(`{"x":551.359375,"y":125.703125,"width":253.109375,"height":102.28125}`)), M("metadata", attributes(i)))
		if flavour == Content && i%4 == 0 {
			v.Set("screenshot", Obj(M("mimeType", Str("image/png")), M("data", Str(strings.Repeat("iVBORw0KGgo", 60)))))
		}
		return v
	}
	lists := map[string]*Value{}
	names := []string{"ancestors", "nearby", "visible", "history"}
	for i := range n - 1 {
		name := names[min(i, i%8, 3)]
		if lists[name] == nil {
			lists[name] = List()
		}
		lists[name].Entries = append(lists[name].Entries, value(i+1))
	}
	doc := Obj(M("protocol", Str("askable.context")), M("version", Str("0.1")),
		M("source", Obj(M("url", Str("http://metrics.example.test/dashboard?range=7d")), M("title", Str(title)), M("app", Str("studio")),
			M("route", Str("/dashboard")), M("timestamp", Str("2026-11-29T18:32:51.775Z")))),
		M("capture", Raw(`{"mode":"element-focus","gesture":"focus"}`)), M("target", value(0)))
	around := Obj()
	for _, name := range names {
		if lists[name] != nil {
			around.Set(name, lists[name])
		}
	}
	if len(around.Members) > 0 {
		doc.Set("surrounding", around)
	}
	doc.Set("privacy", Raw(`{"redacted":false,"consent":"implicit"}`))
	doc.Set("provenance", Raw(`{"producer":"@askable-ui/core","method":"dom"}`))
	return doc.Append(nil)
}

// Chain is an answer of which each element stands in the one before it, and Flat
// one of as many elements and about as many bytes side by side.
func Chain(f Form, n int) []byte { return lined(f, n, true) }

// Flat is told of at Chain.
func Flat(f Form, n int) []byte { return lined(f, n, false) }

func lined(f Form, n int, chain bool) []byte {
	var b strings.Builder
	if f == V01 {
		b.WriteString(`{"protocol":"0.1","instance":"n","items":[{"id":"00000","type":"group"}`)
		for i := 1; i < n; i++ {
			parent := 0
			if chain {
				parent = i - 1
			}
			fmt.Fprintf(&b, `,{"id":"%05d","type":"group","parent":"%05d","title":"t"}`, i, parent)
		}
		fmt.Fprintf(&b, `],"focus":["%05d"]}`, n-1)
		return []byte(b.String())
	}
	b.WriteString(`{"protocol":"0.2.0","instance":"n","root":{"id":"app","role":"Application"`)
	for i := range n {
		switch {
		case chain || i == 0:
			b.WriteString(`,"children":[{`)
		default:
			b.WriteString(`,{`)
		}
		fmt.Fprintf(&b, `"id":"%05d","role":"Group","title":"t"`, i)
		if !chain {
			b.WriteString(`,"attributes":{}}`) // the bytes that a chain spends on its brackets
		}
	}
	if chain {
		b.WriteString(strings.Repeat(`}]`, n))
	} else {
		b.WriteString(`]`)
	}
	b.WriteString(`}}`)
	return []byte(b.String())
}
