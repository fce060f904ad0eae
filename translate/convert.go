package translate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"ctxmigrate/askable"
	"ctxmigrate/translate/carry"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/translate/wire"
	"ctxmigrate/v01"
	"ctxmigrate/v020"
)

// Result is a converted document with what is to be said of it.
type Result struct {
	Document []byte            // on one line, without white space between tokens
	From     Form              // the form that it was in
	Report   []diag.Diagnostic // in the order in which they were found
}

// Convert converts a document to a form. The error is a *Refused where the
// document is at fault. Nothing of src is kept or changed.
func Convert(src []byte, to Form, opts *Options) (Result, error) {
	var c Converter
	out, err := c.Append(nil, src, to, opts)
	return Result{Document: out, From: c.From(), Report: c.Report()}, err
}

// Detect tells the form of a document that names one. It is read whole: the error is
// that of Convert where the document is not well formed, or cannot be read as an answer
// or a packet of that form.
func Detect(src []byte) (Form, error) {
	var c Converter
	c.begin(src, &defaults)
	if err := c.decode(); err != nil {
		return Auto, err
	}
	return c.from, nil
}

// Refused is the error of a document that cannot be converted: the first
// diagnostic that refuses it.
type Refused struct{ diag.Diagnostic }

func (r *Refused) Error() string { return r.Diagnostic.Error() }

// Unreadable reports whether the document could not be read as JSON, as it may be
// where it was cut out of a stream at a wrong place.
func (r *Refused) Unreadable() bool { return r.Code <= diag.TooLarge }

// Reasons are the diagnostics of the refused document, by their place: all that
// report answers, which is asked for only then, where one of them refuses it.
// Where it could not be read at all, or not as what it says it is, the others mean
// nothing.
func (r *Refused) Reasons(report func() []diag.Diagnostic) []diag.Diagnostic {
	if r.Code > diag.FormMismatch {
		list := report()
		slices.SortStableFunc(list, func(a, b diag.Diagnostic) int { return a.Offset - b.Offset })
		if slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) {
			return list
		}
	}
	return []diag.Diagnostic{r.Diagnostic}
}

var defaults Options // never written to

// Converter converts documents one after another and keeps its working memory.
// The zero Converter is ready; it is not for use by several goroutines at once.
type Converter struct {
	opts  *Options
	src   []byte
	from  Form
	snap  model.Snapshot
	diags diag.Collector
	words model.Words
	more  []string // the secure words that words has beside the built-in ones

	flat     v01.Decoder
	tree     v020.Decoder
	packet   askable.Decoder
	toFlat   v01.Encoder
	toPacket askable.Encoder

	back      *Converter // see other
	noClock   bool       // nothing is taken from the clock
	longWay   bool       // of tests: keep by converting back, always
	keptShort bool       // the short way served
	scratch   []byte
	ids       []byte
	places    []int32
	plainly   []byte // what was written before what it carries was put in
	returned  []byte // what a way back gives, before what was carried is put in
	column    column
	alike     carry.Alike
	whole     []byte        // the document, where src is what was left of it
	cut       []carry.Found // without these
}

// From is the form of the last document.
func (c *Converter) From() Form { return c.from }

// Counts are how often each diagnostic was found in the last document.
func (c *Converter) Counts() *[diag.NumCodes]int { return &c.diags.Counts }

// AddCounts adds Counts to a total.
func (c *Converter) AddCounts(total *[diag.NumCodes]int) { c.diags.AddCounts(total) }

// Report is what is to be said of the last document. It must be asked for before
// the document's bytes change.
func (c *Converter) Report() []diag.Diagnostic {
	if c.whole == nil {
		return c.diags.Diagnostics(c.src, c.snap.Raw)
	}
	for i := range c.diags.Records {
		c.diags.Records[i].Off = uint32(carry.Place(int(c.diags.Records[i].Off), c.cut))
	}
	c.src, c.whole, c.cut = c.whole, nil, nil
	return c.diags.Diagnostics(c.src, c.snap.Raw)
}

// Append appends src converted to a form to dst, and may use the room that dst has
// beyond that. Where it answers an error, which is a *Refused if the document is at
// fault, it answers dst as it was.
func (c *Converter) Append(dst, src []byte, to Form, opts *Options) ([]byte, error) {
	return c.AppendPieces(dst, src, to, opts, nil)
}

// AppendPieces is Append for documents so large that the result is not to be held in
// memory: whenever what was appended has come to 128 KiB it hands it to spill, which
// answers the buffer to go on with. Once it has called spill it answers no error. Of
// some conversions, those to packets and in lossless mode among them, the result is
// made whole all the same.
func (c *Converter) AppendPieces(dst, src []byte, to Form, opts *Options, spill func([]byte) []byte) ([]byte, error) {
	if opts == nil {
		opts = &defaults
	}
	if err := opts.Check(to); err != nil {
		return dst, err
	}
	c.begin(src, opts)
	if err := c.decode(); err != nil {
		return dst, err
	}
	if to != c.from && c.mayCarry() {
		if out, ok := c.restoreShort(dst, to); ok {
			return out, nil
		}
		if found := carry.Find(src, shapeOf[c.from], opts.maxDepth()); len(found) > 0 {
			return c.appendCarried(dst, found, to)
		}
	}
	if spill != nil && to != c.from && to != Askable && !opts.Lossless && c.shallow(opts.maxDepth()) {
		return c.encode(dst, to, spill), nil
	}
	return c.appendFresh(dst, to)
}

// other is a converter beside this one, for the way back and for documents inside
// the document.
func (c *Converter) other() *Converter {
	if c.back == nil {
		c.back = &Converter{}
	}
	return c.back
}

// mayCarry reports whether the document may hold what a lossless conversion left.
func (c *Converter) mayCarry() bool {
	switch c.from {
	case V01:
		return c.flat.Noted&wire.HasCarried != 0
	case V020:
		return c.tree.Noted&wire.HasCarried != 0
	}
	return carry.May(c.raw(c.packet.Metadata)) || carry.May(c.raw(c.packet.Sources))
}

// appendFresh appends the snapshot in a form, and, in lossless mode, what the
// form has no place for.
func (c *Converter) appendFresh(dst []byte, to Form) ([]byte, error) {
	from := len(dst)
	c.keptShort = c.opts.Lossless && to != c.from && c.keepShort(to)
	kept := !c.opts.Lossless || to == c.from || c.keptShort
	unnamed := c.snap.Instance.IsZero() // it gets an instance now, which is to go again on the way back
	out := c.encode(dst, to, nil)
	long := false
	var err error
	switch {
	case kept:
	case to == Askable && c.toPacket.Leaks: // the source, in which that is not secure, is not carried
	case to == Askable:
		long = c.snap.Secure
		out, err = c.keepPacket(out, from)
	case unnamed || !c.comesBack(to):
		long = true
		c.plainly = append(c.plainly[:0], out[from:]...)
		out, err = c.keep(dst, c.plainly, to)
	default:
		out = c.keepRest(dst, out, to)
	}
	if err == nil {
		err = c.checkDepth(out[from:], long)
	}
	if err != nil {
		return dst, err
	}
	return out, nil
}

func (c *Converter) begin(src []byte, opts *Options) {
	c.opts, c.src, c.from = opts, src, Auto
	c.noClock, c.whole, c.cut = false, nil, nil
	if more := opts.secure(); !slices.Equal(more, c.more) {
		c.words, c.more = model.NewWords(more), slices.Clone(more)
	}
	c.diags.Reset(opts.Strict)
	c.diags.Length = len(src)
}

// decode reads the document into the snapshot, with the reader of the form that
// it says it is in.
func (c *Converter) decode() error {
	if len(c.src) > c.opts.maxBytes() {
		return c.refuse(diag.TooLarge, 0, fmt.Sprintf("the document is larger than %d bytes", c.opts.maxBytes()))
	}
	form := guess(c.src)
	for {
		c.diags.Reset(c.opts.Strict)
		protocol, version, err := c.read(form)
		if err != nil {
			return c.unreadable(err)
		}
		if c.snap.Src[c.start()] != '{' {
			c.diags.Reset(c.opts.Strict)
			return c.refuse(diag.UnknownForm, c.start(), "the document is no object, so no answer and no packet")
		}
		if form != Askable && jsontree.EqualText(c.raw(protocol), "askable.context") {
			form = Askable // which alone reads the version
			continue
		}
		named, code, fault := formOf(c.raw(protocol), c.raw(version))
		if named == Auto {
			named, err := c.unnamed(protocol, version, code, fault)
			if err != nil {
				return err
			}
			if named == form {
				break
			}
			form = named
			continue
		}
		if c.opts.From != Auto && c.opts.From != named {
			c.diags.Reset(c.opts.Strict)
			return c.refuse(diag.FormMismatch, int(protocol.Off), fmt.Sprintf("the document says that it is %s, not %s", named, c.opts.From))
		}
		if named == form {
			break
		}
		form = named
	}
	c.from = form
	if c.diags.Refused() {
		return c.firstRefusal()
	}
	return nil
}

// unnamed is the form of a document that names none which is known.
func (c *Converter) unnamed(protocol, version model.Span, code diag.Code, fault string) (Form, error) {
	absent := jsontree.KindOf(c.raw(protocol)) <= jsontree.Null
	if absent && c.opts.From != Auto {
		v := c.raw(version) // which the reader of packets alone tells
		if c.opts.From != Askable || jsontree.KindOf(v) <= jsontree.Null {
			return c.opts.From, nil
		}
		named, code, fault := formOf([]byte(`"askable.context"`), v)
		if named == Askable {
			return named, nil
		}
		c.diags.Reset(c.opts.Strict)
		return Auto, c.refuse(code, int(version.Off), fault)
	}
	at := int(protocol.Off)
	switch {
	case protocol.IsZero():
		at = c.start()
	case !version.IsZero() && jsontree.EqualText(c.raw(protocol), "askable.context"):
		at = int(version.Off)
	}
	c.diags.Reset(c.opts.Strict)
	return Auto, c.refuse(code, at, fault)
}

// read reads the document as of a form, and answers its protocol and version.
func (c *Converter) read(form Form) (protocol, version model.Span, err *jsontree.Error) {
	o := c.opts
	switch form {
	case V01:
		err = c.flat.Decode(c.src, &c.snap, &c.diags, v01.Options{MaxDepth: o.maxDepth(), Words: c.words,
			KeepSecure: o.KeepSecure, AllFocus: o.AllFocus, AppTitle: o.AppTitle, Mapping: o.Mapping})
		return c.flat.Protocol, version, err
	case Askable:
		err = c.packet.Decode(c.src, &c.snap, &c.diags, askable.Options{MaxDepth: o.maxDepth(), Words: c.words, KeepSecure: o.KeepSecure})
		return c.packet.Protocol, c.packet.Version, err
	}
	err = c.tree.Decode(c.src, &c.snap, &c.diags, v020.Options{MaxDepth: o.maxDepth(), Words: c.words, KeepSecure: o.KeepSecure})
	return c.tree.Protocol, version, err
}

func (c *Converter) raw(sp model.Span) []byte { return c.snap.RawOrNil(sp) }

// start is where the value begins.
func (c *Converter) start() int {
	i := 0
	if len(c.src) >= 3 && string(c.src[:3]) == "\ufeff" {
		i = 3
	}
	return afterSpace(c.src, i)
}

// encode writes the snapshot.
func (c *Converter) encode(dst []byte, to Form, spill func([]byte) []byte) []byte {
	if to == c.from {
		// The same form: the same bytes. What reading repaired was not repaired.
		c.diags.Reset(c.opts.Strict)
		return c.appendSource(dst)
	}
	if to != Askable && c.snap.Instance.IsZero() {
		c.assumeInstance()
	}
	if spill == nil && cap(dst)-len(dst) < len(c.src) {
		dst = append(make([]byte, 0, len(dst)+len(c.src)+len(c.src)/8+256), dst...)
	}
	switch to {
	case V01:
		c.toFlat.Locatable = c.opts.Locatable
		return c.toFlat.AppendPieces(dst, &c.snap, &c.diags, spill)
	case V020:
		return v020.AppendPieces(dst, &c.snap, spill)
	}
	if c.from == V01 {
		c.flat.KeepRoot()
	}
	c.opts.packets(&c.toPacket, c.words)
	if c.noClock {
		c.toPacket.Timestamp, c.toPacket.Assumed = "", false
	}
	out := c.toPacket.Append(dst, &c.snap, &c.diags)
	if c.toPacket.Leaks {
		return c.appendPassable(dst, bytes.Clone(out[len(dst):]))
	}
	return out
}

// assumeInstance gives the snapshot the instance of the options, or one made of
// the document.
func (c *Converter) assumeInstance() {
	if c.opts.Instance != "" {
		c.snap.Instance = c.snap.MakeString(c.opts.Instance)
		return
	}
	sum := sha256.Sum256(c.appendSource(nil))
	c.snap.Instance = c.snap.MakeString("ctxmigrate-" + hex.EncodeToString(sum[:4]))
	c.diags.Add(diag.InstanceAssumed, uint32(c.start()))
}

// checkDepth refuses a document that nests too deep as it would be written. Long
// says that what it carries was found the long way, and may nest deep.
func (c *Converter) checkDepth(out []byte, long bool) error {
	max := c.opts.maxDepth()
	if len(out)/2 <= max || !long && c.whole == nil && c.shallow(max) {
		return nil // it cannot be too deep
	}
	if n := jsontree.Levels(out); n > max {
		return c.refuse(diag.TooDeep, c.start(), fmt.Sprintf("the document would nest %d levels as it is written, more than %d", n, max))
	}
	return nil
}

// shallow reports whether it is certain that the document, written without what
// lossless mode adds the long way, nests no more than max levels: each element two,
// and in the innermost a value of the source.
func (c *Converter) shallow(max int) bool {
	const around = 8
	deepest := around + c.deepest()
	if 2*len(c.snap.Elements)+deepest <= max {
		return true
	}
	s := &c.snap
	for i, depth := s.Root, 1; i != model.None; {
		if 2*depth+deepest > max {
			return false
		}
		next, deeper := s.After(i, s.Root)
		i, depth = next, depth+deeper
	}
	return true
}

// deepest is how many levels the source nests.
func (c *Converter) deepest() int {
	switch c.from {
	case V01:
		return c.flat.R.Deepest()
	case Askable:
		return c.packet.R.Deepest()
	}
	return c.tree.R.Deepest()
}

// unreadable is the refusal of a document that is no JSON.
func (c *Converter) unreadable(err *jsontree.Error) error {
	code := map[jsontree.Fault]diag.Code{jsontree.Syntax: diag.Syntax, jsontree.Encoding: diag.Encoding,
		jsontree.DuplicateMember: diag.DuplicateMember, jsontree.TooDeep: diag.TooDeep, jsontree.TooLarge: diag.TooLarge}[err.Fault]
	c.diags.Reset(c.opts.Strict)
	return c.refuse(code, err.Offset, err.Msg)
}

// refuse notes an error and answers it.
func (c *Converter) refuse(code diag.Code, at int, msg string) error {
	if c.snap.Root = model.None; len(c.snap.Src) == 0 {
		c.snap.Reset(c.src)
	}
	c.diags.AddArgs(code, uint32(at), c.snap.Make([]byte(msg), false), model.Span{})
	return c.refusal(len(c.diags.Records) - 1)
}

// firstRefusal is the first diagnostic that refuses the document, by its place.
func (c *Converter) firstRefusal() error {
	best := -1
	for i, r := range c.diags.Records {
		if r.Error && (best < 0 || r.Off < c.diags.Records[best].Off) {
			best = i
		}
	}
	return c.refusal(best)
}

// refusal is a record as the error of the document.
func (c *Converter) refusal(i int) error {
	one := diag.Collector{Records: c.diags.Records[i : i+1]}
	return &Refused{one.Diagnostics(c.src, c.snap.Raw)[0]}
}
