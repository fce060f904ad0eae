package proxy_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	"ctxmigrate/translate"
	"ctxmigrate/translate/proxy"
)

// A host that wants 0.2.0 asks a provider that speaks 0.1.
func ExampleNewHTTP() {
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"protocol":"0.1","instance":"n","items":[{"id":"a","type":"note","title":"Plan"}],"focus":["a"]}`)
	}))
	defer provider.Close()

	h, err := proxy.NewHTTP(proxy.Upstream{URL: provider.URL}, proxy.Guard{Token: "of-this-host"}, proxy.Options{To: translate.V020})
	if err != nil {
		log.Fatal(err)
	}
	defer h.Close()

	r := httptest.NewRequest("GET", "http://localhost/current", nil)
	r.Header.Set("Authorization", "Bearer of-this-host")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Body)
	// Output: 200 {"protocol":"0.2.0","instance":"n","root":{"id":"app","role":"Application","children":[{"id":"a","role":"Document","subrole":"note","title":"Plan","focused":true}]}}
}
