package proxy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ctxmigrate/translate"
	"ctxmigrate/translate/proxy"
)

// newProvider is a provider made with the Go SDK. It answers in a form by a
// resource, by a tool with structured content, and by one with text alone, as the
// reference producer of packets does; what is located is told with its id.
func newProvider(doc string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	s.AddResource(&mcp.Resource{URI: "app://notes/current", Name: "current", MIMEType: "application/json", Size: int64(len(doc))},
		func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: "application/json", Text: doc}}}, nil
		})
	s.AddResource(&mcp.Resource{URI: "app://notes/other", Name: "other", Size: 3},
		func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: doc}}}, nil
		})
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "app://notes/locate/{id}", Name: "locate"},
		func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: "at " + r.Params.URI}}}, nil
		})
	object := json.RawMessage(`{"type":"object"}`)
	text := func(s string) []mcp.Content { return []mcp.Content{&mcp.TextContent{Text: s}} }
	s.AddTool(&mcp.Tool{Name: "get_current_context", InputSchema: object, OutputSchema: json.RawMessage(`{"type":"object","required":["items"]}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: append(text("Here it is:"), text(doc)...), StructuredContent: json.RawMessage(doc)}, nil
		})
	s.AddTool(&mcp.Tool{Name: "packet", InputSchema: object},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: text(doc)}, nil
		})
	s.AddTool(&mcp.Tool{Name: "other", InputSchema: object, OutputSchema: object},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: text(doc), StructuredContent: json.RawMessage(doc)}, nil
		})
	s.AddTool(&mcp.Tool{Name: "locate", InputSchema: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string","x-mcp-header":"Element"}}}`)},
		func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: text("at " + string(r.Params.Arguments))}, nil
		})
	return s
}

func mcpOptions() proxy.Options {
	return proxy.Options{To: translate.V020, Tools: []string{"get_current_context", "packet"}}
}

// TestGoSDK speaks the Go SDK's client to the Go SDK's server through the proxy, in
// every revision, with and without sessions, with JSON and with events.
func TestGoSDK(t *testing.T) {
	for _, version := range []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		for _, o := range []mcp.StreamableHTTPOptions{{}, {JSONResponse: true}, {Stateless: true}, {EventStore: mcp.NewMemoryEventStore(nil)}} {
			t.Run(fmt.Sprintf("%s/json=%v,stateless=%v,store=%v", version, o.JSONResponse, o.Stateless, o.EventStore != nil), func(t *testing.T) {
				server := newProvider(notes)
				g := newRig(t, setup{mcp: true, opts: mcpOptions()}, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &o))
				client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, nil)
				session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: g.url + "/mcp", HTTPClient: g.client}, &mcp.ClientSessionOptions{ProtocolVersion: version})
				if err != nil {
					t.Fatal(err)
				}
				defer session.Close()
				if v := session.InitializeResult(); v != nil && v.ProtocolVersion != version && (version != "2026-07-28" || !o.Stateless && v.ProtocolVersion != "2025-11-25") {
					t.Errorf("the revision is %s", v.ProtocolVersion)
				}
				speak(t, session)
				if log := g.log.String(); strings.Contains(log, "internal") {
					t.Error(log)
				}
			})
		}
	}
}

// speak asks everything of a provider made by newProvider(notes).
func speak(t *testing.T, session *mcp.ClientSession) {
	t.Helper()
	ctx := t.Context()
	want := converted(t, notes, translate.V020, nil)
	read, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "app://notes/current"})
	if err != nil || read.Contents[0].Text != want {
		t.Errorf("current: %v %v", read, err)
	}
	if read, err = session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "app://notes/other"}); err != nil || read.Contents[0].Text != notes {
		t.Errorf("other: %v %v", read, err)
	}
	if read, err = session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "app://notes/locate/a~2"}); err != nil || read.Contents[0].Text != "at app://notes/locate/a" {
		t.Errorf("locate: %v %v", read, err)
	}
	if read, err = session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "app://notes/locate/app"}); err != nil || read.Contents[0].Text != `{"status":"gone"}` || read.Contents[0].URI != "app://notes/locate/app" {
		t.Errorf("locate app: %v %v", read, err)
	}
	tools, err := session.ListTools(ctx, nil)
	if err != nil || len(tools.Tools) != 4 {
		t.Fatalf("tools: %v %v", tools, err)
	}
	for _, tool := range tools.Tools {
		schema, _ := json.Marshal(tool.OutputSchema)
		if is := strings.Contains(string(schema), "0.2.0"); is != (tool.Name == "get_current_context") {
			t.Errorf("the output schema of %s is %s", tool.Name, schema)
		}
	}
	resources, err := session.ListResources(ctx, nil)
	if err != nil || len(resources.Resources) != 2 || resources.Resources[0].Size != 0 || resources.Resources[1].Size != 3 {
		t.Errorf("resources: %v %v", resources, err)
	}
	call := func(name string, args any) *mcp.CallToolResult {
		got, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return got
	}
	text := func(r *mcp.CallToolResult, i int) string { return r.Content[i].(*mcp.TextContent).Text }
	got := call("get_current_context", nil)
	structured, _ := json.Marshal(got.StructuredContent)
	if text(got, 0) != "Here it is:" || text(got, 1) != want || !sameJSON(string(structured), want) {
		t.Errorf("structured: %s %s", text(got, 1), structured)
	}
	if got = call("packet", nil); text(got, 0) != want || got.StructuredContent != nil {
		t.Errorf("text alone: %v", got)
	}
	if got = call("other", nil); text(got, 0) != notes {
		t.Errorf("another tool: %v", got)
	}
	if got = call("locate", map[string]any{"id": "a~2"}); text(got, 0) != `at {"id":"a"}` {
		t.Errorf("locate: %v", text(got, 0))
	}
	if got = call("locate", map[string]any{"id": "item-3"}); text(got, 0) != `{"status":"gone"}` {
		t.Errorf("locate what was made up: %v", text(got, 0))
	}
}

func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return string(p) == string(q)
}

// TestGoSDKStdio does the same over standard input and output.
func TestGoSDKStdio(t *testing.T) {
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		hostIn, toHost := io.Pipe()
		fromHost, hostOut := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			err := proxy.Pump(context.Background(), fromHost, toHost, role("mcp"), mcpOptions())
			toHost.Close()
			ended <- err
		}()
		client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: hostIn, Writer: hostOut}, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatal(err)
		}
		speak(t, session)
		start := time.Now()
		session.Close()
		fromHost.Close()
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", version, err)
		}
		if d := time.Since(start); d > time.Second {
			t.Errorf("ending took %v", d)
		}
	}
}
