package proxy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
)

// Fault is why an ask failed. Its text holds nothing of what passed.
type Fault struct {
	Code    string // stable
	Status  int    // of HTTP
	Message string
}

func (f *Fault) Error() string { return f.Message + " (" + f.Code + ")" }

// RPCCode is the code of JSON-RPC that a fault has.
func (f *Fault) RPCCode() int64 {
	switch f.Code {
	case errBusy.Code, errClosing.Code, errTimeout.Code, errConnect.Code, errUnreachable.Code:
		return -32000 // of servers; another time may be better
	case errRequest.Code, errRequestSize.Code:
		return -32700 // no JSON
	}
	if f.Status == 400 {
		return -32600 // no request
	}
	return -32603 // internal
}

// The faults that are not those of an answer.
var (
	errTimeout     = &Fault{"timeout", 504, "the provider did not answer within the time limit"}
	errConnect     = &Fault{"connect-timeout", 504, "connecting to the provider took longer than is allowed"}
	errUnreachable = &Fault{"unreachable", 502, "the provider cannot be reached; is it running?"}
	errBroken      = &Fault{"broken", 502, "the provider broke its answer off"}
	errNoAnswer    = &Fault{"no-answer", 502, "the provider ended without an answer"}
	errBusy        = &Fault{"busy", 503, "too many asks are waiting for the provider; ask again"}
	errSameID      = &Fault{"id-in-use", 400, "another request with this id is not answered yet; every request wants an id of its own"}
	errLarge       = &Fault{"too-large", 502, "the answer is larger than the limit"}
	errHeaders     = &Fault{"headers-too-large", 502, "the headers of the answer are larger than the limit"}
	errEncoding    = &Fault{"content-encoding", 502, "the answer is encoded in a way that is not understood; only gzip is"}
	errPacked      = &Fault{"compressed-data", 502, "the compressed answer is damaged or ends early"}
	errRedirect    = &Fault{"redirect", 502, "the provider redirects, which is not followed"}
	errPartial     = &Fault{"partial", 502, "the provider sent a part of an answer"}
	errRequest     = &Fault{"bad-request", 400, "the request cannot be read"}
	errRequestSize = &Fault{"request-too-large", 413, "the request is larger than the limit"}
	errHost        = &Fault{"wrong-host", 421, "the Host is none of those that are served here"}
	errOrigin      = &Fault{"wrong-origin", 403, "the Origin is none of those that may ask here"}
	errToken       = &Fault{"wrong-token", 401, "the bearer token is missing or wrong"}
	errHostGone    = &Fault{"host-gone", 499, "the host hung up before the answer came"}
	errClosing     = &Fault{"closing", 503, "the proxy is ending"}
	errInternal    = &Fault{"internal", 500, "the proxy failed on this answer; please report that"}
	errUpstream    = &Fault{"bad-answer", 502, "what the provider sent is no HTTP"}
)

// Faults are all faults that are not those of an answer, for documentation.
func Faults() []Fault {
	var list []Fault
	for _, f := range []*Fault{errTimeout, errConnect, errUnreachable, errBroken, errNoAnswer, errBusy, errSameID, errLarge, errHeaders,
		errEncoding, errPacked, errRedirect, errPartial, errUpstream, errRequest, errRequestSize, errHost, errOrigin, errToken,
		errHostGone, errClosing, errInternal} {
		list = append(list, *f)
	}
	return list
}

// refusal is the fault of an answer that was refused. The message of the
// diagnostic may quote the answer, so it does not go in.
func refusal(err error) *Fault {
	var r *translate.Refused
	if !errors.As(err, &r) {
		return errInternal
	}
	return &Fault{r.Code.String(), 502, at("answer", r.Code, r.Line, r.Column)}
}

// unreadable is the fault of a message that cannot be read: what is "answer" or
// "request".
func unreadable(src []byte, e *jsontree.Error, what string) *Fault {
	codes := [...]diag.Code{diag.Syntax, diag.Encoding, diag.DuplicateMember, diag.TooDeep, diag.TooLarge}
	line, column := jsontree.LineColumn(src, e.Offset)
	code := codes[e.Fault]
	status := 502
	if what == "request" {
		status = 400
	}
	return &Fault{code.String(), status, at(what, code, line, column)}
}

func at(what string, code diag.Code, line, column int) string {
	return fmt.Sprintf("the %s was refused at line %d, column %d: %s", what, line, column,
		strings.TrimSuffix(diag.Codes()[code].Meaning, "."))
}

// failure is the fault behind an error of the connection to the provider. Ctx is
// that of the ask.
func failure(ctx context.Context, err error) *Fault {
	var known *Fault
	if errors.As(context.Cause(ctx), &known) || errors.As(err, &known) {
		return known
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errTimeout
	}
	if ctx.Err() != nil {
		return errHostGone
	}
	var op *net.OpError
	text := err.Error() // the library has no types for these
	switch {
	case errors.As(err, &op) && op.Op == "dial":
		if op.Timeout() {
			return errConnect
		}
		return errUnreachable
	case strings.Contains(text, "headers exceeded"):
		return errHeaders
	case strings.Contains(text, "malformed HTTP"), strings.Contains(text, "malformed MIME header"), strings.Contains(text, "unsupported transfer encoding"),
		strings.Contains(text, "bad Content-Length"), strings.Contains(text, "too many transfer encodings"):
		return errUpstream
	}
	return errBroken
}
