// Package askable reads and writes packets of askable.context 0.1: what a web
// page says of what the user pointed at, with its surroundings, its privacy and
// its provenance.
//
//	{"protocol":"askable.context","version":"0.1",
//	  "source":{"url":"https://…","timestamp":"2026-11-30T09:00:00Z"},
//	  "capture":{"mode":"element-focus","gesture":"click"},
//	  "target":{"text":"Ship on Friday","role":"listitem"},
//	  "privacy":{"redacted":false,"consent":"explicit"},
//	  "provenance":{"producer":"notes","method":"app"}}
//
// The shape is that of the Context Specification with what its reference
// producer adds (source.timestamp and its other members, capture.intent,
// surrounding.sources). A packet that is written satisfies the strict reading,
// which allows no other member anywhere outside metadata; one that is read need
// not.
//
// Reading makes a tree: the page is a Document, the ancestors are a chain in it,
// the target and what is nearby stand at its end. What is no element (capture,
// privacy, provenance, history, sources) stays, raw, in the attribute "askable" of
// the root, so that the packet can be put back. Writing an ordinary tree makes
// each element a target-shaped value that keeps the element in its metadata, so
// that the element can be restored.
package askable
