package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"ctxmigrate/translate/proxy"
)

// listen runs proxy http and proxy mcp.
func (p *proxyFlags) listen(l *live, mode string, d *announced) error {
	up, err := p.provider(d)
	if err != nil {
		return err
	}
	listener, at, hosts, err := p.bind(l)
	if err != nil {
		return err
	}
	l.cleanup = append(l.cleanup, func() { listener.Close() })
	guard := proxy.Guard{Hosts: hosts, Origins: p.origins.Value()}
	if guard.Token, err = p.hostToken(l, p.passToken, p.descriptorOut != ""); err != nil {
		return err
	}
	handler, end, err := p.handler(mode, up, guard, l)
	if err != nil {
		return usageError{text: err.Error()}
	}
	l.cleanup = append(l.cleanup, end)
	withdraw := func() {}
	if p.descriptorOut != "" {
		token := guard.Token
		if p.passToken {
			token = d.Token
		}
		text, err := d.Announce(at, nil, token, l.options.To)
		if err != nil {
			return usageError{text: err.Error()}
		}
		if withdraw, err = p.publish(d, text); err != nil {
			return err
		}
		l.cleanup = append(l.cleanup, withdraw)
	}
	l.log.Info("listening", "url", at)
	if u, err := url.Parse(up.URL); mode == "mcp" && err == nil && !strings.HasPrefix(at, "unix:") {
		at += u.Path // the endpoint
	}
	if err := l.streams.print(at + "\n"); err != nil {
		return err
	}
	return l.serveUntilEnd(listener, proxy.NewServer(handler, *l.options), func() { withdraw(); end() })
}

func (p *proxyFlags) handler(mode string, up proxy.Upstream, g proxy.Guard, l *live) (http.Handler, func(), error) {
	if mode == "mcp" {
		h, err := proxy.NewMCP(up, g, *l.options)
		if err != nil {
			return nil, nil, err
		}
		return h, h.Close, nil
	}
	h, err := proxy.NewHTTP(up, g, *l.options)
	if err != nil {
		return nil, nil, err
	}
	return h, h.Close, nil
}

// provider is where the provider listens.
func (p *proxyFlags) provider(d *announced) (up proxy.Upstream, err error) {
	up = proxy.Upstream{URL: p.upstream, AllowRemote: p.allowRemote, PassToken: p.passToken}
	if up.URL == "" && d != nil {
		up.URL, up.Socket = d.ProviderURL(), d.Socket
	}
	if path, ok := strings.CutPrefix(up.URL, "unix:"); ok {
		up.URL, up.Socket = "", path
	}
	if up.URL == "" && up.Socket == "" {
		return up, usageError{text: "where is the provider? --upstream takes its URL, --descriptor the file that it announces itself with"}
	}
	token, err := readToken(p.providerFile, p.providerEnv)
	if err != nil {
		return up, err
	}
	if token == "" && d != nil {
		token = d.Token
	}
	if p.passToken {
		if p.providerFile != "" || p.providerEnv != "" {
			return up, usageError{text: "--pass-token sends the provider the host's token, and no other"}
		}
		return up, nil
	}
	up.Token = func() (string, error) { return token, nil }
	return up, nil
}

// hostToken is the token that hosts are to send, which is made where it is not
// given. Announced says that the descriptor tells it.
func (f *liveFlags) hostToken(l *live, pass, announced bool) (string, error) {
	named := 0
	for _, is := range []bool{f.tokenFile != "", f.tokenEnv != "", f.tokenOut != "", f.noToken, pass} {
		if is {
			named++
		}
	}
	switch {
	case named > 1:
		return "", usageError{text: "of --token-file, --token-env, --token-out, --no-token and --pass-token only one can be had"}
	case f.noToken, pass:
		return "", nil
	case f.tokenFile != "", f.tokenEnv != "":
		return readToken(f.tokenFile, f.tokenEnv)
	}
	token, err := proxy.NewToken(rand.Read)
	if err != nil {
		return "", ioError{err: fmt.Errorf("no token can be made: %w", err)}
	}
	if announced && f.tokenOut == "" {
		return token, nil
	}
	path := f.tokenOut
	if path == "" {
		path = filepath.Join(temporary(), fmt.Sprintf("ctxmigrate-%d.token", os.Getpid()))
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return "", usageError{text: printable(path) + " is there already; remove it, or name another file with --token-out"}
	}
	if err != nil {
		return "", writeError(path, err)
	}
	l.cleanup = append(l.cleanup, func() { os.Remove(path) })
	if _, err = file.WriteString(token + "\n"); err == nil {
		err = file.Close()
	}
	if err != nil {
		return "", writeError(path, err)
	}
	l.log.Info("token", "file", path)
	return token, nil
}

// temporary is a folder for files that are this user's alone, where there is one.
func temporary() string {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
	}
	return os.TempDir()
}

// readToken reads a token from a file or from the environment, "" where neither
// is named.
func readToken(file, env string) (string, error) {
	if file != "" && env != "" {
		return "", usageError{text: "a token comes from a file or from the environment, not from both"}
	}
	var token, from string
	switch {
	case file != "":
		text, err := os.ReadFile(file)
		if err != nil {
			return "", usageError{text: "the token cannot be read from " + printable(file) + ": " + reason(err)}
		}
		token, from = strings.TrimSpace(string(text)), printable(file)
	case env != "":
		token, from = os.Getenv(env), "the environment variable "+printable(env)
	default:
		return "", nil
	}
	if token == "" || strings.IndexFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) >= 0 {
		return "", usageError{text: "there is no token in " + from + ", or one that a header cannot bear"}
	}
	return token, nil
}
