package docgen

import (
	"bytes"
	"strings"
	"testing"

	"ctxmigrate/translate/jsontree"
)

func TestSameSeedSameDocuments(t *testing.T) {
	for _, f := range Forms {
		a, b := New(3, Options{Odd: true}), New(3, Options{Odd: true})
		seen := map[string]bool{}
		for range 200 {
			x, y := a.Document(f), b.Document(f)
			if !bytes.Equal(x, y) {
				t.Fatalf("%s: one seed gave two documents:\n%s\n%s", f, x, y)
			}
			if Parse(x) == nil {
				t.Fatalf("%s: no JSON: %s", f, x)
			}
			seen[string(x)] = true
		}
		if len(seen) < 150 {
			t.Errorf("%s: only %d of 200 documents differ", f, len(seen))
		}
	}
}

func TestShrink(t *testing.T) {
	doc := []byte(`{"a":[1,2,{"b":[3,{"c":"\u0078y","d":4}]}],"e":{}}`)
	got := Shrink(doc, func(d []byte) bool {
		return strings.Contains(string(d), "xy") || strings.Contains(string(d), `\u0078y`)
	})
	if want := `{"a":[{"b":[{"c":"xy"}]}]}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
	got = Shrink([]byte(`{"children":[{"children":[{"k":1},{"k":2}]}]}`), func(d []byte) bool { return strings.Contains(string(d), `"k":2`) })
	if want := `{"children":[{"k":2}]}`; string(got) != want {
		t.Errorf("children in place of their parent: got %s, want %s", got, want)
	}
	if got := Shrink([]byte(`{"a": 1}`), func(d []byte) bool { return strings.Contains(string(d), " ") }); string(got) != `{"a": 1}` {
		t.Errorf("what fails by its white space was changed: %s", got)
	}
}

func TestShuffleKeepsWhatItSays(t *testing.T) {
	for _, f := range Forms {
		g := New(5, Options{Odd: true})
		for range 200 {
			doc := g.Value(f)
			was := doc.Append(nil)
			g.Shuffle(doc, f)
			if jsontree.DigestOf(was, false) != jsontree.DigestOf(doc.Append(nil), false) {
				t.Fatalf("%s: another document:\n%s\n%s", f, was, doc)
			}
		}
	}
}

func TestCanariesArePlanted(t *testing.T) {
	for _, f := range Forms {
		g := New(6, Options{Odd: true, Secure: true})
		n := 0
		for range 200 {
			n += g.PlantCanaries(g.Value(f), f)
		}
		if n < 100 {
			t.Errorf("%s: only %d canaries in 200 documents", f, n)
		}
	}
}

func TestSecure(t *testing.T) {
	for _, w := range secureSpellings {
		if !Secure(w) {
			t.Errorf("%q is secure", w)
		}
	}
	for _, w := range append(append([]string{"", "passwords", "AXxotp"}, types...), aria...) {
		if Secure(w) {
			t.Errorf("%q is not secure", w)
		}
	}
}

func TestSized(t *testing.T) {
	for _, f := range Forms {
		for _, fl := range []Flavour{Plain, Unicode, Content} {
			for _, size := range []int{2000, 50000} {
				doc := Sized(f, size, fl)
				if Parse(doc) == nil || len(doc) < size || len(doc) > 3*size+4000 {
					t.Errorf("%s %s: %d bytes for %d", f, fl, len(doc), size)
				}
			}
		}
	}
	for _, f := range []Form{V01, V020} {
		a, b := Chain(f, 1000), Flat(f, 1000)
		if Parse(a) == nil || Parse(b) == nil || len(a)*9 > len(b)*10 || len(b)*9 > len(a)*10 {
			t.Errorf("%s: a chain of %d bytes, a list of %d", f, len(a), len(b))
		}
	}
}

func TestPointers(t *testing.T) {
	doc := Raw(`{"items":[{"a/b":{"m~n":[1,2]}}]}`)
	p := Pointer("items", "0", "a/b", "m~n", "1")
	if want := "/items/0/a~1b/m~0n/1"; p != want {
		t.Errorf("got %s, want %s", p, want)
	}
	if v := doc.At(Tokens(p)...); v == nil || v.Text != "2" {
		t.Errorf("at %s: %v", p, v)
	}
}
