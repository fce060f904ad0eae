package proxy_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"ctxmigrate/translate"
	"ctxmigrate/translate/proxy"
)

// quoted is a text as a JSON string, as providers write it.
func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func readAsk(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"resources/read","params":{"uri":"app://x/current"}}`
}

func readReply(id, doc string) string {
	return `{ "result" : {"_meta":{"n":1.0}, "contents":[ {"uri":"app://x/current","text":` + quoted(doc) + `, "more":[1e400]} ],"x":"\u0041"}, "id": ` + id + `,"jsonrpc":"2.0","unknown":{"b":1,"a":2} }`
}

// pureQuoted is a text as the proxy writes it in a string.
func pureQuoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

func saying(media, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", media)
		io.WriteString(w, body)
	}
}

// TestOnlyTheValue holds that of a reply only the answer's bytes change, whatever
// the id, in JSON and in events.
func TestOnlyTheValue(t *testing.T) {
	want := converted(t, notes, translate.V020, nil)
	for _, id := range []string{`0`, `"0"`, `9007199254740993`, `1.5`, `-0`, `"\u0061"`, `""`, `1e2`} {
		reply := readReply(id, notes)
		changed := strings.Replace(reply, quoted(notes), pureQuoted(want), 1)
		g := newRig(t, setup{mcp: true}, saying("application/json", reply))
		if _, body := g.do(t, "POST", "/mcp", readAsk(id)); body != changed {
			t.Errorf("id %s: %s\nnot %s", id, body, changed)
		}
		for _, end := range []string{"\n", "\r\n", "\r"} {
			text := strings.ReplaceAll(": hello\n\nretry: 10\nid: 7\nevent: message\ndata: %\nfoo: bar\n: within\n\nevent: ping\ndata: beat\n\ndata: "+`{"jsonrpc":"2.0","method":"x"}`+"\n\n", "\n", end)
			stream := strings.Replace(text, "%", reply, 1)
			g := newRig(t, setup{mcp: true}, saying("text/event-stream", stream))
			if _, body := g.do(t, "POST", "/mcp", readAsk(id)); body != strings.Replace(text, "%", changed, 1) {
				t.Errorf("id %s, end %q: %q", id, end, body)
			}
		}
	}
}

// TestChosenByRequest holds that replies are chosen by the request that they are
// for, not by their looks.
func TestChosenByRequest(t *testing.T) {
	for _, c := range []struct{ ask, reply, want string }{
		{ // another resource, another tool, another method
			`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"app://x/currently"}}`, readReply("1", notes), ""},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"other"}}`, readReply("1", notes), ""},
		{`{"jsonrpc":"2.0","method":"resources/read","params":{"uri":"app://x/current"}}`, readReply("1", notes), ""},
		{readAsk(`"1"`), readReply("1", notes), "no-answer"},
		{readAsk(`1`), `{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"none"}}`, ""},
		{readAsk(`1`), `{"jsonrpc":"2.0","id":1,"result":{"contents":[{"blob":"AAAA"}]}}`, ""},
		{readAsk(`1`), `{"jsonrpc":"2.0","id":1,"result":{"contents":[{"text":"prose","mimeType":"text/plain"}]}}`, ""},
		{readAsk(`1`), `{"jsonrpc":"2.0","id":1,"result":{"contents":[{"text":"prose"}]}}`, "syntax"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_current_context"}}`, `{"id":1,"result":{"isError":true,"content":[{"type":"text","text":"{"}]}}`, ""},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_current_context"}}`, `{"id":1,"result":{"content":[{"type":"text","text":"{"}]}}`, "tool:syntax"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_current_context"}}`, `{"id":1,"result":{"structuredContent":{"a":1}}}`, "tool:unknown-form"},
	} {
		g := newRig(t, setup{mcp: true}, saying("application/json", c.reply))
		_, body := g.do(t, "POST", "/mcp", c.ask)
		tool, isTool := strings.CutPrefix(c.want, "tool:")
		switch {
		case c.want == "" && body != c.reply:
			t.Errorf("%s: %s", c.ask, body)
		case isTool && !(strings.Contains(body, `"isError":true`) && strings.Contains(body, "("+tool+")")):
			t.Errorf("%s: %s", c.ask, body)
		case c.want != "" && !isTool && !strings.Contains(body, `"data":{"code":"`+c.want+`"}`):
			t.Errorf("%s: %s", c.ask, body)
		}
	}
}

// TestLists is what changes in lists of tools and resources.
func TestLists(t *testing.T) {
	list := func(method, reply string) string {
		g := newRig(t, setup{mcp: true}, saying("application/json", reply))
		_, body := g.do(t, "POST", "/mcp", `{"id":"l","method":"`+method+`"}`)
		return body
	}
	for _, c := range []struct{ from, to string }{
		{`{"size":1,"uri":"a/current"}`, `{"uri":"a/current"}`},
		{`{"uri":"a/current", "size" : 1 ,"n":2}`, `{"uri":"a/current" ,"n":2}`},
		{`{"uri":"a/current","size":1}`, `{"uri":"a/current"}`},
		{`{ "size":1 ,"uri":"a/current","x":{"size":2}}`, `{ "uri":"a/current","x":{"size":2}}`},
		{`{"uri":"a/other","size":1}`, `{"uri":"a/other","size":1}`},
	} {
		wrap := `{"id":"l","result":{"nextCursor":"c","resources":[7,%]}}`
		if got := list("resources/list", strings.Replace(wrap, "%", c.from, 1)); got != strings.Replace(wrap, "%", c.to, 1) {
			t.Errorf("%s became %s", c.from, got)
		}
	}
	tools := `{"id":"l","result":{"tools":[{"outputSchema":{"a":1},"name":"get_current_context"},{"name":"other","outputSchema":{}},{"name":"get_current_context"}]}}`
	if got := list("tools/list", tools); got != strings.Replace(tools, `{"a":1}`, proxy.Schema(translate.V020), 1) {
		t.Errorf("tools: %s", got)
	}
	if got := list("tools/list", `{"id":"l","result":[`); got != `{"id":"l","result":[` {
		t.Errorf("a list that cannot be read: %s", got)
	}
}

// TestMirror holds that headers which repeat a value change with it.
func TestMirror(t *testing.T) {
	g := newRig(t, setup{mcp: true}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "x/current") {
			io.WriteString(w, readReply("1", strings.ReplaceAll(notes, `"id":"a"`, `"id":"ä b"`)))
			return
		}
		w.Header()["X-Saw"] = []string{r.Header.Get("Mcp-Name"), r.Header.Get("Mcp-Param-Element"), r.Header.Get("Mcp-Param-Other"), r.Header.Get("X-Same")}
		io.WriteString(w, `{"id":1,"result":`+string(body)+`}`)
	}))
	g.do(t, "POST", "/mcp", readAsk("1"))
	resp, body := g.do(t, "POST", "/mcp", `{"id":1,"method":"resources/read","params":{"uri":"app://locate/%C3%A4%20b~2?v=1"}}`,
		"Mcp-Name", "app://locate/%C3%A4%20b~2?v=1", "X-Same", "app://locate/%C3%A4%20b~2?v=1")
	if saw := strings.Join(resp.Header["X-Saw"], "|"); saw != "app://locate/%C3%A4%20b?v=1|||app://locate/%C3%A4%20b~2?v=1" || !strings.Contains(body, `"uri":"app://locate/%C3%A4%20b?v=1"`) {
		t.Errorf("%s %s", saw, body)
	}
	resp, body = g.do(t, "POST", "/mcp", `{"id":1,"method":"tools/call","params":{"name":"locate","arguments":{"id":"ä b~2","z":1}}}`,
		"Mcp-Name", "locate", "Mcp-Param-Element", "=?base64?w6QgYn4y?=", "Mcp-Param-Other", "b~2")
	if saw := strings.Join(resp.Header["X-Saw"], "|"); saw != "locate|=?base64?w6QgYg==?=|b~2|" || !strings.Contains(body, `{"id":"ä b","z":1}`) {
		t.Errorf("%s %s", saw, body)
	}
}

// codeOf is the code in a JSON-RPC reply.
func codeOf(t *testing.T, body, id string) string {
	t.Helper()
	var m struct {
		ID    json.RawMessage
		Error struct{ Data struct{ Code string } }
	}
	if err := json.Unmarshal([]byte(body), &m); err != nil || string(m.ID) != id {
		t.Fatalf("%.300q: %v", body, err)
	}
	return m.Error.Data.Code
}

// TestFaultsMCP is TestFaultsHTTP for asks in JSON-RPC, and for streams of events.
func TestFaultsMCP(t *testing.T) {
	w := newWire(t)
	good := readReply("9007199254740993", notes)
	w.good.Store(&good)
	s := setup{mcp: true, up: proxy.Upstream{URL: "http://" + w.Addr().String()}}
	s.opts.Timeout = limit
	g := newRig(t, s, http.NotFoundHandler())
	faults := httpFaults(notes)
	for name, code := range map[string]string{"another object": "no-answer", "another version": "no-answer", "part": "no-answer", "too large": "", "too large, unsaid": "", "depth in an answer": "too-deep"} {
		f := faults[name]
		if f.code = code; code == "" {
			delete(faults, name) // in a message an answer may take more room
			continue
		}
		faults[name] = f
	}
	stream := func(s string, then func(c net.Conn)) func(net.Conn) {
		return func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"+s)
			if then != nil {
				then(c)
			}
		}
	}
	hold := func(c net.Conn) { io.Copy(io.Discard, c) }
	for name, f := range map[string]struct {
		code string
		do   func(net.Conn)
	}{
		"events: none":          {"no-answer", stream("", nil)},
		"events: held":          {"timeout", stream(": here\n\n", hold)},
		"events: cut":           {"no-answer", stream("data: "+good[:50], nil)},
		"events: reset":         {"broken", stream("data: "+good[:50], reset)},
		"events: not ended":     {"no-answer", stream("data: "+good+"\n", nil)},
		"events: invalid UTF-8": {"encoding", stream("data: "+strings.Replace(good, `"x"`, "\"\xff\"", 1)+"\n\n", nil)},
		"events: too large":     {"too-large", stream("data: "+strings.Repeat(" ", 17<<20), nil)},
		"events: duplicate":     {"duplicate-member", stream(`data: {"id":1,"id":2}`+"\n\n", nil)},
		"a large answer": {"too-large", func(c net.Conn) {
			io.WriteString(c, head+sized(readReply("9007199254740993", strings.Repeat(" ", 8<<20)+notes)))
		}},
		"events: bad answer": {"unknown-form", stream("data: "+readReply("9007199254740993", `{"ok":1}`)+"\n\n", nil)},
	} {
		faults[name] = f
	}
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			w.set(f.do)
			resp, body, took := g.timed(t, "POST", "/mcp", readAsk("9007199254740993"))
			if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
				_, body, _ = strings.Cut(body, "data: ")
			}
			code := codeOf(t, body, "9007199254740993")
			if strings.HasPrefix(name, "reset at") && code == "bad-answer" {
				code = "broken"
			}
			if resp.StatusCode != 200 || code != f.code {
				t.Errorf("%d %s", resp.StatusCode, body)
			}
			if took > limit+slack*slow || f.code == "timeout" && took < limit {
				t.Errorf("it took %v", took)
			}
			w.set(nil)
			if _, body := g.do(t, "POST", "/mcp", readAsk("9007199254740993")); !strings.Contains(body, `\"protocol\":\"0.2.0\"`) {
				t.Errorf("the next ask: %s", body)
			}
		})
	}
}

// TestSplitUTF8 has a letter in two pieces, in two chunks, at each place.
func TestSplitUTF8(t *testing.T) {
	doc := strings.Replace(notes, `"T"`, `"é€😀"`, 1)
	reply := `{"id":1,"result":{"contents":[{"text":` + quoted(doc) + `}]}}`
	want := converted(t, doc, translate.V020, nil)
	at := strings.Index(reply, "é")
	for cut := at; cut < at+9; cut++ {
		g := newRig(t, setup{mcp: true}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "data: "+reply[:cut])
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
			io.WriteString(w, reply[cut:]+"\n\n")
		}))
		if _, body := g.do(t, "POST", "/mcp", readAsk("1")); !strings.Contains(body, pureQuoted(want)) {
			t.Errorf("cut at %d: %s", cut-at, body)
		}
	}
}

// TestEventsAtOnce holds that what is no answer passes at once, long before the
// answer and long after the time limit.
func TestEventsAtOnce(t *testing.T) {
	next := make(chan string)
	s := setup{mcp: true}
	s.opts.Timeout = 100 * time.Millisecond
	g := newRig(t, s, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		for s := range next {
			io.WriteString(w, s)
			w.(http.Flusher).Flush()
		}
	}))
	resp, err := g.client.Get(g.url + "/mcp")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	r := bufio.NewReader(resp.Body)
	for _, s := range []string{": comment\n", "id: 1\ndata: {\"method\":\"notifications/resources/updated\"}\n\n", "data: no JSON\n\n", "id: 2\ndata: {\"id\":1,\"method\":\"ping\"}\n\n"} {
		next <- s
		got := make([]byte, len(s))
		if _, err := io.ReadFull(r, got); err != nil || string(got) != s {
			t.Fatalf("%q, %v", got, err)
		}
		time.Sleep(60 * time.Millisecond) // beyond the limit of an ask in all
	}
	close(next)
	if rest, err := io.ReadAll(r); len(rest) > 0 || err != nil {
		t.Errorf("%q %v", rest, err)
	}
}

// TestResumed has the answer come on another stream than the one it was asked on.
func TestResumed(t *testing.T) {
	g := newRig(t, setup{mcp: true}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		if r.Method == "POST" {
			io.WriteString(w, "id: 1\ndata:\n\n")
			return
		}
		io.WriteString(w, "id: 2\ndata: "+readReply("1", notes)+"\n\nid: 3\ndata: "+readReply("1", notes)+"\n\n")
	}))
	if _, body := g.do(t, "POST", "/mcp", readAsk("1"), "Mcp-Session-Id", "s"); body != "id: 1\ndata:\n\n" {
		t.Errorf("%q", body)
	}
	if _, body := g.do(t, "GET", "/mcp", "", "Mcp-Session-Id", "other"); strings.Contains(body, "0.2.0") {
		t.Errorf("another session: %q", body)
	}
	_, body := g.do(t, "GET", "/mcp", "", "Mcp-Session-Id", "s", "Last-Event-ID", "1")
	if strings.Count(body, "0.2.0") != 1 || strings.Contains(body, quoted(notes)) {
		t.Errorf("%q", body)
	}
}

// TestClose ends streams at once, and lets an ask finish.
func TestClose(t *testing.T) {
	p, err := proxy.NewMCP(proxy.Upstream{URL: "http://127.0.0.1:1"}, proxy.Guard{}, proxy.Options{})
	if err == nil || p != nil {
		t.Error("a proxy without a form was made")
	}
	for _, u := range []string{"", "ftp://127.0.0.1", "http://example.com", "http://u:p@127.0.0.1", "http://127.0.0.1?token=x", "http://10.0.0.1"} {
		if _, err := proxy.NewHTTP(proxy.Upstream{URL: u}, proxy.Guard{}, proxy.Options{To: translate.V01}); err == nil {
			t.Errorf("%q was taken", u)
		} else if strings.Contains(err.Error(), "token=x") || strings.Contains(err.Error(), "u:p") {
			t.Errorf("the error says %q", err)
		}
	}
}

// TestBatch has several messages in one request, which the revision 2025-03-26
// allows.
func TestBatch(t *testing.T) {
	ask := "[" + readAsk("1") + `,{"id":2,"method":"x"},` + readAsk(`"1"`) + "]"
	reply := "[" + readReply("2", notes) + "," + readReply("1", notes) + "," + readReply(`"1"`, `{"protocol":"9"}`) + "]"
	g := newRig(t, setup{mcp: true}, saying("application/json", reply))
	_, body := g.do(t, "POST", "/mcp", ask)
	var list []map[string]any
	if err := json.Unmarshal([]byte(strings.ReplaceAll(body, "1e400", "1")), &list); err != nil || len(list) != 3 {
		t.Fatalf("%s: %v", body, err)
	}
	if s := fmt.Sprint(list[0]); strings.Contains(s, "0.2.0") {
		t.Errorf("another request: %s", s)
	}
	if s := fmt.Sprint(list[1]); !strings.Contains(s, "0.2.0") {
		t.Errorf("the ask: %s", s)
	}
	if s := fmt.Sprint(list[2]); !strings.Contains(s, "unsupported-version") || list[2]["id"] != "1" {
		t.Errorf("the one that is refused: %s", s)
	}
}

// TestBadRequest is a host that sends what cannot be read.
func TestBadRequest(t *testing.T) {
	g := newRig(t, setup{mcp: true}, saying("application/json", "{}"))
	for _, body := range []string{`{"id":1,"id":2}`, strings.Repeat("[", 8_000_000), "{\"a\":\"\xff\"}", "x"} {
		if resp, got := g.do(t, "POST", "/mcp", body); resp.StatusCode != 400 || !strings.Contains(got, `"id":null`) || len(g.requests()) > 0 {
			t.Errorf("%.20q: %d %s", body, resp.StatusCode, got)
		}
	}
	if resp, _ := g.do(t, "POST", "/mcp", strings.Repeat(" ", 9<<20)); resp.StatusCode != 413 {
		t.Errorf("a long one: %d", resp.StatusCode)
	}
}
