package serve

import (
	"encoding/json"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ctxmigrate/translate/proxy"
)

// Handler serves hosts over Streamable HTTP, within the limits of a proxy. Who may
// ask is for others to say; see proxy.Guard.
func Handler(s *mcp.Server, o proxy.Options) http.Handler {
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{
		DisableLocalhostProtection: true, // the guard holds the Host to what is said to be right
		MaxRequestBodyBytes:        -1,   // they are held to the limits before
	})
	return proxy.Messages(h, o, readable)
}

// readable reports whether the library takes a body for messages.
func readable(body []byte) bool {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) != nil {
		list = []json.RawMessage{body}
	}
	for _, m := range list {
		if _, err := jsonrpc.DecodeMessage(m); err != nil {
			return false
		}
	}
	return len(list) > 0
}
