// Package jsondiff tells where two JSON documents differ.
//
// A difference is a value that was added, removed or changed, or that stands
// elsewhere among its siblings; it is named by JSON Pointers (RFC 6901) in both
// documents. Objects are compared by member name. Arrays are compared by
// position, or, where Options.ByID says so, by the member id of their entries,
// so that one entry more at the front is one difference. Numbers are equal when
// their text is, strings when their code points are; white space counts nowhere.
//
//	list, err := jsondiff.Diff(old, new, jsondiff.Options{ByID: jsondiff.Everywhere})
//	for _, d := range list {
//		fmt.Println(d.Kind, d.Pointer())
//	}
//
// Only the topmost difference is told: of an object that was added, not its
// members. The cost is proportional to the bytes of both documents and to what is
// told, whatever their depth; no document deepens the call stack.
package jsondiff
