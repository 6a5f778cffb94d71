package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

func sample() *Figure {
	return &Figure{Title: `a < b & "c"`, Columns: 2, Panels: []Panel{
		{Title: "one", X: Axis{Label: "n"}, Y: Axis{Label: "s", Log: true}, Series: []Series{
			{Name: "ours", Points: []Point{{4, 0.01}, {6, 0.5}, {8, 70}, {9, 0}, {10, math.NaN()}, {11, math.Inf(1)}}},
			{Name: "theirs", Points: []Point{{4, 2e6}}},
		}},
		{Title: "two", X: Axis{Zero: true}, Y: Axis{Zero: true}, Series: []Series{{Name: "ours", Cloud: true, Points: []Point{{1, 2}, {3, 4}}}}},
		{Title: "nothing", Y: Axis{Log: true}},
	}}
}

// TestSVG reads a figure back: it is well-formed, and every point that can be
// shown has a mark inside the figure.
func TestSVG(t *testing.T) {
	svg := sample().SVG()
	marks, lines := 0, 0
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			switch {
			case e.Name.Local == "polyline":
				lines++
			case slices.ContainsFunc(e.Attr, func(a xml.Attr) bool { return a.Name.Local == "transform" }) && e.Name.Local == "path":
				marks++
			}
		}
	}
	// Four points on logarithmic axes, two on linear ones, two in the legend.
	if marks != 8 || lines != 1 {
		t.Errorf("%d marks and %d lines, want 8 and 1", marks, lines)
	}
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		t.Error("a coordinate is not a number")
	}
	if svg != sample().SVG() {
		t.Error("the same figure is drawn differently")
	}
}

func TestScale(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		values []float64
	}{
		{Axis{}, []float64{4, 20}}, {Axis{}, []float64{7}}, {Axis{Zero: true}, []float64{1e9, 3}}, {Axis{}, nil},
		{Axis{Log: true}, []float64{0.013, 0.02}}, {Axis{Log: true}, []float64{1e-9, 1e12}}, {Axis{Log: true}, []float64{5}}, {Axis{Log: true}, nil},
	} {
		s := newScale(c.axis, c.values, 10, 110)
		for _, v := range c.values {
			if at := s.at(v); !(at >= 9.9 && at <= 110.1) {
				t.Errorf("%+v %v: %v is drawn at %v, outside", c.axis, c.values, v, at)
			}
		}
		ticks := s.ticks()
		if len(ticks) < 2 || len(ticks) > 25 || !slices.IsSorted(ticks) || s.at(ticks[0]) < 9.9 || s.at(ticks[len(ticks)-1]) > 110.1 {
			t.Errorf("%+v %v: ticks %v", c.axis, c.values, ticks)
		}
	}
}

func TestLabel(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.01: "0.01", 500: "500", 2000: "2000", 2e4: "20k", 3e6: "3M", 5e9: "5G", 1e15: "1e+15", 1e-5: "1e-05"} {
		if got := label(v); got != want {
			t.Errorf("%v is written %q, want %q", v, got, want)
		}
	}
}
