package cross

import (
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
)

// translation is the check that a translator gives an automaton at all.
const translation = "translation"

// maxProduct bounds the states of products that are looked at.
const maxProduct = 4_000_000

// checker checks the automata of one formula.
type checker struct {
	r               *runner
	formula         *ltl.Formula
	ms              []made
	atoms           []ltl.Atom // of the formula and of all automata
	found           []finding
	checks, skipped int
}

// check compares the automata with each other and with the formula, on more words, too. An
// error says that the run is over, or that seltl contradicts itself.
func (r *runner) check(f *ltl.Formula, ms []made, more []ltl.Word) (found []finding, skipped, checks int, err error) {
	c := &checker{r: r, formula: f, ms: ms, atoms: ltl.Atoms(f)}
	for _, m := range ms {
		for side, a := range m.auto {
			if a != nil {
				c.atoms = append(c.atoms, a.Atoms()...)
			} else if !budget.Stopped(m.err[side]) {
				c.found = append(c.found, finding{check: translation, formula: f, wrong: []claim{{m.who, side == 1, m.err[side]}}})
			}
		}
	}
	slices.SortFunc(c.atoms, ltl.Atom.Compare)
	c.atoms = slices.Compact(c.atoms)
	if err = c.products(); err == nil {
		err = c.complements()
	}
	for _, w := range slices.Concat(more, r.words(f)) {
		if err == nil && len(w.Loop) > 0 {
			c.checks++
			_, err = c.judge("word", w)
		}
	}
	return c.found, c.skipped, c.checks, err
}

// products: no word is accepted by an automaton of f and by one of !f.
func (c *checker) products() error {
	for _, m := range c.ms {
		for _, n := range c.ms {
			if err := c.empty("product", m.auto[0], n.auto[1], m.who, n.who); err != nil {
				return err
			}
		}
	}
	return nil
}

// complements: that of a deterministic automaton, or of any one, has no word in common with other automata of
// its formula, nor with the complement of one of the other formula.
func (c *checker) complements() error {
	comps := make([][2]*omega.Automaton, len(c.ms))
	for i, m := range c.ms {
		for side, a := range m.auto {
			if a == nil || !c.r.o.Determinise && !a.Deterministic() {
				continue
			}
			var err error
			comps[i][side], err = a.Complement(budget.New(c.r.ctx, c.r.o.Limits, nil))
			if c.r.ctx.Err() != nil {
				return budget.ErrInterrupted
			}
			if err != nil {
				comps[i][side] = nil
				c.skipped++
			}
		}
	}
	for i, m := range c.ms {
		for j, n := range c.ms {
			for side := range 2 {
				if i == j {
					continue
				}
				if err := c.empty("complement", comps[i][side], n.auto[side], m.who, n.who); err != nil {
					return err
				}
			}
			if err := c.empty("complement", comps[i][0], comps[j][1], m.who, n.who); err != nil {
				return err
			}
		}
	}
	return nil
}

// empty checks that no word is accepted by both, if both are there. A word that is one shows
// who is wrong.
func (c *checker) empty(check string, a, b *omega.Automaton, pair ...int) error {
	if a == nil || b == nil {
		return nil
	}
	if c.r.ctx.Err() != nil {
		return budget.ErrInterrupted
	}
	if a.NumStates() > maxProduct/b.NumStates() {
		c.skipped++
		return nil
	}
	var w omega.Word
	found := false
	err := omega.Guard(func() error {
		p, err := omega.Product(a.Bounded(budget.New(c.r.ctx, c.r.o.Limits, nil)), b)
		if err == nil {
			w, found = p.AcceptedWord()
		}
		return err
	})
	switch {
	case c.r.ctx.Err() != nil:
		return budget.ErrInterrupted
	case err != nil: // a limit, or too many sets
		c.skipped++
		return nil
	}
	c.checks++
	if !found {
		return nil
	}
	wrong, err := c.judge(check, w.LTL(), pair...)
	if err == nil && !wrong {
		err = bug.Errorf("cross", "%v: the word %v shows that automata disagree, but each is right on it", c.formula, w)
	}
	return err
}

// judge evaluates the formula on a word, and notes which automata say something else.
func (c *checker) judge(check string, word ltl.Word, pair ...int) (wrong bool, err error) {
	if c.r.ctx.Err() != nil {
		return false, budget.ErrInterrupted
	}
	w, err := omega.ParseWord("<word>", wordText(word, c.atoms, (*ltl.Formula).String))
	if err != nil {
		return false, bug.Errorf("cross", "a word is not read back: %v", err)
	}
	f := finding{check: check, formula: c.formula, pair: pair, word: word, holds: ltl.Eval(c.formula, word)}
	for _, m := range c.ms {
		for side, a := range m.auto {
			if a != nil && a.Accepts(w) != (f.holds != (side == 1)) {
				f.wrong = append(f.wrong, claim{who: m.who, negated: side == 1})
			}
		}
	}
	if len(f.wrong) > 0 {
		f.text = wordText(word, c.atoms, c.r.shown)
		c.found = append(c.found, f)
	}
	return len(f.wrong) > 0, nil
}
