// Package v020 reads and writes answers of the 0.2.0 protocol: one tree of
// elements, each with a role of thirteen words, an optional subrole in the app's
// own words, and its states (RFC-0001 sections 4.1 to 4.4; hovered, RFC-0003, as
// rules-0.2.0 section 9 speaks of it).
//
//	{"protocol":"0.2.0","instance":"k3f9x2","root":{"id":"app","role":"Application",
//	  "children":[{"id":"w-1","role":"Window","focused":true}]}}
//
// The shape is that of the intermediate model, so reading is mostly a matter of
// what a careless provider may write: roles that are not known are kept and
// acted on as Group (4.2), states are taken from their element alone (R1), ids
// are made unique (R4), and the focus becomes one path without gaps (4.1, R6).
package v020
