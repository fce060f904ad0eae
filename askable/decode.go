package askable

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/translate/wire"
)

// Options says how packets are read. The zero Options work.
type Options struct {
	MaxDepth   int         // levels of JSON; 0 stands for jsontree.DefaultMaxDepth
	Words      model.Words // secure words
	KeepSecure bool        // pass the content of secure values on
}

// Decoder reads packets. The zero Decoder is ready; it keeps its working memory
// from one packet to the next.
type Decoder struct {
	// Protocol and Version are the raw values of the members of those names in
	// the last packet, absent where there were none.
	Protocol, Version model.Span
	// Metadata is that of the target of the last packet, and Sources the list of
	// that name, as they were written: what a lossless conversion leaves is there.
	Metadata, Sources model.Span

	wire.Source
	reading
	opts            Options
	words           secureWords
	fields          jsontree.Fields // of the object that is being read
	watch           func(key []byte, kind jsontree.Kind)
	watchAttributes func(key []byte, kind jsontree.Kind)
	nameOf          func(dst []byte, i int32) []byte
	text, want      []byte
	equals          map[jsontree.Digest]int32 // see placeVisible
}

// reading is what was read of a packet, and what became of it.
type reading struct {
	source                       source
	capture, privacy, provenance model.Span
	mode, gesture, intent        model.Span // members of these, of any kind
	redacted, consent, omitted   model.Span
	producer, method             model.Span
	history, sources             model.Span
	hasTarget                    bool
	target                       value
	ancestors, nearby, visible   []value
	ofSource, ofSurrounding      []model.Member // unknown members
	ofValues                     []model.Member // the same, of all values
	hasElement                   bool           // the value that is being read has an object in it with an object element
	written                      bool           // its metadata is as it is written for an element
	element                      parts          // what that says
	kept                         kept           // what its attributes are
	secureEntries                bool           // history or sources may have something to withhold
	secureValues                 bool
	class                        modeClass // what mode and gesture say
	does                         effect
	made                         []made  // the elements, as those of the snapshot
	base                         int32   // the element that stands for the page
	document                     int32   // the Document, or None
	documentFound                bool    // it is an ancestor or the target
	page                         int     // which ancestor it is, or -1
	restored, marked             []int32 // elements that were restored, and that are listed as visible
}

// made is what an element was made of.
type made struct {
	name   string // how the id begins that is made up for it; "" where it has one
	number int    // and ends, where it is not 0
	listed bool   // among the visible
}

type source struct {
	url, title, app, route, timestamp model.Span
}

// Decode reads the packet src into s and notes in c what is to be said of it. It
// answers the fault that makes src unreadable as JSON, or nil; what makes it no
// packet is in c (see Collector.Refused). The snapshot is whole only where
// neither refuses the document, and holds until the next call.
func (d *Decoder) Decode(src []byte, s *model.Snapshot, c *diag.Collector, opts Options) *jsontree.Error {
	d.Begin(src, s, c, opts.MaxDepth)
	d.opts = opts
	d.words.use(opts.Words)
	d.Protocol, d.Version, d.Metadata, d.Sources = model.Span{}, model.Span{}, model.Span{}, model.Span{}
	d.reading = reading{ancestors: d.ancestors[:0], nearby: d.nearby[:0], visible: d.visible[:0], ofSource: d.ofSource[:0],
		ofSurrounding: d.ofSurrounding[:0], ofValues: d.ofValues[:0], made: d.made[:0],
		restored: d.restored[:0], marked: d.marked[:0], page: -1}
	d.watchAll()
	d.packet()
	d.R.End()
	if err := d.R.Err(); err != nil {
		return err
	}
	d.tellWords()
	d.build()
	return nil
}

// watchAll makes the functions that reading calls, once.
func (d *Decoder) watchAll() {
	if d.watch != nil {
		return
	}
	d.watch = func(key []byte, kind jsontree.Kind) {
		d.hasElement = d.hasElement || kind == jsontree.Object && string(key) == "element"
	}
	d.watchAttributes = func(key []byte, kind jsontree.Kind) {
		if d.kept = max(d.kept, plain); wire.IsBoolState(key, kind) {
			d.kept = withState
		}
	}
	d.nameOf = d.appendName
}

func (d *Decoder) packet() {
	if d.R.Kind() != jsontree.Object {
		d.R.Skip()
		return
	}
	d.R.Enter()
	for {
		switch d.R.NextOf(packetNames) {
		case 0:
			return
		case packetProtocol:
			d.Protocol = d.R.Skip()
		case packetVersion:
			d.Version = d.R.Skip()
		case packetSource:
			d.readSource()
		case packetCapture:
			if d.part(captureNames, &d.capture) {
				d.mode, d.gesture, d.intent = d.fields[captureMode], d.fields[captureGesture], d.fields[captureIntent]
			}
		case packetTarget:
			if d.isObject() {
				d.hasTarget = true
				d.value(&d.target, ofTarget)
				d.Metadata = d.target.metadata
			}
		case packetSurrounding:
			d.readSurrounding()
		case packetPrivacy:
			if d.part(privacyNames, &d.privacy) {
				d.redacted, d.consent, d.omitted = d.fields[privacyRedacted], d.fields[privacyConsent], d.fields[privacyOmitted]
			}
		case packetProvenance:
			if d.part(provenanceNames, &d.provenance) {
				d.producer, d.method = d.fields[provenanceProducer], d.fields[provenanceMethod]
			}
		default:
			d.Unknown()
		}
	}
}

// isObject reports whether the member that is being read is an object; it keeps
// any other as one of the wrong type.
func (d *Decoder) isObject() bool {
	if d.R.Kind() == jsontree.Object {
		return true
	}
	d.Wrong()
	return false
}

// object reads the object that comes next into d.fields. Odd reads the members
// that are not as v wants them, by their number.
func (d *Decoder) object(v *jsontree.Vocabulary, odd func(d *Decoder, number int)) (whole model.Span) {
	from := d.R.Pos()
	d.fields = jsontree.Fields{}
	d.R.Enter()
	for {
		if _, end := d.R.Run(v, &d.fields, d.watch); end {
			break
		}
		number := d.R.NextOf(v)
		if number == 0 {
			break
		}
		odd(d, number)
	}
	return jsontree.MakeSpan(from, d.R.Pos()-from, true)
}

// part reads an object of the packet that is kept as it is, and into d.fields
// what is asked of it.
func (d *Decoder) part(v *jsontree.Vocabulary, whole *model.Span) bool {
	if !d.isObject() {
		return false
	}
	*whole = d.object(v, (*Decoder).anyMember)
	return true
}

// anyMember reads a member of whatever kind.
func (d *Decoder) anyMember(number int) {
	value := d.R.Watch(d.watch)
	if number != jsontree.Other {
		d.fields[number] = value
	}
}

// tellWords tells of words that are not known, and of what is not of its kind, in
// the parts that are kept.
func (d *Decoder) tellWords() {
	d.class, d.does = byGesture, nothing
	word := func(v model.Span, name string, known func(word []byte) bool) {
		if d.isOf(v, name, jsontree.String) && !known(d.S.Text(v)) {
			d.C.AddArgs(diag.UnknownWord, v.Off, d.S.Make([]byte(name), false), model.Span{})
		}
	}
	word(d.mode, "mode", func(w []byte) (ok bool) { d.class, ok = modes[string(w)]; return ok })
	word(d.gesture, "gesture", func(w []byte) (ok bool) { d.does, ok = gestures[string(w)]; return ok })
	word(d.consent, "consent", func(w []byte) bool { return consents[string(w)] })
	word(d.method, "method", func(w []byte) bool { return methods[string(w)] })
	d.isOf(d.intent, "intent", jsontree.String)
	d.isOf(d.producer, "producer", jsontree.String)
	d.isOf(d.redacted, "redacted", jsontree.Bool)
	d.isOf(d.omitted, "omitted", jsontree.Array)
}

// isOf reports whether a member is there and of a kind; another kind is told.
func (d *Decoder) isOf(v model.Span, name string, kind jsontree.Kind) bool {
	if v.IsZero() {
		return false
	}
	k := jsontree.KindOf(d.S.Raw(v))
	if k != kind && k != jsontree.Null {
		d.TellWrong(v.Off, d.S.Make([]byte(name), false), k)
	}
	return k == kind
}

func (d *Decoder) readSource() {
	if !d.isObject() {
		return
	}
	first := len(d.Extra)
	d.object(sourceNames, (*Decoder).oddOfSource)
	f := &d.fields
	d.source = source{f[sourceURL], f[sourceTitle], f[sourceApp], f[sourceRoute], f[sourceTimestamp]}
	d.ofSource = d.takeExtra(d.ofSource, first)
}

func (d *Decoder) oddOfSource(number int) {
	if number == jsontree.Other {
		d.Unknown()
	} else {
		d.String(&d.fields[number])
	}
}

// takeExtra moves the extras from first on to a list of their own.
func (d *Decoder) takeExtra(to []model.Member, first int) []model.Member {
	to = append(to, d.Extra[first:]...)
	d.Extra = d.Extra[:first]
	return to
}

func (d *Decoder) readSurrounding() {
	if !d.isObject() {
		return
	}
	first := len(d.Extra)
	d.R.Enter()
	for number := d.R.NextOf(surroundingNames); number != 0; number = d.R.NextOf(surroundingNames) {
		switch number {
		case surroundingAncestors:
			d.values(&d.ancestors, ofAncestor)
		case surroundingNearby:
			d.values(&d.nearby, ofNearby)
		case surroundingVisible:
			d.values(&d.visible, ofVisible)
		case surroundingHistory:
			d.rawList(&d.history)
		case surroundingSources:
			d.rawList(&d.sources)
			d.Sources = d.sources
		default:
			d.Unknown()
		}
	}
	d.ofSurrounding = d.takeExtra(d.ofSurrounding, first)
}

// values reads a list of target-shaped values.
func (d *Decoder) values(to *[]value, p place) {
	if d.R.Kind() != jsontree.Array {
		d.Wrong()
		return
	}
	d.R.Enter()
	for d.R.More() {
		if d.entry() {
			*to = append(*to, value{})
			d.value(&(*to)[len(*to)-1], p)
		}
	}
}

// entry reports whether the entry that comes next is an object; another refuses
// the packet.
func (d *Decoder) entry() bool {
	k := d.R.Kind()
	if k == jsontree.Object {
		return true
	}
	if k == jsontree.None {
		d.R.Skip()
	} else {
		d.Shape("an entry of surrounding", "an object")
	}
	return false
}

// rawList reads history or sources, which never become elements.
func (d *Decoder) rawList(to *model.Span) {
	if d.R.Kind() != jsontree.Array {
		d.Wrong()
		return
	}
	from, n := d.R.Pos(), 0
	d.R.Enter()
	for d.R.More() {
		n++
		if d.entry() {
			d.hasElement = false
			d.object(entryNames, (*Decoder).anyMember)
			d.secureEntries = d.secureEntries || d.isSecure(d.fields[valueRole]) || d.secureElement(d.fields[valueMetadata])
		}
	}
	if n > 0 {
		*to = jsontree.MakeSpan(from, d.R.Pos()-from, true)
	}
}

// build makes the tree.
func (d *Decoder) build() {
	s := d.S
	if !d.opts.KeepSecure {
		d.withholdAll()
	}
	s.Root = d.make(0, made{})
	s.Elements[s.Root].Role = model.Application
	s.Elements[s.Root].Title = d.source.app
	d.placeDocument()
	last := d.chain()
	at := last
	if d.class == selecting && !(d.hasTarget && d.target.restored) {
		at = d.selectedIn()
	}
	if d.hasTarget && !d.target.gone {
		d.add(&d.target, at, made{name: "target"})
		if d.documentFound && d.document == model.None { // the restored target
			d.document, d.base = d.target.elem, d.target.elem
		}
	}
	for i := range d.nearby {
		if v := &d.nearby[i]; !v.gone {
			d.add(v, at, made{name: "nearby-", number: i + 1})
		}
	}
	d.placeVisible()
	d.identify()
	d.mark()
	d.rootAttributes()
	d.assumeInstance()
}

// withholdAll withholds what is secure, and what stands below a secure ancestor.
func (d *Decoder) withholdAll() {
	s, c := d.S, d.C
	each := func(v *value) {
		if v.secure && !v.gone {
			d.secureValues = true
			if d.withhold(v) {
				c.AddArgs(diag.SecureWithheld, v.at, d.called(v), model.Span{})
			}
		}
	}
	gone := func(v *value) {
		if !v.gone {
			v.gone = true
			c.AddArgs(diag.SecureWithheld, v.at, d.called(v), model.Span{})
		}
	}
	below := false
	for i := range d.ancestors {
		v := &d.ancestors[i]
		if below {
			gone(v)
			continue
		}
		each(v)
		below = v.secure
	}
	if free := d.class == selecting && !(d.hasTarget && d.target.restored); below && !free {
		if d.hasTarget {
			gone(&d.target)
		}
		for i := range d.nearby {
			gone(&d.nearby[i])
		}
	}
	if d.hasTarget {
		each(&d.target)
	}
	for i := range d.nearby {
		each(&d.nearby[i])
	}
	for i := range d.visible {
		each(&d.visible[i])
	}
	if d.secureEntries {
		d.history = d.withheldList(d.history)
		d.sources = d.withheldList(d.sources)
	}
	s.Secure = s.Secure || d.secureValues
}

// called is what a value is called in a message: its role, which is a word.
func (d *Decoder) called(v *value) model.Span {
	if v.restored {
		return v.element.id
	}
	return d.S.Make([]byte("of the packet"), false)
}

// withheldList withholds what is secure in history or sources.
func (d *Decoder) withheldList(list model.Span) model.Span {
	if list.IsZero() {
		return list
	}
	out, changed := withholdEntries(nil, d.S.Raw(list), &d.words, func(at int) {
		d.C.AddArgs(diag.SecureWithheld, list.Off+uint32(at), d.S.Make([]byte("of the packet"), false), model.Span{})
	}, &d.secureValues)
	if !changed {
		return list
	}
	return d.S.Make(out, false)
}

// make adds an element to the snapshot.
func (d *Decoder) make(at uint32, of made) int32 {
	d.made = append(d.made, of)
	return d.S.Add(at)
}

// add makes a value an element; of is for one that is not restored.
func (d *Decoder) add(v *value, parent int32, of made) {
	s := d.S
	if v.restored {
		of = made{}
	}
	i := d.make(v.at, of)
	v.elem = i
	s.Link(parent, i)
	content, shotKept := d.content(v)
	e := &s.Elements[i]
	e.Content, e.Title, e.Secure = content, v.label, v.secure
	if v.restored {
		d.restored = append(d.restored, i)
		p := &v.element
		e.ID, e.Subrole, e.URL, e.Attributes = p.id, p.subrole, p.url, p.attributes
		e.Selected, e.Focused, e.Hovered, e.Visible = p.selected, p.focused, p.hovered, p.visible
		if e.Role = p.known; e.Role == model.Unknown {
			e.RoleWord = p.role
		}
		if !p.attributes.IsZero() {
			s.EachMember(p.attributes, func(m model.Member) bool {
				d.note(m)
				return true
			})
		}
		return
	}
	e.Subrole = v.role
	switch {
	case !v.role.IsZero():
		e.Role = roleOf(s.Text(v.role))
	case v == &d.target && jsontree.EqualText(s.Raw(d.mode), "text-selection"):
		e.Role = model.Text
	default:
		e.Role = model.Group
	}
	d.attributes(v, i, shotKept)
}

// note looks at one attribute of an element.
func (d *Decoder) note(m model.Member) {
	s := d.S
	noted := d.NoteAttribute(s.Text(m.Name), jsontree.KindOf(s.Raw(m.Value)), m.Name)
	s.Reserved = s.Reserved || noted&wire.HasName != 0
}

// attributes gives an element what of its value has no other place.
func (d *Decoder) attributes(v *value, i int32, shotKept bool) {
	s := d.S
	s.Compose(i)
	put := func(name string, value model.Span) {
		if !value.IsZero() {
			s.AddMember(i, model.Member{Name: s.MakeString(name), Value: value, At: value.Off})
		}
	}
	put("selector", v.selector)
	put("bounds", v.bounds)
	put("metadata", v.metadata)
	if shotKept {
		put("screenshot", v.shot)
	}
	for _, m := range v.extras {
		if d.BoolState(m) {
			d.C.AddArgs(diag.StateRepeated, m.At, m.Name, model.Span{})
			continue
		}
		d.note(m)
		d.C.AddArgs(diag.MemberMoved, m.At, m.Name, model.Span{})
		s.AddMember(i, m)
	}
	if e := &s.Elements[i]; e.From == e.To {
		e.DropAttributes()
	}
}

// identify makes the ids unique.
func (d *Decoder) identify() {
	s := d.S
	d.Identify(d.nameOf)
	s.Claim(s.Root, s.MakeID("app"))
	for i := range s.Elements {
		s.Elements[i].MadeID = false // they are the tree's own from here on: places name them
	}
}

// appendName appends the id that is made up for an element, of those that have
// none.
func (d *Decoder) appendName(dst []byte, i int32) []byte {
	m := &d.made[i]
	if dst = append(dst, m.name...); m.number > 0 {
		dst = strconv.AppendInt(dst, int64(m.number), 10)
	}
	return dst
}

// mark gives the target the state that mode and gesture tell of.
func (d *Decoder) mark() {
	s := d.S
	if d.hasTarget && !d.target.gone && !d.target.restored {
		switch effectOf(d.class, d.does) {
		case selects:
			s.Elements[d.target.elem].Selected = true
		case hovers:
			s.Elements[d.target.elem].Hovered = true
		case focuses:
			for i := s.Elements[d.target.elem].Parent; i != s.Root && !s.Elements[i].Focused; i = s.Elements[i].Parent {
				if d.made[i].name == "" { // it is restored, and will say so in its metadata
					d.C.AddArgs(diag.StateMoved, s.Elements[i].At, s.Elements[i].ID, model.Span{})
				}
			}
			s.MarkPath(d.target.elem)
		}
	}
	d.OnePath()
}

// assumeInstance makes an instance of who made the packet and where.
func (d *Decoder) assumeInstance() {
	s, b := d.S, d.text[:0]
	if v := d.producer; !v.IsZero() && s.Raw(v)[0] == '"' {
		b = append(b, s.Text(v)...)
	}
	b = append(b, '\n')
	if !d.source.app.IsZero() {
		b = append(b, s.Text(d.source.app)...)
	}
	b = append(b, '\n')
	if !d.source.url.IsZero() {
		b = append(b, s.Text(d.source.url)...)
	}
	d.text = b
	sum := sha256.Sum256(b)
	from := len(s.Made)
	s.Made = hex.AppendEncode(append(s.Made, `"askable-`...), sum[:4])
	s.Made = append(s.Made, '"')
	s.Instance = s.MadeSince(from, false)
}
