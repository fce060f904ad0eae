package jsontree

import (
	"bytes"
	"hash/maphash"
)

// Digest tells raw values apart by what they say: two have the same Digest when
// they are equal as JSON, white space and the spelling of strings aside. Numbers
// are taken by their text. Digests hold within one process.
type Digest struct{ a, b uint64 }

var digestSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func digestOf(b []byte) Digest {
	return Digest{maphash.Bytes(digestSeeds[0], b), maphash.Bytes(digestSeeds[1], b)}
}

func mix(h, v uint64) uint64 {
	h = (h ^ v) * 0x9e3779b97f4a7c15
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return h ^ h>>32
}

// DigestOf is the Digest of a raw value that a Reader has passed. The order of
// members counts only where ordered says so. Its cost is proportional to the
// length of the value.
func DigestOf(raw []byte, ordered bool) Digest {
	type open struct {
		object bool
		key    Digest
		sum    Digest
	}
	var levels [8]open // most values nest no deeper, and need no memory
	stack := levels[:0]
	var scratch []byte
	text := func(s []byte) Digest {
		inner := Inner(s)
		if bytes.IndexByte(inner, '\\') >= 0 {
			scratch = appendUnescaped(scratch[:0], inner)
			inner = scratch
		}
		d := digestOf(inner)
		return Digest{mix(d.a, 's'), mix(d.b, 's')}
	}
	for i := 0; i < len(raw); {
		var d Digest
		switch c := raw[i]; c {
		case ' ', '\n', '\t', '\r', ',', ':':
			i++
			continue
		case '{', '[':
			stack = append(stack, open{object: c == '{', sum: Digest{uint64(c), uint64(c)}})
			i++
			continue
		case '}', ']':
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			d = Digest{mix(top.sum.a, 'e'), mix(top.sum.b, 'e')} // not c: '{'^'}' is '['^']'
			i++
		case '"':
			end := stringEnd(raw, i)
			d = text(raw[i:end])
			i = end
			if len(stack) > 0 && stack[len(stack)-1].object {
				if k := skipSpace(raw, end); k < len(raw) && raw[k] == ':' {
					stack[len(stack)-1].key = d
					i = k + 1
					continue
				}
			}
		default:
			end := valueEnd(raw, i)
			d = digestOf(raw[i:end])
			i = end
		}
		if len(stack) == 0 {
			return d
		}
		top := &stack[len(stack)-1]
		switch {
		case top.object && ordered:
			top.sum = Digest{mix(mix(top.sum.a, top.key.a), d.a), mix(mix(top.sum.b, top.key.b), d.b)}
		case top.object:
			top.sum.a += mix(mix(top.key.a, 'k'), d.a) // mix alone does not tell its arguments apart
			top.sum.b += mix(mix(top.key.b, 'k'), d.b)
		default:
			top.sum = Digest{mix(top.sum.a+1, d.a), mix(top.sum.b+1, d.b)}
		}
	}
	return Digest{}
}
