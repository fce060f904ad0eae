// Package batch converts archives: files and folders of stored answers, by the
// million, unattended, so that it can be trusted with the only copy.
//
//	sum, err := batch.Run(ctx, batch.Options{
//		Sources: []string{"answers"},
//		Out:     "converted",
//		To:      translate.V020,
//		Verify:  true,
//	})
//
// # Terms
//
// A source is a file or a folder that was named; an item is one file of it, with
// its name below the output folder; the target of an item is the file that is
// written. Where Options.InPlace says so the target is the item itself.
//
// # What can be relied on
//
// A target is written beside its place, synced, and renamed: at every instant it
// is whole, old or new. An item of which a document is refused leaves its target
// as it is. Where Options.Rejects names a folder and the item holds a document a
// line, the refused lines go there and the others are converted.
//
// After a target is in place a line of the journal says so. A run that finds a
// journal reads again what it says is done, and does what is missing or has
// changed. Whatever ended the run before, the targets are in the end those of one
// run that nothing disturbed.
//
// The bytes of targets depend on their sources and on the options that say how
// documents are converted, never on the number of workers, on time or on order.
//
// What Options.Verify proves is said at Proof.
package batch
