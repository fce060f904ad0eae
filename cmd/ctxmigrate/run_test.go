package main

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"
)

const flat = `{"protocol":"0.1","instance":"a","items":[],"focus":[]}`
const tree = `{"protocol":"0.2.0","instance":"a","root":{"id":"app","role":"Application"}}`

// TestAnswersEachLine holds that a filter in a pipe answers a line before it asks
// for the next one.
func TestAnswersEachLine(t *testing.T) {
	for _, flags := range [][]string{{}, {"--ndjson"}, {"--ndjson", "--jobs", "3"}} {
		in, give := io.Pipe()
		take, out := io.Pipe()
		done := make(chan int)
		go func() {
			status := Run(append([]string{"convert", "--to", "0.2.0", "--quiet"}, flags...), in, out, io.Discard)
			out.Close()
			done <- status
		}()
		answers := bufio.NewReader(take)
		for range 5 {
			io.WriteString(give, flat[:20])
			io.WriteString(give, flat[20:]+"\n")
			if got, err := answers.ReadString('\n'); got != tree+"\n" || err != nil {
				t.Fatalf("%v: %q, %v", flags, got, err)
			}
		}
		give.Close()
		if status := <-done; status != 0 {
			t.Errorf("%v: status %d", flags, status)
		}
	}
}

// TestByteAtATime gives standard input one byte at a time.
func TestByteAtATime(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{flat + flat, tree + "\n" + tree + "\n"},
		{"\ufeff" + flat + "\r\n\r\n\ufeff" + flat, tree + "\n" + tree + "\n"},
		{strings.ReplaceAll(flat, ",", ",\n") + flat + "\n", tree + "\n" + tree + "\n"},
	} {
		var out, errs bytes.Buffer
		status := Run([]string{"convert", "--to", "0.2.0", "--quiet"}, oneByte{strings.NewReader(c.src)}, &out, &errs)
		if status != 0 || out.String() != c.want || errs.Len() > 0 {
			t.Errorf("%q: status %d, %q, %q", c.src, status, out.String(), errs.String())
		}
	}
}

type oneByte struct{ r io.Reader }

func (o oneByte) Read(p []byte) (int, error) { return o.r.Read(p[:1]) }

func TestIndentDeep(t *testing.T) {
	const n = 100000
	deep := strings.Repeat(`[`, n) + strings.Repeat(`]`, n)
	got := appendIndented(nil, []byte(deep), func(b []byte) []byte { return b })
	if len(got) > n*2*(2*deepest+2) {
		t.Errorf("%d bytes became %d", len(deep), len(got))
	}
	if strings.Map(func(r rune) rune {
		if r == ' ' || r == '\n' {
			return -1
		}
		return r
	}, string(got)) != deep {
		t.Error("a token was altered")
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 日本":         "plain é 日本",
		"a\x1b[31mb\nc":      `a\x1b[31mb\x0ac`,
		"a\u202eb\u0085\xff": `a\u202eb\u0085\xff`,
	} {
		if got := printable(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
