package model

// Role is one of the thirteen words of the role language (RFC-0001, 4.2), or
// Unknown for any other word, which is acted on as Group.
type Role uint8

// The roles.
const (
	Unknown Role = iota
	Application
	Window
	Group
	List
	Table
	Row
	Cell
	Text
	Heading
	Link
	Image
	Page
	Document
)

var roleNames = [...]string{"", "Application", "Window", "Group", "List", "Table", "Row", "Cell", "Text", "Heading",
	"Link", "Image", "Page", "Document"}

var roleLower = [...]string{"", "application", "window", "group", "list", "table", "row", "cell", "text", "heading",
	"link", "image", "page", "document"}

// String is the word as it is spelled, "" for Unknown.
func (r Role) String() string { return roleNames[r] }

// Lower is the word in lower case, "" for Unknown.
func (r Role) Lower() string { return roleLower[r] }

// Acts is the role that a reader acts on: Group for Unknown.
func (r Role) Acts() Role {
	if r == Unknown {
		return Group
	}
	return r
}

// ParseRole finds the role of a word that is spelled exactly so, else Unknown.
func ParseRole(word []byte) Role {
	if len(word) == 0 {
		return Unknown
	}
	for r := Application; r <= Document; r++ {
		if name := roleNames[r]; name[0] == word[0] && name == string(word) {
			return r
		}
	}
	return Unknown
}
