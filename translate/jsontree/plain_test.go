package jsontree

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// This file is the oracle of the other tests: a reader that goes byte by byte,
// calls itself for what is nested, builds everything, and shares no code with
// the package. It is slow and meant to be seen to be right.

// plainNode is a value that the plain reader has read.
type plainNode struct {
	kind     Kind
	from, to int
	raw      string
	units    []uint16 // of a string, as UTF-16
	escaped  bool     // a string with an escape in it
	spaced   bool     // a container with white space between its tokens, at any depth
	names    []*plainNode
	kids     []*plainNode
}

// plainFault is what the plain reader throws.
type plainFault struct {
	fault   Fault
	offset  int
	end     bool
	pointer string
}

type plainReader struct {
	src      []byte
	doc      string // the same
	pos      int
	maxDepth int
	path     []string // pointer tokens of the entries that are open
	spaces   int      // how much white space has been passed
}

// readPlain reads a document: a value or a fault.
func readPlain(src []byte, maxDepth int) (root *plainNode, fault *plainFault) {
	p := &plainReader{src: src, doc: string(src), maxDepth: maxDepth}
	defer func() {
		if x := recover(); x != nil {
			f, ok := x.(plainFault)
			if !ok {
				panic(x)
			}
			root, fault = nil, &f
		}
	}()
	p.begin()
	p.space()
	root = p.value()
	p.space()
	if p.pos < len(src) {
		p.fail(p.kindOfFault(), p.pos, false)
	}
	return root, nil
}

func (p *plainReader) begin() {
	at := func(i int) int {
		if i < len(p.src) {
			return int(p.src[i])
		}
		return -1
	}
	a, b, c, d := at(0), at(1), at(2), at(3)
	switch {
	case a == 0xEF && b == 0xBB && c == 0xBF:
		p.pos = 3
	case a == 0xEF && b == -1, a == 0xEF && b == 0xBB && c == -1:
		p.fail(Encoding, 0, true)
	case a == 0xFF && b == 0xFE, // UTF-16 and UTF-32, the low bytes first
		a == 0xFE && b == 0xFF,                       // UTF-16, the high bytes first
		a == 0 && b == 0 && c == 0xFE && d == 0xFF,   // UTF-32, the high bytes first
		a == 0 && b == 0 && c == 0 && d > 0,          // the same without a mark
		a == 0 && b > 0, a > 0 && a < 0x80 && b == 0: // the others without a mark
		p.fail(Encoding, 0, false)
	}
}

// fail throws a fault that belongs to the container that is open, or, where own
// is given, to its current entry.
func (p *plainReader) fail(f Fault, offset int, end bool, own ...string) {
	pointer := strings.Join(append([]string{""}, append(p.path, own...)...), "/")
	panic(plainFault{f, offset, end, pointer})
}

// wrong throws the fault that pos is not what is wanted there.
func (p *plainReader) wrong(own ...string) {
	if p.pos == len(p.src) {
		p.fail(Syntax, p.pos, true, own...)
	}
	p.fail(p.kindOfFault(), p.pos, false, own...)
}

// kindOfFault is Encoding where no character begins at pos.
func (p *plainReader) kindOfFault() Fault {
	if n, _ := plainChar(p.src[p.pos:]); n == 0 {
		return Encoding
	}
	return Syntax
}

// plainChar is the length of the character that b begins with, by the table in
// RFC 3629; 0 where there is none, which cut says may be for want of bytes.
func plainChar(b []byte) (n int, cut bool) {
	for _, row := range [][]byte{
		{0x00, 0x7F},
		{0xC2, 0xDF, 0x80, 0xBF},
		{0xE0, 0xE0, 0xA0, 0xBF, 0x80, 0xBF},
		{0xE1, 0xEC, 0x80, 0xBF, 0x80, 0xBF},
		{0xED, 0xED, 0x80, 0x9F, 0x80, 0xBF},
		{0xEE, 0xEF, 0x80, 0xBF, 0x80, 0xBF},
		{0xF0, 0xF0, 0x90, 0xBF, 0x80, 0xBF, 0x80, 0xBF},
		{0xF1, 0xF3, 0x80, 0xBF, 0x80, 0xBF, 0x80, 0xBF},
		{0xF4, 0xF4, 0x80, 0x8F, 0x80, 0xBF, 0x80, 0xBF},
	} {
		k := 0
		for 2*k < len(row) && k < len(b) && b[k] >= row[2*k] && b[k] <= row[2*k+1] {
			k++
		}
		if 2*k == len(row) {
			return k, false
		}
		if k > 0 && k == len(b) {
			return 0, true
		}
	}
	return 0, false
}

func (p *plainReader) space() {
	for p.pos < len(p.src) && (p.src[p.pos] == ' ' || p.src[p.pos] == '\t' || p.src[p.pos] == '\n' || p.src[p.pos] == '\r') {
		p.pos++
		p.spaces++
	}
}

func (p *plainReader) at(c byte) bool { return p.pos < len(p.src) && p.src[p.pos] == c }

// value reads a value; own is the token of the entry that it is.
func (p *plainReader) value(own ...string) *plainNode {
	if p.pos == len(p.src) {
		p.wrong()
	}
	n := &plainNode{from: p.pos}
	p.path = append(p.path, own...)
	switch c := p.src[p.pos]; c {
	case '{', '[':
		if len(p.path) >= p.maxDepth { // as many containers are open as there are tokens
			p.fail(TooDeep, p.pos, false)
		}
		p.pos++
		before := p.spaces
		if n.kind = Array; c == '{' {
			n.kind = Object
			p.object(n)
		} else {
			p.array(n)
		}
		n.spaced = p.spaces > before
	case '"':
		n.kind = String
		p.text(n, nil)
	case 't', 'f', 'n':
		word := map[byte]string{'t': "true", 'f': "false", 'n': "null"}[c]
		n.kind = map[byte]Kind{'t': Bool, 'f': Bool, 'n': Null}[c]
		for k := range len(word) {
			if p.pos+k == len(p.src) {
				p.fail(Syntax, len(p.src), true)
			}
			if p.src[p.pos+k] != word[k] {
				p.fail(Syntax, p.pos, false)
			}
		}
		p.pos += len(word)
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		n.kind = Number
		p.number()
	case ',', ':', '}', ']':
		p.path = p.path[:len(p.path)-len(own)]
		p.wrong()
	default:
		p.wrong()
	}
	if n.kind == Number || n.kind == Bool || n.kind == Null {
		// what is glued to a word is taken for a part of it
		if p.pos < len(p.src) && plainWord(p.src[p.pos]) {
			p.wrong()
		}
	}
	n.to = p.pos
	n.raw = p.doc[n.from:n.to]
	p.path = p.path[:len(p.path)-len(own)]
	return n
}

func plainWord(c byte) bool {
	return bytes.IndexByte([]byte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-._"), c) >= 0
}

func (p *plainReader) digits() {
	from := p.pos
	for p.pos < len(p.src) && p.src[p.pos] >= '0' && p.src[p.pos] <= '9' {
		p.pos++
	}
	if p.pos > from {
		return
	}
	if p.pos < len(p.src) && !plainWord(p.src[p.pos]) && len(p.path) > 0 {
		p.path = p.path[:len(p.path)-1] // the number is over, and what follows is none of it
	}
	p.wrong()
}

func (p *plainReader) number() {
	if p.at('-') {
		p.pos++
	}
	if p.at('0') {
		p.pos++
	} else {
		p.digits()
	}
	if p.at('.') {
		p.pos++
		p.digits()
	}
	if p.at('e') || p.at('E') {
		p.pos++
		if p.at('+') || p.at('-') {
			p.pos++
		}
		p.digits()
	}
}

// text reads a string. Its faults are those of the value it is, or where it is
// a name of the container.
func (p *plainReader) text(n *plainNode, own []string) {
	p.pos++
	for {
		if p.pos == len(p.src) {
			p.fail(Syntax, p.pos, true, own...)
		}
		c := p.src[p.pos]
		if c == '"' {
			p.pos++
			return
		}
		if c < 0x20 {
			p.fail(Syntax, p.pos, false, own...)
		}
		if c != '\\' {
			size, cut := plainChar(p.src[p.pos:])
			if size == 0 {
				p.fail(Encoding, p.pos, cut, own...)
			}
			for _, r := range string(p.src[p.pos : p.pos+size]) {
				n.units = utf16.AppendRune(n.units, r)
			}
			p.pos += size
			continue
		}
		n.escaped = true
		if p.pos+1 == len(p.src) {
			p.fail(Syntax, p.pos+1, true, own...)
		}
		simple := map[byte]uint16{'"': '"', '\\': '\\', '/': '/', 'b': 8, 'f': 12, 'n': 10, 'r': 13, 't': 9}
		switch u, ok := simple[p.src[p.pos+1]]; {
		case ok:
			n.units = append(n.units, u)
			p.pos += 2
		case p.src[p.pos+1] == 'u':
			p.pos += 2
			from := p.pos
			for p.pos < from+4 {
				if p.pos == len(p.src) || bytes.IndexByte([]byte("0123456789abcdefABCDEF"), p.src[p.pos]) < 0 {
					p.wrong(own...)
				}
				p.pos++
			}
			u, err := strconv.ParseUint(string(p.src[from:p.pos]), 16, 16)
			if err != nil {
				panic(err)
			}
			n.units = append(n.units, uint16(u))
		default:
			p.fail(Syntax, p.pos, false, own...)
		}
	}
}

func (p *plainReader) array(n *plainNode) {
	p.space()
	if p.at(']') {
		p.pos++
		return
	}
	for {
		n.kids = append(n.kids, p.value(strconv.Itoa(len(n.kids))))
		p.space()
		if p.at(']') {
			p.pos++
			return
		}
		if !p.at(',') {
			p.wrong()
		}
		p.pos++
		p.space()
	}
}

func (p *plainReader) object(n *plainNode) {
	p.space()
	if p.at('}') {
		p.pos++
		return
	}
	for {
		if !p.at('"') {
			p.wrong()
		}
		name := &plainNode{kind: String, from: p.pos}
		p.text(name, nil)
		name.to = p.pos
		name.raw = p.doc[name.from:name.to]
		for _, other := range n.names {
			if sameUnits(other.units, name.units) {
				p.fail(DuplicateMember, name.from, false, pointerToken(name.units))
			}
		}
		n.names = append(n.names, name)
		p.space()
		if !p.at(':') {
			p.wrong()
		}
		p.pos++
		p.space()
		n.kids = append(n.kids, p.value(pointerToken(name.units)))
		p.space()
		if p.at('}') {
			p.pos++
			return
		}
		if !p.at(',') {
			p.wrong()
		}
		p.pos++
		p.space()
	}
}

func sameUnits(a, b []uint16) bool { return slices.Equal(a, b) }

// wtf8 is the text of UTF-16, each lone surrogate in three bytes.
func wtf8(units []uint16) string {
	var b []byte
	for i := 0; i < len(units); i++ {
		u := units[i]
		if u < 0xD800 || u > 0xDFFF {
			b = append(b, string(rune(u))...)
			continue
		}
		if u < 0xDC00 && i+1 < len(units) && units[i+1] >= 0xDC00 && units[i+1] <= 0xDFFF {
			b = append(b, string(utf16.DecodeRune(rune(u), rune(units[i+1])))...)
			i++
			continue
		}
		b = append(b, byte(0xE0|u>>12), byte(0x80|u>>6&0x3F), byte(0x80|u&0x3F))
	}
	return string(b)
}

func pointerToken(units []uint16) string {
	s := ""
	for _, c := range []byte(wtf8(units)) {
		switch c {
		case '~':
			s += "~0"
		case '/':
			s += "~1"
		default:
			s += string([]byte{c})
		}
	}
	return s
}

// child is the pointer of the k-th entry of n, which is at path.
func (n *plainNode) child(path string, k int) string {
	if n.kind == Object {
		return path + "/" + pointerToken(n.names[k].units)
	}
	return path + "/" + strconv.Itoa(k)
}

// pointerAt is the pointer of the innermost value at an offset, or of the
// member whose name is there.
func (n *plainNode) pointerAt(path string, offset int) string {
	for k, kid := range n.kids {
		if n.kind == Object && offset >= n.names[k].from && offset < n.names[k].to {
			return n.child(path, k)
		}
		if offset >= kid.from && offset < kid.to {
			return kid.pointerAt(n.child(path, k), offset)
		}
	}
	return path
}

// each calls f with n and all values below it.
func (n *plainNode) each(f func(n *plainNode)) {
	f(n)
	for _, kid := range n.kids {
		kid.each(f)
	}
}

func (n *plainNode) levels() int {
	deepest := 0
	for _, kid := range n.kids {
		deepest = max(deepest, kid.levels())
	}
	if n.kind == Object || n.kind == Array {
		deepest++
	}
	return deepest
}

// equal compares two values as JSON, numbers by their text.
func (n *plainNode) equal(m *plainNode, ordered bool) bool {
	if n.kind != m.kind || len(n.kids) != len(m.kids) {
		return false
	}
	switch n.kind {
	case String:
		return sameUnits(n.units, m.units)
	case Array:
		for k := range n.kids {
			if !n.kids[k].equal(m.kids[k], ordered) {
				return false
			}
		}
		return true
	case Object:
		for k := range n.kids {
			found := false
			for j := range m.kids {
				if sameUnits(n.names[k].units, m.names[j].units) && (!ordered || j == k) {
					found = n.kids[k].equal(m.kids[j], ordered)
				}
			}
			if !found {
				return false
			}
		}
		return true
	}
	return n.raw == m.raw
}

// respelled is a value that equals n: every unit of its strings escaped, white
// space everywhere, and the members of its objects, where turned, in the
// opposite order.
func (n *plainNode) respelled(turned bool) string {
	switch n.kind {
	case String:
		s := ""
		for _, u := range n.units {
			s += fmt.Sprintf("\\u%04X", u)
		}
		return `"` + s + `"`
	case Array:
		s := "[ "
		for k, kid := range n.kids {
			if k > 0 {
				s += " ,\n"
			}
			s += kid.respelled(turned)
		}
		return s + "\t]"
	case Object:
		s := "{ "
		for k := range n.kids {
			if k > 0 {
				s += "\r\n,"
			}
			at := k
			if turned {
				at = len(n.kids) - 1 - k
			}
			s += n.names[at].respelled(turned) + " : " + n.kids[at].respelled(turned)
		}
		return s + " }"
	}
	return n.raw
}

// plainLineColumn counts lines and columns from the start.
func plainLineColumn(src []byte, offset int) (line, column int) {
	line, column = 1, 1
	for _, c := range src[:offset] {
		column++
		if c == '\n' {
			line, column = line+1, 1
		}
	}
	return line, column
}
