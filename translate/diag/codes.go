package diag

// Code is the kind of a diagnostic.
type Code uint8

// The codes. Their meanings stand in the table below.
const (
	Syntax Code = iota
	Encoding
	DuplicateMember
	TooDeep
	TooLarge
	UnknownForm
	UnsupportedVersion
	FormMismatch
	MissingMember
	WrongShape
	RecordPath
	CompressedData
	InputFailed
	OutputFailed
	NotProven
	WrongType
	MissingID
	DuplicateID
	OrphanParent
	ParentCycle
	SelectionPlaced
	TypeMissing
	FocusUnknownID
	ReservedAttribute
	FocusGap
	RoleMissing
	RootRole
	UnknownWord
	CarryStale
	FocusOffPath
	MemberLost
	StateRepeated
	RoleLost
	NameTaken
	SecureWithheld
	ElementDropped
	SurroundingCut
	MemberDropped
	TypeDropped
	RootMadeUp
	SecondApplication
	TypeUnknown
	LocatableRetired
	MemberMoved
	InstanceAssumed
	InstanceDropped
	RootDropped
	RoleUnknown
	OrderChanged
	FocusNormalized
	TypeReplaced
	ParentMadeExplicit
	TextJoined
	TextAnnotations
	ElementMoved
	StateMoved
	VisibleMerged
	TimestampAssumed
	ConsentAssumed
	ProvenanceAssumed
	CaptureAssumed
	DataPrefix
	LinkMade
	AuthorNamed
	CarryDropped

	// NumCodes is the number of codes.
	NumCodes = iota
)

var table = [NumCodes]Info{
	{Syntax, "syntax", Error, "{0}",
		"The text is not JSON (RFC 8259).",
		"Mend the text at the place named."},
	{Encoding, "encoding", Error, "{0}",
		"The bytes are not UTF-8.",
		"Convert the file to UTF-8; nothing is guessed or replaced."},
	{DuplicateMember, "duplicate-member", Error, "{0}",
		"An object has two members of one name.",
		"Decide which is meant; readers disagree about which one wins."},
	{TooDeep, "too-deep", Error, "{0}",
		"The document nests deeper than the limit, as read or as it would be written.",
		"Raise --max-depth if the depth is meant."},
	{TooLarge, "too-large", Error, "{0}",
		"The document is larger than the limit.",
		"Raise --max-bytes if the size is meant."},
	{UnknownForm, "unknown-form", Error, "{0}",
		"The document does not say which form it is in.",
		"Name its form with --from, or mend its protocol member."},
	{UnsupportedVersion, "unsupported-version", Error, "{0}",
		"The document is of a protocol version that is not known.",
		"Convert it with a program that knows the version."},
	{FormMismatch, "form-mismatch", Error, "{0}",
		"The document says that it is in another form than the one named.",
		"Leave out --from, or name the right form."},
	{MissingMember, "missing-member", Error, "the answer has no {0}",
		"A 0.1 answer without items or a 0.2.0 answer without root.",
		"Ask the provider again: this is no whole answer."},
	{WrongShape, "wrong-shape", Error, "{0}",
		"items or root is of another type, or an entry of items, children or a list of surrounding is no object.",
		"Mend the document at the place named."},
	{RecordPath, "record-path", Error, "{0}",
		"The path of --at finds nothing in the record, or nothing that can be converted.",
		"Check the path; see the gjson path syntax."},
	{CompressedData, "compressed-data", Error, "{0}",
		"Compressed data is damaged or ends early.",
		"Get the whole file; what came before the damage was converted."},
	{InputFailed, "input-failed", Error, "{0}",
		"A file could not be opened or read.",
		"Check the name and the permissions."},
	{OutputFailed, "output-failed", Error, "{0}",
		"The output could not be written.",
		"Check the space and the permissions."},
	{NotProven, "not-proven", Error, "{0}",
		"The proof that the result holds all of the document failed; nothing was written.",
		"Keep the source and report this: it is a fault of ctxmigrate."},
	{WrongType, "wrong-type", Warning, "{0} is {1}",
		"A known member is of another JSON type than the form says; it was read as what it can only mean, or kept by name.",
		"Mend the provider."},
	{MissingID, "missing-id", Warning, "an element without an id was given {0}",
		"An element has no id, or an empty one; one was made up.",
		"Mend the provider: such an element cannot be located."},
	{DuplicateID, "duplicate-id", Warning, "the id {0} appears again and became {1}",
		"An id appears more than once; in a tree ids are unique.",
		"Nothing, if the same thing is shown twice; ids map back."},
	{OrphanParent, "orphan-parent", Warning, "the parent {1} of {0} is not in the answer",
		"An item names a parent that is not in the list; it was put under the root.",
		"Check what filtered the parent out."},
	{ParentCycle, "parent-cycle", Warning, "the parents of {0} form a ring",
		"Items are each other's parents; the ring was cut at its first item, which was put under the root.",
		"Mend the provider."},
	{SelectionPlaced, "selection-placed", Warning, "the selection {0} has no parent and was put where the focus is",
		"A selection does not say what it was selected in.",
		"Check that the place is right."},
	{TypeMissing, "type-missing", Warning, "the item {0} has no type",
		"An item without a type was read as one of an unknown type.",
		"Mend the provider, or set payload.role."},
	{FocusUnknownID, "focus-unknown-id", Warning, "the focused id {0} is not in the answer",
		"The focus list names an id that no item bears.",
		"Mend the provider."},
	{ReservedAttribute, "reserved-attribute", Warning, "the attribute {0} is not of the reserved shape",
		"author is to be a string, related a list of links; the value was kept as it is.",
		"Mend the provider, or rename the member."},
	{FocusGap, "focus-gap", Warning, "{0} lies on the focused path and did not say so",
		"The focused path had a gap, which was filled.",
		"Mend the provider."},
	{RoleMissing, "role-missing", Warning, "the element {0} has no role",
		"An element without a role was read as a Group.",
		"Mend the provider."},
	{RootRole, "root-role", Warning, "the root is not an Application",
		"The root has another role, or none; it was read as an Application.",
		"Mend the provider."},
	{UnknownWord, "unknown-word", Warning, "the {0} is not a word of the specification",
		"A mode, gesture, consent or method of a packet is not a known word; it was kept.",
		"Check the producer."},
	{CarryStale, "carry-stale", Warning, "what was carried for {0} no longer fits and was dropped",
		"The document was changed after a lossless conversion; the change wins.",
		"Nothing, if the change was meant."},
	{FocusOffPath, "focus-off-path", Loss, "the focus on {0} was left out",
		"There is one position in an answer; what is focused beside it was left out.",
		"Use --focus all to mark every listed id."},
	{MemberLost, "member-lost", Loss, "the member was left out: its name is taken",
		"An unknown member could not join the attributes, since they have one of that name.",
		"Rename it, or use --lossless."},
	{StateRepeated, "state-repeated", Loss, "a state stated elsewhere was left out",
		"A state is said in attributes, or in a payload beside the focus list; it was left out.",
		"Mend the provider: a state is said once, on its element."},
	{RoleLost, "role-lost", Loss, "the role of {0} is not known and was left out",
		"The form has no place for an unknown role word beside the type.",
		"Use --lossless to keep it."},
	{NameTaken, "name-taken", Loss, "the attribute {0} was left out: its name is taken",
		"An attribute bears a name that means something else in a 0.1 payload.",
		"Rename it, or use --lossless."},
	{SecureWithheld, "secure-withheld", Loss, "the content of the secure element {0} was withheld",
		"What is in a password field and the like is not passed on.",
		"Nothing; --keep-secure turns this off."},
	{ElementDropped, "element-dropped", Loss, "the element {0} has no place in a packet",
		"A packet holds a target and its surroundings, not a whole tree.",
		"Use --lossless to keep the whole answer."},
	{SurroundingCut, "surrounding-cut", Loss, "{0} was cut",
		"A list of surroundings was longer than --max-surrounding.",
		"Raise --max-surrounding."},
	{MemberDropped, "member-dropped", Loss, "the packet has no place for {0}",
		"The strict reading of packets allows no such member.",
		"Use --lossless to keep it."},
	{TypeDropped, "type-dropped", Loss, "the item {0} was left out as the mapping file says",
		"The mapping file drops items of this type; what was in it took its place.",
		"Nothing, if that was meant."},
	{RootMadeUp, "root-made-up", Note, "no item is the application; a root was made up",
		"A tree needs a root and the list had none.",
		"Give its title with --app-title, if you like."},
	{SecondApplication, "second-application", Note, "{0} is another application and kept its place",
		"More than one item is an application.",
		"Nothing."},
	{TypeUnknown, "type-unknown", Note, "the type {0} is not in the vocabulary",
		"An unknown type word; it became the subrole, and its place gave the role.",
		"Add it to a mapping file, or set payload.role."},
	{LocatableRetired, "locatable-retired", Note, "locatable has no place in 0.2.0",
		"Whether an element can be located is asked, no longer declared.",
		"Nothing; --lossless keeps it."},
	{MemberMoved, "member-moved", Note, "an unknown member joined the attributes",
		"A member that the form does not know was kept among the attributes.",
		"Nothing."},
	{InstanceAssumed, "instance-assumed", Note, "the answer has no instance; one was made from its text",
		"An answer says which run of the provider it came from; this one did not.",
		"Give it with --instance."},
	{InstanceDropped, "instance-dropped", Note, "a packet has no place for the instance",
		"Packets do not say which run of a provider they came from.",
		"Nothing; --lossless keeps it."},
	{RootDropped, "root-dropped", Note, "the root says nothing and was left out",
		"0.1 has no root; one that says nothing is made up again on the way back.",
		"Nothing."},
	{RoleUnknown, "role-unknown", Note, "the role of {0} is not known; it was kept as the type",
		"An unknown role word became the type.",
		"Nothing."},
	{OrderChanged, "order-changed", Note, "items come in the order of the tree",
		"The items, or what a packet lists as visible, were in another order than that of the tree.",
		"Nothing; --lossless keeps it."},
	{FocusNormalized, "focus-normalized", Note, "the focus list says the same with one id",
		"The list named elements along one path, or the root.",
		"Nothing; --lossless keeps it."},
	{TypeReplaced, "type-replaced", Note, "the type of {0} is spelled another way on the way back",
		"Writing the element as 0.1 again gives another type word: its role or subrole was set apart from the type, or it is a selection.",
		"Nothing; --lossless keeps it."},
	{ParentMadeExplicit, "parent-made-explicit", Note, "{0} has the root as parent on the way back",
		"An item without a parent is a child of the root.",
		"Nothing."},
	{TextJoined, "text-joined", Note, "the text of {0} is one text in a packet",
		"Several blocks of text, or those of elements below, became one.",
		"Nothing; --lossless keeps them."},
	{TextAnnotations, "text-annotations", Loss, "a text block of {0} said more than its text",
		"A packet has no place for the other members of a text block.",
		"Use --lossless to keep them."},
	{ElementMoved, "element-moved", Note, "{0} stands elsewhere in the packet",
		"Surroundings of a packet keep neither depth nor the order around the target.",
		"Nothing; --lossless keeps it."},
	{StateMoved, "state-moved", Note, "a state of {0} is said in another way",
		"A packet says what is visible or focused by its lists.",
		"Nothing."},
	{VisibleMerged, "visible-merged", Note, "the visible entry is one with another entry",
		"The same thing was listed twice.",
		"Nothing."},
	{TimestampAssumed, "timestamp-assumed", Note, "the packet was given a timestamp",
		"A packet must say when it was made, and the source did not.",
		"Give it with --timestamp."},
	{ConsentAssumed, "consent-assumed", Note, "the packet was given a privacy",
		"A packet must say its privacy, and the source did not.",
		"Give it with --redacted and --consent."},
	{ProvenanceAssumed, "provenance-assumed", Note, "the packet was given a provenance",
		"A packet must say its producer and method, and the source did not.",
		"Give the producer with --producer."},
	{CaptureAssumed, "capture-assumed", Note, "the packet was given a capture mode",
		"A packet must say how it was captured, and the source did not.",
		"Nothing."},
	{DataPrefix, "data-prefix", Note, "the data: prefix of a screenshot was taken off",
		"Image blocks hold base64 alone.",
		"Nothing; --lossless keeps it."},
	{LinkMade, "link-made", Note, "a payload member became a link of related",
		"The mapping file says so.",
		"Nothing."},
	{AuthorNamed, "author-named", Note, "the author was taken from the payload",
		"The mapping file says so.",
		"Nothing."},
	{CarryDropped, "carry-dropped", Note, "what was carried for another form was taken out",
		"A lossless conversion left it for a form that was not asked for.",
		"Convert with --lossless to keep it."},
}
