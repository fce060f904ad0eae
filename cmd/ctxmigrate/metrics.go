package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"ctxmigrate/translate/proxy"
)

// serveMetrics counts requests and serves the counts on a listener of their own.
func (l *live) serveMetrics(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !proxy.Loopback(host) {
		return usageError{text: fmt.Sprintf("--metrics takes HOST:PORT of this machine, not %q", address)}
	}
	var counts meter
	l.options.Observe = counts.observe
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return ioError{err: fmt.Errorf("cannot listen on %s for metrics", printable(address))}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		if !proxy.Loopback(r.Host) || len(r.Header["Origin"]) > 0 {
			http.Error(w, "not for pages", http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		counts.WriteTo(w)
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	go server.Serve(listener)
	l.cleanup = append(l.cleanup, func() { server.Close() })
	l.log.Info("metrics", "url", "http://"+listener.Addr().String()+"/metrics")
	return nil
}
