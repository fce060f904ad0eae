package v01

import (
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/model"
)

// resolveFocus finds the items that the focus list names.
func (d *Decoder) resolveFocus() {
	s := d.S
	for k := range d.focus {
		f := &d.focus[k]
		if f.elem = s.Find(s.Text(f.id)); f.elem == None {
			d.C.AddArgs(diag.FocusUnknownID, f.at, f.id, model.Span{})
		} else if d.items[f.elem].drop {
			if f.elem = d.kept(f.elem); f.elem == None {
				f.elem = s.Root
			}
		}
	}
}

// Working memory of position, one of each for each item: how deep it lies below
// the root, and whether it lies at or below the first listed one. 0 stands for
// what is not known yet.
type lie struct {
	depth int32 // 1 for the root; apart for what has no way to it
	below int8
}

const (
	apart  int32 = -1
	inside int8  = 1
	beside int8  = 2
)

// position is the deepest listed item at or below the first listed one, the
// first on a tie; None where there is none. Items that have no way to the root
// yet, since a selection above them has no place, are not seen.
func (d *Decoder) position() int32 {
	if len(d.focus) == 1 && !d.waiting {
		return d.focus[0].elem
	}
	d.lies = d.lies[:0]
	for range d.items {
		d.lies = append(d.lies, lie{})
	}
	first, best, bestDepth := None, None, int32(0)
	for k := range d.focus {
		i := d.focus[k].elem
		if i == None {
			continue
		}
		depth := int32(1)
		if int(i) < len(d.items) {
			depth = d.depth(i)
		}
		if depth == apart {
			continue
		}
		if first == None {
			first = i
		}
		if depth > bestDepth && d.isBelow(i, first) {
			best, bestDepth = i, depth
		}
	}
	return best
}

// depth fills in how deep i lies, and all above it.
func (d *Decoder) depth(i int32) int32 {
	if i == d.S.Root {
		return 1
	}
	k, n := i, int32(0)
	for k >= 0 && k != d.S.Root && d.lies[k].depth == 0 {
		k = d.items[k].up
		n++
	}
	base := int32(1) // that of the root
	switch {
	case k == unready:
		base = apart
	case k >= 0 && k != d.S.Root:
		base = d.lies[k].depth
	}
	for j := i; j != k; j = d.items[j].up {
		if base == apart {
			d.lies[j].depth = apart
		} else {
			d.lies[j].depth = base + n
		}
		n--
	}
	return d.lies[i].depth
}

// isBelow reports whether i lies at or below first.
func (d *Decoder) isBelow(i, first int32) bool {
	if i == first || first == d.S.Root {
		return true
	}
	if i == d.S.Root {
		return false
	}
	k := i
	for k >= 0 && k != first && d.lies[k].below == 0 {
		k = d.items[k].up
	}
	how := beside
	if k == first {
		how = inside
	} else if k >= 0 {
		how = d.lies[k].below
	}
	for j := i; j != k; j = d.items[j].up {
		d.lies[j].below = how
	}
	return how == inside
}

// markFocus marks the focused path.
func (d *Decoder) markFocus() {
	s, c := d.S, d.C
	at := d.position()
	n := 0
	for k := range d.focus {
		if d.focus[k].elem == None {
			continue
		}
		if n++; d.opts.AllFocus {
			s.MarkPath(d.focus[k].elem)
		}
	}
	if at == None {
		return
	}
	s.MarkPath(at)
	if n > 1 || at == s.Root {
		c.Add(diag.FocusNormalized, d.focus[0].at)
	}
	for k := range d.focus {
		f := &d.focus[k]
		if f.elem != None && f.elem != s.Root && !s.Elements[f.elem].Focused {
			c.AddArgs(diag.FocusOffPath, f.at, f.id, model.Span{})
		}
	}
}
