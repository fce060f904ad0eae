package v01

import "ctxmigrate/translate/model"

// VocabularyWord is the word of the vocabulary that a type word is read as, "" where
// it is none of them. What answers tell of themselves beside such words is their
// own affair, and stands in no count.
func VocabularyWord(word string) (known string) {
	model.LookUp([]byte(word), func(folded []byte) (struct{}, bool) {
		_, ok := builtin[string(folded)]
		if ok {
			known = string(folded)
		}
		return struct{}{}, ok
	})
	return known
}
