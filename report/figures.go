package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/seltl/seltl/internal/source"
)

// Figures describe a structure, in the order in which people read them.
type Figures []Figure

// Figure is a line of the text (Name, Value) and a field of the JSON form (Field, JSON);
// one without Name, or without Field, is in one of the forms only.
type Figure struct {
	Name  string
	Value any // numbers are grouped
	Field string
	JSON  any
}

// figuresSchema identifies the JSON form.
const figuresSchema = "seltl.stats/2"

// JSON writes one object, indented.
func (f Figures) JSON(w io.Writer) error {
	object := map[string]any{"schema": figuresSchema}
	for _, figure := range f {
		if figure.Field != "" {
			object[figure.Field] = figure.JSON
		}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(object)
}

// figureColumn is where the values begin.
const figureColumn = 31

// Lines are the figures that have a name, with their values as people read them.
func (f Figures) Lines() (all [][2]string) {
	for _, figure := range f {
		if figure.Name != "" {
			all = append(all, [2]string{figure.Name, fmt.Sprint(grouped(figure.Value))})
		}
	}
	return all
}

// Text writes a line for each figure, broken at width.
func (f Figures) Text(w io.Writer, width int) error {
	for _, figure := range f.Lines() {
		line := fmt.Sprintf("%-*s %s", figureColumn-1, figure[0], figure[1])
		if _, err := fmt.Fprintln(w, source.Wrap(line, width, figureColumn)); err != nil {
			return err
		}
	}
	return nil
}

// grouped writes a number as Group does; other values stay.
func grouped(value any) any {
	switch n := value.(type) {
	case int:
		return Group(int64(n))
	case int64:
		return Group(n)
	}
	return value
}
