package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// failing is the target of states in which a component is in ERROR.
func (s *Session) failing(component int32) *target {
	m := s.net.Components()[component]
	return &target{state: func(v *met) bool {
		return v.kind == lks.Error && m.Kind(s.net.Local(v.state, component)) == lks.Error
	}}
}

// gotoAnyViolation goes to the nearest ERROR, or state where a question is violated.
func (s *Session) gotoAnyViolation(ctx context.Context) (*Found, error) {
	meter := s.meter(ctx)
	best, err := s.nearest(meter, &target{state: func(v *met) bool { return v.kind == lks.Error }})
	if err != nil && !errors.Is(err, ErrNowhere) {
		return nil, err
	}
	for i := range s.watches {
		w, err := s.violating(i, s.now().standings[i], meter)
		switch {
		case errors.Is(err, product.ErrUnsettled), errors.Is(err, errFree):
			continue
		case err != nil:
			return nil, err
		case w != nil && (best == nil || len(w.rules) < len(best.rules)):
			best = w
		}
	}
	if best == nil {
		return nil, errNoBadPrefix
	}
	return s.follow(best)
}

// errNoBadPrefix is what gotoAnyViolation says where it finds nothing.
var errNoBadPrefix = &NotPossible{Text: "from here no run leads to ERROR, or violates a property for good",
	Help: "violation of PROPERTY also finds runs that violate it by what never comes"}

// errFree is why no way is looked for to where a question is violated that has actions of
// its own.
var errFree = errors.New("the property mentions actions that no process has: runs of the model alone do not show how it fails")

// violating returns a shortest way to where a question is violated, nil if there is none.
func (s *Session) violating(i int, at product.Standing, meter *budget.Meter) (*way, error) {
	return violating(s.watches[i], s.packed(), at, meter)
}

func violating(w *watch, from []uint64, at product.Standing, meter *budget.Meter) (*way, error) {
	if len(w.free) > 0 {
		return nil, errFree
	}
	states, rules, err := w.Violation(from, at, meter)
	if err != nil || states == nil {
		return nil, err
	}
	return &way{states, rules}, nil
}

// gotoViolation goes to the nearest violation of a property.
func (s *Session) gotoViolation(ctx context.Context, of string) (*Found, error) {
	if of == "" {
		return nil, &NotPossible{Text: "violation of what?", Help: "a property, a component that can be in ERROR, or a formula"}
	}
	for i, w := range s.watches {
		if w.question.Name == of || w.question.Text == of {
			return s.gotoViolated(ctx, w, s.now().standings[i])
		}
	}
	for c := range s.net.Components() {
		if name := s.net.ComponentName(c); name == of || baseName(name) == of {
			return s.search(ctx, s.failing(int32(c)))
		}
	}
	if progress, err := s.isProgress(of); err != nil || progress {
		if err != nil {
			return nil, err
		}
		return s.loadProgress(ctx, of)
	}
	q, err := s.model.Ask(of)
	if err != nil {
		return nil, s.explainName(of, err)
	}
	w, err := newWatch(s.net, &q, s.meter(ctx))
	if err != nil {
		return nil, err
	}
	at := w.Begin()
	for i := 1; i <= s.at; i++ {
		at = w.after(at, &s.visits[i].by)
	}
	found, err := s.gotoViolated(ctx, w, at)
	if err == nil {
		s.follows(w)
	}
	return found, err
}

// mostFollowed bounds the formulas that a session follows because it went to where they fail.
const mostFollowed = 32

// follows has the session say from now on how one more question stands.
func (s *Session) follows(w *watch) {
	if len(s.watches) >= mostFollowed {
		return
	}
	s.watches = append(s.watches, w)
	at := w.Begin()
	for i := range s.visits {
		if i > 0 {
			at = w.after(at, &s.visits[i].by)
		}
		s.visits[i].standings = append(s.visits[i].standings, at)
	}
}

// explainName says of a name that is nothing which names there are.
func (s *Session) explainName(name string, err error) error {
	if strings.ContainsAny(name, " ()!&|<>[]") {
		return err
	}
	known := s.propertyNames()
	if suggestion := source.Suggest(name, known); suggestion != "" {
		return &NotPossible{Text: fmt.Sprintf("there is no property %s", name), Help: fmt.Sprintf("did you mean %q?", suggestion)}
	}
	if unicode.IsUpper([]rune(name)[0]) {
		return &NotPossible{Text: fmt.Sprintf("there is no property %s", name), Help: "properties: " + cmp.Or(strings.Join(known, ", "), "none")}
	}
	return err
}

// propertyNames are those that "violation of" takes.
func (s *Session) propertyNames() []string {
	var names []string
	for _, w := range s.watches {
		if w.question.Name != "" {
			names = append(names, w.question.Name)
		}
	}
	for c := range s.net.Components() {
		if name := s.net.ComponentName(c); s.isProperty(name) {
			names = append(names, name)
		}
	}
	if s.model.FSP != nil {
		progress, _ := s.model.FSP.Progress()
		for _, p := range progress {
			names = append(names, p.Name)
		}
	}
	return names
}

func (s *Session) isProgress(name string) (bool, error) {
	if s.model.FSP == nil {
		return false, nil
	}
	declared, err := s.model.FSP.Progress()
	for _, p := range declared {
		if p.Name == name {
			return true, nil
		}
	}
	return false, err
}

// gotoViolated goes to the nearest state where a question is violated whatever follows. If
// there is none, it loads a run that violates it.
func (s *Session) gotoViolated(ctx context.Context, w *watch, at product.Standing) (*Found, error) {
	found, err := violating(w, s.packed(), at, s.meter(ctx))
	switch {
	case err != nil && !errors.Is(err, product.ErrUnsettled):
		return nil, err
	case found != nil:
		return s.follow(found)
	}
	r, err := check.Verify(ctx, s.model, []check.Question{*w.question}, check.Verification{Options: s.asking()})
	if err != nil {
		return nil, err
	}
	return s.loadResult(&r.Results[0])
}

func (s *Session) asking() check.Options {
	return check.Options{Limits: s.opts.Limits, Progress: s.opts.Progress}
}

// loadProgress loads a run that violates a progress property.
func (s *Session) loadProgress(ctx context.Context, name string) (*Found, error) {
	r, err := check.Progress(ctx, s.model, s.asking())
	if err != nil {
		return nil, err
	}
	for i := range r.Results {
		if r.Results[i].Name == name {
			return s.loadResult(&r.Results[i])
		}
	}
	return nil, ErrNowhere
}

// loadResult loads the counterexample of a result.
func (s *Session) loadResult(r *report.Result) (*Found, error) {
	switch {
	case r.Counterexample != nil:
		return &Found{Loaded: true}, s.Load(r.Counterexample)
	case r.Verdict == report.Unknown:
		return nil, &NotPossible{Text: "that is not known: " + r.Reason, Help: r.Advice}
	}
	return nil, ErrNowhere
}
