package jsontree

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// vector is one line of testdata/json; its README tells what the members mean.
type vector struct {
	name, pointer, expect          string
	doc                            []byte
	maxDepth, offset, line, column int
}

const vectorDir = "../../testdata/json"

// readVectors reads the files with the package itself, since encoding/json
// would lose lone surrogates.
func readVectors(t *testing.T, file string) (vectors []vector) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r Reader
	for i, line := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
		span, fault := readAll(&r, line, 0)
		if fault != nil {
			t.Fatalf("%s, line %d: %v", file, i+1, fault)
		}
		var v vector
		number := func(raw []byte) (n int) {
			for _, c := range raw {
				n = n*10 + int(c-'0')
			}
			return n
		}
		Members(span.In(line), func(name, value []byte) bool {
			switch name := string(Unquote(name)); name {
			case "name":
				v.name = string(Unquote(value))
			case "text":
				v.doc = Unquote(value)
			case "base64":
				if v.doc, err = base64.StdEncoding.DecodeString(string(Unquote(value))); err != nil {
					t.Fatalf("%s, line %d: %v", file, i+1, err)
				}
			case "maxDepth":
				v.maxDepth = number(value)
			case "expect":
				v.expect = string(Unquote(value))
			case "offset":
				v.offset = number(value)
			case "line":
				v.line = number(value)
			case "column":
				v.column = number(value)
			case "pointer":
				v.pointer = string(Unquote(value))
			default:
				t.Fatalf("%s, line %d: no such member: %s", file, i+1, name)
			}
			return true
		})
		v.doc = slices.Clip(v.doc) // so that nothing can be read behind its end
		vectors = append(vectors, v)
	}
	return vectors
}

func eachVector(t *testing.T, f func(t *testing.T, v vector)) {
	files, _ := filepath.Glob(vectorDir + "/*.jsonl")
	total := 0
	for _, file := range files {
		base := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		names := map[string]bool{}
		for _, v := range readVectors(t, file) {
			if names[v.name] {
				t.Errorf("%s: the name %q comes twice", base, v.name)
			}
			names[v.name] = true
			total++
			t.Run(base+"/"+v.name, func(t *testing.T) { f(t, v) })
		}
	}
	if total < 350 {
		t.Errorf("only %d vectors found in %s", total, vectorDir)
	}
}

var faultNames = map[Fault]string{Syntax: "syntax", Encoding: "encoding", DuplicateMember: "duplicate-member", TooDeep: "too-deep"}

// check reads the document of v in both ways and compares.
func (v vector) check(t *testing.T, r *Reader) {
	t.Helper()
	_, err := readAll(r, v.doc, v.maxDepth)
	if err == nil {
		if v.expect != "accept" {
			t.Errorf("accepted, want %s at %d", v.expect, v.offset)
		}
	} else {
		if faultNames[err.Fault] != v.expect || err.Offset != v.offset {
			t.Errorf("%s at %d (%s), want %s at %d", faultNames[err.Fault], err.Offset, err.Msg, v.expect, v.offset)
		}
		want := Place{v.line, v.column, v.pointer}
		if got := Locate(v.doc, []int{v.offset})[0]; v.expect != "accept" && got != want {
			t.Errorf("line %d, column %d, in %.200q; want line %d, column %d, in %.200q", got.Line, got.Column, got.Pointer, want.Line, want.Column, want.Pointer)
		}
		kept := *err
		err = &kept
	}
	if _, walked := walkAll(r, v.doc, v.maxDepth); (walked == nil) != (err == nil) || walked != nil && *walked != *err {
		t.Errorf("skipped: %v; walked: %v", err, walked)
	}
}

func TestVectors(t *testing.T) {
	var r Reader
	eachVector(t, func(t *testing.T, v vector) { v.check(t, &r) })
}

// TestVectorsPlain holds the plain reader to the vectors as well, since the
// fuzz targets rest on it.
func TestVectorsPlain(t *testing.T) {
	eachVector(t, func(t *testing.T, v vector) {
		maxDepth := v.maxDepth
		if maxDepth == 0 {
			maxDepth = DefaultMaxDepth
		}
		if _, fault := readPlain(v.doc, maxDepth); fault == nil {
			if v.expect != "accept" {
				t.Errorf("accepted, want %s at %d", v.expect, v.offset)
			}
		} else if faultNames[fault.fault] != v.expect || fault.offset != v.offset || fault.pointer != v.pointer {
			t.Errorf("%s at %d in %.200q, want %s at %d in %.200q", faultNames[fault.fault], fault.offset, fault.pointer, v.expect, v.offset, v.pointer)
		}
	})
}

// TestVectorsMoved reads each document after up to nine spaces and with up to
// nine after it, so that everything in it meets every place of a stride of eight
// bytes, as last bytes of the text too.
func TestVectorsMoved(t *testing.T) {
	var r Reader
	eachVector(t, func(t *testing.T, v vector) {
		if len(v.doc) > 10000 || !movable(v.doc) {
			t.Skip("the document is long, or its first bytes decide")
		}
		start := 0
		if bytes.HasPrefix(v.doc, []byte("\ufeff")) {
			start = 3
		}
		cut := v.expect != "accept" && v.offset == len(v.doc)
		for n := range 10 {
			spaces := strings.Repeat(" ", n)
			moved := v
			moved.doc = []byte(string(v.doc[:start]) + spaces + string(v.doc[start:]))
			moved.offset += n
			if v.line == 1 {
				moved.column += n
			}
			moved.check(t, &r)
			if !cut {
				moved = v
				moved.doc = []byte(string(v.doc) + spaces)
				moved.check(t, &r)
			}
		}
	})
}

// movable reports whether space may come before a document: not where it would
// hide or make a sign of UTF-16, or split a byte order mark from the start.
func movable(doc []byte) bool {
	if len(doc) == 0 {
		return true
	}
	if len(doc) > 1 && doc[1] == 0 || doc[0] == 0 || doc[0] >= 0xFE {
		return false
	}
	return doc[0] != 0xEF || utf8.FullRune(doc)
}

// TestVectorsCut cuts each good document at every place. What is left is good
// only where it is a number; else it ended too early, and says so.
func TestVectorsCut(t *testing.T) {
	var r Reader
	eachVector(t, func(t *testing.T, v vector) {
		if v.expect != "accept" || len(v.doc) > 2000 {
			t.Skip("nothing to cut, or too much")
		}
		root, _ := readPlain(v.doc, DefaultMaxDepth)
		for n := range root.to {
			for doc := range fenced(v.doc[:n]) {
				_, err := readAll(&r, doc, v.maxDepth)
				if err == nil {
					if root.kind != Number {
						t.Fatalf("%q is accepted", doc)
					}
					continue
				}
				if !err.End || err.Fault != Encoding && err.Offset != n {
					t.Errorf("%q: %+v", doc, *err)
				}
			}
		}
	})
}
