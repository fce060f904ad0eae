package jsontree

import (
	"strings"
	"testing"
)

// TestBoundary holds that a Boundary finds the end that a Reader finds, in
// whatever pieces the text comes.
func TestBoundary(t *testing.T) {
	for _, value := range []string{
		`{}`, `[]`, `""`, `"\""`, `"\\"`, `{"a":"}]","b":[{"c":"\\\""}]}`, `["[{","é日本\u005d"]`,
		` { "a" : [ 1 , 2.5e+3 , true , null ] }`, "\ufeff\n[1]", `"` + strings.Repeat(`abcdefgh\n`, 20) + `"`,
		strings.Repeat(`[`, 100) + `"x"` + strings.Repeat(`]`, 100),
		`123 `, "-1.5e3\n", `true `, "null\t",
	} {
		for _, rest := range []string{"", "{", "]", `"`, " ", "5"} {
			src := []byte(value + rest)
			for first := 0; first <= len(src); first++ {
				for _, second := range []int{first, min(first+1, len(src)), len(src)} {
					var b Boundary
					end, ok := b.Scan(src[:first])
					if !ok {
						end, ok = b.Scan(src[:second])
					}
					if !ok {
						end, ok = b.Scan(src)
					}
					if !ok || end != len(value) {
						t.Fatalf("%q cut at %d and %d: %d, %v, want %d", src, first, second, end, ok, len(value))
					}
				}
			}
		}
	}
	for _, cut := range []string{"", " ", "\xef", "\ufeff", "{", `{"a":"}`, `["\`, "12", "tru"} {
		if end, ok := new(Boundary).Scan([]byte(cut)); ok {
			t.Errorf("%q ends at %d", cut, end)
		}
	}
}

func BenchmarkBoundary(b *testing.B) {
	doc := []byte(`{"protocol":"0.1","items":[` + strings.Repeat(`{"id":"item-17","type":"note","title":"Some words that stand here"},`, 1000) + `{}]}`)
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		new(Boundary).Scan(doc)
	}
}
