package proxy

import (
	"log/slog"
	"time"

	"ctxmigrate/translate"
)

// Options say how a proxy translates and what it puts up with. Only To is
// needed.
type Options struct {
	// To is the form that the host is answered in. Ids pass as they are, but for
	// those that the form made impossible: a repeated id became id~n, and an element
	// without one got one. The proxy remembers these, of the provider's present
	// instance and up to MaxIDs of them, and maps the former back when the host
	// locates them; the latter it answers with Gone, since the provider does not
	// know them. An id that the provider really uses is never taken for one that
	// was made, from the next answer on that bears it.
	To      translate.Form
	Convert translate.Options // MaxDepth and MaxBytes are taken from Limits

	Limits  Limits
	Timeout time.Duration // of an ask, in all; 0 stands for a second
	Connect time.Duration // of that, for connecting; 0 stands for 200 ms

	CurrentPaths []string // of NewHTTP: ends of the path of an ask; none stands for current; * is every path
	LocatePaths  []string // of NewHTTP: the same for locate
	Resources    []string // of MCP: URIs of the current resource; none stands for those whose last part is current
	Tools        []string // of MCP: tools that answer with the context; none stands for get_current_context
	LocateTools  []string // of MCP: tools that locate; none stands for locate
	Gone         Gone

	Log     *slog.Logger // nil logs nothing
	Observe func(Event)  // told of each request when it has ended; nil tells nobody
	Now     func() time.Time
}

// Limits are what a provider may take of the proxy. A zero field stands for the
// number named.
type Limits struct {
	Bytes    int // of an answer, after decompression, and of a request: 8 MiB
	Depth    int // of an answer or a message: 512
	Headers  int // bytes of the headers of an answer: 64 KiB
	InFlight int // asks at the provider at one time: 4
	Waiting  int // asks that wait for one of these: 16; less than 0 for none
}

// Gone is how the host is answered that locates an element which the provider
// does not know. The protocols leave it open.
type Gone struct {
	Status int    // of HTTP; 0 stands for 410
	Body   string // JSON; "" stands for {"status":"gone"}
}

// Event is a request that has ended.
type Event struct {
	Number   uint64         // of the request, from 1
	Route    string         // current, locate, list, stream or other
	From, To translate.Form // of the answer; Auto where nothing was translated
	In, Out  int            // bytes of the answer before and after
	Took     time.Duration
	Outcome  string // ok, same (the form was right already), passed, or the code of the Fault
}

func (l *Limits) fill() {
	for _, n := range []struct {
		at *int
		to int
	}{{&l.Bytes, 8 << 20}, {&l.Depth, 512}, {&l.Headers, 64 << 10}, {&l.InFlight, 4}, {&l.Waiting, 16}} {
		if *n.at == 0 {
			*n.at = n.to
		}
	}
}

func (o *Options) fill() {
	o.Limits.fill()
	if o.Gone.Status == 0 {
		o.Gone.Status = 410
	}
	if o.Timeout == 0 {
		o.Timeout = time.Second
	}
	if o.Connect == 0 {
		o.Connect = 200 * time.Millisecond
	}
	words := func(list *[]string, word string) {
		if len(*list) == 0 {
			*list = []string{word}
		}
	}
	words(&o.CurrentPaths, "current")
	words(&o.LocatePaths, "locate")
	words(&o.Tools, "get_current_context")
	words(&o.LocateTools, "locate")
	if o.Gone.Body == "" {
		o.Gone.Body = `{"status":"gone"}`
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Convert.MaxDepth, o.Convert.MaxBytes = o.Limits.Depth, o.Limits.Bytes
}
