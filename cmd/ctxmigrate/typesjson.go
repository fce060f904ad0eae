package main

import (
	"encoding/json"

	"ctxmigrate/translate"
)

// exampleJSON is where something was seen.
type exampleJSON struct {
	File     string `json:"file"`
	Document int    `json:"document"` // of the file, from 1
	Pointer  string `json:"pointer"`
}

func (v *surveying) example(e translate.Example) exampleJSON {
	return exampleJSON{v.names[e.File], e.Record, e.Pointer}
}

// appendJSON appends an object for the whole, for each word and for each member of
// note, each on a line.
func (v *surveying) appendJSON(dst []byte) []byte {
	put := func(value any) {
		raw, err := json.Marshal(value)
		if err != nil {
			panic(err) // of strings and numbers alone
		}
		dst = append(append(dst, plainJSON(raw, 0)...), '\n')
	}
	put(struct {
		Answers   int `json:"answers"`
		Items     int `json:"items"`
		Untyped   int `json:"untyped"`
		Uncounted int `json:"uncounted"`
		Others    int `json:"otherForms"`
	}{v.Answers, v.Items, v.Untyped, v.Uncounted, v.Others})
	for _, w := range v.Words() {
		examples := []exampleJSON{}
		for _, e := range w.Examples {
			examples = append(examples, v.example(e))
		}
		put(struct {
			Type      string         `json:"type"`
			Count     int            `json:"count"`
			Known     bool           `json:"known"`
			Ambiguous bool           `json:"ambiguous"`
			Roles     map[string]int `json:"roles"`
			Because   map[string]int `json:"because"`
			Dropped   int            `json:"dropped,omitempty"`
			Parents   map[string]int `json:"parents"`
			Children  map[string]int `json:"children"`
			Examples  []exampleJSON  `json:"examples"`
		}{w.Word, w.Count, w.Choice.Known, w.Ambiguous(), rolesOf(w), whysOf(w), w.Dropped, w.Parents, w.Children, examples})
	}
	for _, m := range v.Members() {
		put(struct {
			Member  string      `json:"member"`
			Count   int         `json:"count"`
			Links   int         `json:"links"`
			Authors int         `json:"authors"`
			Example exampleJSON `json:"example"`
		}{m.Name, m.Count, m.Links, m.Authors, v.example(m.Example)})
	}
	return dst
}
