package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"bytes"
	"bufio"
	"os"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/v01"
)

func main() {
	n := flag.Int("n", 20000, "")
	seed := flag.Uint64("seed", 1, "")
	from := flag.Int("show", -1, "")
	flag.Parse()
	m, err := v01.ParseMapping([]byte(`{"types":{"foo":{"role":"List"},"note":{"drop":true},"bar":{"role":"Group","subrole":"x"}}}`))
	if err != nil {
		m, err = nil, nil
	}
	yes := true
	opts := []*translate.Options{
		{Timestamp: "2026-01-01T00:00:00Z"},
		{Timestamp: "2026-01-01T00:00:00Z", Lossless: true},
		{Timestamp: "2026-01-01T00:00:00Z", KeepSecure: true, AllFocus: true, Mapping: m, Locatable: &yes, MaxDepth: 12},
		{Timestamp: "2026-01-01T00:00:00Z", Strict: true, Secure: []string{"note", "row"}, Instance: "ii", MaxSurrounding: 2},
	}
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	var c translate.Converter
	rng := rand.New(rand.NewPCG(*seed, 99))
	g := docgen.New(*seed, docgen.Options{Odd: true})
	g2 := docgen.New(*seed, docgen.Options{})
	for i := 0; i < *n; i++ {
		gen := g
		if i%4 == 3 {
			gen = g2
		}
		doc := gen.Document(docgen.Forms[i%3])
		switch i % 5 {
		case 1: // break a byte
			doc = bytes.Clone(doc)
			k := rng.IntN(len(doc))
			doc[k] = "\x00\"\\{}[],:x\xff\xc3 0e-."[rng.IntN(17)]
		case 2: // delete a piece
			k := rng.IntN(len(doc))
			l := min(rng.IntN(9), len(doc)-k)
			doc = append(bytes.Clone(doc[:k]), doc[k+l:]...)
		case 3: // insert piece of itself
			k := rng.IntN(len(doc))
			a := rng.IntN(len(doc))
			l := min(rng.IntN(30), len(doc)-a)
			doc = append(append(bytes.Clone(doc[:k]), doc[a:a+l]...), doc[k:]...)
		}
		for _, o := range opts {
			for _, to := range []translate.Form{translate.V01, translate.V020, translate.Askable} {
				out, err := c.Append(nil, doc, to, o)
				h := sha256.New()
				h.Write(out)
				fmt.Fprintf(h, "|%v|%v|%v", err, c.From(), *c.Counts())
				rep := c.Report()
				var ref *translate.Refused
				if errors.As(err, &ref) {
					fmt.Fprintf(h, "%+v", ref.Diagnostic)
				}
				fmt.Fprintf(h, "%+v", rep)
				if i == *from {
					fmt.Fprintf(w, "%s\n%s\n%v\n%+v\n", doc, out, err, rep)
				}
				fmt.Fprintf(w, "%d %d %x\n", i, to, h.Sum(nil)[:6])
			}
		}
	}
}
