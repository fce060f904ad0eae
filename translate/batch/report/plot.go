package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The plots are drawn in a space of plotWidth units, which the page stretches.
const plotWidth = 720

// line is documents over time.
type line struct {
	Width, Height float64
	Points        string // of the line
	Area          string // the same with the ground closed
	X, Y          []tick
}

type tick struct {
	At   float64
	Text string
}

func lineOf(samples []Sample) *line {
	const left, right, top, bottom = 64.0, 12.0, 12.0, 28.0
	if len(samples) == 0 || samples[len(samples)-1].Seconds <= 0 || samples[len(samples)-1].Documents == 0 {
		return nil
	}
	l := &line{Width: plotWidth, Height: 240}
	last := samples[len(samples)-1]
	most := 0
	for _, s := range samples {
		most = max(most, s.Documents)
	}
	x := func(sec float64) float64 { return left + sec/last.Seconds*(l.Width-left-right) }
	y := func(n float64) float64 { return l.Height - bottom - n/float64(most)*(l.Height-top-bottom) }
	points := []string{fmt.Sprintf("%.1f,%.1f", x(0), y(0))}
	for _, s := range samples {
		points = append(points, fmt.Sprintf("%.1f,%.1f", x(s.Seconds), y(float64(s.Documents))))
	}
	l.Points = strings.Join(points, " ")
	l.Area = l.Points + fmt.Sprintf(" %.1f,%.1f", x(last.Seconds), y(0))
	for k := range 5 {
		part := float64(k) / 4
		l.X = append(l.X, tick{x(part * last.Seconds), fmt.Sprintf("%.3g s", part*last.Seconds)})
		l.Y = append(l.Y, tick{y(part * float64(most)), number(int(part * float64(most)))})
	}
	return l
}

// bars are the codes by how often they were found.
type bars struct {
	Width, Height float64
	Rows          []bar
}

type bar struct {
	Y, Width float64
	Code     string
	Severity string
	Count    string
}

func barsOf(codes []Code) *bars {
	const row, left, right = 24.0, 200.0, 90.0
	if len(codes) == 0 {
		return nil
	}
	most := 0
	for _, c := range codes {
		most = max(most, c.Count+c.Before)
	}
	b := &bars{Width: plotWidth, Height: row * float64(len(codes))}
	for i, c := range codes {
		b.Rows = append(b.Rows, bar{row * float64(i), max(2, (b.Width-left-right)*float64(c.Count+c.Before)/float64(most)), c.Code, c.Severity, number(c.Count + c.Before)})
	}
	return b
}

// matrix is type words by roles.
type matrix struct {
	Width, Height float64
	Roles         []tick
	Rows          []wordRow
	Left          int // words that are in report.json alone
}

type wordRow struct {
	Y     float64
	Word  string
	Count string
	Cells []cell
}

type cell struct {
	X, Opacity float64
	Title      string
}

// words is how many type words the plot shows: the most frequent ones.
const words = 30

// The place of cells in the matrix.
const (
	matrixLeft, matrixTop   = 150.0, 84.0
	cellWidth, matrixHeight = 40.0, 22.0
)

func matrixOf(d *Document) *matrix {
	if len(d.Types) == 0 {
		return nil
	}
	roles := slices.SortedFunc(maps.Keys(d.Roles), func(a, b string) int {
		return cmp.Or(d.Roles[b]-d.Roles[a], strings.Compare(a, b))
	})
	all := slices.SortedFunc(maps.Keys(d.Types), func(a, b string) int {
		return cmp.Or(d.Types[b].Count-d.Types[a].Count, strings.Compare(a, b))
	})
	m := &matrix{Width: plotWidth, Left: max(0, len(all)-words)}
	all = all[:min(len(all), words)]
	at := map[string]float64{}
	for i, r := range roles {
		at[r] = matrixLeft + cellWidth*float64(i)
		m.Roles = append(m.Roles, tick{at[r], r})
	}
	for i, w := range all {
		row := wordRow{Y: matrixTop + matrixHeight*float64(i), Word: w, Count: number(d.Types[w].Count)}
		for _, r := range roles {
			if n := d.Types[w].Roles[r]; n > 0 {
				share := float64(n) / float64(d.Types[w].Count)
				row.Cells = append(row.Cells, cell{at[r], 0.25 + 0.75*share, fmt.Sprintf("%s as %s: %s", w, r, number(n))})
			}
		}
		m.Rows = append(m.Rows, row)
	}
	m.Height = matrixTop + matrixHeight*float64(len(all)) + 8
	m.Width = max(m.Width, matrixLeft+cellWidth*float64(len(roles))+90)
	return m
}
