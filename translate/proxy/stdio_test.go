package proxy_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ctxmigrate/translate"
	"ctxmigrate/translate/proxy"
)

// pumped is a pump at work, from its host's side.
type pumped struct {
	in    *io.PipeWriter
	lines chan string // what the host reads; closed at the end
	ended chan error
	log   *lockedBuffer

	mu     sync.Mutex
	events []proxy.Event
}

func newPump(t *testing.T, c proxy.Command, o proxy.Options) *pumped {
	t.Helper()
	p := &pumped{lines: make(chan string, 64), ended: make(chan error, 1), log: &lockedBuffer{}}
	var fromHost, hostIn = io.Pipe()
	var hostOut, toHost = io.Pipe()
	p.in = hostIn
	o.To = translate.V020
	if o.Timeout == 0 {
		o.Timeout = limit
	}
	o.Log = slog.New(slog.NewTextHandler(p.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	o.Observe = func(e proxy.Event) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.events = append(p.events, e)
	}
	if c.Stderr != nil {
		c.Stderr = io.Discard
	}
	go func() {
		err := proxy.Pump(context.Background(), fromHost, toHost, c, o)
		toHost.Close()
		fromHost.Close()
		p.ended <- err
	}()
	go func() {
		defer close(p.lines)
		r := bufio.NewReader(hostOut)
		for {
			line, err := r.ReadString('\n')
			if line != "" {
				p.lines <- line
			}
			if err != nil {
				return
			}
		}
	}()
	return p
}

func (p *pumped) send(lines ...string) {
	for _, l := range lines {
		io.WriteString(p.in, l+"\n")
	}
}

// line is the next line for the host.
func (p *pumped) line(t *testing.T) string {
	t.Helper()
	select {
	case l, ok := <-p.lines:
		if ok {
			return strings.TrimSuffix(l, "\n")
		}
	case <-time.After(10 * time.Second):
	}
	t.Fatal("no line came")
	return ""
}

// end ends the host, and answers what the pump answered and how long it took.
func (p *pumped) end(t *testing.T) (time.Duration, error) {
	t.Helper()
	start := time.Now()
	p.in.Close()
	for range p.lines { // to the end
	}
	err := <-p.ended
	return time.Since(start), err
}

// TestStdio holds that of a reply only the value changes, and that all else passes
// byte for byte.
func TestStdio(t *testing.T) {
	p := newPump(t, role("good"), proxy.Options{})
	want := pureQuoted(converted(t, notes, translate.V020, nil))
	for _, id := range []string{`0`, `"0"`, `9007199254740993`, `1.5`, `"\u0061"`} {
		p.send(" " + readAsk(id))
		if got := p.line(t); got != strings.Replace(readReply(id, notes), quoted(notes), want, 1) {
			t.Errorf("%s: %s", id, got)
		}
		p.send(strings.Replace(readAsk(id), "current", "other", 1))
		if got := p.line(t); got != readReply(id, notes) {
			t.Errorf("other, %s: %s", id, got)
		}
	}
	p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"app://x/locate/app"}}`)
	if got := p.line(t); !strings.Contains(got, `gone`) {
		t.Errorf("locate: %s", got)
	}
	p.send("junk", `{"id":1,"id":2}`)
	if took, err := p.end(t); err != nil || took > time.Second*slow {
		t.Errorf("%v after %v", err, took)
	}
	if p.count("junk") != 2 || p.count("current") != 5 {
		t.Errorf("%v", p.events)
	}
}

func (p *pumped) count(route string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.events {
		if e.Route == route {
			n++
		}
	}
	return n
}

// TestFaultsStdio is what a provider may do that is started.
func TestFaultsStdio(t *testing.T) {
	const grace = 2 * time.Second // for the program to start
	for _, c := range []struct {
		role    string
		code    string // of the first ask, "" for a good answer
		err     error
		least   time.Duration // that ending takes
		most    time.Duration
		another string // the code of a second ask, "-" for none
	}{
		{"good", "", nil, 0, time.Second, ""},
		{"crash-before", "no-answer", proxy.ErrEnded, 0, time.Second, "-"},
		{"crash-during", "no-answer", proxy.ErrEnded, 0, time.Second, "-"},
		{"crash-after", "", proxy.ErrEnded, 0, time.Second, "-"},
		{"silent", "timeout", nil, 0, time.Second, "timeout"},
		{"deaf", "timeout", nil, 2 * time.Second, 3 * time.Second, "timeout"},
		{"flood", "", nil, 0, time.Second, ""},
		{"junk", "", proxy.ErrEnded, 0, time.Second, "-"},
		{"stubborn", "", nil, 3 * time.Second, 5 * time.Second, ""},
	} {
		t.Run(c.role, func(t *testing.T) {
			t.Parallel()
			o := proxy.Options{Timeout: limit}
			if c.code == "" {
				o.Timeout = grace
			}
			p := newPump(t, role(c.role), o)
			start := time.Now()
			p.send(readAsk("7"))
			if c.role == "crash-before" {
				took, err := p.end(t)
				if !errors.Is(err, c.err) && err != nil || took > c.most*slow {
					t.Errorf("%v after %v", err, took)
				}
				return
			}
			if got := codeOf(t, strings.ReplaceAll(p.line(t), "1e400", "1"), "7"); got != c.code {
				t.Errorf("the code is %q", got)
			}
			if took := time.Since(start); c.code == "timeout" && (took < limit || took > 2*time.Second) {
				t.Errorf("the answer took %v", took)
			}
			if c.another != "-" {
				p.send(readAsk("8"))
				if got := codeOf(t, strings.ReplaceAll(p.line(t), "1e400", "1"), "8"); got != c.another {
					t.Errorf("the code of the next is %q", got)
				}
			} else {
				select {
				case err := <-p.ended:
					p.ended <- err
				case <-time.After(grace):
					t.Error("the pump goes on")
				}
			}
			took, err := p.end(t)
			if !errors.Is(err, c.err) || took < c.least || took > c.most*slow {
				t.Errorf("%v after %v", err, took)
			}
			if c.role == "junk" && p.count("junk") != 5 {
				t.Errorf("%d lines of junk", p.count("junk"))
			}
		})
	}
}

// TestGrandchild holds that what the provider started is gone, too, though it
// ignores being asked to and holds standard output.
func TestGrandchild(t *testing.T) {
	t.Parallel()
	p := newPump(t, role("parent"), proxy.Options{Timeout: 5 * time.Second})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"x"}`)
	var m struct{ Result struct{ Pid int } }
	if err := json.Unmarshal([]byte(p.line(t)), &m); err != nil || m.Result.Pid == 0 {
		t.Fatal(err)
	}
	took, err := p.end(t)
	if err != nil || took > 5*time.Second {
		t.Errorf("%v after %v", err, took)
	}
	for range 100 {
		if !running(m.Result.Pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the grandchild lives")
}

// running reports whether a process is there and no zombie.
func running(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil || p.Signal(syscall.Signal(0)) != nil {
		return false
	}
	stat, err := readFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(stat, ") Z ")
}

// TestLate holds that an answer which comes late is discarded, and that the ids
// used after it get their own.
func TestLate(t *testing.T) {
	p := newPump(t, role("late"), proxy.Options{})
	p.send(readAsk("1"))
	if got := codeOf(t, p.line(t), "1"); got != "timeout" {
		t.Errorf("%s", got)
	}
	time.Sleep(2 * limit)
	p.send(`{"jsonrpc":"2.0","id":2,"method":"x"}`)
	if got := p.line(t); !strings.Contains(got, `"id": 2`) {
		t.Errorf("%s", got)
	}
	p.end(t)
}

// TestGateStdio is more asks than may be at the provider.
func TestGateStdio(t *testing.T) {
	o := proxy.Options{Timeout: limit}
	o.Limits.InFlight, o.Limits.Waiting = 1, 2
	p := newPump(t, role("silent"), o)
	p.send(readAsk("1"), readAsk("2"), readAsk("3"), readAsk("4"), readAsk("1"))
	codes := map[string]string{}
	for i := range 5 {
		var m struct{ ID json.RawMessage }
		l := p.line(t)
		json.Unmarshal([]byte(l), &m)
		code := codeOf(t, l, string(m.ID))
		if i < 2 && code != "busy" && code != "id-in-use" {
			t.Errorf("%s comes before the refusals", l)
		}
		codes[string(m.ID)] += code + " "
	}
	if codes["4"] != "busy " || codes["1"] != "id-in-use timeout " || codes["2"] != "timeout " || codes["3"] != "timeout " {
		t.Errorf("%v", codes)
	}
	p.end(t)
}

func TestCannotStart(t *testing.T) {
	for _, args := range [][]string{nil, {"/no/such/program"}, {"/dev/null"}} {
		err := proxy.Pump(t.Context(), strings.NewReader(""), io.Discard, proxy.Command{Args: args}, proxy.Options{To: translate.V01})
		if err == nil || errors.Is(err, proxy.ErrEnded) {
			t.Errorf("%v: %v", args, err)
		}
	}
}
