package jsontree

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

var runNames = NewVocabulary(
	Name{Name: "id", Kind: String, Word: true},
	Name{Name: "title", Kind: String},
	Name{Name: "on", Kind: Bool},
	Name{Name: "payload", Kind: Object},
	Name{Name: "list", Kind: Array, Usual: NewUsual(`[{"t":"x","u":""}]`)},
	Name{Name: "children"},
	Name{Name: "identifier", Kind: Number},
	Name{Name: "", Kind: Null},
)

// readMembers reads a document that is an object member by member: what it tells
// is a line for each member that is in the vocabulary, one for each other and for how
// deep it nests, one for each name in a payload, and the fault.
func readMembers(src []byte, maxDepth int) (known, others, watched []string, err *Error) {
	var r Reader
	r.Reset(src, maxDepth)
	if r.Kind() != Object {
		return nil, nil, nil, nil
	}
	watch := func(key []byte, kind Kind) {
		watched = append(watched, fmt.Sprintf("%s %d %v", key, kind, r.KeySpan()))
	}
	for r.Enter(); r.Next(); {
		name := string(r.Key())
		sp := Span{}
		if name == "payload" && r.Kind() == Object {
			sp = r.Watch(watch)
		} else {
			sp = r.Skip()
		}
		if k := runNames.find([]byte(name)); k > 0 {
			known = append(known, fmt.Sprintf("%d %v", k, sp))
		} else {
			others = append(others, fmt.Sprintf("%s %v", name, sp))
		}
	}
	r.End()
	return known, append(others, fmt.Sprint(r.Deepest())), watched, r.Err()
}

// runMembers is readMembers by Run, and by NextOf where Run stops.
func runMembers(src []byte, maxDepth int) (known, others, watched []string, err *Error) {
	var r Reader
	r.Reset(src, maxDepth)
	if r.Kind() != Object {
		return nil, nil, nil, nil
	}
	watch := func(key []byte, kind Kind) {
		watched = append(watched, fmt.Sprintf("%s %d %v", key, kind, r.KeySpan()))
	}
	r.Enter()
	for {
		var to Fields
		found, number := r.Run(runNames, &to, watch)
		// what was found was found in the order of the text
		var numbers []int
		for k, sp := range to {
			if is := found>>k&1 != 0; is != !sp.IsZero() {
				panic("found and filled are not the same")
			} else if is {
				numbers = append(numbers, k)
			}
		}
		slices.SortFunc(numbers, func(a, b int) int { return int(to[a].Off) - int(to[b].Off) })
		for _, k := range numbers {
			if kind := kindOf[src[to[k].Off]]; kind != runNames.names[k].Kind || runNames.names[k].Word && to[k].Len() == 2 {
				panic("Run took what it was not to take")
			}
			known = append(known, fmt.Sprintf("%d %v", k, to[k]))
		}
		if number == 0 {
			break
		}
		name := string(r.Key())
		sp := Span{}
		if name == "payload" && r.Kind() == Object {
			sp = r.Watch(watch)
		} else {
			sp = r.Skip()
		}
		if number == Other {
			others = append(others, fmt.Sprintf("%s %v", name, sp))
		} else {
			known = append(known, fmt.Sprintf("%d %v", number, sp))
		}
	}
	r.End()
	return known, append(others, fmt.Sprint(r.Deepest())), watched, r.Err()
}

func checkRun(t *testing.T, src []byte, maxDepth int) {
	t.Helper()
	for src := range fenced(src) {
		known, others, watched, err := readMembers(src, maxDepth)
		known2, others2, watched2, err2 := runMembers(src, maxDepth)
		if (err == nil) != (err2 == nil) || err != nil && *err != *err2 {
			t.Fatalf("%q: fault %v, by Run %v", src, err, err2)
		}
		if err == nil && (!slices.Equal(known, known2) || !slices.Equal(others, others2) || !slices.Equal(watched, watched2)) {
			t.Fatalf("%q\n%q %q %q, by Run\n%q %q %q", src, known, others, watched, known2, others2, watched2)
		}
	}
}

// runSeeds are objects at which Run must stop, or must not.
func runSeeds() (seeds []string) {
	members := []string{`"id":"a"`, `"id" : "a"`, `"id": "a"`, `"id":""`, `"id":"a rather long id"`, `"title":""`, `"title":"t\n"`, `"title":"Überschrift"`,
		`"on":true`, `"on" false`, `"on":0`, `"on":tru`, `"payload":{"a":1,"a":2}`, `"payload":{"a":1,"\u0061b":2}`, `"payload":{ }`, `"payload":[]`, `"list":[ 1 ]`,
		`"list":[`, `"list":[{"t":"x","u":"a text"}]`, `"list": [{"t": "x", "u": "a \n text"}]`, `"list":[{"t":"x","u":"a","t":0}]`, `"list":[{"t":"x","u":"a"},1]`,
		`"list":[{"t":"x","u":"a"} ]`, `"list":[{"t":"x","u":"a"`, `"list":[{"t":"x","u":"` + strings.Repeat("long ", 40) + `"}]`, `"list":[{"t": "x","u":"a"}]`,
		`"list":[{"t":"x","u":"\x"}]`, `"list":[{"t":"x","u":"` + "\xff" + `"}]`, `"list":[{"t":"x","u":"` + "\x01" + `"}]`,
		`"children":[]`, `"childrenX":"y"`, `"identifier":1`, `"identifies":1`, `"identifier":01`, `"":null`, `"":1`, `"i\u0064":"b"`, `"id\u0000":1`, `"other":{}`,
		`"title":"a"b`, `"title":"` + "\x01" + `"`, `"title":"` + "\xff" + `"`, `"` + strings.Repeat("\xff", 8) + `n" "":0`, `"` + strings.Repeat("\x00", 8) + `":null`, `"id` + strings.Repeat("\x00", 5) + "\x02" + `":"a"`, `"id":}`, `"id"}`, `id:1`, ``}
	for i, a := range members {
		seeds = append(seeds, "{"+a+"}", "{ "+a+" } ", "{"+a, a)
		for _, b := range members {
			seeds = append(seeds, "{"+a+","+b+`,"title":"the end of it all"}`, "{"+b+" , "+a+"\n}", "{"+a+" "+b+"}", "{"+strings.Repeat(`"x":1,`, i%4)+a+",\t"+b+"}")
		}
	}
	return seeds
}

// TestRun holds that Run and reading member by member agree.
func TestRun(t *testing.T) {
	for _, doc := range runSeeds() {
		for _, end := range []string{"", " ", strings.Repeat(" ", 40)} { // near the end of the text, and far from it
			checkRun(t, []byte(doc+end), 3)
			checkRun(t, []byte(doc+end), 2)
		}
	}
}

// TestRunCut holds the same of text that ends anywhere, behind white space of every
// length too.
func TestRunCut(t *testing.T) {
	for _, value := range []string{`true`, `false`, `"a"`, `"a\n"`, `{"a":1}`, `[{"t":"x","u":"a"}]`, `-1e5`, `null`, `"` + strings.Repeat("é", 40) + `"`} {
		for _, name := range []string{"on", "title", "payload", "list", "identifier", "", "other", "children"} {
			for n := range 3 * room {
				gap := strings.Repeat(" ", n)
				for _, doc := range []string{`{"` + name + `":` + gap + value, `{"` + name + `"` + gap + `:` + value, `{"id":"a"` + gap + `,"` + name + `":` + value, `{"id":"a",` + gap + `"` + name + `":` + value} {
					for cut := range len(value) + 1 {
						checkRun(t, []byte(doc[:len(doc)-cut]), 3)
					}
				}
			}
		}
	}
}

func FuzzRun(f *testing.F) {
	for i, doc := range runSeeds() {
		if i%37 == 0 {
			f.Add([]byte(doc), 3)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, maxDepth int) { checkRun(t, src, maxDepth&15+1) })
}

// TestPlainRun holds that plainRun finds what a loop over the bytes finds, at every
// distance from the beginning and the end.
func TestPlainRun(t *testing.T) {
	plain := func(src []byte, i int) int {
		for i < len(src) && src[i] >= 0x20 && src[i] < 0x80 && src[i] != '"' && src[i] != '\\' {
			i++
		}
		return i
	}
	for length := range 150 {
		src := []byte(strings.Repeat("a ~!#[]", 30)[:length])
		for at := -1; at < length; at++ {
			for _, c := range []byte{'"', '\\', 0, 0x1f, 0x80, 0xff, 0x20, 0x7f, '!', '#', '[', ']'} {
				doc := slices.Clone(src)
				if at >= 0 {
					doc[at] = c
				} else if c != '"' {
					continue
				}
				for doc := range fenced(doc) {
					for _, from := range []int{0, 1, length / 2, max(0, at), length} {
						if got, want := plainRun(doc, from), plain(doc, from); got != want {
							t.Fatalf("%q from %d: %d, want %d", doc, from, got, want)
						}
					}
				}
			}
		}
	}
}
