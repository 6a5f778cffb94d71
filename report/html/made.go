package html

import "github.com/seltl/seltl/report"

// Made is what a command has made or counted that is no verdict: a composition, an automaton,
// the figures of a structure.
type Made struct {
	Title   string
	Facts   [][2]string    // what is said of it, and its value
	Table   *Table         // nil: none
	Picture report.Picture // without SVG: none
	// Text is how it is written, in the language that the end of its name says; without a
	// name: not at all.
	Text Source
}

// made is what the template shows of it.
type made struct {
	Title   string
	Number  int
	Facts   [][2]string
	Table   *Table
	Picture *picture
	Text    *text
}

// shown cuts the text into lines, and checks the picture.
func (m *Made) shown(number int) *made {
	v := &made{Title: m.Title, Number: number, Facts: m.Facts, Table: m.Table}
	if svg, ok := plainDrawing(m.Picture.SVG, m.Picture.Title); ok {
		v.Picture = &picture{Title: m.Picture.Title, SVG: svg, Number: -1, Graph: true}
	}
	if m.Text.Name != "" {
		v.Text = highlighted(-1, &m.Text)
	}
	return v
}
