package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate/proxy"
)

func newProxy(s streams) *cli.Command {
	var p proxyFlags
	return &cli.Command{
		Name:      "proxy",
		Usage:     "stand between a host and a provider and translate answers",
		ArgsUsage: "http|mcp|stdio --to FORM [-- COMMAND ARG...]",
		Description: `Takes what a host asks, asks the provider, and answers in the form that the host
wants. Every other message passes byte for byte. Nothing is asked that the
host did not ask, and no answer is kept.

  http   a provider that speaks plain JSON over HTTP: requests whose path ends in
         current are asks, in those that end in locate the id is mapped back
  mcp    a provider that speaks MCP over Streamable HTTP, with sessions or without
  stdio  a provider that is started, and speaks MCP on standard input and output,
         where lines that are no message are dropped, and logged

http and mcp print the URL that they listen on, on one line, and go on until they
are interrupted. The host sends a bearer token, which is made at each start and
written to --token-out or into the descriptor; where neither is named, into a file
beside other temporary ones, which the log names. What the provider is to be sent
comes from its descriptor, a file or the environment: never from the command line.

--descriptor reads the file with which the provider announces itself, and
--descriptor-out announces the proxy in its place: the place, the token and the
protocol are replaced, every other byte stays. A file that is there already is
replaced if it is a descriptor that has the same places, else that is an error. It
goes when the proxy ends. With stdio, it is one that starts the proxy, with the
flags given, and is all that is done.

An ask that fails is answered in the host's protocol, with one of the codes of
"ctxmigrate codes", or one of these:
` + faultHelp(proxy.Faults()) + `
Logs hold numbers, sizes, durations and codes alone.

Exit status:
  0  ended as asked
  1  the provider of stdio ended by itself or cannot be started, or the address,
     a descriptor cannot be had
  2  the command line, or a mapping file, is wrong
`,
		UsageText: `
ctxmigrate proxy http --upstream http://127.0.0.1:4100 --listen 127.0.0.1:4200 --to 0.2.0
ctxmigrate proxy mcp --descriptor notes.json --descriptor-out notes-new.json --to 0.2.0
ctxmigrate proxy stdio --to 0.1 -- notes-provider --mcp

# a token that the host and the proxy agreed on
ctxmigrate proxy http --upstream http://127.0.0.1:4100 --token-env NOTES_TOKEN --to askable`,
		Flags:  p.flags(),
		Action: func(c *cli.Context) error { return p.run(s, c) },
	}
}

// faultHelp lists the codes of faults.
func faultHelp(faults []proxy.Fault) string {
	var names []string
	for _, f := range faults {
		names = append(names, f.Code)
	}
	var b strings.Builder
	at := 0
	for i, n := range names {
		if i < len(names)-1 {
			n += ","
		}
		if at == 0 || at+1+len(n) > 78 {
			if at > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(" ")
			at = 1
		}
		b.WriteString(" " + n)
		at += 1 + len(n)
	}
	return b.String() + "\n"
}

// The groups of flags of the live commands.
const (
	places   = "Where"
	matching = "What is translated"
	trust    = "Who may ask"
	limits   = "Limits"
)

// proxyFlags are the flags of proxy.
type proxyFlags struct {
	convertFlags
	liveFlags
	upstream                  string
	descriptor, descriptorOut string
	descriptorPaths           cli.StringSlice
	currentPaths, locatePaths cli.StringSlice
	resources                 cli.StringSlice
	tools, locateTools        cli.StringSlice
	goneBody                  string
	goneStatus                int
	passToken                 bool
	providerFile, providerEnv string
	headers                   string
}

func (p *proxyFlags) flags() []cli.Flag {
	return join(p.forms(), []cli.Flag{
		&cli.StringFlag{Name: "upstream", Category: places, Destination: &p.upstream,
			Usage: "the `URL` of the provider, as http://127.0.0.1:4100, or unix:PATH; for http the path that the host asks for is put behind it, for mcp it is the endpoint"},
		&cli.StringFlag{Name: "descriptor", Category: places, Destination: &p.descriptor,
			Usage: "the `FILE` with which the provider announces itself; it says the upstream, or the command of stdio, and the provider's token"},
		&cli.StringFlag{Name: "descriptor-out", Category: places, Destination: &p.descriptorOut,
			Usage: "the `FILE` to announce the proxy with"},
		&cli.StringSliceFlag{Name: "descriptor-path", Category: places, Destination: &p.descriptorPaths,
			Usage: "where descriptors hold something, as `ROLE=PATH` with dots between names: url, host, port, socket, command, args, token or protocol"},
	}, p.listening(), []cli.Flag{
		&cli.StringSliceFlag{Name: "current-path", Category: matching, Destination: &p.currentPaths,
			Usage: "http: the `END` of paths that are asks; current unless given, * for every path"},
		&cli.StringSliceFlag{Name: "locate-path", Category: matching, Destination: &p.locatePaths,
			Usage: "the `END` of paths, and of the URIs of resources, that locate an element; locate unless given"},
		&cli.StringSliceFlag{Name: "resource", Category: matching, Destination: &p.resources,
			Usage: "mcp, stdio: the `URI` of a resource that is the current context; unless given, every one whose last part is current"},
		&cli.StringSliceFlag{Name: "tool", Category: matching, Destination: &p.tools,
			Usage: "mcp, stdio: the `NAME` of a tool that answers with the current context; get_current_context unless given"},
		&cli.StringSliceFlag{Name: "locate-tool", Category: matching, Destination: &p.locateTools,
			Usage: "mcp, stdio: the `NAME` of a tool that locates its argument id; locate unless given"},
		&cli.IntFlag{Name: "gone-status", Category: matching, Destination: &p.goneStatus,
			Usage: "http: the `STATUS` for an element that the provider does not know; 410 unless given"},
		&cli.StringFlag{Name: "gone-body", Category: matching, Destination: &p.goneBody,
			Usage: `the answer for such an element, as ` + "`JSON`" + `; {"status":"gone"} unless given`},
	}, p.trusting(), []cli.Flag{
		&cli.BoolFlag{Name: "pass-token", Category: trust, Destination: &p.passToken,
			Usage: "ask for no token, and pass what the host sends on to the provider"},
		&cli.StringFlag{Name: "provider-token-file", Category: trust, Destination: &p.providerFile,
			Usage: "send the provider the token in `FILE`"},
		&cli.StringFlag{Name: "provider-token-env", Category: trust, Destination: &p.providerEnv,
			Usage: "send the provider the token in the environment variable `NAME`"},
	}, p.limiting(), []cli.Flag{
		&cli.StringFlag{Name: "max-headers", Category: limits, Destination: &p.headers,
			Usage: "of the headers of an answer, `N` bytes; 64K unless given"},
	}, p.converting(), p.tellingLive())
}

// only names the flags that one mode alone understands.
var only = map[string][]string{
	"upstream": {"http", "mcp"}, "listen": {"http", "mcp"}, "allow-remote": {"http", "mcp"}, "tls-cert": {"http", "mcp"}, "tls-key": {"http", "mcp"},
	"current-path": {"http"}, "gone-status": {"http"},
	"resource": {"mcp", "stdio"}, "tool": {"mcp", "stdio"}, "locate-tool": {"mcp", "stdio"},
	"host": {"http", "mcp"}, "origin": {"http", "mcp"}, "token-file": {"http", "mcp"}, "token-env": {"http", "mcp"}, "token-out": {"http", "mcp"},
	"no-token": {"http", "mcp"}, "pass-token": {"http", "mcp"}, "provider-token-file": {"http", "mcp"}, "provider-token-env": {"http", "mcp"},
	"connect-timeout": {"http", "mcp"}, "max-headers": {"http", "mcp"},
}

func (p *proxyFlags) run(s streams, c *cli.Context) error {
	mode := c.Args().First()
	if !slices.Contains([]string{"http", "mcp", "stdio"}, mode) {
		return usageError{"proxy what? There are http, mcp and stdio", hint(c.Command)}
	}
	for name, modes := range only {
		if c.IsSet(name) && !slices.Contains(modes, mode) {
			return usageError{fmt.Sprintf("--%s means nothing to proxy %s", name, mode), hint(c.Command)}
		}
	}
	command := c.Args().Tail()
	if mode != "stdio" && len(command) > 0 {
		return usageError{fmt.Sprintf("%q is one argument too many; only proxy stdio starts a command", command[0]), hint(c.Command)}
	}
	o, err := p.options()
	if err != nil {
		return err
	}
	d, err := p.readDescriptor()
	if err != nil {
		return err
	}
	live, err := p.start(s, o)
	if err != nil {
		return err
	}
	defer live.end()
	if mode == "stdio" {
		return p.pump(c, live, d, command)
	}
	return p.listen(live, mode, d)
}

// options are what the flags say.
func (p *proxyFlags) options() (*proxy.Options, error) {
	o, err := p.liveOptions(&p.convertFlags)
	if err != nil {
		return nil, err
	}
	o.To = p.toForm
	if o.Limits.Headers, err = count("max-headers", p.headers, 1<<30); err != nil {
		return nil, err
	}
	o.CurrentPaths, o.LocatePaths = p.currentPaths.Value(), p.locatePaths.Value()
	o.Resources, o.Tools, o.LocateTools = p.resources.Value(), p.tools.Value(), p.locateTools.Value()
	o.Gone = proxy.Gone{Status: p.goneStatus, Body: p.goneBody}
	if p.goneStatus != 0 && (p.goneStatus < 200 || p.goneStatus > 599) {
		return nil, usageError{text: "--gone-status takes a status from 200 to 599"}
	}
	return o, nil
}

// pump runs proxy stdio.
func (p *proxyFlags) pump(c *cli.Context, l *live, d *announced, command []string) error {
	if len(command) == 0 && d != nil {
		command = d.Command
	}
	if len(command) == 0 {
		return usageError{text: "proxy stdio starts a command, which stands behind --: ctxmigrate proxy stdio --to FORM -- COMMAND ARG..."}
	}
	if p.descriptorOut != "" {
		return p.announceCommand(c, l, d, command)
	}
	err := proxy.Pump(l.ctx, l.streams.stdin, l.streams.stdout, proxy.Command{Args: command, Stderr: l.streams.stderr}, *l.options)
	if errors.Is(err, proxy.ErrEnded) {
		return ioError{err: errors.New("the provider ended; see what it wrote above")}
	}
	if err != nil {
		return ioError{err: fmt.Errorf("the provider cannot be started: %s", printable(err.Error()))}
	}
	return nil
}
