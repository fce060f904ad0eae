package jsondiff

import (
	"fmt"
	"strings"
	"testing"
)

func told(list []Difference) string {
	var out []string
	for _, d := range list {
		switch d.Kind {
		case Moved:
			out = append(out, fmt.Sprintf("moved %s to %s", d.From, d.To))
		default:
			out = append(out, fmt.Sprintf("%s %s %s>%s", d.Kind, d.Pointer(), d.Old, d.New))
		}
	}
	return strings.Join(out, "; ")
}

func TestDiff(t *testing.T) {
	items := func(p *Path) bool { return p.Is("items") }
	for _, c := range []struct {
		a, b string
		opts Options
		want string
	}{
		{`1`, `1`, Options{}, ""},
		{`1`, `1.0`, Options{}, "changed  1>1.0"},
		{`"\u0061"`, ` "a" `, Options{}, ""},
		{`null`, `false`, Options{}, "changed  null>false"},
		{`{}`, `[]`, Options{}, "changed  {}>[]"},
		{`{"a":1,"b":{"c":[1,2]}}`, `{"a":1,"b":{"c":[1,3]}}`, Options{}, "changed /b/c/1 2>3"},
		{`{"a":1}`, `{"b":1}`, Options{}, `removed /a 1>; added /b >1`},
		{`{"a/b":{"m~n":1}}`, `{"a/b":{"m~n":2}}`, Options{}, "changed /a~1b/m~0n 1>2"},
		{`{"":1}`, `{"":2}`, Options{}, "changed / 1>2"},
		{`{"a":1,"b":2,"c":3}`, `{"c":3,"a":1,"b":2}`, Options{}, "moved /c to /c"},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, Options{AnyOrder: Everywhere}, ""},
		{`{"x":{"a":1,"b":2},"y":{"a":1,"b":2}}`, `{"x":{"b":2,"a":1},"y":{"b":2,"a":1}}`,
			Options{AnyOrder: func(p *Path) bool { return p.Is("x") }}, "moved /y/a to /y/a"},
		{`{"\u0061":1}`, `{"a":1}`, Options{}, ""},
		{`[1,2,3]`, `[2,3]`, Options{}, "changed /0 1>2; changed /1 2>3; removed /2 3>"},
		{`[1]`, `[1,{"a":2}]`, Options{}, `added /1 >{"a":2}`},
		{`{"items":[{"id":"a","t":1},{"id":"b"}]}`, `{"items":[{"id":"b"},{"id":"c"},{"id":"a","t":2}]}`, Options{ByID: items},
			`moved /items/0 to /items/2; changed /items/0/t 1>2; added /items/1 >{"id":"c"}`},
		{`[{"id":"a"},{"id":"b"}]`, `[{"id":"b"}]`, Options{}, `changed /0/id "a">"b"; removed /1 {"id":"b"}>`},
		{`[{"id":"a"},{"id":"b"}]`, `[{"id":"b"}]`, Options{ByID: Everywhere}, `removed /0 {"id":"a"}>`},
		{`[{"id":"a","n":1},{"id":"a","n":2},5]`, `[{"id":"a","n":1},{"id":"a","n":3},6]`, Options{ByID: Everywhere}, "changed /1/n 2>3; changed /2 5>6"},
		{`[{"id":7},{"id":"7"}]`, `[{"id":"7"},{"id":7}]`, Options{ByID: Everywhere}, "moved /0 to /1"},
		{`[{"id":"\u0061","n":1}]`, `[{"id":"a","n":2}]`, Options{ByID: Everywhere}, "changed /0/n 1>2"},
	} {
		got, err := Diff([]byte(c.a), []byte(c.b), c.opts)
		if err != nil {
			t.Errorf("%s, %s: %v", c.a, c.b, err)
		} else if told(got) != c.want {
			t.Errorf("%s, %s:\n got %s\nwant %s", c.a, c.b, told(got), c.want)
		}
	}
}

func TestManyMembers(t *testing.T) {
	var a, b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&a, `,"m%d":%d`, i, i)
		fmt.Fprintf(&b, `,"m%d":%d`, (i+1)%100, (i+1)%100+i/99)
	}
	got, err := Diff([]byte("{"+a.String()[1:]+"}"), []byte("{"+b.String()[1:]+"}"), Options{})
	if want := "moved /m0 to /m0; changed /m0 0>1"; err != nil || told(got) != want {
		t.Errorf("got %s, %v; want %s", told(got), err, want)
	}
}

func TestUnreadable(t *testing.T) {
	for _, c := range [][2]string{{"{", "{}"}, {"{}", "[1,]"}, {"1 2", "1"}, {`{"a":1,"a":1}`, "{}"}, {"", "1"}} {
		if got, err := Diff([]byte(c[0]), []byte(c[1]), Options{}); err == nil {
			t.Errorf("%q, %q: no error but %v", c[0], c[1], got)
		}
	}
}

// TestDepth holds that depth costs no stack and no more than bytes do.
func TestDepth(t *testing.T) {
	const n = 300_000
	deep := func(leaf string) []byte { return []byte(strings.Repeat(`[`, n) + leaf + strings.Repeat(`]`, n)) }
	got, err := Diff(deep("1"), deep("2"), Options{ByID: Everywhere, AnyOrder: Everywhere})
	if err != nil || len(got) != 1 || len(got[0].From) != 2*n || string(got[0].Old) != "1" {
		t.Errorf("%d differences, %v", len(got), err)
	}
}

func FuzzDiff(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"id":"x"}]}`), []byte(`{"a":[{"id":"x"},1]}`))
	f.Add([]byte(`[{"id":"x"},{"id":"y"},3]`), []byte(`[{"id":"y"},{"id":"x"},{"id":"x"}]`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		for _, opts := range []Options{{}, {ByID: Everywhere}, {AnyOrder: Everywhere}} {
			list, err := Diff(a, b, opts)
			if err != nil {
				return
			}
			back, err := Diff(b, a, opts)
			if err != nil || (len(list) == 0) != (len(back) == 0) {
				t.Errorf("%d differences, %d the other way, %v", len(list), len(back), err)
			}
			if same, err := Diff(a, a, opts); err != nil || len(same) > 0 {
				t.Errorf("a document differs from itself: %s, %v", told(same), err)
			}
		}
	})
}

func BenchmarkDiff(b *testing.B) {
	var doc strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&doc, `,{"id":"i%d","title":"a title","attributes":{"a":1,"b":[true,null]}}`, i)
	}
	x := []byte("[" + doc.String()[1:] + "]")
	b.SetBytes(int64(2 * len(x)))
	b.ReportAllocs()
	for b.Loop() {
		if list, err := Diff(x, x, Options{ByID: Everywhere}); err != nil || len(list) > 0 {
			b.Fatal(list, err)
		}
	}
}
