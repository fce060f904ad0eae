package jsontree

// Ends tells the offsets after the objects and arrays that begin at some offsets of
// a document that a Reader has passed, in one pass over it. Starts are in rising
// order; of what is no object and no array that begins there the answer is the
// offset itself.
func Ends(doc []byte, starts []int) []int {
	ends := make([]int, len(starts))
	type open struct{ depth, which int }
	var stack []open
	depth, next := 0, 0
	Tokens(doc, func(t []byte) {
		at := cap(doc) - cap(t)
		for next < len(starts) && starts[next] < at {
			ends[next] = starts[next]
			next++
		}
		switch t[0] {
		case '{', '[':
			depth++
			for next < len(starts) && starts[next] == at {
				stack = append(stack, open{depth, next})
				next++
			}
		case '}', ']':
			for len(stack) > 0 && stack[len(stack)-1].depth == depth {
				ends[stack[len(stack)-1].which] = at + 1
				stack = stack[:len(stack)-1]
			}
			depth--
		}
	})
	for ; next < len(starts); next++ {
		ends[next] = starts[next]
	}
	return ends
}

// Innermost tells, for each of some offsets in rising order, which of the values that
// begin at starts and end at ends it lies in: the innermost, or -1. Starts are in
// rising order, and values nest.
func Innermost(starts, ends, offsets []int) []int {
	in := make([]int, len(offsets))
	var open []int
	next := 0
	for i, off := range offsets {
		for ; next < len(starts) && starts[next] <= off; next++ {
			for len(open) > 0 && ends[open[len(open)-1]] <= starts[next] {
				open = open[:len(open)-1]
			}
			open = append(open, next)
		}
		for len(open) > 0 && ends[open[len(open)-1]] <= off {
			open = open[:len(open)-1]
		}
		if in[i] = -1; len(open) > 0 {
			in[i] = open[len(open)-1]
		}
	}
	return in
}
