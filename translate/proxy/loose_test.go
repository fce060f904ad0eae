package proxy_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"ctxmigrate/translate"
	"ctxmigrate/translate/proxy"
)

func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

// odd are values that are JSON, and that answers may not hold.
var odd = map[string]string{
	"deep":      nested(3000),
	"very deep": nested(60_000),
	"twice":     `{"a":1,"a":{"b":2,"b":3}}`,
}

// oddRole answers each request with what the method names, as an answer where it
// is an ask, and echoes every other line.
func oddRole() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
		}
		head := line[:min(len(line), 200)]
		switch name, isOdd := strings.CutPrefix(between(head, `"method":"`), "odd/"); {
		case isOdd && name == "large":
			fmt.Printf(`{"jsonrpc":"2.0","result":"%s","id":%s}`+"\n", strings.Repeat("x", 20<<20), between(head, `"id":`))
		case isOdd:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"x":%s}}`+"\n", between(head, `"id":`), odd[name])
		case strings.Contains(head, "resources/read"):
			json.Unmarshal([]byte(line), &m)
			fmt.Printf(`{"id":%s,"result":{"contents":[{"text":%s}],"contents":[{"text":%[2]s}]}}`+"\n", m.ID, quoted(notes))
		default:
			fmt.Printf(`{"jsonrpc":"2.0","method":"echo","params":%s}`+"\n", strings.TrimSpace(line))
		}
	}
}

// between is what stands behind a text, up to the end of a string or a value.
func between(s, begin string) string {
	_, s, _ = strings.Cut(s, begin)
	return s[:max(0, strings.IndexAny(s, `",}`))]
}

// TestOddStdio holds that what is JSON and none of ours passes byte for byte, both
// ways, and that an ask which cannot be read without doubt is refused by its id.
func TestOddStdio(t *testing.T) {
	p := newPump(t, role("odd"), proxy.Options{Timeout: 5 * time.Second})
	for name, value := range odd {
		for _, message := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"ping","params":` + value + `}`,
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"other","arguments":` + value + `}}`,
			`{"jsonrpc":"2.0","method":"notifications/x","params":` + value + `}`,
			`{"jsonrpc":"2.0","id":3,"result":{"x":` + value + `}}`,
			`[{"jsonrpc":"2.0","method":"notifications/x","params":` + value + `}]`,
		} {
			p.send(message)
			if got := p.line(t); got != `{"jsonrpc":"2.0","method":"echo","params":`+message+"}" {
				t.Errorf("%s: %.100s became %.100s", name, message, got)
			}
		}
		p.send(`{"jsonrpc":"2.0","id":4,"method":"odd/` + name + `"}`)
		if got := p.line(t); got != `{"jsonrpc":"2.0","id":4,"result":{"x":`+value+`}}` {
			t.Errorf("%s: the reply is %.100s", name, got)
		}
		code := "too-deep"
		if name == "twice" {
			code = "duplicate-member"
		}
		p.send(`{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"app://x/current","_meta":` + value + `}}`)
		if got := p.line(t); codeOf(t, got, "5") != code {
			t.Errorf("%s: %s", name, got)
		}
	}
	p.send(`{"jsonrpc":"2.0","id":6,"method":"resources/read","params":{"uri":"app://x/other","uri":"app://x/current"}}`)
	if got := p.line(t); codeOf(t, got, "6") != "duplicate-member" {
		t.Error(got)
	}
	p.send(readAsk("7")) // the reply has two lists of contents
	if got := p.line(t); codeOf(t, got, "7") != "duplicate-member" {
		t.Error(got)
	}
	p.end(t)
}

// TestTooLongStdio holds that a line which is too long is answered by the id that
// it begins or ends with, whoever sent it.
func TestTooLongStdio(t *testing.T) {
	p := newPump(t, role("odd"), proxy.Options{Timeout: 5 * time.Second})
	long := strings.Repeat(`{"id":8,"x":"`+strings.Repeat("y", 1000)+`"},`, 17<<10)
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":[` + long + `0]}`,
		`{"method":"ping","params":[` + long + `0],"jsonrpc":"2.0","id":1}`,
		`{"method":"ping","params":[` + long + `0], "id" : 1 } `,
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":` + nested(80_000) + `}`,
	} {
		p.send(message)
		if code := codeOf(t, p.line(t), "1"); code != "request-too-large" && code != "too-deep" {
			t.Errorf("%.80s: %s", message, code)
		}
	}
	p.send(`{"method":"ping","params":[` + long + `0],"id":"a-1"}`)
	if code := codeOf(t, p.line(t), `"a-1"`); code != "request-too-large" {
		t.Error(code)
	}
	// the provider waits for this one
	p.send(`{"jsonrpc":"2.0","id":2,"result":[` + long + `0]}`)
	if got := p.line(t); !strings.Contains(got, `"id":2,"error"`) || !strings.Contains(got, `"too-large"`) {
		t.Error(got)
	}
	p.send(`{"jsonrpc":"2.0","id":3,"method":"odd/large"}`)
	if code := codeOf(t, p.line(t), "3"); code != "too-large" {
		t.Error(code)
	}
	// nobody waits for these
	p.send(`{"jsonrpc":"2.0","method":"notifications/x","params":[` + long + `0]}`)
	p.send(`{"method":"ping","params":["` + long)
	p.send(`{"jsonrpc":"2.0","id":9,"method":"ping"}`)
	if got := p.line(t); !strings.Contains(got, `"id":9`) {
		t.Error(got)
	}
	p.end(t)
	if n := p.count("junk"); n != 2 {
		t.Errorf("%d lines are told of as junk", n)
	}
}

// TestOddMCP is TestOddStdio over HTTP.
func TestOddMCP(t *testing.T) {
	var reply string
	g := newRig(t, setup{mcp: true}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		if reply == "" {
			reply = `{"id":1,"result":` + string(body) + `}`
		}
		io.WriteString(w, reply)
	}))
	for name, value := range odd {
		message := `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + value + `}`
		reply = ""
		if resp, body := g.do(t, "POST", "/mcp", message); resp.StatusCode != 200 || body != `{"id":1,"result":`+message+`}` {
			t.Errorf("%s: %d %.100s", name, resp.StatusCode, body)
		}
		reply = `{"id":1,"result":{"tools":[{"name":"get_current_context","outputSchema":{}}],"x":` + value + `}}`
		want := strings.Replace(reply, `{}`, proxy.Schema(translate.V020), 1)
		if _, body := g.do(t, "POST", "/mcp", `{"id":1,"method":"tools/list"}`); len(body) < len(reply) || name != "twice" && body != want {
			t.Errorf("%s: the list is %.200s", name, body)
		}
		asked := len(g.requests())
		_, body := g.do(t, "POST", "/mcp", `{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"app://x/current","_meta":`+value+`}}`)
		if code := codeOf(t, body, "5"); code != "too-deep" && code != "duplicate-member" || len(g.requests()) != asked {
			t.Errorf("%s: %s", name, body)
		}
	}
}

// TestErrorsMCP holds that a request which is no ask is refused in JSON-RPC, too.
func TestErrorsMCP(t *testing.T) {
	s := setup{mcp: true}
	s.up.URL = "http://127.0.0.1:1/mcp"
	g := newRig(t, s, http.NotFoundHandler())
	large := `"` + strings.Repeat("x", 9<<20) + `"`
	for _, c := range []struct {
		name, body, id, code string
		status               int
	}{
		{"a request", `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{}}`, `"i"`, "unreachable", 200},
		{"an ask", readAsk("4"), "4", "unreachable", 200},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "null", "unreachable", 502},
		{"too large", `{"jsonrpc":"2.0","id":7,"method":"ping","params":` + large + `}`, "7", "request-too-large", 413},
		{"too large, the id behind it", `{"jsonrpc":"2.0","method":"ping","params":` + large + `,"id":7}`, "null", "request-too-large", 413},
		{"no JSON", `{"jsonrpc":"2.0","id":`, "null", "bad-request", 400},
		{"two methods", `{"id":7,"method":"ping","method":"x"}`, "7", "duplicate-member", 400},
	} {
		resp, body := g.do(t, "POST", "/mcp", c.body)
		if code := codeOf(t, body, c.id); code != c.code || resp.StatusCode != c.status || resp.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %s", c.name, resp.StatusCode, body)
		}
		g.told(t, c.code)
	}
	if resp, body := g.do(t, "GET", "/mcp", ""); resp.StatusCode != 502 || !strings.Contains(body, `"unreachable"`) {
		t.Errorf("a stream: %d %s", resp.StatusCode, body)
	}
	_, body := g.do(t, "POST", "/mcp", `[`+readAsk("1")+`,{"id":2,"method":"ping"}]`)
	if strings.Count(body, `"unreachable"`) != 2 || !json.Valid([]byte(body)) {
		t.Errorf("a list: %s", body)
	}
}
