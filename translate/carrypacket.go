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
	const small = 1 << 20
	src := c.src[c.start():]
	if len(src) < small {
		c.scratch = append(slices.Grow(c.scratch[:0], len(src)+jsontree.Behind), src...)
		src = c.scratch
	}
	return jsontree.AppendCompact(dst, src)
}

// keepPacket puts the source into the packet that out ends with, from from on: into
// the metadata of its target, or into an entry of sources that is made for it.
func (c *Converter) keepPacket(out []byte, from int) ([]byte, error) {
	packet := out[from:]
	mark := carry.Fingerprint(packet)
	g := carryingGap(packet)
	c.plainly = append(c.plainly[:0], packet[g.from:]...)
	own, rest := c.plainly[:g.to-g.from], c.plainly[g.to-g.from:]
	out = append(append(out[:from+g.from], g.before...), `{"v":1,"of":"`...)
	out = append(append(out, c.from.String()...), `","for":"`...)
	out = append(append(out, mark...), `",`...)
	if g.empty {
		out = append(out, `"empty":true,`...)
	}
	out, err := c.withheldSource(append(out, `"document":`...))
	if err != nil {
		return out, err
	}
	if len(own) > 0 {
		out = append(append(append(out, `,"`+carry.Own+`":{`...), own...), '}')
	}
	return append(append(append(out, '}'), g.behind...), rest...), nil
}

const (
	carryingName  = `"` + carry.Name + `":`
	carryingEntry = `{"label":"` + carry.Name + `","metadata":{` + carryingName
)

// gap is where a packet takes a value that carries.
type gap struct {
	from, to       int // a member of the name that carries, in whose place it comes; else one offset twice
	before, behind string
	empty          bool // it goes into an object that was empty
}

// carryingGap is where a packet that was just written takes what it carries.
func carryingGap(packet []byte) gap {
	all := spot{text: packet, to: len(packet)}
	if target, is := all.member("target"); is {
		metadata, is := target.member("metadata")
		if !is {
			return target.end(`"metadata":{`+carryingName, "}")
		}
		if packet[metadata.from] == '{' {
			if own, is := metadata.member(carry.Name); is {
				return gap{from: own.name, to: own.to, before: carryingName}
			}
			g := metadata.end(carryingName, "")
			g.empty = metadata.empty()
			return g
		}
	}
	around, is := all.member("surrounding")
	if !is {
		privacy, _ := all.member("privacy") // surrounding stands before it
		return gap{from: privacy.name, to: privacy.name, before: `"surrounding":{"sources":[` + carryingEntry, behind: `}}]},`}
	}
	if sources, is := around.member("sources"); is {
		return sources.end(carryingEntry, "}}")
	}
	return around.end(`"sources":[`+carryingEntry, "}}]")
}

// spot is a value in text that has no white space between tokens.
type spot struct {
	text           []byte
	name, from, to int // name is where that of the member begins
}

func (s spot) empty() bool { return s.to-s.from == len("{}") }

// end is the gap at the end of an object or a list.
func (s spot) end(before, behind string) gap {
	if !s.empty() {
		before = "," + before
	}
	return gap{from: s.to - 1, to: s.to - 1, before: before, behind: behind}
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
