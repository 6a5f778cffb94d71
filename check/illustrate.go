package check

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/report"
)

// What is drawn for a report: larger pictures nobody reads, and they take long.
const (
	mostDrawnStates    = 40
	mostDrawnEdges     = 120
	mostAutomatonDrawn = 16
	drawingTime        = 2 * time.Second // for what is drawn, not for drawing
)

// drawingMeter bounds what is made to be drawn only.
func (s *session) drawingMeter() *budget.Meter {
	return budget.New(context.WithoutCancel(s.whole), budget.Limits{States: 1 << 14, Time: drawingTime}, nil)
}

// drawAutomaton adds the automaton of the runs that violate a formula to the report, for the
// next result, if that is asked for.
func (s *session) drawAutomaton(f *ltl.Formula) {
	if !s.opts.Illustrate || f == nil {
		return
	}
	a, err := buchi.Translate(ltl.Negate(f), buchi.Options{Meter: s.drawingMeter()})
	if err != nil || a.NumStates() > mostAutomatonDrawn {
		return
	}
	g := a.Diagram()
	g.Name = "" // the picture has a title
	addPicture(s.r, "Automaton of the runs that violate it", len(s.r.Results), g)
}

// drawModel adds the composition to the report, if it is asked for.
func (s *session) drawModel() {
	if !s.opts.Illustrate {
		return
	}
	net := s.m.Net
	if s.r.Command != "verify" {
		if raw, err := s.m.Composition(); err == nil {
			net = raw
		}
	}
	drawNetwork(s.whole, s.r, net)
}

// DrawModel adds a picture of the composition of a model to a report about it, if that is small,
// with the ways that counterexamples take through it.
func DrawModel(ctx context.Context, r *report.Report, m *Model) { drawNetwork(ctx, r, m.Net) }

func drawNetwork(ctx context.Context, r *report.Report, net *lks.Network) {
	built := small(ctx, net)
	if built == nil {
		return
	}
	g := built.Diagram()
	g.Name = ""
	p := addPicture(r, "The composition: "+report.Counted(int64(built.NumStates()), "state")+", "+report.Counted(int64(built.NumTransitions()), "transition"), -1, g)
	if p == nil {
		return
	}
	number := map[string]int{}
	for i := range int32(built.NumStates()) {
		if name := built.StateName(i); number[name] == 0 {
			number[name] = int(i) + 1
		}
	}
	for i := range r.Results {
		if c := r.Results[i].Counterexample; c != nil {
			p.Paths[i] = wayThrough(c, len(net.Components()), number)
		}
	}
}

// Small is the composition of a model, nil if it is too large for a picture in a report.
func Small(ctx context.Context, m *Model) *lks.LKS { return small(ctx, m.Net) }

func small(ctx context.Context, net *lks.Network) *lks.LKS {
	built, err := net.Build(budget.New(context.WithoutCancel(ctx), budget.Limits{States: mostDrawnStates, Time: drawingTime}, nil))
	if err != nil || built.NumStates() > mostDrawnStates || built.NumTransitions() > mostDrawnEdges {
		return nil
	}
	return built
}

// addPicture draws a graph for a report; nil if that fails.
func addPicture(r *report.Report, title string, result int, g *diagram.Graph) *report.Picture {
	var b bytes.Buffer
	if err := diagram.WriteSVG(&b, g); err != nil {
		return nil
	}
	r.Pictures = append(r.Pictures, report.Picture{Title: title, SVG: b.Bytes(), Result: result, Paths: map[int][]int{}})
	return &r.Pictures[len(r.Pictures)-1]
}

// wayThrough lists the numbers of the states of a run, by their names, of which number has one
// more; observers come behind the components of the model.
func wayThrough(c *report.Counterexample, components int, number map[string]int) (way []int) {
	at := func(s *report.State) {
		if len(s.Locals) < components {
			way = append(way, -1)
			return
		}
		locals := s.Locals[:components]
		name := "(" + strings.Join(locals, ",") + ")"
		switch {
		case slices.Contains(locals, "ERROR"):
			name = "ERROR"
		case components == 1:
			name = locals[0]
		case number[name] == 0 && slices.Contains(locals, "END"):
			name = "END"
		}
		way = append(way, number[name]-1)
	}
	at(&c.Initial)
	for _, steps := range [][]report.Step{c.Stem, c.Loop} {
		for i := range steps {
			at(&steps[i].State)
		}
	}
	return way
}
