package v01_test

import (
	"strings"
	"testing"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/model"
	"ctxmigrate/v01"
	"ctxmigrate/v020"
)

// codec reads lists, and writes lists and trees, with memory of its own.
type codec struct {
	dec  v01.Decoder
	enc  v01.Encoder
	snap model.Snapshot
	said diag.Collector
}

// read reads a list, whose items are given, and answers what refuses it.
func (c *codec) read(items, focus string, o v01.Options) string {
	c.said.Reset(false)
	err := c.dec.Decode([]byte(`{"protocol":"0.1","instance":"i","items":[`+items+`],"focus":`+focus+`}`), &c.snap, &c.said, o)
	if err != nil {
		return err.Error()
	}
	if c.said.Refused() {
		return "refused"
	}
	return ""
}

// tree is what was read as the children of the root.
func (c *codec) tree() string {
	text := string(v020.Append(nil, &c.snap))
	_, rest, _ := strings.Cut(text, `"root":`)
	return strings.TrimSuffix(rest, "}")
}

const appRoot = `{"id":"app","role":"Application"`

func TestOptions(t *testing.T) {
	var c codec
	for _, tt := range []struct {
		name, items, focus string
		opts               v01.Options
		want               string
	}{
		{"no items", ``, `[]`, v01.Options{}, appRoot + `}`},
		{"a title for a root that is made up", ``, `[]`, v01.Options{AppTitle: "A"}, appRoot + `,"title":"A"}`},
		{"no title for one that is not", `{"id":"x","type":"app"}`, `[]`, v01.Options{AppTitle: "A"}, `{"id":"x","role":"Application","subrole":"app"}`},
		{"one position", `{"id":"a"},{"id":"b"}`, `["a","b"]`, v01.Options{}, appRoot + `,"children":[{"id":"a","role":"Group","focused":true},{"id":"b","role":"Group"}]}`},
		{"all focus", `{"id":"a"},{"id":"b"}`, `["a","b"]`, v01.Options{AllFocus: true},
			appRoot + `,"children":[{"id":"a","role":"Group","focused":true},{"id":"b","role":"Group","focused":true}]}`},
		{"secure", `{"id":"a","type":"otp","title":"t","url":"u"}`, `[]`, v01.Options{}, appRoot + `,"children":[{"id":"a","role":"Group","subrole":"otp","title":"t"}]}`},
		{"secure and kept", `{"id":"a","type":"otp","url":"u"}`, `[]`, v01.Options{KeepSecure: true}, appRoot + `,"children":[{"id":"a","role":"Group","subrole":"otp","url":"u"}]}`},
		{"secure by a word of the user", `{"id":"a","type":"licence","url":"u"}`, `[]`, v01.Options{Words: model.NewWords([]string{"licence"})},
			appRoot + `,"children":[{"id":"a","role":"Group","subrole":"licence"}]}`},
	} {
		if bad := c.read(tt.items, tt.focus, tt.opts); bad != "" {
			t.Errorf("%s: %s", tt.name, bad)
		} else if got := c.tree(); got != tt.want {
			t.Errorf("%s: got\n%s, want\n%s", tt.name, got, tt.want)
		}
	}
}

func TestMapping(t *testing.T) {
	for _, tt := range []struct{ name, file, items, want string }{
		{"role and subrole", `{"types":{"sprint":{"role":"List","subrole":"board"}}}`, `{"id":"a","type":"Sprint"}`, `{"id":"a","role":"List","subrole":"board"}`},
		{"no subrole", `{"types":{"sprint":{"role":"List","subrole":""}}}`, `{"id":"a","type":"sprint"}`, `{"id":"a","role":"List"}`},
		{"class", `{"types":{"note":{"class":"fixed","role":"Text"}}}`, `{"id":"l","type":"list"},{"id":"a","type":"note","parent":"l"}`,
			`{"id":"l","role":"List","children":[{"id":"a","role":"Text","subrole":"note"}]}`},
		{"dropped", `{"types":{"spinner":{"drop":true}}}`, `{"id":"s","type":"spinner"},{"id":"a","type":"text","parent":"s"}`, `{"id":"a","role":"Text"}`},
		{"links", `{"links":{"by":"assignee"}}`, `{"id":"a","type":"text","payload":{"by":"b","n":1}}`,
			`{"id":"a","role":"Text","attributes":{"n":1,"related":[{"relation":"assignee","id":"b"}]}}`},
		{"author", `{"author":"meta.by"}`, `{"id":"a","type":"text","payload":{"meta":{"by":"Ada"}}}`, `{"id":"a","role":"Text","attributes":{"meta":{"by":"Ada"},"author":"Ada"}}`},
		{"an author that is there", `{"author":"by"}`, `{"id":"a","type":"text","payload":{"by":"Ada","author":"Bo"}}`, `{"id":"a","role":"Text","attributes":{"by":"Ada","author":"Bo"}}`},
	} {
		m, err := v01.ParseMapping([]byte(tt.file))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var c codec
		if bad := c.read(tt.items, `[]`, v01.Options{Mapping: m}); bad != "" {
			t.Errorf("%s: %s", tt.name, bad)
		} else if got, want := c.tree(), appRoot+`,"children":[`+tt.want+`]}`; got != want {
			t.Errorf("%s: got\n%s, want\n%s", tt.name, got, want)
		}
	}
}

func TestMappingRefused(t *testing.T) {
	for file, want := range map[string]string{
		`[]`:                                  "an object",
		`{"types":`:                           "1:10",
		`{"more":1}`:                          `"more"`,
		`{"types":{"a":{"role":"Nope"}}}`:     `"Nope"`,
		`{"types":{"a":{"class":"x"}}}`:       "fixed or entry",
		`{"types":{"a":{"drop":1}}}`:          "true or false",
		`{"types":{"a":{"colour":1}}}`:        `"colour"`,
		`{"types":{"a":1}}`:                   "an object",
		`{"types":{"a-b":{},"ab":{}}}`:        "another way",
		`{"types":{"":{}}}`:                   "no type word",
		`{"links":{"a":1}}`:                   "relation",
		`{"links":[]}`:                        "an object",
		`{"author":1}`:                        "a path",
		`{"author":"a.#"}`:                    "the path",
		`{"author":""}`:                       "the path",
		`{"secure":"x"}`:                      "a list",
		`{"secure":[1]}`:                      "a list",
		"{\n \"types\": {},\n \"types\": {}}": "3:2",
	} {
		if _, err := v01.ParseMapping([]byte(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want it to say %s", file, err, want)
		}
	}
}

func TestLocatable(t *testing.T) {
	var c codec
	yes := true
	c.enc.Locatable = &yes
	if bad := c.read(`{"id":"a","type":"text","content":[],"payload":{"k":1}}`, `["a"]`, v01.Options{}); bad != "" {
		t.Fatal(bad)
	}
	want := `{"protocol":"0.1","instance":"i","items":[{"id":"a","type":"text","content":[],"locatable":true,"payload":{"k":1}}],"focus":["a"]}`
	if got := string(c.enc.Append(nil, &c.snap, &c.said)); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}

// TestRootSaysNothing is when a root is left out of a list (section 5.1).
func TestRootSaysNothing(t *testing.T) {
	for items, want := range map[string]bool{
		``:                                  true,
		`{"id":"app","type":"application"}`: true,
		`{"id":"x","type":"application"}`:   false,
		`{"id":"app","type":"app"}`:         false,
		`{"id":"app","type":"application","title":"t"}`:                                                       false,
		`{"id":"app","type":"application","payload":{}}`:                                                      false,
		`{"id":"app","type":"application","payload":{"visible":false}}`:                                       false,
		`{"id":"app","type":"application"},{"id":"b","type":"application"}`:                                   false,
		`{"id":"f"},{"id":"s","type":"selection","parent":"gone"}`:                                            false,
		`{"id":"f"},{"id":"s","type":"selection","parent":"gone","content":[{"type":"image"}]}`:               true,
		`{"id":"f","type":"selection","parent":"gone"}`:                                                       true,
		`{"id":"f","type":"selection","parent":"gone"},{"id":"s","type":"selection","parent":"gone"}`:         false,
		`{"id":"g","type":"group"},{"id":"f","parent":"g"},{"id":"s","type":"selection","parent":"g"}`:        true,
		`{"id":"app","type":"application","payload":{"role":"Application","selected":false,"hovered":false}}`: true,
	} {
		var c codec
		if bad := c.read(items, `["f"]`, v01.Options{}); bad != "" {
			t.Errorf("%s: %s", items, bad)
		} else if got := v01.RootSaysNothing(&c.snap); got != want {
			t.Errorf("%s: %v, want %v", items, got, want)
		}
	}
}

func TestRefused(t *testing.T) {
	var c codec
	for _, doc := range []string{`{"items":5}`, `{"items":[1]}`, `{"items":[{},null]}`, `{}`, `{"items":null}`, `[]`, `{"items":{}}`} {
		c.said.Reset(false)
		if err := c.dec.Decode([]byte(doc), &c.snap, &c.said, v01.Options{}); err != nil || !c.said.Refused() {
			t.Errorf("%s: %v, refused %v", doc, err, c.said.Refused())
		}
	}
	c.said.Reset(true)
	if err := c.dec.Decode([]byte(`{"items":[{"id":7}]}`), &c.snap, &c.said, v01.Options{}); err != nil || !c.said.Refused() {
		t.Errorf("strict: %v, refused %v", err, c.said.Refused())
	}
	if err := c.dec.Decode([]byte(`{"items":[[[[[]]]]]}`), &c.snap, &c.said, v01.Options{MaxDepth: 3}); err == nil {
		t.Error("too deep, and read")
	}
}
