package proxy

import (
	"encoding/base64"
	"net/http"
	"strings"
)

// mirror changes the headers that repeat a value of the request's body.
func mirror(h http.Header, old, new string) {
	if old == new {
		return
	}
	for name, values := range h {
		if name != "Mcp-Name" && !strings.HasPrefix(name, "Mcp-Param-") {
			continue
		}
		for i, v := range values {
			if v == old || v == encodeHeader(old) {
				values[i] = encodeHeader(new)
			}
		}
	}
}

// encodeHeader is a value as a header bears it: in base 64 where a header has no
// other place for it.
func encodeHeader(s string) string {
	plain := strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) < 0 && strings.TrimSpace(s) == s
	if plain && !strings.HasPrefix(s, "=?base64?") {
		return s
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
}
