package proxy

import (
	"io"
	"log"
	"net/http"
	"time"
)

// NewServer is a server for a handler of this package: it limits headers, gives
// hosts some seconds to send them, and keeps to itself what the HTTP library would
// say of broken requests, which quotes them.
func NewServer(h http.Handler, o Options) *http.Server {
	o.fill()
	return &http.Server{
		Handler:           h,
		MaxHeaderBytes:    o.Limits.Headers,
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
}
