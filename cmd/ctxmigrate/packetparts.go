package main

import (
	"strconv"

	"ctxmigrate/translate"
	"ctxmigrate/translate/jsontree"
)

// parts are where in a packet its target and its surroundings are told of. Of
// answers there are none.
type parts struct {
	list []part
	rest []part // history and sources, which are nothing on the screen
}

type part struct {
	name     string
	from, to uint32
}

// find finds the parts of a document.
func (p *parts) find(src []byte, form translate.Form) {
	p.list, p.rest = p.list[:0], p.rest[:0]
	if form != translate.Askable {
		return
	}
	packet, at := object(src)
	jsontree.MembersAt(packet, func(n, nEnd, v, vEnd int) bool {
		switch name := string(jsontree.Unquote(packet[n:nEnd])); {
		case name == "target":
			p.list = append(p.list, part{name, uint32(at + v), uint32(at + vEnd)})
		case name == "surrounding" && packet[v] == '{':
			p.surrounding(packet[v:vEnd], at+v)
		}
		return true
	})
}

func (p *parts) surrounding(raw []byte, at int) {
	jsontree.MembersAt(raw, func(n, nEnd, v, vEnd int) bool {
		one := part{from: uint32(at + v), to: uint32(at + vEnd)}
		switch one.name = string(jsontree.Unquote(raw[n:nEnd])); one.name {
		case "ancestors":
			one.name = "ancestor"
			p.list = append(p.list, one)
		case "nearby", "visible":
			p.list = append(p.list, one)
		case "history", "sources":
			p.rest = append(p.rest, one)
		}
		return true
	})
}

// object is the outermost object of a document that was read, and where it begins.
func object(src []byte) ([]byte, int) {
	for i, c := range src {
		if c == '{' {
			return src[i:], i
		}
	}
	return []byte("{}"), 0
}

// of is the part that a place lies in, or "".
func (p *parts) of(at uint32) string {
	for _, o := range p.list {
		if at >= o.from && at < o.to {
			return o.name
		}
	}
	return ""
}

// appendCapture appends how a packet was captured, and its privacy.
func (p *parts) appendCapture(dst, src []byte) []byte {
	if p.list == nil && p.rest == nil {
		return dst
	}
	packet, _ := object(src)
	if !jsontree.EqualText(jsontree.Member(packet, "protocol"), "askable.context") {
		return dst
	}
	for _, w := range []struct{ object, name, says string }{
		{"capture", "mode", ", "}, {"capture", "gesture", " by "}, {"privacy", "consent", ", consent "}, {"privacy", "redacted", ""},
	} {
		v := jsontree.Member(jsontree.Member(packet, w.object), w.name)
		switch jsontree.KindOf(v) {
		case jsontree.String:
			dst = append(append(dst, w.says...), shown(string(jsontree.Unquote(v)), false)...)
		case jsontree.Bool:
			if v[0] == 't' {
				dst = append(dst, ", redacted"...)
			}
		}
	}
	return dst
}

// appendRest appends how much there is of what is nothing on the screen.
func (p *parts) appendRest(dst, src []byte) []byte {
	for _, o := range p.rest {
		list := src[o.from:o.to]
		if list[0] != '[' {
			continue
		}
		n := 0
		jsontree.Entries(list, func([]byte) bool { n++; return true })
		dst = append(append(append(dst, '('), o.name...), ": "...)
		dst = append(strconv.AppendInt(dst, int64(n), 10), ")\n"...)
	}
	return dst
}
