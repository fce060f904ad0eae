package main

import (
	"strings"
	"sync"
	"testing"
	"time"

	"ctxmigrate/translate/proxy"
)

// TestMeter holds the text of the metrics, line by line, and that requests may end at
// the same time.
func TestMeter(t *testing.T) {
	var counts meter
	var b strings.Builder
	counts.WriteTo(&b)
	if want := "ctxmigrate_answer_bytes_total{side=\"out\"} 0\n"; !strings.Contains(b.String(), want) {
		t.Errorf("before any request it says\n%s", b.String())
	}
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			counts.observe(proxy.Event{Route: "current", Outcome: "ok", In: 3, Out: 5, Took: 250 * time.Millisecond})
			counts.observe(proxy.Event{Route: "current", Outcome: "timeout", Took: 4 * time.Second})
		})
	}
	all.Wait()
	counts.observe(proxy.Event{Route: "list", Outcome: "ok", Took: 500 * time.Microsecond})
	b.Reset()
	n, err := counts.WriteTo(&b)
	if n != int64(b.Len()) || err != nil {
		t.Errorf("%d bytes are %d, %v", b.Len(), n, err)
	}
	want := `# HELP ctxmigrate_requests_total Requests that were answered.
# TYPE ctxmigrate_requests_total counter
ctxmigrate_requests_total{outcome="ok",route="current"} 10
ctxmigrate_requests_total{outcome="ok",route="list"} 1
ctxmigrate_requests_total{outcome="timeout",route="current"} 10
# HELP ctxmigrate_answer_bytes_total Size of the answers before (in) and after (out).
# TYPE ctxmigrate_answer_bytes_total counter
ctxmigrate_answer_bytes_total{side="in"} 30
ctxmigrate_answer_bytes_total{side="out"} 50
# HELP ctxmigrate_request_seconds Time to answer.
# TYPE ctxmigrate_request_seconds histogram
ctxmigrate_request_seconds_bucket{route="current",le="0.0005"} 0
`
	if !strings.HasPrefix(b.String(), want) {
		t.Errorf("got\n%s\nwanted it to begin with\n%s", b.String(), want)
	}
	for _, line := range []string{
		`_bucket{route="current",le="0.1"} 0`, `_bucket{route="current",le="0.25"} 10`, `_bucket{route="current",le="2.5"} 10`,
		`_bucket{route="current",le="+Inf"} 20`, `_sum{route="current"} 42.5`, `_count{route="current"} 20`, `_bucket{route="list",le="0.0005"} 1`,
	} {
		if !strings.Contains(b.String(), "\nctxmigrate_request_seconds"+line+"\n") {
			t.Errorf("there is no line %s in\n%s", line, b.String())
		}
	}
}
