package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/urfave/cli/v2"

	"ctxmigrate/translate"
	"ctxmigrate/translate/proxy"
	"ctxmigrate/translate/serve"
)

func newServe(s streams) *cli.Command {
	var f serveFlags
	return &cli.Command{
		Name:      "serve",
		Usage:     "offer a provider, or a file, to agents over MCP as packets",
		ArgsUsage: "--upstream URL|COMMAND|FILE [-- COMMAND ARG...]",
		Description: `An MCP server with the tools that the askable.context specification recommends:
get_current_context answers the packet, get_context_schema its schema, and
format_context_for_prompt a text made from the packet, with the target first, its
surroundings as secondary, and what was withheld said. There are the resources
context://schema and context://current, too. The provider, which may speak any form,
is asked when a tool is called, and then once.

--upstream is a URL that answers a GET with the current context, or with --mcp an MCP
endpoint; or a program that speaks MCP on standard input and output, whose arguments
stand behind --; or a file, which is read each time.

The server speaks MCP on standard input and output, or with --listen over Streamable
HTTP at /mcp; then what "ctxmigrate help proxy" says of tokens holds.

An ask that fails is answered, by a tool or in JSON-RPC, with one of the codes of
"ctxmigrate codes", or one of these:
` + faultHelp(serve.Faults()) + `
Exit status:
  0  ended as asked
  1  the address cannot be had
  2  the command line, or a mapping file, is wrong
`,
		UsageText: `
ctxmigrate serve --upstream http://127.0.0.1:4100/current
ctxmigrate serve --upstream packet.json --require-redacted
ctxmigrate serve --listen 127.0.0.1:4300 -- notes-provider --mcp`,
		Flags:  f.flags(),
		Action: func(c *cli.Context) error { return f.run(s, c) },
	}
}

// serveFlags are the flags of serve.
type serveFlags struct {
	convertFlags
	liveFlags
	upstream, tool            string
	mcp, requireRedacted      bool
	providerFile, providerEnv string
}

func (f *serveFlags) flags() []cli.Flag {
	return join([]cli.Flag{
		&cli.StringFlag{Name: "upstream", Category: places, Destination: &f.upstream,
			Usage: "the provider: its `URL`, a program or a file"},
		&cli.BoolFlag{Name: "mcp", Category: places, Destination: &f.mcp, Usage: "the URL is that of an MCP endpoint"},
		&cli.StringFlag{Name: "tool", Category: places, Destination: &f.tool, Value: "get_current_context",
			Usage: "the `NAME` of the tool that a provider over MCP is asked by; get_current_context unless given; where it has none of that name, its current resource is read"},
		fromFlag(&f.from),
	}, f.listening(), f.trusting(), []cli.Flag{
		&cli.BoolFlag{Name: "require-redacted", Category: trust, Destination: &f.requireRedacted,
			Usage: "refuse packets that do not say that they are redacted"},
		&cli.StringFlag{Name: "provider-token-file", Category: trust, Destination: &f.providerFile,
			Usage: "send the provider the token in `FILE`"},
		&cli.StringFlag{Name: "provider-token-env", Category: trust, Destination: &f.providerEnv,
			Usage: "send the provider the token in the environment variable `NAME`"},
	}, f.limiting(), f.converting(), f.tellingLive())
}

func (f *serveFlags) run(s streams, c *cli.Context) error {
	f.to = translate.Askable.String()
	o, err := f.liveOptions(&f.convertFlags)
	if err != nil {
		return err
	}
	o.To = f.toForm
	args := c.Args().Slice()
	if f.upstream != "" && len(args) > 0 {
		args = append([]string{f.upstream}, args...)
	}
	overHTTP := c.IsSet("listen")
	if !overHTTP {
		for _, name := range []string{"host", "origin", "token-file", "token-env", "token-out", "no-token", "tls-cert", "tls-key"} {
			if c.IsSet(name) {
				return usageError{fmt.Sprintf("--%s is about --listen", name), hint(c.Command)}
			}
		}
	}
	live, err := f.start(s, o)
	if err != nil {
		return err
	}
	defer live.end()
	ask, err := f.source(live, args)
	if err != nil {
		return err
	}
	o.Convert.MaxBytes, o.Convert.MaxDepth = cmp.Or(o.Limits.Bytes, 8<<20), cmp.Or(o.Limits.Depth, 512)
	if f.mcp || len(args) > 0 {
		o.Convert.Method = "mcp"
	}
	server := serve.NewServer(ask, serve.Options{Convert: o.Convert, RequireRedacted: f.requireRedacted,
		Timeout: o.Timeout, Limits: o.Limits, Version: strings.TrimPrefix(version(), "ctxmigrate "), Observe: func(e proxy.Event) { e.Log(o.Log); live.observe(e) }})
	if !overHTTP {
		err := serve.Run(live.ctx, server, s.stdin, s.stdout, cmp.Or(o.Timeout, 10*time.Second)+time.Second)
		if err != nil && !errors.Is(err, io.EOF) && live.ctx.Err() == nil && !errors.Is(err, mcp.ErrConnectionClosed) {
			return ioError{err: errors.New("the host broke off")}
		}
		return nil
	}
	return f.listen(live, server)
}

// listen serves over Streamable HTTP.
func (f *serveFlags) listen(l *live, server *mcp.Server) error {
	listener, at, hosts, err := f.bind(l)
	if err != nil {
		return err
	}
	l.cleanup = append(l.cleanup, func() { listener.Close() })
	guard := proxy.Guard{Hosts: hosts, Origins: f.origins.Value()}
	if guard.Token, err = f.hostToken(l, false, false); err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", serve.Handler(server, *l.options))
	streams, end := context.WithCancel(context.Background())
	l.cleanup = append(l.cleanup, end)
	l.log.Info("listening", "url", at+"/mcp")
	if err := l.streams.print(at + "/mcp\n"); err != nil {
		return err
	}
	return l.serveUntilEnd(listener, proxy.NewServer(guard.Protect(mux, streams), *l.options), func() {
		for s := range server.Sessions() {
			s.Close()
		}
		end()
	})
}

// source is how the provider is asked.
func (f *serveFlags) source(l *live, args []string) (serve.Source, error) {
	limit := cmp.Or(l.options.Limits.Bytes, 8<<20)
	if f.upstream == "" && len(args) == 0 {
		return nil, usageError{text: "serve what? --upstream takes a URL, a program or a file"}
	}
	if len(args) > 0 {
		return f.command(l, args, limit), nil
	}
	for _, scheme := range []string{"http://", "https://", "unix:"} {
		if strings.HasPrefix(f.upstream, scheme) {
			return f.remote(l, limit)
		}
	}
	info, err := os.Stat(f.upstream)
	switch {
	case err != nil:
		return nil, usageError{text: printable(f.upstream) + " is neither a URL nor a program nor a file: " + reason(err)}
	case info.IsDir():
		return nil, usageError{text: printable(f.upstream) + " is a folder"}
	case info.Mode()&0o111 != 0:
		return f.command(l, []string{f.upstream}, limit), nil
	}
	return serve.File(f.upstream, limit), nil
}

// remote asks a provider over HTTP.
func (f *serveFlags) remote(l *live, limit int) (serve.Source, error) {
	token, err := readToken(f.providerFile, f.providerEnv)
	if err != nil {
		return nil, err
	}
	up := proxy.Upstream{URL: f.upstream, AllowRemote: f.allowRemote, Token: func() (string, error) { return token, nil }}
	if path, ok := strings.CutPrefix(up.URL, "unix:"); ok {
		up.URL, up.Socket = "", path
	}
	if !f.mcp {
		ask, end, err := proxy.NewAsker(up, *l.options)
		if err != nil {
			return nil, usageError{text: err.Error()}
		}
		l.cleanup = append(l.cleanup, end)
		return ask, nil
	}
	client, end, err := proxy.NewClient(up, *l.options)
	if err != nil {
		return nil, usageError{text: err.Error()}
	}
	ask, close := serve.Session(func(ctx context.Context) (*mcp.ClientSession, error) {
		return newClient().Connect(ctx, &mcp.StreamableClientTransport{Endpoint: f.upstream, HTTPClient: client, DisableStandaloneSSE: true, MaxRetries: -1}, nil)
	}, f.tool, limit)
	l.cleanup = append(l.cleanup, end, close)
	return ask, nil
}

func newClient() *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: "ctxmigrate", Version: strings.TrimPrefix(version(), "ctxmigrate ")}, nil)
}

// command asks a provider that is started at the first ask.
func (f *serveFlags) command(l *live, args []string, limit int) serve.Source {
	o := *l.options
	o.Observe, o.Log = nil, nil // asks are told of once, by the server
	o.Tools = []string{f.tool}
	ended := make(chan struct{})
	close(ended)
	ask, end := serve.Session(func(ctx context.Context) (*mcp.ClientSession, error) {
		fromHost, toPump := io.Pipe()
		fromPump, toHost := io.Pipe()
		done := make(chan struct{})
		ended = done
		go func() {
			defer close(done)
			err := proxy.Pump(context.Background(), fromHost, toHost, proxy.Command{Args: args, Stderr: l.streams.stderr}, o)
			if err != nil {
				l.log.Warn("the provider ended or cannot be started")
			}
			toHost.Close()
			fromHost.Close()
		}()
		session, err := newClient().Connect(ctx, &mcp.IOTransport{Reader: fromPump, Writer: toPump}, nil)
		if err != nil {
			toPump.Close()
		}
		return session, err
	}, f.tool, limit)
	l.cleanup = append(l.cleanup, func() { end(); <-ended })
	return ask
}
