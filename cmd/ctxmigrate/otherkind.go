package main

import "bytes"

// otherKind tells what a document is that is no answer, where that is plain.
func otherKind(src []byte) string {
	for _, k := range []struct{ magic, kind string }{
		{"\x89PNG", "a PNG image"}, {"\xff\xd8\xff", "a JPEG image"}, {"GIF8", "a GIF image"}, {"%PDF", "a PDF document"},
		{"PK\x03\x04", "a ZIP archive"}, {"7z\xbc\xaf\x27\x1c", "a 7z archive"}, {"\x7fELF", "a program"}, {"#!", "a script"},
		{"<!DOCTYPE", "an HTML page"}, {"<html", "an HTML page"}, {"<?xml", "an XML document"}, {"---\n", "a YAML document"},
		{"\xfd7zXZ\x00", "compressed by xz" + unpack}, {"\x04\x22\x4d\x18", "compressed by lz4" + unpack},
	} {
		if bytes.HasPrefix(src, []byte(k.magic)) {
			return k.kind
		}
	}
	switch {
	case bzip2(src):
		return "compressed by bzip2" + unpack
	case len(src) > tarMagic && bytes.HasPrefix(src[tarMagic:], []byte("ustar")):
		return "a tar archive"
	}
	return otherJSON(src)
}

// unpack says what to do with compressed data that is not read as what it holds.
const unpack = "; unpack it first: of what is packed, gzip and zstd are read"

// tarMagic is where the word stands by which tar archives are known.
const tarMagic = 257

// bzip2 reports whether a text begins as bzip2 does, with the size of its blocks, and
// with the first block or, where there is none, with the end.
func bzip2(src []byte) bool {
	if len(src) < 10 || string(src[:3]) != "BZh" || src[3] < '1' || src[3] > '9' {
		return false
	}
	block := string(src[4:10])
	return block == "\x31\x41\x59\x26\x53\x59" || block == "\x17\x72\x45\x38\x50\x90"
}
