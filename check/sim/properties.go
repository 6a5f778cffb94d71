package sim

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/product"
)

// watch follows a question along the run.
type watch struct {
	*product.Watch
	question *check.Question
	// free are the actions that only the question has: they can occur at any time, but not
	// in the session.
	free []string
}

func newWatch(net *lks.Network, q *check.Question, meter *budget.Meter) (*watch, error) {
	w := &watch{question: q}
	asked := net
	for _, a := range q.Network().Alphabet()[1:] {
		if net.Action(a) < 0 {
			w.free = append(w.free, a)
			asked = q.Network()
		}
	}
	var err error
	w.Watch, err = product.NewWatch(asked, q.Formula, meter)
	return w, err
}

func (w *watch) after(at product.Standing, step *run.Step) product.Standing {
	if len(w.free) == 0 {
		return w.After(at, step)
	}
	seen := *step
	seen.State = w.seen(&step.State)
	return w.After(at, &seen)
}

// seen is a state as the question has it: where its own actions are possible.
func (w *watch) seen(state *run.State) run.State {
	s := *state
	if len(w.free) > 0 {
		s.Enabled = slices.Concat(s.Enabled, w.free)
		slices.Sort(s.Enabled)
	}
	return s
}

// What is known of a property after the steps so far.
const (
	Open      = "open"      // what follows decides
	Violated  = "violated"  // whatever follows
	Satisfied = "satisfied" // whatever follows
)

// Property says how a property stands.
type Property struct {
	Kind    string `json:"kind"` // "ltl", "assert", or "safety" of a component
	Name    string `json:"name,omitempty"`
	Formula string `json:"formula,omitempty"`
	Verdict string `json:"verdict"` // Open, Violated or Satisfied
	// Left is what the formula asks of the rest of the run, "" where that is settled, or too
	// large. Owes are the parts of it that were not there at the start and that the present
	// state does not fulfil: what the steps so far have left to be done.
	Left string   `json:"left,omitempty"`
	Owes []string `json:"owes,omitempty"`
	// Since is the step after which it was settled.
	Since int `json:"since,omitempty"`
	// AtEnd is set if it is the end of the run that settles it.
	AtEnd bool `json:"at_end,omitempty"`
	// Lasso is the verdict about the lasso that was loaded, on its loop: Violated or
	// Satisfied.
	Lasso string `json:"lasso,omitempty"`
}

// Properties says how safety properties and questions stand.
func (s *Session) Properties() []Property {
	var all []Property
	for c, m := range s.net.Components() {
		if name := s.net.ComponentName(c); s.isProperty(name) {
			p := Property{Kind: "safety", Name: name, Verdict: Open}
			if m.Kind(s.now().state.Local[c]) == lks.Error {
				p.Verdict, p.Since = Violated, s.at
			}
			all = append(all, p)
		}
	}
	for i := range s.watches {
		all = append(all, s.property(i))
	}
	return all
}

// isProperty reports whether a component is one of a property definition.
func (s *Session) isProperty(component string) bool {
	if s.model.FSP == nil {
		return false
	}
	base := baseName(component)
	for _, p := range s.model.FSP.Processes() {
		if p.Name == base {
			return p.Property
		}
	}
	return false
}

// baseName is the name of a component without prefixes and parameters.
func baseName(component string) string {
	base := component[strings.LastIndexByte(component, ':')+1:]
	base, _, _ = strings.Cut(base, "(")
	return base
}

var verdicts = map[product.Verdict]string{product.Unknown: Open, product.Holds: Satisfied, product.Violated: Violated}

// stand fills in how a formula stands at a visit, and since when; visit says how it and the state were at each.
func (p *Property) stand(w *product.Watch, now int, visit func(at int) (product.Standing, *run.State)) {
	verdict := func(at int) string { return verdicts[w.Verdict(visit(at))] }
	if p.Verdict = verdict(now); p.Verdict != Open {
		for p.Since = now; p.Since > 0 && verdict(p.Since-1) == p.Verdict; {
			p.Since--
		}
		return
	}
	if at, state := visit(now); at.Left != nil {
		p.Left = at.Left.String()
		for _, g := range w.Owed(at, state) {
			p.Owes = append(p.Owes, g.String())
		}
	}
}

func (s *Session) property(i int) Property {
	w := s.watches[i]
	q := w.question
	p := Property{Kind: q.Kind, Name: q.Name, Formula: q.Text}
	p.stand(w.Watch, s.at, func(at int) (product.Standing, *run.State) {
		state := w.seen(&s.visits[at].state)
		return s.visits[at].standings[i], &state
	})
	p.AtEnd = p.Verdict != Open && len(s.visits[p.Since].state.Enabled) == 0
	if s.loop >= 0 && s.at >= s.loop && p.Verdict == Open && len(w.free) == 0 {
		p.Lasso = Violated
		if w.Eval(s.lasso()) {
			p.Lasso = Satisfied
		}
	}
	return p
}

// lasso is the lasso that was loaded.
func (s *Session) lasso() *run.Run {
	r := s.upTo(s.loop + s.period)
	r.Stem, r.Loop = r.Stem[:s.loop:s.loop], r.Stem[s.loop:]
	return r
}
