package programs

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/report"
)

// told is what the components do in a counterexample as they take turns, line by line. way are
// the Moves, one after the other, in the steps of the parts; those behind the first stem ones
// are the loop. Lines at the places of way in keep are told even
// if nothing is seen in them. before says of each line at which place of way it is.
func (q *specified) told(parts []cegar.Part, way []int32, stem int, keep map[int]bool) (c *report.Counterexample, before []int) {
	out := &report.Counterexample{Kind: "program", Stem: []report.Step{}, Initial: report.State{Props: []string{}}}
	tellers := make([]*teller, len(parts))
	at := make([]int, len(parts))
	for i, k := range q.Question.Components {
		out.Components = append(out.Components, k.Name)
		tellers[i] = newTeller(k.Encoding, k.Name, len(parts) > 1)
		if redo := againOf(k.Encoding, &parts[i], way); redo != nil {
			tellers[i].redo = redo
			out.Arguments = append(out.Arguments, argumentsOf(k.Encoding, redo.run))
		}
		first := tellers[i].start(parts[i].Steps[0].State)
		out.Initial.Locals = append(out.Initial.Locals, k.Encoding.Words.Locations[parts[i].Steps[0].Location].Name)
		out.Initial.Props = append(out.Initial.Props, first...)
	}
	var all []told
	loop := -1
	for k, now := range way {
		if k == stem {
			loop = len(all)
			for i, t := range tellers {
				t.line, t.loop = report.Step{}, true
				t.rest(all, out.Components[i])
			}
		}
		var together []int // steps that perform one action
		for i := range parts {
			for n, s := range parts[i].Steps {
				if s.Parent != at[i] || s.Moves != now || n == 0 {
					continue
				}
				for _, t := range tellers[i].lines(s.Trace, s.Action, keep[k]) {
					t.place = k
					all = t.join(all)
				}
				if last := len(all) - 1; s.Action != "" && last >= 0 && all[last].Action == s.Action {
					together = append(together, last)
				}
				at[i] = n
				break
			}
		}
		for _, k := range together {
			for _, other := range together {
				if other != k {
					all[k].With = append(all[k].With, all[other].Movers...)
				}
			}
		}
	}
	if loop >= 0 {
		for i, t := range tellers {
			t.rest(all[loop:], out.Components[i])
		}
	}
	for i := range all {
		switch {
		case loop >= 0 && i >= loop:
			out.Loop = append(out.Loop, all[i].Step)
		case keep[all[i].place] || !all[i].repeated(all[i+1:]):
			out.Stem = append(out.Stem, all[i].Step)
		default:
			all[i].leftTo(all[i+1:])
			continue
		}
		before = append(before, all[i].place)
	}
	return out, before
}

// againOf runs what a component does on a way again: nil if that cannot be done.
func againOf(enc *encode.Encoding, part *cegar.Part, way []int32) *again {
	at := 0
	for _, now := range way {
		for n, s := range part.Steps {
			if n > 0 && s.Parent == at && s.Moves == now {
				at = n
				break
			}
		}
	}
	t := traceTo(part, at)
	run, err := enc.ReplayComponent(enc.Words, t)
	if err != nil {
		return nil
	}
	return &again{run: run, way: func(node int) (int, bool) { return enc.Way(t.Edges[node-1]) }}
}

// rest makes what a component has done since its last line part of that.
func (t *teller) rest(all []told, name string) {
	for i := len(all) - 1; i >= 0 && t.redo != nil; i-- {
		if !t.several || slices.Contains(all[i].Movers, name) {
			t.redo.step(&all[i].Step)
			return
		}
	}
}

// leftTo makes what a line does part of the next one of its component.
func (s *told) leftTo(later []told) {
	for i := range later {
		if slices.Equal(later[i].Movers, s.Movers) {
			later[i].Moves, later[i].Choices = later[i].Moves+s.Moves, slices.Concat(s.Choices, later[i].Choices)
			return
		}
	}
}

// teller tells what a component does, line by line.
type teller struct {
	enc       *encode.Encoding
	name      string
	several   bool // there are other components
	describer *encode.Describer
	last      []encode.Shown
	met       map[string]bool
	texts     lines
	redo      *again // nil if the run cannot be done again

	given []string     // arguments, until they are told
	line  report.Step  // what was told last
	where map[int]bool // the locations of that line
	loop  bool         // it has begun: something of it must be told
	// deeper are the activations that routines which call themselves have left behind.
	deeper int
}

func newTeller(enc *encode.Encoding, name string, several bool) *teller {
	return &teller{enc: enc, name: name, several: several, describer: enc.Describer(), met: map[string]bool{}, texts: lines{}}
}

func (t *teller) start(state logic.Model) []string {
	t.last = t.describer.State(state)
	t.given = t.arguments(t.last)
	return shownTexts(t.last)
}

func shownTexts(all []encode.Shown) []string {
	return lists.Map(all, encode.Shown.String)
}

// arguments are the values of the parameters of the entry routine.
func (t *teller) arguments(all []encode.Shown) (some []string) {
	for _, p := range t.enc.Entry.Params {
		for _, v := range all {
			if v.Of == t.enc.Entry && v.Name == t.enc.Entry.Name+"."+p.Name {
				some = append(some, p.Name+" = "+v.Value)
			}
		}
	}
	return some
}

// told is a step, and whether it goes on with the line that its component told last.
type told struct {
	report.Step
	more  bool
	place int // in the way; of a line in several the one of its action
}

// repeated reports whether a step only comes to a line at which its component does something
// later, after steps of others.
func (s *told) repeated(later []told) bool {
	if s.Action != "" || len(s.Gained)+len(s.Inputs) > 0 {
		return false
	}
	for i := range later {
		if slices.Equal(later[i].Movers, s.Movers) {
			return later[i].more
		}
	}
	return false
}

// join appends a step to those before it, or makes it part of the last one: a line that
// performs an action is one step, though it is several in the model.
func (s told) join(steps []told) []told {
	if !s.more || len(steps) == 0 {
		return append(steps, s)
	}
	last := &steps[len(steps)-1]
	if last.Routine != s.Routine || last.Depth != s.Depth || last.Action != "" && s.Action != "" {
		return append(steps, s)
	}
	if s.Action != "" {
		last.Action, last.place = s.Action, s.place
	}
	last.Gained, last.State = append(last.Gained, s.Gained...), s.State
	last.Moves, last.Choices = last.Moves+s.Moves, append(last.Choices, s.Choices...)
	return steps
}

// lines are the steps of a trace that begins where the one before it ended; the action is
// performed by the last edge. keep tells also what is quiet, as lines of their own.
func (t *teller) lines(trace *program.Trace, action string, keep bool) (all []told) {
	s := &cRun{enc: t.enc, trace: trace}
	sys := t.enc.Words
	for from := 0; from < len(trace.Edges); {
		to := s.sameLine(from)
		quiet, assigned := true, map[string]bool{}
		for i := from; i < to; i++ {
			quiet = quiet && t.enc.Quiet(trace.Edges[i])
			for x := range sys.Edges[trace.Edges[i]].Command.Update {
				assigned[x.Name()] = true
			}
		}
		depth := t.deeper
		t.deeper += t.enc.Deeper(trace.Edges[to-1])
		span, frame := sys.Edges[trace.Edges[from]].Span, t.enc.FrameOf(trace.Edges[from]).Source()
		if t.redo != nil {
			t.redo.upTo += to - from
		}
		from = to
		now := t.describer.State(trace.States[to])
		before := t.last
		t.last = now
		step := told{Step: report.Step{State: report.State{Locals: []string{sys.Locations[trace.Location(sys, to)].Name}, Props: shownTexts(now)}}}
		if to == len(trace.Edges) {
			step.Action = action
		}
		if (quiet && !t.loop && !keep || !span.Valid()) && step.Action == "" {
			continue
		}
		t.loop = false
		if span.Valid() {
			step.Event, step.Source = placeOf(span), t.texts.at(span)
		}
		routine := t.enc.Entry
		if frame != nil {
			routine, step.Depth = frame.Func, frame.Depth+depth
		}
		if step.Routine = routine.Name; t.several {
			step.Movers = []string{t.name}
			if step.Routine = t.name; routine != t.enc.Entry {
				step.Routine += ": " + routine.Name
			}
		}
		for _, v := range changed(before, now, assigned, t.met) {
			step.Gained = append(step.Gained, v.Seen(routine))
		}
		step.Inputs, t.given = t.given, nil
		if t.redo != nil {
			t.redo.step(&step.Step)
		}
		step.more = t.goesOn(&step.Step, trace.Location(sys, to), span == t.enc.Entry.Span) && !keep
		all = append(all, step)
	}
	return all
}

// goesOn reports whether a step is of the line that was told last, without going round, or is
// the end of the routine behind its return statement.
func (t *teller) goesOn(s *report.Step, location int, end bool) bool {
	same := s.Event == t.line.Event && s.Routine == t.line.Routine && s.Depth == t.line.Depth && !t.where[location]
	behind := end && s.Action != "" && strings.HasPrefix(t.line.Source, "return")
	if !same && !behind {
		t.line, t.where = *s, map[int]bool{}
	}
	t.where[location] = true
	return same || behind
}
