package proxy

import (
	"bytes"
	"io"
	"net/http"
)

// Messages lets a POST through to a handler that speaks MCP only where valid takes
// its body, and answers the others itself in JSON-RPC: libraries quote what they
// cannot read.
func Messages(h http.Handler, o Options, valid func(body []byte) bool) http.Handler {
	o.fill()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			h.ServeHTTP(w, r)
			return
		}
		out := &writer{ResponseWriter: w}
		body, fault := o.requestBody(out, r)
		if fault == nil && !valid(body) {
			fault = errRequest
		}
		if fault != nil {
			out.refuse(fault, peek(body, nil), new(Event))
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		h.ServeHTTP(w, r)
	})
}
