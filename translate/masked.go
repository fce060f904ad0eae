package translate

import (
	"slices"
	"strings"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// Masked is a part of a document that is not to be shown beside a finding.
type Masked struct{ From, To int }

// Masked are the parts of the last document that hold what secure elements must
// not hand out (7.1), in rising order and apart from each other. Of a document that
// was refused, of which that is not known, it is all that may be a value, and from
// where it is no JSON everything. It holds until the next call.
func (k *Checker) Masked() []Masked {
	k.masked = k.masked[:0]
	s := &k.c.snap
	switch {
	case k.refused != nil:
		k.maskAll(k.c.src)
	case k.c.from == Askable:
		for _, sp := range k.packet.Secure {
			k.masked = append(k.masked, Masked{int(sp.Off), sp.End()})
		}
	case s.Secure:
		for i := s.Root; i != model.None; {
			e := &s.Elements[i]
			if !e.Secure {
				i, _ = s.After(i, s.Root)
				continue
			}
			k.mask(i)
			if k.c.from == V01 { // what is in it stands elsewhere in the list
				for c := e.First; c != model.None; c, _ = s.After(c, i) {
					k.mask(c)
				}
			}
			i, _ = s.Past(i, s.Root)
		}
	}
	slices.SortFunc(k.masked, func(a, b Masked) int { return a.From - b.From })
	apart := k.masked[:0]
	for _, m := range k.masked {
		if n := len(apart); n > 0 && m.From < apart[n-1].To {
			apart[n-1].To = max(apart[n-1].To, m.To)
			continue
		}
		apart = append(apart, m)
	}
	k.masked = apart
	return apart
}

// withhold leaves out of a finding what lies in a part that is not to be shown: what
// it names, and where in there it is. It answers where the finding is told of.
func (k *Checker) withhold(r *diag.Record, masked []Masked) {
	off := int(r.Off)
	if r.Code == diag.WrongType {
		return // it names a member that the form has, and no value
	}
	i, found := slices.BinarySearchFunc(masked, off, func(m Masked, off int) int { return m.From - off })
	if found || i == 0 || off >= masked[i-1].To {
		return
	}
	r.Off = uint32(masked[i-1].From)
	hidden := k.c.snap.Make([]byte("•••"), false)
	if !r.A.IsZero() {
		r.A = hidden
	}
	if !r.B.IsZero() {
		r.B = hidden
	}
}

// mask masks an element, all of it.
func (k *Checker) mask(i int32) {
	at := int(k.c.snap.Elements[i].At)
	var b jsontree.Boundary
	n, _ := b.Scan(k.c.src[at:])
	k.masked = append(k.masked, Masked{at, at + n})
}

// FormMember reports whether a name is one that the forms give to members, which
// tells nothing where it stands in what is not to be shown.
func FormMember(name string) bool { return formMembers[name] }

var formMembers = func() map[string]bool {
	names := map[string]bool{}
	for _, n := range strings.Fields("protocol version instance items focus root id type parent title url content locatable payload role subrole " +
		"selected focused visible hovered attributes children source capture target surrounding privacy provenance ancestors nearby history sources " +
		"text label selector bounds metadata screenshot element app route timestamp mode gesture intent redacted consent omitted producer method") {
		names[n] = true
	}
	return names
}()
