package diag

// Reason is why something of an element is as it is.
type Reason struct {
	Of      string // role, subrole, id, place, selected, focused, visible or hovered
	Is      string // what it is: a word, an id, or "" where that says itself
	Section string // of the conversion contract
	Text    string
}

// Asked answers whether a code was noted at an offset of the source.
type Asked func(code Code, off uint32) bool

// AskedOf is what a collector noted, ready to be asked.
func AskedOf(c *Collector) Asked {
	type key struct {
		code Code
		off  uint32
	}
	noted := make(map[key]bool, len(c.Records))
	for _, r := range c.Records {
		noted[key{r.Code, r.Off}] = true
	}
	return func(code Code, off uint32) bool { return noted[key{code, off}] }
}
