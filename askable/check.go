package askable

import (
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// Checker looks at packets that a Decoder has read. It keeps its working memory;
// the zero Checker is ready.
//
// Two readings are told apart. The strict schema of the reference producer allows
// no member that it does not name. Its reading guard, which is what its consumers
// ask before they take a packet, looks at the members that must be there, and at
// their words, and nowhere else. What the guard refuses the schema refuses too.
type Checker struct {
	Found []diag.Record
	// Secure are the values that bear a secure word, and what stands below such
	// ancestors, as they come in the source; they may lie in each other.
	Secure []model.Span

	s     *model.Snapshot
	words secureWords
}

// asked is what is asked of a member of an object of the packet.
type asked struct {
	name    string
	is      func(raw []byte) bool
	want    string
	words   func(word string) bool // of a string
	guarded bool                   // the guard asks it too
	must    bool
}

var sections = map[string][]asked{
	"source": {
		{name: "timestamp", is: isString, want: "a string", guarded: true, must: true},
		{name: "url", is: isString, want: "a string"}, {name: "title", is: isString, want: "a string"},
		{name: "app", is: isString, want: "a string"}, {name: "route", is: isString, want: "a string"},
	},
	"capture": {
		{name: "mode", is: isString, want: "a string", words: func(w string) bool { _, ok := modes[w]; return ok }, guarded: true, must: true},
		{name: "gesture", is: isString, want: "a string", words: func(w string) bool { _, ok := gestures[w]; return ok }, guarded: true},
		{name: "intent", is: isString, want: "a string"},
	},
	"privacy": {
		{name: "redacted", is: isBool, want: "true or false", guarded: true, must: true},
		{name: "consent", is: isString, want: "a string", words: func(w string) bool { return consents[w] }, guarded: true, must: true},
		{name: "omitted", is: isStrings, want: "a list of strings"},
	},
	"provenance": {
		{name: "producer", is: isString, want: "a string", guarded: true, must: true},
		{name: "method", is: isString, want: "a string", words: func(w string) bool { return methods[w] }, guarded: true, must: true},
	},
}

// The objects that a packet must have, in the order of the specification.
var mustHave = []string{"source", "capture", "privacy", "provenance"}

// Check finds, in k.Found, where a packet breaks the Rules. Start is where the
// packet begins in the source of s; secure is the words of 7.1.
func (k *Checker) Check(s *model.Snapshot, start int, secure model.Words) {
	k.Found, k.Secure, k.s = k.Found[:0], k.Secure[:0], s
	k.words.use(secure)
	below := false // something stands below a secure ancestor
	raw := s.Src[start:]
	var seen [4]bool
	var target model.Span
	jsontree.MembersAt(raw, func(n, nEnd, v, vEnd int) bool {
		name, value, at := string(jsontree.Unquote(raw[n:nEnd])), raw[v:vEnd], uint32(start+v)
		switch name {
		case "protocol", "version":
		case "target":
			k.value("target", value, at)
			target = jsontree.MakeSpan(int(at), len(value), true)
		case "surrounding":
			below = k.surrounding(value, at)
		default:
			known := false
			for i, m := range mustHave {
				if m == name {
					known, seen[i] = true, true
					k.section(name, value, at)
				}
			}
			if !known {
				k.unknown(name, "the packet", uint32(start+n))
			}
		}
		return true
	})
	if below && !target.IsZero() {
		k.Secure = append(k.Secure, target)
	}
	for i, m := range mustHave {
		if !seen[i] {
			k.say(diag.PacketGuard, uint32(start), "the packet has no "+m)
		}
	}
}

func (k *Checker) say(code diag.Code, at uint32, text string) {
	k.Found = append(k.Found, diag.Record{Code: code, Off: at, A: k.s.Make([]byte(text), false)})
}

// unknown tells of a member that is not named in the specification. Its name may
// be anything, and is cut where it is long.
func (k *Checker) unknown(name, where string, at uint32) {
	if len(name) > 40 {
		name = "of a long name"
	}
	k.say(diag.PacketStrict, at, where+" has a member "+name)
}

func codeOf(guarded bool) diag.Code {
	if guarded {
		return diag.PacketGuard
	}
	return diag.PacketStrict
}

// section looks at one of the objects that must be there.
func (k *Checker) section(name string, raw []byte, at uint32) {
	if raw[0] != '{' {
		k.say(diag.PacketGuard, at, name+" is "+jsontree.KindOf(raw).String()+", not an object")
		return
	}
	list := sections[name]
	var seen uint
	jsontree.MembersAt(raw, func(n, nEnd, v, vEnd int) bool {
		i := indexOf(list, raw[n:nEnd])
		if i < 0 {
			k.unknown(string(jsontree.Unquote(raw[n:nEnd])), name, at+uint32(n))
			return true
		}
		seen |= 1 << i
		a, value := &list[i], raw[v:vEnd]
		switch {
		case !a.is(value):
			k.say(codeOf(a.guarded), at+uint32(v), a.name+" of "+name+" is "+jsontree.KindOf(value).String()+", not "+a.want)
		case a.words != nil && !a.words(string(jsontree.Unquote(value))):
			k.say(codeOf(a.guarded), at+uint32(v), "the "+a.name+" is not a word of the specification")
		}
		return true
	})
	for i := range list {
		if list[i].must && seen&(1<<i) == 0 {
			k.say(codeOf(list[i].guarded), at, name+" has no "+list[i].name)
		}
	}
}

func indexOf(list []asked, name []byte) int {
	for i := range list {
		if jsontree.EqualText(name, list[i].name) {
			return i
		}
	}
	return -1
}

// surrounding looks at the lists around the target, and answers whether an ancestor
// is secure.
func (k *Checker) surrounding(raw []byte, at uint32) (below bool) {
	if raw[0] != '{' {
		k.say(diag.PacketStrict, at, "surrounding is "+jsontree.KindOf(raw).String()+", not an object")
		return false
	}
	var lists []model.Span
	jsontree.MembersAt(raw, func(n, nEnd, v, vEnd int) bool {
		name, list := string(jsontree.Unquote(raw[n:nEnd])), raw[v:vEnd]
		switch name {
		case "ancestors", "nearby", "visible", "history", "sources":
		default:
			k.unknown(name, "surrounding", at+uint32(n))
			return true
		}
		if list[0] != '[' {
			k.say(diag.PacketStrict, at+uint32(v), name+" is "+jsontree.KindOf(list).String()+", not a list")
			return true
		}
		if name == "ancestors" || name == "nearby" {
			lists = append(lists, jsontree.MakeSpan(int(at)+v, len(list), true))
		}
		jsontree.Entries(list, func(e []byte) bool {
			secure := k.value("an entry of "+name, e, at+uint32(v+cap(list)-cap(e)))
			below = below || secure && name == "ancestors"
			return true
		})
		return true
	})
	if below {
		k.Secure = append(k.Secure, lists...)
	}
	return below
}

var valueWants = map[string]string{"bounds": "x, y, width and height, each a number", "metadata": "an object or a string",
	"screenshot": "an object of a known mimeType, data and url"}

// The media types that the reference producer makes screenshots of.
var media = map[string]bool{"image/png": true, "image/jpeg": true, "image/webp": true}

// value looks at a target-shaped value, and answers whether it is secure.
func (k *Checker) value(what string, raw []byte, at uint32) (secure bool) {
	if raw[0] != '{' {
		k.say(diag.PacketStrict, at, what+" is "+jsontree.KindOf(raw).String()+", not an object")
		return false
	}
	var role, metadata []byte
	more, selector := false, false
	jsontree.MembersAt(raw, func(n, nEnd, v, vEnd int) bool {
		name, value := jsontree.Unquote(raw[n:nEnd]), raw[v:vEnd]
		is := valueShape[string(name)]
		if is == nil {
			k.unknown(string(name), what, at+uint32(n))
			more = true
			return true
		}
		if !is(value) || string(name) == "screenshot" && !media[string(jsontree.Unquote(jsontree.Member(value, "mimeType")))] {
			want := valueWants[string(name)]
			if want == "" {
				want = "a string"
			}
			k.say(diag.PacketStrict, at+uint32(v), string(name)+" of "+what+" is not "+want)
		}
		switch string(name) {
		case "role":
			role = value
		case "metadata":
			metadata = value
		case "label":
		case "selector":
			selector = true
		default:
			more = true
		}
		return true
	})
	secure = jsontree.KindOf(role) == jsontree.String && k.words.secure(jsontree.Unquote(role)) ||
		jsontree.KindOf(metadata) == jsontree.Object && secureElement(metadata, &k.words)
	if secure && (more || metadata != nil && !bare(metadata) || metadata == nil && selector) {
		k.say(diag.SecureContent, at, what)
	}
	if secure {
		k.Secure = append(k.Secure, jsontree.MakeSpan(int(at), len(raw), true))
	}
	return secure
}

// bare reports whether metadata is an element of which nothing but id, role,
// subrole and states are told.
func bare(metadata []byte) bool {
	element := jsontree.Member(metadata, "element")
	if jsontree.KindOf(element) != jsontree.Object {
		return false
	}
	for _, name := range []string{"content", "url", "attributes"} {
		if jsontree.Member(element, name) != nil {
			return false
		}
	}
	return true
}
