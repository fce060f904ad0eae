// Package carry holds what a lossless conversion keeps for the way back.
//
// What is kept lives under one member, ctxmigrate, of the attributes of an
// element, the payload of an item, or the metadata of a packet's target:
//
//	"ctxmigrate":{"v":1,"of":"0.1","was":{"title":{"is":null}}}
//
// v is the version of this format and of the form of the source. To a tree or a
// list, each element carries how its source differs from what the plain way back
// would give for it (was, a patch), and the root carries what concerns the whole
// answer (answer, each, order, locatable, focus, placed, like, units, root). Each has
// a mark of every unit, by its id and its parent's, by which what is carried there
// finds the units that it belongs to. To a packet, the source document is carried
// whole (document). A value of that name that is not of this format is no carry.
//
// A patch tells, by name, what a member is to be: {"is":value}, {"up":true} for a
// value that stands in the payload or attributes below, {"in":patch} for a
// change inside, or none of these for a member that is not to be. Of a member
// that the plain way back gives, "for" is the fingerprint of what it must still
// be; where it is not, the document was changed in between, and the change wins.
// With "held" a member is put back only where the element that has it among its
// attributes in between still does.
package carry
