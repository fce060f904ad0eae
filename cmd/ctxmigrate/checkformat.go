package main

import (
	"bytes"
	"encoding/json"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
)

// findingWriter appends a finding in one of the formats of check.
type findingWriter func(dst []byte, r *remark) []byte

func writerOf(format string) findingWriter {
	switch format {
	case "text":
		return appendTextFinding
	case "json":
		return appendJSONFinding
	case "github":
		return appendGitHubFinding
	case "sarif":
		return appendSARIFFinding
	}
	return nil
}

// wrapOf is what stands around the findings of a format.
func wrapOf(format string) (head, tail string) {
	if format != "sarif" {
		return "", ""
	}
	return sarifHead(), "]}]}\n"
}

func appendTextFinding(dst []byte, r *remark) []byte {
	dst = append(dst, printable(r.sight.name)...)
	dst = append(dst, ':')
	dst = append(dst, position(r.Place)...)
	dst = append(dst, ": "...)
	dst = append(dst, r.rule.Level.String()...)
	dst = append(dst, ": "...)
	dst = append(dst, printable(r.message)...)
	if r.pointer != "" {
		dst = append(dst, ", at "...)
		dst = append(dst, printable(ending(r.pointer))...)
	}
	dst = append(dst, " ("...)
	dst = append(dst, r.rule.Code.String()...)
	dst = append(dst, ")\n"...)
	if r.excerpt == nil || r.sight.record != nil && r.sight.record.quoted {
		return dst // a line that holds JSON inside a string says little
	}
	x := *r.excerpt
	if rec := r.sight.record; rec != nil {
		x.masked = rec.masked(x.masked)
	}
	return x.append(dst, r.sight.Data, r.local)
}

func quotedJSON(dst []byte, text string) []byte {
	return jsontree.AppendQuoted(dst, []byte(strings.ToValidUTF8(text, "\ufffd")))
}

func appendJSONFinding(dst []byte, r *remark) []byte {
	from := len(dst)
	dst = quotedJSON(append(dst, `{"file":`...), r.sight.name)
	dst = strconv.AppendInt(append(dst, `,"record":`...), int64(r.sight.Record), 10)
	dst = strconv.AppendInt(append(dst, `,"line":`...), int64(r.Line), 10)
	dst = strconv.AppendInt(append(dst, `,"column":`...), int64(r.Column), 10)
	dst = strconv.AppendInt(append(dst, `,"offset":`...), r.Offset, 10)
	dst = append(append(append(dst, `,"rule":"`...), r.rule.Code.String()...), `","level":"`...)
	dst = append(append(dst, r.rule.Level.String()...), `","form":`...)
	if r.form == translate.Auto {
		dst = append(dst, "null"...)
	} else {
		dst = quotedJSON(dst, r.form.String())
	}
	dst = quotedJSON(append(dst, `,"pointer":`...), r.pointer)
	dst = quotedJSON(append(dst, `,"message":`...), r.message)
	return append(plainJSON(dst, from), "}\n"...)
}

// appendGitHubFinding appends a command of GitHub's workflows, which makes an
// annotation of it.
func appendGitHubFinding(dst []byte, r *remark) []byte {
	level := r.rule.Level.String()
	if r.rule.Level == diag.Note {
		level = "notice"
	}
	line := strconv.Itoa(r.Line)
	dst = append(append(append(dst, "::"...), level...), " file="...)
	dst = append(dst, githubProperty.Replace(printable(r.sight.name))...)
	dst = append(append(append(dst, ",line="...), line...), ",col="...)
	dst = strconv.AppendInt(dst, int64(r.column()), 10)
	dst = append(append(append(dst, ",title="...), r.rule.Code.String()...), "::"...)
	text := r.message
	if r.pointer != "" {
		text += ", at " + ending(r.pointer)
	}
	return append(append(dst, githubText.Replace(printable(text))...), '\n')
}

var (
	githubText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// column is the column of a finding in code points, which is what other programs
// count.
func (r *remark) column() int {
	return r.Column - r.points.more(r.local)
}

// points counts the bytes of a line that begin no code point. It goes through a
// document once, as long as it is asked about places in rising order.
type points struct {
	data []byte
	at   int // up to where it was counted
	n    int // bytes of the line that begin none, up to at
}

func (p *points) reset(data []byte) { *p = points{data: data} }

func (p *points) more(at int) int {
	at = max(0, min(at, len(p.data)))
	if at < p.at {
		p.at, p.n = 0, 0
	}
	part := p.data[p.at:at]
	if k := bytes.LastIndexByte(part, '\n'); k >= 0 {
		p.n, part = 0, part[k+1:]
	}
	p.n += len(part) - utf8.RuneCount(part)
	p.at = at
	return p.n
}

// The parts of a SARIF 2.1.0 log that are used here.
type (
	sarifText struct {
		Text string `json:"text"`
	}
	sarifRule struct {
		ID      string    `json:"id"`
		Short   sarifText `json:"shortDescription"`
		Help    sarifText `json:"help"`
		Default struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
		Properties map[string]string `json:"properties"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		ByteOffset  int `json:"byteOffset"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region sarifRegion `json:"region"`
		} `json:"physicalLocation"`
		Logical []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
)

// sarifHead is a SARIF log up to its first result. A rule that several forms have
// is told once, with the level that is gravest.
func sarifHead() string {
	var rules []sarifRule
	index := map[diag.Code]int{}
	for _, form := range []translate.Form{translate.V01, translate.V020, translate.Askable, translate.Auto} {
		for _, r := range translate.Rules(form) {
			if i, ok := index[r.Code]; ok {
				if r.Level == diag.Error {
					rules[i].Default.Level = r.Level.String()
				}
				continue
			}
			index[r.Code] = len(rules)
			info := diag.Codes()[r.Code]
			one := sarifRule{ID: r.Code.String(), Short: sarifText{r.Means()}, Help: sarifText{info.Do}, Properties: map[string]string{"from": r.From}}
			one.Default.Level = r.Level.String()
			rules = append(rules, one)
		}
	}
	list, err := json.Marshal(rules)
	if err != nil {
		panic(err) // of strings alone
	}
	return `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"ctxmigrate","rules":` +
		string(list) + `}},"columnKind":"unicodeCodePoints","results":[`
}

// appendSARIFFinding appends a result. The comma before the first one is taken
// away by whoever writes it out.
func appendSARIFFinding(dst []byte, r *remark) []byte {
	one := sarifResult{RuleID: r.rule.Code.String(), Level: r.rule.Level.String(), Message: sarifText{r.message}}
	var at sarifLocation
	at.Physical.Artifact.URI = fileURI(r.sight.name)
	at.Physical.Region = sarifRegion{r.Line, r.column(), int(r.Offset)}
	if r.pointer != "" {
		at.Logical = []sarifLogical{{r.pointer, "element"}}
	}
	one.Locations = []sarifLocation{at}
	raw, err := json.Marshal(one)
	if err != nil {
		panic(err) // of strings and numbers alone
	}
	return append(append(dst, ",\n"...), plainJSON(raw, 0)...)
}

// fileURI is the name of a file as a relative or absolute URI.
func fileURI(name string) string {
	if name == "<stdin>" {
		return "stdin"
	}
	slashed := filepath.ToSlash(name)
	u := url.URL{Path: slashed}
	if filepath.IsAbs(name) {
		u.Scheme = "file"
		if !strings.HasPrefix(slashed, "/") {
			u.Path = "/" + slashed
		}
	}
	return u.String()
}
