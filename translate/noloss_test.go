package translate_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsondiff"
	"ctxmigrate/translate/jsontree"
)

// This file is law 4: whatever differs between A and A to B to A is named by the
// report of A to B or of B to A. What differs is found by comparing the documents
// unit by unit (items, elements, target-shaped values), without what the law does
// not count; a diagnostic names a difference where its code is one of those that
// speak of such differences and its pointer is the place, in it or around it. A
// pointer of the way back is one in B; units are found again there by their ids.

// speaksOf tells, of each kind of difference, which codes may explain it.
var speaksOf = map[string][]diag.Code{
	// of answers
	"instance":       {diag.InstanceAssumed, diag.InstanceDropped, diag.WrongType},
	"answer member":  {diag.MemberMoved, diag.MemberLost, diag.WrongType},
	"focus list":     {diag.FocusNormalized, diag.FocusOffPath, diag.FocusUnknownID, diag.WrongType, diag.StateMoved, diag.ElementDropped, diag.SecureWithheld},
	"order":          {diag.OrderChanged, diag.ElementMoved},
	"unit removed":   {diag.VisibleMerged, diag.ElementDropped, diag.RootDropped, diag.SecureWithheld},
	"unit added":     {diag.RootMadeUp, diag.ElementMoved, diag.ElementDropped},
	"id":             {diag.MissingID, diag.DuplicateID, diag.WrongType, diag.MemberDropped},
	"type":           {diag.TypeReplaced, diag.TypeMissing, diag.WrongType, diag.MemberDropped},
	"parent":         {diag.ParentMadeExplicit, diag.OrphanParent, diag.ParentCycle, diag.SelectionPlaced, diag.WrongType, diag.ElementMoved, diag.RootDropped, diag.MemberDropped},
	"text":           {diag.WrongType, diag.MemberDropped, diag.SecureWithheld},
	"content":        {diag.WrongType, diag.TextJoined, diag.TextAnnotations, diag.MemberDropped, diag.SecureWithheld},
	"locatable":      {diag.LocatableRetired, diag.WrongType, diag.SecureWithheld},
	"role":           {diag.RoleLost, diag.RoleUnknown, diag.RoleMissing, diag.RootRole, diag.WrongType},
	"subrole":        {diag.RoleUnknown, diag.RoleLost, diag.WrongType, diag.MemberDropped},
	"state":          {diag.VisibleMerged, diag.WrongType, diag.StateMoved, diag.MemberDropped},
	"focused":        {diag.FocusGap, diag.FocusOffPath, diag.WrongType, diag.StateMoved},
	"unknown member": {diag.MemberMoved, diag.MemberLost, diag.WrongType, diag.SecureWithheld},
	"attribute gone": {diag.NameTaken, diag.StateRepeated, diag.MemberDropped, diag.SecureWithheld},
	"attribute come": {diag.MemberMoved, diag.WrongType, diag.RoleUnknown},
	"said by type":   {diag.TypeReplaced, diag.TypeMissing, diag.RoleUnknown, diag.RoleLost, diag.MemberDropped, diag.ElementMoved, diag.MemberMoved, diag.WrongType},
	"said as state":  {diag.VisibleMerged, diag.StateMoved, diag.TypeReplaced},
	"attributes":     {diag.WrongType, diag.MemberDropped, diag.SecureWithheld},
	"order inside":   {diag.NameTaken, diag.StateMoved, diag.MemberMoved, diag.WrongType},

	// of packets
	"source":           {diag.MemberLost, diag.MemberDropped, diag.WrongType},
	"timestamp":        {diag.TimestampAssumed, diag.WrongType},
	"capture":          {diag.CaptureAssumed, diag.MemberDropped, diag.WrongType},
	"privacy":          {diag.ConsentAssumed, diag.MemberDropped, diag.WrongType, diag.SecureWithheld},
	"provenance":       {diag.ProvenanceAssumed, diag.MemberDropped, diag.WrongType},
	"envelope":         {diag.MemberLost, diag.MemberDropped, diag.WrongType},
	"value":            {diag.SecureWithheld, diag.VisibleMerged},
	"visible":          {diag.VisibleMerged, diag.SecureWithheld, diag.OrderChanged},
	"history":          {diag.SecureWithheld, diag.MemberDropped, diag.WrongType},
	"value text":       {diag.WrongType, diag.DuplicateID, diag.SecureWithheld, diag.MemberDropped},
	"value role":       {diag.RoleLost, diag.RoleUnknown, diag.WrongType, diag.SecureWithheld, diag.DuplicateID},
	"value screenshot": {diag.DataPrefix, diag.WrongType, diag.SecureWithheld, diag.MemberDropped},
	"value member":     {diag.MemberDropped, diag.MemberLost, diag.NameTaken, diag.StateRepeated, diag.WrongType, diag.SecureWithheld},
	"value element":    {diag.StateMoved, diag.DuplicateID, diag.FocusGap, diag.FocusOffPath, diag.RoleUnknown, diag.RoleLost, diag.NameTaken, diag.SecureWithheld, diag.WrongType, diag.MemberDropped},
}

// difference is one thing that is not as it was.
type difference struct {
	kind     string
	unit     string   // the key of the unit, "" for the document around them
	path     []string // within it
	old, new string
}

func (d difference) String() string {
	return fmt.Sprintf("%s at %q %q: %.200s became %.200s", d.kind, d.unit, d.path, d.old, d.new)
}

// remark is a diagnostic, placed like a difference.
type remark struct {
	code diag.Code
	unit string
	path []string
}

// names reports whether a diagnostic names a difference.
func (t *trip) names(r remark, d difference) bool {
	if !slices.Contains(speaksOf[d.kind], r.code) {
		return false
	}
	if r.unit == "" && len(r.path) == 0 {
		return true // the whole document
	}
	if twin := t.twins[d.unit]; twin != "" && twin == r.unit {
		d.unit = twin // the same thing listed as visible too
	}
	switch {
	case d.kind == "parent" && r.code == diag.MemberDropped: // the root has another id
		return r.unit == rootKey && allSaid([]byte(d.old)) == t.rootID
	case d.kind == "order", d.kind == "privacy" && r.code == diag.SecureWithheld:
		return true
	case d.kind == "focus list" && r.unit != "": // it names units, and elements are focused
		for _, id := range strings.Fields(d.old) {
			if id == r.unit || slices.Contains(t.above[id], r.unit) {
				return true
			}
		}
		return slices.Contains(strings.Fields(d.new), r.unit)
	case (d.kind == "type" || d.kind == "said by type") && r.code == diag.MemberDropped && d.unit != rootKey:
		return false // the root alone loses its subrole
	case d.kind == "unit added" && r.code != diag.RootMadeUp: // a page is made up of what a Document said
		for key, role := range t.roles {
			if strings.HasPrefix(role, "Document ") && (key == r.unit || slices.Contains(t.above[key], r.unit)) {
				return strings.HasPrefix(d.unit, "page")
			}
		}
		return false
	case d.kind == "visible" && r.code == diag.VisibleMerged: // one entry less
		return true
	case d.kind == "said by type" && r.code == diag.ElementMoved: // or what it is in was moved out of a list or table
		return r.unit == d.unit || slices.Contains(t.above[d.unit], r.unit)
	case d.kind == "value element" && r.unit == d.unit: // the element is one thing there
		return true
	case strings.HasPrefix(d.unit, "/surrounding/visible") && r.unit == "/surrounding/visible": // one of them
		return len(r.path) == 0 || len(d.path) == 0 || last(r.path) == last(d.path)
	case strings.HasPrefix(d.unit, "/") || strings.HasPrefix(r.unit, "/"): // a packet: keys are pointers
		at, in := append(docgen.Tokens(d.unit), d.path...), append(docgen.Tokens(r.unit), r.path...)
		n := min(len(at), len(in))
		return slices.Equal(at[:n], in[:n]) || d.unit == r.unit && last(r.path) == last(d.path)
	case r.unit == d.unit && r.code == diag.TypeReplaced:
		return true // it speaks of the type and of what the payload says instead
	case r.unit != d.unit:
		return r.code == diag.SecureWithheld && slices.Contains(t.above[d.unit], r.unit) ||
			r.unit == "" && d.unit == rootKey && len(d.path) > 0 && last(r.path) == last(d.path) // an answer's member joined the root
	}
	n := min(len(r.path), len(d.path))
	return slices.Equal(r.path[:n], d.path[:n]) || last(r.path) == last(d.path)
}

func last(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return strings.TrimPrefix(list[len(list)-1], "a member ")
}

const rootKey = "the root"

// TestLawNoLoss is law 4.
func TestLawNoLoss(t *testing.T) {
	var c translate.Converter
	hold(t, *lawsN, docgen.Options{}, func(s sample) string {
		opts := &translate.Options{Clock: func() time.Time { return time.Unix(1<<30, 0) }}
		opts.KeepSecure = s.seed%5 == 0
		if s.seed%4 == 0 {
			opts.MaxSurrounding = 1
		}
		for _, to := range others(s.form) {
			if to == translate.Askable && bytes.Contains(s.doc, []byte(`"metadata":{"element":`)) {
				continue // an edited tree may bear a value that becomes an element in the packet alone
			}
			there, err := c.Append(nil, s.doc, to, opts)
			if err != nil {
				return ""
			}
			went := c.Report()
			back, err := c.Append(nil, there, s.form, opts)
			if err != nil {
				return fmt.Sprintf("%s refused on the way back: %v", to, err)
			}
			came := c.Report()
			trip := trip{s: s, to: to, there: docgen.Parse(there), a: docgen.Parse(s.doc), b: docgen.Parse(back)}
			if silent := trip.silent(went, came); silent != nil {
				var said []string
				for _, r := range trip.remarks {
					said = append(said, fmt.Sprintf("%s %q %q", r.code, r.unit, r.path))
				}
				return fmt.Sprintf("%s %s %s: %v\nthere\n%s\nback\n%s\nsaid %s", s.form, to, silent.kind, silent, there, back, strings.Join(said, "; "))
			}
		}
		return ""
	})
}

// trip is a document that went to another form and back.
type trip struct {
	s           sample
	to          translate.Form
	a, there, b *docgen.Value
	found       []difference
	remarks     []remark
	above       map[string][]string // the units above each
	roles       map[string]string   // the role and subrole of each
	rootID      string
	dropped     map[string]bool   // units that did not pass: an id of theirs may be made up again
	twins       map[string]string // of what is visible: the value before it that is the same
}

// silent is a difference that no diagnostic names, nil where there is none.
func (t *trip) silent(went, came []diag.Diagnostic) *difference {
	if t.s.form == translate.Askable {
		t.packets()
		t.hear(went, packetPlaces(t.a), t.s.form)
		t.hear(came, t.packetIDs(), t.to)
	} else {
		x, y := t.layOut(t.a, true), t.layOut(t.b, false)
		t.hear(went, x.places, t.s.form)
		t.dropped = map[string]bool{}
		for _, r := range t.remarks {
			switch r.code {
			case diag.ElementDropped:
				t.dropped[r.unit] = true
			case diag.SecureWithheld:
				for key, above := range t.above {
					t.dropped[key] = t.dropped[key] || slices.Contains(above, r.unit)
				}
			}
		}
		t.answers(x, y)
		t.hear(came, t.placesThere(x), t.to)
	}
	for _, d := range t.found {
		if !slices.ContainsFunc(t.remarks, func(r remark) bool { return t.names(r, d) }) {
			return &d
		}
	}
	return nil
}

// places are the units of a document by pointer.
type places map[string]string

// hear places diagnostics: in the unit that their pointer leads into, and there.
func (t *trip) hear(list []diag.Diagnostic, in places, form translate.Form) {
	holder := holderOf(form)
	for _, d := range list {
		tokens := docgen.Tokens(d.Pointer)
		r := remark{code: d.Code, path: tokens}
		for n := len(tokens); n > 0; n-- {
			if key, ok := in[docgen.Pointer(tokens[:n]...)]; ok {
				r.unit, r.path = key, plainPath(holder, tokens[n:])
				break
			}
		}
		if t.s.form == translate.Askable && len(r.path) > 0 && r.path[0] == "attributes" {
			r.path = r.path[1:] // members of a value, or of the packet
		}
		t.remarks = append(t.remarks, r)
	}
}

// holderOf is the member of a unit that holds what a form has no member for.
func holderOf(form translate.Form) string {
	if form == translate.V01 {
		return "payload"
	}
	return "attributes"
}

// plainPath is a path within a unit in words that all forms share: what holds is
// called attributes, and a member that is called so without holding is not.
func plainPath(holder string, path []string) []string {
	if len(path) > 2 && path[0] == "metadata" && path[1] == "element" {
		path = path[2:]
	}
	switch {
	case len(path) == 0:
	case path[0] == holder:
		return append([]string{"attributes"}, path[1:]...)
	case path[0] == "attributes":
		return append([]string{"a member attributes"}, path[1:]...)
	}
	return path
}

// ---- answers

// layout is an answer laid out by units.
type layout struct {
	answer *docgen.Value // without its items or root
	keys   []string      // of the units in order
	units  map[string]*docgen.Value
	parent map[string]string
	places places
	roles  map[string]string // the role and subrole that each unit has in 0.2.0
}

// layOut lays an answer out. A source has its own ids, which section 4.5 may
// change; its root may be none of its items.
func (t *trip) layOut(doc *docgen.Value, source bool) layout {
	form := docgen.Form(t.s.form.String())
	l := layout{units: map[string]*docgen.Value{}, parent: map[string]string{}, places: places{}, roles: map[string]string{}}
	l.answer = doc.Clone()
	l.answer.Remove("items")
	l.answer.Remove("root")
	units := docgen.Units(doc, form)
	ids := assignedIDs(units)
	root := ""
	up := map[string]string{} // parents as they are in the tree
	if hub, err := translate.Convert(doc.Append(nil), translate.V020, &translate.Options{KeepSecure: true}); err == nil {
		tree := docgen.Parse(hub.Document)
		root = tree.At("root", "id").Says()
		for _, u := range docgen.Units(tree, docgen.V020) {
			id := u.Get("id").Says()
			l.roles[id] = u.Get("role").Says() + " " + u.Get("subrole").Says()
			if u.Parent != nil {
				up[id] = u.Parent.Get("id").Says()
			}
		}
	}
	if len(units) > 0 && form == docgen.V020 {
		root = ids[0]
		for i, u := range units {
			l.roles[ids[i]] = u.Get("role").Says() + " " + u.Get("subrole").Says()
		}
	}
	keyOf := map[string]string{}
	for i, u := range units {
		key := ids[i]
		if key == root {
			key = rootKey
		}
		keyOf[u.Pointer] = key
		l.places[u.Pointer] = key
		l.keys = append(l.keys, key)
		v := u.Value.Clone()
		v.Remove("children")
		l.units[key] = v
		if u.Parent != nil {
			l.parent[key] = keyOf[u.Parent.Pointer]
		}
	}
	l.roles[rootKey] = l.roles[root]
	if form == docgen.V01 {
		for id, p := range up {
			if p == root {
				p = rootKey
			}
			l.parent[id] = p
		}
	}
	if source {
		t.roles = l.roles
		t.rootID = idText(l.units[rootKey].Get("id"))
		t.above = map[string][]string{}
		for key := range l.units {
			for p, n := l.parent[key], 0; p != "" && n < len(units); p, n = l.parent[p], n+1 {
				t.above[key] = append(t.above[key], p)
			}
		}
	}
	return l
}

// assignedIDs are the ids that units have in a tree (section 4.5).
func assignedIDs(units []*docgen.Unit) []string {
	taken := map[string]bool{}
	for _, u := range units {
		taken[idText(u.Get("id"))] = true
	}
	free := func(base string, n int) string {
		for ; ; n++ {
			id := base + "~" + strconv.Itoa(n)
			if !taken[id] {
				taken[id] = true
				return id
			}
		}
	}
	seen := map[string]int{}
	var ids []string
	for i, u := range units {
		id := idText(u.Get("id"))
		switch {
		case id == "":
			if id = "item-" + strconv.Itoa(i); taken[id] {
				id = free(id, 2)
			}
			taken[id] = true
		case seen[id] > 0:
			seen[id]++
			id = free(id, seen[id])
		default:
			seen[id] = 1
		}
		ids = append(ids, id)
	}
	return ids
}

// idText is what an id says, also one that is a number.
func idText(v *docgen.Value) string {
	if v.Is(jsontree.Number) {
		return v.Text
	}
	return v.Says()
}

// placesThere are the units in the form between, by the ids that they have there.
func (t *trip) placesThere(x layout) places {
	in := places{}
	ofID := map[string]string{}
	for _, k := range x.keys {
		ofID[k] = k
	}
	if root := t.there.At("root", "id"); root != nil {
		ofID[root.Says()] = rootKey
	} else if hub, err := translate.Convert(t.there.Append(nil), translate.V020, nil); err == nil && t.to == translate.V01 {
		ofID[docgen.Parse(hub.Document).At("root", "id").Says()] = rootKey
	}
	for _, u := range docgen.Units(t.there, docgen.Form(t.to.String())) {
		id := u.Get("id").Says()
		if t.to == translate.Askable {
			id = u.Value.At("metadata", "element", "id").Says()
		}
		if key, ok := ofID[id]; ok {
			in[u.Pointer] = key
		} else {
			in[u.Pointer] = id
		}
	}
	return in
}

// answers finds what differs between two answers.
func (t *trip) answers(x, y layout) {
	t.diff("", x.answer, y.answer)
	if x.units[rootKey] == nil && y.units[rootKey] != nil {
		// a root that was made up: what it says beside that is told one by one
		t.add("unit added", rootKey, nil, "", "a root")
		x.units[rootKey] = docgen.Raw(`{"id":` + y.units[rootKey].Get("id").String() + `,"type":"application"}`)
	}
	for _, key := range x.keys {
		if w := y.units[key]; w == nil || t.dropped[key] {
			t.add("unit removed", key, nil, x.units[key].String(), "")
			if w != nil { // made up, of an id that is free now
				t.add("unit added", key, nil, "", w.String())
			}
		}
	}
	for key, v := range x.units {
		if w := y.units[key]; w != nil && !t.dropped[key] {
			t.units(key, v, w, x.roles[key] == y.roles[key])
			if t.s.form == translate.V020 && x.parent[key] != y.parent[key] {
				t.add("parent", key, nil, x.parent[key], y.parent[key])
			}
		}
	}
	for _, key := range y.keys {
		if x.units[key] == nil {
			t.add("unit added", key, nil, "", y.units[key].String())
		}
	}
	var before, after []string
	for _, key := range x.keys {
		if y.units[key] != nil && key != rootKey {
			before = append(before, key)
		}
	}
	for _, key := range y.keys {
		if slices.Contains(before, key) {
			after = append(after, key)
		}
	}
	if !slices.Equal(before, after) {
		t.add("order", "", nil, fmt.Sprint(before), fmt.Sprint(after))
	}
}

func (t *trip) add(kind, unit string, path []string, old, new string) {
	t.found = append(t.found, difference{kind, unit, path, old, new})
}

// known are the members that a form knows, of answers and of units.
func (t *trip) known(unit string) []string {
	switch {
	case t.s.form == translate.V01 && unit == "":
		return answer01Members
	case t.s.form == translate.V01:
		return itemMembers
	case unit == "":
		return answer02Members
	}
	return elementMembers
}

// uncounted takes out what law 4 does not count.
func (t *trip) uncounted(unit string, v *docgen.Value) *docgen.Value {
	v = v.Clone()
	for _, name := range t.known(unit) {
		if v.Get(name).Is(jsontree.Null) {
			v.Remove(name)
		}
	}
	holder := holderOf(t.s.form)
	if unit == rootKey && t.to == translate.Askable {
		if h := v.Get(holder); h.Is(jsontree.Object) && h.Get("askable").Is(jsontree.Object) {
			h.Remove("askable")
		}
	}
	switch {
	case unit == "":
		if f := v.Get("focus"); f != nil && f.Kind == jsontree.Array && len(f.Entries) == 0 {
			v.Remove("focus")
		}
		v.Remove("protocol")
	case t.s.form == translate.V01:
		if p := v.Get("parent"); p.Is(jsontree.String) && p.Says() == "" {
			v.Remove("parent")
		}
		for _, s := range []string{"hovered", "selected"} {
			if m := v.Get(holder).Get(s); m != nil && m.Text == "false" && !(s == "selected" && reads(v.Get("type"), "selection")) {
				v.Get(holder).Remove(s)
			}
		}
	default:
		for _, s := range []string{"selected", "focused", "hovered"} {
			if m := v.Get(s); m != nil && m.Text == "false" {
				v.Remove(s)
			}
		}
	}
	for _, name := range []string{holder, "content"} {
		if m := v.Get(name); m != nil && len(m.Members)+len(m.Entries) == 0 && (m.Kind == jsontree.Object && name == holder || m.Kind == jsontree.Array && name == "content") {
			v.Remove(name)
		}
	}
	if unit != "" {
		if id := v.Get("id"); id.Is(jsontree.String) && id.Says() == "" {
			v.Remove("id")
		}
	}
	return v
}

// reads reports whether a type reads as a word (section 4.3).
func reads(typ *docgen.Value, word string) bool {
	folded := strings.ToLower(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(typ.Says()))
	folded = folded[1+strings.LastIndexAny(folded, "./:"):]
	return folded == word || folded == "ax"+word
}

// units finds what differs between a unit and what it came back as.
func (t *trip) units(key string, a, b *docgen.Value, sameRole bool) {
	from := len(t.found)
	t.diff(key, a, b)
	if !sameRole {
		return
	}
	// what a payload said of a role that the type says too
	t.found = slices.DeleteFunc(t.found, func(d difference) bool {
		return d.unit == key && from >= 0 && d.new == "" && len(d.path) == 2 && d.path[0] == "attributes" && (d.path[1] == "role" || d.path[1] == "subrole") && d.kind == "said by type"
	})
}

// diff compares two objects of the form itself.
func (t *trip) diff(unit string, a, b *docgen.Value) {
	a, b = t.uncounted(unit, a), t.uncounted(unit, b)
	list, err := jsondiff.Diff(a.Append(nil), b.Append(nil), jsondiff.Options{AnyOrder: func(p *jsondiff.Path) bool { return p.Up() == nil }})
	if err != nil {
		panic(err)
	}
	for _, d := range list {
		path := docgen.Tokens(d.Pointer())
		if unit != "" {
			path = plainPath(holderOf(t.s.form), path)
		}
		if path[0] == "focus" && unit == "" {
			path = path[:1]
		}
		if d.Kind == jsondiff.Moved {
			kind := "order inside"
			if path[0] == "content" {
				kind = "content"
			}
			t.add(kind, unit, path[:len(path)-1], string(d.Old), string(d.New))
			continue
		}
		if d.Kind == jsondiff.Changed && len(path) == 2 && path[0] == "attributes" && slices.Contains([]string{"role", "subrole", "selected", "visible", "hovered"}, path[1]) {
			// one went and another came
			t.add(t.kindOf(unit, path, string(d.Old), ""), unit, path, string(d.Old), "")
			t.add(t.kindOf(unit, path, "", string(d.New)), unit, path, "", string(d.New))
			continue
		}
		if len(path) == 1 && path[0] == "attributes" && (d.Kind == jsondiff.Added || d.Kind == jsondiff.Removed) {
			v, old, new := docgen.Raw(string(d.Old)+string(d.New)), "", ""
			if v.Kind == jsontree.Object { // told member by member
				for _, m := range v.Members {
					if old, new = "", m.Value.String(); d.Kind == jsondiff.Removed {
						old, new = new, ""
					}
					p := []string{"attributes", m.Says()}
					t.add(t.kindOf(unit, p, old, new), unit, p, old, new)
				}
				continue
			}
		}
		old, new := string(d.Old), string(d.New)
		if unit == "" && path[0] == "focus" {
			old, new = allSaid(d.Old), allSaid(d.New)
		}
		t.add(t.kindOf(unit, path, old, new), unit, path, old, new)
	}
}

// allSaid is all that the strings of a value say.
func allSaid(raw []byte) string {
	var text []string
	if v := docgen.Parse(raw); v != nil {
		v.Each(func(v *docgen.Value) { text = append(text, idText(v)) })
	}
	return strings.Join(text, " ")
}

// kindOf is the kind of a difference in an answer.
func (t *trip) kindOf(unit string, path []string, old, new string) string {
	if unit == "" {
		switch path[0] {
		case "instance":
			return "instance"
		case "focus":
			return "focus list"
		}
		return "answer member"
	}
	name := path[0]
	if !slices.Contains(t.known(unit), name) && name != "attributes" {
		return "unknown member"
	}
	switch name {
	case "id", "type", "parent", "content", "locatable", "role", "subrole", "focused":
		return name
	case "title", "url":
		return "text"
	case "selected", "visible", "hovered":
		return "state"
	}
	if len(path) < 2 {
		return "attributes"
	}
	said := old + new
	switch name = path[1]; {
	case t.s.form == translate.V01 && len(path) == 2 && (name == "role" || name == "subrole") && (old == "" || new == "") && strings.HasPrefix(said, `"`):
		return "said by type"
	case t.s.form == translate.V01 && len(path) == 2 && slices.Contains([]string{"selected", "visible", "hovered"}, name) && (said == "true" || said == "false"):
		return "said as state"
	case new == "":
		return "attribute gone"
	case old == "":
		return "attribute come"
	}
	return "attributes"
}

// ---- packets

// packetPlaces are the values of a packet, each its own key.
func packetPlaces(packet *docgen.Value) places {
	in := places{}
	for _, u := range docgen.Units(packet, docgen.Askable) {
		in[u.Pointer] = u.Pointer
	}
	return in
}

// packetIDs are the values of the packet by the ids that they have between.
func (t *trip) packetIDs() places {
	hub := t.there
	if t.to != translate.V020 {
		out, err := translate.Convert(t.there.Append(nil), translate.V020, nil)
		if err != nil {
			return nil
		}
		hub = docgen.Parse(out.Document)
	}
	of := map[string]string{"target": "/target"}
	for i := range 100 {
		n := strconv.Itoa(i + 1)
		of["ancestor-"+n] = docgen.Pointer("surrounding", "ancestors", strconv.Itoa(i))
		of["nearby-"+n] = docgen.Pointer("surrounding", "nearby", strconv.Itoa(i))
		of["visible-"+n] = "/surrounding/visible"
	}
	if p := hub.At("root", "attributes", "askable", "places"); p != nil {
		of = map[string]string{}
		for _, e := range entriesOf(p.Get("visible")) {
			of[e.Says()] = "/surrounding/visible"
		}
		for _, name := range []string{"ancestors", "nearby"} {
			for i, e := range entriesOf(p.Get(name)) {
				of[e.Says()] = docgen.Pointer("surrounding", name, strconv.Itoa(i))
			}
		}
		of[p.Get("target").Says()] = "/target"
	}
	in := places{}
	for _, u := range docgen.Units(t.there, docgen.Form(t.to.String())) {
		if key, ok := of[u.Get("id").Says()]; ok {
			in[u.Pointer] = key
		} else {
			in[u.Pointer] = "" // the root, and a page that was made up: the packet itself
		}
	}
	return in
}

func entriesOf(v *docgen.Value) []*docgen.Value {
	if v == nil {
		return nil
	}
	return v.Entries
}

// packets finds what differs between two packets.
func (t *trip) packets() {
	a, b := uncountedPacket(t.a), uncountedPacket(t.b)
	if secureSomewhere(t.a) { // that the privacy says so has no code of its own
		for _, v := range []*docgen.Value{a.Get("privacy"), b.Get("privacy")} {
			if v != nil {
				v.Remove("redacted")
				v.Remove("omitted")
			}
		}
	}
	t.twins = map[string]string{}
	first := map[jsontree.Digest]string{}
	for _, u := range docgen.Units(t.a, docgen.Askable) {
		g := jsontree.DigestOf(u.Value.Append(nil), false)
		if u.Place == "visible" && first[g] != "" {
			t.twins[u.Pointer] = first[g]
		} else if first[g] == "" {
			first[g] = u.Pointer
		}
	}
	t.visible(a, b)
	in := packetPlaces(t.a)
	list, err := jsondiff.Diff(a.Append(nil), b.Append(nil), jsondiff.Options{AnyOrder: func(p *jsondiff.Path) bool {
		pointer := p.From()
		return !strings.Contains(pointer, "/metadata") && strings.Count(pointer, "/") < 5
	}})
	if err != nil {
		panic(err)
	}
	for _, d := range list {
		path := docgen.Tokens(d.Pointer())
		unit := ""
		for n := len(path); n > 0; n-- {
			if key, ok := in[docgen.Pointer(path[:n]...)]; ok {
				unit, path = key, path[n:]
				break
			}
		}
		if d.Kind == jsondiff.Moved {
			path = path[:len(path)-1]
		}
		if v := docgen.Parse(d.Old); d.Kind == jsondiff.Removed && v.Is(jsontree.Object) && len(path) == 1 && path[0] == "surrounding" {
			for _, m := range v.Members {
				p := []string{"surrounding", m.Says()}
				t.add(packetKind("", p, m.Value.String()), "", p, m.Value.String(), "")
			}
			continue
		}
		t.add(packetKind(unit, path, string(d.Old)), unit, path, string(d.Old), string(d.New))
	}
}

// visible compares what is visible, of which equal entries are one and the order
// is told of, and takes out what has been compared.
func (t *trip) visible(a, b *docgen.Value) {
	x, y := a.At("surrounding", "visible"), b.At("surrounding", "visible")
	if !x.Is(jsontree.Array) || !y.Is(jsontree.Array) {
		return
	}
	before, after := x.Entries, y.Entries
	var left []int // of before
	var same []int // where the others stand in after
	free := make([]bool, len(after))
	for i := range free {
		free[i] = true
	}
	for i, e := range before {
		k := slices.IndexFunc(after, func(o *docgen.Value) bool {
			return jsontree.DigestOf(o.Append(nil), false) == jsontree.DigestOf(e.Append(nil), false)
		})
		for k >= 0 && k < len(after) && !free[k] {
			n := slices.IndexFunc(after[k+1:], func(o *docgen.Value) bool {
				return jsontree.DigestOf(o.Append(nil), false) == jsontree.DigestOf(e.Append(nil), false)
			})
			if n < 0 {
				k = -1
			} else {
				k += 1 + n
			}
		}
		if k < 0 {
			left = append(left, i)
			continue
		}
		free[k] = false
		same = append(same, k)
	}
	if !slices.IsSorted(same) {
		t.add("visible", "", []string{"surrounding", "visible"}, "one order", "another")
	}
	pairs := map[int]int{}
	for _, i := range left {
		again := slices.ContainsFunc(before[:i], func(o *docgen.Value) bool {
			return jsontree.DigestOf(o.Append(nil), false) == jsontree.DigestOf(before[i].Append(nil), false)
		})
		if again {
			pairs[i] = -1
		}
	}
	for range left { // those that are most alike first, then those that stand closest
		bi, bk, best := -1, -1, -1
		for _, i := range left {
			for k, o := range after {
				if _, has := pairs[i]; has || !free[k] {
					continue
				}
				if n := alike(before[i], o)*len(after)*8 - max(i-k, k-i); bi < 0 || n > best {
					bi, bk, best = i, k, n
				}
			}
		}
		if bi >= 0 {
			pairs[bi], free[bk] = bk, false
		}
	}
	for _, i := range left {
		unit := docgen.Pointer("surrounding", "visible", strconv.Itoa(i))
		k, ok := pairs[i]
		if !ok || k < 0 {
			t.add("visible", unit, nil, before[i].String(), "")
			continue
		}
		list, err := jsondiff.Diff(before[i].Append(nil), after[k].Append(nil), jsondiff.Options{AnyOrder: func(p *jsondiff.Path) bool {
			return p.Up() == nil || p.Is("screenshot") || p.Is("bounds")
		}})
		if err != nil {
			panic(err)
		}
		for _, d := range list {
			path := docgen.Tokens(d.Pointer())
			t.add(packetKind(unit, path, string(d.Old)), unit, path, string(d.Old), string(d.New))
		}
	}
	for k, o := range after {
		if free[k] {
			t.add("visible", "", []string{"surrounding", "visible"}, "", o.String())
		}
	}
	a.Get("surrounding").Remove("visible")
	b.Get("surrounding").Remove("visible")
}

// alike is how many members two values have in common.
func alike(a, b *docgen.Value) (n int) {
	for _, m := range a.Members {
		if o := b.Get(m.Says()); o != nil && o.String() == m.Value.String() {
			n++
		}
	}
	return n
}

// secureSomewhere reports whether a packet has a value that is secure.
func secureSomewhere(packet *docgen.Value) bool {
	for _, u := range docgen.Units(packet, docgen.Askable) {
		e := u.Value.At("metadata", "element")
		if docgen.Secure(u.Get("role").Says()) || docgen.Secure(e.Get("role").Says()) || docgen.Secure(e.Get("subrole").Says()) {
			return true
		}
	}
	return false
}

func packetKind(unit string, path []string, old string) string {
	if len(path) == 2 && path[0] == "surrounding" && old != "" && !strings.HasPrefix(old, "[") {
		return "envelope"
	}
	if strings.HasPrefix(unit, "/surrounding/history") || strings.HasPrefix(unit, "/surrounding/sources") {
		return "history"
	}
	if strings.HasPrefix(unit, "/surrounding/visible") && len(path) == 0 {
		return "visible"
	}
	if unit != "" {
		switch {
		case len(path) == 0:
			return "value"
		case path[0] == "metadata" && len(path) > 1 && path[1] == "element":
			return "value element"
		case path[0] == "role":
			return "value role"
		case path[0] == "screenshot":
			return "value screenshot"
		case path[0] == "text", path[0] == "label", path[0] == "selector":
			return "value text"
		}
		return "value member"
	}
	switch path[0] {
	case "source":
		if len(path) > 1 && path[1] == "timestamp" || len(path) == 1 {
			return "timestamp"
		}
		return "source"
	case "capture", "privacy", "provenance":
		return path[0]
	case "surrounding":
		switch {
		case len(path) > 1 && path[1] == "visible":
			return "visible"
		case len(path) > 1 && (path[1] == "history" || path[1] == "sources"):
			return "history"
		case len(path) > 1 && (path[1] == "ancestors" || path[1] == "nearby"):
			return "value"
		}
	}
	return "envelope"
}

// uncountedPacket takes out of a packet what law 4 does not count.
func uncountedPacket(packet *docgen.Value) *docgen.Value {
	v := packet.Clone()
	noNull := func(v *docgen.Value, names ...string) {
		for _, n := range names {
			if v.Get(n).Is(jsontree.Null) {
				v.Remove(n)
			}
		}
	}
	noNull(v, packetMembers...)
	noNull(v.Get("source"), sourceMembers...)
	noNull(v.Get("capture"), "mode", "gesture", "intent")
	noNull(v.Get("privacy"), "redacted", "consent", "omitted")
	noNull(v.Get("provenance"), "producer", "method")
	noNull(v.Get("surrounding"), listMembers...)
	for _, u := range docgen.Units(v, docgen.Askable) {
		noNull(u.Value, "text", "role", "label", "selector", "bounds", "metadata", "screenshot")
	}
	if s := v.Get("surrounding"); s.Is(jsontree.Object) {
		for _, name := range listMembers {
			if l := s.Get(name); l.Is(jsontree.Array) && len(l.Entries) == 0 {
				s.Remove(name)
			}
		}
		if len(s.Members) == 0 {
			v.Remove("surrounding")
		}
	}
	return v
}
