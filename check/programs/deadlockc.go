package programs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// DeadlockC decides whether the components of a C program with a specification can get stuck.
// The error is a source.List or of the solver; what is undecided is in the report. The result
// comes with the report; it is nil where there is none.
func DeadlockC(ctx context.Context, q *SpecifiedC, pool *smt.Pool, opts check.Options, engine cegar.Options) (r *report.Report, res *cegar.DeadlockResult, err error) {
	run, done := newSpecifiedRun(ctx, "deadlock", q.Task.Spec.Diagnostics, pool, opts, engine)
	defer done()
	task := q.Task
	task.Unclaimed = true
	result := report.Result{Kind: "deadlock"}
	asked, bound, err := run.bind(&task, &result)
	d := &stuckC{specified: asked}
	if bound {
		err = d.decide(&result, &task)
	}
	if err != nil {
		return nil, nil, err
	}
	run.add(&asked.posed, result)
	run.notAsked(q.Task.Spec.Diagnostics)
	return run.report, d.result, nil
}

// stuckC is the question whether components get stuck.
type stuckC struct {
	*specified
	result *cegar.DeadlockResult
}

func (d *stuckC) decide(result *report.Result, task *bind.Task) error {
	result.Formula = together(d.names, "is free of deadlock", "are free of deadlock")
	if p := block(task.Spec, task.Program); p != nil {
		result.Name = p.Name.Text
		d.place(result, p)
	}
	d.narrate(result.Name, "no deadlock")
	answer, err := d.search(func() (answer *cegar.Answer, parts []cegar.Part, err error) {
		d.result, err = cegar.DeadlockFree(d.run.ctx, d.components, d.run.pool, d.engine)
		if d.result != nil {
			answer = &d.result.Answer
			if x := d.result.Deadlock; x != nil {
				parts = x.Parts
			}
		}
		return answer, parts, err
	})
	return d.answered(result, answer, err, func() error {
		if answer.Verdict != outcome.Violated {
			return nil
		}
		if err := d.replay(d.result.Deadlock.Parts); err != nil {
			return err
		}
		result.Counterexample = d.counterexample()
		return nil
	})
}

// counterexample is the run into the deadlock, and who waits for whom where.
func (d *stuckC) counterexample() *report.Counterexample {
	dead := d.result.Deadlock
	var way []int32
	for i := range dead.Trace.Len() {
		way = append(way, int32(i+1))
	}
	c, _ := d.told(dead.Parts, way, len(way), nil)
	abstract := check.DeadlockTrace(check.Counterexample(d.result.Net, dead.Deadlock.Trace), d.result.Net, dead.Deadlock)
	c.End, c.Waiting, c.Cycle = abstract.End, abstract.Waiting, abstract.Cycle
	for i := range c.Waiting {
		d.waits(i, &c.Waiting[i])
		p := report.Projection{Component: d.names[i], Events: []string{}}
		for _, s := range dead.Parts[i].Steps {
			if s.Action != "" {
				p.Events = append(p.Events, s.Action)
			}
		}
		c.Projections = append(c.Projections, p)
	}
	c.Note = stuckNote(c)
	return c
}

// waits says where in the source a component waits, and with which values.
func (d *stuckC) waits(component int, w *report.Waiting) {
	enc := d.Question.Components[component].Encoding
	steps := d.result.Deadlock.Parts[component].Steps
	last := steps[len(steps)-1]
	w.State = enc.Words.Locations[last.Location].Name
	routine := enc.Entry
	for i, e := range enc.Words.Edges {
		if e.From != last.Location || !e.Span.Valid() || w.Ended {
			continue
		}
		w.Place, w.Source = placeOf(e.Span), lines{}.at(e.Span)
		w.Routine, _ = enc.Inside(i)
		if f := enc.FrameOf(i).Source(); f != nil {
			routine = f.Func
		}
		break
	}
	describer := enc.Describer()
	for _, s := range steps { // in their order, which numbers what is allocated
		w.Values = nil
		for _, v := range describer.State(s.State) {
			w.Values = append(w.Values, v.Seen(routine))
		}
	}
}

// stuckNote has a line for each component that waits, and one for a cycle.
func stuckNote(c *report.Counterexample) string {
	var text []string
	for _, w := range c.Waiting {
		line := w.Component
		switch {
		case w.Ended:
			line += " has ended"
		case len(w.Offers) == 0 && w.Routine != "":
			line += " waits in " + w.Routine + "(): no alternative is possible"
		case len(w.Offers) == 0:
			line += " can do nothing"
		default:
			var offers []string
			for _, o := range w.Offers {
				offers = append(offers, fmt.Sprintf("%s (refused by %s)", o.Event, strings.Join(o.Refused, ", ")))
			}
			line += " waits for " + strings.Join(slices.Compact(offers), " or ")
		}
		if w.Place != "" {
			line += ", " + w.Place + "  " + w.Source
		}
		const most = 6
		if n := len(w.Values); n > 0 && n <= most {
			line += "  with " + strings.Join(w.Values, ", ")
		} else if n > most {
			line += fmt.Sprintf("  with %s and %d more values", strings.Join(w.Values[:most], ", "), n-most)
		}
		text = append(text, line)
	}
	if len(c.Cycle) > 0 {
		text = append(text, "cycle of waiting: "+strings.Join(append(slices.Clone(c.Cycle), c.Cycle[0]), " -> "))
	}
	return strings.Join(text, "\n  ")
}
