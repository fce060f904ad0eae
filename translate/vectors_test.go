package translate_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/v01"
)

var update = flag.Bool("update", false, "complete the diagnostics of vectors that are named by their code alone")

const vectorsDir = "../testdata/convert"

// vectorRules are the sections of the contract that vectors exist for.
var vectorRules = []string{"1", "2", "4.1", "4.2", "4.3", "4.4", "4.5", "4.6", "4.7", "4.8", "5.1", "5.2", "5.3", "5.4",
	"6.1", "6.2", "6.3", "7.1", "7.2", "8", "12"}

// vectorClock is the present time in all vectors.
var vectorClock = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// vector is one file of testdata/convert; testdata/README.md tells its format.
type vector struct {
	path     string
	title    string
	options  map[string]string
	sections map[string][]byte
	archive  *txtar.Archive
}

var vectorOption = regexp.MustCompile(`^([a-z-]+): (.*)$`)

func readVector(path string) (*vector, error) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		return nil, err
	}
	v := &vector{path: path, options: map[string]string{}, sections: map[string][]byte{}, archive: a}
	for line := range strings.Lines(string(a.Comment)) {
		line = strings.TrimSpace(line)
		if m := vectorOption.FindStringSubmatch(line); m != nil {
			if _, twice := v.options[m[1]]; twice {
				return nil, fmt.Errorf("the option %s comes twice", m[1])
			}
			v.options[m[1]] = m[2]
		} else if line != "" {
			v.title = strings.TrimSpace(v.title + " " + line)
		}
	}
	for _, f := range a.Files {
		name, data := f.Name, f.Data
		if base, ok := strings.CutSuffix(name, ".base64"); ok {
			if data, err = base64.StdEncoding.DecodeString(string(bytes.TrimSpace(data))); err != nil {
				return nil, err
			}
			name = base
		}
		if _, twice := v.sections[name]; twice {
			return nil, fmt.Errorf("the section %s comes twice", name)
		}
		v.sections[name] = data
	}
	if v.title == "" || v.sections["source"] == nil {
		return nil, errors.New("a vector has a title and a source")
	}
	return v, nil
}

// convertOptions are the options of the vector, as the library takes them.
func (v *vector) convertOptions() (to translate.Form, o *translate.Options, err error) {
	o = &translate.Options{Clock: func() time.Time { return vectorClock }}
	number := func(s string) (n int) {
		n, err = strconv.Atoi(s)
		return n
	}
	for name, value := range v.options {
		switch name {
		case "to":
			to, err = translate.ParseForm(value)
		case "from":
			o.From, err = translate.ParseForm(value)
		case "strict":
			o.Strict = value == "true"
		case "keep-secure":
			o.KeepSecure = value == "true"
		case "lossless":
			o.Lossless = value == "true"
		case "max-depth":
			o.MaxDepth = number(value)
		case "max-bytes":
			o.MaxBytes = number(value)
		case "max-surrounding":
			o.MaxSurrounding = number(value)
		case "instance":
			o.Instance = value
		case "app-title":
			o.AppTitle = value
		case "focus":
			o.AllFocus = value == "all"
		case "locatable":
			is := value == "true"
			o.Locatable = &is
		case "timestamp":
			o.Timestamp = value
		case "redacted":
			o.Redacted = value == "true"
		case "consent":
			o.Consent = value
		case "producer":
			o.Producer = value
		case "method":
			o.Method = value
		case "back", "edit", "strip", "never", "growth":
		default:
			err = fmt.Errorf("the option %s is not known", name)
		}
		if err != nil {
			return to, o, err
		}
	}
	if to == translate.Auto {
		return to, o, errors.New("a vector names the form to convert to")
	}
	return to, o, nil
}

func eachVector(t *testing.T, f func(t *testing.T, rule string, v *vector)) {
	t.Helper()
	for _, rule := range vectorRules {
		paths, err := filepath.Glob(filepath.Join(vectorsDir, rule, "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(rule, func(t *testing.T) {
			if len(paths) == 0 {
				t.Error("no vector is there for the rule")
			}
			for _, path := range paths {
				t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
					v, err := readVector(path)
					if err != nil {
						t.Fatal(err)
					}
					f(t, rule, v)
				})
			}
		})
	}
}

func TestVectors(t *testing.T) {
	eachVector(t, func(t *testing.T, _ string, v *vector) {
		v.run(t)
		if *update && !t.Failed() {
			if err := os.WriteFile(v.path, txtar.Format(v.archive), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func (v *vector) run(t *testing.T) {
	to, o, err := v.convertOptions()
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := v.sections["map"]; ok {
		m, err := v01.ParseMapping(text)
		if want, bad := v.sections["map-refused"]; bad {
			if err == nil || !strings.Contains(err.Error(), strings.TrimSpace(string(want))) {
				t.Errorf("the mapping file gives %v, want an error that names %s", err, want)
			}
			return
		}
		if err != nil {
			t.Fatalf("the mapping file: %v", err)
		}
		o.Mapping = m
	}
	source := v.sections["source"]
	result, err := translate.Convert(source, to, o)
	if want, bad := v.sections["refused"]; bad {
		var refused *translate.Refused
		if !errors.As(err, &refused) {
			t.Fatalf("got %v, want a document that is refused: %s\n%s", err, want, result.Document)
		}
		if len(result.Document) > 0 {
			t.Errorf("a refused document gave %s", result.Document)
		}
		v.compare(t, "refused", []diag.Diagnostic{refused.Diagnostic})
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if compact := jsontree.AppendCompact(nil, result.Document); !bytes.Equal(compact, result.Document) {
		t.Errorf("the result has white space between tokens: %s", result.Document)
	}
	if result.From != to {
		if wrong := valid(to, result.Document, source, o); wrong != "" {
			t.Errorf("the result is not valid: %s", wrong)
		}
	}
	if text, ok := v.options["never"]; ok && bytes.Contains(result.Document, []byte(text)) {
		t.Errorf("the result holds %s: %s", text, result.Document)
	}
	if want, ok := v.sections["result"]; ok {
		sameBytes(t, "result", result.Document, want)
	}
	if _, ok := v.sections["diagnostics"]; ok || v.options["back"] == "" {
		v.compare(t, "diagnostics", result.Report)
	}
	if form, ok := v.options["back"]; ok {
		v.goBack(t, form, result.Document, o)
	}
	if v.options["strip"] != "" || v.options["growth"] != "" {
		v.compareWithPlain(t, to, o, result.Document)
	}
}

// compareWithPlain holds a lossless result against the plain one.
func (v *vector) compareWithPlain(t *testing.T, to translate.Form, o *translate.Options, doc []byte) {
	plain := *o
	plain.Lossless = false
	want, err := translate.Convert(v.sections["source"], to, &plain)
	if err != nil {
		t.Fatal(err)
	}
	if percent, err := strconv.Atoi(v.options["growth"]); err == nil && 100*len(doc) > (100+percent)*len(want.Document) {
		t.Errorf("%d bytes became %d, more than %d %% more", len(want.Document), len(doc), percent)
	}
	if v.options["strip"] != "" {
		got, err := translate.Strip(nil, doc, o)
		if err != nil {
			t.Fatal(err)
		}
		sameBytes(t, "result without what it carries", got, want.Document)
	}
}

// goBack converts a result, which may be edited, to another form: to what the
// section back says, or else to the source again.
func (v *vector) goBack(t *testing.T, form string, doc []byte, o *translate.Options) {
	to, err := translate.ParseForm(form)
	if err != nil {
		t.Fatal(err)
	}
	if edit, ok := v.options["edit"]; ok {
		was, is, ok := strings.Cut(edit, " => ")
		if !ok || bytes.Count(doc, []byte(was)) != 1 {
			t.Fatalf("the edit %s does not fit once: %s", edit, doc)
		}
		doc = bytes.Replace(doc, []byte(was), []byte(is), 1)
	}
	again := *o
	again.From, again.Lossless, again.Mapping = translate.Auto, false, nil
	back, err := translate.Convert(doc, to, &again)
	if err != nil {
		t.Fatalf("back: %v", err)
	}
	if want, ok := v.sections["back"]; ok {
		sameBytes(t, "way back", back.Document, want)
	} else if got, want := formless(back.Document), formless(v.sections["source"]); got != want {
		t.Errorf("the way back gives\n%s\nwant\n%s", got, want)
	}
	if _, ok := v.sections["back-diagnostics"]; ok {
		v.compare(t, "back-diagnostics", back.Report)
	}
}

// sameBytes compares a result with a section, in which white space between
// tokens does not matter.
func sameBytes(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if want = jsontree.AppendCompact(nil, want); !bytes.Equal(got, want) {
		t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}

// formless is a document with the members of its form's own objects in one
// order, and all that is opaque to the forms as it is.
func formless(doc []byte) string {
	return string(appendFormless(nil, jsontree.AppendCompact(nil, bytes.TrimPrefix(doc, []byte("\ufeff")))))
}

func appendFormless(dst, raw []byte) []byte {
	switch jsontree.KindOf(raw) {
	case jsontree.Object:
		var list []string
		jsontree.Members(raw, func(name, value []byte) bool {
			member := string(name) + ":"
			switch string(jsontree.Unquote(name)) {
			case "content", "payload", "attributes", "metadata":
				member += string(value)
			default:
				member += string(appendFormless(nil, value))
			}
			list = append(list, member)
			return true
		})
		sort.Strings(list)
		return append(append(append(dst, '{'), strings.Join(list, ",")...), '}')
	case jsontree.Array:
		dst = append(dst, '[')
		n := 0
		jsontree.Entries(raw, func(e []byte) bool {
			if n++; n > 1 {
				dst = append(dst, ',')
			}
			dst = appendFormless(dst, e)
			return true
		})
		return append(dst, ']')
	}
	return append(dst, raw...)
}

// finding is a line of a list of diagnostics.
type finding struct {
	severity, code, pointer string
	place, times, names     string // "" where it is not said
	bare                    bool   // only the code is said
}

var (
	bareFinding = regexp.MustCompile(`^([a-z-]+)( .*)?$`)
	fullFinding = regexp.MustCompile(`^(note|warning|loss|error) ([a-z-]+) (""|/.*?)( at \d+:\d+)?( x\d+)?( names .*)?$`)
	bareSuffix  = regexp.MustCompile(`^( at \d+:\d+)?( x\d+)?( names .*)?$`)
)

func parseFinding(line string) (f finding, err error) {
	if m := fullFinding.FindStringSubmatch(line); m != nil {
		f = finding{severity: m[1], code: m[2], pointer: m[3], place: m[4], times: m[5], names: m[6]}
		if f.pointer == `""` {
			f.pointer = ""
		}
	} else if m := bareFinding.FindStringSubmatch(line); m != nil && bareSuffix.MatchString(m[2]) {
		s := bareSuffix.FindStringSubmatch(m[2])
		f = finding{code: m[1], bare: true, place: s[1], times: s[2], names: s[3]}
	} else {
		return f, fmt.Errorf("%q is no diagnostic", line)
	}
	if _, ok := diag.ParseCode(f.code); !ok {
		return f, fmt.Errorf("there is no code %s", f.code)
	}
	return f, nil
}

func (f finding) String() string {
	if f.bare {
		return f.code + f.place + f.times + f.names
	}
	pointer := f.pointer
	if pointer == "" {
		pointer = `""`
	}
	return f.severity + " " + f.code + " " + pointer + f.place + f.times + f.names
}

// fits reports whether a diagnostic is the one that the line tells of.
func (f finding) fits(d *diag.Diagnostic) bool {
	if f.code != d.Code.String() || !f.bare && (f.pointer != d.Pointer || f.severity != d.Severity.String()) {
		return false
	}
	if f.place != "" && f.place != fmt.Sprintf(" at %d:%d", d.Line, d.Column) {
		return false
	}
	if f.times != fmt.Sprintf(" x%d", d.Count) && (f.times != "" || d.Count > 1) {
		return false
	}
	return f.names == "" || strings.Contains(strings.Join(d.Args, ", "), strings.TrimPrefix(f.names, " names "))
}

// compare compares a report with a section, in whatever order. With -update, the
// lines that name a code alone are completed.
func (v *vector) compare(t *testing.T, section string, report []diag.Diagnostic) {
	t.Helper()
	var want []finding
	for line := range strings.Lines(string(v.sections[section])) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		f, err := parseFinding(line)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, f)
	}
	used := make([]bool, len(report))
	ok := true
	for _, bare := range []bool{false, true} { // those that say more choose first
		for i := range want {
			f := &want[i]
			if f.bare != bare {
				continue
			}
			at := -1
			for k := range report {
				if !used[k] && f.fits(&report[k]) {
					at = k
					break
				}
			}
			if at < 0 {
				t.Errorf("%s: %s was expected", section, f)
				ok = false
				continue
			}
			used[at] = true
			if bare {
				if !*update {
					t.Errorf("%s: %s names no pointer; the test completes it with -update", section, f)
				}
				d := &report[at]
				f.severity, f.pointer, f.bare = d.Severity.String(), d.Pointer, false
			}
		}
	}
	for k, d := range report {
		if !used[k] {
			f := finding{severity: d.Severity.String(), code: d.Code.String(), pointer: d.Pointer}
			t.Errorf("%s: %s was not expected: %s", section, f, d.Message())
			ok = false
		}
	}
	if !ok || !*update {
		return
	}
	var b strings.Builder
	for _, f := range want {
		b.WriteString(f.String() + "\n")
	}
	for i := range v.archive.Files {
		if v.archive.Files[i].Name == section {
			v.archive.Files[i].Data = []byte(b.String())
		}
	}
}

// TestVectorsCoverCodes holds that each code which a conversion can produce
// occurs in a vector.
func TestVectorsCoverCodes(t *testing.T) {
	seen := map[string]bool{}
	eachVector(t, func(t *testing.T, _ string, v *vector) {
		for _, section := range []string{"refused", "diagnostics", "back-diagnostics"} {
			for line := range strings.Lines(string(v.sections[section])) {
				if f, err := parseFinding(strings.TrimSpace(line)); err == nil {
					seen[f.code] = true
				}
			}
		}
	})
	for _, info := range diag.Codes() {
		switch info.Code {
		case diag.InputFailed, diag.OutputFailed, diag.CompressedData, diag.RecordPath, diag.NotProven:
			continue // these are of the command line and of batch
		}
		if !seen[info.Name] {
			t.Errorf("no vector has the code %s", info.Name)
		}
	}
}
