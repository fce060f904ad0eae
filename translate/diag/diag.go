// Package diag holds the diagnostics of ctxmigrate: one type, and one table of
// codes that the library, the command and its documentation all read.
//
// A diagnostic says what a conversion refused, left out, repaired or took for
// granted, and where. It holds positions, codes, counts, ids and words of a
// vocabulary; never a title, a text, an address, an attribute value, an instance
// or a token.
package diag

import (
	"fmt"
	"strconv"
	"strings"
)

// Severity is how much a diagnostic matters.
type Severity uint8

// The severities, in rising order.
const (
	Note    Severity = iota // worth knowing: retired, assumed, inferred
	Warning                 // something was guessed or repaired
	Loss                    // something is not in the output
	Error                   // the document is refused
)

var severityNames = [...]string{"note", "warning", "loss", "error"}

// String is the word for the severity.
func (s Severity) String() string { return severityNames[s] }

// ParseSeverity reads the word for a severity.
func ParseSeverity(word string) (Severity, bool) {
	for i, n := range severityNames {
		if n == word {
			return Severity(i), true
		}
	}
	return 0, false
}

// Diagnostic is one thing that is to be said of a document.
type Diagnostic struct {
	Code     Code
	Severity Severity // that of the code, or Error where a strict reading raised it
	Pointer  string   // JSON Pointer (RFC 6901) in the source, "" for the whole; of very many long ones the end, see jsontree.Place
	Line     int      // from 1
	Column   int      // in bytes, from 1
	Offset   int      // in bytes, from 0
	Args     []string // what the message names: ids, words, counts
	Count    int      // how often, where that is more than once; else 0
}

// Message is the diagnostic in words, without its place and its code.
func (d *Diagnostic) Message() string {
	return d.say(table[d.Code].Message)
}

// say puts the arguments and the count into a text.
func (d *Diagnostic) say(text string) string {
	for i, a := range d.Args {
		text = strings.ReplaceAll(text, "{"+strconv.Itoa(i)+"}", a)
	}
	if d.Count > 1 {
		text += fmt.Sprintf(" (%d times)", d.Count)
	}
	return text
}

// Error makes a diagnostic usable as an error.
func (d *Diagnostic) Error() string {
	return fmt.Sprintf("%d:%d: %s (%s)", d.Line, d.Column, d.Message(), d.Code)
}

// Info is a row of the table of codes.
type Info struct {
	Code     Code
	Name     string   // kebab-case, stable
	Severity Severity // what it is unless a strict reading raises it
	Message  string   // with {0}, {1} for the arguments
	Meaning  string   // one line
	Do       string   // one line: what to do about it
}

// Codes is the table of codes, in the order in which it is printed.
func Codes() []Info { return append([]Info(nil), table[:]...) }

// String is the name of the code.
func (c Code) String() string { return table[c].Name }

// MarshalText is String, so that reports hold names.
func (c Code) MarshalText() ([]byte, error) { return []byte(table[c].Name), nil }

// Severity is what the code is unless a strict reading raises it.
func (c Code) Severity() Severity { return table[c].Severity }

// ParseCode finds a code by its name.
func ParseCode(name string) (Code, bool) {
	for i := range table {
		if table[i].Name == name {
			return Code(i), true
		}
	}
	return 0, false
}
