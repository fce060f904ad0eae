package proxy

import (
	"net/http"
	"strings"
	"testing"
)

// TestSameID is which ids are the same.
func TestSameID(t *testing.T) {
	for _, same := range []string{`1.50 1.5`, `1 1.0`, `100 1e2`, `-0 0`, `0.01 1E-2`, `"a" "\u0061"`, `9007199254740993 9007199254740993.0`} {
		a, b, _ := strings.Cut(same, " ")
		if !sameID([]byte(a), []byte(b)) {
			t.Errorf("%s is not %s", a, b)
		}
	}
	if !sameID([]byte(`{"a":1}`), []byte(`{"a": 1}`)) {
		t.Error("white space makes another id")
	}
	for _, other := range []string{`1 "1"`, `1 -1`, `9007199254740993 9007199254740992`, `1 10`, `0.1 1`, `null 0`} {
		a, b, _ := strings.Cut(other, " ")
		if sameID([]byte(a), []byte(b)) {
			t.Errorf("%s is %s", a, b)
		}
	}
}

type status int

func (s status) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: int(s), Body: http.NoBody}, nil
}

// TestNoStatus holds that a status which HTTP has not is a bad answer.
func TestNoStatus(t *testing.T) {
	for s, want := range map[status]error{0: errUpstream, 99: errUpstream, 100: nil, 200: nil, 999: nil} {
		p := provider{RoundTripper: s}
		if _, err := p.RoundTrip(&http.Request{}); err != want {
			t.Errorf("%d: %v", s, err)
		}
	}
}
