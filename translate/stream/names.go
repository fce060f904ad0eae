package stream

import "strings"

// NamesLines reports whether the name of a file says that a newline ends a document
// in it: .ndjson or .jsonl, also with .gz or .zst behind.
func NamesLines(name string) bool {
	name = strings.ToLower(name)
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
	return strings.HasSuffix(name, ".ndjson") || strings.HasSuffix(name, ".jsonl")
}
