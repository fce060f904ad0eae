package batch

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// plan lists what is to be done: the items of the shard, each of another target.
func (o *Options) plan() ([]item, error) {
	var known backups
	items, err := o.list(&known)
	if err != nil {
		return nil, err
	}
	if o.InPlace {
		if items, err = o.inPlace(items, &known); err != nil {
			return nil, err
		}
	} else {
		items = once(items)
		if err := collisions(items); err != nil {
			return nil, err
		}
	}
	items = append(items, known.failed...)
	if o.Shards > 1 {
		items = slices.DeleteFunc(items, func(it item) bool { return shardOf(it.name, o.Shards) != o.Shard })
	}
	return items, nil
}

// inPlace makes each file that the items are or link to one item, by its real
// path, named from the folder of the journal. A backup of an earlier run is no such file.
func (o *Options) inPlace(items []item, known *backups) ([]item, error) {
	state, err := realPath(o.stateDir())
	if err != nil {
		return nil, err
	}
	seen := make(map[string]bool, len(items))
	kept := items[:0]
	for _, it := range items {
		if it.err == nil {
			real, err := filepath.EvalSymlinks(it.path)
			if err == nil {
				real, err = filepath.Abs(real)
			}
			if err != nil {
				it.err = err
			} else if known.in(filepath.Dir(real))[filepath.Base(real)] != "" {
				it.err = errors.New("is a backup that an earlier run made")
			} else {
				if it.name = real; seen[real] {
					continue
				}
				seen[real] = true
				if rel, err := filepath.Rel(state, real); err == nil {
					it.name = filepath.ToSlash(rel)
				}
			}
		}
		kept = append(kept, it)
	}
	return kept, nil
}

// realPath is the real path of a folder, of which the end may not be there yet.
func realPath(dir string) (string, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for end, up := "", path; ; {
		if real, err := filepath.EvalSymlinks(up); err == nil {
			return filepath.Join(real, end), nil
		}
		if filepath.Dir(up) == up {
			return path, nil
		}
		end, up = filepath.Join(filepath.Base(up), end), filepath.Dir(up)
	}
}

// once leaves out files that were named before, as folders are that were entered.
func once(items []item) []item {
	type target struct{ path, name string }
	seen := make(map[target]bool, len(items))
	return slices.DeleteFunc(items, func(it item) bool {
		t := target{filepath.Clean(it.path), it.name}
		had := seen[t]
		seen[t] = true
		return had
	})
}

// collisions refuses items that would be written to one target, and those of
// which one would have to be a folder in which another stands.
func collisions(items []item) error {
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(items[a].name, items[b].name) })
	var told []string
	for k := 1; k < len(order); k++ {
		a, b := items[order[k-1]], items[order[k]]
		if a.name == b.name {
			told = append(told, fmt.Sprintf("%q and %q would both be written to %q", a.path, b.path, b.name))
		}
	}
	if len(told) == 0 {
		return nil
	}
	const most = 10
	if n := len(told); n > most {
		told = append(told[:most], fmt.Sprintf("and %d more", n-most))
	}
	return usage("%s; nothing was written. Name the folder that they are in, or give them to runs with folders of their own", strings.Join(told, "; "))
}

// shardOf is the shard that a name belongs to, from 1. It depends on the name
// alone, so that it is the same on every machine, whatever else is in the list.
func shardOf(name string, shards int) int {
	sum := sha256.Sum256([]byte(name))
	return int(binary.BigEndian.Uint64(sum[:8])%uint64(shards)) + 1
}

// target is the path that an item is written to. A link stays a link: what it
// leads to is replaced.
func (o *Options) target(it item) string {
	path := it.path
	if !o.InPlace {
		path = filepath.Join(o.Out, filepath.FromSlash(it.name))
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if link, err := os.Readlink(path); err == nil { // to what is not there yet
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(path), link)
		}
		return link
	}
	return path
}
