package proxy_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"ctxmigrate/translate/proxy"
)

// TestMain runs this program as a provider on its standard input and output where
// the environment names a role, and the tests where it does not.
func TestMain(m *testing.M) {
	switch name := os.Getenv("PROXY_TEST_ROLE"); name {
	case "":
		goleak.VerifyTestMain(m)
	case "mcp":
		newProvider(notes).Run(context.Background(), &mcp.StdioTransport{})
	default:
		play, ok := roles[name]
		if !ok {
			fmt.Fprintln(os.Stderr, "there is no role", name)
			os.Exit(2)
		}
		play()
	}
}

// role is this program in a role of the tests.
func role(name string) proxy.Command {
	return proxy.Command{Args: []string{os.Args[0]}, Env: append(os.Environ(), "PROXY_TEST_ROLE="+name, "GORACE=atexit_sleep_ms=0"), Stderr: os.Stderr}
}

// roles are providers. Each reads asks line by line; of those not named here
// nothing is special.
var roles = map[string]func(){
	"pump":         pumpRole,
	"good":         func() { eachAsk(func(id string) { reply(id) }) },
	"crash-before": func() { os.Exit(3) },
	"crash-during": func() { eachAsk(func(string) { os.Exit(3) }) },
	"crash-after":  func() { eachAsk(func(id string) { reply(id); os.Exit(3) }) },
	"secret":       secretRole,
	"odd":          oddRole,
	"silent":       func() { eachAsk(func(string) {}) },
	"deaf":         func() { time.Sleep(time.Hour) },
	"late":         func() { eachAsk(func(id string) { time.Sleep(2 * limit); reply(id) }) },
	"flood": func() {
		line := []byte(strings.Repeat("x", 1023) + "\n")
		eachAsk(func(id string) {
			for range 16 << 10 {
				os.Stderr.Write(line)
			}
			reply(id)
		})
	},
	"junk": func() {
		eachAsk(func(id string) {
			fmt.Printf("starting up\n\n{\"id\":%s\n\xff\n[]\n%s\n", id, strings.Repeat("[", 1<<20))
			reply(id)
			fmt.Print(`{"jsonrpc":"2.0","method":"notifications/x"}`) // without an end
			os.Exit(0)
		})
	},
	"canary": func() {
		eachAsk(func(id string) {
			fmt.Println("CANARY")
			fmt.Println(readReply(id, strings.ReplaceAll(canaries, "\n", "")))
		})
	},
	"canary-cut": func() { eachAsk(func(id string) { fmt.Println(readReply(id, canaries[:200])) }) },
	"stubborn": func() {
		signal.Ignore(syscall.SIGTERM)
		eachAsk(func(id string) { reply(id) })
		time.Sleep(time.Hour)
	},
	"parent": func() { // leaves one behind that holds standard output, and ignores SIGTERM
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "PROXY_TEST_ROLE=stubborn-child")
		child.Stdout = os.Stdout
		child.Start()
		eachAsk(func(id string) {
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"pid":%d}}`+"\n", id, child.Process.Pid)
		})
	},
	"stubborn-child": func() {
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Hour)
	},
}

// eachAsk calls f with the raw id of each request on standard input.
func eachAsk(f func(id string)) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var m struct{ ID json.RawMessage }
		if json.Unmarshal(lines.Bytes(), &m) == nil && m.ID != nil {
			f(string(m.ID))
		}
	}
}

func reply(id string) { fmt.Println(readReply(id, notes)) }
