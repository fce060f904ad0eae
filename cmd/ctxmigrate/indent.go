package main

import "ctxmigrate/translate/jsontree"

// deepest is the level from which on nothing is indented further. Without such
// an end the white space of a chain would take the square of its length.
const deepest = 64

// appendIndented appends a raw value that a reader has passed, with each entry
// and member on a line of its own. No token is altered. White space may come to
// many times the text, so what was gathered goes to spill now and then, which
// answers where to go on.
func appendIndented(dst, raw []byte, spill func([]byte) []byte) []byte {
	level := 0
	line := func() {
		if len(dst) > flushSize {
			dst = spill(dst)
		}
		dst = append(dst, '\n')
		for range min(level, deepest) {
			dst = append(dst, ' ', ' ')
		}
	}
	for i := 0; i < len(raw); {
		switch c := raw[i]; c {
		case ' ', '\n', '\r', '\t':
			i++
		case '"':
			end := jsontree.StringEnd(raw, i)
			dst = append(dst, raw[i:end]...)
			i = end
		case '{', '[':
			dst = append(dst, c)
			for i++; raw[i] <= ' '; i++ {
			}
			if raw[i] == c+2 {
				dst = append(dst, raw[i])
				i++
				continue
			}
			level++
			line()
		case '}', ']':
			level--
			line()
			dst = append(dst, c)
			i++
		case ',':
			dst = append(dst, c)
			line()
			i++
		case ':':
			dst = append(dst, ':', ' ')
			i++
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}
