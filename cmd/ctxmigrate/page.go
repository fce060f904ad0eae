package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"

	"github.com/urfave/cli/v2"
)

// The page that --html writes is one file that asks for nothing: its style and its
// script are in it, and its policy lets it run no other. Whatever comes from a
// document goes through html/template as text.
var (
	//go:embed page/page.html
	pageHTML string
	//go:embed page/page.css
	pageCSS string
	//go:embed page/page.js
	pageJS string
)

// pageFlag is the flag --html, and what goes into the page.
type pageFlag struct {
	path     string
	sections []section
	more     int // documents that the page has no room for
}

// maxSections is how many documents a page holds.
const maxSections = 50

func (p *pageFlag) flag() cli.Flag {
	return &cli.StringFlag{Name: "html", Category: writing, Destination: &p.path,
		Usage: fmt.Sprintf("write a page to `FILE` too, which a browser shows without any other file, source and result side by side; of the first %d documents", maxSections)}
}

func (p *pageFlag) wanted() bool { return p.path != "" }

// room reports whether the page has room for another document.
func (p *pageFlag) room() bool {
	if len(p.sections) < maxSections {
		return true
	}
	p.more++
	return false
}

func (p *pageFlag) add(s section) {
	s.Number = len(p.sections) + 1
	p.sections = append(p.sections, s)
}

// section is one document of a page.
type section struct {
	Number      int
	Name        string
	Summary     string
	Left, Right string // what stands on either side
	Lines       []pageLine
	Cut         string // what of the source is not shown
	Nodes       []pageNode
	FoundTitle  string
	Found       []pageNote
	Nothing     string // what is said where there is nothing to say
}

// pageLine is a line of the source.
type pageLine struct {
	Level int
	Text  string
	Key   int  // the element that it belongs to, or -1
	First bool // it is the first line of that
	Notes []pageNote
}

// pageNode is an element of the result.
type pageNode struct {
	Key                      int
	Level                    int
	Deep                     int // the level where it is too deep to be drawn, else 0
	Path                     bool
	Role, Subrole, ID, Title string
	Text                     string
	States                   []pageState
	Reasons                  []reasonJSON
	Notes                    []pageNote
}

type pageState struct{ Class, Sign, Word string }

// pageNote is a finding or a diagnostic.
type pageNote struct {
	Key                     int
	Level, Sign, Text, Code string
	Place                   string
}

// write writes the page.
func (p *pageFlag) write(title string) error {
	if !p.wanted() {
		return nil
	}
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	more := ""
	if p.more > 0 {
		more = plural(p.more, "further document") + " found no room on this page."
	}
	var b bytes.Buffer
	err := template.Must(template.New("page").Parse(pageHTML)).Execute(&b, struct {
		Title, Lead, Policy, More string
		Style                     template.CSS
		Script                    template.JS
		Sections                  []section
	}{title, "Hover or focus one side to light its other; arrow keys go on, Enter holds, Escape lets go.",
		"default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + hash(pageCSS) + "; script-src " + hash(pageJS),
		more, template.CSS(pageCSS), template.JS(pageJS), p.sections})
	if err != nil {
		return err
	}
	out, err := openOutput(p.path, nil)
	if err != nil {
		return err
	}
	out.buf = b.Bytes()
	return out.close(true)
}
