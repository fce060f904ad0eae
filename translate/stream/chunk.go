package stream

// Chunk is some documents of a stream, copied out of it, so that they can be worked
// on while more are read.
type Chunk struct {
	Docs []Document // their Data lies in the chunk
	Err  error      // why there are no more behind them: io.EOF or an *Error; nil where there may be

	data []byte
}

// Chunk fills c with documents of about size bytes in all, one at the least, unless
// there are no more. Where eager says so it takes no more than are at hand, since a
// pipe may bring no more for a while.
func (r *Reader) Chunk(c *Chunk, size int, eager bool) {
	c.Docs, c.data, c.Err = c.Docs[:0], c.data[:0], nil
	for len(c.data) < size && (len(c.Docs) == 0 || !eager || r.Ready()) {
		d, err := r.Next()
		if err != nil {
			c.Err = err
			break
		}
		c.Docs, c.data = append(c.Docs, d), append(c.data, d.Data...)
	}
	at := 0
	for i := range c.Docs { // only now does what was copied stand still
		n := len(c.Docs[i].Data)
		c.Docs[i].Data = c.data[at : at+n : at+n]
		at += n
	}
}

// Size is how many bytes the documents have in all.
func (c *Chunk) Size() int { return len(c.data) }

// Release lets go of memory that a document of more than most bytes has taken.
func (c *Chunk) Release(most int) {
	if cap(c.data) > most {
		c.data = nil
	}
}
