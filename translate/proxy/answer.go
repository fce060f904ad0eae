package proxy

import (
	"slices"
	"sync"

	"ctxmigrate/translate"
)

// core is what the proxies of all protocols share.
type core struct {
	opts *Options
	tr   *translator
}

// translator turns answers into one form. It is for use by several goroutines.
type translator struct {
	to   translate.Form
	opts translate.Options // never written to
	pool sync.Pool         // of *translate.Converter
	ids  memory
}

func newTranslator(o *Options, mcp bool) *translator {
	t := &translator{to: o.To, opts: o.Convert}
	if mcp && t.opts.Method == "" {
		t.opts.Method = "mcp"
	}
	if t.opts.Clock == nil {
		t.opts.Clock = o.Now
	}
	t.pool.New = func() any { return new(translate.Converter) }
	return t
}

// answer is a translated answer.
type answer struct {
	doc  []byte // src itself where the form was right already
	from translate.Form
	same bool
}

// translate appends an answer, translated, to dst. Whatever src is, it answers within time and
// memory proportional to it, and does not panic.
func (t *translator) translate(dst, src []byte) (a answer, fault *Fault) {
	defer func() {
		if recover() != nil { // the value may hold what was read
			a, fault = answer{}, errInternal
		}
	}()
	c := t.pool.Get().(*translate.Converter)
	out, err := c.Append(slices.Grow(dst, len(src)+len(src)/4+512), src, t.to, &t.opts)
	if err != nil {
		return answer{from: c.From()}, refusal(err)
	}
	a = answer{doc: out, from: c.From()}
	if a.from == t.to {
		a.doc, a.same = src, true
	} else {
		t.ids.learn(c, src, out, t.to, t.opts.MaxDepth)
	}
	t.pool.Put(c) // not after a panic, which may have left it in disorder
	return a, nil
}
