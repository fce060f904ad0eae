package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// linked is this test as the command: TestMain tells by its name.
func linked(t testing.TB) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ctxmigrate")
	if err := os.Symlink(self, path); err != nil {
		t.Skip("there are no links here: ", err)
	}
	return path
}

// running is a command that goes on.
type running struct {
	cmd    *exec.Cmd
	url    string
	stderr bytes.Buffer
	stdout bytes.Buffer
}

// startLive starts a command that prints the URL that it listens on.
func startLive(t *testing.T, env []string, args ...string) *running {
	t.Helper()
	r := &running{cmd: exec.Command(linked(t), args...)}
	r.cmd.Env = append(append(os.Environ(), "GORACE=atexit_sleep_ms=0"), env...)
	r.cmd.Stderr = &r.stderr
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.cmd.Process.Kill(); r.cmd.Wait() })
	b := bufio.NewReader(out)
	line, err := b.ReadString('\n')
	if err != nil {
		r.cmd.Wait()
		t.Fatalf("nothing was printed: %s", r.stderr.String())
	}
	r.stdout.WriteString(line)
	r.url = strings.TrimSpace(line)
	return r
}

// stop interrupts the command and answers its exit status and how long it took.
func (r *running) stop(t *testing.T) (int, time.Duration) {
	t.Helper()
	start := time.Now()
	r.cmd.Process.Signal(syscall.SIGTERM)
	r.cmd.Wait()
	return r.cmd.ProcessState.ExitCode(), time.Since(start)
}

func ask(t *testing.T, url, token string) (int, string) {
	t.Helper()
	r, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body)
}

const secret = `{"protocol":"0.1","instance":"CANARY","items":[{"id":"CANARY","type":"note","title":"CANARY","content":[{"type":"text","text":"CANARY"}],"payload":{"CANARY":"CANARY"}}],"focus":["CANARY"]}`

// TestProxyCommand runs proxy http as a program: what it prints, at its most
// talkative, holds nothing of what passed, and no token.
func TestProxyCommand(t *testing.T) {
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Bearer CANARY-THEIRS":
			http.Error(w, "who?", http.StatusUnauthorized)
		case r.URL.Path == "/cut/current":
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, secret[:80])
		case r.URL.Path == "/bad/current":
			io.WriteString(w, secret[:80])
		default:
			io.WriteString(w, secret)
		}
	}))
	defer provider.Close()
	env := []string{"OURS=CANARY-OURS", "THEIRS=CANARY-THEIRS", "HTTP_PROXY=http://127.0.0.1:1", "http_proxy=http://127.0.0.1:1"}
	for _, format := range []string{"text", "json"} {
		r := startLive(t, env, "proxy", "http", "--upstream", provider.URL, "--to", "v020", "--token-env", "OURS", "--provider-token-env", "THEIRS",
			"--log-level", "debug", "--log-format", format, "--metrics", "127.0.0.1:0")
		if status, body := ask(t, r.url+"/current", "CANARY-OURS"); status != 200 || !strings.Contains(body, `"0.2.0"`) {
			t.Errorf("%d %s", status, body)
		}
		for path, code := range map[string]string{"/cut/current": "broken", "/bad/current": "syntax"} {
			if status, body := ask(t, r.url+path, "CANARY-OURS"); status != 502 || !strings.Contains(body, `"`+code+`"`) {
				t.Errorf("%s: %d %s", path, status, body)
			}
		}
		if status, _ := ask(t, r.url+"/current", "CANARY-WRONG"); status != http.StatusUnauthorized {
			t.Errorf("a wrong token: %d", status)
		}
		if status, body := ask(t, r.url+"/healthz", ""); status != 200 {
			t.Errorf("healthz: %d %s", status, body)
		}
		_, rest, _ := strings.Cut(r.stderr.String(), "http://")
		metrics, _, _ := strings.Cut(rest, "/metrics")
		if status, body := ask(t, "http://"+metrics+"/metrics", ""); status != 200 || !strings.Contains(body, `ctxmigrate_requests_total{outcome="ok",route="current"} 1`) || strings.Contains(body, "CANARY") {
			t.Errorf("metrics: %d %s", status, body)
		}
		if status, took := r.stop(t); status != 0 || took > 2*time.Second {
			t.Errorf("status %d after %v", status, took)
		}
		if log := r.stderr.String(); strings.Contains(log, "CANARY") || strings.Count(log, "\n") < 7 {
			t.Errorf("the log: %s", log)
		}
	}
}

// TestCurl has curl ask a provider that sends lengths, encodings and ETags of its
// own, as case 24 of the shared cases does.
func TestCurl(t *testing.T) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("there is no curl here")
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	io.WriteString(z, secret)
	z.Close()
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("X-Custom", "Kept")
		switch r.URL.Path {
		case "/gzip":
			h.Set("Content-Encoding", "gzip")
			w.Write(zipped.Bytes())
		case "/etag":
			h.Set("ETag", `"e"`)
			if r.Header.Get("If-None-Match") == `"e"` {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			io.WriteString(w, secret)
		case "/html":
			h.Set("Content-Type", "text/html")
			io.WriteString(w, "<p>no answer</p>")
		case "/teapot":
			w.WriteHeader(http.StatusTeapot)
			io.WriteString(w, `{"error":"short and stout"}`)
		default:
			io.WriteString(w, secret)
		}
	}))
	defer provider.Close()
	r := startLive(t, nil, "proxy", "http", "--upstream", provider.URL, "--to", "0.2.0", "--no-token", "--current-path", "*")
	run := func(args ...string) string {
		out, err := exec.Command(curl, append([]string{"-sS", "--max-time", "5"}, args...)...).CombinedOutput()
		if err != nil {
			t.Errorf("curl %v: %v %s", args, err, out)
		}
		return string(out)
	}
	for _, path := range []string{"/plain", "/gzip", "/etag", "/html", "/teapot"} {
		for _, more := range [][]string{{}, {"--compressed"}} {
			head, body, _ := strings.Cut(run(append(more, "-i", r.url+path)...), "\r\n\r\n")
			head += "\r\n"
			if !strings.Contains(head, "X-Custom: Kept\r\n") || !strings.Contains(head, fmt.Sprintf("Content-Length: %d\r\n", len(body))) {
				t.Errorf("%s %v: %s", path, more, head)
			}
			switch path {
			case "/html", "/teapot":
				if body != "<p>no answer</p>" && body != `{"error":"short and stout"}` || path == "/teapot" && !strings.HasPrefix(head, "HTTP/1.1 418 ") {
					t.Errorf("%s: %s %s", path, head, body)
				}
			default:
				if !json.Valid([]byte(body)) || !strings.HasPrefix(body, `{"protocol":"0.2.0"`) || strings.Contains(head, "Etag") || strings.Contains(head, "Content-Encoding") {
					t.Errorf("%s: %s %s", path, head, body)
				}
			}
		}
		if head := run("-I", r.url+path); path != "/html" && path != "/teapot" && (strings.Contains(head, "Etag") || strings.Contains(head, "Content-Encoding") || strings.Contains(head, "Content-Length")) {
			t.Errorf("HEAD %s: %s", path, head)
		}
	}
	if got := run("-i", "-H", `If-None-Match: "e"`, r.url+"/etag"); !strings.HasPrefix(got, "HTTP/1.1 304 ") || !strings.HasSuffix(got, "\r\n\r\n") {
		t.Errorf("304: %s", got)
	}
	r.stop(t)
}

// TestMadeToken makes a token, in a file that is there as long as the proxy is.
func TestMadeToken(t *testing.T) {
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, secret) }))
	defer provider.Close()
	path := filepath.Join(t.TempDir(), "token")
	socket := filepath.Join(t.TempDir(), "s")
	r := startLive(t, nil, "proxy", "http", "--upstream", provider.URL, "--to", "0.2.0", "--token-out", path, "--listen", "unix:"+socket)
	text, err := os.ReadFile(path)
	if err != nil || len(text) != 65 {
		t.Fatalf("%q %v", text, err)
	}
	for name, want := range map[string]os.FileMode{path: 0o600, socket: 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	if r.url != "unix:"+socket {
		t.Errorf("it listens on %s", r.url)
	}
	curl, err := exec.LookPath("curl")
	if err == nil {
		out, err := exec.Command(curl, "-sf", "--unix-socket", socket, "-H", "Authorization: Bearer "+strings.TrimSpace(string(text)), "http://localhost/current").Output()
		if err != nil || !strings.Contains(string(out), `"0.2.0"`) {
			t.Errorf("curl: %s %v", out, err)
		}
		if err := exec.Command(curl, "-sf", "--unix-socket", socket, "http://localhost/current").Run(); err == nil {
			t.Error("curl without a token was answered")
		}
	}
	if strings.Contains(r.stderr.String(), strings.TrimSpace(string(text))) {
		t.Error("the log holds the token")
	}
	r.stop(t)
	for _, name := range []string{path, socket} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
}

// TestDescriptorCommand announces the proxy in the provider's place.
func TestDescriptorCommand(t *testing.T) {
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer theirs" {
			http.Error(w, "who?", http.StatusUnauthorized)
			return
		}
		io.WriteString(w, secret)
	}))
	defer provider.Close()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.json"), filepath.Join(dir, "out.json")
	text := "{ \"name\":\"N\\u00f6\", \"protocol\": \"0.1\",\n \"url\":\"" + provider.URL + "/v1\", \"n\":1.0, \"auth_token\":\"theirs\" }\n"
	os.WriteFile(in, []byte(text), 0o600)
	r := startLive(t, nil, "proxy", "http", "--descriptor", in, "--descriptor-out", out, "--to", "0.2.0")
	made, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	var d struct {
		URL   string
		Token string `json:"auth_token"`
	}
	if err := json.Unmarshal(made, &d); err != nil || d.URL != r.url+"/v1" || len(d.Token) != 64 {
		t.Fatalf("%s %v", made, err)
	}
	back := strings.NewReplacer(d.URL, provider.URL+"/v1", d.Token, "theirs", `"0.2.0"`, `"0.1"`).Replace(string(made))
	if back != text {
		t.Errorf("other bytes changed: %s", made)
	}
	if status, body := ask(t, d.URL+"/current", d.Token); status != 200 || !strings.Contains(body, `"0.2.0"`) {
		t.Errorf("%d %s", status, body)
	}
	r.stop(t)
	if _, err := os.Stat(out); err == nil {
		t.Error("the descriptor is still there")
	}
	// one that is not ours any more stays
	r = startLive(t, nil, "proxy", "http", "--descriptor", in, "--descriptor-out", out, "--to", "0.2.0")
	os.WriteFile(out, []byte("{}"), 0o600)
	r.stop(t)
	if got, _ := os.ReadFile(out); string(got) != "{}" {
		t.Errorf("another's descriptor was changed: %q", got)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestGracefulEnd ends the proxy while an ask and a stream are under way: the ask
// is answered, the stream ends, nothing more is taken.
func TestGracefulEnd(t *testing.T) {
	asked := make(chan struct{}, 2)
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		if r.URL.Path == "/events" {
			w.Header().Set("Content-Type", "text/event-stream")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return
		}
		time.Sleep(700 * time.Millisecond)
		io.WriteString(w, secret)
	}))
	defer provider.Close()
	r := startLive(t, nil, "proxy", "http", "--upstream", provider.URL, "--to", "0.2.0", "--no-token", "--timeout", "3s")
	stream, err := http.Get(r.url + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	answered := make(chan string, 1)
	go func() {
		status, body := 0, ""
		if resp, err := http.Get(r.url + "/current"); err == nil {
			b, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			status, body = resp.StatusCode, string(b)
		}
		if status != 200 {
			body = "not answered: " + body
		}
		answered <- body
	}()
	<-asked
	<-asked
	start := time.Now()
	r.cmd.Process.Signal(syscall.SIGTERM)
	io.ReadAll(stream.Body)
	if d := time.Since(start); d > 400*time.Millisecond {
		t.Errorf("the stream ended after %v", d)
	}
	if body := <-answered; !strings.Contains(body, `"0.2.0"`) {
		t.Error(body)
	}
	r.cmd.Wait()
	if d := time.Since(start); d > 2500*time.Millisecond || r.cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("status %d after %v: %s", r.cmd.ProcessState.ExitCode(), d, r.stderr.String())
	}
}

// TestStdioCommand has a host start the proxy, which starts serve.
func TestStdioCommand(t *testing.T) {
	self := linked(t)
	notes := filepath.Join("..", "..", "testdata", "examples", "notes-0.1.json")
	for _, c := range []struct{ args, want string }{
		{"proxy stdio --log-level error --to 0.1 -- " + self + " serve --log-level error --upstream " + notes, `{"protocol":"0.1"`},
		{"serve --log-level error -- " + self + " proxy stdio --log-level error --to 0.2.0 -- " + self + " serve --log-level error --upstream " + notes, `{"protocol":"askable.context"`},
	} {
		client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, nil)
		cmd := exec.Command(self, strings.Fields(c.args)...)
		cmd.Stderr = os.Stderr
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "get_current_context"})
		if err != nil || !strings.HasPrefix(r.Content[0].(*mcp.TextContent).Text, c.want) || r.StructuredContent == nil {
			t.Errorf("%s: %v %v", c.args, r, err)
		}
		session.Close()
		cancel()
	}
}

// TestServeHTTP serves over Streamable HTTP, from a provider over HTTP and from one
// over MCP.
func TestServeHTTP(t *testing.T) {
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, secret) }))
	defer provider.Close()
	first := startLive(t, []string{"T=abc"}, "serve", "--listen", "127.0.0.1:0", "--token-env", "T", "--upstream", provider.URL+"/current", "--log-level", "debug")
	second := startLive(t, []string{"T=abc"}, "serve", "--listen", "127.0.0.1:0", "--no-token", "--mcp", "--upstream", first.url, "--provider-token-env", "T")
	for _, c := range []struct{ url, token string }{{first.url, "abc"}, {second.url, ""}} {
		client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: c.url, HTTPClient: &http.Client{Transport: bearer(c.token)}}, nil)
		if err != nil {
			t.Fatalf("%v\n%s%s", err, first.stderr.String(), second.stderr.String())
		}
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_current_context"})
		if err != nil || r.IsError || !strings.HasPrefix(r.Content[0].(*mcp.TextContent).Text, `{"protocol":"askable.context"`) {
			t.Errorf("%v %v", r, err)
		}
		session.Close()
	}
	if status, _ := ask(t, first.url, ""); status != http.StatusUnauthorized {
		t.Errorf("without a token: %d", status)
	}
	for _, r := range []*running{second, first} {
		if status, took := r.stop(t); status != 0 || took > 3*time.Second {
			t.Errorf("status %d after %v: %s", status, took, r.stderr.String())
		}
	}
	if log := first.stderr.String(); strings.Contains(log, "CANARY") {
		t.Error(log)
	}
}

type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b != "" {
		r.Header.Set("Authorization", "Bearer "+string(b))
	}
	return http.DefaultTransport.RoundTrip(r)
}
