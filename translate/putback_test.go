package translate_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/tidwall/gjson"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
)

// packetOf is a packet with some members beside those that it must have.
func packetOf(source, members string) string {
	return `{"protocol":"askable.context","version":"0.1","source":{` + source + `"timestamp":"t"},"capture":{"mode":"element-focus"},` + members +
		`"privacy":{"redacted":true,"consent":"none","omitted":["secure-text"]},"provenance":{"producer":"p","method":"app"}}`
}

// treeOf is a tree whose root says that it came from a packet.
func treeOf(facts, children string) string {
	return `{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application","attributes":{"askable":{"timestamp":"t",` + facts +
		`"privacy":{"redacted":false,"consent":"none"},"provenance":{"producer":"p","method":"app"}}},"children":[` + children + `]}}`
}

// TestPutBackOnlyWhatReadingGives is about trees that look as if they came from a packet:
// they are put back where reading a packet gives such a tree, else written as any other.
func TestPutBackOnlyWhatReadingGives(t *testing.T) {
	const focus, page = `"capture":{"mode":"element-focus"},`, `"capture":{"mode":"full-page"},`
	for name, test := range map[string]struct {
		src, path, want string
	}{
		"in its place": {treeOf(focus, `{"id":"ancestor-1","role":"List","subrole":"list","children":[{"id":"target","role":"Row","subrole":"row","focused":true}]}`),
			"target", `{"role":"row"}`},
		"the target beside its ancestor": {treeOf(focus, `{"id":"ancestor-1","role":"List","subrole":"list"},{"id":"target","role":"Row","subrole":"row","focused":true}`),
			"surrounding.ancestors", ``},
		"nearby before the target": {treeOf(focus, `{"id":"nearby-1","role":"Group"},{"id":"target","role":"Row","subrole":"row","focused":true}`),
			"target.metadata.element.id", `"target"`},
		"two visible ones that are equal": {treeOf(page, `{"id":"visible-1","role":"Group","title":"a","visible":true},{"id":"visible-2","role":"Group","title":"a","visible":true}`),
			"surrounding.visible.#.metadata.element.id", `["visible-1","visible-2"]`},
		"two visible ones": {treeOf(page, `{"id":"visible-1","role":"Group","title":"a","visible":true},{"id":"visible-2","role":"Group","title":"b","visible":true}`),
			"surrounding.visible", `[{"label":"a"},{"label":"b"}]`},
		"an ancestor that would be the page": {treeOf(focus, `{"id":"page","role":"Document","title":"T","children":[{"id":"ancestor-1","role":"Document","subrole":"document","title":"T",
			"children":[{"id":"target","role":"Row","subrole":"row","focused":true}]}]}`),
			"target.metadata.element.id", `"target"`},
		"an ancestor with a route that is none": {treeOf(focus, `{"id":"page","role":"Document","title":"T","children":[{"id":"ancestor-1","role":"Document","subrole":"document","title":"T","attributes":{"route":{}},
			"children":[{"id":"target","role":"Row","subrole":"row","focused":true}]}]}`),
			"target", `{"role":"row"}`},
		"an attribute that is read as something else": {treeOf(focus, `{"id":"target","role":"Row","subrole":"row","focused":true,"attributes":{"label":"l"}}`),
			"target.metadata.element.attributes", `{"label":"l"}`},
	} {
		r, err := translate.Convert([]byte(test.src), translate.Askable, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := gjson.GetBytes(r.Document, test.path).Raw; got != test.want {
			t.Errorf("%s: %s of\n%s\nis %s, not %s", name, test.path, r.Document, got, test.want)
		}
		// Law 3.
		tree := convert(t, r.Document, translate.V020)
		if again := convert(t, tree, translate.Askable); !bytes.Equal(again, r.Document) {
			t.Errorf("%s:\n%s\nbecame\n%s\nand\n%s", name, r.Document, tree, again)
		}
	}
}

func convert(t *testing.T, src []byte, to translate.Form) []byte {
	t.Helper()
	r, err := translate.Convert(src, to, &translate.Options{Timestamp: stamp})
	if err != nil {
		t.Fatal(err)
	}
	return r.Document
}

// TestWithheldDecidesNothing is about ids that stand below a secure element: a packet is
// put back, or not, as if they were not there (law 5).
func TestWithheldDecidesNothing(t *testing.T) {
	for _, id := range []string{"page", "target", "ancestor-1", "nearby-1", "visible-2", "other"} {
		src := []byte(`{"protocol":"0.1","instance":"n","items":[{"id":"app","type":"app","payload":{"askable":{"capture":{"mode":"region"}}}},` +
			`{"id":"visible-1","type":"password","parent":"app"},{"id":"` + id + `","parent":"visible-1","type":"document"}],"focus":[]}`)
		direct := convert(t, src, translate.Askable)
		if by := convert(t, convert(t, src, translate.V020), translate.Askable); !bytes.Equal(direct, by) || gjson.GetBytes(direct, "capture.mode").Str != "region" {
			t.Errorf("%s becomes\n%s\nand by 0.2.0\n%s", src, direct, by)
		}
	}
}

// TestSecureValuesOfPackets is about values of packets that are secure by their metadata
// alone, or where they stand in history.
func TestSecureValuesOfPackets(t *testing.T) {
	// One that visible repeats is the same element, also when both are withheld.
	const value = `{"role":"text","selector":"a","metadata":{"element":{"id":"a","role":"Text","subrole":"password","focused":true,"visible":true}}}`
	tree := convert(t, []byte(packetOf("", `"target":`+value+`,"surrounding":{"visible":[`+value+`]},`)), translate.V020)
	if got := gjson.GetBytes(tree, "root.children").Raw; got != `[{"id":"a","role":"Text","subrole":"password","focused":true,"visible":true}]` {
		t.Errorf("repeated: %s", tree)
	}
	// What is no longer secure when it comes back is the page at once (law 3).
	first := convert(t, []byte(packetOf(`"title":"T",`, `"surrounding":{"ancestors":[{"role":"document","label":"T","text":"S3CRET","metadata":{"element":{"subrole":"password"}}}]},`)), translate.V020)
	again := convert(t, convert(t, first, translate.Askable), translate.V020)
	if !bytes.Equal(first, again) || bytes.Contains(first, []byte("S3CRET")) || gjson.GetBytes(first, "root.children.#").Int() != 1 {
		t.Errorf("page:\n%s\nbecame\n%s", first, again)
	}
	// What is withheld of the history that a tree keeps is told (law 4).
	for list, said := range map[string]int{`[{"text":"S3CRET","role":"password"},{"text":"a"}]`: 1, `[{"role":"password"}]`: 0} {
		r, err := translate.Convert([]byte(treeOf(`"history":`+list+`,`, "")), translate.Askable, nil)
		if err != nil {
			t.Fatal(err)
		}
		told := 0
		for _, d := range r.Report {
			if d.Code == diag.SecureWithheld {
				told++
			}
		}
		if told != said || bytes.Contains(r.Document, []byte("S3CRET")) || bytes.Contains([]byte(fmt.Sprint(r.Report)), []byte("S3CRET")) {
			t.Errorf("%s: told %d times\n%s", list, told, r.Document)
		}
	}
}
