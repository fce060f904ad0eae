package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

//go:embed page.html
var pageHTML string

// pageTemplate escapes all that it is given by where it stands: no text becomes
// markup. It is made when it is wanted, since every command would wait for it.
func pageTemplate() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{"number": number, "size": size}).Parse(pageHTML))
}

// view is what the page shows.
type view struct {
	*Document
	Title   string
	Proof   string
	Good    bool
	Rows    []Refused
	More    int // refusals that are in report.json alone
	Line    *line
	Bars    *bars
	Matrix  *matrix
	FormRow string

	InBytes, OutBytes float64
}

// page writes the page.
func page(w io.Writer, d *Document, refused []Refused, all int) error {
	v := view{Document: d, Rows: refused, More: all - len(refused), Line: lineOf(d.Timeline), Bars: barsOf(d.Codes), Matrix: matrixOf(d)}
	v.InBytes, v.OutBytes = float64(d.BytesRead), float64(d.BytesWritten)
	v.Title = "To " + d.To
	if d.DryRun {
		v.Title += ", a dry run"
	}
	n := &d.Documents
	v.Proof = fmt.Sprintf("%s documents, %s lost", number(n.Written), number(n.Lost))
	if d.Verify {
		v.Proof = fmt.Sprintf("%s documents, %s verified, %s lost", number(n.Written), number(n.Verified), number(n.Lost))
	}
	v.Good = n.Lost == 0 && (!d.Verify || n.Verified == n.Written)
	var forms []string
	for _, f := range slices.Sorted(maps.Keys(d.Forms)) {
		forms = append(forms, f+": "+number(d.Forms[f]))
	}
	v.FormRow = strings.Join(forms, ", ")
	return pageTemplate().Execute(w, v)
}

// number is a number with its thousands apart.
func number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// size is a number of bytes.
func size(f float64) string {
	for _, unit := range []string{"B", "kB", "MB", "GB"} {
		if f < 1000 {
			return strconv.FormatFloat(f, 'f', min(1, len(unit)-1), 64) + " " + unit
		}
		f /= 1000
	}
	return strconv.FormatFloat(f, 'f', 1, 64) + " TB"
}
