package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate/proxy"
)

// announced is a provider's descriptor.
type announced struct{ *proxy.Descriptor }

// readDescriptor reads the descriptor of --descriptor, nil where none is named.
func (p *proxyFlags) readDescriptor() (*announced, error) {
	if p.descriptor == "" {
		if p.descriptorOut != "" || len(p.descriptorPaths.Value()) > 0 {
			return nil, usageError{text: "--descriptor-out and --descriptor-path are about the descriptor that --descriptor names"}
		}
		return nil, nil
	}
	var paths proxy.DescriptorPaths
	roles := map[string]*[]string{"url": &paths.URL, "host": &paths.Host, "port": &paths.Port, "socket": &paths.Socket,
		"command": &paths.Command, "args": &paths.Args, "token": &paths.Token, "protocol": &paths.Protocol}
	for _, text := range p.descriptorPaths.Value() {
		role, path, ok := strings.Cut(text, "=")
		list := roles[role]
		if !ok || list == nil || path == "" {
			return nil, usageError{text: fmt.Sprintf("--descriptor-path takes ROLE=PATH, where the role is url, host, port, socket, command, args, token or protocol, not %q", text)}
		}
		*list = append(*list, path)
	}
	text, err := os.ReadFile(p.descriptor)
	if err != nil {
		return nil, readError(p.descriptor, err)
	}
	d, err := proxy.ReadDescriptor(text, paths)
	if err != nil {
		return nil, ioError{err: fmt.Errorf("%s: %w", printable(p.descriptor), err)}
	}
	return &announced{d}, nil
}

// announceCommand writes the descriptor of a proxy that is started by its host.
func (p *proxyFlags) announceCommand(c *cli.Context, l *live, d *announced, command []string) error {
	self, err := os.Executable()
	if err != nil {
		return ioError{err: err}
	}
	flags, err := p.repeated(c)
	if err != nil {
		return err
	}
	args := slices.Concat([]string{self, "proxy", "stdio", "--to", l.options.To.String()}, flags, []string{"--"}, command)
	text, err := d.Announce("", args, d.Token, l.options.To)
	if err != nil {
		return usageError{text: err.Error()}
	}
	_, err = p.publish(d, text)
	return err
}

// repeated are the flags of a command line, but those that say what was done
// already.
func (p *proxyFlags) repeated(c *cli.Context) (args []string, err error) {
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		if !c.IsSet(name) || name == "to" || strings.HasPrefix(name, "descriptor") {
			continue
		}
		values := []string{fmt.Sprint(c.Value(name))}
		switch f.(type) {
		case *cli.StringSliceFlag:
			values = c.StringSlice(name)
		case *cli.StringFlag:
			if name == "map" { // the host starts it elsewhere
				if values[0], err = filepath.Abs(values[0]); err != nil {
					return nil, ioError{err: err}
				}
			}
		}
		for _, v := range values {
			args = append(args, "--"+name+"="+v)
		}
	}
	return args, nil
}

// publish writes a descriptor at once, or not at all. Withdraw removes it again,
// if it is still what was written.
func (p *proxyFlags) publish(d *announced, text []byte) (withdraw func(), err error) {
	path := p.descriptorOut
	if err := p.replaceable(d); err != nil {
		return nil, err
	}
	temp, err := createTemp(path, 0o600)
	if err != nil {
		return nil, writeError(path, err)
	}
	info, err := temp.Stat()
	if err == nil {
		_, err = temp.Write(text)
	}
	err = errors.Join(err, temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		os.Remove(temp.Name())
		return nil, writeError(path, err)
	}
	return func() {
		now, err := os.Lstat(path)
		if err != nil || !os.SameFile(now, info) {
			return
		}
		if has, err := os.ReadFile(path); err == nil && bytes.Equal(has, text) {
			os.Remove(path)
		}
	}, nil
}

// replaceable refuses a file in the place of --descriptor-out that no earlier run
// can have written.
func (p *proxyFlags) replaceable(d *announced) error {
	found, err := os.Lstat(p.descriptorOut)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return writeError(p.descriptorOut, err)
	}
	if source, err := os.Stat(p.descriptor); err == nil && os.SameFile(found, source) {
		return usageError{text: "--descriptor-out is the provider's own descriptor; name another file"}
	}
	if !found.Mode().IsRegular() {
		return usageError{text: "--descriptor-out: " + printable(p.descriptorOut) + " is no regular file"}
	}
	text, err := os.ReadFile(p.descriptorOut)
	if err != nil {
		return writeError(p.descriptorOut, err)
	}
	if !d.Alike(text) {
		return usageError{text: "--descriptor-out: " + printable(p.descriptorOut) + " is there already and is no descriptor like the provider's; name another file, or remove it"}
	}
	return nil
}
