package proxy

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"slices"
	"strings"
)

// Guard is what a handler holds a request to before it looks at anything else of
// it. The zero Guard serves those who name this machine as the Host, and no page
// of a browser.
type Guard struct {
	Hosts   []string // values of Host, exactly; none stands for all that name this machine
	Origins []string // values of Origin, exactly; one that is not here is refused
	Token   string   // the bearer token that is wanted; "" stands for none
}

// NewToken makes a token of 256 bits from a source of randomness.
func NewToken(random func(p []byte) (int, error)) (string, error) {
	const digits = "0123456789abcdef"
	var raw [32]byte
	for n := 0; n < len(raw); {
		k, err := random(raw[n:])
		if err != nil {
			return "", err
		}
		n += k
	}
	text := make([]byte, 0, 64)
	for _, b := range raw {
		text = append(text, digits[b>>4], digits[b&15])
	}
	return string(text), nil
}

// check answers why a request is refused, or nil.
func (g *Guard) check(r *http.Request) *Fault {
	if f := g.checkPlace(r); f != nil {
		return f
	}
	if g.Token == "" {
		return nil
	}
	list := r.Header["Authorization"]
	if len(list) != 1 {
		return errToken
	}
	scheme, token, _ := strings.Cut(list[0], " ")
	want, got := sha256.Sum256([]byte(g.Token)), sha256.Sum256([]byte(strings.TrimSpace(token)))
	if subtle.ConstantTimeCompare(want[:], got[:]) != 1 || !strings.EqualFold(scheme, "Bearer") {
		return errToken
	}
	return nil
}

// checkPlace looks at where the request says it comes from and goes to.
func (g *Guard) checkPlace(r *http.Request) *Fault {
	if len(g.Hosts) == 0 && !Loopback(r.Host) || len(g.Hosts) > 0 && !slices.Contains(g.Hosts, strings.ToLower(r.Host)) {
		return errHost
	}
	origins := r.Header["Origin"]
	if len(origins) > 1 || len(origins) == 1 && !slices.Contains(g.Origins, origins[0]) {
		return errOrigin
	}
	return nil
}

// Protect lets only such requests through to a handler as the guard takes. The
// context of those that last ends with ctx.
func (g *Guard) Protect(h http.Handler, ctx context.Context) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, host := attend(r)
		defer host.letGo()
		out := &writer{ResponseWriter: w, host: host}
		if f := g.checkPlace(r); f != nil {
			out.fault(f)
			return
		}
		if r.URL.Path == "/healthz" {
			out.send(http.StatusOK, "application/json", []byte(`{"status":"ok"}`))
			return
		}
		if f := g.check(r); f != nil {
			out.fault(f)
			return
		}
		both, cancel := context.WithCancelCause(r.Context())
		defer cancel(nil)
		defer context.AfterFunc(ctx, func() { cancel(errClosing) })()
		h.ServeHTTP(out, r.WithContext(both))
		if !out.wrote && both.Err() != nil { // else the HTTP library would say that all is well
			out.fault(failure(both, both.Err()))
		}
	})
}
