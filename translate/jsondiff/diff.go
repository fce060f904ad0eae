package jsondiff

import (
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
	d.tasks = append(d.tasks, task{a: 0, b: 0, at: &Path{}})
	for len(d.tasks) > 0 {
		t := d.tasks[len(d.tasks)-1]
		d.tasks = d.tasks[:len(d.tasks)-1]
		d.run(t)
	}
	return d.out, nil
}

// none is no node.
const none int32 = -1

// task is a pair of nodes that is to be compared, or one that has no other.
type task struct {
	a, b  int32
	at    *Path
	moved bool
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
		d.out = append(d.out, Difference{Kind: Removed, From: t.at.From(), Old: d.a.raw(t.a)})
		return
	case t.a == none:
		d.out = append(d.out, Difference{Kind: Added, To: t.at.To(), New: d.b.raw(t.b)})
		return
	case t.moved:
		d.tell(Moved, t)
	}
	x, y := &d.a.nodes[t.a], &d.b.nodes[t.b]
	switch {
	case x.kind != y.kind:
		d.tell(Changed, t)
	case x.kind == jsontree.Object:
		d.objects(t)
	case x.kind == jsontree.Array:
		d.arrays(t)
	case x.kind == jsontree.String && !jsontree.EqualStrings(d.a.raw(t.a), d.b.raw(t.b)),
		x.kind != jsontree.String && string(d.a.raw(t.a)) != string(d.b.raw(t.b)):
		d.tell(Changed, t)
	}
}

func (d *differ) tell(k Kind, t task) {
	d.out = append(d.out, Difference{Kind: k, From: t.at.From(), To: t.at.To(), Old: d.a.raw(t.a), New: d.b.raw(t.b)})
}

// objects compares the members of two objects.
func (d *differ) objects(t task) {
	names := d.index(&d.b, t.b, func(n *node) string { return d.b.name(n) })
	d.match(t, func(i int32) (int32, bool) {
		j, ok := names(d.a.name(&d.a.nodes[i]))
		return j, ok
	}, d.opts.AnyOrder == nil || !d.opts.AnyOrder(t.at))
}

// arrays compares the entries of two arrays.
func (d *differ) arrays(t task) {
	if d.opts.ByID == nil || !d.opts.ByID(t.at) {
		first := len(d.tasks)
		i, j := d.a.nodes[t.a].first, d.b.nodes[t.b].first
		for n := 0; i != none || j != none; n++ {
			at := &Path{up: t.at, a: n, b: n, entry: true}
			d.tasks = append(d.tasks, task{a: i, b: j, at: at})
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
	d.match(t, func(i int32) (int32, bool) {
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

// index finds children of a node by a name: one by one where there are few.
func (d *differ) index(t *tree, at int32, name func(*node) string) func(string) (int32, bool) {
	first := t.nodes[at].first
	if t.nodes[at].count <= 8 {
		return func(want string) (int32, bool) {
			for i := first; i != none; i = t.nodes[i].next {
				if name(&t.nodes[i]) == want {
					return i, true
				}
			}
			return none, false
		}
	}
	m := make(map[string]int32, t.nodes[at].count)
	for i := first; i != none; i = t.nodes[i].next {
		m[name(&t.nodes[i])] = i
	}
	return func(want string) (int32, bool) {
		i, ok := m[want]
		return i, ok
	}
}

// match lays out the tasks for the children of two containers, of which other
// tells the pairs.
func (d *differ) match(t task, other func(i int32) (int32, bool), ordered bool) {
	object := d.a.nodes[t.a].kind == jsontree.Object
	first := len(d.tasks)
	taken := make([]bool, d.b.nodes[t.b].count)
	var order []int // of the pairs, where the second one stands
	k := 0
	for i := d.a.nodes[t.a].first; i != none; i = d.a.nodes[i].next {
		next := task{a: i, b: none, at: &Path{up: t.at, a: k, entry: !object}}
		if object {
			next.at.name = d.a.name(&d.a.nodes[i])
		}
		if j, ok := other(i); ok {
			place := d.b.nodes[j].place
			next.b, next.at.b = j, place
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
			at := &Path{up: t.at, b: place, entry: !object}
			if object {
				at.name = d.b.name(&d.b.nodes[j])
			}
			d.tasks = append(d.tasks, task{a: none, b: j, at: at})
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
