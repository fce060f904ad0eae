package diag

// Rule is what checking asks of a document of one form.
type Rule struct {
	Code  Code
	Level Severity // Note, Warning or Error
	From  string   // where the rule comes from
	// Message stands for that of the code, where that speaks of what a conversion
	// does.
	Message string
	// Meaning stands for that of the code, likewise.
	Meaning string
	// Schema says that a JSON Schema can see it too.
	Schema bool
}

// Says is what the rule says of a diagnostic.
func (r *Rule) Says(d *Diagnostic) string {
	if r.Message == "" {
		return d.Message()
	}
	return d.say(r.Message)
}

// Means is the rule in one line.
func (r *Rule) Means() string {
	if r.Meaning == "" {
		return table[r.Code].Meaning
	}
	return r.Meaning
}

// OfCheck reports whether the code is found by checking alone.
func (c Code) OfCheck() bool { return c >= InstanceMissing }
