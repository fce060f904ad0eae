// Package serve offers what a provider answers to agents over MCP, as the
// askable.context specification recommends: as packets, whatever form the provider
// speaks.
//
// The server has the tools get_current_context (the packet, as structured content
// and as text), get_context_schema and format_context_for_prompt, the resource
// context://schema and the resource context://current. The provider is asked when
// a tool is called or the current resource is read, and then once.
package serve

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/proxy"
)

// Source is how the provider is asked. It answers a document of any form. Ctx ends
// after the time limit.
type Source func(ctx context.Context) ([]byte, error)

// Options say what is served. The zero Options work.
type Options struct {
	Convert         translate.Options
	RequireRedacted bool          // refuse packets that do not say that they are redacted
	Timeout         time.Duration // of an ask; 0 stands for a second
	Limits          proxy.Limits  // how many asks may be at the provider, and wait
	Version         string        // of the program
	Observe         func(proxy.Event)
}

// The resources of the server.
const (
	SchemaURI  = "context://schema"
	CurrentURI = "context://current"
)

// NewServer makes a server for a provider.
func NewServer(ask Source, o Options) *mcp.Server {
	if o.Timeout == 0 {
		o.Timeout = time.Second
	}
	h := &host{ask: ask, opts: o, gate: proxy.NewGate(o.Limits)}
	s := mcp.NewServer(&mcp.Implementation{Name: "ctxmigrate", Title: "Context of an app", Version: o.Version}, &mcp.ServerOptions{
		// What a user looks at is that user's alone.
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
	})
	none := json.RawMessage(`{"type":"object","additionalProperties":false}`)
	reads := &mcp.ToolAnnotations{ReadOnlyHint: true}
	schema := proxy.Schema(translate.Askable)
	s.AddTool(&mcp.Tool{Name: "get_current_context", InputSchema: none, OutputSchema: json.RawMessage(schema), Annotations: reads,
		Description: "What the user is looking at now: a Context packet with the target that the user pointed at, what surrounds it, and what was withheld."},
		h.tool(func(packet []byte) *mcp.CallToolResult {
			r := said(string(packet))
			r.StructuredContent = json.RawMessage(packet)
			return r
		}))
	s.AddTool(&mcp.Tool{Name: "format_context_for_prompt", InputSchema: none, Annotations: reads,
		Description: "What the user is looking at now, as text for a prompt: the target first, its surroundings as secondary."},
		h.tool(func(packet []byte) *mcp.CallToolResult { return said(Prompt(packet)) }))
	s.AddTool(&mcp.Tool{Name: "get_context_schema", InputSchema: none, Annotations: reads,
		Description: "The JSON Schema of Context packets."},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			r := said(schema)
			r.StructuredContent = json.RawMessage(schema)
			return r, nil
		})
	s.AddResource(&mcp.Resource{URI: SchemaURI, Name: "schema", MIMEType: "application/schema+json", Description: "The JSON Schema of Context packets."},
		func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return contents(r, "application/schema+json", schema), nil
		})
	s.AddResource(&mcp.Resource{URI: CurrentURI, Name: "current", MIMEType: "application/json", Description: "What the user is looking at now, as a Context packet."},
		func(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			packet, err := h.current(ctx)
			if err != nil {
				return nil, failed(err)
			}
			return contents(r, "application/json", string(packet)), nil
		})
	return s
}

// failed is an error as JSON-RPC knows it.
func failed(err error) error {
	var f *proxy.Fault
	if !errors.As(err, &f) {
		f = errInternal
	}
	data, _ := json.Marshal(map[string]string{"code": f.Code})
	return &jsonrpc.Error{Code: f.RPCCode(), Message: "ctxmigrate: " + f.Error(), Data: data}
}

func said(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func contents(r *mcp.ReadResourceRequest, media, text string) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: media, Text: text}}}
}

// host asks a provider.
type host struct {
	ask  Source
	opts Options
	gate *proxy.Gate
	asks atomic.Uint64
}

// tool is a tool that does something with the packet.
func (h *host) tool(f func(packet []byte) *mcp.CallToolResult) mcp.ToolHandler {
	return func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		packet, err := h.current(ctx)
		if err != nil { // said in the result, so that the agent sees it
			r := said("ctxmigrate: " + err.Error())
			r.IsError = true
			return r, nil
		}
		return f(packet), nil
	}
}

// ErrNotRedacted refuses a packet that does not say that it is redacted.
var ErrNotRedacted = &proxy.Fault{Code: "not-redacted", Status: 403, Message: "the packet does not say that it is redacted, and only such are passed on"}

var errInternal = &proxy.Fault{Code: "internal", Status: 500, Message: "the answer could not be dealt with"}

// Faults are all faults that are not those of an answer, for documentation.
func Faults() []proxy.Fault {
	return append(proxy.Faults(), *ErrNotRedacted, *errEmpty)
}

// current is the packet of what the provider answers now. Its errors say nothing
// of what was read.
func (h *host) current(ctx context.Context) (packet []byte, err error) {
	start := time.Now()
	e := proxy.Event{Number: h.asks.Add(1), Route: "current", Outcome: "ok", To: translate.Askable}
	defer func() {
		if v := recover(); v != nil {
			packet, err = nil, errInternal
		}
		var fault *proxy.Fault
		if errors.As(err, &fault) {
			e.Outcome = fault.Code
		}
		e.Took = time.Since(start)
		if h.opts.Observe != nil {
			h.opts.Observe(e)
		}
	}()
	src, err := h.source(ctx)
	if err != nil {
		return nil, err
	}
	var c translate.Converter
	packet, err = c.Append(nil, src, translate.Askable, &h.opts.Convert)
	if err != nil {
		return nil, refusal(err)
	}
	e.From, e.In, e.Out = c.From(), len(src), len(packet)
	if h.opts.RequireRedacted && string(jsontree.Member(jsontree.Member(packet, "privacy"), "redacted")) != "true" {
		return nil, ErrNotRedacted
	}
	return packet, nil
}

// source asks the provider, within the time limit whatever the provider does.
func (h *host) source(ctx context.Context) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, h.opts.Timeout)
	defer cancel()
	type answer struct {
		doc []byte
		err error
	}
	if fault := h.gate.Enter(ctx); fault != nil {
		return nil, fault
	}
	came := make(chan answer, 1)
	go func() {
		defer h.gate.Leave() // not before it has ended, if it does so late
		doc, err := h.ask(ctx)
		came <- answer{doc, err}
	}()
	var a answer
	select {
	case a = <-came:
	case <-ctx.Done():
		a.err = ctx.Err()
	}
	if a.err == nil {
		return a.doc, nil
	}
	var fault *proxy.Fault
	if errors.As(a.err, &fault) {
		return nil, fault
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, &proxy.Fault{Code: "timeout", Status: 504, Message: "the provider did not answer within the time limit"}
	}
	return nil, &proxy.Fault{Code: "no-answer", Status: 502, Message: "the provider gave no answer"}
}

// refusal tells why an answer was refused, without quoting it.
func refusal(err error) error {
	var r *translate.Refused
	if !errors.As(err, &r) {
		return errInternal
	}
	return &proxy.Fault{Code: r.Code.String(), Status: 502, Message: "the provider's answer was refused: " + strings.TrimSuffix(diag.Codes()[r.Code].Meaning, ".")}
}
