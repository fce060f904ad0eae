package serve

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ctxmigrate/translate/proxy"
)

// Session is a source that asks a provider over MCP: by the tool, where it has a
// tool of that name, else by its current resource. Connect is called at the first
// ask, and again after a connection has ended; close ends the last one.
func Session(connect func(ctx context.Context) (*mcp.ClientSession, error), tool string, limit int) (ask Source, end func()) {
	s := &session{connect: connect, tool: tool, limit: limit}
	return s.ask, s.end
}

type session struct {
	connect func(ctx context.Context) (*mcp.ClientSession, error)
	tool    string
	limit   int

	mu   sync.Mutex
	live *mcp.ClientSession
	uri  string // of the current resource; "" for the tool
}

func (s *session) end() {
	s.mu.Lock()
	live := s.live
	s.live = nil
	s.mu.Unlock()
	if live != nil {
		live.Close()
	}
}

func (s *session) ask(ctx context.Context) (doc []byte, err error) {
	live, uri, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	if uri != "" {
		doc, err = read(ctx, live, uri)
	} else {
		doc, err = call(ctx, live, s.tool)
	}
	if len(doc) > s.limit {
		return nil, errTooLarge
	}
	return doc, err
}

// open connects, and finds out how the provider is asked.
func (s *session) open(ctx context.Context) (*mcp.ClientSession, string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live != nil {
		return s.live, s.uri, nil
	}
	live, err := s.connect(ctx)
	if err != nil {
		return nil, "", &proxy.Fault{Code: "unreachable", Status: 502, Message: "the provider cannot be reached; is it running?"}
	}
	uri, err := way(ctx, live, s.tool)
	if err != nil {
		live.Close()
		return nil, "", err
	}
	s.live, s.uri = live, uri
	go func() { // the next ask connects anew when this connection has ended
		live.Wait()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.live == live {
			s.live = nil
		}
	}()
	return live, uri, nil
}

// way is the URI of the current resource, "" where there is the tool.
func way(ctx context.Context, live *mcp.ClientSession, tool string) (string, error) {
	if tools, err := live.ListTools(ctx, nil); err == nil {
		if slices.ContainsFunc(tools.Tools, func(t *mcp.Tool) bool { return t.Name == tool }) {
			return "", nil
		}
	}
	if list, err := live.ListResources(ctx, nil); err == nil {
		for _, r := range list.Resources {
			if r.URI[strings.LastIndexAny(r.URI, "/:")+1:] == "current" {
				return r.URI, nil
			}
		}
	}
	return "", &proxy.Fault{Code: "no-answer", Status: 502, Message: "the provider has neither the tool nor a current resource"}
}

func read(ctx context.Context, live *mcp.ClientSession, uri string) ([]byte, error) {
	r, err := live.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return nil, err
	}
	for _, c := range r.Contents {
		if c.Text != "" {
			return []byte(c.Text), nil
		}
	}
	return nil, errors.New("no text")
}

func call(ctx context.Context, live *mcp.ClientSession, tool string) ([]byte, error) {
	r, err := live.CallTool(ctx, &mcp.CallToolParams{Name: tool})
	if err != nil {
		return nil, err
	}
	if r.IsError {
		return nil, errors.New("the tool failed")
	}
	// The text spells numbers as the provider did; structured content came apart.
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok && strings.HasPrefix(strings.TrimLeft(t.Text, " \t\r\n\ufeff"), "{") {
			return []byte(t.Text), nil
		}
	}
	if r.StructuredContent != nil {
		return json.Marshal(r.StructuredContent)
	}
	return nil, errors.New("no text")
}
