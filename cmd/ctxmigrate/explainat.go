package main

import (
	"slices"
	"strconv"
	"strings"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
)

// nowhere is no pointer, since those that are not empty begin with a slash.
const nowhere = "nowhere"

// onlyAt leaves of an explanation what is at or below a pointer, in the source or in the
// result. Of a place inside an element that is the element, with what is said of
// what the place is in. It answers what is to be said of a place that is in none.
func onlyAt(x *translate.Explanation, src []byte, pointer string) string {
	inSource, inResult := stands(src, pointer), stands(x.Document, pointer)
	source, target := nowhere, nowhere
	if !slices.ContainsFunc(x.Elements, func(o translate.Origin) bool { return isBelow(&o, pointer) }) {
		source, target = around(x, pointer, inSource, inResult)
	}
	var elements []translate.Origin
	for _, o := range x.Elements {
		if isBelow(&o, pointer) || !o.Made && o.Source == source || !o.Gone && o.Target == target {
			elements = append(elements, o)
		}
	}
	// what is told of the place, or of what it is in, as far as that is in the element
	about := func(p string) bool {
		return atOrBelow(p, pointer) || len(p) > len(source) && source != nowhere && atOrBelow(pointer, p)
	}
	x.LeftOut = slices.DeleteFunc(x.LeftOut, func(l translate.LeftOut) bool { return !about(l.Source) })
	x.Notes = slices.DeleteFunc(x.Notes, func(d diag.Diagnostic) bool { return !about(d.Pointer) })
	x.Elements = elements
	if len(elements) > 0 {
		return ""
	}
	return outside(pointer, inSource, inResult)
}

// outside says where a place is that is in no element.
func outside(pointer string, inSource, inResult bool) string {
	switch {
	case inSource && inResult:
		return pointer + " is in the source and in the result, outside of the elements"
	case inSource:
		return pointer + " is in the source, outside of the elements"
	case inResult:
		return pointer + " is in the result, outside of the elements"
	}
	return "there is nothing at " + pointer + ", neither in the source nor in the result"
}

// atOrBelow reports whether a pointer leads to where another one does, or below it.
func atOrBelow(p, pointer string) bool { return p == pointer || strings.HasPrefix(p, pointer+"/") }

// isBelow reports whether an element is at or below a pointer.
func isBelow(o *translate.Origin, pointer string) bool {
	return atOrBelow(o.Source, pointer) || atOrBelow(o.Target, pointer)
}

// around are the pointers of the innermost elements that a pointer lies in, in the
// source and in the result, as far as it leads to something there.
func around(x *translate.Explanation, pointer string, inSource, inResult bool) (source, target string) {
	source, target = nowhere, nowhere
	inner := func(best *string, p string) {
		if atOrBelow(pointer, p) && (*best == nowhere || len(p) > len(*best)) {
			*best = p
		}
	}
	for i := range x.Elements {
		o := &x.Elements[i]
		if inSource && !o.Made {
			inner(&source, o.Source)
		}
		if inResult && !o.Gone {
			inner(&target, o.Target)
		}
	}
	return source, target
}

// stands reports whether there is a value at a JSON Pointer into a document that was
// read.
func stands(doc []byte, pointer string) bool {
	raw, _ := object(doc)
	for _, token := range strings.Split(pointer, "/")[1:] {
		switch jsontree.KindOf(raw) {
		case jsontree.Object:
			raw = jsontree.Member(raw, strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
		case jsontree.Array:
			raw = entry(raw, token)
		default:
			return false
		}
		if raw == nil {
			return false
		}
	}
	return true
}

// entry is the entry of an array that a token of a pointer names, or nil.
func entry(array []byte, token string) (found []byte) {
	n, err := strconv.Atoi(token)
	if err != nil || strconv.Itoa(n) != token {
		return nil
	}
	jsontree.Entries(array, func(e []byte) bool {
		if n == 0 {
			found = e
		}
		n--
		return found == nil
	})
	return found
}
