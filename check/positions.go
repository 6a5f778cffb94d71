package check

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// Bounds of what is said of subformulas.
const (
	mostParts = 60      // subformulas: of a formula with more only itself
	mostTruth = 400_000 // subformulas times states
	longPart  = 400     // characters of a formula
)

// explain says which parts of a formula hold at which positions of the run that violates it.
func explain(c *report.Counterexample, f *ltl.Formula, res *product.Result) {
	if len(ltl.Subformulas(f))*(len(c.Stem)+len(c.Loop)+1) > mostTruth {
		return
	}
	p := positions(f, res)
	states := make([]int, p.Written)
	for i := range states {
		states[i] = i
	}
	c.Truth = TruthIn(states, f, p)
}

// OnWord evaluates a formula on a word, nil if that is too much to be told.
func OnWord(f *ltl.Formula, w ltl.Word) *ltl.Positions {
	if len(ltl.Subformulas(f))*w.Len() > mostTruth {
		return nil
	}
	return ltl.OnWord(f, w)
}

// Reasons are the positions that matter for a formula's failing.
func Reasons(p *ltl.Positions) map[int]bool {
	at := map[int]bool{}
	if p != nil {
		for _, r := range p.Why() {
			at[r.At] = true
		}
	}
	return at
}

// explainAtoms says which atoms of an automaton hold at which positions of a lasso that it
// refuses, or accepts.
func explainAtoms(c *report.Counterexample, atoms []ltl.Atom, res *product.Result) {
	word := product.Word(res.Lasso)
	if len(atoms)*word.Len() > mostTruth || len(atoms) > mostParts {
		return
	}
	c.Truth = &report.Truth{Parts: []report.Part{}, Why: []report.Because{}}
	for _, a := range atoms {
		f := ltl.AtomOf(a)
		c.Truth.Parts = append(c.Truth.Parts, report.Part{Formula: partText(f), Holds: signs(ltl.OnWord(f, word).Truth[0])})
	}
}

// TruthIn says what holds in the states of a run, each of which is a position.
func TruthIn(states []int, f *ltl.Formula, p *ltl.Positions) *report.Truth {
	truth := &report.Truth{Parts: []report.Part{}, Why: []report.Because{}}
	few := len(ltl.Subformulas(f)) <= mostParts
	number := map[*ltl.Formula]int{}
	for i, g := range p.Formulas {
		if g.Op() == ltl.True || g.Op() == ltl.False || !few && g != f {
			continue
		}
		row := lists.Map(states, func(at int) ltl.Truth { return p.Truth[i][at] })
		part := report.Part{Formula: partText(g), Holds: signs(row)}
		for _, arg := range g.Args() {
			if k, shown := number[arg]; shown {
				part.Operands = append(part.Operands, k)
			}
		}
		number[g] = len(truth.Parts)
		truth.Parts = append(truth.Parts, part)
	}
	for _, r := range p.Why() {
		if r.At >= p.Written {
			break // it speaks of a later pass through the loop, for which there is no number
		}
		state := toldIn(states, r.At, func(at int) bool {
			return r.Ever || (p.Truth[slices.Index(p.Formulas, r.Formula)][at] == ltl.Holds) == r.Holds
		})
		if state < 0 {
			break
		}
		truth.Why = append(truth.Why, report.Because{Formula: partText(r.Formula), State: state, Holds: r.Holds, Ever: r.Ever})
	}
	return truth
}

// toldIn is the state that is at a position, or else the first one behind it of which the same is
// true; -1 for none.
func toldIn(states []int, position int, same func(at int) bool) int {
	if i := slices.Index(states, position); i >= 0 {
		return i
	}
	return slices.IndexFunc(states, func(at int) bool { return at >= position && same(at) })
}

// positions evaluates a formula on the counterexample that is shown.
func positions(f *ltl.Formula, res *product.Result) *ltl.Positions {
	prefix := res.Prefix
	switch {
	case prefix == nil:
		return ltl.OnWord(f, product.Word(res.Lasso))
	case prefix.Why == product.BadEnd:
		word := ltl.Word{Loop: []ltl.Letter{product.StateLetter(&prefix.Run.Last)}}
		for i := range prefix.Run.Stem {
			word.Stem = append(word.Stem, product.LetterOf(&prefix.Run.Stem[i]))
		}
		return ltl.OnWord(f, word)
	}
	var letters []func(ltl.Atom) ltl.Truth
	for i := range prefix.Run.Stem {
		letter := product.LetterOf(&prefix.Run.Stem[i])
		letters = append(letters, func(a ltl.Atom) ltl.Truth { return known(letter(a)) })
	}
	p := ltl.OnPrefix(f, append(letters, lastLetter(&prefix.Run.Last)))
	// What is left of the formula was found to be unsatisfiable, which Kleene's logic may not see.
	p.Truth[len(p.Truth)-1][0] = ltl.Fails
	return p
}

// lastLetter is what is known of a state whose next event is not: only what is possible there
// can be that.
func lastLetter(s *run.State) func(ltl.Atom) ltl.Truth {
	letter := product.StateLetter(s)
	return func(a ltl.Atom) ltl.Truth {
		if a.Kind == ltl.Event && slices.Contains(s.Enabled, a.Name) {
			return ltl.Open
		}
		return known(letter(a))
	}
}

func known(b bool) ltl.Truth {
	if b {
		return ltl.Holds
	}
	return ltl.Fails
}

// partText writes a subformula; a very long one is cut.
func partText(f *ltl.Formula) string {
	text := f.String()
	if runes := []rune(text); len(runes) > longPart {
		return string(runes[:longPart-1]) + "…"
	}
	return text
}

func signs(row []ltl.Truth) string {
	var b strings.Builder
	for _, t := range row {
		b.WriteByte(map[ltl.Truth]byte{ltl.Holds: report.HoldsThere, ltl.Fails: report.FailsThere, ltl.Open: report.DependsThere}[t])
	}
	return b.String()
}
