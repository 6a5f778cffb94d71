package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/internal/testing/soak"
)

// label is a text of a picture and where it lies.
type label struct {
	text             string
	left, right, y   float64
	size, pictureEnd float64
}

// labelsOf reads the texts of a picture, which has to be well-formed XML.
func labelsOf(t *testing.T, picture []byte) (all []label) {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(picture))
	var at *label
	middle, mono := false, false
	base, end := 12.0, 0.0
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, picture)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			number := func(name string, otherwise float64) float64 {
				for _, a := range tok.Attr {
					if a.Name.Local == name {
						fmt.Sscan(a.Value, &otherwise)
					}
				}
				return otherwise
			}
			switch tok.Name.Local {
			case "svg":
				base, end = number("font-size", base), number("width", 0)
			case "text":
				at = &label{left: number("x", 0), y: number("y", 0), size: number("font-size", base), pictureEnd: end}
				mono = slices.Contains(tok.Attr, xml.Attr{Name: xml.Name{Local: "font-family"}, Value: diagram.Mono})
				middle = slices.Contains(tok.Attr, xml.Attr{Name: xml.Name{Local: "text-anchor"}, Value: "middle"})
			}
		case xml.CharData:
			if at != nil {
				at.text += string(tok)
			}
		case xml.EndElement:
			if tok.Name.Local == "text" {
				width := diagram.Width(at.text, at.size)
				if mono {
					width = float64(cells(at.text)) * at.size * 0.602 // of a character of the usual fonts
				}
				if middle {
					at.left -= width / 2
				}
				at.right = at.left + width
				all, at = append(all, *at), nil
			}
		}
	}
}

// noOverlap fails where two texts of a line cover each other, or one leaves the picture.
func noOverlap(t *testing.T, what string, labels []label) {
	t.Helper()
	for i, a := range labels {
		if a.left < 0 || a.right > a.pictureEnd {
			t.Errorf("%s: %q lies from %.1f to %.1f in a picture of %.1f", what, a.text, a.left, a.right, a.pictureEnd)
		}
		for _, b := range labels[:i] {
			if near := a.y - b.y; near > -9 && near < 9 && a.left < b.right && b.left < a.right && a.text != "" && b.text != "" {
				t.Errorf("%s: %q (%.1f to %.1f, %.1f) and %q (%.1f to %.1f, %.1f) overlap", what, a.text, a.left, a.right, a.y, b.text, b.left, b.right, b.y)
			}
		}
	}
}

// randomRun is a run of several components, some steps of which are taken together.
func randomRun(rng *rand.Rand, kind string) *Counterexample {
	word := func(most int) string {
		const letters = "abc<>&\" \t;()_\x01\f漢é"
		runes := []rune(letters)
		out := make([]rune, 1+rng.Intn(most))
		for i := range out {
			out[i] = runes[rng.Intn(len(runes))]
		}
		return "x" + string(out)
	}
	c := &Counterexample{Kind: kind, Initial: State{Props: []string{}}}
	for i := range 1 + rng.Intn(5) {
		c.Components = append(c.Components, fmt.Sprintf("component%s[%d]", strings.Repeat("y", rng.Intn(40)), i))
		c.Initial.Locals = append(c.Initial.Locals, fmt.Sprintf("s%d", rng.Intn(1000)))
	}
	steps := func() (all []Step) {
		for range rng.Intn(12) {
			who := rng.Perm(len(c.Components))[:1+rng.Intn(len(c.Components))]
			action := fmt.Sprintf("act%d.%s", rng.Intn(100), strings.Repeat("z", rng.Intn(50)))
			s := Step{Event: action, Movers: []string{}, State: c.Initial}
			for _, i := range who {
				s.Movers = append(s.Movers, c.Components[i])
			}
			if kind != "program" {
				all = append(all, s)
				continue
			}
			for k, i := range who {
				p := Step{Event: fmt.Sprintf("/a/very/long/path/of/folders/file.c:%d", rng.Intn(1000)), Source: word(120), Depth: rng.Intn(12),
					Routine: c.Components[i] + ": " + word(20), Movers: s.Movers[k : k+1], State: c.Initial}
				if rng.Intn(2) == 0 {
					p.Gained = []string{word(30) + " = 1", word(30)}
				}
				if rng.Intn(2) == 0 {
					p.Inputs = []string{word(30) + " = 1"}
				}
				if len(who) > 1 || rng.Intn(2) == 0 {
					p.Action, p.With = action, slices.Concat(s.Movers[:k], s.Movers[k+1:])
				}
				all = append(all, p)
			}
		}
		return all
	}
	c.Stem, c.Loop = steps(), steps()
	if rng.Intn(2) == 0 {
		c.End, c.Cycle = "deadlock", c.Components
		for i, name := range c.Components {
			c.Waiting = append(c.Waiting, Waiting{Component: name, Place: "/long/path/f.c:3", Source: word(60), Values: []string{word(30)}, Ended: rng.Intn(3) == 0,
				Offers: []Offer{{Event: word(30), Refused: c.Components[i:]}}})
		}
	}
	return c
}

// takesPart reports whether a component has something to show in a picture.
func takesPart(c *Counterexample, name string) bool {
	for _, s := range slices.Concat(c.Stem, c.Loop) {
		if slices.Contains(s.Movers, name) || c.Kind == "program" && slices.Contains(s.With, name) {
			return true
		}
	}
	return c.Kind == "program" && slices.ContainsFunc(c.Waiting, func(w Waiting) bool { return w.Component == name })
}

// TestChartLabels: no two texts of a picture cover each other, whatever the run, and none is
// read as XML.
func TestChartLabels(t *testing.T) {
	for seed := range soak.Cases(200) {
		for _, kind := range []string{"program", "lasso"} {
			rng := rand.New(rand.NewSource(int64(seed)))
			c := randomRun(rng, kind)
			var b bytes.Buffer
			if err := c.SVG(&b, "run of <m> & "+strings.Repeat("long ", rng.Intn(60))); err != nil {
				t.Fatal(err)
			}
			labels := labelsOf(t, b.Bytes())
			noOverlap(t, fmt.Sprintf("seed %d, %s", seed, kind), labels)
			text := ""
			for _, l := range labels {
				text += strings.ReplaceAll(l.text, " ", "")
			}
			slices.Reverse(labels)                               // titles are drawn last
			top := slices.IndexFunc(labels, func(l label) bool { // a title, with which all titles are in one row
				return slices.ContainsFunc(c.Components, func(name string) bool { return l.text == name && takesPart(c, name) })
			})
			for _, name := range c.Components {
				title := top >= 0 && slices.ContainsFunc(labels, func(l label) bool { return l.text == name && l.y == labels[top].y })
				switch still := strings.Contains(text, "nevermoving:"); {
				case takesPart(c, name) && !title:
					t.Errorf("seed %d: the title of %s is not in the picture as it is", seed, name)
				case !takesPart(c, name) && still && (title || !strings.Contains(text[strings.Index(text, "nevermoving:"):], strings.ReplaceAll(name, " ", ""))):
					t.Errorf("seed %d: %s never moves, and has a line, or is not listed", seed, name)
				}
			}
			if t.Failed() {
				t.FailNow()
			}
		}
	}
}

// table is a run of two components and a third one into a deadlock.
func table() *Counterexample {
	at := func(who, place, source, action string, with, gained []string) Step {
		return Step{Event: "some/where/p.c:" + place, Source: source, Routine: who, Action: action, With: with, Gained: gained, Movers: []string{who}}
	}
	return &Counterexample{Kind: "program", Components: []string{"eater", "idle", "fork"}, End: "deadlock",
		Stem: []Step{
			at("eater", "3", "get();", "take", []string{"fork"}, []string{"held = 1"}),
			at("fork", "20", "int s = 0;", "", nil, []string{"s = 0"}),
			at("fork", "21", "given();", "take", []string{"eater"}, nil),
			at("fork", "21", "given();", "", nil, nil),
			at("eater", "4", "if (held < 2 && x)", "", nil, nil),
		},
		Waiting: []Waiting{
			{Component: "eater", Place: "some/where/p.c:5", Source: "get();", Offers: []Offer{{Event: "take", Refused: []string{"fork"}}}, Values: []string{"held = 1"}},
			{Component: "idle", Ended: true},
			{Component: "fork", Place: "some/where/p.c:22", Source: "back();", Offers: []Offer{{Event: "put", Refused: []string{"eater"}}}},
		},
		Cycle: []string{"eater", "fork"},
	}
}

// TestChart: what a chart says, line by line: the steps that are taken together in one row
// behind what was done before, short places, changed values, who waits for whom.
func TestChart(t *testing.T) {
	c := table()
	var b bytes.Buffer
	if err := c.SVG(&b, "title"); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, l := range labelsOf(t, b.Bytes()) {
		texts = append(texts, l.text)
	}
	want := []string{"title",
		"p.c:20 int s = 0;", "s = 0",
		"p.c:3 get();", "p.c:21 given();", "take", "held = 1",
		"p.c:4 if (held < 2 && x)",
		"waits here", "p.c:5 get();", "for take, refused by fork", "held = 1",
		"has ended",
		"waits here", "p.c:22 back();", "for put, refused by eater",
		"deadlock: nothing is possible here", "cycle of waiting: eater -> fork -> eater",
		"eater", "idle", "fork"}
	if !slices.Equal(texts, want) {
		t.Errorf("the texts are\n%q, not\n%q", texts, want)
	}
	if n := strings.Count(b.String(), `stroke="#cc4422" `); n != 1 {
		t.Errorf("%d bars, not 1", n)
	}
	if n := strings.Count(b.String(), `r="4" fill="#cc4422"`); n != 2 {
		t.Errorf("%d ends of bars, not 2", n)
	}
	c.Loop, c.Waiting, c.Cycle, c.End = c.Stem[3:], nil, nil, ""
	b.Reset()
	if err := c.SVG(&b, "title"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), ">for ever<") || strings.Contains(b.String(), "waits") {
		t.Errorf("a lasso's chart is\n%s", b.String())
	}
}

// TestChartColours: every colour of a chart has one for dark screens.
func TestChartColours(t *testing.T) {
	var b bytes.Buffer
	rng := rand.New(rand.NewSource(1))
	for _, kind := range []string{"program", "lasso"} {
		for range 20 {
			c := randomRun(rng, kind)
			c.Bad = &Bad{State: len(c.Stem), Why: "state"}
			if err := c.SVG(&b, "title"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := table().SVG(&b, "title"); err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(fill|stroke)="([^"]*)"`).FindAllStringSubmatch(b.String(), -1) {
		rule := fmt.Sprintf("[%s=%q]", m[1], m[2])
		if m[2] == "white" {
			rule = "[fill=white]"
		}
		if m[2] != "#7aa0dd" && !strings.Contains(diagram.StyleSheet, ".seltl-chart "+rule) { // that is for both
			t.Fatalf("no colour for dark screens: %s", rule)
		}
	}
}

// TestChartWidth: components of long names share what a page has, and no name is broken.
func TestChartWidth(t *testing.T) {
	c := &Counterexample{Kind: "trace"}
	var props []string
	for i := range 8 {
		c.Components = append(c.Components, fmt.Sprintf("phil.%d:PHILOSOPHER", i), fmt.Sprintf("{phil.%d.left,phil.%d.right}::FORK", i, (i+7)%8))
		c.Initial.Locals = append(c.Initial.Locals, "THINKING->left.get->right.get", "FORK->get")
		props = append(props, fmt.Sprintf("phil.%d.thinking", i))
	}
	c.Initial.Props = props
	c.Stem = []Step{{Event: "phil.0.left.get", Movers: c.Components, State: c.Initial}}
	var b bytes.Buffer
	if err := c.SVG(&b, "title"); err != nil {
		t.Fatal(err)
	}
	labels := labelsOf(t, b.Bytes())
	noOverlap(t, "philosophers", labels)
	if labels[0].pictureEnd > 2000 { // 4,410 with every text in one line
		t.Errorf("%.0f pixels wide", labels[0].pictureEnd)
	}
	for _, name := range []string{"PHILOSOPHER", "FORK", "thinking", "right."} {
		if !slices.ContainsFunc(labels, func(l label) bool { return strings.Contains(l.text, name) }) {
			t.Errorf("%s is broken", name)
		}
	}
}
