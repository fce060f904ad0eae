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
}

// Name is a member name that a form knows.
type Name struct {
	Name string
	Kind Kind // that Run takes; with None it takes nothing of this name
	Word bool // a string, mostly short; Run takes none that is empty

	least int // bytes that a value has which Run takes
}

// MaxNames is how many names a Vocabulary may have.
const MaxNames = 15

// Fields are the values that Reader.Run has found, by the number of their names.
type Fields [MaxNames + 1]Span

// noHead is the head of no name, since it is not UTF-8.
const noHead = 1<<64 - 1

// noKind is the kind of no value, and not of what stands where none begins.
const noKind = 1<<8 - 1

// slot is a name by its head.
type slot struct {
	head   uint64
	number uint8
	tail   uint8 // how much of the name is beyond its head
	kind   Kind
	word   bool
}

// NewVocabulary makes a vocabulary of names, of at most 15 ASCII names without
// characters that JSON escapes, of which no two longer than seven bytes begin with
// the same eight.
func NewVocabulary(names ...Name) *Vocabulary {
	v := &Vocabulary{}
	copy(v.names[1:], names)
	for v.mult = 0x9E3779B97F4A7C15; !v.fill(names); v.mult += 0x7FFFFFFFFFFFFFFE {
	}
	return v
}

// fill puts the names into slots, and answers false where two want the same one.
func (v *Vocabulary) fill(names []Name) bool {
	for i := range v.slots {
		v.slots[i] = slot{head: noHead}
	}
	for k, name := range names {
		s := v.slot(headOf([]byte(name.Name)))
		if s.number != 0 {
			return false
		}
		*s = slot{headOf([]byte(name.Name)), uint8(k + 1), uint8(max(0, len(name.Name)-8)), name.Kind, name.Word}
		if name.Kind == None {
			s.kind = noKind
		}
		v.names[k+1].least = 1
		if name.Word {
			v.names[k+1].least = len(`"."`)
		}
	}
	return true
}

func (v *Vocabulary) slot(head uint64) *slot { return &v.slots[head*v.mult>>58] }

// find is the number of a name, 0 where it is not in the vocabulary.
func (v *Vocabulary) find(name []byte) int {
	s := v.slot(headOf(name))
	if s.number == 0 || v.names[s.number].Name != string(name) {
		return 0
	}
	return int(s.number)
}
