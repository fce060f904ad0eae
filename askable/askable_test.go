package askable_test

import (
	"fmt"
	"strings"
	"testing"

	"ctxmigrate/askable"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/v020"
)

func packet(parts string) string {
	return `{"protocol":"askable.context","version":"0.1","source":{"timestamp":"2026-01-02T03:04:05Z"},` + parts +
		`"privacy":{"redacted":false,"consent":"none"},"provenance":{"producer":"p","method":"app"}}`
}

// read reads a packet into a snapshot of its own.
func read(t *testing.T, doc string, o askable.Options) (*askable.Decoder, *model.Snapshot, *diag.Collector) {
	t.Helper()
	var (
		dec  askable.Decoder
		snap model.Snapshot
		said diag.Collector
	)
	if err := dec.Decode([]byte(doc), &snap, &said, o); err != nil || said.Refused() {
		t.Fatalf("%s: %v, refused %v", doc, err, said.Refused())
	}
	return &dec, &snap, &said
}

// TestModes is what mode and gesture say of the target (section 6.1).
func TestModes(t *testing.T) {
	for _, c := range []struct{ capture, state string }{
		{`"mode":"text-selection"`, "selected"}, {`"mode":"region","gesture":"hover"`, "selected"}, {`"mode":"lasso"`, "selected"}, {`"mode":"circle"`, "selected"},
		{`"mode":"viewport","gesture":"click"`, ""}, {`"mode":"full-page"`, ""},
		{`"mode":"element-focus"`, "focused"}, {`"mode":"element-focus","gesture":"hover"`, "hovered"}, {`"mode":"semantic","gesture":"drag"`, "focused"},
		{`"mode":"custom"`, ""}, {`"mode":"custom","gesture":"click"`, "focused"}, {`"mode":"custom","gesture":"drag"`, "selected"},
		{`"mode":"gaze","gesture":"keyboard"`, "focused"}, {`"gesture":"lasso"`, "selected"}, {`"mode":5,"gesture":"hover"`, "hovered"}, {``, ""},
	} {
		_, snap, _ := read(t, packet(`"capture":{`+c.capture+`},"target":{"text":"t"},`), askable.Options{})
		var got []string
		for _, e := range snap.Elements {
			for state, on := range map[string]bool{"selected": e.Selected, "focused": e.Focused, "hovered": e.Hovered} {
				if on {
					got = append(got, state)
				}
			}
		}
		if strings.Join(got, " ") != c.state {
			t.Errorf("%s: got %q, want %q", c.capture, got, c.state)
		}
	}
}

var putBack = []string{
	packet(`"capture":{"mode":"element-focus"},"target":{"text":"t","role":"kpi row","label":"l","selector":"#x","bounds":{"x":1.0,"y":2,"width":3,"height":4},"metadata":{"k":[1]},"screenshot":{"mimeType":"image/png","data":"QQ=="}},`),
	packet(`"capture":{"mode":"text-selection","intent":"why"},"target":{"text":"b"},"surrounding":{"ancestors":[{"text":"a b c"},{"text":"other"}],"nearby":[{"role":"link"}],"visible":[{"role":"link"},{"label":"v"}],"history":[{"text":"h"}],"sources":[{}]},`),
	packet(`"capture":{"mode":"custom"},"target":{"role":"row","selector":"r","metadata":{"element":{"id":"r","role":"Row","hovered":true}}},`),
}

// TestPutBack: a packet that was read is written as it was, by a zero Encoder.
func TestPutBack(t *testing.T) {
	for _, doc := range putBack {
		_, snap, said := read(t, doc, askable.Options{})
		var enc askable.Encoder
		if got := string(enc.Append(nil, snap, said)); got != doc {
			t.Errorf("got\n%s, want\n%s", got, doc)
		}
	}
}

// TestLast: a packet reads the same whatever comes last in it.
func TestLast(t *testing.T) {
	element := `{"role":"row","selector":"r","metadata":{"element":{"id":"r","role":"Row"}}}`
	for _, parts := range []string{
		`"target":{"role":"row","selector":"q","metadata":{"element":{"id":"q","role":"Row"}}}`,
		`"surrounding":{"ancestors":[` + element + `]}`, `"surrounding":{"visible":[],"nearby":[` + element + `]}`,
	} {
		inside := packet(parts + ",")
		start, rest, _ := strings.Cut(inside, parts+",")
		o := askable.Options{Words: model.NewWords([]string{"row"})}
		for _, o.KeepSecure = range []bool{false, true} {
			_, snap, _ := read(t, inside, o)
			want := string(v020.Append(nil, snap))
			_, snap, _ = read(t, start+strings.TrimSuffix(rest, "}")+","+parts+"}", o)
			if got := string(v020.Append(nil, snap)); got != want {
				t.Errorf("%s last: got\n%s, want\n%s", parts, got, want)
			}
		}
	}
}

// TestMemory: reading packets and putting them back takes no memory once there is
// enough.
func TestMemory(t *testing.T) {
	var (
		dec  askable.Decoder
		enc  askable.Encoder
		snap model.Snapshot
		said diag.Collector
		out  []byte
	)
	for _, doc := range putBack {
		src := []byte(doc)
		if n := testing.AllocsPerRun(10, func() {
			said.Reset(false)
			if err := dec.Decode(src, &snap, &said, askable.Options{}); err != nil {
				t.Fatal(err)
			}
			out = enc.Append(out[:0], &snap, &said)
		}); n > 0 {
			t.Errorf("%v allocations for %s", n, doc)
		}
	}
}

func tree(t *testing.T, root string) *model.Snapshot {
	t.Helper()
	var (
		dec  v020.Decoder
		snap model.Snapshot
		said diag.Collector
	)
	if err := dec.Decode([]byte(`{"protocol":"0.2.0","instance":"i","root":`+root+`}`), &snap, &said, v020.Options{}); err != nil || said.Refused() {
		t.Fatalf("%s: %v", root, err)
	}
	return &snap
}

func TestEncoderOptions(t *testing.T) {
	root := `{"id":"app","role":"Application","children":[{"id":"a","role":"Row"},{"id":"b","role":"Row","focused":true},{"id":"c","role":"Row"},{"id":"d","role":"Row"}]}`
	for _, c := range []struct {
		name string
		enc  askable.Encoder
		want string
		near int
		code diag.Code
		n    int
	}{
		{"zero", askable.Encoder{}, `"privacy":{"redacted":false,"consent":"none"},"provenance":{"producer":"ctxmigrate","method":"app"}}`, 3, diag.ConsentAssumed, 1},
		{"given", askable.Encoder{Redacted: true, Consent: "explicit", Producer: "p", Method: "mcp"},
			`"privacy":{"redacted":true,"consent":"explicit"},"provenance":{"producer":"p","method":"mcp"}}`, 3, diag.ConsentAssumed, 0},
		{"cut", askable.Encoder{MaxSurrounding: 2}, ``, 2, diag.SurroundingCut, 1},
		{"no limit", askable.Encoder{MaxSurrounding: -1}, ``, 3, diag.SurroundingCut, 0},
		{"a time", askable.Encoder{Timestamp: "T"}, `"source":{"timestamp":"T"}`, 3, diag.TimestampAssumed, 0},
		{"an assumed time", askable.Encoder{Timestamp: "T", Assumed: true}, `"source":{"timestamp":"T"}`, 3, diag.TimestampAssumed, 1},
	} {
		var said diag.Collector
		got := c.enc.Append(nil, tree(t, root), &said)
		near := 0
		jsontree.Entries(jsontree.Member(jsontree.Member(got, "surrounding"), "nearby"), func([]byte) bool { near++; return true })
		if !strings.Contains(string(got), c.want) || near != c.near || said.Counts[c.code] != c.n {
			t.Errorf("%s: %d nearby, %s %d times: %s", c.name, near, c.code, said.Counts[c.code], got)
		}
	}
}

// TestDropped: what has no place in a packet is told, and what is stands in one
// place only.
func TestDropped(t *testing.T) {
	var said diag.Collector
	var enc askable.Encoder
	root := `{"id":"x","role":"Application","attributes":{"k":1},"children":[{"id":"a","role":"List","children":[{"id":"b","role":"Row","selected":true,"visible":true,"title":"b"},{"id":"c","role":"Row","title":"c"}]},{"id":"d","role":"Row"}]}`
	got := string(enc.Append(nil, tree(t, root), &said))
	for id, n := range map[string]int{"a": 1, "b": 1, "c": 1, "d": 0} {
		if strings.Count(got, fmt.Sprintf(`"selector":"%s"`, id)) != n {
			t.Errorf("%s is not there %d times: %s", id, n, got)
		}
	}
	if said.Counts[diag.ElementDropped] != 1 || said.Counts[diag.MemberDropped] != 2 {
		t.Errorf("%d elements, %d members dropped", said.Counts[diag.ElementDropped], said.Counts[diag.MemberDropped])
	}
}

func TestWithheld(t *testing.T) {
	doc := packet(`"capture":{"mode":"custom"},"target":{"role":"password","text":"x","label":"l"},"surrounding":{"ancestors":[{"role":"group"}],"history":[{"role":"otp","text":"y"},{"role":"otp","text":"y","selector":"s","metadata":{"element":{"id":"s","role":"otp"}}},{"text":"z"}]},`)
	dec, _, said := read(t, doc, askable.Options{})
	want := strings.NewReplacer(`,"text":"x"`, ``, `,"text":"y"`, ``, `"redacted":false,"consent":"none"`, `"redacted":true,"consent":"none","omitted":["secure-text"]`).Replace(doc)
	if got := string(dec.AppendWithheld(nil)); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if said.Counts[diag.SecureWithheld] != 3 {
		t.Errorf("told %d times", said.Counts[diag.SecureWithheld])
	}
	dec, _, _ = read(t, doc, askable.Options{KeepSecure: true})
	if got := string(dec.AppendWithheld(nil)); got != doc {
		t.Errorf("kept: got\n%s", got)
	}
}

func TestRefused(t *testing.T) {
	for _, doc := range []string{packet(`"surrounding":{"nearby":[1]},`), packet(`"surrounding":{"history":[null]},`),
		packet(`"surrounding":{"history":[{"role":"otp","text":"y"},5]},`)} {
		var (
			dec  askable.Decoder
			snap model.Snapshot
			said diag.Collector
		)
		if err := dec.Decode([]byte(doc), &snap, &said, askable.Options{}); err != nil || !said.Refused() {
			t.Errorf("%s: %v, refused %v", doc, err, said.Refused())
		}
	}
}
