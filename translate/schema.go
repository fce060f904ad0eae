package translate

import (
	"embed"
	"fmt"
)

//go:embed schema/*.schema.json
var schemas embed.FS

// Schema is the JSON Schema (draft 2020-12) of a form. It accepts what Check finds
// nothing against, as far as a schema can see it: where a rule looks at more than
// one value at a time, as for ids that repeat, it does not see it.
func Schema(form Form) ([]byte, error) {
	if form < V01 || form > Askable {
		return nil, fmt.Errorf("translate: there is no schema of the form %d", form)
	}
	return schemas.ReadFile("schema/" + form.String() + ".schema.json")
}
