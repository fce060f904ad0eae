package translate

import "bytes"

// maskAll masks a document of which nobody knows what is secure in it. What may be
// seen is what tells nothing: brackets, commas, colons, quotes, white space, and the
// names that the forms give to members. From its first fault on not even those can be
// told from what stands in a string, as where a quote is missing, so that of the rest
// one character at the most is shown, the one at fault.
func (k *Checker) maskAll(src []byte) {
	v := veil{src: src, masked: k.masked}
	k.reader.Reset(src, k.opts.MaxDepth)
	k.reader.Skip()
	k.reader.End()
	fault := len(src)
	if e := k.reader.Err(); e != nil {
		fault = min(e.Offset, len(src))
	}
	if bytes.HasPrefix(src[:fault], []byte("\ufeff")) {
		v.show(0, len("\ufeff"))
	}
	for v.next < fault {
		v.token(fault)
	}
	if fault < len(src) && bytes.IndexByte([]byte(`{}[],:"`), src[fault]) >= 0 {
		v.show(fault, fault+1)
	}
	v.show(len(src), len(src))
	k.masked = v.masked
}

// veil goes through a text and masks what it was not told to show.
type veil struct {
	src    []byte
	shown  int // up to where the text is shown, or masked
	next   int // where the next token begins
	masked []Masked
}

// show shows a part, and masks what lies before it.
func (v *veil) show(from, to int) {
	if from > v.shown {
		v.masked = append(v.masked, Masked{v.shown, from})
	}
	v.shown, v.next = to, max(v.next, to)
}

// token shows of the next token what may be seen of it. It looks at nothing from the
// fault on.
func (v *veil) token(fault int) {
	i := v.next
	switch v.src[i] {
	case '{', '}', '[', ']', ',', ':', ' ', '\t', '\r', '\n':
		v.show(i, i+1)
	case '"':
		v.show(i, i+1)
		v.text(fault)
	default:
		v.next++
	}
}

// text shows the name of a member of the forms, and the quote at the end of any
// string, where the string ends before the fault.
func (v *veil) text(fault int) {
	from, end := v.next, v.next
	for end < fault && v.src[end] != '"' {
		if v.src[end] == '\\' {
			end++
		}
		end++
	}
	if v.next = end; end >= fault {
		v.next = fault
		return
	}
	colon := afterSpace(v.src, end+1)
	if colon < fault && v.src[colon] == ':' && FormMember(string(v.src[from:end])) {
		v.show(from, end)
	}
	v.show(end, end+1)
}
