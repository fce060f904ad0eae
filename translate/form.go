package translate

import (
	"bytes"
	"fmt"
	"strings"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
)

// Form is one of the protocol forms.
type Form uint8

// The forms. Auto stands for what a document says of itself.
const (
	Auto    Form = iota
	V01          // 0.1: a flat list of items
	V020         // 0.2.0: one tree of elements
	Askable      // askable.context 0.1: a packet
)

var formNames = [...]string{"auto", "0.1", "0.2.0", "askable"}

// String is the name of the form on the command line.
func (f Form) String() string {
	if int(f) >= len(formNames) {
		return fmt.Sprintf("Form(%d)", uint8(f))
	}
	return formNames[f]
}

// ParseForm finds a form by any of its names.
func ParseForm(name string) (Form, error) {
	switch strings.ToLower(name) {
	case "0.1", "v01":
		return V01, nil
	case "0.2.0", "0.2", "v020":
		return V020, nil
	case "askable", "askable.context":
		return Askable, nil
	}
	return Auto, fmt.Errorf("%q is no form; there are 0.1, 0.2.0 and askable", name)
}

// formOf is the form that a document says it is in, from its raw protocol and
// version members, nil where there is none; or Auto, and what is wrong with them.
func formOf(protocol, version []byte) (f Form, code diag.Code, fault string) {
	switch jsontree.KindOf(protocol) {
	case jsontree.None, jsontree.Null:
		return Auto, diag.UnknownForm, "the document has no protocol; name its form with --from"
	case jsontree.String:
	default:
		return Auto, diag.UnknownForm, "the protocol " + quote(protocol) + " is not a string; name it as one"
	}
	word := jsontree.Unquote(protocol)
	switch {
	case string(word) == "0.1" || isPatch(word, "0.1."):
		return V01, code, ""
	case isPatch(word, "0.2."):
		return V020, code, ""
	case string(word) == "askable.context":
		if jsontree.EqualText(version, "0.1") {
			return Askable, code, ""
		}
		switch jsontree.KindOf(version) {
		case jsontree.None:
			return Auto, diag.UnsupportedVersion, "the packet has no version"
		case jsontree.String:
		default:
			return Auto, diag.UnsupportedVersion, "the version " + quote(version) + " is not a string; name it as one"
		}
		return Auto, diag.UnsupportedVersion, "the version " + quote(version) + " of askable.context is not known; 0.1 is"
	case len(word) > 0 && word[0]-'0' < 10:
		return Auto, diag.UnsupportedVersion, "the protocol " + quote(protocol) + " is not known; 0.1, 0.2.0 and askable.context are"
	}
	return Auto, diag.UnknownForm, "the protocol " + quote(protocol) + " is not known; 0.1, 0.2.0 and askable.context are"
}

// quote is a raw value for a message, cut where it is long.
func quote(raw []byte) string {
	if len(raw) > 40 {
		raw = append(bytes.ToValidUTF8(raw[:37:37], nil), "..."...)
	}
	return string(raw)
}

// isPatch reports whether a version is prefix and a patch number.
func isPatch(word []byte, prefix string) bool {
	rest, ok := bytes.CutPrefix(word, []byte(prefix))
	if !ok || len(rest) == 0 || len(rest) > 1 && rest[0] == '0' {
		return false
	}
	for _, c := range rest {
		if c-'0' >= 10 {
			return false
		}
	}
	return true
}

// guess looks at the first members of a document for what tells its form. It
// trusts nothing: what it answers decides only which reader tries first.
func guess(src []byte) Form {
	i := 0
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		i = 3
	}
	i = afterSpace(src, i)
	if i >= len(src) || src[i] != '{' {
		return V020
	}
	for range 8 {
		i = afterSpace(src, i+1)
		name, end := quoted(src, i)
		if name == nil {
			break
		}
		i = afterSpace(src, end)
		if i >= len(src) || src[i] != ':' {
			break
		}
		i = afterSpace(src, i+1)
		switch string(name) {
		case "protocol":
			value, _ := quoted(src, i)
			switch {
			case bytes.HasPrefix(value, []byte("0.1")):
				return V01
			case bytes.HasPrefix(value, []byte("askable")):
				return Askable
			}
			return V020
		case "items", "focus":
			return V01
		case "root":
			return V020
		case "version", "source", "capture", "target", "surrounding", "privacy", "provenance":
			return Askable
		}
		if _, end = quoted(src, i); end < 0 {
			break
		}
		if i = afterSpace(src, end); i >= len(src) || src[i] != ',' {
			break
		}
	}
	return V01
}

func afterSpace(src []byte, i int) int {
	for i < len(src) && (src[i] == ' ' || src[i] == '\n' || src[i] == '\r' || src[i] == '\t') {
		i++
	}
	return i
}

// quoted is what stands between the quotes of a short string at i without
// escapes, and the offset after it; nil and -1 where there is none.
func quoted(src []byte, i int) ([]byte, int) {
	if i >= len(src) || src[i] != '"' {
		return nil, -1
	}
	rest := src[i+1 : min(len(src), i+4096)]
	end := bytes.IndexByte(rest, '"')
	if end < 0 || bytes.IndexByte(rest[:end], '\\') >= 0 {
		return nil, -1
	}
	return rest[:end], i + 1 + end + 1
}
