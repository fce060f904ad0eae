package jsontree

import (
	"iter"
	"sync"
	"syscall"
)

// fenceLen is how much text fits between the fences.
const fenceLen = 1 << 16

var fence = sync.OnceValue(func() []byte {
	page := syscall.Getpagesize()
	all, err := syscall.Mmap(-1, 0, fenceLen+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	for _, p := range [][]byte{all[:page], all[page+fenceLen:]} {
		if err := syscall.Mprotect(p, syscall.PROT_NONE); err != nil {
			panic(err)
		}
	}
	return all[page : page+fenceLen : page+fenceLen]
})

// fenced yields src where the bytes behind it, and then where those before it, are not
// to be read: who reads one crashes. A text that is too long for that it yields as it
// is.
func fenced(src []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if len(src) > fenceLen {
			yield(src)
			return
		}
		room := fence()
		at := fenceLen - len(src)
		copy(room[at:], src)
		if !yield(room[at:]) {
			return
		}
		copy(room, src)
		yield(room[:len(src):len(src)])
	}
}
