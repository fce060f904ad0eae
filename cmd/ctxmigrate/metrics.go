package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"ctxmigrate/translate/proxy"
)

// serveMetrics counts requests and serves the counts on a listener of their own.
func (l *live) serveMetrics(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !proxy.Loopback(host) {
		return usageError{text: fmt.Sprintf("--metrics takes HOST:PORT of this machine, not %q", address)}
	}
	registry := prometheus.NewRegistry()
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "ctxmigrate_requests_total",
		Help: "Requests that ended, by route and outcome."}, []string{"route", "outcome"})
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "ctxmigrate_request_seconds",
		Help: "How long requests took.", Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5}}, []string{"route"})
	bytes := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "ctxmigrate_answer_bytes_total",
		Help: "Bytes of answers, before (in) and after (out) they were translated."}, []string{"side"})
	registry.MustRegister(requests, seconds, bytes, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	l.options.Observe = func(e proxy.Event) {
		requests.WithLabelValues(e.Route, e.Outcome).Inc()
		seconds.WithLabelValues(e.Route).Observe(e.Took.Seconds())
		bytes.WithLabelValues("in").Add(float64(e.In))
		bytes.WithLabelValues("out").Add(float64(e.Out))
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return ioError{err: fmt.Errorf("cannot listen on %s for metrics", printable(address))}
	}
	mux := http.NewServeMux()
	page := promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		if !proxy.Loopback(r.Host) || len(r.Header["Origin"]) > 0 {
			http.Error(w, "not for pages", http.StatusForbidden)
			return
		}
		page.ServeHTTP(w, r)
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	go server.Serve(listener)
	l.cleanup = append(l.cleanup, func() { server.Close() })
	l.log.Info("metrics", "url", "http://"+listener.Addr().String()+"/metrics")
	return nil
}
