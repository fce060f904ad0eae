package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"

	"ctxmigrate/translate/proxy"
)

// bind begins to listen. It answers where, as a URL or unix:PATH, and the values
// of Host that name it.
func (f *liveFlags) bind(l *live) (net.Listener, string, []string, error) {
	if path, ok := strings.CutPrefix(f.address, "unix:"); ok {
		listener, err := listenUnix(path)
		if err != nil {
			return nil, "", nil, ioError{err: fmt.Errorf("cannot listen on %s: %s", printable(path), reason(err))}
		}
		return listener, f.address, append([]string{"localhost"}, f.hosts.Value()...), nil
	}
	host, _, err := net.SplitHostPort(f.address)
	if err != nil {
		return nil, "", nil, usageError{text: fmt.Sprintf("--listen takes HOST:PORT or unix:PATH, not %q", f.address)}
	}
	remote := !proxy.Loopback(host)
	switch {
	case remote && !f.allowRemote:
		return nil, "", nil, usageError{text: fmt.Sprintf("--listen %s would be open to other machines; --allow-remote, with a certificate, allows that", printable(f.address))}
	case remote && f.tlsCert == "":
		return nil, "", nil, usageError{text: "other machines are served by https alone: name --tls-cert and --tls-key"}
	case remote && f.noToken:
		return nil, "", nil, usageError{text: "--no-token is for this machine alone"}
	case (f.tlsCert == "") != (f.tlsKey == ""):
		return nil, "", nil, usageError{text: "--tls-cert and --tls-key are named together"}
	}
	listener, err := net.Listen("tcp", f.address)
	if err != nil {
		return nil, "", nil, ioError{err: fmt.Errorf("cannot listen on %s: %w", printable(f.address), errors.Unwrap(err))}
	}
	at := listener.Addr().(*net.TCPAddr)
	port := fmt.Sprint(at.Port)
	names := []string{strings.ToLower(net.JoinHostPort(strings.Trim(host, "[]"), port)), "localhost:" + port}
	if remote && at.IP.IsUnspecified() {
		names = nil
	}
	scheme := "http://"
	if f.tlsCert != "" {
		pair, err := tls.LoadX509KeyPair(f.tlsCert, f.tlsKey)
		if err != nil {
			listener.Close()
			return nil, "", nil, usageError{text: "the certificate or its key cannot be read: " + printable(err.Error())}
		}
		listener = tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12})
		scheme = "https://"
	}
	for _, h := range f.hosts.Value() {
		names = append(names, strings.ToLower(h))
	}
	if names == nil {
		listener.Close()
		return nil, "", nil, usageError{text: "--host says by which names other machines may ask; at least one is wanted"}
	}
	return listener, scheme + at.String(), names, nil
}
