package translate_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
)

// casesDir holds inputs made after public bug reports on other tools, where this
// tree stands beside them; the tests of this file are skipped elsewhere. Those
// that concern streams, files and the network are run with the command.
const casesDir = "../../shared/cases"

func caseFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(casesDir, name))
	if os.IsNotExist(err) {
		t.Skip("the cases are not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func caseLines(t *testing.T, name string) [][]byte {
	t.Helper()
	return bytes.Split(bytes.TrimSpace(caseFile(t, name)), []byte("\n"))
}

func caseTo(t *testing.T, doc []byte, to translate.Form, o *translate.Options) translate.Result {
	t.Helper()
	if o == nil {
		o = &translate.Options{Timestamp: "2026-11-30T12:00:00Z"}
	}
	r, err := translate.Convert(doc, to, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// refusedAs holds that a document is refused, and answers how.
func refusedAs(t *testing.T, doc []byte, code diag.Code, o *translate.Options) *translate.Refused {
	t.Helper()
	r, err := translate.Convert(doc, translate.V020, o)
	var refused *translate.Refused
	if !errors.As(err, &refused) || refused.Code != code || len(r.Document) > 0 {
		t.Fatalf("got %v and %q, want %s", err, r.Document, code)
	}
	return refused
}

// says holds that a report names codes at pointers.
func says(t *testing.T, report []diag.Diagnostic, list ...string) {
	t.Helper()
	for _, want := range list {
		if !slices.ContainsFunc(report, func(d diag.Diagnostic) bool { return d.Code.String()+" "+d.Pointer == want }) {
			t.Errorf("the report does not say %s: %v", want, report)
		}
	}
}

// holds checks that gjson paths of a document find raw values.
func holds(t *testing.T, doc []byte, pairs ...string) {
	t.Helper()
	for k := 0; k < len(pairs); k += 2 {
		if got := gjson.GetBytes(doc, pairs[k]).Raw; got != pairs[k+1] {
			t.Errorf("%s is %s, want %s in %s", pairs[k], got, pairs[k+1], doc)
		}
	}
}

// TestCasesOpaque: what is opaque is the same bytes in every form and on the way
// back (cases 01 to 03).
func TestCasesOpaque(t *testing.T) {
	for name, parts := range map[string][]string{
		"01-bigint-payload.json": {`"serial":9007199254740993,"u64":18446744073709551615,"long":123456789012345678901234567890,"nested":[{"id":1152921504606846977}],"small":7`},
		"02-key-order.json":      {`"zeta":1,"alpha":2,"10":3,"9":4,"Beta":5,"mid":{"b":1,"a":{"y":1,"x":2}},"list":[{"q":1,"p":2}]`},
		"03-html-chars.json": {`"a < b && \"c\" > d"`, `"http://localhost/q?x=1&y=<2>"`, `<b>it's</b> & <!-- -->`,
			`"expr":["1<2","3>2","A&B"],"map":{"<k>":"&"}`},
	} {
		t.Run(name, func(t *testing.T) {
			doc := caseFile(t, name)
			for _, to := range []translate.Form{translate.V020, translate.Askable} {
				there := caseTo(t, doc, to, nil).Document
				back := caseTo(t, there, translate.V01, nil).Document
				for _, part := range parts {
					if !bytes.Contains(there, []byte(part)) || !bytes.Contains(back, []byte(part)) {
						t.Errorf("%s is not the same in %s and back:\n%s\n%s", part, to, there, back)
					}
				}
			}
		})
	}
}

// TestCasesReading: marks, cuts, repeated names and bytes that are no text (cases
// 04, 05, 08, 09 and 23).
func TestCasesReading(t *testing.T) {
	doc := caseTo(t, caseFile(t, "04-bom.json"), translate.V020, nil).Document
	holds(t, doc, "root.children.0.title", `"after a mark"`)
	if doc[0] != '{' {
		t.Errorf("the mark came through: %q", doc[:4])
	}
	for name, want := range map[string]struct {
		code      diag.Code
		line, col int
		offset    int
		pointer   string
	}{
		"05-truncated.json":      {diag.Syntax, 3, 43, 132, "/items/1/title"},
		"08-duplicate-keys.json": {diag.DuplicateMember, 2, 0, 0, "/items/0/title"},
		"09-invalid-utf8.json":   {diag.Encoding, 1, 83, 82, "/items/0/title"},
		"23-b.json":              {diag.Syntax, 7, 5, 0, "/items"},
	} {
		t.Run(name, func(t *testing.T) {
			text := caseFile(t, name)
			d := refusedAs(t, text, want.code, nil)
			if d.Line != want.line || want.col > 0 && d.Column != want.col || want.offset > 0 && d.Offset != want.offset || d.Pointer != want.pointer {
				t.Errorf("refused at %d:%d, byte %d, %s: %s", d.Line, d.Column, d.Offset, d.Pointer, d.Message())
			}
		})
	}
}

// TestCasesLines: nothing is made of no document, long lines are whole, and a bad
// one is refused alone (cases 06, 10 and 11).
func TestCasesLines(t *testing.T) {
	for _, name := range []string{"06-empty.json", "06-blank.ndjson"} {
		refusedAs(t, caseFile(t, name), diag.Syntax, nil)
	}
	for n, line := range caseLines(t, "10-long-line.ndjson") {
		r := caseTo(t, line, translate.V020, nil)
		if !bytes.Contains(r.Document, []byte(gjson.GetBytes(line, "items.0.title").Raw)) {
			t.Errorf("line %d lost its title", n+1)
		}
	}
	var c translate.Converter
	for n, line := range caseLines(t, "11-bad-middle-line.ndjson") {
		_, err := c.Append(nil, line, translate.V020, nil)
		if bad := n == 1 || n == 3; bad != (err != nil) {
			t.Errorf("line %d: %v", n+1, err)
		}
	}
}

// TestCaseUnknownFields: nothing that is not known vanishes (case 12).
func TestCaseUnknownFields(t *testing.T) {
	doc := caseFile(t, "12-unknown-fields.json")
	there := caseTo(t, doc, translate.V020, nil)
	holds(t, there.Document,
		"root.attributes.x-recorder", `{"build":"7"}`,
		"root.children.0.content", `[{"type":"text","text":"hello","annotations":{"priority":0.5}},{"type":"audio","data":"AAAA","mimeType":"audio/wav"},{"type":"future","v":1}]`,
		"root.children.0.attributes", `{"author":"app","related":[{"rel":"next","id":"f-2"}],"pinned":true,"x-note":{"k":[1,null]},"_meta":{"trace":"z"}}`)
	says(t, there.Report, "member-moved /x-recorder", "member-moved /items/0/pinned", "member-moved /items/0/x-note", "member-moved /items/0/_meta")
	lossless := caseTo(t, doc, translate.V020, &translate.Options{Lossless: true})
	sameFormless(t, "lossless", caseTo(t, lossless.Document, translate.V01, nil).Document, doc)
}

// TestCaseNothing: null, empty and absent are three things (case 13).
func TestCaseNothing(t *testing.T) {
	doc := caseFile(t, "13-null-empty-absent.json")
	there := caseTo(t, doc, translate.V020, nil).Document
	holds(t, there,
		"root.children.0", `{"id":"e-1","role":"Document","subrole":"note","title":"","url":"","content":[],"attributes":{}}`,
		"root.children.1", `{"id":"e-2","role":"Document","subrole":"note"}`,
		"root.children.2.children.0.attributes", `{"a":null,"b":[],"c":{},"d":"","e":false,"f":0}`)
	if bytes.Contains(there, []byte(`"focused"`)) {
		t.Errorf("an empty focus marks something: %s", there)
	}
	for _, to := range []translate.Form{translate.V020, translate.Askable} {
		there := caseTo(t, doc, to, &translate.Options{Lossless: true, Timestamp: stamp}).Document
		sameFormless(t, "lossless by "+to.String(), caseTo(t, there, translate.V01, nil).Document, doc)
	}
}

// TestCasesTree: orphans, rings and repeated ids (cases 14 to 16).
func TestCasesTree(t *testing.T) {
	doc := caseFile(t, "14-orphan-parent.json")
	r := caseTo(t, doc, translate.V020, nil)
	holds(t, r.Document, "root.children.1.id", `"o-2"`, "root.children.1.focused", "true", "root.children.1.children.0.id", `"o-3"`,
		"root.children.1.children.0.focused", "true", "root.children.#", "2")
	says(t, r.Report, "orphan-parent /items/1/parent", "focus-unknown-id /focus/1")
	refusedAs(t, doc, diag.OrphanParent, &translate.Options{Strict: true})
	lossless := caseTo(t, doc, translate.V020, &translate.Options{Lossless: true})
	sameFormless(t, "lossless", caseTo(t, lossless.Document, translate.V01, nil).Document, doc)

	r = caseTo(t, caseFile(t, "15-parent-cycle.json"), translate.V020, nil)
	holds(t, r.Document, "root.children.#.id", `["y-0","y-1","y-4"]`, "root.children.1.children.0.id", `"y-3"`,
		"root.children.1.children.0.children.0.id", `"y-2"`, "root.children.1.children.0.children.0.children.0.id", `"y-5"`)
	if n := bytes.Count(r.Document, []byte(`"id":"y-`)); n != 6 {
		t.Errorf("six items became %d elements", n)
	}
	says(t, r.Report, "parent-cycle /items/1/parent", "parent-cycle /items/4/parent")

	r = caseTo(t, caseFile(t, "16-duplicate-ids.json"), translate.V020, nil)
	holds(t, r.Document, "root.id", `"app~2"`, "root.children.0.children.0.id", `"th-9"`, "root.children.0.children.0.children.#.id", `["app","root"]`,
		"root.children.1.children.0.id", `"th-9~2"`)
	says(t, r.Report, "duplicate-id /items/3")
}

// TestCasesWords: words outside the lists are kept (case 17).
func TestCasesWords(t *testing.T) {
	doc := caseFile(t, "17-unknown-role.json")
	same := caseTo(t, doc, translate.V020, nil).Document
	if !bytes.Equal(same, jsontree.AppendCompact(nil, doc)) {
		t.Errorf("the same form is not the same bytes: %s", same)
	}
	r := caseTo(t, doc, translate.V01, nil)
	holds(t, r.Document, "items.2", `{"id":"q-1","type":"deck","parent":"w-1","payload":{"hovered":true}}`,
		"items.3.type", `"AXSlider"`, "items.4.type", `"selection"`, "items.5.type", `"group"`, "focus", `["q-2"]`)
	says(t, r.Report, "role-lost /root/children/0/children/0", "role-unknown /root/children/0/children/0/children/0",
		"role-missing /root/children/0/children/0/children/2")
	lossless := caseTo(t, doc, translate.V01, &translate.Options{Lossless: true})
	sameFormless(t, "lossless", caseTo(t, lossless.Document, translate.V020, nil).Document, doc)

	lines := caseLines(t, "17-unknown-mode.ndjson")
	r = caseTo(t, lines[0], translate.V020, nil)
	holds(t, r.Document, "root.attributes.askable.capture", `{"mode":"gaze","gesture":"wink"}`, "root.children.0.attributes.haptics", "1")
	says(t, r.Report, "unknown-word /capture/mode", "unknown-word /capture/gesture", "unknown-word /provenance/method")
	if d := refusedAs(t, lines[0], diag.UnknownWord, &translate.Options{Strict: true}); d.Pointer != "/capture/mode" {
		t.Errorf("refused at %s", d.Pointer)
	}
	for _, by := range []translate.Form{translate.V020, translate.V01} {
		there := caseTo(t, lines[1], by, nil).Document
		back := caseTo(t, there, translate.Askable, &translate.Options{Consent: "explicit"}).Document
		holds(t, back, "privacy", `{"redacted":true,"consent":"none","omitted":["target.text"]}`)
	}
}

// TestCaseVersions: a version is a text, and near is not the same (case 18).
func TestCaseVersions(t *testing.T) {
	lines := caseLines(t, "18-version-values.ndjson")
	for n, want := range map[int]diag.Code{1: diag.UnknownForm, 2: diag.UnsupportedVersion, 3: diag.UnsupportedVersion,
		5: diag.UnsupportedVersion, 7: diag.UnsupportedVersion, 8: diag.UnsupportedVersion, 10: diag.UnknownForm} {
		d := refusedAs(t, lines[n-1], want, nil)
		value := gjson.GetBytes(lines[n-1], "protocol").Raw
		if n == 8 {
			value = gjson.GetBytes(lines[n-1], "version").Raw
		}
		if !strings.Contains(d.Message(), value) {
			t.Errorf("line %d: the value %s is not in %q", n, value, d.Message())
		}
	}
	holds(t, caseTo(t, lines[3], translate.V020, nil).Document, "protocol", `"0.2.0"`, "root.children.0.id", `"v-1"`)
	holds(t, caseTo(t, lines[5], translate.V01, nil).Document, "items.0.payload.newer", "1")
	holds(t, caseTo(t, lines[8], translate.V020, nil).Document, "root.attributes.root", `{"id":"app","role":"Application"}`)
	holds(t, caseTo(t, lines[9], translate.V020, &translate.Options{From: translate.V01}).Document, "root.children.0.id", `"v-1"`)
}

// TestCaseSecrets: what a report says holds nothing of what was read (case 25).
func TestCaseSecrets(t *testing.T) {
	doc := caseFile(t, "25-secret-answer.json")
	for _, cut := range []int{len(doc), len(doc) / 2, len(doc) - 40} {
		r, err := translate.Convert(doc[:cut], translate.Askable, nil)
		said := ""
		for _, d := range r.Report {
			said += d.Error() + d.Pointer + strings.Join(d.Args, " ")
		}
		if err != nil {
			said += err.Error()
		}
		if strings.Contains(said, "MARK") || strings.Contains(said, "778") {
			t.Errorf("the report holds what was read: %s", said)
		}
	}
}
