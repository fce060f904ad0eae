package proxy_test

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
)

var (
	load = flag.Bool("load", false, "measure what the proxy adds, against asking directly; for a machine with nothing else to do")
	soak = flag.Duration("soak", time.Second, "how long the proxy is held under load while its memory, goroutines and files are watched")
)

// direct and proxied ways to ask the same provider.
type ways struct {
	client          *http.Client
	direct, proxied string
}

func newWays(t testing.TB, size int) *ways {
	doc := docgen.Sized("0.1", size, docgen.Plain)
	s := setup{}
	s.opts.To = translate.V020
	s.opts.Limits.InFlight, s.opts.Limits.Waiting, s.opts.Timeout = 32, 64, 10*time.Second
	s.opts.Connect = 5 * time.Second // many programs may want this machine
	g := newRig(t, s, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(doc)
	}))
	g.log.drop.Store(true)
	tr := &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}
	t.Cleanup(tr.CloseIdleConnections)
	return &ways{&http.Client{Transport: tr}, g.provider.URL + "/current", g.url + "/current"}
}

func (w *ways) ask(url string) error {
	resp, err := w.client.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && (resp.StatusCode != 200 || len(body) < 1000) {
		err = fmt.Errorf("status %d: %.200s", resp.StatusCode, body)
	}
	return err
}

// TestLoad measures what the proxy adds to an ask, in turn with asking directly, and
// how many asks a second pass with 32 hosts.
func TestLoad(t *testing.T) {
	if !*load {
		t.Skip("-load measures")
	}
	for _, c := range []struct {
		size        int
		median, p99 time.Duration
	}{{5 << 10, 150 * time.Microsecond, 1500 * time.Microsecond}, {64 << 10, 800 * time.Microsecond, 5 * time.Millisecond}} {
		w := newWays(t, c.size)
		const n = 4000
		took := map[string][]time.Duration{}
		for i := range n + 200 {
			for _, url := range []string{w.direct, w.proxied} {
				start := time.Now()
				if err := w.ask(url); err != nil {
					t.Fatal(err)
				}
				if i >= 200 {
					took[url] = append(took[url], time.Since(start))
				}
			}
		}
		at := func(url string, q float64) time.Duration {
			slices.Sort(took[url])
			return took[url][int(q*float64(n-1))]
		}
		median, p99 := at(w.proxied, .5)-at(w.direct, .5), at(w.proxied, .99)-at(w.direct, .99)
		t.Logf("%d KiB: direct %v, p99 %v; the proxy adds %v at the median and %v at p99", c.size>>10, at(w.direct, .5), at(w.direct, .99), median, p99)
		if median > c.median || p99 > c.p99 {
			t.Errorf("more than %v and %v", c.median, c.p99)
		}
	}
	w := newWays(t, 5<<10)
	var direct, proxied float64
	const turns = 10
	for range turns { // in turn, since other programs come and go
		direct += float64(w.hammer(t, w.direct, 32, 400*time.Millisecond)) / .4 / turns
		proxied += float64(w.hammer(t, w.proxied, 32, 400*time.Millisecond)) / .4 / turns
	}
	t.Logf("32 clients, 5 KiB: %.0f asks a second directly, %.0f through the proxy: %.2f", direct, proxied, proxied/direct)
	if proxied < direct/3 {
		t.Error("less than a third")
	}
}

// hammer asks with some clients for some time.
func (w *ways) hammer(t testing.TB, url string, clients int, d time.Duration) int64 {
	var n atomic.Int64
	var all sync.WaitGroup
	end := time.Now().Add(d)
	for range clients {
		all.Go(func() {
			for time.Now().Before(end) {
				if err := w.ask(url); err != nil {
					t.Error(err)
					return
				}
				n.Add(1)
			}
		})
	}
	all.Wait()
	return n.Load()
}

// TestSoak holds memory, goroutines and files flat under load.
func TestSoak(t *testing.T) {
	w := newWays(t, 5<<10)
	look := func() (heap uint64, routines, files int) {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		list, _ := os.ReadDir("/proc/self/fd")
		return m.HeapAlloc, runtime.NumGoroutine(), len(list)
	}
	w.hammer(t, w.proxied, 32, *soak/4)
	heap, routines, files := look()
	n := w.hammer(t, w.proxied, 32, *soak*3/4)
	heap2, routines2, files2 := look()
	t.Logf("%d asks: heap %d to %d KiB, goroutines %d to %d, files %d to %d", n, heap>>10, heap2>>10, routines, routines2, files, files2)
	if heap2 > heap+heap/2+4<<20 || routines2 > routines+40 || files2 > files+40 {
		t.Error("it grows")
	}
	if n == 0 {
		t.Error("nothing was asked")
	}
}

// BenchmarkAsk is an ask at a time, directly and through the proxy.
func BenchmarkAsk(b *testing.B) {
	for _, size := range []int{5 << 10, 64 << 10} {
		w := newWays(b, size)
		for _, way := range []string{"direct", "proxied"} {
			url := w.direct
			if way == "proxied" {
				url = w.proxied
			}
			b.Run(fmt.Sprintf("%dKiB/%s", size>>10, way), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := w.ask(url); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
