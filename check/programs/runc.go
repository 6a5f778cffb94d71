package programs

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/report"
)

// cRun is a failing run of a C program: its trace over machine words, and what package machine has recorded.
type cRun struct {
	enc   *encode.Encoding
	trace *program.Trace
	run   *machine.Recording
}

// counterexample is the run: the lines of the source that it goes through, in which
// routine, what they are given, and the values that they change.
func (s *cRun) counterexample() *report.Counterexample {
	sys, t := s.enc.Words, s.trace
	c := &report.Counterexample{Kind: "program", Components: []string{s.enc.Entry.Name}, Stem: []report.Step{}, End: "error"}
	d, told, met := s.enc.Describer(), map[string]bool{}, map[string]bool{}
	state := func(i int) (report.State, []encode.Shown) {
		shown := d.State(t.States[i])
		props := lists.Map(shown, encode.Shown.String)
		return report.State{Locals: []string{sys.Locations[t.Location(sys, i)].Name}, Props: props}, shown
	}
	var last []encode.Shown
	c.Initial, last = state(0)
	given, texts := s.run.Given(), lines{}
	redo := &again{run: s.run}
	c.Arguments = [][]string{argumentsOf(s.enc, s.run)}
	for from := 0; from < len(t.Edges); {
		to := s.sameLine(from)
		step := report.Step{}
		quiet, assigned := true, map[string]bool{}
		for i := from; i < to; i++ {
			quiet = quiet && s.enc.Quiet(t.Edges[i])
			for x := range sys.Edges[t.Edges[i]].Command.Update {
				assigned[x.Name()] = true
			}
			for _, v := range d.Read(t, i) {
				step.Gained = append(step.Gained, v.Seen(s.enc.Entry))
			}
			n := min(s.enc.Asks(t.Edges[i]), len(given))
			if i > 0 { // what comes first are arguments of the entry routine
				for _, g := range given[:n] {
					if g.What != "" {
						step.Inputs = append(step.Inputs, g.What+" = "+g.Value)
					}
				}
				given = given[n:]
			}
		}
		span, frame := sys.Edges[t.Edges[from]].Span, s.enc.FrameOf(t.Edges[from]).Source()
		from, redo.upTo = to, to-1 // the first edge is of the arguments
		now, shown := state(to)
		before := last
		if last = shown; quiet || !span.Valid() {
			continue
		}
		step.Event, step.Source, step.State = placeOf(span), texts.at(span), now
		routine := s.enc.Entry
		if frame != nil {
			routine, step.Depth = frame.Func, frame.Depth
		}
		step.Routine = routine.Name
		for _, v := range changed(before, shown, assigned, met) {
			text := v.Seen(routine)
			if from := d.Origin(v.Value); !told[v.Value] {
				told[v.Value] = true
				text += from
			}
			step.Gained = append(step.Gained, text)
		}
		redo.step(&step)
		c.Stem = append(c.Stem, step)
	}
	return c
}

// changed are the values that a step changes, and those that it assigns for the first time:
// before, locals have none. Met are the names of those.
func changed(before, now []encode.Shown, assigned, met map[string]bool) (all []encode.Shown) {
	old := map[encode.Shown]bool{}
	for _, v := range before {
		old[v] = true
	}
	for _, v := range now {
		if first := assigned[v.Var] && !met[v.Name] && v.Of != nil; first || !old[v] {
			met[v.Name] = true
			all = append(all, v)
		}
	}
	return all
}

// sameLine returns the end of the part of the trace that is of the line of the edge it
// begins with, in one activation of a routine, and comes to no location twice. What happens
// in routines of the C library is part of the line that calls them.
func (s *cRun) sameLine(from int) (to int) {
	sys, t := s.enc.Words, s.trace
	first, frame := sys.Edges[t.Edges[from]].Span, s.enc.FrameOf(t.Edges[from]).Source()
	seen := map[int]bool{}
	for to = from; to < len(t.Edges); to++ {
		e, in := sys.Edges[t.Edges[to]], s.enc.FrameOf(t.Edges[to])
		if e.Span.Valid() && (!first.Valid() || placeOf(e.Span) != placeOf(first)) || in.Source() != frame && to > from || seen[e.From] && in == frame || to > from && s.enc.Deeper(t.Edges[to-1]) > 0 {
			break
		}
		seen[e.From] = true
	}
	return to
}

// calledFrom says of a failure in which routine it is, and where that is called.
func calledFrom(f *encode.Frame) string {
	text := ""
	for f = f.Source(); f != nil && f.Caller != nil; f = f.Caller {
		if text += fmt.Sprintf(", in %s() called at %s", f.Func.Name, placeOf(f.Call)); len(text) > 200 {
			return text + ", ..."
		}
	}
	return text
}

func placeOf(span source.Span) string { return fmt.Sprintf("%s:%d", span.File.Name(), span.Pos().Line) }

// lines are the lines of files.
type lines map[*source.File][]string

// at is the line where a span begins, without the blanks around it.
func (l lines) at(span source.Span) string {
	text := l[span.File]
	if text == nil {
		text = strings.Split(span.File.Text(), "\n")
		l[span.File] = text
	}
	if n := span.Pos().Line; n <= len(text) {
		return strings.TrimSpace(text[n-1])
	}
	return ""
}
