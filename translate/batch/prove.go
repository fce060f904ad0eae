package batch

import (
	"bytes"
	"fmt"
	"slices"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
)

// Proof is what is proven of a converted document before it may take the place
// of its source.
//
// In every case the document that is to be written is read again. It must be of
// the form that was asked for, and reading it must find nothing to repair, like
// an id that comes twice, a focus with a gap, or a parent that is not there.
//
// Then one of these must hold, the first that does:
//
//   - Returns: converted back to the form of the source it is the source, so that
//     nothing can be missing in it. It is the source where both are equal as JSON,
//     numbers by their text, strings by their code points, and members in the same
//     order, but for those of the form's own objects, whose order is nothing.
//   - Named: the same, but for what the report of the conversion names and counts:
//     a 0.1 answer may be without its locatable flags (locatable-retired), with its
//     items in the order of the tree (order-changed), and with fewer entries in its
//     focus list (focus-normalized, focus-off-path).
//   - Kept: with Options.Lossless added, the same conversion gives a document that,
//     converted back, is the source; and without what it keeps for the way back
//     that document is the one to be written, or converts back to the same. So
//     what is missing is what the form has no place for, and nothing else; the
//     report names it.
//   - Withheld: as Kept, or with a lossless conversion as Returns, but with
//     Options.KeepSecure added, too, there and back, and without the mapping where
//     that drops items. What is missing beside the above is the text of password
//     fields and the like, and what the mapping was told to drop.
//
// A document that is in the form asked for is proven to be itself, but for white
// space.
//
// Documents that are proven are gathered into a file whose bytes are hashed as
// they are written. When the file is synced it is read again from the disk: it
// must unpack to the same text, with as many documents. Only then is it renamed.
type Proof uint8

// The proofs.
const (
	Unproven Proof = iota
	Returns
	Named
	Kept
	Withheld
)

// prover proves documents one after another and keeps its memory.
type prover struct {
	conv                       translate.Converter
	src, back, kept, cut, more []byte
	one, two                   list
}

// repairs are the codes of what a reader repairs. A document that was converted
// gives no cause for any of them.
var repairs = [...]diag.Code{diag.WrongType, diag.MissingID, diag.DuplicateID, diag.OrphanParent, diag.ParentCycle,
	diag.FocusUnknownID, diag.FocusGap, diag.RoleMissing, diag.RootRole}

// prove proves that result is what a document became in a form. Opts are those of
// the conversion, and counts what it reported. The error says what does not hold,
// without a word of either document.
func (p *prover) prove(src, result []byte, from, to translate.Form, opts *translate.Options, counts *[diag.NumCodes]int) (Proof, error) {
	src = trimmed(src)
	back := neutral(opts)
	var err error
	if p.back, err = p.conv.Append(p.back[:0], result, from, back); err != nil {
		return Unproven, fmt.Errorf("the result cannot be read: %w", err)
	}
	if p.conv.From() != to {
		return Unproven, fmt.Errorf("the result is %s, not %s", p.conv.From(), to)
	}
	if from == to {
		p.src = jsontree.AppendCompact(p.src[:0], src)
		if !same(p.src, result, from) {
			return Unproven, fmt.Errorf("the form is the same, and the document is not")
		}
		return Returns, nil
	}
	for _, c := range repairs {
		if c == diag.FocusGap && to == translate.Askable {
			continue // lists that were cut, and pages, leave gaps in a packet
		}
		if p.conv.Counts()[c] > 0 {
			return Unproven, fmt.Errorf("the result is not as its form wants it: %s", c)
		}
	}
	if from == translate.V01 && p.one.split(src) && p.two.split(p.back) {
		if proof := p.one.returned(&p.two, counts); proof != Unproven && (proof == Returns || !opts.Lossless) {
			return proof, nil
		}
	}
	p.src = jsontree.AppendCompact(p.src[:0], src)
	if same(p.src, p.back, from) {
		return Returns, nil
	}
	return p.proveKept(result, from, to, opts)
}

// proveKept proves what does not return by itself.
func (p *prover) proveKept(result []byte, from, to translate.Form, opts *translate.Options) (Proof, error) {
	lossless := *opts
	lossless.Lossless, lossless.MaxDepth, lossless.MaxBytes = true, unlimited, -1
	dropped := opts.Mapping != nil
	if !opts.Lossless {
		var err error
		if p.kept, err = p.conv.Append(p.kept[:0], p.src, to, &lossless); err != nil {
			return Unproven, fmt.Errorf("the lossless conversion is refused: %w", err)
		}
		dropped = p.conv.Counts()[diag.TypeDropped] > 0
		if err := p.link(result, from, neutral(opts)); err != nil {
			return Unproven, err
		}
		if p.returns(p.kept, from, neutral(opts)) {
			return Kept, nil
		}
	}
	if opts.KeepSecure && !dropped {
		return Unproven, fmt.Errorf("converted back it is not the source")
	}
	lossless.KeepSecure = true
	if dropped {
		lossless.Mapping = nil
	}
	var err error
	if p.more, err = p.conv.Append(p.more[:0], p.src, to, &lossless); err != nil {
		return Unproven, fmt.Errorf("the lossless conversion is refused: %w", err)
	}
	if !p.returns(p.more, from, neutral(&lossless)) {
		return Unproven, fmt.Errorf("converted back it is not the source")
	}
	return Withheld, nil
}

// link proves that result is what the lossless document in kept is without what
// it keeps. Back holds what result converts back to.
func (p *prover) link(result []byte, from translate.Form, back *translate.Options) (err error) {
	if p.cut, err = p.conv.Strip(p.cut[:0], p.kept, &translate.Options{MaxDepth: unlimited, MaxBytes: -1}); err != nil {
		return fmt.Errorf("the lossless document cannot be stripped: %w", err)
	}
	if bytes.Equal(p.cut, result) {
		return nil
	}
	if p.more, err = p.conv.Append(p.more[:0], p.cut, from, back); err != nil {
		return fmt.Errorf("the stripped document cannot be read: %w", err)
	}
	if !same(p.back, p.more, from) {
		return fmt.Errorf("the lossless conversion says something else than the plain one")
	}
	return nil
}

// returns reports whether a document converts back to the source.
func (p *prover) returns(doc []byte, from translate.Form, opts *translate.Options) bool {
	var err error
	p.back, err = p.conv.Append(p.back[:0], doc, from, opts)
	return err == nil && p.conv.Counts()[diag.CarryStale] == 0 && same(p.src, p.back, from)
}

const unlimited = 1 << 30

// neutral are the options of a way back: those that a reader who knows nothing of
// this run has, but for what is secure.
func neutral(opts *translate.Options) *translate.Options {
	n := &translate.Options{MaxDepth: unlimited, MaxBytes: -1, Timestamp: "2000-01-01T00:00:00Z"}
	if opts != nil {
		n.KeepSecure = opts.KeepSecure
		n.Secure = slices.Clone(opts.Secure)
		if opts.Mapping != nil {
			n.Secure = append(n.Secure, opts.Mapping.Secure...)
		}
	}
	return n
}
