// Package translate converts what an app says of itself from one protocol form to
// another: 0.1 (a flat list of items), 0.2.0 (one tree of elements) and
// askable.context 0.1 (a packet from a web page).
//
//	out, err := translate.Convert(src, translate.V020, nil)
//	if err != nil {
//		return err // says where and why the document was refused
//	}
//	for _, d := range out.Report {
//		log.Println(d.Pointer, d.Code, d.Message())
//	}
//	send(out.Document)
//
// Each form has a package of its own (v01, v020, askable), which reads documents
// into the model and writes them from it; this package knows which to use. A
// Converter keeps its working memory, for those who convert many documents.
package translate
