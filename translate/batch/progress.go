package batch

import (
	"errors"
	"io/fs"
	"os"
)

// progress says how far the run is; f is a large file of which a part is done.
func (r *run) progress(f *work) {
	s := r.sum
	p := Progress{Files: s.Files.Already + s.Files.Converted + s.Files.Failed, AllFiles: s.Files.Found,
		Documents: s.Documents.Read, Failed: s.Documents.Refused + s.Files.Failed, Bytes: s.Read, AllBytes: r.bytes}
	if f != nil && f.file != nil {
		p.Documents += f.tally.written + f.tally.refused
		p.Failed += f.tally.refused
		p.Bytes += min(f.read.Load(), f.it.size)
	}
	if r.o.Now != nil {
		r.times.add(Sample{r.o.Now().Sub(s.Start), p.Documents, p.Bytes})
	}
	if r.o.Progress != nil {
		r.o.Progress(p)
	}
}

// reason is what an error says, without the name of the call and of the file,
// which its reader knows.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) && err == error(path) {
		return path.Err.Error()
	}
	var link *os.LinkError
	if errors.As(err, &link) && err == error(link) {
		return link.Op + ": " + link.Err.Error()
	}
	return err.Error()
}
