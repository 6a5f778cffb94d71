package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/cfront/encode"
	"github.com/seltl/seltl/report"
)

// counterexample is one way through the counterexample, line by line, of all components
// as they take turns; the first of each branching, and how the others are told by the game.
func (c *ConformedC) counterexample() *report.Counterexample {
	x := c.Result.Counterexample
	out := &report.Counterexample{Kind: "program", Stem: []report.Step{}, Initial: report.State{Props: []string{}}}
	tellers := make([]*teller, len(x.Parts))
	at := make([]int, len(x.Parts))
	for i, k := range c.Question.Components {
		out.Components = append(out.Components, k.Name)
		tellers[i] = newTeller(k.Encoding, k.Name, len(x.Parts) > 1)
		first := tellers[i].start(x.Parts[i].Steps[0].State)
		out.Initial.Locals = append(out.Initial.Locals, k.Encoding.Words.Locations[x.Parts[i].Steps[0].Location].Name)
		out.Initial.Props = append(out.Initial.Props, first...)
	}
	var all []told
	for now := int32(0); len(x.Moves.Steps[now]) > 0; {
		move := x.Moves.Steps[now][0]
		var together []int // steps that perform one action
		for i := range x.Parts {
			for n, s := range x.Parts[i].Steps {
				if s.Parent != at[i] || s.Moves != move.Target || n == 0 {
					continue
				}
				for _, t := range tellers[i].lines(s.Trace, s.Action) {
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
		now = move.Target
	}
	for i := range all {
		if !all[i].repeated(all[i+1:]) {
			out.Stem = append(out.Stem, all[i].Step)
		}
	}
	out.Note = c.why()
	return out
}

// why says why the specification cannot follow a run.
func (c *ConformedC) why() string {
	r, name := c.Result.Abstract, c.Question.Abstraction.LKS.Text
	if x := r.Trace; len(r.Trees) == 0 && x != nil && len(x.Run.Stem) > 0 {
		var states, offers []string
		for _, s := range x.SpecStates {
			states, offers = append(states, r.SpecName(s)), append(offers, offered(r, s)...)
		}
		slices.Sort(offers)
		return cannot(name, x.Run.Stem[len(x.Run.Stem)-1].Event, strings.Join(states, " or "), slices.Compact(offers))
	}
	t := r.Trees[c.Result.Counterexample.Tree]
	n := int32(0)
	for len(t.Nodes[n].Children) == 1 {
		n = t.Nodes[n].Children[0]
	}
	if len(t.Nodes[n].Children) > 1 || t.Nodes[n].Spec < 0 {
		return name + " has several ways to follow, and none of them can go on with all that the program can do; the program's side of one of them is shown"
	}
	return cannot(name, r.Alphabet[t.Nodes[n].Action], r.SpecName(t.Nodes[n].Spec), offered(r, t.Nodes[n].Spec))
}

// cannot says that a specification cannot do an action, and what it can do instead.
func cannot(name, action, states string, offers []string) string {
	text := "it can do nothing more"
	if len(offers) > 0 {
		text = "it can do " + strings.Join(offers, ", ") + " only"
	}
	return fmt.Sprintf("%s cannot do %s there: in its state %s %s", name, action, states, text)
}

// offered are the actions that a state of the specification offers, after silent steps too;
// that it may stay goes without saying where silent steps are saturated.
func offered(r *conform.Result, state int32) (all []string) {
	for _, a := range r.SpecOffers(state) {
		if r.Alphabet[a] != lks.TauName || r.Silent != conform.Saturate {
			all = append(all, r.Alphabet[a])
		}
	}
	return all
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

	given []string     // arguments, until they are told
	line  report.Step  // what was told last
	where map[int]bool // the locations of that line
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
	props := make([]string, len(all))
	for k, v := range all {
		props[k] = v.String()
	}
	return props
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
	more bool
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
		last.Action = s.Action
	}
	last.Gained, last.State = append(last.Gained, s.Gained...), s.State
	return steps
}

// lines are the steps of a trace that begins where the one before it ended; the action is
// performed by the last edge.
func (t *teller) lines(trace *program.Trace, action string) (all []told) {
	s := &cSearch{enc: t.enc, trace: trace}
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
		span, frame := sys.Edges[trace.Edges[from]].Span, t.enc.FrameOf(trace.Edges[from]).Source()
		from = to
		now := t.describer.State(trace.States[to])
		before := t.last
		t.last = now
		step := told{Step: report.Step{State: report.State{Locals: []string{sys.Locations[trace.Location(sys, to)].Name}, Props: shownTexts(now)}}}
		if to == len(trace.Edges) {
			step.Action = action
		}
		if (quiet || !span.Valid()) && step.Action == "" {
			continue
		}
		if span.Valid() {
			step.Event, step.Source = placeOf(span), t.texts.at(span)
		}
		routine := t.enc.Entry
		if frame != nil {
			routine, step.Depth = frame.Func, frame.Depth
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
		step.more = t.goesOn(&step.Step, trace.Location(sys, to), span == t.enc.Entry.Span)
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
