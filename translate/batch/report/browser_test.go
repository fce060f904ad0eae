package report

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser starts a headless Chromium, or skips where there is none.
func browser(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("there is no Chromium to open the page in")
	}
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.Flag("disable-background-networking", true), chromedp.UserDataDir(t.TempDir()))
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(alloc)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Skipf("Chromium does not start: %v", err)
	}
	ctx, cancel = context.WithTimeout(ctx, time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// value is what an expression says in the page.
func value[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// watch calls f with each event of a kind.
func watch[E any](t *testing.T, ctx context.Context, event cdp.Event[E], f func(E)) {
	events := chromedp.Events(ctx, event)
	go func() {
		for e, err := range events {
			if err != nil {
				return
			}
			f(e)
		}
	}()
}

// TestBrowser opens the page: nothing in it fails or is fetched, no text became
// markup, figures and plots are seen in light and in dark, on a wide and on a
// narrow screen, and the table is sorted by a click.
func TestBrowser(t *testing.T) {
	dir := t.TempDir()
	if *keep != "" {
		dir = *keep
	}
	sample(t, dir, 60)
	ctx := browser(t)
	var lock sync.Mutex
	var wrong []string
	blame := func(text string) {
		lock.Lock()
		defer lock.Unlock()
		wrong = append(wrong, text)
	}
	requests := 0
	watch(t, ctx, runtime.ExceptionThrown, func(e runtime.EventExceptionThrown) { blame(e.ExceptionDetails.Text) })
	watch(t, ctx, log.EntryAdded, func(e log.EventEntryAdded) { blame(e.Entry.Text) })
	watch(t, ctx, network.RequestWillBeSent, func(e network.EventRequestWillBeSent) {
		if lock.Lock(); strings.HasSuffix(e.Request.URL, "/"+HTMLName) {
			requests++
		}
		lock.Unlock()
		if !strings.HasSuffix(e.Request.URL, "/"+HTMLName) {
			blame("it fetches " + e.Request.URL)
		}
	})
	for _, enable := range []func() error{
		func() error { _, err := chromedp.Call(ctx, log.Enable, cdp.Empty{}); return err },
		func() error { _, err := chromedp.Call(ctx, runtime.Enable, cdp.Empty{}); return err },
		func() error { _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); return err },
	} {
		if err := enable(); err != nil {
			t.Fatal(err)
		}
	}
	page, err := filepath.Abs(filepath.Join(dir, HTMLName))
	if err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1200, 900), chromedp.Navigate("file://"+page)); err != nil {
		t.Fatal(err)
	}
	for expression, want := range map[string]string{
		`document.title`: "ctxmigrate batch: To 0.2.0",
		`document.getElementById("verdict").textContent`:                                                                                  "104\u202f400 documents, 104\u202f400 verified, 0 lost",
		`"" + document.querySelectorAll("#refused tbody tr").length`:                                                                      "60",
		`"" + document.querySelectorAll("img, iframe").length`:                                                                            "0",
		`"" + document.querySelectorAll("script").length`:                                                                                 "1",
		`"" + [...document.querySelectorAll("#refused td")].filter(d => d.textContent.startsWith("<\/script>")).length`:                   "15",
		`"" + [...document.querySelectorAll("svg")].filter(s => s.getBoundingClientRect().height > 50 && s.getBBox().width > 300).length`: "3",
	} {
		if got := value[string](t, ctx, expression); got != want {
			t.Errorf("%s is %q, not %q", expression, got, want)
		}
	}
	lines := func() string {
		return value[string](t, ctx, `[...document.querySelectorAll("#refused td:nth-child(3)")].map(d => +d.textContent).join(" ")`)
	}
	unsorted := lines()
	for _, way := range []string{"ascending", "descending"} {
		if err := chromedp.Do(ctx, chromedp.Click(chromedp.CSS("#refused th:nth-child(3) button"))); err != nil {
			t.Fatal(err)
		}
		if got := value[string](t, ctx, `document.querySelector("#refused th:nth-child(3)").getAttribute("aria-sort")`); got != way {
			t.Errorf("sorted %q, not %s", got, way)
		}
		var list []int
		for _, f := range strings.Fields(lines()) {
			n, _ := strconv.Atoi(f)
			list = append(list, n)
		}
		if way == "descending" {
			slices.Reverse(list)
		}
		if !slices.IsSorted(list) || len(list) != 60 || lines() == unsorted {
			t.Errorf("%s: %v", way, list)
		}
	}
	looks := map[string]bool{}
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1200, 400} {
			features := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
			if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, features); err != nil {
				t.Fatal(err)
			}
			if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 1500)); err != nil {
				t.Fatal(err)
			}
			looks[value[string](t, ctx, `getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color`)] = true
			if value[bool](t, ctx, `document.documentElement.scrollWidth > innerWidth`) {
				t.Errorf("%s, %d wide: the page is wider than the screen", scheme, width)
			}
			if *keep != "" {
				value[float64](t, ctx, `scrollTo(0, 0), scrollY`)
				picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
				if err != nil {
					t.Fatal(err)
				}
				os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d.png", scheme, width)), picture, 0o666)
			}
		}
	}
	if len(looks) != 2 {
		t.Errorf("light and dark look alike: %v", looks)
	}
	lock.Lock()
	defer lock.Unlock()
	if requests == 0 {
		t.Error("no request was seen, so it is not known what is fetched")
	}
	for _, w := range wrong {
		t.Error(w)
	}
}
