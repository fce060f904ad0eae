package jsontree

// Vocabulary is the set of member names that a form knows at one place, numbered
// from 1 in the order of NewVocabulary, with the kind of value that each is to
// have. A name is found in it from one load and one multiplication, where
// comparing strings would cost several branches that cannot be predicted, since
// members come in any order.
type Vocabulary struct {
	mult  uint64
	slots [64]slot
	names [MaxNames + 1]Name
	usual *Usual
}

// Name is a member name that a form knows.
type Name struct {
	Name string
	Kind Kind // that Run takes; with None it takes nothing of this name
	Word bool // a string of which Run takes none that is empty

	// Usual is what most values look like, or nil: one in a vocabulary at the most.
	Usual *Usual
}

// MaxNames is how many names a Vocabulary may have.
const MaxNames = 15

// Fields are the values that Reader.Run has found, by the number of their names.
type Fields [MaxNames + 1]Span

// noHead is the head of no name, since it is not UTF-8.
const noHead = 1<<64 - 1

// noKind is the kind of no value, and not of what stands where none begins.
const noKind = 1<<8 - 1

// slot is a name by its head. What is for names that have eight bytes is, of those
// that have less, what no text is that begins with the same head.
type slot struct {
	head uint64
	last uint64 // the last eight bytes
	about
}

func newSlot(head uint64, number int, name []byte, kind Kind, least int) slot {
	length, last := 8, ^head
	if len(name) >= 8 {
		length, last = len(name), headOf(name[len(name)-8:])
	}
	return slot{head, last, newAbout(number, length, kind, least)}
}

// about is what is to be known of a name, in one register: its number, its length of
// eight bytes or more, the kind of the values that Run takes, and how many bytes they
// have at the least.
type about uint32

func newAbout(number, length int, kind Kind, least int) about {
	return about(number | int(kind)<<8 | least<<16 | length<<24)
}

func (a about) number() int { return int(a & MaxNames) }
func (a about) kind() Kind  { return Kind(a >> 8) }
func (a about) least() int  { return int(a >> 16 & 0xFF) }
func (a about) length() int { return int(a >> 24) }

// NewVocabulary makes a vocabulary of names, of at most 15 ASCII names without
// characters that JSON escapes, of which none is longer than sixteen bytes and no two
// longer than seven begin with the same eight.
func NewVocabulary(names ...Name) *Vocabulary {
	v := &Vocabulary{}
	copy(v.names[1:], names)
	for _, name := range names {
		if name.Usual != nil {
			v.usual = name.Usual
		}
	}
	for v.mult = 0x9E3779B97F4A7C15; !v.fill(names); v.mult += 0x7FFFFFFFFFFFFFFE {
	}
	return v
}

// fill puts the names into slots, and answers false where two want the same one.
func (v *Vocabulary) fill(names []Name) bool {
	for i := range v.slots {
		v.slots[i] = newSlot(noHead, 0, nil, noKind, 0)
	}
	for k, name := range names {
		text, kind, least := []byte(name.Name), name.Kind, 1
		s := v.slot(headOf(text))
		if s.head != noHead {
			return false
		}
		if kind == None {
			kind = noKind
		}
		if name.Word {
			least = len(`"."`)
		}
		*s = newSlot(headOf(text), k+1, text, kind, least)
	}
	return true
}

// Kind is the kind of value that the name of a number is to have.
func (v *Vocabulary) Kind(number int) Kind { return v.names[number].Kind }

func (v *Vocabulary) slot(head uint64) *slot { return &v.slots[head*v.mult>>58] }

// find is the number of a name, 0 where it is not in the vocabulary.
func (v *Vocabulary) find(name []byte) int {
	number := v.slot(headOf(name)).number()
	if number == 0 || v.names[number].Name != string(name) {
		return 0
	}
	return number
}
