package v01

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// Mapping is what a mapping file says: how to read the type words, the links and
// the authors of one app.
//
//	{"types":  {"sprint": {"role": "List", "subrole": "sprint"}, "spinner": {"drop": true}},
//	 "links":  {"assigneeId": "assignee"},
//	 "author": "meta.by.name",
//	 "secure": ["licence-key"]}
type Mapping struct {
	// Secure are words that make an element secure, beside the built-in ones.
	Secure []string

	rules  map[string]*Rule
	links  map[string]string
	author string
}

// ParseMapping reads a mapping file. What it does not know is an error that names
// it and says where.
func ParseMapping(src []byte) (*Mapping, error) {
	var r jsontree.Reader
	r.Reset(src, 0)
	if r.Kind() != jsontree.Object && r.Err() == nil {
		return nil, mappingError(src, 0, "a mapping file is an object")
	}
	m := &Mapping{rules: map[string]*Rule{}, links: map[string]string{}}
	doc := r.Skip()
	r.End()
	if err := r.Err(); err != nil {
		return nil, mappingError(src, err.Offset, err.Msg)
	}
	p := mappingReader{src: src, m: m}
	p.members(doc, func(key string, at int, v jsontree.Span) {
		switch key {
		case "types":
			p.types(v)
		case "links":
			p.members(v, func(name string, at int, v jsontree.Span) {
				if rel, ok := p.str(v, "a relation name"); ok {
					m.links[name] = rel
				}
			})
		case "author":
			p.author(v)
		case "secure":
			p.secure(v)
		default:
			p.fail(at, "the key %q is not known; there are types, links, author and secure", key)
		}
	})
	if p.err != nil {
		return nil, p.err
	}
	return m, nil
}

type mappingReader struct {
	src []byte
	m   *Mapping
	err error
}

func mappingError(src []byte, at int, msg string) error {
	line, col := jsontree.LineColumn(src, at)
	return fmt.Errorf("%d:%d: %s", line, col, msg)
}

func (p *mappingReader) fail(at int, format string, args ...any) {
	if p.err == nil {
		p.err = mappingError(p.src, at, fmt.Sprintf(format, args...))
	}
}

func (p *mappingReader) members(object jsontree.Span, f func(key string, at int, v jsontree.Span)) {
	raw := object.In(p.src)
	if raw[0] != '{' {
		p.fail(int(object.Off), "an object was expected")
		return
	}
	jsontree.MembersAt(raw, func(n, nEnd, v, vEnd int) bool {
		off := int(object.Off)
		f(string(jsontree.Unquote(raw[n:nEnd])), off+n, jsontree.MakeSpan(off+v, vEnd-v, false))
		return p.err == nil
	})
}

func (p *mappingReader) str(v jsontree.Span, what string) (string, bool) {
	if raw := v.In(p.src); raw[0] == '"' {
		return string(jsontree.Unquote(raw)), true
	}
	p.fail(int(v.Off), "%s was expected, as a string", what)
	return "", false
}

func roleList() string {
	var b strings.Builder
	for r := model.Application; r <= model.Document; r++ {
		if r > model.Application {
			b.WriteString(", ")
		}
		b.WriteString(r.String())
	}
	return b.String()
}

func (p *mappingReader) types(types jsontree.Span) {
	p.members(types, func(word string, at int, v jsontree.Span) {
		f := model.Fold([]byte(word))
		folded := string(f.Bytes())
		if folded == "" {
			p.fail(at, "%q is no type word", word)
			return
		}
		if _, twice := p.m.rules[folded]; twice {
			p.fail(at, "the type %q is there already, spelled another way", word)
			return
		}
		base, known := builtin[folded]
		if !known {
			base = unknownRule
		}
		rule := Rule{Role: base.Role, Entry: base.Entry, Entries: base.Entries, Selection: base.Selection}
		classed := false
		p.members(v, func(key string, at int, v jsontree.Span) {
			switch key {
			case "role":
				if s, ok := p.str(v, "a role"); ok {
					if rule.Role = model.ParseRole([]byte(s)); rule.Role == model.Unknown {
						p.fail(int(v.Off), "%q is no role; there are %s", s, roleList())
					}
					if !classed {
						rule.Entry = false
					}
				}
			case "class":
				switch s, _ := p.str(v, "fixed or entry"); s {
				case "fixed", "entry":
					rule.Entry, classed = s == "entry", true
				default:
					p.fail(int(v.Off), "a class is fixed or entry, not %q", s)
				}
			case "subrole":
				if s, ok := p.str(v, "a subrole"); ok {
					rule.Subrole = &s
				}
			case "drop":
				switch string(v.In(p.src)) {
				case "true":
					rule.Drop = true
				case "false":
				default:
					p.fail(int(v.Off), "drop is true or false")
				}
			default:
				p.fail(at, "the key %q is not known; there are role, subrole, class and drop", key)
			}
		})
		p.m.rules[folded] = &rule
	})
}

// author takes a gjson path, but none that could do more than point.
func (p *mappingReader) author(v jsontree.Span) {
	s, ok := p.str(v, "a path")
	if !ok {
		return
	}
	if s == "" || strings.ContainsAny(s, "@!{[#|*?") {
		p.fail(int(v.Off), "the path of the author is names and indexes with dots between")
		return
	}
	p.m.author = s
}

func (p *mappingReader) secure(v jsontree.Span) {
	raw := v.In(p.src)
	if raw[0] != '[' {
		p.fail(int(v.Off), "a list of words was expected")
		return
	}
	jsontree.Entries(raw, func(word []byte) bool {
		if word[0] != '"' {
			p.fail(int(v.Off), "a list of words was expected")
			return false
		}
		f := model.Fold(jsontree.Unquote(word))
		if len(f.Bytes()) == 0 {
			// the word is a part of the list: what is left behind it tells where
			p.fail(int(v.Off)+cap(raw)-cap(word), "%q is no secure word", jsontree.Unquote(word))
			return false
		}
		p.m.Secure = append(p.m.Secure, string(jsontree.Unquote(word)))
		return true
	})
}

// mapPayload makes links and an author of payload members, as the mapping file
// says.
func (d *Decoder) mapPayload(i int32) {
	m, s := d.opts.Mapping, d.S
	if !s.Elements[i].HasAttributes() || len(m.links) == 0 && m.author == "" {
		return
	}
	author := ""
	if m.author != "" {
		if _, has := s.Attribute(i, "author"); !has {
			res := gjson.GetBytes(s.AppendAttributes(nil, i), m.author)
			if res.Type == gjson.String {
				author = res.Raw
			}
		}
	}
	related, hasRelated := s.Attribute(i, "related")
	linkable := !hasRelated || s.Raw(related)[0] == '['
	var links []byte
	s.Keep(i, func(a model.Member) bool {
		relation, ok := m.links[string(s.Text(a.Name))]
		if !ok || !linkable {
			return true
		}
		raw := s.Raw(a.Value)
		switch jsontree.KindOf(raw) {
		case jsontree.String:
		case jsontree.Number:
			raw = append(append([]byte{'"'}, raw...), '"')
		default:
			return true
		}
		if len(links) > 0 {
			links = append(links, ',')
		}
		links = append(links, `{"relation":`...)
		links = jsontree.AppendQuoted(links, []byte(relation))
		links = append(links, `,"id":`...)
		links = append(links, raw...)
		links = append(links, '}')
		d.C.AddArgs(diag.LinkMade, a.At, a.Name, model.Span{})
		return false
	})
	if len(links) > 0 {
		list := []byte{'['}
		if hasRelated {
			list = s.AppendRaw(list[:0], related)
			list = list[:len(list)-1]
			if len(list) > 1 {
				list = append(list, ',')
			}
		}
		list = append(append(list, links...), ']')
		at := s.Elements[i].At
		s.Keep(i, func(a model.Member) bool { return !jsontree.EqualText(s.Raw(a.Name), "related") })
		s.Compose(i)
		s.AddMember(i, model.Member{Name: s.MakeString("related"), Value: s.Make(list, false), At: at})
	}
	if author != "" {
		s.Compose(i)
		s.AddMember(i, model.Member{Name: s.MakeString("author"), Value: s.Make([]byte(author), true), At: s.Elements[i].At})
		d.C.Add(diag.AuthorNamed, s.Elements[i].At)
	}
}
