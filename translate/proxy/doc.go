// Package proxy stands between a host and a provider and translates answers as
// they pass, for hosts and providers that speak different forms.
//
// Terms. A host asks; a provider answers. An ask is a request for the current
// context: only what answers an ask is translated, and everything else passes
// byte for byte. Which requests are asks is told by the request (its path, its
// resource, its tool), never by the looks of an answer.
//
//	h, err := proxy.NewHTTP(proxy.Upstream{URL: "http://127.0.0.1:4100"},
//		proxy.Guard{Token: token}, proxy.Options{To: translate.V020})
//	if err != nil {
//		return err
//	}
//	defer h.Close()
//	http.Serve(listener, h)
//
// NewHTTP is for providers that speak plain JSON over HTTP, NewMCP for those that
// speak MCP over Streamable HTTP, both with and without sessions, and Pump for
// those that speak MCP on their standard input and output.
//
// Nothing is asked that the host did not ask, nothing is asked twice, and no
// answer is kept. What is kept, within bounds, is which ids a translation had to
// make up, so that locating them works: see Options.To.
//
// An ask that fails is answered in the protocol of the host: with a status and a
// body {"error":{"code","message"}}, with a JSON-RPC error, or, for a tool, with a
// result of which isError is true. The codes are those of package diag for
// answers that are refused, and those of Fault for the rest. Neither these nor
// what is logged holds anything of an answer, an id or a token.
package proxy
