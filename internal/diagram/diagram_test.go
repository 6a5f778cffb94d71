package diagram

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestFold(t *testing.T) {
	for _, c := range []struct{ labels, want string }{
		{"get.0 get.1 get.2", "get[0..2]"},
		{"get.0 get.1", "get.0 get.1"},
		{"get.0 put get.1 get.3", "get.0 put get.1 get.3"},
		{"get.2 put get.1 get.3", "get[1..3] put"},
		{"p.0.eat p.1.eat p.2.eat p.0.think", "p[0..2].eat p.0.think"},
		{"p.0 p.2 p.3 p.4", "p.0 p[2..4]"},
		{"p.5 p.4 p.0 q p.6 p.1 p.2 p.9", "p[4..6] p[0..2] q p.9"},
		{"a[1].b a[2].b a[3].b", "a[1..3].b"},
		{"m.0.0 m.0.1 m.0.2 m.1.0 m.1.1 m.1.2 m.2.0 m.2.1 m.2.2", "m[0..2][0..2]"},
		{"v1 v2 v3", "v1 v2 v3"},
		{"x.01 x.02 x.03", "x.01 x.02 x.03"},
	} {
		if got := strings.Join(fold(strings.Fields(c.labels)), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.labels, got, c.want)
		}
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		labels string
		want   []string
	}{
		{"", nil},
		{"a b", []string{"a, b"}},
		{"enter leave press release open close up down stop go come wait run", []string{"enter, leave, press,", "release, open, close, up,", "down, stop, go, come, +2"}},
		{strings.Repeat("x", 60), []string{strings.Repeat("x", 43) + "…"}},
	} {
		got := fit(strings.Fields(c.labels))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.labels, got, c.want)
		}
	}
}

// Whatever names say, a picture is well-formed and has no elements of theirs.
func TestHostile(t *testing.T) {
	evil := "<script>alert(1)</script>\" onload='x' ]]> &amp; \x00\x1b \u202e \xff"
	g := &Graph{Name: evil, Notes: []string{evil}, Prefix: evil, Listed: true, Accepting: evil,
		Nodes: []Node{{Number: 0, Lines: []string{evil}, Props: []string{evil}, Tip: evil, Marks: Initial | Accepting}, {Number: 1, Lines: []string{evil}, Block: true}},
		Edges: []Edge{{0, 1, []string{evil, "a"}, Solid}, {0, 0, []string{evil}, Strong}}}
	var b strings.Builder
	if err := WriteSVG(&b, g, g); err != nil {
		t.Fatal(err)
	}
	allowed := []string{"svg", "title", "style", "rect", "g", "path", "text", "circle"}
	attributes := []string{"xmlns", "class", "width", "height", "viewBox", "font-family", "font-size", "font-weight", "role", "aria-label", "x", "y", "rx", "cx", "cy", "r",
		"fill", "stroke", "stroke-width", "stroke-dasharray", "transform", "id", "d", "text-anchor", "space", "data-state", "data-from", "data-to", "data-edge", "data-labels"}
	for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			if !slices.Contains(allowed, e.Name.Local) {
				t.Errorf("element %s", e.Name.Local)
			}
			for _, a := range e.Attr {
				if !slices.Contains(attributes, a.Name.Local) {
					t.Errorf("attribute %s", a.Name.Local)
				}
			}
		}
	}
	if strings.Contains(b.String(), "<script") || strings.Contains(b.String(), "\x1b") {
		t.Error("text is not escaped")
	}
}
