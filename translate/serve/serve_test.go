package serve_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"ctxmigrate/translate"
	"ctxmigrate/translate/serve"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const stamp = "2026-01-01T00:00:00Z"

// connect is a host of a server.
func connect(t *testing.T, ask serve.Source, o serve.Options) *mcp.ClientSession {
	t.Helper()
	o.Convert.Timestamp = stamp
	a, b := mcp.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		serve.NewServer(ask, o).Run(ctx, a)
	}()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, nil).Connect(t.Context(), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(); cancel(); <-done })
	return s
}

func call(t *testing.T, s *mcp.ClientSession, name string) (*mcp.CallToolResult, string) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return r, r.Content[0].(*mcp.TextContent).Text
}

// TestServe asks for everything, of a provider of 0.1.
func TestServe(t *testing.T) {
	doc, err := os.ReadFile("../../testdata/examples/notes-0.1.json")
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	s := connect(t, func(context.Context) ([]byte, error) { asked.Add(1); return doc, nil }, serve.Options{})
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 3 {
		t.Fatalf("%v %v", tools, err)
	}
	if r, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: serve.SchemaURI}); err != nil || !json.Valid([]byte(r.Contents[0].Text)) {
		t.Errorf("schema: %v %v", r, err)
	}
	if _, text := call(t, s, "get_context_schema"); !strings.Contains(text, "askable.context") {
		t.Errorf("schema: %s", text)
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the provider was asked %d times without need", n)
	}
	want, err := translate.Convert(doc, translate.Askable, &translate.Options{Timestamp: stamp})
	if err != nil {
		t.Fatal(err)
	}
	r, text := call(t, s, "get_current_context")
	structured, _ := json.Marshal(r.StructuredContent)
	if text != string(want.Document) || !sameJSON(structured, want.Document) {
		t.Errorf("%s\n%s", text, structured)
	}
	if r, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: serve.CurrentURI}); err != nil || r.Contents[0].Text != string(want.Document) {
		t.Errorf("current: %v %v", r, err)
	}
	if _, text = call(t, s, "format_context_for_prompt"); text != `The user has selected this text:
  text: what it shows

Secondary, around that:
It is inside of, outermost first:
  - window
  - list Launch plan
  - row By Ada

Nothing is said to have been withheld for privacy.
Consent of the user: none.
` {
		t.Errorf("prompt: %s", text)
	}
	if n := asked.Load(); n != 3 {
		t.Errorf("the provider was asked %d times for 3 asks", n)
	}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return string(p) == string(q)
}

// TestRefusals is what an agent is told where there is no packet for it.
func TestRefusals(t *testing.T) {
	packet := func(redacted string) string {
		return `{"protocol":"askable.context","version":"0.1","source":{"timestamp":"` + stamp + `"},"capture":{"mode":"viewport"},"privacy":{"redacted":` + redacted + `,"consent":"none"},"provenance":{"producer":"p","method":"app"}}`
	}
	slow := func(ctx context.Context) ([]byte, error) { <-ctx.Done(); return nil, ctx.Err() }
	for _, c := range []struct {
		name string
		ask  serve.Source
		o    serve.Options
		code string
	}{
		{"redacted", text(packet("true")), serve.Options{RequireRedacted: true}, ""},
		{"not redacted", text(packet("false")), serve.Options{RequireRedacted: true}, "not-redacted"},
		{"no JSON", text("CANARY"), serve.Options{}, "syntax"},
		{"no answer", text(`{"CANARY":1}`), serve.Options{}, "unknown-form"},
		{"failure", func(context.Context) ([]byte, error) { return nil, errors.New("CANARY") }, serve.Options{}, "no-answer"},
		{"slow", slow, serve.Options{Timeout: 50 * time.Millisecond}, "timeout"},
		{"no file", serve.File("/no/such/CANARY", 9), serve.Options{}, "input-failed"},
		{"a long file", serve.File("serve_test.go", 9), serve.Options{}, "too-large"},
		{"an empty file", file(t, ""), serve.Options{}, "empty"},
		{"white space", file(t, "\ufeff \n"), serve.Options{}, "empty"},
		{"two documents", file(t, packet("true")+"\n"+packet("true")), serve.Options{}, "syntax"},
		{"a packed file", file(t, packed(packet("true"))), serve.Options{}, ""},
		{"a damaged file", file(t, packed(packet("true"))[:60]), serve.Options{}, "compressed-data"},
		{"a bomb", file(t, packed(strings.Repeat(" ", 9<<20)+"{}")), serve.Options{}, "too-large"},
		{"a file of no JSON", file(t, "CANARY"), serve.Options{}, "syntax"},
		{"an indented file", file(t, strings.ReplaceAll(packet("true"), ",", ",\n  ")+"\n"), serve.Options{}, ""},
	} {
		s := connect(t, c.ask, c.o)
		for _, tool := range []string{"get_current_context", "format_context_for_prompt"} {
			start := time.Now()
			r, said := call(t, s, tool)
			if r.IsError != (c.code != "") || c.code != "" && !strings.Contains(said, "("+c.code+")") || strings.Contains(said, "CANARY") {
				t.Errorf("%s: %v %s", c.name, r.IsError, said)
			}
			if d := time.Since(start); d > time.Second {
				t.Errorf("%s took %v", c.name, d)
			}
		}
		_, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: serve.CurrentURI})
		var told *jsonrpc.Error
		switch {
		case c.code == "" && err != nil:
			t.Errorf("%s: the resource: %v", c.name, err)
		case c.code != "" && (!errors.As(err, &told) || told.Code == 0 || string(told.Data) != `{"code":"`+c.code+`"}` || strings.Contains(told.Message, "CANARY")):
			t.Errorf("%s: the resource: %#v", c.name, err)
		}
	}
}

// file is a source of a file that holds a text.
func file(t *testing.T, text string) serve.Source {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return serve.File(f.Name(), 8<<20)
}

func packed(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

func text(s string) serve.Source {
	return func(context.Context) ([]byte, error) { return []byte(s), nil }
}

// TestPromptWithheld says what is missing.
func TestPromptWithheld(t *testing.T) {
	src := `{"protocol":"0.1","instance":"i","items":[{"id":"w","type":"window"},{"id":"p","type":"password","parent":"w","title":"Code","content":"CANARY"}],"focus":["p"]}`
	s := connect(t, text(src), serve.Options{})
	_, said := call(t, s, "format_context_for_prompt")
	if !strings.Contains(said, "withheld for privacy: secure-text.") || strings.Contains(said, "CANARY") || !strings.Contains(said, "Code") {
		t.Error(said)
	}
}

// TestSession asks a provider over MCP, by its tool and by its resource, and
// connects anew after it has ended.
func TestSession(t *testing.T) {
	for _, tool := range []bool{true, false} {
		var servers []*mcp.ServerSession
		end := func() {}
		ask, closeAll := serve.Session(func(ctx context.Context) (*mcp.ClientSession, error) {
			p := mcp.NewServer(&mcp.Implementation{Name: "p", Version: "1"}, nil)
			if tool {
				p.AddTool(&mcp.Tool{Name: "now", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: `{"n":1.0}`}}}, nil
				})
			}
			p.AddResource(&mcp.Resource{URI: "app://x/current", Name: "c"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "app://x/current", Text: `{"n":2.0}`}}}, nil
			})
			a, b := mcp.NewInMemoryTransports()
			s, err := p.Connect(context.Background(), a, nil)
			if err != nil {
				return nil, err
			}
			servers = append(servers, s)
			end = func() { s.Close() }
			return mcp.NewClient(&mcp.Implementation{Name: "h", Version: "1"}, nil).Connect(ctx, b, nil)
		}, "now", 100)
		want := `{"n":2.0}`
		if tool {
			want = `{"n":1.0}`
		}
		for range 2 {
			if doc, err := ask(t.Context()); string(doc) != want || err != nil {
				t.Errorf("%s %v", doc, err)
			}
		}
		if len(servers) != 1 {
			t.Errorf("%d connections", len(servers))
		}
		end()
		var doc []byte
		var err error
		for range 100 { // until it has found that the connection has ended
			if doc, err = ask(t.Context()); err == nil {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		if string(doc) != want || err != nil {
			t.Errorf("after an end: %s %v", doc, err)
		}
		closeAll()
		for _, s := range servers {
			s.Close()
			s.Wait()
		}
	}
}
