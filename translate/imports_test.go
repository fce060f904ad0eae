package translate_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// module is the name of this module, and above where it is from this package.
const (
	module = "ctxmigrate"
	above  = ".."
)

// The layers, from the leaves up. A package may import what its layer allows, and
// what is of its own layer only where that is named too.
var (
	leaves = []string{"translate/jsontree", "translate/model", "translate/diag", "translate/wire"}
	codecs = []string{"v01", "v020", "askable"}

	// mayImport names, for each package, which packages of the module it may import;
	// all is any.
	mayImport = map[string][]string{
		"translate/jsontree": {},
		"translate/model":    {"translate/jsontree"},
		"translate/diag":     {"translate/jsontree"},
		"translate/wire":     {"translate/jsontree", "translate/model", "translate/diag"},
		"translate/carry":    {"translate/jsontree"},
		"translate/jsondiff": {"translate/jsontree"},
		"translate/stream":   {"translate/jsontree", "translate/diag"},
		"v01":                leaves,
		"v020":               leaves,
		"askable":            leaves,
		"translate":          append([]string{"translate/carry", "translate/jsondiff"}, append(leaves, codecs...)...),
		"internal/docgen":    {"translate/jsontree"},
	}
)

// TestImports holds the directions of imports: codecs import the leaves alone,
// never each other and never translate; translate imports the codecs; nothing
// imports a command. Tests may import what they like.
func TestImports(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(above, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != above) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(above, filepath.Dir(name))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(rel)
		seen[pkg] = true
		for _, i := range file.Imports {
			what, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			if bad := wrongImport(pkg, what); bad != "" {
				t.Errorf("%s imports %s: %s", filepath.ToSlash(name), what, bad)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range mayImport {
		if !seen[pkg] {
			t.Errorf("there is no package %s", pkg)
		}
	}
}

// wrongImport answers why a package may not import another, or "".
func wrongImport(pkg, what string) string {
	if what == module {
		return "the module itself is no package"
	}
	what, ours := strings.CutPrefix(what, module+"/")
	if !ours {
		return ""
	}
	if path.Dir(what) == "cmd" || strings.HasPrefix(what, "cmd/") && !strings.HasPrefix(pkg, "cmd/") {
		return "nothing imports a command"
	}
	allowed, known := mayImport[pkg]
	if !known {
		// work over many documents, a proxy, commands: they import translate and what
		// is below, and reach for no codec's insides by way of each other
		if strings.HasPrefix(pkg, "cmd/") || strings.HasPrefix(pkg, "translate/") || strings.HasPrefix(pkg, "internal/") {
			return ""
		}
		return "no rule is known for this package; name it in this test"
	}
	for _, a := range allowed {
		if a == what {
			return ""
		}
	}
	return "its layer does not allow that"
}

func TestWrongImports(t *testing.T) {
	for _, c := range []struct {
		pkg, what string
		ok        bool
	}{
		{"v01", "ctxmigrate/v020", false},
		{"v01", "ctxmigrate/translate", false},
		{"askable", "ctxmigrate/translate/carry", false},
		{"askable", "ctxmigrate/translate/wire", true},
		{"translate/model", "ctxmigrate/v01", false},
		{"translate/wire", "ctxmigrate/translate", false},
		{"translate", "ctxmigrate/v01", true},
		{"translate", "ctxmigrate/cmd/ctxmigrate", false},
		{"cmd/ctxmigrate", "ctxmigrate/translate", true},
		{"v01", "github.com/tidwall/gjson", true},
	} {
		if bad := wrongImport(c.pkg, c.what); (bad == "") != c.ok {
			t.Errorf("%s imports %s: %q", c.pkg, c.what, bad)
		}
	}
}
