package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"ctxmigrate/translate/proxy"
)

// serveMetrics counts requests and serves the counts on a listener of their own.
func (l *live) serveMetrics(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !proxy.Loopback(host) {
		return usageError{text: fmt.Sprintf("--metrics takes HOST:PORT of this machine, not %q", address)}
	}
	set := metrics.NewSet()
	bounds := []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5}
	in, out := set.NewCounter(`ctxmigrate_answer_bytes_total{side="in"}`), set.NewCounter(`ctxmigrate_answer_bytes_total{side="out"}`)
	l.options.Observe = func(e proxy.Event) { // routes and outcomes are words of this program
		set.GetOrCreateCounter(fmt.Sprintf("ctxmigrate_requests_total{outcome=%q,route=%q}", e.Outcome, e.Route)).Inc()
		set.GetOrCreatePrometheusHistogramExt(fmt.Sprintf("ctxmigrate_request_seconds{route=%q}", e.Route), bounds).Update(e.Took.Seconds())
		in.AddInt64(int64(e.In))
		out.AddInt64(int64(e.Out))
	}
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
		set.WritePrometheus(w)
		metrics.WriteProcessMetrics(w)
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	go server.Serve(listener)
	l.cleanup = append(l.cleanup, func() { server.Close() })
	l.log.Info("metrics", "url", "http://"+listener.Addr().String()+"/metrics")
	return nil
}
