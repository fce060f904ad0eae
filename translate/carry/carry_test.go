package carry_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate/carry"
	"ctxmigrate/translate/jsontree"
)

// inside are rules that patch payloads inside, two levels deep.
var inside = carry.Rules{Up: "payload", Depth: 2, Inside: func(name string) bool { return name == "payload" }}

func TestDiffAndApply(t *testing.T) {
	for _, c := range []struct{ have, want, patch string }{
		{`{"id":"a"}`, `{"id":"a"}`, ``},
		{`{"id":"a"}`, `{"id":"\u0061"}`, `{"id":{"is":"\u0061","for":"505af263"}}`},
		{`{"id":"a","x":1}`, `{"id":"a"}`, `{"x":{"for":"340ca71c"}}`},
		{`{"id":"a"}`, `{"id":"a","x":null}`, `{"x":{"is":null}}`},
		{`{"payload":{"x":1,"k":2}}`, `{"x":1,"payload":{"k":2}}`, `{"x":{"up":true},"payload":{"in":{}}}`},
		{`{"payload":{"x":1}}`, `{"x":1}`, `{"x":{"up":true}}`},
		{`{"payload":{"a":1,"b":2}}`, `{"payload":{"b":2,"a":1}}`, `{"payload":{"in":{},"order":["b","a"]}}`},
		{`{"payload":{"a":1}}`, `{"payload":{"a":{"deep":1}}}`, `{"payload":{"in":{"a":{"is":{"deep":1},"for":"340ca71c"}}}}`},
		{`{"payload":{"a":1}}`, `{"payload":[1]}`, `{"payload":{"is":[1],"for":"*"}}`},
	} {
		patch := carry.Diff(carry.MembersOf([]byte(c.have)), carry.MembersOf([]byte(c.want)), inside)
		if !like(string(patch), c.patch) {
			t.Errorf("%s to %s: patch\n%s, want\n%s", c.have, c.want, patch, c.patch)
		}
		out, stale := carry.Apply(carry.MembersOf([]byte(c.have)), patch, "payload")
		if got := carry.AppendMembers(nil, out); stale > 0 || jsontree.DigestOf(got, false) != jsontree.DigestOf([]byte(c.want), false) {
			t.Errorf("%s with %s: got %s, want %s (%d stale)", c.have, patch, got, c.want, stale)
		}
	}
}

// like compares patches, of which the fingerprints are only known by their length.
func like(got, want string) bool {
	strip := func(s string) string {
		for {
			i := strings.Index(s, `"for":"`)
			if i < 0 {
				return s
			}
			end := i + len(`"for":"`)
			s = s[:i] + `"FOR"` + s[end+strings.IndexByte(s[end:], '"')+1:]
		}
	}
	return strip(got) == strip(want)
}

// TestApplyWhereEdited: what no longer fits is left alone, and counted.
func TestApplyWhereEdited(t *testing.T) {
	for _, c := range []struct {
		have, want, edited, out string
		stale                   int
	}{
		{`{"a":1}`, `{"a":2}`, `{"a":3}`, `{"a":3}`, 1},
		{`{"a":1}`, `{}`, `{"a":3}`, `{"a":3}`, 1},
		{`{"a":1}`, `{"a":2}`, `{}`, `{}`, 1},
		{`{}`, `{"a":2}`, `{"a":3}`, `{"a":3}`, 1},
		{`{"a":1,"b":1}`, `{"a":2,"b":2}`, `{"a":3,"b":1}`, `{"a":3,"b":2}`, 1},
		{`{"payload":{"x":1}}`, `{"x":1}`, `{"payload":{}}`, `{"payload":{}}`, 1},
		{`{"payload":{"x":1}}`, `{"x":1}`, `{}`, `{}`, 1},
		{`{"payload":{"a":1,"b":2}}`, `{"payload":{"b":2,"a":1}}`, `{"payload":{"a":1,"b":2,"c":3}}`, `{"payload":{"b":2,"a":1,"c":3}}`, 0},
	} {
		patch := carry.Diff(carry.MembersOf([]byte(c.have)), carry.MembersOf([]byte(c.want)), inside)
		out, stale := carry.Apply(carry.MembersOf([]byte(c.edited)), patch, "payload")
		if got := string(carry.AppendMembers(nil, out)); got != c.out || stale != c.stale {
			t.Errorf("%s to %s, edited to %s: got %s, %d stale; want %s, %d", c.have, c.want, c.edited, got, stale, c.out, c.stale)
		}
	}
}

// TestDiffOfAnything: a patch makes of one object any other, by whatever rules.
func TestDiffOfAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	names := []string{"a", "b", "payload", "target", "c\\u0064", "0"}
	values := []string{`1`, `1.0`, `"s"`, `"\u0073"`, `null`, `[]`, `[1,2]`, `[2,1]`, `[{"a":1},{"b":2}]`, `[{"b":2},{"a":1}]`, `[{"a":1},{"b":3}]`, `{}`,
		`[{"a":1,"b":{"x":1,"y":2}},{"d":{"b":1},"a":[ 2 ]}]`, `[{"a":[2],"d":{"b":1}},{"b":{"x":1,"y":2},"a":1}]`, `[{"a":[2],"d":{"b":1}},{"b":{"y":2,"x":1},"a":1}]`}
	var object func(depth int) string
	object = func(depth int) string {
		var b []string
		for _, k := range r.Perm(len(names))[:r.IntN(len(names))] {
			v := values[r.IntN(len(values))]
			if depth > 0 && r.IntN(3) == 0 {
				v = object(depth - 1)
			}
			b = append(b, fmt.Sprintf(`"%s":%s`, names[k], v))
		}
		return "{" + strings.Join(b, ",") + "}"
	}
	rules := []carry.Rules{{}, inside, {Depth: 4, Inside: func(name string) bool { return name != "b" }}}
	var alike carry.Alike
	for range 20000 {
		have, want := []byte(object(2)), []byte(object(2))
		for _, rule := range rules {
			if up := jsontree.Member(have, "payload"); rule.Up != "" && up != nil && jsontree.KindOf(up) != jsontree.Object {
				continue // a reader gives no other
			}
			patch := carry.Diff(carry.MembersOf(have), carry.MembersOf(want), rule)
			if rule.Up == "" && alike.Objects(have, want, rule) != (patch == nil) {
				t.Fatalf("%s and %s: the patch is %s, but at a look it is not so", have, want, patch)
			}
			out, stale := carry.Apply(carry.MembersOf(have), patch, rule.Up)
			got := carry.AppendMembers(nil, out)
			if opaque(got, rule) != opaque(want, rule) {
				t.Fatalf("%s to %s with %s: opaque values in another order: %s", have, want, patch, got)
			}
			if stale > 0 || docgen.Parse(got) == nil || jsontree.DigestOf(got, false) != jsontree.DigestOf(want, false) {
				t.Fatalf("%s to %s with %s: got %s (%d stale)", have, want, patch, got, stale)
			}
			if rule.Up != "" && patch != nil {
				a, b := jsontree.Member(got, rule.Up), jsontree.Member(want, rule.Up)
				if jsontree.KindOf(b) == jsontree.Object && jsontree.DigestOf(a, true) != jsontree.DigestOf(b, true) {
					t.Fatalf("%s to %s with %s: the members of %s are in another order: %s", have, want, patch, rule.Up, a)
				}
			}
		}
	}
}

// opaque is a text of an object, of which the members are in the order of their names
// as deep as patches go by a rule.
func opaque(object []byte, r carry.Rules) string {
	v := docgen.Parse(object)
	var sort func(v *docgen.Value, depth int)
	sort = func(v *docgen.Value, depth int) {
		for _, e := range v.Entries {
			if depth > 1 {
				sort(e, depth-1)
			}
		}
		for _, m := range v.Members {
			if depth > 1 && r.Inside(m.Says()) && r.Up == "" {
				sort(m.Value, depth-1)
			}
		}
		slices.SortFunc(v.Members, func(a, b docgen.Member) int { return strings.Compare(a.Says(), b.Says()) })
	}
	sort(v, r.Depth)
	return v.String()
}

// TestDiffOfOrder: a list in another order is kept as an order, however its entries
// order their members, but not where what is opaque in them has another order.
func TestDiffOfOrder(t *testing.T) {
	rules := carry.Rules{Depth: 3, Inside: func(name string) bool { return name == "list" || name[0] <= '9' }}
	for _, c := range []struct{ have, want, patch string }{
		{`{"list":[{"a":1,"m":{"x":1,"y":2}},{"b":1}]}`, `{"list":[{"b":1},{"m":{"x":1,"y":2},"a":1}]}`, `{"list":{"order":["1","0"],"for":"*"}}`},
		{`{"list":[{"a":1,"m":{"x":1}},{"b":1}]}`, `{"list":[{"m":{ "x":1 },"a":1},{"b":1}]}`, ``},
		{`{"list":[{"a":1},{"a":1},{"b":1}]}`, `{"list":[{"b":1},{"a":1},{"a":1}]}`, `{"list":{"order":["2","0","1"],"for":"*"}}`},
		{`{"list":[{"m":{"x":1,"y":2}},{"b":1}]}`, `{"list":[{"b":1},{"m":{"y":2,"x":1}}]}`,
			`{"list":{"in":{"0":{"in":{"b":{"is":1},"m":{"for":"*"}},"for":"*"},"1":{"in":{"m":{"is":{"y":2,"x":1}},"b":{"for":"*"}},"for":"*"}}}}`},
	} {
		patch := carry.Diff(carry.MembersOf([]byte(c.have)), carry.MembersOf([]byte(c.want)), rules)
		if !like(string(patch), c.patch) {
			t.Errorf("%s to %s: patch\n%s, want\n%s", c.have, c.want, patch, c.patch)
		}
		out, stale := carry.Apply(carry.MembersOf([]byte(c.have)), patch, "")
		if got := carry.AppendMembers(nil, out); stale > 0 || opaque(got, rules) != opaque([]byte(c.want), rules) {
			t.Errorf("%s with %s: got %s, want %s (%d stale)", c.have, patch, got, c.want, stale)
		}
	}
}

// TestPatchOfEntries: what was kept of an entry of a list is used only where the same
// entry still stands at its place.
func TestPatchOfEntries(t *testing.T) {
	rules := carry.Rules{Depth: 3, Inside: func(name string) bool { return name == "list" || name[0] <= '9' }}
	have, want := []byte(`{"list":[{"a":1},{"b":1}]}`), []byte(`{"list":[{"a":1,"x":1},{"b":1,"y":1}]}`)
	patch := carry.Diff(carry.MembersOf(have), carry.MembersOf(want), rules)
	for _, c := range []struct {
		edited, out string
		stale       int
	}{
		{string(have), string(want), 0},
		{`{"list":[{"b":1}]}`, `{"list":[{"b":1}]}`, 2},
		{`{"list":[{"b":1},{"a":1}]}`, `{"list":[{"b":1},{"a":1}]}`, 2},
		{`{"list":[{"a":2},{"b":1}]}`, `{"list":[{"a":2},{"b":1,"y":1}]}`, 1},
		{`{"list":[{"a":1},{"b":1},{}]}`, `{"list":[{"a":1,"x":1},{"b":1,"y":1},{}]}`, 0},
		{`{}`, `{}`, 1},
	} {
		out, stale := carry.Apply(carry.MembersOf([]byte(c.edited)), patch, "")
		if got := string(carry.AppendMembers(nil, out)); got != c.out || stale != c.stale {
			t.Errorf("%s with %s: got %s, %d stale; want %s, %d", c.edited, patch, got, stale, c.out, c.stale)
		}
	}
}

func TestWithout(t *testing.T) {
	for _, c := range []struct {
		patch, name, want string
		n                 int
	}{{`{"a":{},"b":{}}`, "a", `{"b":{}}`, 1}, {`{"a":{}}`, "b", `{"a":{}}`, 0}, {``, "a", ``, 0}} {
		if got, n := carry.Without([]byte(c.patch), c.name); string(got) != c.want || n != c.n {
			t.Errorf("%s without %s: %s, %d", c.patch, c.name, got, n)
		}
	}
}

func TestFingerprint(t *testing.T) {
	same := [][2]string{{`{"a": [1, "x"]}`, `{"a":[1,"\u0078"]}`}, {`1`, ` 1 `}}
	for _, c := range same {
		if carry.Fingerprint([]byte(c[0])) != carry.Fingerprint([]byte(c[1])) {
			t.Errorf("%s and %s say the same", c[0], c[1])
		}
	}
	seen := map[string]string{}
	for _, v := range []string{`1`, `1.0`, `"1"`, `true`, `[1]`, `[[1]]`, `{"a":1}`, `{"a":"1"}`, `{"a":1,"b":2}`, `{"b":2,"a":1}`, `["a","b"]`, `["ab"]`, `["a\"","b"]`, `["a","\"b"]`} {
		f := carry.Fingerprint([]byte(v))
		if seen[f] != "" {
			t.Errorf("%s and %s have one fingerprint", v, seen[f])
		}
		seen[f] = v
	}
}

const was = `{"v":1,"of":"0.1","was":{"x":{"is":1}}}`

func TestFindAndCut(t *testing.T) {
	for _, c := range []struct {
		shape          carry.Shape
		doc, cut, unit string
	}{
		{carry.List, `{"items":[{"id":"a","payload":{"k":1,"ctxmigrate":` + was + `}}]}`, `{"items":[{"id":"a","payload":{"k":1}}]}`, "0"},
		{carry.List, `{"items":[{"id":"a"},{"payload":{"ctxmigrate":` + was + `},"id":"b"}]}`, `{"items":[{"id":"a"},{"id":"b"}]}`, "1"},
		{carry.List, `{"items":[{"payload":{"ctxmigrate":` + was + `}}]}`, `{"items":[{}]}`, "0"},
		{carry.List, `{"items":[{"payload":{"ctxmigrate":{"v":1,"of":"0.1","empty":true}}}]}`, `{"items":[{"payload":{}}]}`, "0"},
		{carry.List, `{"items":[{"payload":{ "ctxmigrate" : ` + was + ` , "k" : 1 } }]}`, `{"items":[{"payload":{  "k" : 1 } }]}`, "0"},
		{carry.List, `{"items":[{"payload":{"ctxmigrate":{"v":1,"of":"0.1","own":{"ctx\u006digrate":[1]}}}}]}`, `{"items":[{"payload":{"ctx\u006digrate":[1]}}]}`, "0"},
		{carry.Tree, `{"root":{"children":[{"attributes":{"ctxmigrate":` + was + `},"children":[{}]},{"attributes":{"a":1,"ctxmigrate":` + was + `}}]}}`,
			`{"root":{"children":[{"children":[{}]},{"attributes":{"a":1}}]}}`, "1 3"},
		{carry.Packet, `{"target":{"metadata":{"ctxmigrate":` + was + `}}}`, `{"target":{}}`, "-1"},
		{carry.Packet, `{"surrounding":{"sources":[{"label":"ctxmigrate","metadata":{"ctxmigrate":` + was + `}}]},"privacy":{}}`, `{"privacy":{}}`, "-1"},
		{carry.Packet, `{"surrounding":{"nearby":[{}],"sources":[{"label":"ctxmigrate","metadata":{"ctxmigrate":` + was + `}}]}}`, `{"surrounding":{"nearby":[{}]}}`, "-1"},
		{carry.Packet, `{"surrounding":{"sources":[{"label":"x"},{"label":"ctxmigrate","metadata":{"ctxmigrate":` + was + `}}]}}`, `{"surrounding":{"sources":[{"label":"x"}]}}`, "-1"},
	} {
		doc := []byte(c.doc)
		if !carry.May(doc) {
			t.Errorf("%s may carry", c.doc)
		}
		found := carry.Find(doc, c.shape, 0)
		var units []string
		for _, f := range found {
			units = append(units, fmt.Sprint(f.Unit))
			if f.Of() != "0.1" {
				t.Errorf("%s: of %q", c.doc, f.Of())
			}
		}
		if got := string(carry.Cut(nil, doc, found)); got != c.cut || strings.Join(units, " ") != c.unit {
			t.Errorf("%s: cut to\n%s (units %s), want\n%s (%s)", c.doc, got, units, c.cut, c.unit)
		}
	}
}

// TestNotCarried: what is not of the format, or not in its place, is opaque.
func TestNotCarried(t *testing.T) {
	for _, c := range []struct {
		shape carry.Shape
		doc   string
	}{
		{carry.List, `{"items":[{"payload":{"ctxmigrate":1}}]}`},
		{carry.List, `{"items":[{"payload":{"ctxmigrate":{}}}]}`},
		{carry.List, `{"items":[{"payload":{"ctxmigrate":{"v":2,"of":"0.1"}}}]}`},
		{carry.List, `{"items":[{"payload":{"ctxmigrate":{"v":1,"of":"0.3"}}}]}`},
		{carry.List, `{"items":[{"payload":{"ctxmigrate":{"v":1,"of":"0.1","more":1}}}]}`},
		{carry.List, `{"items":[{"payload":{"ctxmigrate":{"v":1,"of":"0.1","was":[]}}}]}`},
		{carry.List, `{"items":[{"payload":{"ctxmigrate":{"v":1,"of":"0.1","own":{"x":1}}}}]}`},
		{carry.List, `{"items":[{"payload":{"ctxmigrate":{"v":1,"of":"0.1","own":{"ctxmigrate":` + was + `}}}}]}`},
		{carry.List, `{"items":[{"payload":{"k":{"ctxmigrate":` + was + `}}}]}`},
		{carry.List, `{"items":[{"ctxmigrate":` + was + `}]}`},
		{carry.List, `{"ctxmigrate":` + was + `}`},
		{carry.Tree, `{"root":{"payload":{"ctxmigrate":` + was + `}}}`},
		{carry.Packet, `{"target":{"ctxmigrate":` + was + `}}`},
		{carry.Packet, `{"surrounding":{"nearby":[{"label":"ctxmigrate","metadata":{"ctxmigrate":` + was + `}}]}}`},
		{carry.Packet, `{"surrounding":{"sources":[{"label":"ctxmigrate","metadata":{"ctxmigrate":` + was + `}},{"label":"ctxmigrate","metadata":{"ctxmigrate":` + was + `}}]}}`},
	} {
		if found := carry.Find([]byte(c.doc), c.shape, 0); len(found) > 0 {
			t.Errorf("%s carries %s", c.doc, found[0].Value)
		}
	}
}

// TestPlace: offsets of a document that was cut lead back into it.
func TestPlace(t *testing.T) {
	doc := []byte(`{"root":{"attributes":{"ctxmigrate":` + was + `},"children":[{"attributes":{"a":1,"ctxmigrate":` + was + `},"title":"HERE"}]}}`)
	found := carry.Find(doc, carry.Tree, 0)
	cut := carry.Cut(nil, doc, found)
	at := carry.Place(bytes.Index(cut, []byte("HERE")), found)
	if !bytes.HasPrefix(doc[at:], []byte("HERE")) {
		t.Errorf("%s: at %q", cut, doc[at:])
	}
}

func TestPut(t *testing.T) {
	for _, c := range [][2]string{
		{`{}`, `{"ctxmigrate":{"v":1}}`},
		{`{"a":1}`, `{"a":1,"ctxmigrate":{"v":1}}`},
		{`{"ctx\u006digrate":[2],"a":1}`, `{"ctxmigrate":{"v":1,"own":{"ctx\u006digrate":[2]}},"a":1}`},
	} {
		got := carry.AppendMembers(nil, carry.Put(carry.MembersOf([]byte(c[0])), []byte(`{"v":1}`)))
		if string(got) != c[1] {
			t.Errorf("%s: got %s, want %s", c[0], got, c[1])
		}
	}
}

// TestSplit: what is taken apart is put together again as it was.
func TestSplit(t *testing.T) {
	for _, f := range []struct {
		form  docgen.Form
		shape carry.Shape
	}{{docgen.V01, carry.List}, {docgen.V020, carry.Tree}} {
		g := docgen.New(9, docgen.Options{})
		for range 500 {
			doc := g.Document(f.form)
			d := carry.Split(doc, f.shape, 0)
			if got := d.Append(nil); !bytes.Equal(got, doc) {
				t.Fatalf("got\n%s, want\n%s", got, doc)
			}
			if n := len(docgen.Units(docgen.Parse(doc), f.form)); len(d.Units) != n {
				t.Fatalf("%d units, want %d: %s", len(d.Units), n, doc)
			}
		}
	}
	d := carry.Split([]byte(`{"a":1,"root":{"children":[],"id":"x"},"b":2}`), carry.Tree, 0)
	if got := string(d.Append(nil)); got != `{"a":1,"root":{"children":[],"id":"x"},"b":2}` {
		t.Errorf("got %s", got)
	}
}
