package translate_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
)

// corpusDir holds real packets, where this tree stands beside them; the tests
// of this file are skipped elsewhere.
const corpusDir = "../../shared/corpus"

func corpusFile(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Open(filepath.Join(corpusDir, name))
	if os.IsNotExist(err) {
		t.Skip("the corpus is not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// careless tells, for packets that are not strictly valid, what a plain way there
// and back makes of them: what is left out (section 1), and what a packet must
// say and was assumed.
var careless = map[string][]string{
	"invalid-extra-source-key.json":   {`,"tenant":"t-1"`, ``},
	"invalid-missing-timestamp.json":  {`"source":{`, `"source":{"timestamp":"2026-11-30T12:00:00Z",`},
	"invalid-null-ancestor-text.json": {`,"text":2`, ``, `,"text":1`, ``},
	"invalid-null-metadata.json":      {`,"metadata":null`, ``},
	"repo-docs-readme-example.json":   {`"capture"`, `"source":{"timestamp":"2026-11-30T12:00:00Z"},"capture"`},
}

// TestCorpusPackets holds that each real packet, bare or wrapped, goes to each
// other form and comes back equal as JSON, plain and lossless (6.2, 8).
func TestCorpusPackets(t *testing.T) {
	table := csv.NewReader(corpusFile(t, "askable/manifest.tsv"))
	table.Comma, table.LazyQuotes = '\t', true
	rows, err := table.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	packets, odd := 0, 0
	for _, row := range rows[1:] {
		name, at, schema := row[0], row[2], row[5]
		if at == "-" {
			continue // a message without a packet
		}
		t.Run(name, func(t *testing.T) {
			doc := packetAt(t, name, at)
			back := jsontree.AppendCompact(nil, doc)
			if (schema == "pass") != (careless[name] == nil) {
				t.Fatalf("the verdict of the schema is %s, which is news", schema)
			}
			if schema == "pass" {
				packets++
			} else {
				back = []byte(strings.NewReplacer(careless[name]...).Replace(string(back)))
				odd++
			}
			thereAndBack(t, doc, back)
		})
	}
	if packets < 99 || odd != 5 {
		t.Errorf("there were %d strict packets and %d others", packets, odd)
	}
}

// packetAt is the packet at a path of a file, which may be inside a string, and
// that in an event of a stream.
func packetAt(t *testing.T, name, at string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(corpusDir, "askable", name))
	if err != nil {
		t.Fatal(err)
	}
	if at == "." {
		return text
	}
	if strings.HasSuffix(name, ".sse.txt") {
		_, data, _ := strings.Cut(string(text), "data: ")
		text = []byte(data)
	}
	at = strings.NewReplacer("[", ".", "]", "").Replace(at)
	found := gjson.GetBytes(text, at)
	if found.Type == gjson.String {
		return jsontree.Unquote([]byte(found.Raw))
	}
	return []byte(found.Raw)
}

// TestCorpusStream is TestCorpusPackets for the many packets of random use.
func TestCorpusStream(t *testing.T) {
	packed, err := gzip.NewReader(corpusFile(t, "askable-2000.ndjson.gz"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(packed)
	lines.Buffer(nil, 16<<20)
	n := 0
	for lines.Scan() && !t.Failed() {
		n++
		thereAndBack(t, lines.Bytes(), lines.Bytes())
	}
	if err := lines.Err(); err != nil || n != 2000 {
		t.Errorf("%d packets were read, %v", n, err)
	}
}

// thereAndBack converts a packet to each other form and back: plain, which is to
// give want, and lossless, which is to give the packet.
func thereAndBack(t *testing.T, packet, want []byte) {
	t.Helper()
	now := func() time.Time { return vectorClock }
	for _, by := range []translate.Form{translate.V020, translate.V01} {
		plain := &translate.Options{Clock: now}
		there := convertTo(t, packet, by, plain)
		back := convertTo(t, there.Document, translate.Askable, plain)
		got, want := back.Document, want
		if slices.ContainsFunc(there.Report, func(d diag.Diagnostic) bool { return d.Code == diag.OrderChanged }) {
			got, want = sortedVisible(t, got), sortedVisible(t, want)
		}
		sameFormless(t, "plain by "+by.String(), got, want)
		for _, d := range there.Report {
			switch d.Code {
			case diag.SecureWithheld, diag.NameTaken, diag.RoleLost, diag.ElementDropped, diag.FocusOffPath, diag.DuplicateID:
				t.Errorf("by %s: %s", by, d.Error())
			}
		}
		there = convertTo(t, packet, by, &translate.Options{Lossless: true, Clock: now})
		back = convertTo(t, there.Document, translate.Askable, &translate.Options{Clock: now})
		sameFormless(t, "lossless by "+by.String(), back.Document, packet)
	}
}

// sortedVisible is a packet with the entries of visible, of which there are some,
// in one order: without places they are put back in the order of the tree (6.2).
func sortedVisible(t *testing.T, packet []byte) []byte {
	t.Helper()
	list := jsontree.Member(jsontree.Member(packet, "surrounding"), "visible")
	if list == nil {
		t.Fatal("order-changed was said of a packet with no visible entries")
	}
	var entries []string
	jsontree.Entries(list, func(e []byte) bool {
		entries = append(entries, formless(e))
		return true
	})
	slices.Sort(entries)
	return bytes.Replace(packet, list, []byte("["+strings.Join(entries, ",")+"]"), 1)
}

// convertTo converts a document, and holds that the result is valid, unless it
// is one that was carried.
func convertTo(t *testing.T, doc []byte, to translate.Form, o *translate.Options) translate.Result {
	t.Helper()
	r, err := translate.Convert(doc, to, o)
	if err != nil {
		t.Fatal(err)
	}
	if restored := bytes.Contains(doc, []byte(`"ctxmigrate"`)); !restored { // else it may be as odd as it was
		if wrong := valid(to, r.Document, doc, o); wrong != "" {
			t.Errorf("to %s: %s: %.300s", to, wrong, r.Document)
		}
	}
	return r
}

func sameFormless(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if g, w := formless(got), formless(want); g != w {
		t.Errorf("%s:\n got %.2000s\nwant %.2000s", what, g, w)
	}
}
