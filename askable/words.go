package askable

import (
	_ "embed"
	"strings"
	"sync"

	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

//go:embed aria-roles.tsv
var ariaTSV string

//go:embed role-to-aria.tsv
var toAriaTSV string

// ariaRoles are the roles of words, read when a packet first asks for one.
var ariaRoles = sync.OnceValue(func() map[string]model.Role {
	m := make(map[string]model.Role, 80)
	for word, role := range rows(ariaTSV) {
		m[word] = model.ParseRole([]byte(role))
	}
	return m
})

// ariaWords are the words that the roles are written as.
var ariaWords = func() (words [model.Document + 1]string) {
	for role, word := range rows(toAriaTSV) {
		words[model.ParseRole([]byte(role))] = word
	}
	return words
}()

func rows(tsv string) func(yield func(a, b string) bool) {
	return func(yield func(a, b string) bool) {
		_, tsv, _ = strings.Cut(tsv, "\n")
		for line := range strings.Lines(tsv) {
			a, b, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
			if !yield(a, b) {
				return
			}
		}
	}
}

// roleOf is the role of a packet's role words: that of the first token known,
// without ASCII case, else Group.
func roleOf(words []byte) model.Role {
	var buf [32]byte
	for len(words) > 0 {
		var token []byte
		token, words = model.NextToken(words)
		if len(token) > len(buf) {
			continue
		}
		lower := buf[:copy(buf[:], token)]
		for i, c := range lower {
			if c >= 'A' && c <= 'Z' {
				lower[i] = c | 0x20
			}
		}
		if r, ok := ariaRoles()[string(lower)]; ok {
			return r
		}
	}
	return model.Group
}

// Modes of capture, with what they say of the target.
type modeClass uint8

const (
	byGesture modeClass = iota // custom, and words that are not known
	selecting                  // the user selected or marked the target
	wholePage
	pointing
)

var modes = map[string]modeClass{
	"text-selection": selecting, "region": selecting, "lasso": selecting, "circle": selecting,
	"viewport": wholePage, "full-page": wholePage,
	"element-focus": pointing, "semantic": pointing,
	"custom": byGesture,
}

// What a gesture does to a target, where the mode leaves it to the gesture.
type effect uint8

const (
	nothing effect = iota
	focuses
	selects
	hovers
)

var gestures = map[string]effect{
	"click": focuses, "focus": focuses, "keyboard": focuses,
	"drag": selects, "circle": selects, "lasso": selects,
	"hover": hovers, "programmatic": nothing, "custom": nothing,
}

// modeOf is what the mode and the gesture of a raw capture say.
func modeOf(capture []byte) (modeClass, effect) {
	class, does := byGesture, nothing
	if v := jsontree.Member(capture, "mode"); jsontree.KindOf(v) == jsontree.String {
		class = modes[string(jsontree.Unquote(v))]
	}
	if v := jsontree.Member(capture, "gesture"); jsontree.KindOf(v) == jsontree.String {
		does = gestures[string(jsontree.Unquote(v))]
	}
	return class, does
}

// effectOf is what is done to a target: by the mode first, else by the gesture.
func effectOf(class modeClass, does effect) effect {
	switch {
	case class == selecting:
		return selects
	case class == wholePage:
		return nothing
	case class == pointing && does != hovers:
		return focuses
	}
	return does
}

// IsConsent reports whether a word is one that a privacy may have for its consent.
func IsConsent(word string) bool { return consents[word] }

// IsMethod reports whether a word is one that a provenance may have for its method.
func IsMethod(word string) bool { return methods[word] }

var consents = map[string]bool{"explicit": true, "implicit": true, "none": true}

var methods = map[string]bool{"app": true, "dom": true, "extension": true, "mcp": true, "manual": true}

// textOf is the text of a content block that is a block of text: its type is text
// and its text a string. It is nil for any other.
func textOf(block []byte) []byte {
	if !jsontree.EqualText(jsontree.Member(block, "type"), "text") {
		return nil
	}
	if text := jsontree.Member(block, "text"); jsontree.KindOf(text) == jsontree.String {
		return text
	}
	return nil
}
