package jsontree

import "slices"

// Room makes room in a list that grows while a text of a length is read and has
// been read up to at. In a large one it makes as much as the rest will need if it is
// like the beginning, so that a list that is copied as it grows is not there twice.
// Where that is too much it costs little, since what is not used is not touched; most
// is how many times as much as there is it may be.
func Room[T any](list []T, at, length, most int) []T {
	const large = 1024
	n := len(list)
	if n < large || n < cap(list) || at <= 0 {
		return list
	}
	want := min(int(float64(n)*float64(length)/float64(at)*1.05), most*n)
	return slices.Grow(list, max(want-n, n/4))
}
