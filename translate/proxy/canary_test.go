package proxy_test

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"

	"ctxmigrate/translate"
	"ctxmigrate/translate/proxy"
)

// canaries is an answer with a canary in every field of it.
const canaries = `{"protocol":"0.1","instance":"CANARY","items":[
{"id":"CANARY-1","type":"CANARY","title":"T","CANARY":1},{"id":"CANARY-1","type":"note","parent":"CANARY-2","title":"T","url":"http://CANARY","content":[{"type":"text","text":"CANARY"}],"payload":{"CANARY":"CANARY"}},
{"type":"password","title":"CANARY","content":"CANARY"}],"focus":["CANARY-1","CANARY-9"],"CANARY":{}}`

// TestCanaryHTTP has every fault, and good answers, with canaries everywhere: the
// log at its most talkative level holds none, and no answer that tells of a fault.
func TestCanaryHTTP(t *testing.T) {
	doc := strings.Replace(canaries, `"title":"T"`, `"title":"CANARY"`, 1)
	for _, mcp := range []bool{false, true} {
		w := newWire(t)
		s := setup{mcp: mcp, guard: proxy.Guard{Token: "CANARY-TOKEN"}, up: proxy.Upstream{URL: "http://" + w.Addr().String(), Token: func() (string, error) { return "CANARY-THEIRS", nil }}}
		s.opts.Timeout = limit / 5
		g := newRig(t, s, answering(""))
		faults := httpFaults(canaries)
		type fault = struct {
			code string
			do   func(net.Conn)
		}
		say := func(s string) fault { return fault{"", func(c net.Conn) { io.WriteString(c, s) }} }
		faults["status line"] = say("CANARY/1.1 200 OK\r\n\r\n")
		faults["status"] = say("HTTP/1.1 CANARY OK\r\n\r\n")
		faults["header"] = say("HTTP/1.1 200 OK\r\nCANARY\r\n\r\n")
		faults["length"] = say("HTTP/1.1 200 OK\r\nContent-Length: CANARY\r\n\r\n")
		faults["encoding of transfer"] = say("HTTP/1.1 200 OK\r\nTransfer-Encoding: CANARY\r\n\r\n")
		faults["encoding of content"] = say("HTTP/1.1 200 OK\r\nContent-Encoding: CANARY\r\n" + sized("x"))
		faults["chunk"] = say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nCANARY\r\n")
		faults["location"] = say("HTTP/1.1 302 Found\r\nLocation: http://CANARY\r\n" + sized("x"))
		faults["form"] = say(head + sized(`{"protocol":"CANARY"}`))
		faults["escape"] = say(head + sized(`{"protocol":"0.1","instance":"\CANARY"}`))
		faults["good"] = say(head + sized(doc))
		faults["reply"] = say(head + sized(readReply("1", doc)))
		faults["reply with a fault"] = say(head + sized(readReply("1", strings.ReplaceAll(doc, "0.1", "CANARY"))))
		faults["events"] = say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: " + strings.ReplaceAll(doc, "\n", "") + "\n\n")
		for name, f := range faults {
			w.set(f.do)
			for _, path := range []string{"/current", "/locate/CANARY-1?id=CANARY-1", "/CANARY"} {
				// a route that passes may be broken off, so an error is no fault here
				ctx, cancel := context.WithTimeout(t.Context(), limit*2/3)
				defer cancel()
				resp, err := g.client.Do(newRequest(ctx, g.url+path, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"app://CANARY/current"}}`, "Bearer CANARY-TOKEN"))
				if err != nil {
					continue
				}
				body, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				if i := strings.Index(string(body), "event: message"); i >= 0 {
					body = body[i:] // what came before it is an event that passed
				}
				if strings.Contains(string(body), "CANARY") && strings.Contains(string(body), `"code":`) {
					t.Errorf("%s: %s says %s", name, path, body)
				}
			}
		}
		g.do(t, "GET", "/current", "", "Authorization", "Bearer CANARY-WRONG")
		g.do(t, "GET", "/current", "", "Host", "CANARY")
		g.do(t, "GET", "/current", "", "Origin", "CANARY")
		g.do(t, "POST", "/current", `{"CANARY":CANARY}`, "Authorization", "Bearer CANARY-TOKEN")
		if log := g.log.String(); strings.Contains(log, "CANARY") || strings.Count(log, "\n") < 3*len(faults) {
			t.Errorf("the log, of %d bytes, holds a canary: %.400s", len(log), log[max(0, strings.Index(log, "CANARY")-200):])
		}
	}
}

// TestCanaryPanic is a failure of the program itself in the middle of an answer.
func TestCanaryPanic(t *testing.T) {
	s := setup{}
	s.opts.To = translate.Askable
	broken := true
	s.opts.Convert.Clock = clock(&broken)
	g := newRig(t, s, answering(canaries))
	if resp, body := g.do(t, "GET", "/current", ""); resp.StatusCode != 500 || !strings.Contains(body, `"internal"`) || strings.Contains(body, "CANARY") {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	if log := g.log.String(); strings.Contains(log, "CANARY") {
		t.Error(log)
	}
	broken = false
	if resp, _ := g.do(t, "GET", "/current", ""); resp.StatusCode != 200 {
		t.Errorf("the next ask: %d", resp.StatusCode)
	}
}

// TestCanaryStdio is TestCanaryHTTP over standard input and output.
func TestCanaryStdio(t *testing.T) {
	for _, name := range []string{"canary", "canary-cut", "crash-during", "silent"} {
		p := newPump(t, role(name), proxy.Options{Timeout: limit})
		p.send(`{"id":"CANARY`, readAsk("1"), readAsk("2"))
		p.line(t)
		p.end(t)
		if log := p.log.String(); strings.Contains(log, "CANARY") || log == "" {
			t.Errorf("%s: %s", name, log)
		}
	}
}
