package jsontree

import (
	"encoding/binary"
	"unsafe"
)

// load8 is the eight bytes of src from i on, the first one lowest. The caller has
// made sure that they are there, once for several loads: the language would ask
// again at each, which is a sixth of what reading a member costs.
func load8(src []byte, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(src)), i))[:])
}

// load4 is four bytes, likewise.
func load4(src []byte, i int) uint32 {
	return binary.LittleEndian.Uint32((*[4]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(src)), i))[:])
}

// load2 is two bytes, likewise.
func load2(src []byte, i int) uint16 {
	return binary.LittleEndian.Uint16((*[2]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(src)), i))[:])
}

// load1 is src[i], likewise.
func load1(src []byte, i int) byte {
	return *(*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(src)), i))
}
