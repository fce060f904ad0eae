package translate_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/v01"
)

// canonical is a document of which the form's own objects have their members in
// one order, while everything else is spelled as it was: two documents are equal
// for law 2 where this text of them is.
func canonical(doc []byte, form translate.Form) string {
	v := docgen.Parse(doc)
	if v == nil {
		return "no JSON: " + string(doc)
	}
	sortOwn(v, form)
	return v.String()
}

// sortOwn puts the members of the form's own objects in the order of their names.
func sortOwn(v *docgen.Value, form translate.Form) {
	byName(v)
	for _, u := range docgen.Units(v, docgen.Form(form.String())) {
		byName(u.Value)
		if form == translate.Askable {
			byName(u.Get("screenshot"))
			byName(u.Get("bounds"))
		}
	}
	if form == translate.Askable {
		for _, name := range []string{"source", "capture", "surrounding", "privacy", "provenance"} {
			byName(v.Get(name))
		}
	}
}

func byName(v *docgen.Value) {
	if v.Is(jsontree.Object) {
		slices.SortFunc(v.Members, func(a, b docgen.Member) int { return strings.Compare(a.Says(), b.Says()) })
	}
}

// TestLawLossless is law 2. What is withheld is passed on in a second run.
func TestLawLossless(t *testing.T) {
	for _, keep := range []bool{false, true} {
		t.Run(fmt.Sprintf("secure kept %v", keep), func(t *testing.T) {
			var c translate.Converter
			hold(t, *lawsN/2, docgen.Options{}, func(s sample) string {
				for _, to := range others(s.form) {
					there, err := c.Append(nil, s.doc, to, &translate.Options{Timestamp: stamp, Lossless: true, KeepSecure: keep})
					if err != nil {
						return ""
					}
					secure := c.Counts()[diag.SecureWithheld] > 0 || bytes.Contains(there, []byte("secure-text"))
					back, err := c.Append(nil, there, s.form, &translate.Options{Timestamp: "2027-07-07T07:07:07Z", KeepSecure: keep})
					if err != nil {
						return fmt.Sprintf("%s: back: %v from\n%s", to, err, there)
					}
					if c.Counts()[diag.CarryStale] > 0 {
						return fmt.Sprintf("%s: stale, and nobody edited\n%s", to, there)
					}
					secure = secure || secureRoot(s.doc) || secureRoot(there) || secureHolds(s.doc, s.form)
					if (keep || !secure) && canonical(back, s.form) != canonical(s.doc, s.form) {
						return fmt.Sprintf("%s differs: there\n%s\nback\n%s", to, there, back)
					}
					if bad := stripsWell(s, there, to, keep); bad != "" {
						return bad
					}
				}
				return ""
			})
		})
	}
}

// secureRoot reports whether the root of an answer is secure: it has no attributes
// then, in which something could be carried for the whole answer.
func secureRoot(doc []byte) bool {
	v := docgen.Parse(doc)
	for _, u := range []*docgen.Value{v.Get("root"), v.At("items", "0")} {
		for _, word := range []*docgen.Value{u.Get("role"), u.Get("subrole"), u.Get("type"), u.At("payload", "subrole")} {
			if docgen.Secure(word.Says()) {
				return true
			}
		}
	}
	return false
}

// secureHolds reports whether a secure item or element has a payload or attributes:
// they are withheld, and not told of where all that they hold is states.
func secureHolds(doc []byte, form translate.Form) bool {
	if form == translate.Askable {
		return false
	}
	for _, u := range docgen.Units(docgen.Parse(doc), docgen.Form(form.String())) {
		held := u.Get(holderOf(form))
		for _, word := range []*docgen.Value{u.Get("type"), u.Get("role"), u.Get("subrole"), held.Get("subrole")} {
			if held != nil && docgen.Secure(word.Says()) {
				return true
			}
		}
	}
	return false
}

// stripsWell holds that a stripped document converts like the plain one, that
// stripping it again changes nothing, and that a plain one stays as it is.
func stripsWell(s sample, there []byte, to translate.Form, keep bool) string {
	opts := &translate.Options{Timestamp: stamp, KeepSecure: keep}
	var c translate.Converter
	plain, err := c.Append(nil, s.doc, to, opts)
	if err != nil {
		return "strip: plain: " + err.Error()
	}
	stripped, err := translate.Strip(nil, there, nil)
	if err != nil {
		return "strip: " + err.Error()
	}
	if twice, err := translate.Strip(nil, stripped, nil); err != nil || !bytes.Equal(twice, stripped) {
		return fmt.Sprintf("strip: again it gives\n%s\nof\n%s %v", twice, stripped, err)
	}
	if same, err := translate.Strip(nil, plain, nil); err != nil || !bytes.Equal(same, plain) {
		return fmt.Sprintf("strip: the plain\n%s\nbecame\n%s %v", plain, same, err)
	}
	for _, form := range others(to) {
		a, err1 := c.Append(nil, plain, form, opts)
		b, err2 := c.Append(nil, stripped, form, opts)
		if err1 != nil || err2 != nil || jsontree.DigestOf(a, true) != jsontree.DigestOf(b, true) {
			return fmt.Sprintf("strip: stripped\n%s\nconverts to\n%s\nplain\n%s\nto\n%s %v %v", stripped, b, plain, a, err1, err2)
		}
	}
	return ""
}

// TestLawLosslessEdited is law 2 with an edit in between: the edit wins, and what
// was not touched keeps what was carried.
func TestLawLosslessEdited(t *testing.T) {
	var c translate.Converter
	hold(t, *lawsN, docgen.Options{}, func(s sample) string {
		for k, to := range others(s.form) {
			opts := &translate.Options{Timestamp: stamp, Lossless: true, KeepSecure: true}
			there, err := c.Append(nil, s.doc, to, opts)
			if err != nil {
				return ""
			}
			v := docgen.Parse(there)
			edit := docgen.New(s.seed+uint64(k)<<20, docgen.Options{}).Edit(v, docgen.Form(to.String()))
			edited := v.Append(nil)
			back, err := c.Append(nil, edited, s.form, &translate.Options{Timestamp: stamp, KeepSecure: true})
			if err != nil {
				return fmt.Sprintf("%s %s edited refused: %v\n%s", to, edit.Change, err, edited)
			}
			w := wanted{s: s, to: to, edit: edit, edited: edited, back: back, stale: c.Counts()[diag.CarryStale] > 0}
			if bad := w.check(); bad != "" {
				return fmt.Sprintf("%s %s: %s\nthere\n%s\nedited\n%s\nback\n%s", to, edit.Change, bad, there, edited, back)
			}
		}
		return ""
	})
}

// wanted is what an edited document came back as.
type wanted struct {
	s            sample
	to           translate.Form
	edit         docgen.Edited
	edited, back []byte
	stale        bool
}

func (w *wanted) check() string {
	if docgen.Parse(w.back) == nil {
		return "no JSON"
	}
	stripped, err := translate.Strip(nil, w.edited, nil)
	if err != nil {
		return err.Error()
	}
	plain, err := translate.Convert(stripped, w.s.form, &translate.Options{Timestamp: stamp, KeepSecure: true})
	if err != nil {
		return err.Error()
	}
	if w.edit.Mark != "" && bytes.Contains(plain.Document, []byte(w.edit.Mark)) && !bytes.Contains(w.back, []byte(w.edit.Mark)) {
		return "the edit is lost"
	}
	if w.to == translate.Askable {
		if w.edit.Change != docgen.NoChange && !w.stale && !w.carrierGone() {
			return "nothing is said to be stale"
		}
		if w.edit.Change != docgen.NoChange && !bytes.Equal(w.back, plain.Document) {
			return "not what the edited packet says: " + string(plain.Document)
		}
		return ""
	}
	if w.s.form == translate.Askable {
		return w.checkPacket(plain.Document)
	}
	return w.checkUnits()
}

// checkPacket: where a tree that a packet became was edited, nothing that is not
// in the packet and not in what the edited tree says comes up.
func (w *wanted) checkPacket(plain []byte) string {
	known := map[string]bool{}
	for _, doc := range [][]byte{w.s.doc, plain} {
		docgen.Parse(doc).Each(func(v *docgen.Value) { known[v.Text] = true })
	}
	bad := ""
	docgen.Parse(w.back).Each(func(v *docgen.Value) {
		if len(v.Text) > 0 && !known[v.Text] {
			bad = "where does it have this from: " + v.Text
		}
	})
	return bad
}

// checkUnits: items and elements that were not touched are as they were.
func (w *wanted) checkUnits() string {
	form := docgen.Form(w.s.form.String())
	was, is := docgen.Parse(w.s.doc), docgen.Parse(w.back)
	sortOwn(was, w.s.form)
	sortOwn(is, w.s.form)
	before, after := map[string]int{}, map[string]int{}
	loose := w.edit.Change >= docgen.Removed || w.edit.Root // places of others may follow
	for _, u := range docgen.Units(was, form) {
		before[bare(u.Value, loose)]++
	}
	for _, u := range docgen.Units(is, form) {
		after[bare(u.Value, loose)]++
	}
	var gone, come []string
	for text, n := range before {
		if n > after[text] {
			gone = append(gone, text)
		}
	}
	for text, n := range after {
		if n > before[text] {
			come = append(come, text)
		}
	}
	switch w.edit.Change {
	case docgen.NoChange:
		if len(gone)+len(come) > 0 {
			return fmt.Sprintf("differs without an edit: gone %s, come %s", gone, come)
		}
	case docgen.TitleChanged, docgen.AttributeChanged:
		if !w.steers() && !(w.edit.Root && w.stale) && (len(gone) > 1 || len(come) > 1 || len(come) == 1 && !strings.Contains(come[0], w.edit.Mark)) {
			return fmt.Sprintf("others were touched: gone %s, come %s", gone, come)
		}
	case docgen.Added:
		if !w.stale && (len(gone) > 0 || len(come) > 1) {
			return fmt.Sprintf("others were touched: gone %s, come %s", gone, come)
		}
	case docgen.Removed:
		if !w.stale && len(come) > 0 && !w.edit.Root && !w.carrierGone() {
			return fmt.Sprintf("others were touched: gone %s, come %s", gone, come)
		}
	case docgen.Moved:
		if !w.stale && len(gone)+len(come) > 0 {
			return fmt.Sprintf("others were touched: gone %s, come %s", gone, come)
		}
	}
	return ""
}

// carrierGone reports whether what carried went with what was removed.
func (w *wanted) carrierGone() bool {
	return w.edit.Change == docgen.Removed && bytes.Contains(w.edit.Unit.Append(nil), []byte("ctxmigrate"))
}

// steers reports whether the edit changed an attribute that says a role or a
// state, or what a packet is put back by.
func (w *wanted) steers() bool {
	for _, name := range []string{"role", "subrole", "selected", "visible", "hovered", "focused", "askable", "route"} {
		if bytes.Contains(w.edited, []byte(`"`+name+`":"`+w.edit.Mark)) {
			return true
		}
	}
	return false
}

// bare is the text of an item or an element without its children, and, where
// loose, without what follows from its place and from its neighbours.
func bare(v *docgen.Value, loose bool) string {
	c := docgen.Obj()
	for _, m := range v.Members {
		switch m.Says() {
		case "children":
			continue
		case "parent", "locatable", "focused", "role":
			if loose {
				continue
			}
		}
		c.Members = append(c.Members, m)
	}
	return c.String()
}

// TestLosslessOpaque holds that a member ctxmigrate that only looks like what is
// carried is an opaque value, and what is carried beside it comes back.
func TestLosslessOpaque(t *testing.T) {
	docs := map[translate.Form]string{
		translate.V01: `{"protocol":"0.1","instance":"i","items":[{"id":"a","type":"Selection","payload":{"ctxmigrate":VALUE},"x":1}],"focus":[]}`,
		translate.V020: `{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application","children":[{"id":"a","role":"Window","subrole":"","selected":false,` +
			`"attributes":{"ctxmigrate":VALUE}}]},"x":1}`,
		translate.Askable: `{"protocol":"askable.context","version":"0.1","source":{"timestamp":"2026-01-01T00:00:00Z"},"capture":{"mode":"full-page"},` +
			`"privacy":{"redacted":false,"consent":"none"},"provenance":{"producer":"p","method":"app"},"x":1,"ctxmigrate":VALUE}`,
	}
	for from, doc := range docs {
		for _, value := range []string{`1`, `{}`, `{"v":1}`, `{"v":3,"of":"x"}`, `{"v":1,"of":"0.1","y":1}`, `{"v":1,"of":"0.3"}`, `{"v":1,"of":"0.1","was":1}`,
			`{"v":1,"of":"0.1","own":{"ctxmigrate":{"v":1,"of":"0.1"}}}`, `{"v":1,"of":"0.1","own":{"ctxmigrate":{"v":2,"of":"0.1"}},"z":1}`} {
			src := strings.Replace(doc, "VALUE", value, 1)
			for _, to := range others(from) {
				there, err := translate.Convert([]byte(src), to, &translate.Options{Lossless: true})
				if err != nil {
					t.Fatal(err)
				}
				back, err := translate.Convert(there.Document, from, nil)
				if err != nil || canonical(back.Document, from) != canonical([]byte(src), from) {
					t.Errorf("%s\nwas, as %s,\n%s\nand came back as\n%s %v", src, to, there.Document, back.Document, err)
				}
			}
		}
	}
}

// TestLosslessInstance holds that an instance that the options give is gone after
// the way back.
func TestLosslessInstance(t *testing.T) {
	src := `{"protocol":"0.2.0","root":{"id":"a","role":"Application","title":"Doc","content":[]}}`
	there, err := translate.Convert([]byte(src), translate.V01, &translate.Options{Lossless: true, Instance: "i"})
	if err != nil || !bytes.Contains(there.Document, []byte(`"instance":"i"`)) {
		t.Fatalf("%s %v", there.Document, err)
	}
	back, err := translate.Convert(there.Document, translate.V020, nil)
	if err != nil || string(back.Document) != src {
		t.Errorf("%s\ncame back as\n%s %v", src, back.Document, err)
	}
}

// TestLosslessMapping holds that a role that a mapping file gave is gone after the
// way back.
func TestLosslessMapping(t *testing.T) {
	mapping, err := v01.ParseMapping([]byte(`{"types":{"note":{"role":"Image"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	src := `{"protocol":"0.1","instance":"n","items":[{"id":"w","type":"window"},{"id":"a","type":"note","parent":"w","locatable":true}],"focus":[]}`
	there, err := translate.Convert([]byte(src), translate.V020, &translate.Options{Lossless: true, Mapping: mapping})
	if err != nil || !bytes.Contains(there.Document, []byte(`"role":"Image"`)) {
		t.Fatalf("%s %v", there.Document, err)
	}
	back, err := translate.Convert(there.Document, translate.V01, nil)
	if err != nil || canonical(back.Document, translate.V01) != canonical([]byte(src), translate.V01) {
		t.Errorf("%s\ncame back as\n%s %v", src, back.Document, err)
	}
}

// TestLosslessHeld holds that a member that stands on the root in between comes back
// from there only: not once it is gone, nor beside what it was changed to.
func TestLosslessHeld(t *testing.T) {
	packet := `{"protocol":"askable.context","version":"0.1","source":{"timestamp":"2026-01-01T00:00:00Z","k":"old"},"capture":{"mode":"full-page"},` +
		`"privacy":{"redacted":false,"consent":"none"},"provenance":{"producer":"p","method":"app"}}`
	for _, src := range []string{
		`{"protocol":"0.1","instance":"i","items":[{"id":"r","type":"application"}],"focus":[],"k":"old"}`,
		`{"protocol":"0.1","instance":"i","items":[{"id":"a","type":"note"}],"focus":[],"k":"old"}`,
		`{"protocol":"0.2.0","instance":"i","root":{"id":"r","role":"Application","title":"T"},"k":"old"}`,
		packet,
		strings.Replace(strings.Replace(packet, `,"k":"old"`, "", 1), `"capture"`, `"k":"old","capture"`, 1),
		strings.Replace(strings.Replace(packet, `,"k":"old"`, "", 1), `"privacy"`, `"target":{"label":"t","k":"old"},"privacy"`, 1),
		strings.Replace(strings.Replace(packet, `,"k":"old"`, "", 1), `"privacy"`, `"surrounding":{"nearby":[{"label":"n"},{"label":"t","k":"old"}]},"privacy"`, 1),
		strings.Replace(strings.Replace(packet, `,"k":"old"`, "", 1), `"privacy"`, `"surrounding":{"ancestors":[{"label":"t","k":"old"}]},"privacy"`, 1),
	} {
		from, err := translate.Detect([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range []translate.Form{translate.V01, translate.V020} {
			if to == from {
				continue
			}
			there, err := translate.Convert([]byte(src), to, &translate.Options{Lossless: true})
			if err != nil || strings.Count(string(there.Document), `"k":"old"`) != 1 || !strings.Contains(string(there.Document), `"held":true`) {
				t.Fatalf("%s\nbecame\n%s %v", src, there.Document, err)
			}
			for _, edit := range []string{`"k":"old"`, `"k":"new"`, `"z":1`} {
				edited := strings.Replace(string(there.Document), `"k":"old"`, edit, 1)
				back, err := translate.Convert([]byte(edited), from, nil)
				if err != nil {
					t.Fatal(err)
				}
				got, same := string(back.Document), edit == `"k":"old"`
				if strings.Contains(got, `"k":"old"`) != same || from != translate.Askable && strings.Count(got, edit) != 1 {
					t.Errorf("%s\nedited\n%s\ncame back as\n%s", src, edited, got)
				}
				stale := slices.ContainsFunc(back.Report, func(d diag.Diagnostic) bool { return d.Code == diag.CarryStale })
				if stale == same {
					t.Errorf("%s\nedited\n%s\nreported %v", src, edited, back.Report)
				}
				strictly, err := translate.Convert([]byte(edited), from, &translate.Options{Strict: true})
				if err != nil || !reflect.DeepEqual(strictly, back) { // what was carried is no part of the document
					t.Errorf("%s\nstrictly gives %v and\n%s\nreported %v", edited, err, strictly.Document, strictly.Report)
				}
			}
		}
	}
}

// TestLosslessColumn holds that what the root carries of items is put back at those that
// are still the same, whatever was done to others.
func TestLosslessColumn(t *testing.T) {
	const head, tail = `{"protocol":"0.1","instance":"i","items":[`, `}`
	for name, c := range map[string]struct{ src, edit, to, want string }{
		"untouched": {`{"id":"a","type":"note","locatable":true},{"id":"b","type":"note","locatable":false}],"focus":["a","b"]`, ``, ``,
			`{"id":"a","type":"note","locatable":true},{"id":"b","type":"note","locatable":false}],"focus":["a","b"]`},
		"one more": {`{"id":"a","type":"note","locatable":true},{"id":"b","type":"note","locatable":false}],"focus":[]`,
			`{"id":"b",`, `{"id":"n","role":"Row"},{"id":"b",`,
			`{"id":"a","type":"note","locatable":true},{"id":"n","type":"row"},{"id":"b","type":"note","locatable":false}],"focus":[]`},
		"one less": {`{"id":"a","type":"note","locatable":true},{"id":"b","type":"note","locatable":false}],"focus":["a","b"]`,
			`{"id":"a","role":"Document","subrole":"note","focused":true},`, ``,
			`{"id":"b","type":"note","locatable":false}],"focus":[]`},
		"renamed": {`{"id":"a","type":"note","locatable":true},{"id":"b","type":"note","locatable":false}],"focus":[]`,
			`{"id":"b",`, `{"id":"c",`,
			`{"id":"a","type":"note","locatable":true},{"id":"c","type":"note"}],"focus":[]`},
		"focus moved": {`{"id":"a","type":"note"},{"id":"b","type":"note"},{"id":"c","type":"note"}],"focus":["a","b"]`,
			`"a","role":"Document","subrole":"note","focused":true},{"id":"b","role":"Document"`, `"a","role":"Document","subrole":"note"},{"id":"b","role":"Document","focused":true`,
			`{"id":"a","type":"note"},{"id":"b","type":"note"},{"id":"c","type":"note"}],"focus":["b"]`},
		"focus moved away from a selection": {`{"id":"a","type":"note","title":"A"},{"id":"b","type":"note","title":"B"},{"id":"s","type":"selection"}],"focus":["a"]`,
			`"title":"A","focused":true`, `"title":"A"`,
			`{"id":"a","type":"note","title":"A"},{"id":"b","type":"note","title":"B"},{"id":"s","type":"selection","parent":"a"}],"focus":[]`},
		"a selection that is none any more": {`{"id":"a","type":"note","title":"A"},{"id":"s","type":"selection","title":"S"}],"focus":["a"]`,
			`"role":"Text","title":"S","selected":true`, `"role":"Row","title":"S"`,
			`{"id":"a","type":"note","title":"A"},{"id":"s","type":"row","title":"S","parent":"a"}],"focus":["a"]`},
		"an id that was not there and is named": {`{"type":"list","title":"A"},{"id":"b","type":"row"}],"focus":[]`,
			`"role":"List","title":"A"`, `"role":"List","title":"A","focused":true`,
			`{"id":"item-0","type":"list","title":"A"},{"id":"b","type":"row"}],"focus":["item-0"]`},
		"title beside a selection": {`{"id":"a","type":"note"},{"id":"b","type":"note","title":"B"},{"id":"s","type":"selection"}],"focus":["a"]`,
			`"B"`, `"C"`,
			`{"id":"a","type":"note"},{"id":"b","type":"note","title":"C"},{"id":"s","type":"selection"}],"focus":["a"]`},
		"a made-up id that others name": {`{"id":"a","type":"note"},{"id":"a","type":"note"},{"id":"c","type":"note","parent":"a"}],"focus":[]`,
			`,"children":[{"id":"c","role":"Document","subrole":"note"}]},{"id":"a~2","role":"Document","subrole":"note","attributes":{`,
			`},{"id":"a~2","role":"Document","subrole":"note","children":[{"id":"c","role":"Document","subrole":"note"}],"attributes":{`,
			`{"id":"a","type":"note"},{"id":"a~2","type":"note"},{"id":"c","type":"note","parent":"a~2"}],"focus":[]`},
		"an orphan, and then a parent": {`{"id":"a","type":"note","parent":"gone"},{"id":"b","type":"note"}],"focus":[]`,
			`"id":"b"`, `"id":"gone"`,
			`{"id":"a","type":"note"},{"id":"gone","type":"note"}],"focus":[]`},
		"still an orphan": {`{"id":"a","type":"note","parent":"gone"},{"id":"b","type":"note"}],"focus":[]`,
			`"id":"b"`, `"id":"c"`,
			`{"id":"a","type":"note","parent":"gone"},{"id":"c","type":"note"}],"focus":[]`},
		"moved, in the same order": {`{"id":"a","type":"window"},{"id":"b","type":"window"},{"id":"c","type":"note","parent":"a"}],"focus":[]`,
			`,"children":[{"id":"c","role":"Document","subrole":"note"}]},{"id":"b","role":"Window"}`,
			`,"children":[{"id":"c","role":"Document","subrole":"note"},{"id":"b","role":"Window"}]}`,
			`{"id":"a","type":"window"},{"id":"c","type":"note","parent":"a"},{"id":"b","type":"window","parent":"a"}],"focus":[]`},
		"titled": {`{"id":"a","type":"window","title":"A"},{"id":"b","type":"window"},{"id":"c","type":"note","parent":"a","locatable":true}],"focus":[]`,
			`"A"`, `"B"`,
			`{"id":"a","type":"window","title":"B"},{"id":"b","type":"window"},{"id":"c","type":"note","parent":"a","locatable":true}],"focus":[]`},
	} {
		for _, long := range []string{"", `,"x":1`} { // with more to carry than the short way knows
			src := head + c.src + long + tail
			there, err := translate.Convert([]byte(src), translate.V020, &translate.Options{Lossless: true})
			if err != nil || !strings.Contains(string(there.Document), c.edit) {
				t.Fatalf("%s: %s %v", name, there.Document, err)
			}
			edited := strings.Replace(string(there.Document), c.edit, c.to, 1)
			back, err := translate.Convert([]byte(edited), translate.V01, nil)
			if err != nil || canonical(back.Document, translate.V01) != canonical([]byte(head+c.want+long+tail), translate.V01) {
				t.Errorf("%s: edited\n%s\ncame back as\n%s %v", name, edited, back.Document, err)
			}
		}
	}
}

// TestLosslessProtocol holds that what is carried cannot make a document of another
// form, or of none.
func TestLosslessProtocol(t *testing.T) {
	src := `{"protocol":"0.1.3","instance":"i","items":[{"id":"a","type":"note"}],"focus":[]}`
	there, err := translate.Convert([]byte(src), translate.V020, &translate.Options{Lossless: true})
	if err != nil {
		t.Fatal(err)
	}
	for is, want := range map[string]string{`"0.1.3"`: `"0.1.3"`, `1`: `"0.1"`, `"0.2.0"`: `"0.1"`, `"x"`: `"0.1"`} {
		doc := strings.Replace(string(there.Document), `"is":"0.1.3"`, `"is":`+is, 1)
		back, err := translate.Convert([]byte(doc), translate.V01, nil)
		if err != nil || !strings.HasPrefix(string(back.Document), `{"protocol":`+want+`,`) {
			t.Errorf("%s\ncame back as\n%s %v", doc, back.Document, err)
		}
	}
}

// TestLosslessLike holds that what is kept of many units in the same words is kept
// once, in little room, and finds each of them again, whatever was done to others.
func TestLosslessLike(t *testing.T) {
	tree := func(more string) string {
		var b strings.Builder
		b.WriteString(`{"protocol":"0.2.0","instance":"i","root":{"id":"r","role":"Application","children":[{"id":"w","role":"Window","children":[`)
		for n := range 40 {
			if n > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"id":"e%d","role":"Row","title":"The title of %d","content":[{"type":"text","text":"What there is to be read of it."}]%s}`, n, n, more)
		}
		return b.String() + `]}]}}`
	}
	list := `{"protocol":"0.1","instance":"i","items":[{"id":"e0","type":"row","x-rev":1}`
	for n := range 40 {
		list += fmt.Sprintf(`,{"id":"f%d","type":"row","title":"The title of %d","url":"https://notes.example.org/%d","x-rev":%d}`, n, n, n, n)
	}
	list += `],"focus":[]}`
	for _, c := range []struct{ src, mark string }{{tree(`,"selected":false,"focused":false,"hovered":false`), `"hovered":false`},
		{tree(`,"children":[]`), `"children":[]`}, {tree(`,"url":null,"subrole":null`), `"subrole":null`}, {list, `"x-rev":`}} {
		from, err := translate.Detect([]byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		to := translate.V01 + translate.V020 - from
		plain, err := translate.Convert([]byte(c.src), to, nil)
		if err != nil {
			t.Fatal(err)
		}
		there, err := translate.Convert([]byte(c.src), to, &translate.Options{Lossless: true})
		if err != nil || 10*len(there.Document) > 11*len(plain.Document) {
			t.Errorf("%s: %d bytes became %d %v", c.mark, len(plain.Document), len(there.Document), err)
		}
		back := func(was, is string) (want, got string, stale bool) {
			r, err := translate.Convert([]byte(strings.ReplaceAll(string(there.Document), was, is)), from, nil)
			if err != nil {
				t.Fatal(err)
			}
			stale = slices.ContainsFunc(r.Report, func(d diag.Diagnostic) bool { return d.Code == diag.CarryStale })
			return canonical([]byte(strings.ReplaceAll(c.src, was, is)), from), canonical(r.Document, from), stale
		}
		for _, title := range []string{"The title of 7", "Another title"} {
			if want, got, stale := back("The title of 7", title); got != want || stale {
				t.Errorf("%s: came back as\n%s\nwant\n%s", c.mark, got, want)
			}
		}
		want, got, stale := back(`"id":"e0"`, `"id":"other"`) // one that is not there any more
		if strings.Count(got, c.mark) != strings.Count(want, c.mark)-1 && from == translate.V020 || !stale {
			t.Errorf("%s: came back as\n%s\nwant, but for one,\n%s", c.mark, got, want)
		}
	}
}
