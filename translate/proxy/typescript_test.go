package proxy_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ctxmigrate/translate"
	"ctxmigrate/translate/proxy"
)

// modulesEnv names the environment variable that says where npm has installed
// @modelcontextprotocol/sdk.
const modulesEnv = "CTXMIGRATE_TEST_NPM"

// typescript is node, and where the TypeScript SDK is.
func typescript(t *testing.T) (node, modules string) {
	t.Helper()
	modules = os.Getenv(modulesEnv)
	if modules == "" {
		t.Skipf("%s does not say where the TypeScript SDK is installed", modulesEnv)
	}
	if _, err := os.Stat(filepath.Join(modules, "node_modules", "@modelcontextprotocol", "sdk")); err != nil {
		t.Fatal(err)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node here")
	}
	return node, modules
}

// TestTypeScriptSDK speaks the TypeScript SDK's client to the Go SDK's server and to
// the TypeScript SDK's own through the proxy, over HTTP with JSON and with events,
// and over standard input and output.
func TestTypeScriptSDK(t *testing.T) {
	node, modules := typescript(t)
	check := func(name string, cmd *exec.Cmd) {
		t.Helper()
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		checkTypeScript(t, name, out)
	}
	over := func(name string, provider http.Handler, up proxy.Upstream) {
		g := newRig(t, setup{mcp: true, opts: mcpOptions(), up: up, guard: proxy.Guard{Token: "sesame"}}, provider)
		check(name, exec.Command(node, "testdata/host.mjs", modules, "http", g.url+"/mcp", "sesame"))
	}
	server := newProvider(notes)
	t.Cleanup(func() { // that client does not end its session
		for s := range server.Sessions() {
			s.Close()
		}
	})
	for _, json := range []bool{false, true} {
		over("Go", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{JSONResponse: json}), proxy.Upstream{})
	}
	for _, mode := range []string{"http", "json"} {
		cmd := exec.Command(node, "testdata/provider.mjs", modules, mode)
		cmd.Env = append(os.Environ(), "DOC="+notes)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		port, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		over("TypeScript "+mode, http.NotFoundHandler(), proxy.Upstream{URL: "http://127.0.0.1:" + strings.TrimSpace(port)})
	}
	// The host starts this program as the proxy, which starts the provider.
	cmd := exec.Command(node, "testdata/host.mjs", modules, "stdio", os.Args[0])
	cmd.Env = append(os.Environ(), "PROXY_TEST_ROLE=pump", "PROXY_TEST_COMMAND="+strings.Join([]string{node, "testdata/provider.mjs", modules, "stdio"}, "\n"), "DOC="+notes)
	check("TypeScript stdio", cmd)
}

// pumpRole is the role of a proxy around a command, for a host of another language.
func pumpRole() {
	os.Unsetenv("PROXY_TEST_ROLE")
	o := mcpOptions()
	o.Timeout = 10 * time.Second
	args := strings.Split(os.Getenv("PROXY_TEST_COMMAND"), "\n")
	if err := proxy.Pump(context.Background(), os.Stdin, os.Stdout, proxy.Command{Args: args, Stderr: os.Stderr}, o); err != nil {
		os.Exit(1)
	}
}

func checkTypeScript(t *testing.T, name string, out []byte) {
	t.Helper()
	type result struct {
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
	}
	var got struct {
		Tools, Resources       [][2]any
		Current, Located, Gone string
		Tool, Packet           result
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%s: %s", name, out)
	}
	want := converted(t, notes, translate.V020, nil)
	if got.Current != want || got.Packet.Content[0].Text != want || got.Packet.StructuredContent != nil {
		t.Errorf("%s: %s", name, out)
	}
	if got.Tool.Content[len(got.Tool.Content)-1].Text != want || !sameJSON(string(got.Tool.StructuredContent), want) {
		t.Errorf("%s: the tool answers %v", name, got.Tool)
	}
	if got.Located != "at app://notes/locate/a" || got.Gone != `{"status":"gone"}` {
		t.Errorf("%s: located %q and %q", name, got.Located, got.Gone)
	}
	for _, tool := range got.Tools {
		if tool[1] != (tool[0] == "get_current_context") {
			t.Errorf("%s: tool %v", name, tool)
		}
	}
	if got.Resources[0][1] != nil || got.Resources[1][1] != 3.0 {
		t.Errorf("%s: resources %v", name, got.Resources)
	}
}
