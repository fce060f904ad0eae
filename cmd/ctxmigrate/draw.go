package main

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"ctxmigrate/translate"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// drawing is the viewer of tree.
type drawing struct {
	translate.Converter
	f     *treeFlags
	page  *pageFlag
	drawn []bool
	keep  []bool // of --focus-only
	more  []bool // by level: another element follows there
	parts parts
	pen   pen
	begin []byte // the beginning of a text
}

func (d *drawing) view(dst []byte, s *sight) ([]byte, error) {
	snap, err := d.Read(s.src, &d.f.options)
	if err != nil {
		return dst, err
	}
	d.drawn = snap.AppendDrawn(d.drawn[:0])
	d.parts.find(s.src, d.From())
	if d.f.focusOnly {
		d.reduce(snap)
	}
	dst = d.header(dst, s, snap)
	dst = d.tree(dst, snap)
	dst = d.parts.appendRest(dst, s.src)
	if d.page.wanted() && d.page.room() {
		d.page.add(treeSection(s, d, snap))
	}
	return dst, nil
}

// header says which document it is.
func (d *drawing) header(dst []byte, s *sight, snap *model.Snapshot) []byte {
	dst = append(append(dst, '\n'), printable(s.name)...)
	dst = strconv.AppendInt(append(dst, ':'), int64(s.Line), 10)
	dst = append(append(dst, ": "...), d.From().String()...)
	n := 0
	for i := snap.Root; i != model.None; i, _ = snap.After(i, snap.Root) {
		n++
	}
	dst = append(append(dst, ", "...), plural(n, "element")...)
	return append(d.parts.appendCapture(dst, s.src), '\n')
}

// reduce keeps what bears a state, and what that is in.
func (d *drawing) reduce(s *model.Snapshot) {
	d.keep = d.keep[:0]
	for range s.Elements {
		d.keep = append(d.keep, false)
	}
	d.keep[s.Root] = true
	for i := s.Root; i != model.None; i, _ = s.After(i, s.Root) {
		if e := &s.Elements[i]; e.Focused || e.Selected || e.Hovered {
			for k := i; !d.keep[k]; k = s.Elements[k].Parent {
				d.keep[k] = true
			}
		}
	}
}

// tree draws the elements, in document order.
func (d *drawing) tree(dst []byte, s *model.Snapshot) []byte {
	d.more = d.more[:0]
	for i, depth := s.Root, 0; i != model.None; {
		for len(d.more) <= depth {
			d.more = append(d.more, false)
		}
		d.more[depth] = d.follows(s, i)
		hidden := 0
		next, deeper := s.After(i, s.Root)
		if d.f.levels > 0 && depth >= d.f.levels && deeper > 0 {
			for k := next; k != model.None; k, _ = s.After(k, i) {
				hidden++
			}
			next, deeper = s.Past(i, s.Root)
		}
		dst = d.element(dst, s, i, depth, hidden)
		i, depth = next, depth+deeper
		for d.f.focusOnly && i != model.None && !d.keep[i] {
			next, deeper = s.Past(i, s.Root)
			i, depth = next, depth+deeper
		}
	}
	return dst
}

// follows reports whether another element is drawn after i in the same parent.
func (d *drawing) follows(s *model.Snapshot, i int32) bool {
	for k := s.Elements[i].Next; k != model.None; k = s.Elements[k].Next {
		if !d.f.focusOnly || d.keep[k] {
			return true
		}
	}
	return false
}

// strokes are what trees are drawn with.
type strokes struct{ last, mid, down, gap, focused, selected, hovered, hidden, deep string }

var (
	boxes = strokes{"└─ ", "├─ ", "│  ", "   ", "▶", "■", "◇", "○", "⋯"}
	plain = strokes{"`- ", "|- ", "|  ", "   ", ">", "*", "^", "-", "..."}
)

// maxGuides is how deep guides are drawn; from there on the level is a number.
const maxGuides = 12

// element draws one element on a line.
func (d *drawing) element(dst []byte, s *model.Snapshot, i int32, depth, hidden int) []byte {
	e := &s.Elements[i]
	k := &boxes
	if d.f.ascii {
		k = &plain
	}
	bold := d.f.colour && e.Focused
	if bold {
		dst = append(dst, "\x1b[1m"...)
	}
	p := &d.pen
	p.room, p.ascii = d.f.columns, d.f.ascii
	p.begin(dst)
	if depth > maxGuides {
		p.put(k.deep)
		p.number(depth)
		p.put(" ")
	} else if depth > 0 {
		for l := 1; l < depth; l++ {
			p.put(guide(d.more[l], k.down, k.gap))
		}
		p.put(guide(d.more[depth], k.mid, k.last))
	}
	d.label(s, i, k, hidden)
	if bold {
		p.dst = append(p.dst, "\x1b[0m"...)
	}
	return append(p.dst, '\n')
}

func guide(more bool, yes, no string) string {
	if more {
		return yes
	}
	return no
}

// label is what is said of an element.
func (d *drawing) label(s *model.Snapshot, i int32, k *strokes, hidden int) {
	e, p := &s.Elements[i], &d.pen
	if !d.f.states {
		d.marks(e, i, k)
	}
	if e.Role == model.Unknown {
		p.text(s.Text(e.RoleWord))
	} else {
		p.put(e.Role.String())
	}
	if !e.Subrole.IsZero() {
		p.put(" ")
		p.text(s.Text(e.Subrole))
	}
	if d.f.ids {
		p.put(" #")
		p.text(s.Text(e.ID))
	}
	if !e.Title.IsZero() {
		p.put(` "`)
		p.text(s.Text(e.Title))
		p.put(`"`)
	}
	if name := d.parts.of(e.At); name != "" && i != s.Root {
		p.put(" (")
		p.put(name)
		p.put(")")
	}
	if d.f.states {
		d.words(e, i)
	}
	if e.Secure && !d.f.keepSecure {
		p.put(" [withheld]")
	}
	if hidden > 0 {
		p.put(" [+")
		p.number(hidden)
		p.put("]")
	}
	d.content(s, e)
}

// state is a state of an element, with the mark that says it.
type state struct {
	is         bool
	mark, word string
}

func (d *drawing) states(e *model.Element, i int32, k *strokes) [4]state {
	return [4]state{{e.Focused, k.focused, "focused"}, {e.Selected, k.selected, "selected"},
		{e.Hovered, k.hovered, "hovered"}, {!d.drawn[i], k.hidden, "not visible"}}
}

// marks are the states by shape.
func (d *drawing) marks(e *model.Element, i int32, k *strokes) {
	any := false
	for _, m := range d.states(e, i, k) {
		if m.is {
			d.pen.put(m.mark)
			any = true
		}
	}
	if any {
		d.pen.put(" ")
	}
}

// words are the states in words.
func (d *drawing) words(e *model.Element, i int32) {
	open := " ["
	for _, m := range d.states(e, i, &plain) {
		if m.is {
			d.pen.put(open)
			d.pen.put(m.word)
			open = ", "
		}
	}
	if open == ", " {
		d.pen.put("]")
	}
}

// content is what an element shows: its text, and the other blocks by their type.
func (d *drawing) content(s *model.Snapshot, e *model.Element) {
	if e.Content.IsZero() || d.pen.full {
		return
	}
	p := &d.pen
	jsontree.Entries(s.Raw(e.Content), func(b []byte) bool {
		var typ, text []byte
		if b[0] == '{' {
			jsontree.Members(b, func(n, v []byte) bool {
				switch string(n) {
				case `"type"`:
					typ = v
				case `"text"`:
					text = v
				}
				return typ == nil || text == nil
			})
		}
		switch {
		case jsontree.EqualText(typ, "text") && jsontree.KindOf(text) == jsontree.String:
			p.put(": ")
			d.begin = appendBegin(d.begin[:0], text, 8*d.f.columns)
			p.text(d.begin)
		case jsontree.KindOf(typ) == jsontree.String:
			p.put(" [")
			p.text(jsontree.Unquote(typ))
			p.put("]")
		default:
			p.put(" [?]")
		}
		return !p.full
	})
}

// appendBegin appends what the beginning of a raw string says: of about so many
// bytes, and no part of an escape or of a character.
func appendBegin(dst, raw []byte, most int) []byte {
	if len(raw) <= most {
		return jsontree.AppendUnquoted(dst, raw)
	}
	end := most
	if k := bytes.LastIndexByte(raw[max(0, most-6):most], '\\'); k >= 0 {
		end = most - 6 + k
		for end > 1 && raw[end-1] == '\\' {
			end--
		}
	}
	for end > 1 && !utf8.RuneStart(raw[end]) {
		end--
	}
	return jsontree.AppendUnquoted(dst, append(raw[:end:end], '"'))
}
