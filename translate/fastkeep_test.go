package translate

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate/diag"
)

// TestShortWayOfEmpty holds that attributes that are empty come back, whatever else
// is said in their place, and however they are spaced.
func TestShortWayOfEmpty(t *testing.T) {
	opts := &Options{Lossless: true}
	for _, empty := range []string{"{}", "{ }", "{\n\t }"} {
		for _, element := range []string{`"role":"Group"`, `"role":"Group","hovered":true`, `"role":"Text","subrole":"link"`, `"role":"Text","selected":true`,
			`"role":"Text","focused":true`, `"role":"Text","visible":false`, `"role":"other"`} {
			doc := `{"protocol":"0.2.0","instance":"i","root":{"id":"r","role":"Application","children":[{"id":"a",` + element + `,"attributes":` + empty +
				`},{"id":"b","role":"Row","attributes":{"n":1}}]}}`
			var short, back Converter
			long := Converter{longWay: true}
			there, err := short.Append(nil, []byte(doc), V01, opts)
			if err != nil {
				t.Fatal(err)
			}
			if same, _ := long.Append(nil, []byte(doc), V01, opts); !bytes.Equal(there, same) {
				t.Errorf("%s\nshort %s\nlong  %s", doc, there, same)
			}
			got, err := back.Append(nil, there, V020, nil)
			if want := strings.Replace(doc, empty, "{}", 1); err != nil || string(got) != want {
				t.Errorf("%v\ngot  %s\nwant %s", err, got, want)
			}
		}
	}
}

// bothWays holds that two converters give the same bytes, and answers whether they took
// the document.
func bothWays(t *testing.T, short, long *Converter, doc []byte, to Form, opts *Options) bool {
	t.Helper()
	a, errA := short.Append(nil, doc, to, opts)
	b, errB := long.Append(nil, doc, to, opts)
	if (errA == nil) != (errB == nil) {
		t.Fatalf("%s\n%v\n%v", doc, errA, errB)
	}
	if !bytes.Equal(a, b) {
		t.Fatalf("%s\nshort %s\nlong  %s", doc, a, b)
	}
	return errA == nil
}

// TestShortWay holds that the short way of keeping gives the bytes of the long
// one, and that ordinary answers take it.
func TestShortWay(t *testing.T) {
	opts := &Options{Lossless: true, Timestamp: "2026-01-01T00:00:00Z"}
	short, long := Converter{}, Converter{longWay: true}
	taken := 0
	for seed := range uint64(6000) {
		form := []Form{V01, V020}[seed%2]
		g := docgen.New(seed, docgen.Options{Odd: seed%4 > 1})
		doc := g.Document(docgen.Form(form.String()))
		to := V01 + V020 - form
		if bothWays(t, &short, &long, doc, to, opts) && (short.keptShort || short.comesBack(to)) {
			taken++
		}
	}
	if taken < 300 {
		t.Errorf("only %d answers took the short way", taken)
	}
}

// TestShortWayOfPackets holds the same of packets, of which the short way keeps
// the order of what is visible at the most: of those that come back as they were
// otherwise.
func TestShortWayOfPackets(t *testing.T) {
	short, long := Converter{}, Converter{longWay: true}
	taken := [V020 + 1]int{}
	for seed := range uint64(6000) {
		g := docgen.New(seed, docgen.Options{Odd: seed%4 > 1, Secure: seed%8 > 6})
		doc := g.Document(docgen.Form(Askable.String()))
		to := []Form{V01, V020}[seed%2]
		opts := &Options{Lossless: true, KeepSecure: seed%16 > 13}
		if bothWays(t, &short, &long, doc, to, opts) && short.comesBack(to) {
			taken[to]++
		}
	}
	if taken[V01] < 100 || taken[V020] < 100 {
		t.Errorf("only %d packets took the short way", taken)
	}
}

// TestShortWayOfOrders holds the same of packets that list what is visible in any
// order, values among it that stand elsewhere too, and spelled otherwise there.
func TestShortWayOfOrders(t *testing.T) {
	short, long := Converter{}, Converter{longWay: true}
	taken := [V020 + 1]int{}
	rng := rand.New(rand.NewPCG(1, 2))
	value := func(n int) string {
		members := []string{fmt.Sprintf(`"text":"text %d"`, n), `"role":"` + []string{"button", "note", "article"}[n%3] + `"`}
		if n%2 == 0 {
			members = append(members, `"label":"\u00e9"`, `"selector":"#a"`, fmt.Sprintf(`"metadata":{"tag":"li","n":%d}`, n))
		}
		if n%5 == 0 {
			members = append(members, `"bounds":{"x":1,"y":2,"width":3,"height":4}`)
		}
		rng.Shuffle(len(members), func(i, k int) { members[i], members[k] = members[k], members[i] })
		return "{" + strings.Join(members, ",") + "}"
	}
	other := strings.NewReplacer(`\u00e9`, "é", `"tag":"li","n"`, `"tag": "li","n"`, `{"text"`, `{ "text"`)
	for range 2000 {
		var lists [3][]string
		n := 0
		for k := range lists {
			for range rng.IntN(4) {
				n++
				lists[k] = append(lists[k], value(n))
			}
		}
		n++
		target, visible := value(n), lists[2]
		for _, v := range append(append([]string{target}, lists[0]...), lists[1]...) {
			if rng.IntN(3) == 0 {
				continue
			}
			if rng.IntN(12) == 0 {
				v = other.Replace(v)
			}
			visible = append(visible, v)
		}
		rng.Shuffle(len(visible), func(i, k int) { visible[i], visible[k] = visible[k], visible[i] })
		list := func(values []string) string { return "[" + strings.Join(values, ",") + "]" }
		mode := []string{"text-selection", "element-focus"}[rng.IntN(2)]
		doc := `{"protocol":"askable.context","version":"0.1","source":{"app":"a","timestamp":"2026-01-01T00:00:00Z"},"capture":{"mode":"` + mode + `"},"target":` + target + `,"surrounding":{`
		for k, name := range []string{"ancestors", "nearby", "visible"} {
			if values := [][]string{lists[0], lists[1], visible}[k]; len(values) > 0 {
				doc += `"` + name + `":` + list(values) + `,`
			}
		}
		doc = strings.TrimSuffix(doc, ",") + `},"privacy":{"redacted":false,"consent":"implicit"},"provenance":{"producer":"p","method":"dom"}}`
		for _, to := range []Form{V01, V020} {
			if bothWays(t, &short, &long, []byte(doc), to, &Options{Lossless: true}) && short.comesBack(to) && short.diags.Counts[diag.OrderChanged] > 0 {
				taken[to]++
			}
		}
	}
	if taken[V01] < 500 || taken[V020] < 500 {
		t.Errorf("only %d packets took the short way", taken)
	}
}
