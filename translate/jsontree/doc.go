// Package jsontree reads and writes JSON text (RFC 8259) in one linear pass,
// without building values.
//
// Terms. A document is one JSON value with white space around it. A raw value
// is the text of a value exactly as the document spells it: numbers keep their
// digits, strings keep their escapes, objects keep the order of their members.
// A [Span] is the place of a raw value in its document. A pointer is a JSON
// Pointer (RFC 6901).
//
// A [Reader] is driven by its caller, level by level, and checks everything it
// passes over: the grammar, that all text is UTF-8, that no object has two
// members of one name (compared after escapes are resolved), and that nesting
// stays within a limit. It keeps its own stack, so that no input can deepen the
// call stack, and its cost is proportional to the bytes read whatever their
// shape. The first fault ends the reading: it is kept in [Reader.Err], and from
// then on every method answers as at the end of a container, so loops end by
// themselves.
//
// What a Reader has passed may be handed to the functions of this package that
// take raw values ([AppendCompact], [Members], [AppendUnquoted] and the like);
// these check nothing.
package jsontree
