package main

import (
	"fmt"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// nameOf is what a document is called on a page.
func nameOf(s *sight) string {
	return fmt.Sprintf("%s:%d", printable(s.name), s.Line)
}

var signs = map[string]string{"error": "✖", "warning": "▲", "loss": "▼", "note": "●"}

func noteOf(level, text, code string) pageNote {
	return pageNote{Key: -1, Level: level, Sign: signs[level], Text: printable(text), Code: code}
}

// masks are the parts of an answer that are not to be shown.
func masks(src []byte, opts *translate.Options, keep bool) []translate.Masked {
	if keep {
		return nil
	}
	var k translate.Checker
	k.Check(src, opts)
	return append([]translate.Masked(nil), k.Masked()...)
}

// treeSection is a document as tree draws it.
func treeSection(s *sight, d *drawing, snap *model.Snapshot) section {
	l := sourceOf(s.src, masks(s.src, &d.f.options, d.f.keepSecure))
	var at []int
	sec := section{Name: nameOf(s), Left: "source (" + d.From().String() + ")", Right: "what it means"}
	n := 0
	for i, depth := snap.Root, 0; i != model.None; n++ {
		e := &snap.Elements[i]
		from := int(e.At)
		if from == 0 || from >= len(s.src) {
			from = -1
		}
		at = append(at, from)
		if n < maxPageNodes {
			sec.Nodes = append(sec.Nodes, nodeOf(snap, i, n, depth, d.drawn[i]))
		}
		next, deeper := snap.After(i, snap.Root)
		i, depth = next, depth+deeper
	}
	l.claim(at)
	sec.Lines, sec.Cut = l.lines, l.rest()
	sec.Summary = plural(n, "element")
	if n > maxPageNodes {
		sec.Nothing = fmt.Sprintf("Only the first %d elements are shown.", maxPageNodes)
	}
	return sec
}

// nodeOf is an element of the tree.
func nodeOf(snap *model.Snapshot, i int32, key, depth int, drawn bool) pageNode {
	e := &snap.Elements[i]
	text := func(sp model.Span) string {
		if sp.IsZero() {
			return ""
		}
		return printableJoined(string(appendBegin(nil, snap.Raw(sp), maxPageText)))
	}
	n := pageNode{Key: key, Level: min(depth, maxPageLevel), Path: e.Focused, Role: e.Role.String(),
		Subrole: text(e.Subrole), ID: text(e.ID), Title: text(e.Title)}
	if e.Role == model.Unknown {
		n.Role = text(e.RoleWord)
	}
	if depth > maxPageLevel {
		n.Deep = depth
	}
	for _, m := range []struct {
		is   bool
		mark pageState
	}{{e.Focused, pageState{"focused", boxes.focused, "focused"}}, {e.Selected, pageState{"selected", boxes.selected, "selected"}},
		{e.Hovered, pageState{"hovered", boxes.hovered, "hovered"}}, {!drawn, pageState{"hidden", boxes.hidden, "not visible"}}} {
		if m.is {
			n.States = append(n.States, m.mark)
		}
	}
	if !e.Content.IsZero() {
		jsontree.Entries(snap.Raw(e.Content), func(b []byte) bool {
			typ, words := jsontree.Member(b, "type"), jsontree.Member(b, "text")
			if n.Text != "" {
				n.Text += " "
			}
			switch {
			case jsontree.KindOf(words) == jsontree.String && jsontree.EqualText(typ, "text"):
				n.Text += printableJoined(string(appendBegin(nil, words, maxPageText)))
			case jsontree.KindOf(typ) == jsontree.String:
				n.Text += "[" + printable(string(appendBegin(nil, typ, 40))) + "]"
			}
			return len(n.Text) < maxPageText
		})
	}
	return n
}

// checkSection is a document as check finds it.
func checkSection(s *sight, k *checking, list []translate.Finding) section {
	sec := section{Name: nameOf(s), Left: "source", Right: "what was found"}
	if form := k.Form(); form != translate.Auto {
		sec.Left = "source (" + form.String() + ")"
	}
	shown := 0
	var l *sourceLines
	if !k.Refused() {
		l = sourceOf(s.src, k.Masked())
	}
	for i := range list {
		g := &list[i]
		if g.Severity < k.f.least {
			continue
		}
		n := noteOf(g.Severity.String(), g.Message(), g.Code.String())
		n.Key = shown
		shown++
		found := n
		f := s.found(findingOf(&g.Diagnostic))
		found.Place = position(f.Place) + " " + printable(ending(f.pointer))
		sec.Found = append(sec.Found, found)
		if l != nil {
			l.note(g.Offset, n)
		}
		if shown == maxPageNodes {
			break
		}
	}
	if l != nil {
		l.mark()
		sec.Lines, sec.Cut = l.lines, l.rest()
	} else {
		sec.Cut = notShown
	}
	sec.Summary = plural(shown, "finding")
	if shown == 0 {
		sec.Nothing = "Nothing was found."
	}
	return sec
}

const notShown = "It could not be read, and is not shown."

// toldSection is a document that cannot be checked.
func toldSection(s *sight, f finding) section {
	n := noteOf(f.severity.String(), f.message, f.code.String())
	n.Key, n.Place = 0, position(f.Place)+" "+printable(ending(f.pointer))
	return section{Name: nameOf(s), Summary: plural(1, "finding"), Left: "source", Right: "what was found", Cut: notShown, Found: []pageNote{n}}
}

// mark gives the lines that bear notes the number of the first of them.
func (l *sourceLines) mark() {
	for i := range l.lines {
		if n := l.lines[i].Notes; len(n) > 0 {
			l.lines[i].Key, l.lines[i].First = n[0].Key, true
		}
	}
}

// explainSection is a document with what became of each of its elements.
func explainSection(s *sight, x *translate.Explanation, to translate.Form, opts *translate.Options) section {
	l := sourceOf(s.src, masks(s.src, opts, opts.KeepSecure))
	sec := section{Name: nameOf(s), Left: "source (" + x.From.String() + ")", Right: "result (" + to.String() + ")",
		Summary: plural(len(x.Elements), "element") + ", " + plural(len(x.LeftOut), "thing") + " left out"}
	var at []int
	for key := range x.Elements {
		o := &x.Elements[key]
		at = append(at, placeIn(s.src, o))
		if key >= maxPageNodes {
			continue
		}
		n := pageNode{Key: key, Level: min(o.Depth, maxPageLevel), Role: printable(o.Role), Subrole: printable(o.Subrole), ID: printable(o.ID)}
		for _, r := range o.Reasons {
			n.Reasons = append(n.Reasons, reasonJSON{r.Of, printable(r.Is), r.Section, printable(r.Text)})
			switch r.Of {
			case "focused", "selected", "hovered":
				if r.Is != "no" {
					n.Path = n.Path || r.Of == "focused"
					n.States = append(n.States, pageState{r.Of, map[string]string{"focused": boxes.focused, "selected": boxes.selected, "hovered": boxes.hovered}[r.Of], r.Of})
				}
			}
		}
		if o.Written.Text != "" {
			n.Reasons = append(n.Reasons, reasonJSON{"written", "", o.Written.Section, o.Written.Text})
		}
		n.Text = printable(o.Target)
		if o.Gone {
			n.Text = "not in the result by itself"
		}
		sec.Nodes = append(sec.Nodes, n)
	}
	l.claim(at)
	for i := range x.Report {
		d := &x.Report[i]
		if d.Severity > diag.Note || d.Offset > 0 {
			l.note(d.Offset, noteOf(d.Severity.String(), d.Message(), d.Code.String()))
		}
	}
	sec.Lines, sec.Cut = l.lines, l.rest()
	sec.FoundTitle = "left out"
	for i := range x.LeftOut {
		o := &x.LeftOut[i]
		n := noteOf(diag.Codes()[o.Code].Severity.String(), o.Message, o.Code.String())
		n.Place = orWhole(o.Source)
		sec.Found = append(sec.Found, n)
		if i == maxPageNodes {
			break
		}
	}
	return sec
}

// placeIn is where an element begins in the source, or -1.
func placeIn(src []byte, o *translate.Origin) int {
	if o.Made {
		return -1
	}
	return o.Offset
}
