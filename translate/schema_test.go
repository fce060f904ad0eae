package translate_test

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
)

// schemasOf are the compiled schemas, by form.
func schemasOf(t *testing.T) map[translate.Form]*jsonschema.Schema {
	t.Helper()
	all := map[translate.Form]*jsonschema.Schema{}
	for _, form := range forms {
		src, err := translate.Schema(form)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(src))
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		name := "urn:ctxmigrate:schema:" + form.String()
		c := jsonschema.NewCompiler()
		if err := c.AddResource(name, doc); err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		if all[form], err = c.Compile(name); err != nil {
			t.Fatalf("%s: %v", form, err)
		}
	}
	return all
}

// unreadable are what keeps a document from a validator, which reads JSON in a
// way of its own.
func unreadable(f translate.Findings) bool {
	for _, g := range f.List {
		switch g.Code {
		case diag.Syntax, diag.Encoding, diag.DuplicateMember, diag.TooDeep, diag.TooLarge:
			return true
		}
	}
	return false
}

// agrees holds that the schema of each form accepts a document exactly where Check
// takes it for that form and finds nothing that a schema can see, and so wherever
// Check has notes alone. It answers whether any schema accepted it.
func agrees(t *testing.T, all map[translate.Form]*jsonschema.Schema, name string, doc []byte) (accepted bool) {
	t.Helper()
	found := translate.Check(doc, nil)
	if unreadable(found) {
		return false
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(bytes.TrimPrefix(doc, []byte("\ufeff"))))
	if err != nil {
		t.Errorf("%s: check reads what encoding/json does not: %v\n%s", name, err, doc)
		return false
	}
	seen, told := found.Refused, found.Refused
	what := ""
	for _, f := range found.List {
		what += "\n" + f.Code.String() + " " + f.Pointer + ": " + f.Message()
		seen = seen || f.Rule.Schema
		told = told || f.Severity > diag.Note
	}
	for _, form := range forms {
		err := all[form].Validate(v)
		if want := form == found.Form && !seen; (err == nil) != want {
			t.Errorf("%s: the schema of %s says %v, check finds (in %s)%s\n%.2000s", name, form, err, found.Form, what, doc)
		}
		if err != nil && form == found.Form && !told {
			t.Errorf("%s: the schema of %s says %v, check notes at the most%s\n%.2000s", name, form, err, what, doc)
		}
		accepted = accepted || err == nil
	}
	return accepted
}

// TestSchemaVectors holds schemas and Check to each other on every document of the
// vectors.
func TestSchemaVectors(t *testing.T) {
	all := schemasOf(t)
	accepted, refused := 0, 0
	for _, dir := range []string{vectorsDir, checkDir} {
		paths, err := filepath.Glob(filepath.Join(dir, "*", "*.txtar"))
		if err != nil || len(paths) == 0 {
			t.Fatal("no vectors in", dir, err)
		}
		for _, path := range paths {
			v, err := readVector(path)
			if err != nil {
				t.Fatal(path, err)
			}
			for _, section := range []string{"source", "result", "back"} {
				if doc := bytes.TrimSpace(v.sections[section]); len(doc) > 0 {
					if agrees(t, all, path+" "+section, doc) {
						accepted++
					} else {
						refused++
					}
				}
			}
		}
	}
	if accepted < 100 || refused < 50 {
		t.Errorf("only %d documents were accepted and %d refused", accepted, refused)
	}
}

// TestSchemaDrawn does so on documents drawn at random, careful and careless.
func TestSchemaDrawn(t *testing.T) {
	all := schemasOf(t)
	accepted, refused := 0, 0
	samples(t, max(600, *lawsN/2), docgen.Options{}, func(s sample) {
		if agrees(t, all, s.form.String(), s.doc) {
			accepted++
		} else {
			refused++
		}
	})
	if accepted < 50 || refused < 50 {
		t.Errorf("only %d documents were accepted and %d refused", accepted, refused)
	}
}

// TestSchemaCorpus holds Check to what the reference producer's own schema and
// guard say of real packets.
func TestSchemaCorpus(t *testing.T) {
	table := csv.NewReader(corpusFile(t, "askable/manifest.tsv"))
	table.Comma, table.LazyQuotes = '\t', true
	rows, err := table.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all := schemasOf(t)
	packets := 0
	for _, row := range rows[1:] {
		name, at, schema, guard := row[0], row[2], row[5], row[6]
		if at != "." {
			continue
		}
		packets++
		doc, err := os.ReadFile(filepath.Join(corpusDir, "askable", name))
		if err != nil {
			t.Fatal(err)
		}
		found := translate.Check(doc, nil)
		strict, guarded := "pass", "pass"
		for _, f := range found.List {
			switch f.Code {
			case diag.PacketGuard:
				strict, guarded = "FAIL", "FAIL"
			case diag.PacketStrict:
				strict = "FAIL"
			}
		}
		if strict != schema || guarded != guard || found.Refused {
			t.Errorf("%s: schema %s, guard %s; the producer says %s and %s", name, strict, guarded, schema, guard)
		}
		agrees(t, all, name, doc)
	}
	if packets < 90 {
		t.Errorf("only %d packets", packets)
	}
}
