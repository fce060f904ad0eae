package translate_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
)

// checkDir holds vectors of checking, in the format of those of conversion, with a
// section findings.
const checkDir = "../testdata/check"

// TestCheckVectors runs them.
func TestCheckVectors(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(checkDir, "*", "*.txtar"))
	if err != nil || len(paths) < 40 {
		t.Fatal("vectors are missing", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimPrefix(filepath.ToSlash(path), checkDir+"/"), func(t *testing.T) {
			v, err := readVector(path)
			if err != nil {
				t.Fatal(err)
			}
			v.options["to"] = "0.2.0" // which says nothing here
			_, o, err := v.convertOptions()
			if err != nil {
				t.Fatal(err)
			}
			found := translate.Check(bytes.TrimSpace(v.sections["source"]), o)
			list := make([]diag.Diagnostic, len(found.List))
			for i, f := range found.List {
				list[i] = f.Diagnostic
				if strings.Contains(f.Message(), "{") || f.Message() == "" {
					t.Errorf("%s says %q", f.Code, f.Message())
				}
			}
			v.compare(t, "findings", list)
			if *update {
				if err := os.WriteFile(path, txtar.Format(v.archive), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestCheckRulesAreShown holds that each rule occurs in a vector.
func TestCheckRulesAreShown(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join(checkDir, "*", "*.txtar"))
	for form := translate.Auto; form <= translate.Askable; form++ {
		folder := form.String()
		if form == translate.Auto {
			folder = "common"
		}
		seen := map[string]bool{}
		for _, path := range paths {
			v, err := readVector(path)
			if err != nil {
				t.Fatal(err)
			}
			if form != translate.Auto && filepath.Base(filepath.Dir(path)) != folder {
				continue
			}
			for line := range strings.Lines(string(v.sections["findings"])) {
				if f, err := parseFinding(strings.TrimSpace(line)); err == nil {
					seen[f.code] = true
				}
			}
		}
		for _, r := range translate.Rules(form) {
			switch r.Code {
			case diag.Encoding, diag.TooLarge, diag.RecordPath, diag.CompressedData:
				continue // the vectors of conversion and of JSON, and the scripts of the command, show these
			}
			if !seen[r.Code.String()] {
				t.Errorf("no vector of %s breaks the rule %s", folder, r.Code)
			}
			if r.Level == diag.Loss || r.From == "" || r.Means() == "" {
				t.Errorf("%s of %s is not told in full", r.Code, folder)
			}
		}
	}
}

// TestCheckOutputs holds that what a conversion writes is found conforming: of a
// checked answer only the words and the blocks that the source had may be named.
func TestCheckOutputs(t *testing.T) {
	of := map[diag.Code]bool{diag.RoleUnknown: true, diag.ContentBlock: true, diag.ContentUnknown: true, diag.StateNested: true,
		diag.ReservedAttribute: true, diag.RelatedEntry: true, diag.RelatedUnknownID: true, diag.VisibleClash: true,
		diag.TypeUnknown: true, diag.SecondApplication: true, diag.SelectionPlaced: true, diag.PacketGuard: true, diag.PacketStrict: true,
		diag.RootHidden: true}
	var k translate.Checker
	samples(t, *lawsN/2, docgen.Options{}, func(s sample) {
		for _, to := range forms {
			if to == s.form {
				continue
			}
			r, err := translate.Convert(s.doc, to, plainOptions())
			if err != nil {
				continue
			}
			k.Check(r.Document, nil)
			for _, f := range k.Findings() {
				if !of[f.Code] || f.Code == diag.PacketGuard && !strings.Contains(f.Message(), "not a word") ||
					f.Code == diag.PacketStrict && !strings.Contains(f.Message(), "screenshot") {
					t.Errorf("%s to %s: %s %s: %s\n%s\n%s", s.form, to, f.Code, f.Pointer, f.Message(), s.doc, r.Document)
				}
			}
		}
	})
}

// TestCheckAgain holds that a Checker keeps nothing of one document for the next.
func TestCheckAgain(t *testing.T) {
	var k translate.Checker
	samples(t, 300, docgen.Options{}, func(s sample) {
		counts := k.Check(s.doc, nil)
		again, fresh := k.Findings(), translate.Check(s.doc, nil)
		if len(again) != len(fresh.List) || k.Form() != fresh.Form {
			t.Fatalf("%d findings, then %d\n%s", len(again), len(fresh.List), s.doc)
		}
		total := 0
		for _, n := range counts {
			total += n
		}
		for i := range again {
			if again[i].Message() != fresh.List[i].Message() || again[i].Pointer != fresh.List[i].Pointer {
				t.Fatalf("%v, then %v\n%s", again[i], fresh.List[i], s.doc)
			}
		}
		if total != len(again) {
			t.Fatalf("%d were counted of %d\n%s", total, len(again), s.doc)
		}
	})
}
