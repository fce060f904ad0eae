package main

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate/proxy"
)

// liveFlags are the flags of the commands that go on until they are interrupted.
type liveFlags struct {
	address             string
	allowRemote         bool
	tlsCert, tlsKey     string
	hosts, origins      cli.StringSlice
	tokenFile, tokenEnv string
	tokenOut            string
	noToken             bool
	timeout, connect    time.Duration
	maxBytes, maxDepth  string
	inFlight, waiting   string
	logLevel, logFormat string
	metrics             string
}

func (f *liveFlags) listening() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "listen", Category: places, Destination: &f.address, Value: "127.0.0.1:0",
			Usage: "`HOST:PORT`, of which port 0 stands for a free one, or unix:PATH; proxy listens at 127.0.0.1:0 unless given. /healthz answers there without asking the provider"},
		&cli.BoolFlag{Name: "allow-remote", Category: places, Destination: &f.allowRemote,
			Usage: "listen to other machines, and ask providers on them; both by https alone"},
		&cli.StringFlag{Name: "tls-cert", Category: places, Destination: &f.tlsCert, Usage: "the certificate to listen with, a PEM `FILE`"},
		&cli.StringFlag{Name: "tls-key", Category: places, Destination: &f.tlsKey, Usage: "its key, a PEM `FILE`"},
	}
}

func (f *liveFlags) trusting() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "host", Category: trust, Destination: &f.hosts,
			Usage: "a further `NAME:PORT` that the Host header may say, beside the address"},
		&cli.StringSliceFlag{Name: "origin", Category: trust, Destination: &f.origins,
			Usage: "an `ORIGIN` of which pages may ask; a request with any other is refused"},
		&cli.StringFlag{Name: "token-file", Category: trust, Destination: &f.tokenFile,
			Usage: "take the token that hosts are to send from `FILE`"},
		&cli.StringFlag{Name: "token-env", Category: trust, Destination: &f.tokenEnv,
			Usage: "take it from the environment variable `NAME`"},
		&cli.StringFlag{Name: "token-out", Category: trust, Destination: &f.tokenOut,
			Usage: "make the token and write it to `FILE`, which must not be there and goes at the end"},
		&cli.BoolFlag{Name: "no-token", Category: trust, Destination: &f.noToken,
			Usage: "ask for no token: every program on this machine may ask"},
	}
}

func (f *liveFlags) limiting() []cli.Flag {
	return []cli.Flag{
		&cli.DurationFlag{Name: "timeout", Category: limits, Destination: &f.timeout,
			Usage: "of an ask in all, `DURATION` as in 500ms; 1s unless given"},
		&cli.DurationFlag{Name: "connect-timeout", Category: limits, Destination: &f.connect,
			Usage: "of that, for connecting, `DURATION`; 200ms unless given"},
		&cli.StringFlag{Name: "max-bytes", Category: limits, Destination: &f.maxBytes,
			Usage: "refuse answers of more than `N` bytes, after decompression; 8M unless given"},
		&cli.StringFlag{Name: "max-in-flight", Category: limits, Destination: &f.inFlight,
			Usage: "at most `N` asks at the provider at one time; 4 unless given"},
		&cli.StringFlag{Name: "max-waiting", Category: limits, Destination: &f.waiting,
			Usage: "at most `N` asks that wait for one of these, then refuse; 16 unless given, none for none"},
		&cli.StringFlag{Name: "max-depth", Category: limits, Destination: &f.maxDepth,
			Usage: "refuse answers of more than `N` levels of JSON, as read or as written; 512 unless given"},
	}
}

func (f *liveFlags) tellingLive() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "log-level", Category: telling, Destination: &f.logLevel, Value: "info",
			Usage: "`LEVEL` of what is logged to standard error: debug, info, warn, error or none; info unless given"},
		&cli.StringFlag{Name: "log-format", Category: telling, Destination: &f.logFormat, Value: "text",
			Usage: "`FORMAT` of the log: text or json"},
		&cli.StringFlag{Name: "metrics", Category: telling, Destination: &f.metrics,
			Usage: "serve metrics in the Prometheus format at `HOST:PORT`, on this machine alone, under /metrics"},
	}
}

// liveOptions are what the flags say of how answers are translated.
func (f *liveFlags) liveOptions(c *convertFlags) (*proxy.Options, error) {
	o := &proxy.Options{Timeout: f.timeout, Connect: f.connect, Now: time.Now}
	if f.timeout < 0 || f.connect < 0 {
		return nil, usageError{text: "a time limit is more than nothing"}
	}
	var err error
	if o.Limits.Bytes, err = count("max-bytes", f.maxBytes, math.MaxInt32); err != nil {
		return nil, err
	}
	if o.Limits.Depth, err = count("max-depth", f.maxDepth, 1<<20); err != nil {
		return nil, err
	}
	if o.Limits.InFlight, err = count("max-in-flight", f.inFlight, 1<<16); err != nil {
		return nil, err
	}
	if o.Limits.Waiting = -1; f.waiting != "none" {
		if o.Limits.Waiting, err = count("max-waiting", f.waiting, 1<<16); err != nil {
			return nil, err
		}
	}
	now := c.timestamp == "now" // of each answer, not of the start
	if now {
		c.timestamp = ""
	}
	if err = c.check(&readFlags{}); err != nil {
		return nil, err
	}
	if c.fileTime {
		return nil, usageError{text: "--timestamp mtime: a live answer is no file and has no time of change"}
	}
	o.Convert = c.options
	return o, nil
}

// live is a command that goes on.
type live struct {
	streams streams
	options *proxy.Options
	ctx     context.Context // until interrupted
	log     *slog.Logger
	cleanup []func()
}

// start sets up logs, metrics and the end.
func (f *liveFlags) start(s streams, o *proxy.Options) (*live, error) {
	l := &live{streams: s, options: o}
	handler, err := f.logHandler(s)
	if err != nil {
		return nil, err
	}
	l.log = slog.New(handler)
	o.Log = l.log
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // what is kept is next to nothing, and collecting it often is not worth it
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	l.ctx, l.cleanup = ctx, append(l.cleanup, stop)
	if f.metrics != "" {
		if err := l.serveMetrics(f.metrics); err != nil {
			l.end()
			return nil, err
		}
	}
	return l, nil
}

// observe counts a request where requests are counted.
func (l *live) observe(e proxy.Event) {
	if l.options.Observe != nil {
		l.options.Observe(e)
	}
}

// end undoes what start and what came after have done, the last first.
func (l *live) end() {
	for i := len(l.cleanup) - 1; i >= 0; i-- {
		l.cleanup[i]()
	}
	l.cleanup = nil
}

func (f *liveFlags) logHandler(s streams) (slog.Handler, error) {
	var level slog.Level
	if f.logLevel != "none" && level.UnmarshalText([]byte(f.logLevel)) != nil {
		return nil, usageError{text: fmt.Sprintf("--log-level takes debug, info, warn, error or none, not %q", f.logLevel)}
	}
	opts := &slog.HandlerOptions{Level: level}
	switch {
	case f.logFormat != "text" && f.logFormat != "json":
		return nil, usageError{text: fmt.Sprintf("--log-format takes text or json, not %q", f.logFormat)}
	case f.logLevel == "none":
		return slog.DiscardHandler, nil
	case f.logFormat == "json":
		return slog.NewJSONHandler(s.stderr, opts), nil
	}
	return slog.NewTextHandler(s.stderr, opts), nil
}

// serveUntilEnd serves until the program is interrupted, and then lets work in hand
// finish for two seconds. Before is called first then.
func (l *live) serveUntilEnd(listener net.Listener, server *http.Server, before func()) error {
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return ioError{err: fmt.Errorf("listening failed: %w", err)}
	case <-l.ctx.Done():
	}
	l.log.Info("ending")
	before()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if server.Shutdown(ctx) != nil {
		server.Close()
	}
	<-failed
	return nil
}
