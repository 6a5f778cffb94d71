package product

import (
	"errors"
	"time"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/product/internal/meet"
	"github.com/seltl/seltl/product/internal/witness"
)

// evidence is what shows a violation to people: a run of the task's network, short and
// checked.
type evidence struct {
	lasso                *run.Run
	prefix               *BadPrefix
	fair                 []FairReason
	minimal, shortestRun bool
	time                 time.Duration
}

// explain makes evidence of a path of the product of the task's network that violates the
// formula.
func (t *task) explain(g *meet.Graph, p *meet.Path) (e evidence, err error) {
	start := time.Now()
	if !t.opts.AsFound {
		if p, e.minimal, err = t.shorten(g, p, t.opts.Shortest); err != nil {
			return e, err
		}
	}
	lasso, err := g.Run(p)
	if err != nil {
		return e, err
	}
	witness.Tidy(lasso)
	if t.language == nil && !t.opts.fair() {
		witness.Cut(lasso, t.f)
		if lasso, e.shortestRun, err = t.shortestRun(lasso); err != nil {
			return e, err
		}
	}
	if err := t.confirm(lasso); err != nil {
		return e, err
	}
	if !t.opts.NoPrefix {
		question := &PrefixQuestion{Net: t.net, Formula: t.f, Lasso: lasso, Most: t.opts.mostPrefixes(g.Expanded), Meter: t.meter}
		if t.opts.Finite != IgnoreRuns {
			question.Counts = EveryState
		}
		if e.prefix, err = FindBadPrefix(question); err != nil {
			return e, err
		}
	}
	if err := checkCompassion(t.net, lasso, t.opts.Compassion); err != nil {
		return e, err
	}
	if e.fair, err = whyFair(t.net, lasso, t.opts.Fairness, t.opts.FairSets); err != nil {
		return e, err
	}
	e.lasso, e.time = lasso, time.Since(start)
	return e, nil
}

// mostPrefixes bounds the search for a shortest bad prefix where a search has expanded
// so many states.
func (o *Options) mostPrefixes(expanded int64) int {
	if o.Shortest {
		return meet.Everywhere
	}
	return int(max(1<<12, min(expanded, 1<<18)))
}

// shorten returns a shorter path, with shortest the shortest if it can (minimal). A limit
// that is reached on the way costs shortness, not the counterexample.
func (t *task) shorten(g *meet.Graph, p *meet.Path, shortest bool) (q *meet.Path, minimal bool, err error) {
	most := int(max(1<<12, min(g.Expanded, 1<<18)))
	q, err = witness.Shorten(g, p, most, t.opts.fair())
	if err == nil && shortest && g.Aut.Sets <= 1 && !t.opts.fair() {
		q, err = witness.Shortest(g, q)
		minimal = err == nil
	}
	if _, ok := errors.AsType[*bug.Error](err); ok {
		return nil, false, err
	}
	return q, minimal, nil
}

// shortestRun returns a shorter run than the lasso if that is asked for and there is one;
// all: no run is shorter than what it returns.
func (t *task) shortestRun(l *run.Run) (shortest *run.Run, all bool, err error) {
	if !t.opts.Shortest {
		return l, false, nil
	}
	shorter, all, err := witness.ShorterRun(t.net, t.f, t.opts.Finite == StutterRuns, l.Len())
	if shorter == nil {
		shorter = l
	}
	return shorter, all && err == nil, err
}

// confirm replays a run, and evaluates the property on it, which it must violate.
func (t *task) confirm(lasso *run.Run) error {
	if t.language != nil {
		return t.language.Confirm(t.net, lasso)
	}
	return witness.Confirm(t.net, t.f, lasso)
}
