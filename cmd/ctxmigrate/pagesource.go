package main

import (
	"fmt"
	"slices"
	"strings"

	"ctxmigrate/translate"
	"ctxmigrate/translate/jsontree"
)

// The bounds of what a page shows of a document.
const (
	maxPageLines = 4000
	maxPageNodes = 2000
	maxPageText  = 300 // bytes of a string
	maxPageLevel = 24
)

// sourceLines is a document as the lines of a page: a member or an entry on each.
type sourceLines struct {
	src    []byte
	masked []translate.Masked
	lines  []pageLine
	from   []int // where each line begins in the document
	text   []byte
	level  int
	fresh  bool // the line has no token yet
	empty  bool // the last token opened a container
	cut    bool
	unsaid bool // the last name of a member was not shown
}

// sourceOf makes the lines of a document that was read. Of one that was not there
// are none.
func sourceOf(src []byte, masked []translate.Masked) *sourceLines {
	l := &sourceLines{src: src, masked: masked, fresh: true}
	raw, at := object(src)
	end := len(raw)
	var b jsontree.Boundary
	if n, ok := b.Scan(raw); ok {
		end = n
	}
	pending := []byte(nil)
	pendingAt := 0
	put := func(colon bool) {
		if pending != nil {
			l.token(pending, pendingAt, colon)
			pending = nil
		}
	}
	jsontree.Tokens(raw[:end], func(t []byte) {
		off := at + cap(raw[:end]) - cap(t)
		if t[0] == '"' {
			put(false)
			pending, pendingAt = t, off
			return
		}
		put(t[0] == ':')
		l.token(t, off, false)
	})
	put(false)
	l.end()
	return l
}

// token puts one token on its line. Name says that it is the name of a member.
func (l *sourceLines) token(t []byte, at int, name bool) {
	if l.cut {
		return
	}
	switch t[0] {
	case '}', ']':
		l.level--
		if !l.empty {
			l.end()
		}
		l.begin(at)
		l.text = append(l.text, t[0])
		l.empty = false
		return
	case ',':
		l.text = append(l.text, ',')
		l.end()
		return
	case ':':
		l.text = append(l.text, ": "...)
		return
	}
	if l.empty {
		l.end()
	}
	l.begin(at)
	hidden := l.hidden(at)
	if name {
		hidden = hidden && !translate.FormMember(string(jsontree.Inner(t)))
		l.unsaid = hidden
	} else if c := t[0]; c == 't' || c == 'f' || c == 'n' {
		hidden = hidden && l.unsaid // a state may be seen, another switch not
	}
	switch {
	case t[0] == '{' || t[0] == '[':
		l.text = append(l.text, t[0])
		l.level++
		l.empty = true
		return
	case hidden:
		l.text = append(l.text, `"•••"`...)
	case len(t) > maxPageText:
		l.text = append(append(l.text, strings.ToValidUTF8(string(t[:maxPageText]), "")...), `…"`...)
	default:
		l.text = append(l.text, t...)
	}
	l.empty = false
}

func (l *sourceLines) hidden(at int) bool {
	x := excerpt{masked: l.masked}
	masked, _ := x.run(at, 1)
	return masked
}

// begin begins a line, where none is begun.
func (l *sourceLines) begin(at int) {
	if l.fresh {
		l.fresh = false
		level := l.level
		l.lines = append(l.lines, pageLine{Level: min(level, maxPageLevel), Key: -1})
		l.from = append(l.from, at)
	}
}

// end ends the line.
func (l *sourceLines) end() {
	if l.fresh {
		return
	}
	l.lines[len(l.lines)-1].Text = printableJoined(string(l.text))
	l.text, l.fresh, l.empty = l.text[:0], true, false
	l.cut = len(l.lines) >= maxPageLines
}

// claim gives each line the element that it belongs to: the innermost that it lies
// in. At are where the elements begin, in any order; made up ones are -1.
func (l *sourceLines) claim(at []int) {
	var keys []int
	for key, from := range at {
		if from >= 0 && from < len(l.src) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b int) int { return at[a] - at[b] })
	starts := make([]int, len(keys))
	for n, key := range keys {
		starts[n] = at[key]
	}
	for i, in := range jsontree.Innermost(starts, jsontree.Ends(l.src, starts), l.from) {
		if in >= 0 {
			l.lines[i].Key = keys[in]
			l.lines[i].First = starts[in] == l.from[i]
		}
	}
}

// note puts a note on the line of a place, and answers the line's element.
func (l *sourceLines) note(at int, n pageNote) int {
	i, found := slices.BinarySearch(l.from, at)
	if !found {
		i--
	}
	if i < 0 || i >= len(l.lines) {
		return -1
	}
	l.lines[i].Notes = append(l.lines[i].Notes, n)
	return l.lines[i].Key
}

// rest says what was cut.
func (l *sourceLines) rest() string {
	if !l.cut {
		return ""
	}
	return fmt.Sprintf("Only the first %d lines are shown.", maxPageLines)
}
