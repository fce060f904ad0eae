package main

import "github.com/urfave/cli/v2"

type pageFlag struct{ path string }
type section struct{}

func (p *pageFlag) flag() cli.Flag {
	return &cli.StringFlag{Name: "html", Category: writing, Destination: &p.path, Usage: "write a page to `FILE`"}
}
func (p *pageFlag) wanted() bool       { return p.path != "" }
func (p *pageFlag) add(section)        {}
func (p *pageFlag) write(string) error { return nil }
func checkSection(...any) section      { return section{} }
func treeSection(...any) section       { return section{} }
func explainSection(...any) section    { return section{} }
