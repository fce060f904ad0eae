package translate

import (
	"ctxmigrate/translate/diag"
)

// MadeIDs calls yield with each id that the last document was given because it
// had none there, or had it twice: the id that was made, and the one that it
// stands for, which is nil where there was none. Both are as the diagnostics have
// them, raw JSON or plain text, and are valid until the next document; the order
// is that of the report. Unlike Report it does not look for the places, so that its
// cost is proportional to the number of diagnostics.
func (c *Converter) MadeIDs(yield func(made, was []byte)) {
	if c.diags.Counts[diag.DuplicateID]+c.diags.Counts[diag.MissingID] == 0 {
		return
	}
	for _, r := range c.diags.Records {
		switch {
		case r.Code == diag.MissingID && !r.A.IsZero():
			yield(c.snap.Raw(r.A), nil)
		case r.Code == diag.DuplicateID && !r.A.IsZero() && !r.B.IsZero():
			yield(c.snap.Raw(r.B), c.snap.Raw(r.A))
		}
	}
}
