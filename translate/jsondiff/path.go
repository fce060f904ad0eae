package jsondiff

import (
	"strconv"
	"strings"
)

// Path is a place that both documents have.
type Path struct {
	up    *Path
	name  string
	a, b  int // the index in either document
	entry bool
}

// Up is the place of the container, nil at the outermost value.
func (p *Path) Up() *Path { return p.up }

// Is reports whether a place is where the pattern leads to from the outermost
// value: each of its words is the name of a member, or * for any member or entry.
func (p *Path) Is(pattern ...string) bool {
	for k := len(pattern) - 1; k >= 0; k-- {
		if p.up == nil || pattern[k] != "*" && (p.entry || p.name != pattern[k]) {
			return false
		}
		p = p.up
	}
	return p.up == nil
}

// From is the JSON Pointer in the first document.
func (p *Path) From() string { return p.pointer(func(p *Path) int { return p.a }) }

// To is the JSON Pointer in the second document.
func (p *Path) To() string { return p.pointer(func(p *Path) int { return p.b }) }

func (p *Path) pointer(index func(*Path) int) string {
	var tokens []string
	n := 0
	for ; p.up != nil; p = p.up {
		t := p.name
		if p.entry {
			t = strconv.Itoa(index(p))
		} else if strings.ContainsAny(t, "~/") {
			t = escaper.Replace(t)
		}
		tokens = append(tokens, t)
		n += len(t) + 1
	}
	b := make([]byte, 0, n)
	for k := len(tokens) - 1; k >= 0; k-- {
		b = append(append(b, '/'), tokens[k]...)
	}
	return string(b)
}

var escaper = strings.NewReplacer("~", "~0", "/", "~1")
