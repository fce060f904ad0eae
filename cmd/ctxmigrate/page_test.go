package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The texts of this answer try to become markup, to reach out and to run.
const hostile = `{"protocol":"0.1","instance":"i","items":[
{"id":"w","type":"window","title":"</code><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"},
{"id":"n","type":"note","parent":"w","title":"\u202eright to left\u0007 \u001b[31mred {{.}} 日本 שלום","content":[{"type":"text","text":"<b>bold</b> & https://example.test/x.png"}]},
{"id":"s","type":"selection","parent":"n","content":[{"type":"text","text":"words"}]},
{"id":"p","type":"password","parent":"w","title":"PIN","content":[{"type":"text","text":"hunter2"}]},
{"id":"o","type":"note","parent":"gone"}
],"focus":["n"]}`

// pagesOf are the pagesOf of the three commands, of that answer.
func pagesOf(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	src := filepath.Join(dir, "answer.json")
	if err := os.WriteFile(src, []byte(hostile), 0o666); err != nil {
		t.Fatal(err)
	}
	made := map[string]string{}
	for name, args := range map[string][]string{
		"tree": {"tree"}, "check": {"check", "--level", "note"}, "explain": {"explain", "--to", "0.2.0"},
	} {
		path := filepath.Join(dir, name+".html")
		var out, errs bytes.Buffer
		status := Run(append(args, "--html", path, src), nil, &out, &errs)
		if want := map[bool]int{true: statusFound, false: statusDone}[name == "check"]; status != want {
			t.Fatalf("%s: status %d: %s", name, status, errs.String())
		}
		made[name] = path
	}
	return made
}

// TestPagesHoldNoMarkup holds that no text of an answer becomes markup, that nothing
// secure is on a page, and that a page asks for nothing.
func TestPagesHoldNoMarkup(t *testing.T) {
	for name, path := range pagesOf(t) {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(page)
		for _, never := range []string{"<script>document", "<img", "<b>bold", "hunter2", "\x1b", "\x07", "\u202e", "<link", "src=\"", "href=", "@import", "url("} {
			if strings.Contains(text, never) {
				t.Errorf("the page of %s holds %q", name, never)
			}
		}
		if !strings.Contains(text, "&lt;script&gt;") || !strings.Contains(text, "日本") {
			t.Errorf("the page of %s does not hold the title", name)
		}
		if strings.Count(text, "<script>") != 1 || strings.Count(text, "<style>") != 1 {
			t.Errorf("the page of %s has more than its own script and style", name)
		}
	}
}

// browser starts a headless Chromium, or skips the test where there is none.
func browser(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("there is no Chromium here")
	}
	// a browser that is stopped may write a little longer, which is no failure
	profile, err := os.MkdirTemp("", "browser")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(profile) })
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.UserDataDir(profile), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-dev-shm-usage", true))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 60*time.Second)
	t.Cleanup(stop)
	return ctx
}

// TestPagesInBrowser opens the pages, in both themes and at phone width, points,
// clicks and types, and reads back what is lit.
func TestPagesInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	ctx := browser(t)
	var asked []string
	var lock sync.Mutex
	if err := chromedp.Listen(ctx, func(ev any) {
		if e, ok := ev.(*network.EventRequestWillBeSent); ok && !strings.HasPrefix(e.Request.URL, "file:") {
			lock.Lock()
			asked = append(asked, e.Request.URL)
			lock.Unlock()
		}
	}); err != nil {
		t.Skipf("Chromium does not start: %v", err)
	}
	run := func(what string, actions ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		if err := chromedp.Do(ctx, actions...); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	eval := func(expr string) string {
		t.Helper()
		v, err := chromedp.Run(ctx, chromedp.Evaluate[string](expr))
		if err != nil {
			t.Fatalf("%s: %v", expr, err)
		}
		return v
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	for name, path := range pagesOf(t) {
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{1200, 390} {
				features := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}}
				if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, features); err != nil {
					t.Fatal(err)
				}
				run(name, chromedp.EmulateViewport(width, 800), chromedp.Navigate("file://"+path), chromedp.WaitReady(chromedp.CSS("main")))
				if title := eval(`document.title`); title == "owned" || title == "" {
					t.Errorf("%s: the title is %q", name, title)
				}
				if wide := eval(`String(document.documentElement.scrollWidth > innerWidth)`); wide != "false" {
					t.Errorf("%s is wider than %d columns of pixels", name, width)
				}
				if c := eval(`String(contrast(getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor));
					function contrast(a, b) { const l = (s) => { const [r, g, b] = s.match(/\d+/g).map((v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
					const [x, y] = [l(a), l(b)].sort((p, q) => q - p); return (x + .05) / (y + .05) >= 7; }`); c != "true" {
					t.Errorf("%s: the text is hard to read in the %s theme", name, theme)
				}
			}
		}
		// the keyboard: what has the focus is lit on both sides
		run(name, chromedp.EmulateViewport(1200, 800), chromedp.Navigate("file://"+path), chromedp.WaitReady(chromedp.CSS("main")),
			chromedp.Focus(chromedp.CSS(".result .k[tabindex]")), chromedp.KeyEvent(kb.ArrowDown))
		lit := `String(document.querySelectorAll(".source .lit").length > 0 && document.querySelectorAll(".result .lit").length > 0 &&
			new Set([...document.querySelectorAll(".lit")].map((e) => e.dataset.k)).size === 1)`
		if eval(lit) != "true" {
			t.Errorf("%s: focus does not light both sides", name)
		}
		if eval(`String(document.activeElement === document.querySelectorAll('.result .k[tabindex="0"]')[1])`) != "true" {
			t.Errorf("%s: the arrow key did not go on", name)
		}
		run(name, chromedp.KeyEvent(kb.Escape))
		if eval(`String(document.querySelectorAll(".lit").length)`) != "0" {
			t.Errorf("%s: Escape does not let go", name)
		}
		// the pointer: a click on the source holds the light
		eval(`document.activeElement.blur(); ""`)
		run(name, chromedp.Click(chromedp.CSS(`.source .k[tabindex="0"]`)), chromedp.MouseClickXY(1, 1))
		if eval(lit) != "true" {
			t.Errorf("%s: a click does not light both sides", name)
		}
		if name == "check" {
			// of several findings on one line each has its own light
			if eval(`String([...document.querySelectorAll(".found .k")].every((e) => { e.dispatchEvent(new Event("mouseenter"));
				return document.querySelector('.source [data-k="' + e.dataset.k + '"]') !== null; }))`) != "true" {
				t.Error("a finding has no place in the source")
			}
		}
		if name == "explain" {
			if eval(`dispatchEvent(new Event("beforeprint")); String(document.querySelectorAll("details:not([open])").length)`) != "0" {
				t.Error("reasons stay closed on paper")
			}
			eval(`document.querySelectorAll("details").forEach((e) => e.open = false); ""`)
			run(name, chromedp.Click(chromedp.CSS(`details summary`)))
			if text := eval(`document.querySelector("details[open] dl").innerText`); !strings.Contains(text, "4.1") {
				t.Errorf("the reasons are %q", text)
			}
		}
	}
	if len(asked) > 0 {
		t.Errorf("the pages asked for %v", asked)
	}
}
