package translate

import (
	"slices"

	"ctxmigrate/translate/carry"
	"ctxmigrate/translate/jsontree"
)

// withheldSource appends the source as a packet may carry it: whole, but for what is
// withheld.
func (c *Converter) withheldSource(dst []byte) ([]byte, error) {
	if !c.snap.Secure || c.opts.KeepSecure {
		return c.appendSource(dst), nil
	}
	doc := c.appendSource(nil)
	other := V020
	if c.from == V020 {
		other = V01
	}
	var there Converter
	o := c.opts.neutral()
	o.Lossless = true
	mid, err := there.Append(nil, doc, other, o)
	if err != nil {
		return dst, err
	}
	return there.Append(dst, mid, c.from, o)
}

// appendSource appends the source on one line. A small one is copied first, since
// that is quicker than to look at each byte at its end.
func (c *Converter) appendSource(dst []byte) []byte {
	const small, behind = 1 << 20, 128
	src := c.src[c.start():]
	if len(src) < small {
		c.scratch = append(slices.Grow(c.scratch[:0], len(src)+behind), src...)
		src = c.scratch
	}
	return jsontree.AppendCompact(dst, src)
}

// keepPacket puts the source into the packet that out ends with, from from on: into
// the metadata of its target, or into an entry of sources that is made for it.
func (c *Converter) keepPacket(out []byte, from int) ([]byte, error) {
	packet := out[from:]
	mark := carry.Fingerprint(packet)
	at, before, after, ok := carryingSpot(packet)
	if !ok {
		doc, err := c.withheldSource(nil)
		if err != nil {
			return out, err
		}
		value := append([]byte(`{"v":1,"of":"`+c.from.String()+`","for":"`+mark+`","document":`), doc...)
		return putIntoTarget(out[:from], append([]byte(nil), packet...), append(value, '}')), nil
	}
	c.tail = append(c.tail[:0], packet[at:]...)
	out = append(out[:from+at], before...)
	out = append(out, `{"v":1,"of":"`...)
	out = append(out, c.from.String()...)
	out = append(out, `","for":"`...)
	out = append(out, mark...)
	out = append(out, `",`...)
	if out[from+at-1] == '{' && before == carryingName {
		out = append(out, `"empty":true,`...) // the metadata was there
	}
	out = append(out, `"document":`...)
	out, err := c.withheldSource(out)
	if err != nil {
		return out, err
	}
	return append(append(append(out, '}'), after...), c.tail...), nil
}

const (
	carryingName  = `"` + carry.Name + `":`
	carryingEntry = `{"label":"` + carry.Name + `","metadata":{` + carryingName
)

// carryingSpot is where a packet that was just written takes a member that carries,
// and what stands before its value and behind it. It answers false where its target
// has a member of that name.
func carryingSpot(packet []byte) (at int, before, after string, ok bool) {
	all := spot{text: packet, to: len(packet)}
	if target, is := all.member("target"); is {
		metadata, is := target.member("metadata")
		switch {
		case !is:
			return target.to - 1, target.comma() + `"metadata":{` + carryingName, "}", true
		case packet[metadata.from] == '{':
			_, is = metadata.member(carry.Name)
			return metadata.to - 1, metadata.comma() + carryingName, "", !is
		}
	}
	around, is := all.member("surrounding")
	if !is {
		privacy, _ := all.member("privacy") // surrounding stands before it
		return privacy.name, `"surrounding":{"sources":[` + carryingEntry, `}}]},`, true
	}
	if sources, is := around.member("sources"); is {
		return sources.to - 1, sources.comma() + carryingEntry, "}}", true
	}
	return around.to - 1, around.comma() + `"sources":[` + carryingEntry, "}}]", true
}

// spot is a value in text that has no white space between tokens.
type spot struct {
	text           []byte
	name, from, to int // name is where that of the member begins
}

// comma is what stands before another member or entry of it.
func (s spot) comma() string {
	if s.to-s.from == len("{}") {
		return ""
	}
	return ","
}

// member is the member of that name.
func (s spot) member(name string) (m spot, ok bool) {
	object := s.text[s.from:s.to]
	jsontree.MembersAt(object, func(n, nameEnd, v, end int) bool {
		if ok = jsontree.EqualText(object[n:nameEnd], name); ok {
			m = spot{s.text, s.from + n, s.from + v, s.from + end}
		}
		return !ok
	})
	return m, ok
}

// putIntoTarget appends a packet whose target has a member of the name that carries
// already, which is then carried too.
func putIntoTarget(dst, packet, value []byte) []byte {
	list := carry.MembersOf(packet)
	t := carry.Index(list, "target")
	target := carry.MembersOf(list[t].Value)
	m := carry.Index(target, "metadata")
	target[m].Value = carry.AppendMembers(nil, carry.Put(carry.MembersOf(target[m].Value), value))
	list[t].Value = carry.AppendMembers(nil, target)
	return carry.AppendMembers(dst, list)
}
