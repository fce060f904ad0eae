package translate

import "ctxmigrate/translate/carry"

// Strip appends a document without what a lossless conversion left in it for the
// way back. Every other byte stays.
func Strip(dst, src []byte, opts *Options) ([]byte, error) {
	var c Converter
	return c.Strip(dst, src, opts)
}

// Strip is the function of that name, with the converter's memory.
func (c *Converter) Strip(dst, src []byte, opts *Options) ([]byte, error) {
	if opts == nil {
		opts = &defaults
	}
	c.begin(src, opts)
	if err := c.decode(); err != nil {
		return dst, err
	}
	return carry.Cut(dst, src, carry.Find(src, shapeOf[c.from], opts.maxDepth())), nil
}
