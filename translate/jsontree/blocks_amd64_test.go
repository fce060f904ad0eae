//go:build !purego

package jsontree

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// plainMarks is what markBlocks answers of src, told by a loop over the bytes.
func plainMarks(src []byte) (stops, slashes []uint64, marked int) {
	var (
		escaped   bool // by the byte before
		digits    int  // how many must follow
		more      int  // bytes of a character
		low, high byte // between which the next of them must be
	)
	for i, c := range src {
		if i%blockLen == 0 {
			marked = i / blockLen
			stops, slashes = append(stops, 0), append(slashes, 0)
		}
		bit := uint64(1) << (i % blockLen)
		if digits > 0 {
			if digits--; hexValue[c] < 0 {
				return stops[:marked], slashes[:marked], marked
			}
		}
		stays := false // c escapes the next
		switch {
		case escaped && strings.IndexByte(`"\/bfnrtu`, c) < 0:
			return stops[:marked], slashes[:marked], marked
		case escaped && c == 'u':
			digits = 4
		case !escaped && c == '"', c < 0x20:
			stops[marked] |= bit
		case !escaped && c == '\\':
			stays = true
		}
		if escaped = stays; c == '\\' {
			slashes[marked] |= bit
		}
		if more > 0 && (c < low || c > high) || more == 0 && c&0xC0 == 0x80 {
			return stops[:marked], slashes[:marked], marked
		}
		if more > 0 {
			more--
			low, high = 0x80, 0xBF
			continue
		}
		// RFC 3629, section 4; a first byte that there is not is seen with the second
		low, high = 0x80, 0xBF
		switch {
		case c >= 0xF5 || c == 0xC0 || c == 0xC1:
			more, low, high = 1, 0xFF, 0
		case c >= 0xF0:
			more = 3
			if c == 0xF0 {
				low = 0x90
			} else if c == 0xF4 {
				high = 0x8F
			}
		case c >= 0xE0:
			more = 2
			if c == 0xE0 {
				low = 0xA0
			} else if c == 0xED {
				high = 0x9F
			}
		case c >= 0xC2:
			more = 1
		}
	}
	return stops, slashes, len(src) / blockLen
}

// checkBlocks holds markBlocks against plainMarks. Of src, spaces are added to whole
// blocks.
func checkBlocks(t *testing.T, src []byte) {
	t.Helper()
	src = append(slices.Clone(src), strings.Repeat(" ", (blockLen-len(src)%blockLen)%blockLen)...)
	blocks := len(src) / blockLen
	want, wantSlashes, wantMarked := plainMarks(src)
	if blocks == 0 {
		return
	}
	stops, slashes := make([]uint64, blocks+1), make([]uint64, blocks+1)
	for i := range stops {
		stops[i], slashes[i] = 1<<64-1, 1<<64-1
	}
	doc := append([]byte(`[["`), src...)
	marked := markBlocks(&doc[lookBack], blocks, &stops[0], &slashes[0])
	if marked != wantMarked || !slices.Equal(stops[:marked+1], append(want, 0)) || !slices.Equal(slashes[:marked+1], append(wantSlashes, 0)) {
		t.Fatalf("%q: %d blocks\n%x\n%x, want %d\n%x\n%x", src, marked, stops[:marked+1], slashes[:marked+1], wantMarked, want, wantSlashes)
	}
}

// blockPieces are what texts are made of to try the blocks with.
var blockPieces = []string{`"`, `\"`, `\\`, `\`, `\u00e9`, `\u`, `\u1`, `\u12`, `\u123`, `\ux123`, `\u0x23`, `\u01x3`, `\u012x`, `\uD83D\uDE00`, `\n`, `\x`, "\n", "\x00", "\x1f", " ", ": ", `", "`, "word", "a longer run of words",
	"é", "€", "\U0001F600", "\xff", "\xc3", "\xe2\x82", "\xed\xa0\x80", "\xed\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xe0\x9f\xbf",
	"\xc0\x80", "\xc1\xbf", "\xf5\x80\x80\x80", "\x80", "\x7f", strings.Repeat("x", 61), strings.Repeat(`\`, 63), strings.Repeat(`\`, 64)}

// TestBlocks holds markBlocks against a loop over the bytes, of every piece at every
// place about the end of a block, and of many mixtures.
func TestBlocks(t *testing.T) {
	if !byBlocks {
		t.Skip("the processor has no AVX2")
	}
	for _, piece := range blockPieces {
		for at := range 2 * blockLen {
			for _, after := range []string{"", `"`, "0123", "é"} {
				checkBlocks(t, []byte(strings.Repeat("a", at)+piece+after))
			}
		}
	}
	for lead := range 256 { // every beginning of a character
		for second := range 256 {
			for _, rest := range []string{"a", "\x80", "\x80\x80", "\x80\x80\x80"} {
				checkBlocks(t, append([]byte(strings.Repeat("a", 40+second%25)), string([]byte{byte(lead), byte(second)})+rest...))
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		checkBlocks(t, mixture(rng, blockPieces, 1+rng.IntN(12)))
	}
}

func mixture(rng *rand.Rand, pieces []string, n int) (text []byte) {
	for range n {
		text = append(text, pieces[rng.IntN(len(pieces))]...)
	}
	return text
}

func FuzzBlocks(f *testing.F) {
	if !byBlocks {
		f.Skip("the processor has no AVX2")
	}
	for _, piece := range blockPieces {
		f.Add([]byte(strings.Repeat("a", 62) + piece + `"`))
	}
	f.Fuzz(checkBlocks)
}

// TestMarks holds that the marks answer of every string of a text what the bytes say,
// wherever their piece ends.
func TestMarks(t *testing.T) {
	if !byBlocks {
		t.Skip("the processor has no AVX2")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	sound := []string{`\"`, `\\`, `\u00e9`, `\n`, " ", "word", "a longer run of words", "é", "€", "\U0001F600", strings.Repeat("x", 61), strings.Repeat("long ", 300)}
	for range 300 {
		src := []byte("[")
		type str struct{ from, to int }
		var all []str
		for range 1 + rng.IntN(100) {
			src = append(src, "\n \""...)
			from := len(src)
			src = append(src, mixture(rng, sound, rng.IntN(9))...)
			src = append(src, `",`...)
			all = append(all, str{from, len(src) - 1})
		}
		for src := range fenced(src) {
			var m marks
			seen := 0
			for _, s := range all {
				escaped := bytes.IndexByte(src[s.from:s.to], '\\') >= 0
				if n, esc, ok := m.ending(src, s.from); ok && (s.from+n+1 != s.to || esc != escaped) {
					t.Fatalf("%q from %d: %d %v, want %d %v", src, s.from, s.from+n+1, esc, s.to, escaped)
				} else if ok {
					seen++
				}
				if end, esc := m.find(src, s.from); end != 0 && (end != s.to || esc != escaped) {
					t.Fatalf("%q from %d: found %d %v, want %d %v", src, s.from, end, esc, s.to, escaped)
				} else if end == 0 && s.to-s.from < markedBlocks*blockLen-blockLen && len(src)-s.from > s.to-s.from+blockLen {
					t.Fatalf("%q from %d: not found", src, s.from)
				}
			}
			if len(all) > 20 && seen < len(all)/4 {
				t.Fatalf("only %d of %d strings were seen at once", seen, len(all))
			}
		}
	}
}

// TestCompactFast holds that compactFast drops what AppendCompact drops without it,
// wherever blocks end, and writes nothing before its place.
func TestCompactFast(t *testing.T) {
	if !byBlocks {
		t.Skip("the processor has no AVX2")
	}
	rng := rand.New(rand.NewPCG(5, 6))
	tokens := []string{"{", "}", "[", "]", ":", ",", "true", "-1.5e3", `""`, `" "`, `"\""`, `"\\"`, `" \\\" "`, `"a b  c"`, " ", " ", "\n", "\r\n\t", strings.Repeat(" ", 70),
		`"` + strings.Repeat("long text ", 30) + `"`, `"` + strings.Repeat(`\\`, 40) + ` "`, `"` + strings.Repeat("é ", 2500) + `"`}
	for k := range 4000 {
		raw := mixture(rng, tokens, 1+rng.IntN(40+k%100))
		want := AppendCompact([]byte("before"), slices.Clip(raw))
		behind := append(slices.Clone(raw), mixture(rng, tokens, 20)...)
		behind = append(behind, make([]byte, Behind)...)
		for behind := range fenced(behind[:len(raw)+Behind]) {
			for _, room := range []int{len(raw) + Behind, 2*len(raw) + 1000, 0} {
				got, ok := compactFast(append(make([]byte, 0, len("before")+room), "before"...), behind[:len(raw)])
				if ok && string(got) != string(want) {
					t.Fatalf("%q\n%q, want\n%q", raw, got, want)
				}
				if !ok && (room > 0 || len(raw) >= 64*blockLen) {
					t.Fatalf("%q: nothing done with room for %d", raw, room)
				}
			}
		}
		if _, ok := compactFast(make([]byte, 0, 1<<20), behind[:len(raw):len(raw)+Behind-1]); ok {
			t.Fatalf("%q: read beyond its memory", raw)
		}
	}
}
