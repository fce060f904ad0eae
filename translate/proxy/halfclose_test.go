package proxy_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ctxmigrate/translate/proxy"
)

// halfClosed sends a request, ends what it sends, and reads the answer.
func halfClosed(t *testing.T, url, request string) (*http.Response, string) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, request)
	c.(*net.TCPConn).CloseWrite()
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatalf("%.40q: %v", request, err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Errorf("%.40q: %v", request, err)
	}
	return resp, string(body)
}

func get(path string) string { return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n" }

func post(path, body string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
}

// TestHalfClosed holds that a host which has ended what it sends is answered like
// every other.
func TestHalfClosed(t *testing.T) {
	slowly := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			time.Sleep(100 * time.Millisecond)
			answering(body)(w, r)
		}
	}
	g := newRig(t, setup{}, slowly(notes))
	for _, c := range []struct{ request, want string }{
		{get("/current"), `{"protocol":"0.2.0"`}, {get("/locate/w"), notes}, {get("/other"), notes},
		{post("/current", "{}"), `{"protocol":"0.2.0"`}, {post("/locate", `{"id":"w"}`), notes}, {post("/other", "x"), notes},
	} {
		if resp, body := halfClosed(t, g.url, c.request); resp.StatusCode != 200 || !strings.HasPrefix(body, c.want) {
			t.Errorf("%.20q: %d %.200q", c.request, resp.StatusCode, body)
		}
	}
	g = newRig(t, setup{mcp: true}, slowly(readReply("1", notes)))
	for method, want := range map[string]string{readAsk("1"): `0.2.0`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`: `"id": 1`} {
		if resp, body := halfClosed(t, g.url, post("/mcp", method)); resp.StatusCode != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %.200q", method, resp.StatusCode, body)
		}
	}
}

// TestHalfClosedLate is a provider that takes longer than a host is waited for
// which may be gone: it is told so.
func TestHalfClosedLate(t *testing.T) {
	for _, mcp := range []bool{false, true} {
		s := setup{mcp: mcp}
		s.opts.Timeout = 10 * time.Second
		ended := make(chan bool, 1)
		g := newRig(t, s, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			ended <- true
		}))
		if mcp {
			if _, body := halfClosed(t, g.url, post("/mcp", readAsk("7"))); codeOf(t, body, "7") != "host-gone" {
				t.Error(body)
			}
		} else if resp, body := halfClosed(t, g.url, get("/current")); resp.StatusCode != 499 || !strings.Contains(body, `"host-gone"`) {
			t.Errorf("%d %q", resp.StatusCode, body)
		}
		<-ended
	}
}

// TestHalfClosedStream holds that a stream goes on for as long as the host takes it.
func TestHalfClosedStream(t *testing.T) {
	t.Parallel()
	g := newRig(t, setup{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range 5 {
			io.WriteString(w, "data: x\n\n")
			w.(http.Flusher).Flush()
			time.Sleep(300 * time.Millisecond)
		}
	}))
	if resp, body := halfClosed(t, g.url, get("/events")); resp.StatusCode != 200 || strings.Count(body, "data") != 5 {
		t.Errorf("%d %q", resp.StatusCode, body)
	}
}

// TestRequestCut holds that a request which cannot be read is the host's fault.
func TestRequestCut(t *testing.T) {
	read := func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, notes)
	}
	g := newRig(t, setup{}, http.HandlerFunc(read))
	m := newRig(t, setup{mcp: true}, http.HandlerFunc(read))
	chunked := "POST %s HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
	for _, path := range []string{"/current", "/locate", "/echo", "/mcp"} {
		at := g
		if path == "/mcp" {
			at = m
		}
		for name, request := range map[string]string{
			"cut":        strings.Replace(post(path, "{}"), "Length: 2", "Length: 200", 1),
			"chunk cut":  fmt.Sprintf(chunked, path) + "5\r\nab",
			"no chunk":   fmt.Sprintf(chunked, path) + "zz\r\nab\r\n",
			"bad end":    fmt.Sprintf(chunked, path) + "2\r\nabXX0\r\n\r\n",
			"chunks end": fmt.Sprintf(chunked, path) + "2\r\nab\r\n",
		} {
			resp, body := halfClosed(t, at.url, request)
			if resp.StatusCode != 400 || !strings.Contains(body, `"bad-request"`) {
				t.Errorf("%s, %s: %d %q", path, name, resp.StatusCode, body)
			}
			at.told(t, "bad-request")
		}
	}
}

// TestProtectHalfClosed has a handler that answers nothing once the request has
// ended, as libraries do.
func TestProtectHalfClosed(t *testing.T) {
	for _, c := range []struct {
		took   time.Duration
		status int
	}{{100 * time.Millisecond, 200}, {5 * time.Second, 499}} {
		var guard proxy.Guard
		s := httptest.NewServer(guard.Protect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-time.After(c.took):
				io.WriteString(w, "answered")
			}
		}), context.Background()))
		if resp, body := halfClosed(t, s.URL, get("/")); resp.StatusCode != c.status || body == "" {
			t.Errorf("%d %q", resp.StatusCode, body)
		}
		s.Close()
	}
}
