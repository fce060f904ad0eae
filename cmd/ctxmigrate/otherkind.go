package main

import "bytes"

// otherKind tells what a document is that is no answer, where that is plain.
func otherKind(src []byte) string {
	for _, k := range []struct{ magic, kind string }{
		{"\x89PNG", "a PNG image"}, {"\xff\xd8\xff", "a JPEG image"}, {"GIF8", "a GIF image"}, {"%PDF", "a PDF document"},
		{"PK\x03\x04", "a ZIP archive"}, {"\x7fELF", "a program"}, {"#!", "a script"}, {"<!DOCTYPE", "an HTML page"},
		{"<html", "an HTML page"}, {"<?xml", "an XML document"}, {"---\n", "a YAML document"},
	} {
		if bytes.HasPrefix(src, []byte(k.magic)) {
			return k.kind
		}
	}
	return otherJSON(src)
}
