package jsondiff

import (
	"bytes"
	"slices"

	"ctxmigrate/translate/jsontree"
)

// Kind is how two documents differ in one place.
type Kind uint8

// The kinds of difference.
const (
	Added   Kind = iota // the second has a value that the first has not
	Removed             // the first has a value that the second has not
	Changed             // the values are not the same, and not both objects or both arrays
	Moved               // a member or an entry comes elsewhere in the order of its siblings
)

var kindNames = [...]string{"added", "removed", "changed", "moved"}

// String is the word for the kind.
func (k Kind) String() string { return kindNames[k] }

// Difference is one place in which two documents differ.
type Difference struct {
	Kind Kind
	From string // pointer in the first document; "" where the value was added
	To   string // pointer in the second document; "" where the value was removed
	Old  []byte // the raw value in the first document, nil where it was added
	New  []byte // the raw value in the second document, nil where it was removed
}

// Pointer is where the difference is: in the first document, or in the second
// where the value was added.
func (d *Difference) Pointer() string {
	if d.Kind == Added {
		return d.To
	}
	return d.From
}

// Options say what counts as a difference. In the zero Options order counts
// everywhere and entries are matched by position.
//
// Either function is asked about containers that both documents have, and may be
// nil, which stands for no.
type Options struct {
	ByID     func(*Path) bool // arrays of which the entries are matched by their member id
	AnyOrder func(*Path) bool // objects of which the members may come in any order
}

// Everywhere answers true of every place.
func Everywhere(*Path) bool { return true }

// Diff tells where two documents differ, in the order of the first; what was
// added comes after what the container that it is in had. The error is a
// *jsontree.Error, of the first document that is no JSON.
func Diff(a, b []byte, opts Options) ([]Difference, error) {
	d := differ{opts: opts}
	var err *jsontree.Error
	if d.a, err = build(a); err != nil {
		return nil, err
	}
	if d.b, err = build(b); err != nil {
		return nil, err
	}
	d.tasks = append(d.tasks, task{})
	for len(d.tasks) > 0 {
		t := d.tasks[len(d.tasks)-1]
		d.tasks = d.tasks[:len(d.tasks)-1]
		d.run(t)
	}
	return d.out, nil
}

// none is no node.
const none int32 = -1

// task is a pair of nodes that is to be compared, or one that has no other, and
// where they are: in which container, and at which index in either document.
type task struct {
	a, b   int32
	up     *Path
	ai, bi int
	moved  bool
}

type differ struct {
	opts  Options
	a, b  tree
	tasks []task // the last is the next
	out   []Difference
}

func (d *differ) run(t task) {
	switch {
	case t.b == none:
		d.out = append(d.out, Difference{Kind: Removed, From: d.at(t).From(), Old: d.a.raw(t.a)})
		return
	case t.a == none:
		d.out = append(d.out, Difference{Kind: Added, To: d.at(t).To(), New: d.b.raw(t.b)})
		return
	case t.moved:
		d.tell(Moved, t)
	}
	x, y := &d.a.nodes[t.a], &d.b.nodes[t.b]
	switch {
	case x.kind != y.kind:
		d.tell(Changed, t)
	case x.kind == jsontree.Object:
		d.objects(t, d.at(t))
	case x.kind == jsontree.Array:
		d.arrays(t, d.at(t))
	case x.kind == jsontree.String && !jsontree.EqualStrings(d.a.raw(t.a), d.b.raw(t.b)),
		x.kind != jsontree.String && !bytes.Equal(d.a.raw(t.a), d.b.raw(t.b)):
		d.tell(Changed, t)
	}
}

// at is the place of a task.
func (d *differ) at(t task) *Path {
	p := &Path{up: t.up, a: t.ai, b: t.bi}
	if t.up == nil {
		return p
	}
	n, of := node{}, &d.a
	if t.a != none {
		n = d.a.nodes[t.a]
	} else {
		n, of = d.b.nodes[t.b], &d.b
	}
	if p.entry = n.key.IsZero(); !p.entry {
		p.name = of.name(&n)
	}
	return p
}

func (d *differ) tell(k Kind, t task) {
	at := d.at(t)
	d.out = append(d.out, Difference{Kind: k, From: at.From(), To: at.To(), Old: d.a.raw(t.a), New: d.b.raw(t.b)})
}

// objects compares the members of two objects.
func (d *differ) objects(t task, at *Path) {
	d.match(t, at, d.members(t), d.opts.AnyOrder == nil || !d.opts.AnyOrder(at))
}

// members finds the member of the second object that has the name of one of the
// first: one by one where there are few.
func (d *differ) members(t task) func(i int32) (int32, bool) {
	first := d.b.nodes[t.b].first
	if d.b.nodes[t.b].count <= 8 {
		return func(i int32) (int32, bool) {
			key := d.a.nodes[i].key.In(d.a.src)
			for j := first; j != none; j = d.b.nodes[j].next {
				if jsontree.EqualStrings(key, d.b.nodes[j].key.In(d.b.src)) {
					return j, true
				}
			}
			return none, false
		}
	}
	m := make(map[string]int32, d.b.nodes[t.b].count)
	for j := first; j != none; j = d.b.nodes[j].next {
		m[d.b.name(&d.b.nodes[j])] = j
	}
	return func(i int32) (int32, bool) {
		j, ok := m[d.a.name(&d.a.nodes[i])]
		return j, ok
	}
}

// arrays compares the entries of two arrays.
func (d *differ) arrays(t task, at *Path) {
	if d.opts.ByID == nil || !d.opts.ByID(at) {
		first := len(d.tasks)
		i, j := d.a.nodes[t.a].first, d.b.nodes[t.b].first
		for n := 0; i != none || j != none; n++ {
			d.tasks = append(d.tasks, task{a: i, b: j, up: at, ai: n, bi: n})
			if i != none {
				i = d.a.nodes[i].next
			}
			if j != none {
				j = d.b.nodes[j].next
			}
		}
		slices.Reverse(d.tasks[first:])
		return
	}
	pairs := d.pairs(t)
	d.match(t, at, func(i int32) (int32, bool) {
		j, ok := pairs[i]
		return j, ok
	}, true)
}

// pairs matches the entries of two arrays by id, and those that bear none, or one
// that another bears too, with each other in order.
func (d *differ) pairs(t task) map[int32]int32 {
	byID, repeated := map[string]int32{}, map[string]bool{"": true}
	var others []int32
	for j := d.b.nodes[t.b].first; j != none; j = d.b.nodes[j].next {
		id := d.b.id(j)
		if _, twice := byID[id]; id == "" || twice {
			others, repeated[id] = append(others, j), true
		} else {
			byID[id] = j
		}
	}
	pairs := map[int32]int32{}
	var left []int32
	for i := d.a.nodes[t.a].first; i != none; i = d.a.nodes[i].next {
		id := d.a.id(i)
		if j, ok := byID[id]; ok {
			pairs[i] = j
			delete(byID, id)
		} else if repeated[id] {
			left = append(left, i)
		}
	}
	for k, i := range left {
		if k < len(others) {
			pairs[i] = others[k]
		}
	}
	return pairs
}

// match lays out the tasks for the children of two containers, of which other
// tells the pairs.
func (d *differ) match(t task, at *Path, other func(i int32) (int32, bool), ordered bool) {
	first := len(d.tasks)
	taken := make([]bool, d.b.nodes[t.b].count)
	var order []int // of the pairs, where the second one stands
	k := 0
	for i := d.a.nodes[t.a].first; i != none; i = d.a.nodes[i].next {
		next := task{a: i, b: none, up: at, ai: k}
		if j, ok := other(i); ok {
			place := d.b.nodes[j].place
			next.b, next.bi = j, place
			taken[place] = true
			order = append(order, place)
		}
		d.tasks = append(d.tasks, next)
		k++
	}
	if ordered && !slices.IsSorted(order) {
		stays := longestRise(order)
		pair := 0
		for x := first; x < len(d.tasks); x++ {
			if d.tasks[x].b != none {
				d.tasks[x].moved = !stays[pair]
				pair++
			}
		}
	}
	for j := d.b.nodes[t.b].first; j != none; j = d.b.nodes[j].next {
		if place := d.b.nodes[j].place; !taken[place] {
			d.tasks = append(d.tasks, task{a: none, b: j, up: at, bi: place})
		}
	}
	slices.Reverse(d.tasks[first:])
}

// longestRise marks a longest run of numbers, not all of them side by side, of
// which each is larger than the one before it: those that need not be moved.
func longestRise(list []int) []bool {
	var ends []int // indexes: ends[k] ends a rise of k+1 numbers, the lowest that does
	before := make([]int, len(list))
	for i, v := range list {
		k, _ := slices.BinarySearchFunc(ends, v, func(e, v int) int { return list[e] - v })
		before[i] = -1
		if k > 0 {
			before[i] = ends[k-1]
		}
		if k == len(ends) {
			ends = append(ends, i)
		} else {
			ends[k] = i
		}
	}
	stays := make([]bool, len(list))
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		stays[i] = true
	}
	return stays
}
