package proxy_test

import (
	"context"
	"fmt"
	"os"
	"testing"

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

var roles = map[string]func(){}
