package proxy_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/translate/proxy"
)

// TestEachPair has every form asked of a provider of every form.
func TestEachPair(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }
	for _, from := range []translate.Form{translate.V01, translate.V020, translate.Askable} {
		src := string(docgen.Sized(docgen.Form(from.String()), 2000, docgen.Plain))
		for _, to := range []translate.Form{translate.V01, translate.V020, translate.Askable} {
			s := setup{}
			s.opts.To, s.opts.Now = to, now
			g := newRig(t, s, answering(src))
			want := src // the form is right already: untouched
			if from != to {
				want = converted(t, src, to, &translate.Options{Clock: now})
			}
			for _, method := range []string{"GET", "POST"} {
				resp, body := g.do(t, method, "/v1/current", "")
				if resp.StatusCode != 200 || body != want || resp.Header.Get("Cache-Control") != "no-store" {
					t.Errorf("%s from %s to %s: %d, %.100s", method, from, to, resp.StatusCode, body)
				}
			}
			if n := len(g.requests()); n != 2 {
				t.Errorf("%d requests for two asks", n)
			}
		}
	}
}

// TestNoBody holds that a request without a body reaches the provider without one,
// whatever its method.
func TestNoBody(t *testing.T) {
	g := newRig(t, setup{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["X-Saw"] = append([]string{"length " + r.Header.Get("Content-Length")}, r.TransferEncoding...)
		io.WriteString(w, notes)
	}))
	for _, c := range []struct{ method, key, want string }{
		{"GET", "", "length "}, {"DELETE", "", "length "}, {"ASK", "", "length "},
		{"POST", "", "length 0"}, {"PUT", "", "length 0"}, {"PATCH", "", "length 0"}, {"POST", "k", "length "},
	} {
		for _, path := range []string{"/current", "/locate/a"} {
			headers := []string{}
			if c.key != "" {
				headers = []string{"Idempotency-Key", c.key}
			}
			resp, body := g.do(t, c.method, path, "", headers...)
			if saw := strings.Join(resp.Header["X-Saw"], " "); resp.StatusCode != 200 || saw != strings.TrimSpace(c.want) {
				t.Errorf("%s %s: %d, the provider saw %q: %.80s", c.method, path, resp.StatusCode, saw, body)
			}
		}
	}
}

// TestNothingAdded holds that the provider is sent no header of which the host
// said nothing, but for how bodies are to be encoded.
func TestNothingAdded(t *testing.T) {
	for _, mcp := range []bool{false, true} {
		var agent string
		g := newRig(t, setup{mcp: mcp}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if saw := r.Header.Get("User-Agent"); saw != agent {
				t.Errorf("%s: the provider saw %q, not %q", r.RequestURI, saw, agent)
			}
			for name := range r.Header {
				if name != "Accept-Encoding" && name != "Content-Length" && name != "User-Agent" {
					t.Errorf("%s: %s was added", r.RequestURI, name)
				}
			}
			io.WriteString(w, readReply("1", notes))
		}))
		for _, agent = range []string{"", "host/1"} {
			for _, path := range []string{"/current", "/locate/a", "/other"} {
				g.do(t, "POST", path, readAsk("1"), "User-Agent", agent)
			}
		}
		if n := len(g.requests()); n != 6 {
			t.Errorf("%d requests", n)
		}
	}
}

// TestPasses holds that what is no ask passes byte for byte.
func TestPasses(t *testing.T) {
	g := newRig(t, setup{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("ETag", `"e"`)
		w.Header().Set("X-Custom", "kept")
		w.Header()["X-Saw"] = []string{r.Method, r.RequestURI, string(body), r.Header.Get("Range"), r.Header.Get("X-Forwarded-For")}
		w.WriteHeader(418)
		io.WriteString(w, notes)
	}))
	resp, body := g.do(t, "PUT", "/things/1%2F2?b=2;3&a=%zz", "data", "Range", "bytes=0-3")
	if resp.StatusCode != 418 || body != notes || resp.Header.Get("ETag") != `"e"` || resp.Header.Get("X-Custom") != "kept" {
		t.Errorf("%d %v %s", resp.StatusCode, resp.Header, body)
	}
	if saw := strings.Join(resp.Header["X-Saw"], " "); saw != "PUT /things/1%2F2?b=2;3&a=%zz data bytes=0-3 " {
		t.Errorf("the provider saw %q", saw)
	}
	if resp, body = g.do(t, "GET", "/current", ""); resp.StatusCode != 418 || body != notes {
		t.Errorf("a current of status 418: %d %s", resp.StatusCode, body)
	}
	if resp, body := g.do(t, "GET", "/healthz", ""); resp.StatusCode != 200 || body != `{"status":"ok"}` || len(g.requests()) != 2 {
		t.Errorf("healthz: %d %s, %v", resp.StatusCode, body, g.requests())
	}
}

// TestHeaders holds that headers tell of the body that is sent.
func TestHeaders(t *testing.T) {
	var z bytes.Buffer
	zip := gzip.NewWriter(&z)
	io.WriteString(zip, notes)
	zip.Close()
	want := converted(t, notes, translate.V020, nil)
	g := newRig(t, setup{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "application/json; charset=utf-8")
		h.Set("ETag", `"e"`)
		h.Set("Content-Digest", "sha-256=:x:")
		h.Set("Accept-Ranges", "bytes")
		h.Set("X-Range", r.Header.Get("Range"))
		switch {
		case r.Header.Get("If-None-Match") != "":
			w.WriteHeader(304)
		case r.URL.Path == "/zip/current":
			h.Set("Content-Encoding", "gzip")
			w.Write(z.Bytes())
		case r.URL.Path == "/html/current":
			h.Set("Content-Type", "text/html")
			io.WriteString(w, "<p>no answer</p>")
		default:
			io.WriteString(w, notes)
		}
	}))
	for _, path := range []string{"/current", "/zip/current"} {
		resp, body := g.do(t, "GET", path, "", "Range", "bytes=0-3", "Accept-Encoding", "gzip")
		if body != want || resp.ContentLength != int64(len(want)) || resp.Header.Get("X-Range") != "" {
			t.Errorf("%s: %d bytes said, %s", path, resp.ContentLength, body)
		}
		for _, name := range []string{"ETag", "Content-Digest", "Accept-Ranges", "Content-Encoding"} {
			if v := resp.Header.Get(name); v != "" {
				t.Errorf("%s: %s is %s", path, name, v)
			}
		}
		head, _ := g.do(t, "HEAD", path, "")
		if head.StatusCode != 200 || head.Header.Get("Content-Encoding") != "" || head.ContentLength >= 0 && head.ContentLength != int64(len(want)) || head.Header.Get("ETag") != "" {
			t.Errorf("HEAD %s: %d %v", path, head.StatusCode, head.Header)
		}
	}
	if resp, body := g.do(t, "GET", "/current", "", "If-None-Match", `"e"`); resp.StatusCode != 304 || body != "" {
		t.Errorf("304: %d %q", resp.StatusCode, body)
	}
	if resp, body := g.do(t, "GET", "/html/current", ""); resp.StatusCode != 200 || body != "<p>no answer</p>" || resp.Header.Get("Content-Type") != "text/html" || resp.Header.Get("ETag") != `"e"` {
		t.Errorf("html: %d %q %v", resp.StatusCode, body, resp.Header)
	}
}

// TestLocate has ids mapped back, wherever they stand.
func TestLocate(t *testing.T) {
	answer := notes
	g := newRig(t, setup{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "current") {
			io.WriteString(w, answer)
			return
		}
		body, _ := io.ReadAll(r.Body)
		io.WriteString(w, r.RequestURI+" "+string(body))
	}))
	locate := func(id, want string) {
		t.Helper()
		asked := len(g.requests())
		for _, c := range []struct{ target, body, want string }{
			{"/x/locate/" + url.PathEscape(id), "", "/x/locate/" + url.PathEscape(want) + " "},
			{"/locate?a=1&id=" + url.QueryEscape(id) + "&b=%20", "", "/locate?a=1&id=" + url.QueryEscape(want) + "&b=%20 "},
			{"/locate", `{ "x":1.0, "id": "` + id + `" }`, `/locate { "x":1.0, "id": "` + want + `" }`},
		} {
			resp, body := g.do(t, "POST", c.target, c.body)
			switch {
			case want == "":
				if resp.StatusCode != 410 || body != `{"status":"gone"}` || len(g.requests()) != asked {
					t.Errorf("%s of %s: %d %s, after %d requests", c.target, id, resp.StatusCode, body, len(g.requests())-asked)
				}
			case body != c.want:
				t.Errorf("%s of %s: %s", c.target, id, body)
			}
		}
	}
	locate("a~2", "a~2") // nothing was asked yet: nothing was made up
	g.do(t, "GET", "/current", "")
	locate("a", "a")
	locate("a~2", "a")
	locate("b~2", "b~2") // it really ends so
	locate("item-3", "") // made up for the element that has none
	locate("app", "")    // the root that was made up
	locate("other~2", "other~2")
	// now it really has the id that was made up before
	answer = strings.Replace(notes, `{"type":"note"`, `{"id":"a~2","type":"note"`, 1)
	g.do(t, "GET", "/current", "")
	locate("a~2", "a~2")
	locate("a~3", "a")
	// another instance: nothing old is matched to it
	answer = `{"protocol":"0.1","instance":"new","items":[{"id":"app","type":"note"}],"focus":[]}`
	g.do(t, "GET", "/current", "")
	locate("a~3", "a~3")
	locate("app", "app")
	locate("app~2", "")
}

// TestLocatePacket has every element that a packet did not bring answered as gone.
func TestLocatePacket(t *testing.T) {
	packet := converted(t, notes, translate.Askable, &translate.Options{Timestamp: "2026-01-01T00:00:00Z"})
	g := newRig(t, setup{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "current") {
			io.WriteString(w, packet)
			return
		}
		io.WriteString(w, r.RequestURI)
	}))
	g.do(t, "GET", "/current", "")
	if resp, body := g.do(t, "GET", "/locate/a", ""); resp.StatusCode != 200 || body != "/locate/a" {
		t.Errorf("a restored element: %d %s", resp.StatusCode, body)
	}
	packet = strings.ReplaceAll(packet, `"metadata":{"element"`, `"metadata":{"other"`)
	g.do(t, "GET", "/current", "")
	if resp, _ := g.do(t, "GET", "/locate/target", ""); resp.StatusCode != 410 {
		t.Errorf("a made-up target: %d", resp.StatusCode)
	}
}

// TestSocket has a provider on a Unix socket.
func TestSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Skip("there are no sockets here: ", err)
	}
	server := &http.Server{Handler: answering(notes)}
	go server.Serve(l)
	defer server.Close()
	g := newRig(t, setup{up: proxy.Upstream{Socket: path}}, http.NotFoundHandler())
	for range 3 {
		if resp, body := g.do(t, "GET", "/current", ""); resp.StatusCode != 200 || !strings.HasPrefix(body, `{"protocol":"0.2.0"`) {
			t.Errorf("%d %s", resp.StatusCode, body)
		}
	}
}

// TestPlaces is where requests go, by the URL that the provider is named with.
func TestPlaces(t *testing.T) {
	saw := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, r.RequestURI)
	}
	p := httptest.NewServer(http.HandlerFunc(saw))
	defer p.Close()
	for _, c := range []struct {
		mcp              bool
		base, path, want string
	}{
		{false, "", "/a/current?q", "/a/current?q"}, {false, "/", "/current", "/current"}, {false, "/v1", "/current", "/v1/current"},
		{false, "/v1/current", "/current", "/v1/current"}, {false, "/v1%2F2/", "/x%20y", "/v1%2F2/x%20y"},
		{true, "", "/mcp", "/mcp"}, {true, "/mcp", "/", "/mcp"}, {true, "/mcp", "/mcp?q", "/mcp?q"}, {true, "/api/mcp", "/mcp", "/api/mcp"},
		{true, "/mcp", "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource/mcp"},
	} {
		g := newRig(t, setup{mcp: c.mcp, up: proxy.Upstream{URL: p.URL + c.base}}, http.NotFoundHandler())
		if _, body := g.do(t, "GET", c.path, ""); body != c.want {
			t.Errorf("%s behind %q is asked at %s, not %s", c.path, c.base, body, c.want)
		}
	}
}
