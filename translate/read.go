package translate

import "ctxmigrate/translate/model"

// Read reads a document into the model and answers it: one tree, whatever the
// form, with what the model's own words say of roles, states and ids. It holds
// until the next call. The error is a *Refused where the document is at fault.
func (c *Converter) Read(src []byte, opts *Options) (*model.Snapshot, error) {
	if opts == nil {
		opts = &defaults
	}
	c.begin(src, opts)
	if err := c.decode(); err != nil {
		return nil, err
	}
	return &c.snap, nil
}
