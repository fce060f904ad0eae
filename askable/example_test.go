package askable_test

import (
	"fmt"

	"ctxmigrate/askable"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/model"
)

// Reading a packet as a tree, and putting it back, with this package alone.
func Example() {
	src := []byte(`{"protocol":"askable.context","version":"0.1","source":{"title":"Orders","timestamp":"2026-11-30T09:00:00Z"},` +
		`"capture":{"mode":"element-focus","gesture":"click"},"target":{"text":"Order 3","role":"listitem"},` +
		`"privacy":{"redacted":false,"consent":"explicit"},"provenance":{"producer":"shop","method":"app"}}`)
	var (
		dec  askable.Decoder
		enc  askable.Encoder
		snap model.Snapshot
		said diag.Collector
	)
	if err := dec.Decode(src, &snap, &said, askable.Options{}); err != nil || said.Refused() {
		fmt.Println("refused:", err)
		return
	}
	target := &snap.Elements[snap.Position()]
	fmt.Println(target.Role, string(snap.Text(target.Subrole)))
	fmt.Println(string(enc.Append(nil, &snap, &said)) == string(src))
	// Output:
	// Row listitem
	// true
}
