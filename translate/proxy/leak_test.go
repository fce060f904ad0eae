package proxy_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"ctxmigrate/translate/proxy"
)

const secret = `{"protocol":"0.1","instance":"x","items":[{"id":"a","type":"password","content":"PWLEAK"}],"focus":["a"]}`

// secretRole answers each request with what is secret: under another id, under its
// own as some libraries spell it, and again.
func secretRole() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var m struct{ ID json.RawMessage }
		json.Unmarshal(lines.Bytes(), &m)
		doc := secret
		if strings.Contains(lines.Text(), "ping") {
			doc = "{}"
		}
		id := strings.Replace(string(m.ID), "9.50", "9.5", 1)
		for _, id := range []string{`"stray"`, id, id} {
			fmt.Println(readReply(id, doc))
		}
	}
}

// TestListsStdio holds that asks in a list are translated, and once each.
func TestListsStdio(t *testing.T) {
	p := newPump(t, role("secret"), proxy.Options{Timeout: 2 * time.Second})
	p.send("[" + readAsk("8") + "," + readAsk("9.50") + `,{"id":10,"method":"ping"}]`)
	for _, id := range []string{"8", "9.50"} {
		if got := p.line(t); strings.Contains(got, "PWLEAK") || !strings.Contains(got, `0.2.0`) || !strings.Contains(got, `"id": `+id) {
			t.Errorf("%s: %s", id, got)
		}
	}
	if got := p.line(t); !strings.Contains(got, `"id": 10`) {
		t.Errorf("%s", got)
	}
	p.in.Close()
	for l := range p.lines {
		t.Errorf("one more: %s", l)
	}
	<-p.ended
	if p.count("current") != 2 || p.count("junk") < 4 {
		t.Errorf("%v", p.events)
	}
}

// TestListTimeout holds that asks in a list have the time limit.
func TestListTimeout(t *testing.T) {
	p := newPump(t, role("silent"), proxy.Options{})
	p.send("[" + readAsk("8") + "," + readAsk("9") + "]")
	for range 2 {
		if got := p.line(t); !strings.Contains(got, `"timeout"`) {
			t.Errorf("%s", got)
		}
	}
	p.end(t)
}

// TestStrayEvents holds that no event passes an answer to nothing that waits.
func TestStrayEvents(t *testing.T) {
	event := func(id string) string { return "data: " + readReply(id, secret) + "\n\n" }
	stream := "event: foo\n" + event("1.50") + event("7") + event("1.5") + event("1.50") + event("1.5") + "data: {\"method\":\"x\"}\n\n"
	g := newRig(t, setup{mcp: true}, saying("text/event-stream", stream))
	_, body := g.do(t, "POST", "/mcp", readAsk("1.50"))
	if strings.Contains(body, "PWLEAK") || strings.Count(body, "0.2.0") != 1 || !strings.Contains(body, `"id": 1.50`) || !strings.Contains(body, `"method":"x"`) {
		t.Errorf("%s", body)
	}
	list := "[" + readReply("1", secret) + "," + readReply("1.0", secret) + "," + readReply("5", secret) + "]"
	g = newRig(t, setup{mcp: true}, saying("application/json", list))
	_, body = g.do(t, "POST", "/mcp", "["+readAsk("1")+"]")
	if strings.Contains(body, "PWLEAK") || strings.Count(body, "0.2.0") != 1 {
		t.Errorf("%s", body)
	}
}
