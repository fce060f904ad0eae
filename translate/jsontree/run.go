package jsontree

// Run reads on through the members of the object that is open for as long as they
// are what v says: names of it, spelled without escapes, each for the first time,
// with values of their kinds. It puts the values into to, by number, and leaves the
// others there alone. Of a value that is an object it tells watch the names on its
// first level, as Watch does.
//
// It answers which numbers it has found, a bit each, and true at the end of the
// object, which it closes. Otherwise it stands before a member that is something
// else, or before a fault, and NextOf with the same vocabulary goes on.
//
// Nearly all text of an answer is read here, so this is one loop that keeps its
// place in registers, and everything unusual leaves it.
func (r *Reader) Run(v *Vocabulary, to *Fields, watch func(key []byte, kind Kind)) (found uint32, end bool) {
	if r.err != nil {
		return 0, false
	}
	src, pos := r.src, r.pos
	f := &r.frames[len(r.frames)-1]
	before := f.seen
	seen := before // with the bit 0 set behind a first member
	if f.begun {
		seen |= 1
	}
	i, c := r.separator(pos, f.begun)
	// room is what is looked at without asking whether the text ends: a quote, a name
	// of at most seven bytes, a quote, a colon, a space, the first byte of a value.
	const room = 16
	for c == '"' && i+room < len(src) {
		head := load8(src, i+1)
		n := quoteIn(head)
		if n < 8 {
			head = shortHead(head, n)
		}
		s := v.slot(head)
		if s.head != head || seen>>(s.number&MaxNames)&1 != 0 {
			break
		}
		switch {
		case n == 8:
			if n += int(s.tail); i+n+2 >= len(src) || src[i+n+1] != '"' || v.names[s.number&MaxNames].Name[8:] != string(src[i+9:i+n+1]) {
				c = 0
			} else {
				i, c = r.afterColon(i + n + 2)
			}
		case load1(src, i+n+2) == ':' && load1(src, i+n+3) > ' ':
			i += n + 3
			c = load1(src, i)
		case load1(src, i+n+2) == ':' && load1(src, i+n+3) == ' ' && load1(src, i+n+4) > ' ':
			i += n + 4
			c = load1(src, i)
		default:
			i, c = r.afterColon(i + n + 2)
		}
		kind := kindOf[c]
		if c = 0; kind != s.kind {
			break
		}
		value, number, marked := i, s.number, false
		switch s.kind {
		case String:
			if s.word {
				i, marked = r.shortStr(i + 1)
			} else {
				i, marked = r.str(i + 1)
			}
		case Object:
			r.watch, r.watchAt = watch, len(r.frames)+1
			i, marked = r.container(i)
			r.watch = nil
		case Array:
			i, marked = r.container(i)
		default:
			i = r.scalar(i)
		}
		if i-value < int(v.names[number&MaxNames].least) {
			break // a fault, or an empty string
		}
		to[number&MaxNames] = MakeSpan(value, i-value, marked)
		seen |= 1<<(number&MaxNames) | 1
		pos = i
		if i+room < len(src) && load1(src, i) == ',' {
			if c = load1(src, i+1); c == '"' {
				i++
				continue
			} else if c == ' ' && load1(src, i+2) == '"' {
				i, c = i+2, '"'
				continue
			}
		}
		i, c = r.separator(i, true)
	}
	if c == '}' {
		r.pop()
		r.pos = i + 1
		return seen &^ (before | 1), true
	}
	f = &r.frames[len(r.frames)-1]
	f.seen, f.begun, r.pos = seen&^1, seen&1 != 0, pos
	return f.seen &^ before, false
}

// afterColon passes over the colon behind a name and answers where the value begins
// and its first byte; 0 where there is no colon.
func (r *Reader) afterColon(i int) (at int, c byte) {
	if i, c = r.token(i); c != ':' {
		return i, 0
	}
	return r.token(i + 1)
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
