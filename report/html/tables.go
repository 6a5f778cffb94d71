package html

import (
	"fmt"
	"strconv"

	"github.com/seltl/seltl/report"
)

// Table is one that a command prints.
type Table struct {
	Columns []Column
	Rows    [][]string // by column
}

// Column is one of a table.
type Column struct {
	Name   string
	Number bool // numbers stand to the right
}

// TableOf is a table with the names of columns as its first row. The first columns, so many,
// have numbers.
func TableOf(rows [][]string, numbers int) *Table {
	t := &Table{Rows: rows[1:]}
	for i, name := range rows[0] {
		t.Columns = append(t.Columns, Column{Name: name, Number: i < numbers})
	}
	return t
}

// mostListed is how many formulas are shown.
const mostListed = 2000

// listed adds what a report has that is neither a result nor was made by others: a list of
// formulas, a comparison of translators.
func (p *Page) listed() (summary *Made, made []Made) {
	summary, made = p.Summary, p.Made
	if f := p.Report.Formulas; f != nil {
		summary = formulas(f)
	}
	if c := p.Report.Cross; c != nil {
		rows := c.Table()
		summary = &Made{Title: "translators", Facts: [][2]string{{"compared", c.Summary()}}, Table: TableOf(rows, len(rows[0])-1)}
		for i := range c.Failures {
			made = append(made, failure(&c.Failures[i]))
		}
	}
	return summary, made
}

// formulas shows a list of formulas.
func formulas(f *report.Formulas) *Made {
	rows := [][]string{{"length", "atoms", "formula", "from"}}
	for i := range f.List {
		if i == mostListed {
			break
		}
		item := &f.List[i]
		from := item.Family + item.Arguments
		switch {
		case item.Line > 0:
			from = fmt.Sprintf("%s, line %d", item.File, item.Line)
		case item.File != "":
			from = item.File
		}
		rows = append(rows, []string{strconv.Itoa(item.Length), strconv.Itoa(item.Atoms), item.Formula, from})
	}
	m := &Made{Title: "formulas", Facts: [][2]string{{"formulas", report.Group(int64(f.Count))}}, Table: TableOf(rows, 2)}
	if more := len(f.List) - mostListed; more > 0 {
		m.Facts = append(m.Facts, [2]string{"not shown", report.Group(int64(more))})
	}
	return m
}

// failure shows a formula on which a translator is wrong.
func failure(f *report.CrossFailure) Made {
	m := Made{Title: f.Formula, Facts: [][2]string{{"wrong", f.Check}}}
	if f.Found != f.Formula {
		m.Facts = append(m.Facts, [2]string{"found with", f.Found})
	}
	if f.Word != "" {
		m.Facts = append(m.Facts, [2]string{"the word", f.Word}, [2]string{"the formula on it", strconv.FormatBool(f.Holds)})
	}
	for _, text := range f.Wrong {
		m.Facts = append(m.Facts, [2]string{"said", text})
	}
	return m
}
