package jsontree_test

import (
	"fmt"
	"strings"
	"testing"

	"ctxmigrate/translate/jsontree"
)

func TestEnds(t *testing.T) {
	doc := []byte(` {"a":[{"b":"}"},{}],"c":{"d":[]}} `)
	var starts []int
	for i, c := range doc {
		if c == '{' || c == '[' || c == 'b' {
			starts = append(starts, i)
		}
	}
	ends := jsontree.Ends(doc, starts)
	var got []string
	for i, s := range starts {
		got = append(got, string(doc[s:ends[i]]))
	}
	if text, want := strings.Join(got, " | "), `{"a":[{"b":"}"},{}],"c":{"d":[]}} | [{"b":"}"},{}] | {"b":"}"} |  | {} | {"d":[]} | []`; text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
	var offsets []int
	for i := range doc {
		offsets = append(offsets, i)
	}
	marks := ""
	for _, k := range jsontree.Innermost(starts, ends, offsets) {
		if k < 0 {
			marks += "."
		} else {
			marks += fmt.Sprint(k)
		}
	}
	if want := `.000001222222222144100000555556650.`; marks != want {
		t.Errorf("%s\n%s\n%s", doc, marks, want)
	}
}

// TestEndsDeep holds that a deep document costs no more than a flat one.
func TestEndsDeep(t *testing.T) {
	const n = 200_000
	doc := []byte(strings.Repeat("[", n) + strings.Repeat("]", n))
	starts := make([]int, n)
	for i := range starts {
		starts[i] = i
	}
	ends := jsontree.Ends(doc, starts)
	for i, e := range ends {
		if e != 2*n-i {
			t.Fatalf("the value at %d ends at %d", i, e)
		}
	}
	if in := jsontree.Innermost(starts, ends, []int{0, n - 1, n, 2*n - 1}); in[0] != 0 || in[1] != n-1 || in[2] != n-1 || in[3] != 0 {
		t.Errorf("%v", in)
	}
}
