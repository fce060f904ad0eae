package v01_test

import (
	"fmt"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/model"
	"ctxmigrate/v01"
)

// Reading an answer into the model and writing it again, with this package alone.
func Example() {
	src := []byte(`{"protocol":"0.1","instance":"k3","items":[{"id":"n-1","type":"note","title":"Plan"}],"focus":["n-1"]}`)
	var (
		dec  v01.Decoder
		enc  v01.Encoder
		snap model.Snapshot
		said diag.Collector
	)
	if err := dec.Decode(src, &snap, &said, v01.Options{}); err != nil || said.Refused() {
		fmt.Println("refused:", err)
		return
	}
	note := &snap.Elements[snap.Position()]
	fmt.Printf("%s %s is focused\n", note.Role, snap.Text(note.Title))
	fmt.Printf("%s\n", enc.Append(nil, &snap, &said))
	// Output:
	// Document Plan is focused
	// {"protocol":"0.1","instance":"k3","items":[{"id":"n-1","type":"note","title":"Plan"}],"focus":["n-1"]}
}
