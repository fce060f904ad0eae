package serve_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"ctxmigrate/translate/serve"
)

// TestEndOfInput holds that what was asked before the end of the input is answered.
func TestEndOfInput(t *testing.T) {
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_current_context","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`,
	}, "\n") + "\n"
	slow := func(ctx context.Context) ([]byte, error) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
			return []byte(`{"protocol":"0.1","instance":"x","items":[{"id":"a","title":"FOUND"}],"focus":["a"]}`), nil
		}
	}
	var out bytes.Buffer
	start := time.Now()
	serve.Run(t.Context(), serve.NewServer(slow, serve.Options{}), strings.NewReader(in), &out, 5*time.Second)
	for _, want := range []string{`"id":1`, `"id":2`, `"id":3`, "FOUND"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in %s", want, &out)
		}
	}
	if took := time.Since(start); took > 4*time.Second {
		t.Errorf("it took %v", took)
	}

	out.Reset() // a provider that does not answer ends it all the same
	never := func(ctx context.Context) ([]byte, error) { <-ctx.Done(); return nil, ctx.Err() }
	start = time.Now()
	serve.Run(t.Context(), serve.NewServer(never, serve.Options{Timeout: time.Minute}), strings.NewReader(in), &out, 50*time.Millisecond)
	if took := time.Since(start); took > 4*time.Second || !strings.Contains(out.String(), `"id":1`) {
		t.Errorf("it took %v: %s", took, &out)
	}
}
