package translate

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate/diag"
)

// TestShortBack holds that the short way back gives the bytes and the report of the
// long one, for trees that were lists as they were made, edited, spaced, and with
// what they carry tampered with.
func TestShortBack(t *testing.T) {
	var there Converter
	short, long := Converter{}, Converter{longWay: true}
	taken, stale := 0, 0
	check := func(doc []byte, opts *Options) {
		t.Helper()
		before := []byte("before")
		a, errA := short.Append(before, doc, V01, opts)
		b, errB := long.Append(before, doc, V01, opts)
		if fmt.Sprint(errA) != fmt.Sprint(errB) || !bytes.Equal(a, b) {
			t.Fatalf("%s\nshort %s %v\nlong  %s %v", doc, a, errA, b, errB)
		}
		if errA != nil {
			return
		}
		if *short.Counts() != *long.Counts() {
			t.Fatalf("%s\nshort %v\nlong  %v", doc, short.Counts(), long.Counts())
		}
		if short.whole == nil && short.tree.Carrying == 1 { // which the long way cuts out
			taken++
			if short.Counts()[diag.CarryStale] > 0 {
				stale++
			}
		}
		if x, y := short.Report(), long.Report(); !reflect.DeepEqual(x, y) {
			t.Fatalf("%s\nshort %v\nlong  %v", doc, x, y)
		}
	}
	yes := true
	list := docgen.Answers(1, 300)
	for seed := range uint64(2500) {
		list = append(list, docgen.New(seed, docgen.Options{Odd: seed%2 > 0}).Document(docgen.V01))
	}
	for n, src := range list {
		doc, err := there.Append(nil, src, V020, &Options{Lossless: true})
		if err != nil {
			continue
		}
		check(doc, nil)
		check(doc, &Options{Locatable: &yes, Lossless: true})
		v := docgen.Parse(doc)
		docgen.New(uint64(n), docgen.Options{}).Edit(v, docgen.V020)
		check(v.Append(nil), nil)
		for from, to := range map[string]string{
			`"ctxmigrate":{`: `"ctxmigrate" : { `, `"v":1,`: `"v":2,`, `"of":"0.1",`: `"of":"0.2.0",`, `,"each":`: `,"root":{"listed":false},"each":`,
			`"order":[`: `"order":[0,0,99,"x",`, `"locatable":"`: `"locatable":"1`, `"is":[`: `"is":["other", `, `"focus":{"is"`: `"other":{"is":1},"focus":{"is"`,
			`"for":"`: `"for":"0`, `"focus":[`: `"focus":[0,`, `"focus":[1`: `"focus":["x",1`, `"focus":[2`: `"focus":[-2,2`, `"answer":{`: `"focus":[-1,0],"answer":{`, `"attributes":{"ctx`: `"attributes":{"more":1,"ctx`, `"id":"app"`: `"id":"app2"`,
		} {
			if bytes.Contains(doc, []byte(from)) {
				check([]byte(strings.Replace(string(doc), from, to, 1)), nil)
			}
		}
	}
	if taken < 1000 || stale < 100 {
		t.Errorf("only %d took the short way, of which %d were stale", taken, stale)
	}
}
