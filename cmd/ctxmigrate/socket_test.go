package main

import (
	"net"
	"os"
	"path/filepath"
	"testing"
)

// TestSocketPlace holds that of what is at the place of a socket only one that
// nobody listens on goes.
func TestSocketPlace(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	stale := func(name string) {
		l, err := net.Listen("unix", at(name))
		if err != nil {
			t.Skip("there are no sockets here: ", err)
		}
		l.(*net.UnixListener).SetUnlinkOnClose(false)
		l.Close()
	}
	stale("stale")
	stale("linked")
	live, err := net.Listen("unix", at("live"))
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	os.WriteFile(at("file"), []byte("kept"), 0o644)
	os.WriteFile(at("empty"), nil, 0o644)
	os.Mkdir(at("folder"), 0o755)
	for name, to := range map[string]string{"link to a file": "file", "link to nothing": "nothing", "link to a socket": "linked"} {
		os.Symlink(to, at(name))
	}
	for _, name := range []string{"live", "file", "empty", "folder", "link to a file", "link to nothing", "link to a socket"} {
		before, _ := os.Lstat(at(name))
		if l, err := listenUnix(at(name)); err == nil {
			l.Close()
			t.Errorf("%s: it is listened on", name)
		}
		if after, err := os.Lstat(at(name)); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if text, _ := os.ReadFile(at("file")); string(text) != "kept" {
		t.Errorf("the file holds %q", text)
	}
	for _, name := range []string{"stale", "new"} {
		l, err := listenUnix(at(name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if c, err := net.Dial("unix", at(name)); err != nil {
			t.Error(err)
		} else {
			c.Close()
		}
		l.Close()
		l.Close()
		if _, err := os.Lstat(at(name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
}

// TestSocketTaken holds that what took the place of the socket stays.
func TestSocketTaken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := listenUnix(path)
	if err != nil {
		t.Skip("there are no sockets here: ", err)
	}
	os.Remove(path)
	other, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	l.Close()
	if _, err := os.Lstat(path); err != nil {
		t.Error(err)
	}
}
