package translate

import (
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// pair compares two elements that are matched.
func (d *Differ) pair(i, k int32, moved bool) {
	a, b := d.a.s, d.b.s
	x, y := &a.Elements[i], &b.Elements[k]
	if moved {
		one := difference{Difference: Difference{Kind: Moved}, from: d.a.place(i), to: d.b.place(k)}
		d.a.name(&one, i)
		d.tell(one, d.a.below[i] || d.b.below[k])
	}
	if !d.opts.IgnoreIDs && !(x.MadeID && i == a.Root) && !(y.MadeID && k == b.Root) {
		d.strings(i, k, "id", x.ID, y.ID)
	}
	if p, q := d.a.role(i), d.b.role(k); p != q {
		d.change(i, k, "role", "", x.RoleWord.Off, y.RoleWord.Off, jsontree.AppendQuoted(nil, []byte(p)), jsontree.AppendQuoted(nil, []byte(q)))
	}
	d.strings(i, k, "subrole", x.Subrole, y.Subrole)
	d.strings(i, k, "title", x.Title, y.Title)
	d.strings(i, k, "url", x.URL, y.URL)
	d.content(i, k, x, y)
	d.state(i, k, "selected", x.Selected, y.Selected)
	d.state(i, k, "focused", x.Focused, y.Focused)
	d.state(i, k, "hovered", x.Hovered, y.Hovered)
	// where neither says it, it is their parents that differ
	if x.Visible != model.Unstated || y.Visible != model.Unstated {
		d.state(i, k, "visible", d.a.drawn[i], d.b.drawn[k])
	}
	d.attributes(i, k)
}

// strings compares two strings; one that is empty is not the same as none.
func (d *Differ) strings(i, k int32, what string, x, y model.Span) {
	if x.IsZero() && y.IsZero() {
		return
	}
	if !x.IsZero() && !y.IsZero() && jsontree.EqualStrings(d.a.s.Raw(x), d.b.s.Raw(y)) {
		return
	}
	d.change(i, k, what, "", x.Off, y.Off, d.a.raw(x), d.b.raw(y))
}

func (d *Differ) state(i, k int32, what string, x, y bool) {
	if x != y {
		d.change(i, k, what, "", 0, 0, boolJSON(x), boolJSON(y))
	}
}

func boolJSON(b bool) []byte {
	if b {
		return []byte("true")
	}
	return []byte("false")
}

// content compares the blocks of two elements. No blocks are as good as no content.
func (d *Differ) content(i, k int32, x, y *model.Element) {
	p, q := d.a.blocks(x.Content), d.b.blocks(y.Content)
	if p == nil && q == nil || p != nil && q != nil && jsontree.DigestOf(p, false) == jsontree.DigestOf(q, false) {
		return
	}
	d.change(i, k, "content", "", x.Content.Off, y.Content.Off, p, q)
}

// blocks is content that has a block, else nil.
func (s *side) blocks(content model.Span) []byte {
	if content.IsZero() {
		return nil
	}
	raw := s.s.Raw(content)
	has := false
	jsontree.Entries(raw, func([]byte) bool { has = true; return false })
	if !has {
		return nil
	}
	return raw
}

// attributes compares the attributes of two elements, by name.
func (d *Differ) attributes(i, k int32) {
	if !d.a.s.Elements[i].HasAttributes() && !d.b.s.Elements[k].HasAttributes() {
		return
	}
	theirs := map[string]model.Member{}
	var names []string
	d.b.s.EachAttribute(k, func(m model.Member) bool {
		name := d.b.text(m.Name)
		theirs[name] = m
		names = append(names, name)
		return true
	})
	seen := map[string]bool{}
	d.a.s.EachAttribute(i, func(m model.Member) bool {
		name := d.a.text(m.Name)
		seen[name] = true
		o, there := theirs[name]
		old := d.a.s.Raw(m.Value)
		switch {
		case name == "ctxmigrate" && jsontree.KindOf(old) == jsontree.Object: // what a lossless conversion left
		case !there:
			d.change(i, k, "attribute", name, m.At, 0, old, nil)
		case jsontree.DigestOf(old, false) != jsontree.DigestOf(d.b.s.Raw(o.Value), false):
			d.change(i, k, "attribute", name, m.At, o.At, old, d.b.s.Raw(o.Value))
		}
		return true
	})
	for _, name := range names {
		m := theirs[name]
		raw := d.b.s.Raw(m.Value)
		if !seen[name] && !(name == "ctxmigrate" && jsontree.KindOf(raw) == jsontree.Object) {
			d.change(i, k, "attribute", name, 0, m.At, nil, raw)
		}
	}
}
