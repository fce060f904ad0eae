package docgen

var (
	ids = []string{"a", "b", "c", "d", "app", "item-0", "a~2", "é/x", "target", "page", "item-1", "nearby-1",
		"visible-1", "ancestor-1", "root", "x~y"}
	types = []string{"note", "comment", "list", "kanban", "table", "row", "cell", "selection", "text", "thread", "task", "window",
		"pane", "document", "heading", "image", "page", "widget", "com.x.AXRow", "Data-Grid", "spreadsheet", "app",
		"slide", "group", "link", "AXTextField", "channel", "calendar", "item", "gadget"}
	oddTypes = []string{"password", "Text", "ROW", "AXSelection", "Selection", "my.selection", "application", "secure text", "Pass-Word",
		"x/otp", "one passcode", "", "note.", " list", "a:b.table", "axrow", "AXAXRow", "Row", "selected", "list_item",
		"A-X.Note", "AX_Row", "pin-code", "Application", "kanban/", "İmage", "tab\u00a0otp", "text\tcvv"}
	subroles = []string{"note", "comment", "thread", "pane", "kanban", "row", "task", "widget", "table", "app", "slide", "text", "deck",
		"spreadsheet", "group", "list"}
	oddSubroles = []string{"selection", "password", "", "my.Selection", "AXRow", "secure-text-field", "a otp", "Application", "window", "Row",
		"selection list"}
	roles    = []string{"Application", "Window", "Document", "Group", "List", "Table", "Row", "Cell", "Text", "Heading", "Link", "Image", "Page"}
	oddRoles = []string{"Carousel", "AXSlider", "group", "list", "row", "Selection", "selection", "password", "", "app", "AXRow", "application",
		"kanban", "note", "Password Text", "text"}
	aria    = []string{"document", "article", "text", "listitem", "row", "img", "figure", "grid cell", "heading", "analytics", "kpi row", "Table", "window", "link", "group", "button"}
	oddAria = []string{"password", "textbox password", "", "Secure", "x.otp", "ROW", " row", "unknown\u00a0link", "application", "selection", "credential-s"}
	texts   = []string{"t", "alpha beta", "beta", "a  b", "x\ny", `q"q`, "é", "\U0001F600", "", " ", "alpha", "<&>", "\u2028", "beta\u00a0gamma", `b\c`, "a b"}
	titles  = []string{"T", "U", "Doc", "", `é"`, "Doc 2"}
	urls    = []string{"http://x/", "u:1", "", "http://x/?a=<b>"}
	names   = []string{"k", "zz", "10", "9", "é", "x-y"}
	states  = []string{"selected", "visible", "hovered", "focused"}
	opaque  = []string{"1", "1.0", "-0", "1e400", "null", "true", "false", `"s"`, `""`, "[]", "{}", `[1,{"b":2,"a":1}]`, `{"z":1,"a":null}`,
		"123456789012345678901234567890", `"\u0061\/"`, `"\ud83d"`}
	unknownNames = []string{"x", "x-note", "k", "role", "subrole", "selected", "visible", "focused", "hovered", "type", "payload", "attributes",
		"newer", "author", "children", "parent", "askable", "route", "selector", "element", "places", "ctxmigrate"}

	// secureWords are those of section 7.1 of the contract, folded.
	secureWords = []string{"password", "passwordfield", "securetextfield", "secure", "secret", "passcode", "pincode", "otp", "cvv",
		"credential", "credentials"}
	// secureSpellings are words that are secure, in ways that they may be spelled.
	secureSpellings = []string{"password", "Pass-Word", "AXSecureTextField", "secure text", "my.otp", "one cvv", "PIN_code", "credential",
		"a/b:secret", "text\tpasscode"}

	toAria = map[string]string{"Application": "application", "Window": "window", "Group": "group", "List": "list", "Table": "table",
		"Row": "row", "Cell": "cell", "Text": "text", "Heading": "heading", "Link": "link", "Image": "img", "Page": "page", "Document": "document"}
)
