package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"sync"

	"ctxmigrate/translate/proxy"
)

// meter counts the requests of a proxy, for the text format of Prometheus 0.0.4. It
// is written by hand, since the libraries for that look around on the machine at the
// start of every program that they are linked into. The zero meter is ready.
type meter struct {
	mu       sync.Mutex
	requests map[[2]string]uint64 // by outcome and route
	seconds  map[string]*spread   // by route
	in, out  uint64               // bytes of answers
}

// spread is how long requests have taken.
type spread struct {
	within [len(bounds)]uint64 // how many took no longer than each bound
	count  uint64
	sum    float64 // seconds
}

// bounds are in seconds.
var bounds = [...]float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5}

// observe counts a request. Its route and its outcome are words of this program.
func (m *meter) observe(e proxy.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.requests == nil {
		m.requests, m.seconds = map[[2]string]uint64{}, map[string]*spread{}
	}
	m.requests[[2]string{e.Outcome, e.Route}]++
	m.in += uint64(e.In)
	m.out += uint64(e.Out)
	s := m.seconds[e.Route]
	if s == nil {
		s = &spread{}
		m.seconds[e.Route] = s
	}
	took := e.Took.Seconds()
	for i, b := range bounds {
		if took <= b {
			s.within[i]++
		}
	}
	s.count++
	s.sum += took
}

// WriteTo writes the counts.
func (m *meter) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	m.mu.Lock()
	fmt.Fprintln(&b, "# HELP ctxmigrate_requests_total Requests that were answered.\n# TYPE ctxmigrate_requests_total counter")
	for _, k := range slices.SortedFunc(maps.Keys(m.requests), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		fmt.Fprintf(&b, "ctxmigrate_requests_total{outcome=%q,route=%q} %d\n", k[0], k[1], m.requests[k])
	}
	fmt.Fprintln(&b, "# HELP ctxmigrate_answer_bytes_total Size of the answers before (in) and after (out).\n# TYPE ctxmigrate_answer_bytes_total counter")
	fmt.Fprintf(&b, "ctxmigrate_answer_bytes_total{side=\"in\"} %d\nctxmigrate_answer_bytes_total{side=\"out\"} %d\n", m.in, m.out)
	fmt.Fprintln(&b, "# HELP ctxmigrate_request_seconds Time to answer.\n# TYPE ctxmigrate_request_seconds histogram")
	for _, route := range slices.Sorted(maps.Keys(m.seconds)) {
		s := m.seconds[route]
		for i, bound := range bounds {
			fmt.Fprintf(&b, "ctxmigrate_request_seconds_bucket{route=%q,le=%q} %d\n", route, number(bound), s.within[i])
		}
		fmt.Fprintf(&b, "ctxmigrate_request_seconds_bucket{route=%q,le=\"+Inf\"} %d\n", route, s.count)
		fmt.Fprintf(&b, "ctxmigrate_request_seconds_sum{route=%q} %s\nctxmigrate_request_seconds_count{route=%q} %d\n", route, number(s.sum), route, s.count)
	}
	m.mu.Unlock()
	return b.WriteTo(w)
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
