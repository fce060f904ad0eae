package translate

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate/diag"
)

// TestShortBack holds that the short way back gives the bytes and the report of the
// long one, for trees that were lists and packets as they were made, edited, spaced,
// and with what they carry tampered with.
func TestShortBack(t *testing.T) {
	var there Converter
	short, long := Converter{}, Converter{longWay: true}
	taken, stale := [Askable + 1]int{}, [Askable + 1]int{}
	check := func(doc []byte, to Form, opts *Options) {
		t.Helper()
		before := []byte("before")
		a, errA := short.Append(before, doc, to, opts)
		b, errB := long.Append(before, doc, to, opts)
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
			taken[to]++
			if short.Counts()[diag.CarryStale] > 0 {
				stale[to]++
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
		check(doc, V01, nil)
		check(doc, V01, &Options{Locatable: &yes, Lossless: true})
		v := docgen.Parse(doc)
		docgen.New(uint64(n), docgen.Options{}).Edit(v, docgen.V020)
		check(v.Append(nil), V01, nil)
		for from, to := range map[string]string{
			`"ctxmigrate":{`: `"ctxmigrate" : { `, `"v":1,`: `"v":2,`, `"of":"0.1",`: `"of":"0.2.0",`, `,"each":`: `,"root":{"listed":false},"each":`,
			`"order":[`: `"order":[0,0,99,"x",`, `"locatable":"`: `"locatable":"1`, `"is":[`: `"is":["other", `, `"focus":{"is"`: `"other":{"is":1},"focus":{"is"`,
			`"for":"`: `"for":"0`, `"focus":[`: `"focus":[0,`, `"focus":[1`: `"focus":["x",1`, `"focus":[2`: `"focus":[-2,2`, `"answer":{`: `"focus":[-1,0],"answer":{`, `"attributes":{"ctx`: `"attributes":{"more":1,"ctx`, `"id":"app"`: `"id":"app2"`,
		} {
			if bytes.Contains(doc, []byte(from)) {
				check([]byte(strings.Replace(string(doc), from, to, 1)), V01, nil)
			}
		}
	}
	clock := &Options{Clock: func() time.Time { return time.Unix(0, 0) }}
	for seed := range uint64(2500) {
		src := docgen.New(seed, docgen.Options{Odd: seed%2 > 0, Secure: seed%8 > 6}).Document(docgen.Form(Askable.String()))
		doc, err := there.Append(nil, src, V020, &Options{Lossless: true, KeepSecure: seed%16 > 13})
		if err != nil {
			continue
		}
		check(doc, Askable, clock)
		check(doc, Askable, &Options{Clock: clock.Clock, KeepSecure: true, Lossless: true})
		v := docgen.Parse(doc)
		docgen.New(seed, docgen.Options{}).Edit(v, docgen.V020)
		check(v.Append(nil), Askable, clock)
		for from, to := range map[string]string{
			`"ctxmigrate":{`: `"ctxmigrate" : { `, `"v":1,`: `"v":2,`, `"of":"askable",`: `"of":"0.2.0",`, `"was":{`: `"was":{"privacy":{"is":{"redacted":true},"for":"0"},`, `"order":[`: `"order":["0","0","x",`,
			`"for":"`: `"for":"0`, `"is":`: `"\u0069s":`, `"attributes":{`: `"attributes":{"more": 1 ,`, `"id":"app"`: `"id":"app2"`, `"timestamp":"`: `"time":"`, `"in":{`: `"in":{"source":{"is":1},`,
		} {
			if bytes.Contains(doc, []byte(from)) {
				check([]byte(strings.Replace(string(doc), from, to, 1)), Askable, clock)
			}
		}
	}
	if taken[V01] < 1000 || stale[V01] < 100 || taken[Askable] < 1000 || stale[Askable] < 100 {
		t.Errorf("only %d took the short way, of which %d were stale", taken, stale)
	}
}
