package translate

import (
	"slices"

	"ctxmigrate/askable"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/v01"
	"ctxmigrate/v020"
)

// Finding is one place where a document breaks a rule. Its Severity is the level
// of the rule.
type Finding struct {
	diag.Diagnostic
	Rule *diag.Rule
}

// Message is the finding in words, without its place.
func (f *Finding) Message() string { return f.Rule.Says(&f.Diagnostic) }

// Findings are what a check found.
type Findings struct {
	Form Form // that the document is in; Auto where it is in none
	List []Finding
	// Refused says that the document is no answer and no packet, so that nothing but
	// that was checked.
	Refused bool
}

// Check looks at how well a document conforms to the form that it is in. Of the
// options From, MaxDepth, MaxBytes, Secure and Mapping hold. Nothing of src is
// kept or changed.
func Check(src []byte, opts *Options) Findings {
	var k Checker
	k.Check(src, opts)
	return Findings{Form: k.Form(), List: k.Findings(), Refused: k.Refused()}
}

// Checker checks documents one after another and keeps its working memory. The
// zero Checker is ready; it is not for use by several goroutines at once.
type Checker struct {
	c       Converter
	opts    Options
	flat    v01.Checker
	tree    v020.Checker
	packet  askable.Checker
	found   []diag.Record
	refused error
	masked  []Masked
	reader  jsontree.Reader // of what was refused
}

// Check checks a document and answers how many findings there are of each level.
func (k *Checker) Check(src []byte, opts *Options) (counts [diag.Error + 1]int) {
	if opts == nil {
		opts = &defaults
	}
	k.opts = Options{From: opts.From, KeepSecure: true, MaxDepth: opts.MaxDepth, MaxBytes: opts.MaxBytes,
		Mapping: opts.Mapping, Secure: opts.Secure}
	c := &k.c
	c.begin(src, &k.opts)
	if k.refused = c.decode(); k.refused != nil {
		counts[diag.Error] = len(k.Findings())
		return counts
	}
	start := c.start()
	switch c.from {
	case V01:
		k.flat.Check(&c.snap, &c.diags, start, c.flat.Focus)
		k.found = k.flat.Found
	case V020:
		k.tree.Check(&c.snap, &c.diags, start)
		k.found = k.tree.Found
	default:
		k.packet.Check(&c.snap, start, c.words)
		k.found = k.packet.Found
	}
	for _, r := range k.found {
		counts[ruleOf(c.from, r.Code).Level]++
	}
	return counts
}

// Form is the form of the last document, Auto where it is in none.
func (k *Checker) Form() Form { return k.c.from }

// Refused reports whether the last document is no answer and no packet.
func (k *Checker) Refused() bool { return k.refused != nil }

// Findings are what was found in the last document, by place. They must be asked
// for before the document's bytes change.
func (k *Checker) Findings() []Finding {
	var diags []diag.Diagnostic
	if k.refused != nil {
		diags = k.c.reasons(k.refused)
	} else {
		found := diag.Collector{Records: k.found}
		if masked := k.Masked(); len(masked) > 0 {
			found.Records = slices.Clone(k.found)
			for i := range found.Records {
				k.withhold(&found.Records[i], masked)
			}
		}
		diags = found.Diagnostics(k.c.src, k.c.snap.Raw)
	}
	list := make([]Finding, len(diags))
	for i, d := range diags {
		rule := ruleOf(k.c.from, d.Code)
		d.Severity = rule.Level
		list[i] = Finding{d, rule}
	}
	slices.SortStableFunc(list, func(a, b Finding) int { return a.Offset - b.Offset })
	return list
}

// reasons are the diagnostics of a document that was refused. Where it could not
// be read at all, or not as what it says it is, the others mean nothing.
func (c *Converter) reasons(err error) []diag.Diagnostic {
	refused := err.(*Refused)
	if refused.Code <= diag.FormMismatch {
		return []diag.Diagnostic{refused.Diagnostic}
	}
	return slices.DeleteFunc(c.diags.Diagnostics(c.src, c.snap.Raw), func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
}
