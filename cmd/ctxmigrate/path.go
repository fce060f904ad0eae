package main

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/tidwall/gjson"

	"ctxmigrate/translate/jsontree"
)

// Paths are a language in which little text can ask for much work, so they are
// bounded: in length, and in what may build new values. What they are applied to
// a reader of ours has passed, at the depth that it allows.
const (
	maxPath      = 1024
	maxModifiers = 4 // some double the text; they can be chained
)

// checkAt refuses paths that cannot point at one place of a record.
func checkAt(path string) error {
	u := usesOf(path)
	switch {
	case len(path) > maxPath:
		return usageError{text: fmt.Sprintf("the path of --at is longer than %d bytes", maxPath)}
	case len(u.modifiers) > 0 || u.built > 0 || strings.HasPrefix(path, ".."):
		return usageError{`the path of --at points at one place; modifiers, literals and built values cannot`,
			`In a name that begins with @, !, { or [, put a backslash before that: \@type.`}
	}
	return nil
}

// checkQuery refuses paths whose cost is not bounded by what they are applied to.
func checkQuery(path string) error {
	u := usesOf(path)
	switch {
	case len(path) > maxPath:
		return usageError{text: fmt.Sprintf("the path of --query is longer than %d bytes", maxPath)}
	case len(u.modifiers) > maxModifiers || u.built > 1:
		return usageError{text: fmt.Sprintf("the path of --query may hold %d modifiers and build one value", maxModifiers)}
	}
	for _, m := range u.modifiers {
		switch m {
		case "this", "reverse", "ugly", "keys", "values", "join", "group", "tostr", "flatten":
		default:
			return usageError{fmt.Sprintf("the path of --query holds @%s, which is not allowed", printable(m)),
				`Allowed are @this @reverse @ugly @keys @values @join @group @tostr @flatten. A name that begins with @ is written \@name.`}
		}
	}
	return nil
}

// uses is what a path holds beside names and indexes.
type uses struct {
	modifiers []string
	built     int // objects, arrays and literals
}

// usesOf looks at each place of a path where something other than a name may
// begin. It finds more than gjson would, never less.
func usesOf(path string) (u uses) {
	begins, inside := true, 0
	for i := 0; i < len(path); i++ {
		c := path[i]
		switch {
		case c == '\\':
			i++
			begins = false
			continue
		case c == '"' && inside > 0:
			for i++; i < len(path) && path[i] != '"'; i++ {
				if path[i] == '\\' {
					i++
				}
			}
		case c == '@' && begins:
			name := path[i+1:]
			if n := strings.IndexFunc(name, func(r rune) bool { return !letter(r) }); n >= 0 {
				if name[n] == ':' && name[:n] == "flatten" {
					n++ // with an argument it may go deep, which takes the square of the depth
				}
				name = name[:n]
			}
			u.modifiers = append(u.modifiers, name)
		case begins && (c == '{' || c == '[' || c == '!'):
			u.built++
		}
		switch c {
		case '(', '{', '[':
			inside++
		case ')', '}', ']':
			inside--
		}
		begins = strings.IndexByte(".|({[,:!=<>%~", c) >= 0
	}
	return u
}

func letter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }

// get applies a path to a value that a reader has passed, without a copy of it.
func get(raw []byte, path string) gjson.Result {
	return gjson.Get(unsafe.String(unsafe.SliceData(raw), len(raw)), path)
}

// appendQuery appends what a path finds in a compact value, and a newline; or
// nothing.
func appendQuery(dst, value []byte, path string, raw, pretty bool, spill func([]byte) []byte) []byte {
	res := get(value, path)
	if !res.Exists() || res.Raw == "" {
		return dst
	}
	found := []byte(res.Raw)
	switch {
	case raw && res.Type == gjson.String:
		dst = appendPlain(dst, found)
	case pretty && passed(found):
		dst = appendIndented(dst, found, spill)
	case passed(found):
		dst = jsontree.AppendCompact(dst, found)
	default:
		dst = append(dst, found...)
	}
	return append(dst, '\n')
}

// passed reports whether a value that a path built is JSON.
func passed(raw []byte) bool {
	var r jsontree.Reader
	r.Reset(raw, len(raw)+1)
	r.Skip()
	return r.End()
}

// appendPlain appends the text of a raw string. A surrogate that stands alone has
// no form in UTF-8 and becomes U+FFFD.
func appendPlain(dst, raw []byte) []byte {
	text := jsontree.Unquote(raw)
	return append(dst, strings.ToValidUTF8(string(text), "\ufffd")...)
}
