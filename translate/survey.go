package translate

import (
	"slices"
	"strings"

	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/v01"
)

// Survey counts the type words of 0.1 answers, and what stands in their payloads.
// Its memory is bounded whatever it is shown: words beyond the first maxWords, and
// members beyond the first maxMembers, are counted together. The zero Survey is
// ready.
type Survey struct {
	// File and Record say where the next document comes from, in numbers of the
	// caller's own; examples hold them.
	File, Record int

	Answers, Items int // of 0.1
	Others         int // documents of other forms, which are passed over
	Untyped        int // items without a type
	Uncounted      int // items of words beyond the bound

	c       Converter
	mapping *v01.Mapping
	words   map[string]*WordUse
	members map[string]*MemberUse
	uses    []*WordUse // by item of the answer at hand
	there   []bool     // by element: it is in the tree
	wanted  []wanted   // places of examples in it, whose pointers are told at its end
	list    []model.Member
}

// The bounds of a survey.
const (
	maxWords      = 10_000
	maxMembers    = 2_000
	maxNeighbours = 32 // of a word
	maxExamples   = 3
)

// WordUse is how a type word is used.
type WordUse struct {
	Word     string
	Count    int
	Choice   v01.Choice
	Roles    [model.Document + 1]int // how often it got each role
	Why      [v01.ByUnknown + 1]int  // and for which reason
	Dropped  int                     // how often the mapping file left it out
	Parents  map[string]int          // the types of what it was in; "" for the root
	Children map[string]int          // the types of what was in it
	Examples []Example
}

// Example is where something was seen.
type Example struct {
	File, Record int // of the Survey, at that time
	Pointer      string
}

// Ambiguous reports whether the word gets one role here and another there.
func (w *WordUse) Ambiguous() bool {
	n := 0
	for _, k := range w.Roles {
		if k > 0 {
			n++
		}
	}
	return n > 1
}

// MemberUse is how a payload member is used.
type MemberUse struct {
	Name    string // with dots between, where it is a member of a member
	Count   int
	Links   int // how often its value is the id of another item
	Authors int // how often it is text where an author may stand
	Example Example
}

// Link reports whether the member looks like a link to other items.
func (m *MemberUse) Link() bool { return m.Links > 0 && 2*m.Links >= m.Count }

// Author reports whether the member looks like the name of an author.
func (m *MemberUse) Author() bool { return m.Authors > 0 }

// Add adds an answer. The error is a *Refused where the document is at fault.
func (s *Survey) Add(src []byte, opts *Options) error {
	snap, err := s.c.Read(src, opts)
	if err != nil {
		return err
	}
	if s.c.from != V01 {
		s.Others++
		return nil
	}
	if s.words == nil {
		s.words, s.members = map[string]*WordUse{}, map[string]*MemberUse{}
	}
	if opts != nil {
		s.mapping = opts.Mapping
	}
	s.Answers++
	s.wanted = s.wanted[:0]
	s.count(snap)
	s.meet(snap)
	s.point()
	return nil
}

// wanted is a place whose pointer is wanted.
type wanted struct {
	at     int
	word   *WordUse
	n      int // which of its examples
	member *MemberUse
}

// point tells the pointers of the examples, in one pass over the answer.
func (s *Survey) point() {
	offsets := make([]int, len(s.wanted))
	for i, w := range s.wanted {
		offsets[i] = w.at
	}
	for i, p := range jsontree.SortedPlaces(s.c.src, offsets) {
		if w := s.wanted[i]; w.word != nil {
			w.word.Examples[w.n].Pointer = p.Pointer
		} else {
			w.member.Example.Pointer = p.Pointer
		}
	}
}

// count counts the words of an answer.
func (s *Survey) count(snap *model.Snapshot) {
	d := &s.c.flat
	s.uses, s.there = s.uses[:0], s.there[:0]
	for range snap.Elements {
		s.there = append(s.there, false)
	}
	for i := snap.Root; i != model.None; i, _ = snap.After(i, snap.Root) {
		s.there[i] = true
	}
	for i := int32(0); int(i) < len(snap.Elements) && d.IsItem(i); i++ {
		s.Items++
		why, dropped := d.Fate(i)
		if !dropped && !s.there[i] { // it is withheld, and so is its type
			s.uses = append(s.uses, nil)
			continue
		}
		w := s.use(snap, i)
		s.uses = append(s.uses, w)
		if w == nil {
			continue
		}
		w.Count++
		if dropped {
			w.Dropped++
		} else {
			w.Roles[snap.Elements[i].Role]++
			w.Why[why]++
		}
		if len(w.Examples) < maxExamples {
			s.wanted = append(s.wanted, wanted{at: int(snap.Elements[i].At), word: w, n: len(w.Examples)})
			w.Examples = append(w.Examples, Example{File: s.File, Record: s.Record})
		}
		s.payload(snap, i)
	}
}

// use is the word of an item, nil where it has none or there are too many.
func (s *Survey) use(snap *model.Snapshot, i int32) *WordUse {
	typ := s.c.flat.Type(i)
	if typ.IsZero() {
		s.Untyped++
		return nil
	}
	text := snap.Text(typ)
	if w, ok := s.words[string(text)]; ok {
		return w
	}
	if len(s.words) == maxWords {
		s.Uncounted++
		return nil
	}
	w := &WordUse{Word: string(text), Choice: v01.Choose(text, s.mapping), Parents: map[string]int{}, Children: map[string]int{}}
	s.words[w.Word] = w
	return w
}

// meet counts which words stand in which.
func (s *Survey) meet(snap *model.Snapshot) {
	for i, w := range s.uses {
		e := &snap.Elements[i]
		if w == nil || e.Parent == model.None || !s.there[i] {
			continue
		}
		parent := ""
		if int(e.Parent) < len(s.uses) {
			if up := s.uses[e.Parent]; up != nil {
				parent = up.Word
				neighbour(up.Children, w.Word)
			}
		}
		neighbour(w.Parents, parent)
	}
}

// neighbour counts a word beside another; beyond the bound they are one.
func neighbour(m map[string]int, word string) {
	if _, ok := m[word]; !ok && len(m) >= maxNeighbours {
		word = "…"
	}
	m[word]++
}

// authorNames are names of members that may hold an author, folded.
var authorNames = []string{"author", "by", "createdby", "creator", "from", "owner", "poster", "reporter", "sender", "user", "username", "writer"}

// payload looks at the members of a payload: at those that name another item, and at
// those that are named like an author.
func (s *Survey) payload(snap *model.Snapshot, i int32) {
	e := &snap.Elements[i]
	if !e.HasAttributes() {
		return
	}
	s.list = s.list[:0]
	if e.Composed {
		s.list = append(s.list, snap.Members[e.From:e.To]...)
	} else {
		s.list = snap.AppendMembers(s.list, e.Attributes)
	}
	for _, m := range s.list {
		raw := snap.Raw(m.Value)
		switch jsontree.KindOf(raw) {
		case jsontree.String, jsontree.Number:
			s.member(snap, i, "", m.Name, raw, int(m.At))
		case jsontree.Object:
			up := string(snap.Text(m.Name))
			if up == "ctxmigrate" || strings.ContainsAny(up, ".@!{[#|*?") {
				continue
			}
			for _, inner := range snap.AppendMembers(nil, m.Value) {
				if raw := snap.Raw(inner.Value); raw[0] == '"' {
					s.member(snap, i, up, inner.Name, raw, int(inner.At))
				}
			}
		}
	}
}

// member counts one member of a payload that is text or a number.
func (s *Survey) member(snap *model.Snapshot, i int32, up string, name model.Span, raw []byte, at int) {
	key := string(snap.Text(name))
	folded := model.Fold([]byte(key))
	author := false
	if raw[0] == '"' {
		who := folded.Bytes()
		if up != "" {
			switch string(who) {
			case "name", "displayname", "fullname": // it is what it is a member of that tells
				f := model.Fold([]byte(up))
				who = f.Bytes()
			}
		}
		_, author = slices.BinarySearch(authorNames, string(who))
		author = author && !(up == "" && key == "author") // that is what it is to be called
	}
	link := false
	if up == "" {
		id := raw
		if raw[0] == '"' {
			id = jsontree.Unquote(raw)
		}
		if k := snap.Find(id); k != model.None && k != i {
			link = true
		}
	}
	if up != "" {
		if !author {
			return
		}
		key = up + "." + key
	}
	m := s.members[key]
	if m == nil {
		if len(s.members) == maxMembers {
			return
		}
		m = &MemberUse{Name: key}
		s.members[key] = m
	}
	if m.Links+m.Authors == 0 && (link || author) {
		s.wanted = append(s.wanted, wanted{at: at, member: m})
		m.Example = Example{File: s.File, Record: s.Record}
	}
	m.Count++
	if link {
		m.Links++
	}
	if author {
		m.Authors++
	}
}

// Words are the words that were seen: the unknown first, then the ambiguous, each
// by how often they were seen.
func (s *Survey) Words() []*WordUse {
	list := make([]*WordUse, 0, len(s.words))
	for _, w := range s.words {
		list = append(list, w)
	}
	class := func(w *WordUse) int {
		switch {
		case !w.Choice.Known:
			return 0
		case w.Ambiguous():
			return 1
		}
		return 2
	}
	slices.SortFunc(list, func(a, b *WordUse) int {
		if c := class(a) - class(b); c != 0 {
			return c
		}
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Word, b.Word)
	})
	return list
}

// Members are the payload members that look like a link or like an author, by name.
func (s *Survey) Members() []*MemberUse {
	var list []*MemberUse
	for _, m := range s.members {
		if m.Link() || m.Author() {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b *MemberUse) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// AppendMapping appends a mapping file that says what is chosen now for each word,
// ready to be edited: read back it changes nothing. Unnamed is how many words no
// mapping file can name, since they are too long or empty.
func (s *Survey) AppendMapping(dst []byte) (out []byte, unnamed int) {
	var choices []v01.Choice
	for _, w := range s.Words() {
		if w.Choice.Word == "" {
			unnamed++
		}
		choices = append(choices, w.Choice)
	}
	return v01.AppendMapping(dst, choices, s.mapping), unnamed
}
