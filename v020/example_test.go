package v020_test

import (
	"fmt"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/model"
	"ctxmigrate/v020"
)

// Walking an answer in document order, and writing it again, with this package
// alone.
func Example() {
	src := []byte(`{"protocol":"0.2.0","instance":"k3","root":{"role":"Application","id":"app","children":[
		{"id":"w-1","role":"Window","subrole":"pane","focused":true,"selected":false}]}}`)
	var (
		dec  v020.Decoder
		snap model.Snapshot
		said diag.Collector
	)
	if err := dec.Decode(src, &snap, &said, v020.Options{}); err != nil || said.Refused() {
		fmt.Println("refused:", err)
		return
	}
	for i := snap.Root; i != model.None; i, _ = snap.After(i, snap.Root) {
		e := &snap.Elements[i]
		fmt.Println(e.Role, string(snap.Text(e.ID)), e.Focused)
	}
	fmt.Printf("%s\n", v020.Append(nil, &snap))
	// Output:
	// Application app false
	// Window w-1 true
	// {"protocol":"0.2.0","instance":"k3","root":{"id":"app","role":"Application","children":[{"id":"w-1","role":"Window","subrole":"pane","focused":true}]}}
}
