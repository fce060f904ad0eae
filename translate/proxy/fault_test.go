package proxy_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ctxmigrate/translate/proxy"
)

// wire is a provider that does as it is told with each connection, and answers
// well when it is told nothing.
type wire struct {
	net.Listener
	fault atomic.Pointer[func(c net.Conn)]
	good  atomic.Pointer[string] // the body of good answers
	wait  sync.WaitGroup
	open  sync.Map // of net.Conn
}

func newWire(t testing.TB) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{Listener: l}
	doc := notes
	w.good.Store(&doc)
	w.wait.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			w.open.Store(c, true)
			w.wait.Go(func() {
				defer w.open.Delete(c)
				defer c.Close()
				w.serve(c)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		w.open.Range(func(c, _ any) bool { c.(net.Conn).Close(); return true })
		w.wait.Wait()
	})
	return w
}

func (w *wire) serve(c net.Conn) {
	r := bufio.NewReader(c)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		io.Copy(io.Discard, req.Body)
		if f := w.fault.Load(); f != nil {
			(*f)(c)
			return
		}
		doc := *w.good.Load()
		fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(doc), doc)
	}
}

func (w *wire) set(f func(c net.Conn)) {
	if f == nil {
		w.fault.Store(nil)
		return
	}
	w.fault.Store(&f)
}

const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

// reset closes a connection so that the other end is told of a reset.
func reset(c net.Conn) {
	c.(*net.TCPConn).SetLinger(0)
	c.Close()
}

func zipped(s []byte) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(s)
	z.Close()
	return b.String()
}

func sized(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// httpFaults are what providers over HTTP may do wrong, with the code that the
// host is told. Those without a code end in a timeout.
func httpFaults(doc string) map[string]struct {
	code string
	do   func(c net.Conn)
} {
	say := func(s string) func(net.Conn) { return func(c net.Conn) { io.WriteString(c, s) } }
	linger := func(s string) func(net.Conn) {
		return func(c net.Conn) {
			io.WriteString(c, s)
			io.Copy(io.Discard, c) // until the proxy hangs up
		}
	}
	type fault = struct {
		code string
		do   func(c net.Conn)
	}
	bomb := zipped(bytes.Repeat([]byte(" "), 64<<20))
	list := map[string]fault{
		"silent accept":       {"timeout", linger("")},
		"head alone":          {"timeout", linger(head)},
		"body held":           {"timeout", linger(head + "Content-Length: 500\r\n\r\n" + doc[:40])},
		"closed":              {"broken", func(c net.Conn) {}},
		"length cut":          {"broken", say(head + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(doc)) + doc[:99])},
		"chunks cut":          {"broken", say(head + "Transfer-Encoding: chunked\r\n\r\n20\r\n" + doc[:32] + "\r\n")},
		"closing cut":         {"syntax", say("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + doc[:99])},
		"long header":         {"headers-too-large", func(c net.Conn) { longHeader(c) }},
		"no HTTP":             {"bad-answer", say("SSH-2.0-x\r\n\r\n")},
		"gzip bomb":           {"too-large", say(head + "Content-Encoding: gzip\r\n" + sized(bomb))},
		"false gzip":          {"compressed-data", say(head + "Content-Encoding: gzip\r\n" + sized(doc))},
		"gzip cut":            {"compressed-data", say(head + "Content-Encoding: gzip\r\n" + sized(zipped([]byte(doc))[:60]))},
		"brotli":              {"content-encoding", say(head + "Content-Encoding: br\r\n" + sized(doc))},
		"invalid UTF-8":       {"encoding", say(head + sized(strings.Replace(doc, `"title":"T"`, "\"title\":\"T\xff\"", 1)))},
		"duplicate members":   {"duplicate-member", say(head + sized(`{"protocol":"0.1","protocol":"0.1"}`))},
		"depth":               {"too-deep", say(head + sized(strings.Repeat("[", 8_000_000)))},
		"depth in an answer":  {"too-deep", say(head + sized(strings.Replace(doc, `"title":"T"`, `"title":`+strings.Repeat("[", 2_000_000), 1)))},
		"too large":           {"too-large", say(head + "Content-Length: 9000000\r\n\r\n")},
		"too large, unsaid":   {"too-large", func(c net.Conn) { io.WriteString(c, head+"\r\n"); c.Write(bytes.Repeat([]byte(" "), 9<<20)) }},
		"empty":               {"syntax", say(head + sized(""))},
		"another object":      {"unknown-form", say(head + sized(`{"ok":true}`))},
		"another version":     {"unsupported-version", say(head + sized(`{"protocol":"0.9"}`))},
		"redirect":            {"redirect", say("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/current\r\nContent-Length: 0\r\n\r\n")},
		"part":                {"partial", say("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-3/9\r\n" + sized("{   "))},
		"switching protocols": {"bad-answer", say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")},
		"drip": {"timeout", func(c net.Conn) {
			fmt.Fprintf(c, "%sContent-Length: %d\r\n\r\n", head, len(doc))
			for i := range doc {
				if _, err := io.WriteString(c, doc[i:i+1]); err != nil {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
		}},
	}
	whole := head + sized(doc)
	for _, at := range []int{0, 1, 9, 20, len(head), len(head) + 15, len(head) + 30, len(head) + 60, len(whole) - 1} {
		list[fmt.Sprintf("reset at %d", at)] = fault{"broken", func(c net.Conn) { io.WriteString(c, whole[:at]); reset(c) }}
	}
	return list
}

func longHeader(c net.Conn) {
	io.WriteString(c, "HTTP/1.1 200 OK\r\n")
	line := []byte("X-Long: " + strings.Repeat("x", 1000) + "\r\n")
	for range 20 << 10 {
		if _, err := c.Write(line); err != nil {
			return
		}
	}
}

// slack is what an answer may take beyond the time limit.
const slack = 50 * time.Millisecond

// TestFaultsHTTP holds that each fault is told with its code, in time, and that the
// next ask is answered well.
func TestFaultsHTTP(t *testing.T) {
	w := newWire(t)
	s := setup{up: proxy.Upstream{URL: "http://" + w.Addr().String()}}
	s.opts.Timeout = limit
	g := newRig(t, s, http.NotFoundHandler())
	for name, f := range httpFaults(notes) {
		t.Run(name, func(t *testing.T) {
			w.set(f.do)
			resp, body, took := g.timed(t, "GET", "/current", "")
			var told struct {
				Error struct{ Code, Message string }
			}
			if err := json.Unmarshal([]byte(body), &told); err != nil {
				t.Fatalf("%d %.200q: %v", resp.StatusCode, body, err)
			}
			want := 502
			if f.code == "timeout" {
				want = 504
				if took < limit {
					t.Errorf("it took %v only", took)
				}
			}
			code := told.Error.Code
			if strings.HasPrefix(name, "reset at") && code == "bad-answer" {
				code = "broken" // what came looks like no HTTP
			}
			if resp.StatusCode != want || code != f.code || told.Error.Message == "" {
				t.Errorf("%d %s", resp.StatusCode, body)
			}
			if took > limit+slack*slow {
				t.Errorf("it took %v", took)
			}
			g.told(t, told.Error.Code)
			w.set(nil)
			if resp, body := g.do(t, "GET", "/current", ""); resp.StatusCode != 200 || !strings.HasPrefix(body, `{"protocol":"0.2.0"`) {
				t.Errorf("the next ask: %d %s", resp.StatusCode, body)
			}
		})
	}
}

// TestUnreachable is a provider that is not there, and one behind which nobody
// accepts.
func TestUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	s := setup{up: proxy.Upstream{URL: "http://" + l.Addr().String()}}
	s.opts.Timeout = limit
	g := newRig(t, s, http.NotFoundHandler())
	for _, path := range []string{"/current", "/locate/a", "/other"} {
		if resp, body := g.do(t, "GET", path, ""); resp.StatusCode != 502 || !strings.Contains(body, `"unreachable"`) {
			t.Errorf("%s: %d %s", path, resp.StatusCode, body)
		}
	}
}

// TestGuard is who may not ask.
func TestGuard(t *testing.T) {
	g := newRig(t, setup{guard: proxy.Guard{Token: "sesame", Origins: []string{"http://page"}}}, answering(notes))
	auth := []string{"Authorization", "Bearer sesame"}
	for _, c := range []struct {
		name   string
		status int
		header []string
	}{
		{"good", 200, auth},
		{"a page that may", 200, append(auth, "Origin", "http://page")},
		{"no token", 401, nil},
		{"wrong token", 401, []string{"Authorization", "Bearer sesam"}},
		{"wrong scheme", 401, []string{"Authorization", "Basic sesame"}},
		{"two tokens", 401, append(auth, auth...)},
		{"wrong host", 421, append(auth, "Host", "evil.example")},
		{"wrong host that begins well", 421, append(auth, "Host", "127.0.0.1.evil.example")},
		{"another page", 403, append(auth, "Origin", "http://evil.example")},
		{"null page", 403, append(auth, "Origin", "null")},
		{"two origins", 403, append(auth, "Origin", "http://page", "Origin", "http://page")},
	} {
		for _, path := range []string{"/current", "/locate/a", "/other"} {
			asked := len(g.requests())
			resp, body := g.do(t, "GET", path, "", c.header...)
			if resp.StatusCode != c.status || c.status != 200 && (!strings.Contains(body, `"error"`) || len(g.requests()) != asked) {
				t.Errorf("%s: %s: %d %s", c.name, path, resp.StatusCode, body)
			}
		}
	}
	if resp, _ := g.do(t, "GET", "/healthz", "", "Host", "evil.example"); resp.StatusCode != 421 {
		t.Errorf("healthz for another host: %d", resp.StatusCode)
	}
}

// TestTokens is which token the provider sees.
func TestTokens(t *testing.T) {
	for _, c := range []struct {
		up   proxy.Upstream
		want string
	}{
		{proxy.Upstream{}, ""},
		{proxy.Upstream{Token: func() (string, error) { return "theirs", nil }}, "Bearer theirs"},
		{proxy.Upstream{PassToken: true}, "Bearer ours"},
	} {
		g := newRig(t, setup{up: c.up}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, r.Header.Get("Authorization"))
		}))
		for _, path := range []string{"/current", "/locate", "/other"} {
			if _, body := g.do(t, "GET", path, "", "Authorization", "Bearer ours"); body != c.want {
				t.Errorf("%s: the provider sees %q, not %q", path, body, c.want)
			}
		}
	}
}

// TestGate is more asks than may be at the provider.
func TestGate(t *testing.T) {
	hold := make(chan struct{})
	var now, most atomic.Int32
	s := setup{}
	s.opts.Limits.InFlight, s.opts.Limits.Waiting, s.opts.Timeout = 2, 3, 5*time.Second
	g := newRig(t, s, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer now.Add(-1)
		<-hold
		io.WriteString(w, notes)
	}))
	status := make(chan int, 8)
	ask := func() {
		resp, err := g.client.Get(g.url + "/current")
		if err != nil {
			t.Error(err)
			status <- 0
			return
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		status <- resp.StatusCode
	}
	for range 7 {
		go ask()
	}
	for range 2 { // two too many, at once
		if got := <-status; got != 503 {
			t.Errorf("%d, not 503", got)
		}
	}
	<-g.asked
	<-g.asked
	close(hold)
	for range 5 {
		if got := <-status; got != 200 {
			t.Errorf("%d, not 200", got)
		}
	}
	if most.Load() != 2 || len(g.requests()) != 5 {
		t.Errorf("%d at once, %d in all", most.Load(), len(g.requests()))
	}
}

// TestHostHangsUp ends the ask at the provider, too.
func TestHostHangsUp(t *testing.T) {
	ended := make(chan struct{})
	s := setup{}
	s.opts.Timeout = 5 * time.Second
	g := newRig(t, s, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		close(ended)
	}))
	c, err := net.Dial("tcp", strings.TrimPrefix(g.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(c, "GET /current HTTP/1.1\r\nHost: localhost\r\n\r\n")
	<-g.asked
	c.Close()
	select {
	case <-ended:
	case <-time.After(2 * time.Second):
		t.Fatal("the provider still works")
	}
	g.told(t, "host-gone")
}

// TestSlowHost is a host that does not read its answer: the next ask is not held up.
func TestSlowHost(t *testing.T) {
	big := strings.Replace(notes, `"T"`, `"`+strings.Repeat("x", 4<<20)+`"`, 1)
	s := setup{}
	s.opts.Limits.InFlight, s.opts.Timeout = 1, 2*time.Second
	g := newRig(t, s, answering(big))
	c, err := net.Dial("tcp", strings.TrimPrefix(g.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "GET /current HTTP/1.1\r\nHost: localhost\r\n\r\n")
	<-g.asked
	if resp, body := g.do(t, "GET", "/current", ""); resp.StatusCode != 200 || len(body) < 4<<20 {
		t.Errorf("the next ask: %d, %d bytes", resp.StatusCode, len(body))
	}
}

// TestNotAskedTwice has a provider that hangs up on connections in use: what may
// have reached it is not sent again.
func TestNotAskedTwice(t *testing.T) {
	w := newWire(t)
	var asks atomic.Int32
	g := newRig(t, setup{up: proxy.Upstream{URL: "http://" + w.Addr().String()}}, http.NotFoundHandler())
	for range 20 {
		w.set(nil)
		g.do(t, "GET", "/current", "") // leaves a connection open
		w.set(func(c net.Conn) { asks.Add(1) })
		g.do(t, "GET", "/current", "")
	}
	if asks.Load() != 20 {
		t.Errorf("20 asks were sent %d times", asks.Load())
	}
}
