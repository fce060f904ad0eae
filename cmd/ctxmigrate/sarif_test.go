package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestSARIF holds what check writes to the schema of SARIF 2.1.0 (OASIS, errata 01),
// and the results to the rules and to the places.
func TestSARIF(t *testing.T) {
	doc, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sarif.json", v); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "a b,日.ndjson")
	text := `{"protocol":"0.1","instance":"i","items":[{"id":"é","type":"note","parent":"gone"}],"focus":["é","x"]}` + "\n{\n" +
		`{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application"}}` + "\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--level", "note", file}, {os.DevNull}} {
		var out, errs bytes.Buffer
		Run(append([]string{"check", "--format", "sarif", "--allow-empty"}, args...), nil, &out, &errs)
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatalf("%v\n%s", err, out.Bytes())
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%v\n%s", err, out.Bytes())
		}
		if args[0] == os.DevNull {
			continue
		}
		var log struct {
			Runs []struct {
				Tool struct {
					Driver struct{ Rules []struct{ ID string } }
				}
				Results []sarifResult
			}
		}
		if err := json.Unmarshal(out.Bytes(), &log); err != nil {
			t.Fatal(err)
		}
		run := log.Runs[0]
		rules := map[string]bool{}
		for _, r := range run.Tool.Driver.Rules {
			if rules[r.ID] {
				t.Errorf("the rule %s is told twice", r.ID)
			}
			rules[r.ID] = true
		}
		for _, r := range run.Results {
			if !rules[r.RuleID] {
				t.Errorf("the rule %s is not told", r.RuleID)
			}
		}
		if len(run.Results) != 3 {
			t.Fatalf("%d results\n%s", len(run.Results), out.Bytes())
		}
		at := run.Results[1].Locations[0]
		if r := at.Physical.Region; r.StartLine != 1 || r.StartColumn != 98 || r.ByteOffset != 99 || at.Logical[0].Name != "/focus/1" {
			t.Errorf("the second result is at %+v", at)
		}
	}
}
