package proxy_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ctxmigrate/translate"
	"ctxmigrate/translate/proxy"
)

// notes is an answer of 0.1 with an id that appears twice, one that is missing,
// and one that ends as a made one does.
const notes = `{"protocol":"0.1","instance":"k3","items":[
{"id":"w","type":"window","title":"T"},{"id":"a","type":"note","parent":"w"},
{"id":"a","type":"note","parent":"w"},{"type":"note","parent":"w"},{"id":"b~2","type":"note","parent":"w"}],"focus":["a"]}`

// converted is what a document becomes without a proxy.
func converted(t testing.TB, src string, to translate.Form, opts *translate.Options) string {
	t.Helper()
	out, err := translate.Convert([]byte(src), to, opts)
	if err != nil {
		t.Fatal(err)
	}
	return string(out.Document)
}

// rig is a proxy in front of a provider, with what it wrote and what came through.
type rig struct {
	url      string
	client   *http.Client
	provider *httptest.Server
	log      *lockedBuffer

	mu     sync.Mutex
	seen   []string // METHOD target of the requests at the provider
	events []proxy.Event
	asked  chan struct{} // gets one for each request at the provider
}

type lockedBuffer struct {
	mu   sync.Mutex
	b    bytes.Buffer
	drop atomic.Bool // keep nothing, nor any events: for long runs
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.drop.Load() {
		return len(p), nil
	}
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// setup is how a rig is built.
type setup struct {
	mcp   bool
	opts  proxy.Options
	guard proxy.Guard
	up    proxy.Upstream
}

func newRig(t testing.TB, s setup, provider http.Handler) *rig {
	t.Helper()
	g := &rig{log: &lockedBuffer{}, asked: make(chan struct{}, 1024)}
	g.provider = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.log.drop.Load() {
			g.mu.Lock()
			g.seen = append(g.seen, r.Method+" "+r.RequestURI)
			g.mu.Unlock()
		}
		select {
		case g.asked <- struct{}{}:
		default:
		}
		provider.ServeHTTP(w, r)
	}))
	if s.up.URL == "" && s.up.Socket == "" {
		s.up.URL = g.provider.URL
	}
	s.opts.Log = slog.New(slog.NewTextHandler(g.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s.opts.Observe = func(e proxy.Event) {
		if g.log.drop.Load() {
			return
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		g.events = append(g.events, e)
	}
	if s.opts.To == translate.Auto {
		s.opts.To = translate.V020
	}
	var h http.Handler
	var end func()
	if s.mcp {
		p, err := proxy.NewMCP(s.up, s.guard, s.opts)
		if err != nil {
			t.Fatal(err)
		}
		h, end = p, p.Close
	} else {
		p, err := proxy.NewHTTP(s.up, s.guard, s.opts)
		if err != nil {
			t.Fatal(err)
		}
		h, end = p, p.Close
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := proxy.NewServer(h, s.opts)
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Serve(l)
	}()
	g.url = "http://" + l.Addr().String()
	transport := &http.Transport{DisableCompression: true}
	g.client = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		end()
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			server.Close()
		}
		<-done
		g.provider.CloseClientConnections()
		g.provider.Close()
		end()
	})
	return g
}

// do sends a request and reads the whole answer.
func (g *rig) do(t testing.TB, method, target, body string, header ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, g.url+target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
			continue
		}
		r.Header.Add(header[i], header[i+1])
	}
	resp, err := g.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	return resp, string(text)
}

// timed is do with how long it took. Where that is beyond what a fault may take, it
// is tried again, since other programs may have wanted the machine.
func (g *rig) timed(t testing.TB, method, target, body string) (resp *http.Response, answer string, took time.Duration) {
	t.Helper()
	for range 8 {
		start := time.Now()
		resp, answer = g.do(t, method, target, body)
		if took = time.Since(start); took <= limit+slack*slow {
			break
		}
	}
	return resp, answer, took
}

func (g *rig) requests() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]string(nil), g.seen...)
}

// told waits until the outcome of the last request is told, which is after the
// host was answered.
func (g *rig) told(t testing.TB, outcome string) {
	t.Helper()
	var last string
	for range 1000 {
		g.mu.Lock()
		if n := len(g.events); n > 0 {
			last = g.events[n-1].Outcome
		}
		g.mu.Unlock()
		if last == outcome {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("the outcome told is %s, not %s", last, outcome)
}

func answering(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, body)
	}
}

func readFile(name string) (string, error) {
	b, err := os.ReadFile(name)
	return string(b), err
}

func newRequest(ctx context.Context, url, body, auth string) *http.Request {
	r, err := http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Authorization", auth)
	return r
}

// clock is a clock that fails as long as it is broken.
func clock(broken *bool) func() time.Time {
	return func() time.Time {
		if *broken {
			panic("CANARY")
		}
		return time.Unix(0, 0)
	}
}
