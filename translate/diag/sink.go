package diag

import (
	"math/bits"

	"ctxmigrate/translate/jsontree"
)

// Record is a diagnostic as the codecs note it: with offsets and spans, so that
// noting costs no memory. Collector.Diagnostics makes it readable.
type Record struct {
	Code  Code
	Error bool   // raised by a strict reading
	Off   uint32 // in the source
	Count uint32
	A, B  jsontree.Span // arguments: raw strings, or plain text, of the document
}

// Collector gathers the diagnostics of one document. The zero Collector is
// ready.
type Collector struct {
	Strict  bool     // warnings refuse the document, but for CarryStale
	Length  int      // of the document, where it is known; it says how much room to make
	Records []Record // in the order in which they were noted
	Counts  [NumCodes]int
	noted   [NumCodes/64 + 1]uint64 // a bit for each code that Counts may have
	refused bool
}

// Reset forgets what was gathered.
func (c *Collector) Reset(strict bool) {
	c.Strict, c.Records, c.refused = strict, c.Records[:0], false
	clear(c.Counts[:])
	clear(c.noted[:])
}

// AddCounts adds Counts to a total, of which it looks only at the codes that were
// noted.
func (c *Collector) AddCounts(total *[NumCodes]int) {
	for i, set := range c.noted {
		for ; set != 0; set &= set - 1 {
			code := i*64 + bits.TrailingZeros64(set)
			total[code] += c.Counts[code]
		}
	}
}

// Add notes a diagnostic at an offset of the source.
func (c *Collector) Add(code Code, off uint32) {
	c.AddArgs(code, off, jsontree.Span{}, jsontree.Span{})
}

// AddArgs is Add with arguments for the message.
func (c *Collector) AddArgs(code Code, off uint32, a, b jsontree.Span) {
	sev := table[code].Severity
	// What lossless mode carried is no part of the document as its form has it.
	raised := sev == Error || sev == Warning && c.Strict && code != CarryStale
	c.refused = c.refused || raised
	c.Counts[code]++
	c.noted[code/64] |= 1 << (code % 64)
	if len(c.Records) == cap(c.Records) {
		const most = 8 // since a place is not always as far as the document was read
		c.Records = jsontree.Room(c.Records, int(off), c.Length, most)
	}
	c.Records = append(c.Records, Record{Code: code, Error: raised, Off: off, A: a, B: b})
}

// Cut forgets what was noted behind the first n records, of which none is a warning.
func (c *Collector) Cut(n int) {
	for _, r := range c.Records[n:] {
		c.Counts[r.Code]--
	}
	c.Records = c.Records[:n]
}

// Refused reports whether a diagnostic refuses the document.
func (c *Collector) Refused() bool { return c.refused }

// Diagnostics makes what was gathered readable. Text resolves the arguments;
// src is the source, for the places.
func (c *Collector) Diagnostics(src []byte, text func(jsontree.Span) []byte) []Diagnostic {
	if len(c.Records) == 0 {
		return nil
	}
	offsets := make([]int, len(c.Records))
	for i, r := range c.Records {
		offsets[i] = int(r.Off)
	}
	places := jsontree.SortedPlaces(src, offsets)
	list := make([]Diagnostic, len(c.Records))
	for i, r := range c.Records {
		d := Diagnostic{Code: r.Code, Severity: table[r.Code].Severity, Offset: offsets[i], Count: int(r.Count),
			Pointer: places[i].Pointer, Line: places[i].Line, Column: places[i].Column}
		if r.Error {
			d.Severity = Error
		}
		for _, a := range []jsontree.Span{r.A, r.B} {
			if !a.IsZero() {
				d.Args = append(d.Args, string(text(a)))
			}
		}
		list[i] = d
	}
	return list
}
