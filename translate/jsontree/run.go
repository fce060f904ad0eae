package jsontree

// Run reads on through the members of the object that is open for as long as they
// are what v says: names of it, spelled without escapes, each for the first time,
// with values of their kinds. It puts the values into to, by number, and leaves the
// others there alone. Of a value that is an object it tells watch the names on its
// first level, as Watch does.
//
// It answers which numbers it has found, a bit each, and of the member at which it
// has stopped what NextOf would: its number, Other, or 0 at the end of the object,
// which it closes, and at a fault.
//
// Nearly all text of an answer is read here, so this is one loop that keeps its
// place in registers, and everything unusual leaves it.
func (r *Reader) Run(v *Vocabulary, to *Fields, watch func(key []byte, kind Kind)) (found uint32, next int) {
	if r.err != nil {
		return 0, 0
	}
	src, pos := r.src, r.pos
	f := &r.frames[len(r.frames)-1]
	before := f.seen
	seen := before // with the bit 0 set behind a first member
	if f.begun {
		seen |= 1
	}
	i, c := r.separator(pos, f.begun)
	// Within room there are a comma, a space, a quote, a name of at most seven bytes, a
	// quote, a colon, a space, the first byte of a value.
	for ; c == '"' && i+room < len(src); i, c = r.separator(i, true) {
	next: // a name begins at i, with room behind it
		head := load8(src, i+1)
		n := quoteIn(head)
		if n < 8 {
			head = shortHead(head, n)
		}
		s := v.slot(head)
		name := s.about
		if s.head != head || seen>>name.number()&1 != 0 {
			break
		}
		if n == 8 {
			if n = name.length(); i+n+room >= len(src) || load8(src, i+n-7) != s.last || load1(src, i+n+1) != '"' {
				break
			}
		}
		at := i
		i += n + 2
		first := load1(src, i+1)
		switch {
		case load1(src, i) == ':' && first > ' ':
			i++
		case load1(src, i) == ':' && first == ' ' && load1(src, i+2) > ' ':
			i += 2
			first = load1(src, i)
		default:
			i, first = r.afterColon(i)
		}
		kind := name.kind()
		if kindOf[first] != kind {
			if kind == noKind && kindOf[first] != None { // which is read by another
				next = name.number()
				seen |= 1<<next | 1
				pos, r.keySpan = i, MakeSpan(at, n+2, false)
			}
			break
		}
		value, marked := i, false
		switch kind {
		case String:
			// str by hand: most calls of it would be from here
			if n, escaped, ok := r.marks.ending(src, i+1); ok && load1(src, i+1+n) == '"' {
				i, marked = i+n+2, escaped
			} else {
				i, marked = r.farStr(i + 1)
			}
		case Object:
			r.watch, r.watchAt = watch, len(r.frames)+1
			i, marked = r.container(i)
			r.watch = nil
		case Array:
			i, marked = r.array(i, v.usual)
		case Bool:
			// without a branch for which of the two it is
			f := int(first^'t') >> 4 & 1 // 1 for false
			if load4(src, i+f) == truths[f] {
				i += len("true") + f
			} else {
				i = r.scalar(i)
			}
		default:
			i = r.scalar(i)
		}
		if i-value < name.least() {
			break // a fault, or an empty string
		}
		to[name.number()] = MakeSpan(value, i-value, marked)
		seen |= 1<<name.number() | 1
		pos = i
		if i+room < len(src) {
			switch between := load2(src, i); {
			case between == ','|'"'<<8:
				i++
				goto next
			case between == ','|' '<<8 && load1(src, i+2) == '"':
				i += 2
				goto next
			}
		}
	}
	found = seen &^ (before | 1)
	if c == '}' {
		r.pop()
		r.pos = i + 1
		return found, 0
	}
	f = &r.frames[len(r.frames)-1]
	f.seen, f.begun, r.pos = seen&^1, seen&1 != 0, pos
	if next == 0 {
		return found, r.NextOf(v)
	}
	return found &^ (1 << next), next
}

// truths are the last four bytes of true and of false.
var truths = [...]uint32{load4([]byte("true"), 0), load4([]byte("alse"), 0)}

// array is container for one that may be a usual one.
func (r *Reader) array(i int, u *Usual) (end int, spaced bool) {
	if u != nil {
		if end, spaced := r.usual(u, i); end != 0 {
			return end, spaced
		}
	}
	return r.container(i)
}

// afterColon passes over the colon behind a name and answers where the value begins
// and its first byte; 0 where there is no colon, and where white space has used up
// the room.
func (r *Reader) afterColon(i int) (at int, c byte) {
	if i, c = r.token(i); c != ':' {
		return i, 0
	}
	if i, c = r.token(i + 1); i+room >= len(r.src) {
		c = 0
	}
	return i, c
}

// separator passes over what stands before a member, begun says that it is not the
// first: where it answers a quote, the name begins at i; where it answers a brace,
// the object ends there.
func (r *Reader) separator(i int, begun bool) (at int, c byte) {
	i, c = r.token(i)
	if !begun || c == '}' {
		return i, c
	}
	if c != ',' {
		return i, 0
	}
	if i, c = r.token(i + 1); c == '}' {
		c = 0
	}
	return i, c
}
