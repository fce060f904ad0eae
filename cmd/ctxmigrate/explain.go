package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
)

func newExplain(s streams) *cli.Command {
	var r readFlags
	var f convertFlags
	var format, pointer string
	var page pageFlag
	return &cli.Command{
		Name:      "explain",
		Usage:     "say where each element of a result came from, and why it is so",
		ArgsUsage: "--to FORM [FILE...]",
		Description: `Converts each document as convert does, and prints, in place of the result, where
each element of it came from, which rule gave it its role, subrole, id, place and
states, and what was left out and why. Rules are named by the sections of the
conversion contract. With --at and a JSON Pointer, only what is at or below that, in
the source or in the result, is told, and of a place inside an element that element;
what begins with no slash is a path into records, as in convert. All flags of convert that say how to convert hold here too.

` + lookStatuses,
		UsageText: `
ctxmigrate explain --to 0.2.0 answer.json
ctxmigrate explain --to 0.2.0 --at /items/2 answer.json
ctxmigrate explain --to askable --format json answers.ndjson
ctxmigrate explain --to 0.2.0 --html answer.html answer.json`,
		Flags: join(f.forms(), explainAt(lookFlags(&r)), []cli.Flag{
			&cli.StringFlag{Name: "format", Value: "text", Category: writing, Destination: &format, Usage: "`FORMAT` of what is printed: text, or json with one object a document"},
			page.flag()}, f.converting()),
		Action: func(c *cli.Context) error {
			if strings.HasPrefix(r.at, "/") {
				pointer, r.at = r.at, ""
			}
			if err := r.check(); err != nil {
				return err
			}
			if err := f.check(&r); err != nil {
				return err
			}
			if format != "text" && format != "json" {
				return usageError{text: fmt.Sprintf("--format takes text or json, not %q", format)}
			}
			out, err := openOutput("", s.stdout)
			if err != nil {
				return err
			}
			l := look{streams: s, flags: &r, out: out, listed: format == "text", single: true, flag: "html", writes: page.path}
			v := &explaining{f: &f, json: format == "json", pointer: pointer, page: &page}
			l.viewers = func() viewer { return v }
			l.begin = func(in input, changed time.Time) error { return f.begin(in, changed) }
			if err := l.run(c.Args().Slice(), c.IsSet("ndjson")); err != nil {
				return err
			}
			if err := page.write("What became of each element"); err != nil {
				return err
			}
			return l.status()
		},
	}
}

// explainAt says what --at takes here.
func explainAt(list []cli.Flag) []cli.Flag {
	for _, f := range list {
		if f, ok := f.(*cli.StringFlag); ok && f.Name == "at" {
			f.Usage = "only what is at or below this JSON `POINTER`, as in /items/2; or, without a slash, the gjson path of the answer in each record"
		}
	}
	return list
}

// explaining is the viewer of explain.
type explaining struct {
	f       *convertFlags
	json    bool
	pointer string
	place   string // what is said of the pointer, where it leads to no element
	page    *pageFlag
}

func (v *explaining) view(dst []byte, s *sight) ([]byte, error) {
	x, err := translate.Explain(s.src, v.f.toForm, &v.f.options)
	if err != nil {
		return dst, err
	}
	if v.page.wanted() && v.page.room() {
		v.page.add(explainSection(s, &x, v.f.toForm, &v.f.options))
	}
	v.place = ""
	if v.pointer != "" {
		v.place = onlyAt(&x, s.src, v.pointer)
	}
	if v.json {
		return v.appendJSON(dst, s, &x), nil
	}
	return v.appendText(dst, s, &x), nil
}

func (v *explaining) appendText(dst []byte, s *sight, x *translate.Explanation) []byte {
	dst = fmt.Appendf(dst, "\n%s:%d: %s to %s, %s\n", printable(s.name), s.Line, x.From, v.f.toForm, plural(len(x.Elements), "element"))
	if v.place != "" {
		dst = fmt.Appendf(dst, "  %s\n", printable(v.place))
	}
	dst = appendNotes(dst, x.Notes)
	for i := range x.Elements {
		dst = appendOrigin(dst, &x.Elements[i])
	}
	if len(x.LeftOut) > 0 {
		dst = append(dst, "\nleft out\n"...)
	}
	for _, l := range x.LeftOut {
		dst = fmt.Appendf(dst, "  %s: %s (%s)\n    %s\n", orWhole(l.Source), printable(l.Message), l.Code, l.Do)
	}
	return dst
}

func orWhole(pointer string) string {
	if pointer == "" {
		return "the document"
	}
	return printable(pointer)
}

// appendOrigin appends what is to be told of an element.
func appendOrigin(dst []byte, o *translate.Origin) []byte {
	from, to := orWhole(o.Source), orWhole(o.Target)
	if o.Made {
		from = "made up"
	}
	if o.Gone {
		to = "nothing by itself"
	}
	dst = fmt.Appendf(dst, "\n%s → %s\n", from, to)
	for _, r := range o.Reasons {
		text := r.Text + " (" + r.Section + ")"
		if r.Is != "" {
			text = r.Is + ": " + text
		}
		dst = fmt.Appendf(dst, "  %-8s %s\n", r.Of, printable(text))
	}
	if o.Written.Text != "" {
		dst = fmt.Appendf(dst, "  %-8s %s (%s)\n", "written", o.Written.Text, o.Written.Section)
	}
	return appendNotes(dst, o.Notes)
}

func appendNotes(dst []byte, list []diag.Diagnostic) []byte {
	for i := range list {
		dst = fmt.Appendf(dst, "  %-8s %s (%s)\n", list[i].Severity, printable(list[i].Message()), list[i].Code)
	}
	return dst
}

// The JSON of explain.
type (
	reasonJSON struct {
		Of      string `json:"of"`
		Is      string `json:"is,omitempty"`
		Section string `json:"section"`
		Text    string `json:"text"`
	}
	noteJSON struct {
		Code     diag.Code `json:"code"`
		Severity string    `json:"severity"`
		Pointer  string    `json:"pointer"`
		Message  string    `json:"message"`
	}
	originJSON struct {
		Source  *string      `json:"source"` // null of what was made up
		Target  *string      `json:"target"` // null of what is not in the result by itself
		ID      string       `json:"id"`
		Role    string       `json:"role"`
		Subrole string       `json:"subrole,omitempty"`
		Reasons []reasonJSON `json:"reasons"`
		Written *reasonJSON  `json:"written,omitempty"`
		Notes   []noteJSON   `json:"notes,omitempty"`
	}
	leftJSON struct {
		Source  string    `json:"source"`
		Code    diag.Code `json:"code"`
		Message string    `json:"message"`
		Do      string    `json:"do"`
	}
)

func (v *explaining) appendJSON(dst []byte, s *sight, x *translate.Explanation) []byte {
	elements, left := []originJSON{}, []leftJSON{}
	for i := range x.Elements {
		elements = append(elements, originOf(&x.Elements[i]))
	}
	for _, l := range x.LeftOut {
		left = append(left, leftJSON(l))
	}
	raw, err := json.Marshal(struct {
		File     string       `json:"file"`
		Record   int          `json:"record"`
		From     string       `json:"from"`
		To       string       `json:"to"`
		Elements []originJSON `json:"elements"`
		LeftOut  []leftJSON   `json:"leftOut"`
		Notes    []noteJSON   `json:"notes,omitempty"`
	}{s.name, s.Record, x.From.String(), v.f.toForm.String(), elements, left, notesOf(x.Notes)})
	if err != nil {
		panic(err) // of strings and numbers alone
	}
	return append(append(dst, plainJSON(raw, 0)...), '\n')
}

func originOf(o *translate.Origin) originJSON {
	one := originJSON{ID: o.ID, Role: o.Role, Subrole: o.Subrole, Reasons: []reasonJSON{}}
	if !o.Made {
		one.Source = &o.Source
	}
	if !o.Gone {
		one.Target = &o.Target
	}
	for _, r := range o.Reasons {
		one.Reasons = append(one.Reasons, reasonJSON(r))
	}
	if o.Written.Text != "" {
		w := reasonJSON{Of: "written", Section: o.Written.Section, Text: o.Written.Text}
		one.Written = &w
	}
	one.Notes = notesOf(o.Notes)
	return one
}

func notesOf(list []diag.Diagnostic) (notes []noteJSON) {
	for i := range list {
		n := &list[i]
		notes = append(notes, noteJSON{n.Code, n.Severity.String(), n.Pointer, n.Message()})
	}
	return notes
}
