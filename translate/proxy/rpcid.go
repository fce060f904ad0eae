package proxy

import (
	"bytes"
	"strconv"
	"strings"

	"ctxmigrate/translate/jsontree"
)

// idKey is what a raw id says: two ids are the same where their keys are, strings
// and numbers by their value, all else but for white space. It is for finding the
// request that a reply is for; what is sent is the id as the host wrote it.
func idKey(id []byte) string {
	switch jsontree.KindOf(id) {
	case jsontree.String:
		return `"` + string(jsontree.Unquote(id))
	case jsontree.Number:
		return numberKey(string(id))
	}
	return string(jsontree.AppendCompact(nil, id))
}

// numberKey writes a number of JSON in the one way that its value has, exactly:
// digits that neither begin nor end with 0, and the exponent of the last one.
func numberKey(text string) string {
	digits, sign := strings.CutPrefix(text, "-")
	exponent := 0
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		var err error
		if exponent, err = strconv.Atoi(digits[i+1:]); err != nil || exponent > 1<<40 || exponent < -1<<40 {
			return text
		}
		digits = digits[:i]
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(digits, "0")
	if short == "" {
		return "0"
	}
	exponent += len(digits) - len(short) - len(fraction)
	if sign {
		short = "-" + short
	}
	return short + "e" + strconv.Itoa(exponent)
}

// sameID reports whether two raw ids are the same.
func sameID(a, b []byte) bool { return bytes.Equal(a, b) || idKey(a) == idKey(b) }
