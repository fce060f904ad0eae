package translate

import (
	"bytes"
	"strings"
	"testing"

	"ctxmigrate/internal/docgen"
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
		if bothWays(t, &short, &long, doc, to, opts) && (short.keptShort || short.nothingToKeep(to)) {
			taken++
		}
	}
	if taken < 300 {
		t.Errorf("only %d answers took the short way", taken)
	}
}

// TestShortWayOfPackets holds the same of packets, of which the short way keeps
// nothing: of those that come back as they were.
func TestShortWayOfPackets(t *testing.T) {
	short, long := Converter{}, Converter{longWay: true}
	taken := [V020 + 1]int{}
	for seed := range uint64(6000) {
		g := docgen.New(seed, docgen.Options{Odd: seed%4 > 1, Secure: seed%8 > 6})
		doc := g.Document(docgen.Form(Askable.String()))
		to := []Form{V01, V020}[seed%2]
		opts := &Options{Lossless: true, KeepSecure: seed%16 > 13}
		if bothWays(t, &short, &long, doc, to, opts) && short.nothingToKeep(to) {
			taken[to]++
		}
	}
	if taken[V01] < 100 || taken[V020] < 100 {
		t.Errorf("only %d packets took the short way", taken)
	}
}
