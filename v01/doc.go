// Package v01 reads and writes answers of the 0.1 protocol: a flat list of items
// and a list of the ids that have the focus.
//
//	{"protocol":"0.1","instance":"k3f9x2",
//	  "items":[{"id":"w-1","type":"pane"},{"id":"n-1","type":"note","parent":"w-1","title":"Plan"}],
//	  "focus":["n-1"]}
//
// The specification of 0.1 is not available; what this package takes it to be
// follows what RFC-0001 (sections 2 and 4.1) says of it. An item has id, type
// (any word), parent (an id), title, content (MCP content blocks), url,
// locatable, and payload (anything else, by name). The same thing shown twice is
// two items of one id. Selected words are an item of type selection, whose
// parent is what they were selected in.
//
// Reading makes a tree of the list: parents become containment, the type becomes
// a role and a subrole (see VocabularyWord), the focus list becomes one path of
// focused elements. Writing goes the other way, and says by name in the payload
// what an item has no field for.
package v01
