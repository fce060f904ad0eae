package serve

import (
	"strings"

	"ctxmigrate/translate/jsontree"
)

// Prompt is a packet, on which a conversion has answered, as text for a prompt: the
// target first, its surroundings as secondary, and what was withheld said.
func Prompt(packet []byte) string {
	var b strings.Builder
	source := jsontree.Member(packet, "source")
	place := ""
	for _, name := range []string{"app", "title", "url"} {
		if t := textOf(source, name); t != "" {
			if place != "" {
				place += ", "
			}
			place += t
		}
	}
	if place != "" {
		b.WriteString("The user is at: " + place + "\n")
	}
	target := jsontree.Member(packet, "target")
	if target == nil {
		b.WriteString("The user points at nothing in particular.\n")
	} else {
		b.WriteString(pointed(jsontree.Member(packet, "capture")) + "\n" + entry(target, "  "))
	}
	around := jsontree.Member(packet, "surrounding")
	if around != nil {
		b.WriteString("\nSecondary, around that:\n")
	}
	for _, list := range []struct{ name, says string }{
		{"ancestors", "It is inside of, outermost first:"}, {"nearby", "Near it:"}, {"visible", "Also visible:"}, {"history", "Before that:"}} {
		entries := jsontree.Member(around, list.name)
		if jsontree.KindOf(entries) != jsontree.Array {
			continue
		}
		b.WriteString(list.says + "\n")
		jsontree.Entries(entries, func(v []byte) bool {
			b.WriteString(entry(v, "  - "))
			return true
		})
	}
	b.WriteString(withheld(jsontree.Member(packet, "privacy")))
	return b.String()
}

// pointed says how the target came to be it.
func pointed(capture []byte) string {
	switch mode := textOf(capture, "mode"); {
	case textOf(capture, "gesture") == "hover":
		return "The pointer rests on this, which may mean nothing:"
	case mode == "text-selection":
		return "The user has selected this text:"
	case mode == "element-focus", mode == "semantic":
		return "The user is working at this:"
	}
	return "The user points at this:"
}

// entry is a target-shaped value in words.
func entry(v []byte, first string) string {
	var head []string
	for _, name := range []string{"role", "label"} {
		if t := textOf(v, name); t != "" {
			head = append(head, t)
		}
	}
	text := strings.Join(head, " ")
	if t := textOf(v, "text"); t != "" {
		if text != "" {
			text += ": "
		}
		text += t
	}
	if text == "" {
		text = "(something without a name)"
	}
	return first + strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", len(first))) + "\n"
}

// withheld says what is missing, and on what consent the rest is there.
func withheld(privacy []byte) string {
	var b strings.Builder
	if string(jsontree.Member(privacy, "redacted")) == "true" {
		b.WriteString("\nParts were withheld for privacy")
		var list []string
		if omitted := jsontree.Member(privacy, "omitted"); jsontree.KindOf(omitted) == jsontree.Array {
			jsontree.Entries(omitted, func(v []byte) bool {
				if jsontree.KindOf(v) == jsontree.String {
					list = append(list, string(jsontree.Unquote(v)))
				}
				return true
			})
		}
		if len(list) > 0 {
			b.WriteString(": " + strings.Join(list, ", "))
		}
		b.WriteString(".\n")
	} else {
		b.WriteString("\nNothing is said to have been withheld for privacy.\n")
	}
	if c := textOf(privacy, "consent"); c != "" {
		b.WriteString("Consent of the user: " + c + ".\n")
	}
	return b.String()
}

// textOf is a member that is a string, "" where it is none.
func textOf(object []byte, name string) string {
	v := jsontree.Member(object, name)
	if jsontree.KindOf(v) != jsontree.String {
		return ""
	}
	return string(jsontree.Unquote(v))
}
