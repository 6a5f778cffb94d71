package serve

import (
	"bytes"
	"context"
	"errors"
	"net/http"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/report"
)

// composing is a composition that is to be drawn.
type composing struct {
	document
	Minimise string `json:"minimise"` // "": not at all
}

// composedStates bounds what is composed for a picture: it can become small yet.
const composedStates = 200_000

// picture draws a composition.
func (s *Server) picture(ctx context.Context, _ *http.Request, q *composing) (*drawing, error) {
	by := check.Unminimised
	if q.Minimise != "" {
		if err := by.UnmarshalText([]byte(q.Minimise)); err != nil {
			return nil, failed(http.StatusBadRequest, "bad-request", err.Error(), "")
		}
	}
	a := &drawing{}
	return a, s.quickly(ctx, func(ctx context.Context) error {
		limits := s.quickLimits()
		m, err := s.load(ctx, &q.document, limits)
		if err != nil {
			return inModel(err)
		}
		limits.States = composedStates
		built, reduced, err := check.Compose(ctx, m, by, check.Options{Limits: limits})
		if err != nil {
			return err
		}
		a.Text = sizeOf(built)
		if by != check.Unminimised {
			a.Text += "; minimised: " + sizeOf(reduced)
		}
		var b bytes.Buffer
		err = lks.WriteSVG(&b, reduced)
		a.SVG = b.String()
		return err
	})
}

func sizeOf(m *lks.LKS) string {
	st := m.Stats()
	return report.Counted(int64(st.States), "state") + ", " + report.Counted(int64(st.Transitions), "transition")
}

// automaton draws the Büchi automaton of a formula. Without a document that can be read, names
// mean what the formula says.
func (s *Server) automaton(ctx context.Context, _ *http.Request, q *asking) (*drawing, error) {
	a := &drawing{}
	return a, s.quickly(ctx, func(ctx context.Context) error {
		f, err := s.parse(ctx, q)
		if err != nil {
			return err
		}
		if q.Negate {
			f = ltl.MakeNot(f)
		}
		meter := budget.New(ctx, s.quickLimits(), nil)
		made, err := buchi.Translate(f, buchi.Options{Acceptance: buchi.StateBuchi, Constraints: oneEvent(f), Meter: meter})
		var large *budget.Exhausted
		switch {
		case errors.As(err, &large):
			return failed(http.StatusUnprocessableEntity, "limit", err.Error(), "a smaller formula")
		case err != nil:
			return err
		}
		a.Text = report.Counted(int64(made.NumStates()), "state")
		if made.NumStates() > s.opts.Drawn {
			return failed(http.StatusUnprocessableEntity, "limit", a.Text+" are too many for a picture", "a smaller formula")
		}
		var b bytes.Buffer
		err = made.WriteSVG(&b)
		a.SVG = b.String()
		return err
	})
}

// oneEvent says that at most one of the events of a formula occurs in a step.
func oneEvent(f *ltl.Formula) []buchi.Constraint {
	group := buchi.Constraint{Kind: buchi.AtMostOne}
	for _, a := range ltl.Atoms(f) {
		if a.Kind == ltl.Event {
			group.Atoms = append(group.Atoms, a)
		}
	}
	return []buchi.Constraint{group}
}
