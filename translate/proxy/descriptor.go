package proxy

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ctxmigrate/translate"
	"ctxmigrate/translate/jsontree"
)

// Descriptor is what a provider announces itself with: a JSON object that says
// where it listens, or how it is started, with which token, and in which form it
// answers.
type Descriptor struct {
	URL     string   // where it listens, made of host and port where it names these
	Socket  string   // the Unix socket that it listens on
	Command []string // how it is started
	Token   string

	text  []byte
	paths DescriptorPaths
	spots map[string]spot // by role: url, host, port, socket, command, args, token, protocol
}

// DescriptorPaths are where a descriptor holds what a proxy replaces, as names with
// dots between. A nil list stands for the usual ones, of which the first that is
// there is taken.
type DescriptorPaths struct{ URL, Host, Port, Socket, Command, Args, Token, Protocol []string }

// spot is a value of a descriptor.
type spot struct {
	from, to int
	raw      []byte
}

func (p *DescriptorPaths) lists() map[string][]string {
	or := func(list []string, usual ...string) []string {
		if list == nil {
			return usual
		}
		return list
	}
	return map[string][]string{
		"url":  or(p.URL, "url", "endpoint", "endpoint.url"),
		"host": or(p.Host, "host", "endpoint.host"), "port": or(p.Port, "port", "endpoint.port"),
		"socket":  or(p.Socket, "socket", "endpoint.socket"),
		"command": or(p.Command, "command"), "args": or(p.Args, "args"),
		"token":    or(p.Token, "token", "auth_token", "authToken"),
		"protocol": or(p.Protocol, "protocol"),
	}
}

// ReadDescriptor reads a descriptor.
func ReadDescriptor(text []byte, paths DescriptorPaths) (*Descriptor, error) {
	var r jsontree.Reader
	r.Reset(text, 64)
	whole := r.Skip()
	if !r.End() {
		line, column := jsontree.LineColumn(text, r.Err().Offset)
		return nil, fmt.Errorf("the descriptor cannot be read: %s at line %d, column %d", r.Err().Msg, line, column)
	}
	raw := whole.In(text)
	if jsontree.KindOf(raw) != jsontree.Object {
		return nil, errors.New("the descriptor is no JSON object")
	}
	d := &Descriptor{text: text, paths: paths, spots: map[string]spot{}}
	for role, list := range paths.lists() {
		want := jsontree.String
		if role == "args" {
			want = jsontree.Array
		}
		for _, path := range list {
			value := raw
			for _, name := range strings.Split(path, ".") {
				value = jsontree.Member(value, name)
			}
			if k := jsontree.KindOf(value); k != want && (role != "port" || k != jsontree.Number) {
				continue
			}
			at := offsetIn(text, value)
			d.spots[role] = spot{at, at + len(value), value}
			break
		}
	}
	return d, d.read()
}

func (d *Descriptor) read() error {
	text := func(role string) string { return idText(d.spots[role].raw) }
	d.URL, d.Socket, d.Token = text("url"), text("socket"), text("token")
	if d.URL == "" && d.spots["port"].raw != nil {
		host := text("host")
		if host == "" {
			host = "127.0.0.1"
		}
		d.URL = "http://" + net.JoinHostPort(host, text("port"))
	}
	if path, ok := strings.CutPrefix(d.URL, "unix:"); ok {
		d.URL, d.Socket = "", path
	}
	if c := text("command"); c != "" {
		d.Command = []string{c}
		if args := d.spots["args"].raw; args != nil {
			jsontree.Entries(args, func(v []byte) bool {
				d.Command = append(d.Command, idText(v))
				return true
			})
		}
	}
	if d.URL == "" && d.Socket == "" && d.Command == nil {
		return errors.New("the descriptor names no url, port, socket or command")
	}
	return nil
}

// Alike reports whether a text is a descriptor that has every place that this one
// has, as those do that Announce makes of it.
func (d *Descriptor) Alike(text []byte) bool {
	other, err := ReadDescriptor(text, d.paths)
	if err != nil {
		return false
	}
	for role := range d.spots {
		if other.spots[role].raw == nil {
			return false
		}
	}
	return true
}

// Announce is the descriptor of a proxy in the provider's place: it listens at a
// URL, http://HOST:PORT or unix:PATH, or is started by a command, wants a token
// and answers in a form. Every other byte is that of the provider's descriptor.
// A token is added where the provider has none; "" takes the token out of reach.
func (d *Descriptor) Announce(at string, command []string, token string, form translate.Form) ([]byte, error) {
	set := map[string]string{}
	quote := func(s string) string { return string(jsontree.AppendQuoted(nil, []byte(s))) }
	if d.spots["protocol"].raw != nil {
		name := form.String()
		if form == translate.Askable {
			name = "askable.context"
		}
		set["protocol"] = quote(name)
	}
	if err := d.place(set, at, command, quote); err != nil {
		return nil, err
	}
	var edits []edit
	if d.spots["token"].raw != nil {
		set["token"] = quote(token)
	} else if token != "" {
		end := strings.LastIndexByte(string(d.text), '}')
		edits = append(edits, edit{end, end, []byte(`,"token":` + quote(token))})
	}
	for role, text := range set {
		s := d.spots[role]
		edits = append(edits, edit{s.from, s.to, []byte(text)})
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	return edited(d.text, edits), nil
}

// place sets where the proxy is to be found.
func (d *Descriptor) place(set map[string]string, at string, command []string, quote func(string) string) error {
	has := func(role string) bool { return d.spots[role].raw != nil }
	if command != nil {
		if !has("command") || !has("args") {
			return errors.New("the descriptor has no command and args to put the proxy's into")
		}
		set["command"] = quote(command[0])
		var args []string
		for _, a := range command[1:] {
			args = append(args, quote(a))
		}
		set["args"] = "[" + strings.Join(args, ",") + "]"
		return nil
	}
	path, socket := strings.CutPrefix(at, "unix:")
	done := false
	if socket && has("socket") {
		set["socket"], done = quote(path), true
	}
	if u, err := url.Parse(at); err == nil && !socket {
		if has("url") {
			old, err := url.Parse(idText(d.spots["url"].raw))
			if err != nil || old.Scheme == "unix" {
				old = &url.URL{}
			}
			old.Scheme, old.Host, old.User = u.Scheme, u.Host, nil
			set["url"], done = quote(old.String()), true
		}
		if has("host") {
			set["host"] = quote(u.Hostname())
		}
		if has("port") {
			port := u.Port()
			if jsontree.KindOf(d.spots["port"].raw) == jsontree.String {
				port = quote(port)
			} else if _, err := strconv.Atoi(port); err != nil {
				return err
			}
			set["port"], done = port, true
		}
	} else if has("url") && !done {
		set["url"], done = quote(at), true
	}
	if !done {
		return errors.New("the descriptor has no place for where the proxy listens: it listens on a socket and the provider on a port, or the other way round")
	}
	return nil
}

// ProviderURL is the URL of the provider without the path, which the host brings.
func (d *Descriptor) ProviderURL() string {
	u, err := url.Parse(d.URL)
	if err != nil || u.Host == "" {
		return d.URL
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host}).String()
}
