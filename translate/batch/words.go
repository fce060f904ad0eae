package batch

import (
	"bytes"
	"strings"

	"ctxmigrate/translate/carry"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/v01"
)

// other stands for words that are an app's own: a summary names words of the
// vocabulary alone.
const other = "(other)"

// words count type words and roles.
type words struct {
	words map[string]*Word
	roles map[string]int
}

// elements counts the elements of a tree: each by its role, and by the type word
// that its subrole is, or that its role stands for.
func (c *words) elements(tree []byte) {
	if c.words == nil {
		c.words, c.roles = map[string]*Word{}, map[string]int{}
	}
	for _, u := range carry.Split(tree, carry.Tree, jsontree.MaxBytes).Units {
		var role, word string
		for _, m := range u.Members {
			switch string(m.Name) {
			case `"role"`:
				role = textOf(m.Value)
			case `"subrole"`:
				word = textOf(m.Value)
			}
		}
		if word == "" {
			word = strings.ToLower(role)
		}
		if model.ParseRole([]byte(role)) == model.Unknown {
			role = other
		}
		if word = v01.VocabularyWord(word); word == "" {
			word = other
		}
		c.roles[role]++
		w := c.words[word]
		if w == nil {
			w = &Word{Roles: map[string]int{}}
			c.words[word] = w
		}
		w.Count++
		w.Roles[role]++
	}
}

// textOf is a raw value as text, "" where it is no string: documents that are in
// the form asked for may hold anything anywhere.
func textOf(raw []byte) string {
	if jsontree.KindOf(raw) != jsontree.String {
		return ""
	}
	return string(jsontree.Unquote(raw))
}

// add adds what others have counted.
func (c *words) add(o *words) {
	if o.words == nil {
		return
	}
	if c.words == nil {
		c.words, c.roles = map[string]*Word{}, map[string]int{}
	}
	for word, w := range o.words {
		sum := c.words[word]
		if sum == nil {
			sum = &Word{Roles: map[string]int{}}
			c.words[word] = sum
		}
		sum.Count += w.Count
		for role, n := range w.Roles {
			sum.Roles[role] += n
		}
	}
	for role, n := range o.roles {
		c.roles[role] += n
	}
}

// trimmed is a document without a byte order mark and white space before it.
func trimmed(src []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(src, []byte("\ufeff")), " \t\r\n")
}
