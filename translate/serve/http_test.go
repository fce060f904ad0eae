package serve_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ctxmigrate/translate/proxy"
	"ctxmigrate/translate/serve"
)

// TestUnreadableHTTP holds that what cannot be read is refused in JSON-RPC, and not
// quoted.
func TestUnreadableHTTP(t *testing.T) {
	var o proxy.Options
	o.Limits.Bytes = 1000
	s := httptest.NewServer(serve.Handler(serve.NewServer(text("{}"), serve.Options{}), o))
	defer s.Close()
	for _, c := range []struct {
		body, id, code string
		status         int
	}{
		{`{"CANARY`, "null", "bad-request", 400},
		{`CANARY`, "null", "bad-request", 400},
		{``, "null", "bad-request", 400},
		{`[]`, "null", "bad-request", 400},
		{`{"jsonrpc":"CANARY","id":7,"method":"ping"}`, "7", "bad-request", 400},
		{`{"jsonrpc":"2.0","id":{"CANARY":1},"method":"ping"}`, `{"CANARY":1}`, "bad-request", 400},
		{`{"jsonrpc":"2.0","id":7,"method":"ping","params":"` + strings.Repeat("CANARY", 1000) + `"}`, "7", "request-too-large", 413},
	} {
		r, _ := http.NewRequest("POST", s.URL, strings.NewReader(c.body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		got := string(body)
		if resp.StatusCode != c.status || !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":`+c.id+`,"error":{"code":-32700,`) || !strings.Contains(got, `"data":{"code":"`+c.code+`"}`) ||
			strings.Contains(got, "CANARY") && !strings.Contains(c.id, "CANARY") {
			t.Errorf("%.60s: %d %s", c.body, resp.StatusCode, got)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}
