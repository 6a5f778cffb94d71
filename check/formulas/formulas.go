package formulas

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/ltl"
)

// Form is a normal form of formulas.
type Form uint8

const (
	AnyForm         Form = iota
	NegationNormal       // negations at atoms only, no -> <-> xor
	DisjunctiveForm      // ltl.Disjunctive
	ConjunctiveForm      // ltl.Conjunctive
)

var formulaForms = names.Of[Form]("form", "any", "nnf", "dnf", "cnf")

func (f Form) String() string { return formulaForms.String(f) }

// Change says what becomes of formulas, in the order of its fields. The zero value
// leaves them as they are.
type Change struct {
	Negate bool
	// Finite has what has been read as LTLf say that its words stand for finite ones; nil does not.
	Finite *ltl.Ending
	// RemoveNext says stutter-invariant formulas without X; others are errors.
	RemoveNext bool
	// Simplify uses the groups of Rules; ByLanguage also implications that automata decide.
	Simplify   bool
	Rules      ltl.Rules
	ByLanguage bool
	Form       Form
	// Relabel renames atoms, or with RelabelBoolean the largest Boolean subformulas that share
	// no atom with others; nil does not.
	Relabel        ltl.Naming
	RelabelBoolean bool
	Remove         ltl.OpSet

	simplifier *ltl.Simplifier
}

// Apply returns the changed formula. Errors are limits of the options, or say why the formula
// cannot be changed so.
func (c *Change) Apply(ctx context.Context, f *ltl.Formula, opts check.Options) (*ltl.Formula, error) {
	var err error
	if c.Negate {
		f = ltl.MakeNot(f)
	}
	if c.Finite != nil {
		f = ltl.MakeAnd(f, c.Finite.Words())
	}
	if c.RemoveNext {
		if f, err = withoutNext(f, buchi.Options{Meter: budget.New(ctx, opts.Limits, opts.Progress)}); err != nil {
			return nil, err
		}
	}
	if c.Simplify {
		f = c.simplified(f)
	}
	switch c.Form {
	case NegationNormal:
		f = ltl.NNF(f)
	case DisjunctiveForm:
		f, err = ltl.Disjunctive(f)
	case ConjunctiveForm:
		f, err = ltl.Conjunctive(f)
	}
	switch {
	case err != nil:
		return nil, err
	case c.Relabel != nil && c.RelabelBoolean:
		f, _ = ltl.RelabelBoolean(f, c.Relabel)
	case c.Relabel != nil:
		f, _ = ltl.Relabel(f, c.Relabel)
	}
	if c.Remove != 0 {
		return ltl.Without(f, c.Remove)
	}
	return f, nil
}

// withoutNext removes X, if the formula is stutter-invariant.
func withoutNext(f *ltl.Formula, opts buchi.Options) (*ltl.Formula, error) {
	if f.Is(ltl.StutterInvariant) {
		return f, nil
	}
	if f.HasRegexp() {
		f = ltl.Simplify(f, ltl.SimplifyOptions{})
	}
	if f.HasRegexp() { // which counts steps, too
		return nil, &ltl.Irreplaceable{Op: ltl.SuffixImplies}
	}
	invariant, err := buchi.Belongs(f, ltl.StutterInvariant, opts)
	if err != nil {
		return nil, err
	}
	if !invariant {
		return nil, &ltl.Irreplaceable{Op: ltl.Next}
	}
	for _, g := range ltl.Subformulas(f) {
		if g.Op() == ltl.Yesterday || g.Op() == ltl.WeakYesterday {
			return nil, &ltl.Irreplaceable{Op: g.Op()}
		}
	}
	return ltl.WithoutNext(f), nil
}

// Implications of larger formulas are not asked of automata.
const (
	largestImplication = 24
	mostImplied        = 6 // atoms
)

func (c *Change) simplified(f *ltl.Formula) *ltl.Formula {
	if c.simplifier == nil {
		o := ltl.SimplifyOptions{Skip: ltl.AllRules &^ c.Rules}
		if c.ByLanguage {
			o.Implies = func(f, g *ltl.Formula) bool {
				if max(f.Size(), g.Size()) > largestImplication || len(ltl.Atoms(f, g)) > mostImplied {
					return false
				}
				_, yes, err := buchi.Implies(f, g, buchi.Options{})
				return err == nil && yes
			}
		}
		c.simplifier = ltl.NewSimplifier(o)
	}
	return c.simplifier.Simplify(f)
}

// Range is a range of numbers, both ends included. The zero value is only 0.
type Range struct{ Min, Max int }

// Has reports whether n is in the range.
func (r Range) Has(n int) bool { return r.Min <= n && n <= r.Max }

// Draw draws one of its numbers.
func (r Range) Draw(from *rand.Rand) int { return r.Min + from.IntN(r.Max-r.Min+1) }

// ParseRange reads "3", "1..5", "..5" or "2..", the last two with the given bounds.
func ParseRange(text string, least, most int) (Range, error) {
	low, high, isRange := strings.Cut(text, "..")
	r := Range{least, most}
	bad := fmt.Errorf("%q is no range: a number or a range is needed, such as 5, 2.., ..9 or 2..9", text)
	for _, end := range []struct {
		text string
		to   *int
	}{{low, &r.Min}, {high, &r.Max}} {
		if end.text == "" {
			continue
		}
		n, err := strconv.Atoi(end.text)
		if err != nil {
			return r, bad
		}
		*end.to = n
	}
	switch {
	case !isRange && low == "":
		return r, bad
	case !isRange:
		r.Max = r.Min
	case low == "" && high == "":
		return r, bad
	}
	if r.Min > r.Max || r.Min < least || r.Max > most {
		return r, fmt.Errorf("%q: the range is empty, or outside %d..%d", text, least, most)
	}
	return r, nil
}

// Filter says which formulas are wanted: those that meet all conditions, or with Invert
// those that do not. The zero value wants all.
type Filter struct {
	Length, Atoms *Range
	// Syntactic are properties of ltl.Classify; Classes are classes of the language.
	Syntactic ltl.Class
	Classes   []ltl.Class
	// Satisfiable and Valid are about the language, as the formulas below are.
	Satisfiable, Valid            bool
	EquivalentTo, Implies, Follow []*ltl.Formula // Follow: what implies the formula
	Accepts, Rejects              []ltl.Word
	Invert                        bool
}

// Keeps reports whether f is wanted. The error is a limit of the options.
func (w *Filter) Keeps(ctx context.Context, f *ltl.Formula, opts check.Options) (bool, error) {
	yes := w.cheap(f)
	if yes {
		var err error
		if yes, err = w.language(f, buchi.Options{Meter: budget.New(ctx, opts.Limits, opts.Progress)}); err != nil {
			return false, err
		}
	}
	return yes != w.Invert, nil
}

// cheap decides the conditions that need no automaton.
func (w *Filter) cheap(f *ltl.Formula) bool {
	if w.Length != nil && !w.Length.Has(f.Length()) || w.Atoms != nil && !w.Atoms.Has(len(ltl.Atoms(f))) || !f.Is(w.Syntactic) {
		return false
	}
	for _, word := range w.Accepts {
		if !ltl.Eval(f, word) {
			return false
		}
	}
	return !slices.ContainsFunc(w.Rejects, func(word ltl.Word) bool { return ltl.Eval(f, word) })
}

func (w *Filter) language(f *ltl.Formula, opts buchi.Options) (bool, error) {
	type condition func() (bool, error)
	var all []condition
	add := func(wanted bool, decide func() (ltl.Word, bool, error)) {
		if wanted {
			all = append(all, func() (bool, error) { _, yes, err := decide(); return yes, err })
		}
	}
	add(w.Satisfiable, func() (ltl.Word, bool, error) { return buchi.Satisfiable(f, opts) })
	add(w.Valid, func() (ltl.Word, bool, error) { return buchi.Valid(f, opts) })
	for _, class := range w.Classes {
		all = append(all, func() (bool, error) { return buchi.Belongs(f, class, opts) })
	}
	for _, g := range w.EquivalentTo {
		add(true, func() (ltl.Word, bool, error) { return buchi.Equivalent(f, g, opts) })
	}
	for _, g := range w.Implies {
		add(true, func() (ltl.Word, bool, error) { return buchi.Implies(f, g, opts) })
	}
	for _, g := range w.Follow {
		add(true, func() (ltl.Word, bool, error) { return buchi.Implies(g, f, opts) })
	}
	for _, holds := range all {
		if yes, err := holds(); err != nil || !yes {
			return false, err
		}
	}
	return true, nil
}
