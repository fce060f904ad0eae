package model

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxFolded bounds the words that Fold takes: no word of a vocabulary is longer.
const maxFolded = 40

// Folded is a word as words are compared: without spaces, hyphens and
// underscores, without a leading AX before a capital, and in lower case (ASCII).
type Folded struct {
	buf [maxFolded]byte
	n   int
	ok  bool // the word was short enough
}

// Bytes is the folded word, nil where it was too long for any vocabulary.
func (f *Folded) Bytes() []byte {
	if !f.ok {
		return nil
	}
	return f.buf[:f.n]
}

// Fold folds a word.
func Fold(word []byte) (f Folded) {
	for _, c := range word {
		if c == ' ' || c == '-' || c == '_' {
			continue
		}
		if f.n == maxFolded {
			return f
		}
		f.buf[f.n] = c
		f.n++
	}
	f.ok = true
	b := f.buf[:f.n]
	if len(b) > 2 && b[0] == 'A' && b[1] == 'X' && b[2] >= 'A' && b[2] <= 'Z' {
		f.n = copy(b, b[2:])
		b = f.buf[:f.n]
	}
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return f
}

// LookUp tries a word, folded, and where it is not known the part of it after
// the last dot, slash or colon.
func LookUp[T any](word []byte, find func(folded []byte) (T, bool)) (T, bool) {
	f := Fold(word)
	if v, ok := find(f.Bytes()); ok {
		return v, true
	}
	if i := bytes.LastIndexAny(word, "./:"); i >= 0 {
		f = Fold(word[i+1:])
		return find(f.Bytes())
	}
	var none T
	return none, false
}

// secureWords are the words that make an element secure, folded.
var secureWords = map[string]bool{
	"password": true, "passwordfield": true, "securetextfield": true, "secure": true, "secret": true,
	"passcode": true, "pincode": true, "otp": true, "cvv": true, "credential": true, "credentials": true,
}

// SecureWords are the built-in words that make an element secure, sorted.
func SecureWords() []string { return slices.Sorted(maps.Keys(secureWords)) }

// Words is the vocabulary of secure words, with those that a user adds. The zero
// Words holds the built-in ones.
type Words struct {
	more  map[string]bool
	added string // the added words, which tell vocabularies apart
}

// NewWords adds words to the built-in ones.
func NewWords(more []string) Words {
	if len(more) == 0 {
		return Words{}
	}
	w := Words{make(map[string]bool, len(more)), strings.Join(more, "\x00")}
	for _, word := range more {
		f := Fold([]byte(word))
		if b := f.Bytes(); len(b) > 0 {
			w.more[string(b)] = true
		}
	}
	return w
}

// Same reports whether both are the same vocabulary.
func (w Words) Same(o Words) bool { return w.added == o.added }

func (w Words) find(folded []byte) (bool, bool) {
	ok := secureWords[string(folded)] || w.more[string(folded)]
	return ok, ok
}

// Secure reports whether a word, or a token of it between white space, is a
// secure word.
func (w Words) Secure(word []byte) bool {
	if ok, _ := LookUp(word, w.find); ok {
		return true
	}
	for tokens := word; len(tokens) > 0; {
		var token []byte
		token, tokens = NextToken(tokens)
		if len(token) == len(word) {
			return false
		}
		if ok, _ := LookUp(token, w.find); ok {
			return true
		}
	}
	return false
}

// NextToken is the first run of text without white space, and what follows it.
// White space is that of Unicode.
func NextToken(text []byte) (token, rest []byte) {
	i := 0
	for i < len(text) {
		n := spaceLen(text[i:])
		if n == 0 {
			break
		}
		i += n
	}
	text = text[i:]
	for i = 0; i < len(text); {
		if spaceLen(text[i:]) > 0 {
			break
		}
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, n := utf8.DecodeRune(text[i:])
		i += n
	}
	return text[:i], text[i:]
}

// spaceLen is the length of the white space character that text begins with, or
// 0.
func spaceLen(text []byte) int {
	c := text[0]
	if c < utf8.RuneSelf {
		if c == ' ' || c >= '\t' && c <= '\r' {
			return 1
		}
		return 0
	}
	r, n := utf8.DecodeRune(text)
	if unicode.Is(unicode.White_Space, r) {
		return n
	}
	return 0
}

// Memo remembers what was found of short words of late. The zero Memo is ready.
type Memo[T any] struct {
	sets [128][2]struct { // the newer one first
		key   key
		value T
	}
}

// Of is what is known of a word, by asking find where it is not remembered.
func (m *Memo[T]) Of(word []byte, find func(word []byte) T) T {
	if len(word) == 0 || len(word) > maxKey {
		return find(word)
	}
	k := keyOf(word)
	set := &m.sets[(k.a^k.b^k.c)*0x9e3779b97f4a7c15>>57]
	if set[0].key == k {
		return set[0].value
	}
	if set[1].key != k {
		set[1] = set[0]
		set[0].key, set[0].value = k, find(word)
		return set[0].value
	}
	return set[1].value
}

// Forget makes the memo empty.
func (m *Memo[T]) Forget() { *m = Memo[T]{} }
