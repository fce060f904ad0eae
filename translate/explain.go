package translate

import (
	"slices"
	"strings"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/v020"
)

// Explanation is a conversion with the reasons for what came out of it.
type Explanation struct {
	Result                     // its Report names nothing in or below secure elements
	Elements []Origin          // in the order of the tree
	LeftOut  []LeftOut         // by place in the source
	Notes    []diag.Diagnostic // what the report says of no element
}

// Origin is where an element of the tree came from, and where it went.
type Origin struct {
	Source string // JSON Pointer in the source; "" of what was made up, or the whole
	Offset int    // in the source, where it was not made up
	Target string // JSON Pointer in the result; "" of what was left out, or the whole
	Depth  int    // levels below the root
	Made   bool   // it was made up: nothing in the source is this element
	Gone   bool   // it is not in the result, by itself

	Role, Subrole, ID string
	Reasons           []diag.Reason     // from the source into the tree
	Written           diag.Reason       // from the tree into the result
	Notes             []diag.Diagnostic // what the report says of it
}

// LeftOut is something of the source that the result does not hold.
type LeftOut struct {
	Source  string // JSON Pointer
	Code    diag.Code
	Message string
	Do      string // what to do about it
}

// Explain converts a document like Convert, and tells for each element where it came
// from, by which rules it is what it is, and what was left out and why. It reads the
// document twice, and its result once: those who do not ask for it pay nothing. Its
// cost grows with the pointers that it tells, and so with the square of the depth
// where elements stand in each other to no end.
func Explain(src []byte, to Form, opts *Options) (Explanation, error) {
	if opts == nil {
		opts = &defaults
	}
	result, err := Convert(src, to, opts)
	x := Explanation{Result: result}
	if err != nil {
		return x, err
	}
	var source, target Converter
	snap, err := source.Read(src, opts)
	if err != nil {
		return x, err
	}
	asked := diag.AskedOf(&source.diags)
	out, err := target.Read(result.Document, &Options{From: to, KeepSecure: true, MaxDepth: opts.MaxDepth, MaxBytes: -1})
	if err != nil {
		return x, err
	}
	var from, at []int // offsets in source and result
	for i, depth := snap.Root, 0; i != model.None; {
		e := &snap.Elements[i]
		o := Origin{Depth: depth, Subrole: textOf(snap, e.Subrole), ID: textOf(snap, e.ID), Role: e.Role.String()}
		if e.Role == model.Unknown {
			o.Role = textOf(snap, e.RoleWord)
		}
		o.Reasons, o.Made = source.reasonsOf(i, asked)
		k := counterpart(snap, i, out, to)
		o.Gone = k == model.None
		if !o.Gone {
			at = append(at, int(out.Elements[k].At))
		}
		from = append(from, int(e.At))
		x.Elements = append(x.Elements, o)
		next, deeper := snap.After(i, snap.Root)
		i, depth = next, depth+deeper
	}
	x.point(from, jsontree.SortedPlaces(src, from), jsontree.SortedPlaces(result.Document, at))
	for i := range x.Elements {
		x.Elements[i].Written = written(&x.Elements[i], to, source.from)
	}
	report := result.Report // which names ids, where this may not (7.3)
	if !opts.KeepSecure {
		report = withheld(src, report, opts)
	}
	x.Report = report
	x.sort(src, report)
	return x, nil
}

// withheld is a report without what it names in and below secure elements: what
// is said there is said of the secure element, or of the element below it.
func withheld(src []byte, report []diag.Diagnostic, opts *Options) []diag.Diagnostic {
	var k Checker
	k.Check(src, &Options{From: opts.From, MaxDepth: opts.MaxDepth, MaxBytes: opts.MaxBytes, Mapping: opts.Mapping, Secure: opts.Secure})
	masked := k.Masked()
	if len(masked) == 0 || k.Refused() {
		return report
	}
	own := map[int]bool{} // where the secure elements are that stand below no other
	s := &k.c.snap
	for i := s.Root; i != model.None; {
		if !s.Elements[i].Secure {
			i, _ = s.After(i, s.Root)
			continue
		}
		own[int(s.Elements[i].At)] = true
		i, _ = s.Past(i, s.Root)
	}
	report = slices.Clone(report)
	var moved, offsets []int
	for i := range report {
		r := &report[i]
		n, at := slices.BinarySearchFunc(masked, r.Offset, func(m Masked, off int) int { return m.From - off })
		if !at {
			n--
		}
		if n < 0 || r.Offset >= masked[n].To || at && own[r.Offset] {
			continue
		}
		r.Offset = masked[n].From
		r.Args = slices.Repeat([]string{"•••"}, len(r.Args))
		moved, offsets = append(moved, i), append(offsets, r.Offset)
	}
	places := jsontree.SortedPlaces(src, offsets)
	for n, i := range moved {
		r := &report[i]
		r.Pointer, r.Line, r.Column = places[n].Pointer, places[n].Line, places[n].Column
	}
	return report
}

func textOf(s *model.Snapshot, sp model.Span) string {
	if sp.IsZero() {
		return ""
	}
	return string(jsontree.Unquote(s.Raw(sp)))
}

// reasonsOf tells why an element is what it is, and whether it was made up.
func (c *Converter) reasonsOf(i int32, asked diag.Asked) (list []diag.Reason, made bool) {
	switch c.from {
	case V01:
		return c.flat.Reasons(i, asked), !c.flat.IsItem(i)
	case V020:
		return v020.Reasons(&c.snap, i, asked), false
	}
	return c.packet.Reasons(i, asked), c.snap.Elements[i].At == 0
}

// counterpart is the element of the result that an element of the tree is written
// as, or None. Ids are the same on both sides.
func counterpart(s *model.Snapshot, i int32, out *model.Snapshot, to Form) int32 {
	k := model.None
	if i == s.Root {
		if k = out.Root; to == Askable {
			k = model.None // a packet has no root; what it says is in the members around
		}
	} else {
		k = out.Find(s.Text(s.Elements[i].ID))
	}
	if k != model.None && (out.Elements[k].At == 0 || k != out.Root && out.Elements[k].Parent == model.None) {
		return model.None
	}
	return k
}

// point gives the elements their pointers.
func (x *Explanation) point(offsets []int, from, at []jsontree.Place) {
	n := 0
	for i := range x.Elements {
		o := &x.Elements[i]
		if !o.Made {
			o.Source = from[i].Pointer
			o.Offset = offsets[i]
		}
		if !o.Gone {
			o.Target = at[n].Pointer
			n++
		}
	}
}

// written tells by which rule an element stands where it does in the result, or why
// it does not.
func written(o *Origin, to, from Form) diag.Reason {
	r := diag.Reason{Of: "target", Is: o.Target}
	switch {
	case to == from:
		r.Section, r.Text = "5.4", "the form is the same, and so is every byte but white space"
	case to == V01 && o.Gone && o.Depth == 0:
		r.Section, r.Text = "5.1", "the root says nothing, and is left out"
	case to == V01 && !o.Gone:
		r.Section, r.Text = "5.1", "items come in the order of the tree; what it is in is its parent"
	case to == V020 && !o.Gone:
		r.Section, r.Text = "5.2", "elements stand in what they are in"
	case to == Askable && o.Depth == 0:
		r.Section, r.Text = "6.2", "the root is the source and the facts of the packet"
	case o.Gone:
		r.Section, r.Text = "6.2", "no part of the packet holds it by itself"
	case strings.HasPrefix(o.Target, "/target"):
		r.Section, r.Text = "6.2", "it is the target: what is selected, else what is focused, else hovered"
	case strings.HasPrefix(o.Target, "/surrounding/ancestors"):
		r.Section, r.Text = "6.2", "the target stands in it"
	case strings.HasPrefix(o.Target, "/surrounding/nearby"):
		r.Section, r.Text = "6.2", "it is selected too, or stands beside the target"
	case strings.HasPrefix(o.Target, "/surrounding/visible"):
		r.Section, r.Text = "6.2", "it is visible, and has a title or content"
	}
	return r
}

// sort gives each part of the report to the element that it is about, and lists what
// was left out.
func (x *Explanation) sort(src []byte, report []diag.Diagnostic) {
	report = slices.Clone(report)
	slices.SortStableFunc(report, func(a, b diag.Diagnostic) int { return a.Offset - b.Offset })
	offsets := make([]int, len(report))
	for i, d := range report {
		offsets[i] = d.Offset
		if d.Severity == diag.Loss || leavesOut[d.Code] {
			x.LeftOut = append(x.LeftOut, LeftOut{d.Pointer, d.Code, d.Message(), diag.Codes()[d.Code].Do})
		}
	}
	var whose []int // the elements that are in the source, as they come there
	for i := range x.Elements {
		if !x.Elements[i].Made {
			whose = append(whose, i)
		}
	}
	slices.SortFunc(whose, func(a, b int) int { return x.Elements[a].Offset - x.Elements[b].Offset })
	starts := make([]int, len(whose))
	for n, i := range whose {
		starts[n] = x.Elements[i].Offset
	}
	for i, in := range jsontree.Innermost(starts, jsontree.Ends(src, starts), offsets) {
		if in < 0 {
			x.Notes = append(x.Notes, report[i])
		} else {
			o := &x.Elements[whose[in]]
			o.Notes = append(o.Notes, report[i])
		}
	}
}

// leavesOut are the notes that say that something has no place in the result.
var leavesOut = map[diag.Code]bool{diag.LocatableRetired: true, diag.InstanceDropped: true, diag.RootDropped: true}
