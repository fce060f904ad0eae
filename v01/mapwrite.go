package v01

import (
	"maps"
	"slices"

	"ctxmigrate/translate/jsontree"
)

// AppendMapping appends a mapping file that says what is chosen for each word, and
// what m, which may be nil, says beside that. Read back it changes nothing in what
// answers of these words become.
func AppendMapping(dst []byte, choices []Choice, m *Mapping) []byte {
	dst = append(dst, "{\n  \"types\": {"...)
	said := map[string]bool{}
	for _, c := range choices {
		if c.Word == "" || said[c.Word] {
			continue
		}
		said[c.Word] = true
		if len(said) > 1 {
			dst = append(dst, ',')
		}
		dst = jsontree.AppendQuoted(append(dst, "\n    "...), []byte(c.Word))
		dst = appendChoice(append(dst, ": "...), &c.Rule)
	}
	if len(said) > 0 {
		dst = append(dst, "\n  "...)
	}
	dst = append(dst, '}')
	if m != nil {
		dst = m.appendRest(dst)
	}
	return append(dst, "\n}\n"...)
}

func appendChoice(dst []byte, r *Rule) []byte {
	dst = append(append(append(dst, `{"role": "`...), r.Role.String()...), `", "class": "`...)
	if r.Entry {
		dst = append(dst, `entry"`...)
	} else {
		dst = append(dst, `fixed"`...)
	}
	if r.Subrole != nil {
		dst = jsontree.AppendQuoted(append(dst, `, "subrole": `...), []byte(*r.Subrole))
	}
	if r.Drop {
		dst = append(dst, `, "drop": true`...)
	}
	return append(dst, '}')
}

// appendRest appends what a mapping file says beside types.
func (m *Mapping) appendRest(dst []byte) []byte {
	if len(m.links) > 0 {
		dst = append(dst, ",\n  \"links\": {"...)
		for i, name := range slices.Sorted(maps.Keys(m.links)) {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = jsontree.AppendQuoted(dst, []byte(name))
			dst = jsontree.AppendQuoted(append(dst, ": "...), []byte(m.links[name]))
		}
		dst = append(dst, '}')
	}
	if m.author != "" {
		dst = jsontree.AppendQuoted(append(dst, ",\n  \"author\": "...), []byte(m.author))
	}
	if len(m.Secure) > 0 {
		dst = append(dst, ",\n  \"secure\": ["...)
		for i, word := range m.Secure {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = jsontree.AppendQuoted(dst, []byte(word))
		}
		dst = append(dst, ']')
	}
	return dst
}
