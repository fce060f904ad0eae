package model

import "encoding/binary"

// key is a text of at most maxKey bytes as three numbers, so that two are compared,
// and one is hashed, without a loop over bytes that ends at another turn for each.
type key struct{ a, b, c uint64 }

const maxKey = 23

// keyOf is the key of a text of at most maxKey bytes. Of a text that lies in a
// document it reads what comes behind, which does not count.
func keyOf(text []byte) key {
	n := len(text)
	if cap(text) < len(keyMasks) {
		text = append(make([]byte, 0, len(keyMasks)), text...)
	}
	w, m := text[:len(keyMasks)], &keyMasks[n]
	return key{
		binary.LittleEndian.Uint64(w) & m.a,
		binary.LittleEndian.Uint64(w[8:]) & m.b,
		binary.LittleEndian.Uint64(w[16:])&m.c | uint64(n)<<56,
	}
}

// keyMasks has a bit for each bit of a text, by its length.
var keyMasks = func() (masks [maxKey + 1]key) {
	for n := range masks {
		var b [maxKey + 1]byte
		for i := range n {
			b[i] = 0xFF
		}
		masks[n] = key{binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:])}
	}
	return masks
}()
