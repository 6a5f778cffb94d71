package words

import (
	"errors"
	"fmt"

	"github.com/seltl/seltl/check/automata"
	"github.com/seltl/seltl/check/formulas"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/omega"
	"github.com/seltl/seltl/report"
)

// randomFlags are about random automata only.
var randomFlags = []string{"seed", "states", "alphabet", "sets", "density", "marks", "coloured", "deterministic", "marked-states"}

// errInterrupted ends the drawing of random automata.
var errInterrupted = errors.New("interrupted")

// random works on random automata.
func (t *toolbox) random() (status int, err error) {
	ra, err := t.randomAutomata()
	if err != nil {
		return 0, err
	}
	seed := fmt.Sprintf("<seed %d>", ra.Seed)
	err = ra.Each(func(number int, a *omega.Automaton) error {
		if err := a.Check(); err != nil {
			return err
		}
		own, err := t.one(&automata.Subject{Automaton: a, File: seed, Line: number})
		if err != nil {
			return err
		}
		if status = report.Worst(status, own); status == report.ExitInterrupted {
			return errInterrupted
		}
		return t.out.Flush()
	})
	if errors.Is(err, errInterrupted) {
		err = nil
	}
	return status, err
}

// randomAutomata reads how random automata look.
func (t *toolbox) randomAutomata() (*automata.RandomAutomata, error) {
	c := t.c
	ra := &automata.RandomAutomata{Count: c.Int("random"), Seed: uint64(c.Int("seed"))}
	ra.Density, ra.Marks = c.Float64("density"), c.Float64("marks")
	ra.Coloured, ra.Deterministic, ra.OnStates = c.Bool("coloured"), c.Bool("deterministic"), c.Bool("marked-states")
	if ra.Count < 1 {
		return nil, cmdline.Usagef(c, "--random %d: at least 1 is needed", ra.Count)
	}
	for _, flag := range []string{"density", "marks"} {
		if p := c.Float64(flag); !(0 <= p && p <= 1) {
			return nil, cmdline.Usagef(c, "--%s %v: a probability from 0 to 1 is needed", flag, p)
		}
	}
	var err error
	if ra.States, err = formulas.ParseRange(c.String("states"), 1, 10_000); err != nil {
		return nil, cmdline.Usagef(c, "--states: %v", err)
	}
	if ra.States.Min < 1 || ra.States.Max > 10_000 {
		return nil, cmdline.Usagef(c, "--states %s: from 1 to 10000 are possible", c.String("states"))
	}
	if ra.Atoms, err = formulas.ParseAlphabet(c.String("alphabet")); err != nil {
		return nil, cmdline.Usagef(c, "--alphabet: %v", err)
	}
	if ra.Deterministic && len(ra.Atoms) > omega.MaxRandomAtoms {
		return nil, cmdline.Usagef(c, "--deterministic: at most %d atoms are possible", omega.MaxRandomAtoms)
	}
	if ra.Acceptance, err = automata.ParseRandomAcceptance(c.String("sets")); err != nil {
		return nil, cmdline.Usagef(c, "--sets: %v", err)
	}
	return ra, nil
}
