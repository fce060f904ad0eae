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

func ExampleDetect() {
	for _, doc := range []string{
		`{"protocol":"0.1","items":[],"focus":[]}`,
		`{"protocol":"0.2.0","root":{"id":"app","role":"Application"}}`,
		`{"protocol":"askable.context","version":"0.1"}`,
		`{"protocol":"0.3","items":[]}`,
		`{"protocol":"0.1","items":[`,
	} {
		fmt.Println(translate.Detect([]byte(doc)))
	}
	// Output:
	// 0.1 <nil>
	// 0.2.0 <nil>
	// askable <nil>
	// auto 1:13: the protocol "0.3" is not known; 0.1, 0.2.0 and askable.context are (unsupported-version)
	// auto 1:28: the input ended where a value was expected (syntax)
}
