// Package docgen makes documents of the three forms for tests: small, dense in
// what interacts, and the same ones from the same seed.
//
// A Gen draws documents that conform to their form, or odd ones, which a careless
// producer might send: ids that are missing, repeated or numbers, words that are
// not known, members of the wrong type, rings of parents, escapes where none are
// needed. Its words and ids come from small pools, so that they meet often.
//
//	g := docgen.New(7, docgen.Options{Odd: true})
//	doc := g.Document(docgen.V01)
//
// When a test fails on a document, Shrink finds a smaller one that fails too.
// Shuffle, Edit and PlantCanaries make other documents of one; Sized, Chain and
// Flat make those that benchmarks need.
package docgen
