package translate_test

import (
	"fmt"
	"log"

	"ctxmigrate/translate"
)

func ExampleConvert() {
	src := []byte(`{"protocol":"0.1","instance":"k3f9x2","items":[{"id":"n-1","type":"note","parent":"w-9"}],"focus":["n-1"]}`)
	send := func(doc []byte) { fmt.Println(string(doc)) }

	out, err := translate.Convert(src, translate.V020, nil)
	if err != nil {
		log.Fatal(err) // says where, and why the document was refused
	}
	for _, d := range out.Report {
		fmt.Println(d.Severity, d.Pointer, d.Code, d.Message())
	}
	send(out.Document)
	// Output:
	// note  root-made-up no item is the application; a root was made up
	// warning /items/0/parent orphan-parent the parent "w-9" of "n-1" is not in the answer
	// {"protocol":"0.2.0","instance":"k3f9x2","root":{"id":"app","role":"Application","children":[{"id":"n-1","role":"Document","subrole":"note","focused":true}]}}
}
