package askable

import (
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
	name   string     // how the id begins that is made up for it; "" where it has one
	number int        // and ends, where it is not 0
	listed bool       // among the visible
	whole  model.Span // the value
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

// Element is the element that a place of the packet that was read last became: the
// target, or the n-th entry of the list ancestors or nearby; None where there is none.
func (d *Decoder) Element(list string, n int) int32 {
	var values []value
	switch list {
	case "target":
		if d.hasTarget {
			return d.target.elem
		}
	case "ancestors":
		values = d.ancestors
	case "nearby":
		values = d.nearby
	}
	if n < 0 || n >= len(values) {
		return model.None
	}
	return values[n].elem
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
		_, number := d.R.Run(v, &d.fields, d.watch)
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
	first, lists := len(d.Extra), 0
	d.R.Enter()
	for number := d.R.NextOf(surroundingNames); number != 0; number = d.R.NextOf(surroundingNames) {
		lists++
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
	d.Quiet = d.Quiet || lists == 0
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
	d.Quiet = d.Quiet || len(*to) == 0
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

// oddOfEntry reads a member of an entry of history or sources that is not as it
// should be, or the string that metadata may be too. It is kept as it is.
func (d *Decoder) oddOfEntry(number int) {
	kind := d.R.Kind()
	fits := number == jsontree.Other || kind <= jsontree.Null || kind == entryNames.Kind(number) || number == valueMetadata && kind == jsontree.String
	if !fits {
		d.TellWrong(d.At(), d.R.KeySpan(), kind)
	}
	d.anyMember(number)
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
			d.object(entryNames, (*Decoder).oddOfEntry)
			d.secureEntries = d.secureEntries || d.isSecure(d.fields[valueRole]) || d.secureElement(d.fields[valueMetadata])
		}
	}
	if n > 0 {
		*to = jsontree.MakeSpan(from, d.R.Pos()-from, true)
	} else {
		d.Quiet = true
	}
}
