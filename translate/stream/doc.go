// Package stream cuts documents out of files and pipes, in memory that does not
// grow with their number.
//
//	var r stream.Reader
//	r.Reset(file, stream.Options{})
//	for {
//		doc, err := r.Next()
//		if err == io.EOF {
//			break
//		}
//		...
//	}
//
// A stream is either lines, of which each holds one document (NDJSON), or values
// that follow each other with or without white space between. It may be
// compressed with gzip or zstd, which its first bytes tell. Places are always
// those of the text that was compressed: lines and columns from 1, offsets from
// 0.
//
// Documents are slices of the block that was read, and no byte is looked at more
// than is needed: the end of a line is searched for eight bytes or more at a
// time, and among values too the next newline is first taken for the end of the
// document, since almost every stream has a document on each line. Only the
// reader of the document can tell that it is not; see Reader.Recut.
package stream
