package translate

import (
	"slices"

	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// match finds, for each element of either side, the one of the other that it is.
func (d *Differ) match() {
	a, b := &d.a, &d.b
	d.link(a.s.Root, b.s.Root)
	if !d.opts.IgnoreIDs {
		for _, made := range []bool{false, true} { // ids of the answer's own choose first
			d.matchIDs(made)
		}
	}
	// Parents come before what is in them, so that each match opens the way to more.
	for _, i := range a.order {
		if a.other[i] != model.None {
			d.matchChildren(i, a.other[i])
		}
	}
}

// matchIDs matches elements by id: those that have one of their own, or those that
// one was made for, as a conversion makes it.
func (d *Differ) matchIDs(made bool) {
	for _, i := range d.a.order {
		e := &d.a.s.Elements[i]
		if d.a.other[i] != model.None || e.MadeID != made {
			continue
		}
		if k := d.b.s.Find(d.a.s.Text(e.ID)); k != model.None && d.b.other[k] == model.None && d.b.reached(k) {
			d.link(i, k)
		}
	}
}

func (d *Differ) link(i, k int32) { d.a.other[i], d.b.other[k] = k, i }

// reached reports whether an element is in the tree.
func (s *side) reached(k int32) bool {
	return k == s.s.Root || s.s.Elements[k].Parent != model.None
}

// likeness is what two elements have in common that are matched without their ids:
// the more of it the earlier.
type likeness struct {
	role, subrole, title string
	digest               jsontree.Digest
}

// matchChildren matches what is left of the children of two elements that are
// matched: first those that say the same, then those of one role, subrole and
// title, then the only ones of one role and subrole.
func (d *Differ) matchChildren(i, k int32) {
	left, right := d.a.unmatched(i), d.b.unmatched(k)
	if len(left) == 0 || len(right) == 0 {
		return
	}
	for round := range 3 {
		waiting := map[likeness][]int32{}
		for _, c := range right {
			if d.b.other[c] == model.None {
				l := d.b.like(c, round)
				waiting[l] = append(waiting[l], c)
			}
		}
		mine := map[likeness]int{}
		if round == 2 {
			for _, c := range left {
				if d.a.other[c] == model.None {
					mine[d.a.like(c, round)]++
				}
			}
		}
		for _, c := range left {
			if d.a.other[c] != model.None {
				continue
			}
			l := d.a.like(c, round)
			list := waiting[l]
			if len(list) == 0 || round == 2 && (len(list) > 1 || mine[l] > 1) {
				continue
			}
			d.link(c, list[0])
			waiting[l] = list[1:]
		}
	}
}

func (s *side) unmatched(i int32) (list []int32) {
	for c := s.s.Elements[i].First; c != model.None; c = s.s.Elements[c].Next {
		if s.other[c] == model.None {
			list = append(list, c)
		}
	}
	return list
}

// like is the likeness that counts in a round.
func (s *side) like(i int32, round int) likeness {
	e := &s.s.Elements[i]
	l := likeness{role: s.role(i), subrole: s.text(e.Subrole)}
	if round < 2 {
		l.title = s.text(e.Title)
	}
	if round == 0 && !e.Content.IsZero() {
		l.digest = jsontree.DigestOf(s.s.Raw(e.Content), false)
	}
	return l
}

// moved tells, by element of the first side, whether it stands elsewhere in the
// second: in another element, or out of the order that most of its siblings keep.
func (d *Differ) moved() []bool {
	a, b := &d.a, &d.b
	moved := make([]bool, len(a.s.Elements))
	rank := make([]int32, len(b.s.Elements)) // where an element comes among its siblings
	for _, k := range b.order {
		n := int32(0)
		for c := b.s.Elements[k].First; c != model.None; c = b.s.Elements[c].Next {
			rank[c] = n
			n++
		}
	}
	var same, ranks []int32
	for _, i := range a.order {
		k := a.other[i]
		same, ranks = same[:0], ranks[:0]
		for c := a.s.Elements[i].First; c != model.None; c = a.s.Elements[c].Next {
			o := a.other[c]
			switch {
			case o == model.None:
			case k == model.None || b.s.Elements[o].Parent != k:
				moved[c] = true
			default:
				same, ranks = append(same, c), append(ranks, rank[o])
			}
		}
		if d.opts.IgnoreOrder || slices.IsSorted(ranks) {
			continue
		}
		keep := rising(ranks)
		for n, c := range same {
			moved[c] = !keep[n]
		}
	}
	return moved
}

// rising marks the entries of a longest rising part of a list.
func rising(list []int32) []bool {
	ends := []int{}                  // by length: the entry with which the lowest such part ends
	before := make([]int, len(list)) // the entry before each, or -1
	for n, v := range list {
		at, _ := slices.BinarySearchFunc(ends, v, func(e int, v int32) int { return int(list[e] - v) })
		before[n] = -1
		if at > 0 {
			before[n] = ends[at-1]
		}
		if at == len(ends) {
			ends = append(ends, n)
		} else {
			ends[at] = n
		}
	}
	keep := make([]bool, len(list))
	for n := ends[len(ends)-1]; n >= 0; n = before[n] {
		keep[n] = true
	}
	return keep
}
