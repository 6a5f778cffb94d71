package ltl

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
)

// OpSet is a set of operators.
type OpSet uint32

// Ops returns the set of the operators.
func Ops(ops ...Op) OpSet {
	var s OpSet
	for _, op := range ops {
		s |= 1 << op
	}
	return s
}

// Has reports whether op is in the set.
func (s OpSet) Has(op Op) bool { return s>>op&1 != 0 }

// opTexts are the operators as people write them, the first text of each as String does.
// The letters i, e and ^ are those of Spot's tools.
var opTexts = []struct {
	op    Op
	texts []string
}{
	{Not, []string{"!"}}, {And, []string{"&", "&&", "and"}}, {Or, []string{"|", "||", "or"}},
	{Xor, []string{"xor", "^"}}, {Implies, []string{"->", "=>", "i"}}, {Iff, []string{"<->", "<=>", "e"}},
	{Next, []string{"X"}}, {Eventually, []string{"F", "<>"}}, {Always, []string{"G", "[]"}},
	{Until, []string{"U"}}, {Release, []string{"R", "V"}}, {WeakUntil, []string{"W"}}, {StrongRelease, []string{"M"}},
	{Yesterday, []string{"Y"}}, {WeakYesterday, []string{"Z"}}, {Once, []string{"O"}}, {Historically, []string{"H"}},
	{Since, []string{"S"}}, {Triggered, []string{"T"}},
	{SuffixImplies, []string{"[]->", "|->"}}, {SuffixAnd, []string{"<>->"}},
	{Atomic, []string{"ap", "atom"}}, {True, []string{"true", "1"}}, {False, []string{"false", "0"}},
}

// String returns the operator as formulas have it; "ap", "true" and "false" are the leaves.
func (op Op) String() string {
	for _, o := range opTexts {
		if o.op == op {
			return o.texts[0]
		}
	}
	return fmt.Sprintf("Op(%d)", uint8(op))
}

// String lists the operators of the set, separated by commas.
func (s OpSet) String() string {
	var list []string
	for _, o := range opTexts {
		if s.Has(o.op) {
			list = append(list, o.texts[0])
		}
	}
	return strings.Join(list, ",")
}

// ParseOp reads one operator: a symbol of the formula language, or one of Spot's letters
// (i, e, ^). The error suggests one that is near.
func ParseOp(text string) (Op, error) {
	var known []string
	for _, o := range opTexts {
		if slices.Contains(o.texts, text) {
			return o.op, nil
		}
		known = append(known, o.texts...)
	}
	help := source.DidYouMean(text, known)
	if help == "" {
		help = "operators are ! & | xor -> <-> X F G U R W M Y Z O H S T"
	}
	return 0, fmt.Errorf("%q is no operator: %s", text, help)
}

// ParseOps reads operators with commas between them ("W,M,->"), or as a run of one letter each
// ("WM"), as Spot writes them.
func ParseOps(text string) (OpSet, error) {
	var set OpSet
	for _, word := range strings.Split(text, ",") {
		word = strings.TrimSpace(word)
		op, err := ParseOp(word)
		if err == nil {
			set |= Ops(op)
			continue
		}
		for _, letter := range word {
			op, bad := ParseOp(string(letter))
			if bad != nil {
				return 0, err
			}
			set |= Ops(op)
		}
		if word == "" {
			return 0, err
		}
	}
	return set, nil
}

// Irreplaceable is the error of removing operators that the others cannot say.
type Irreplaceable struct{ Op Op }

func (e *Irreplaceable) Error() string {
	switch e.Op {
	case Next:
		return "X says what no other operator can, but in stutter-invariant formulas"
	case Yesterday, WeakYesterday:
		return "Y and Z say what no other operator can: one of them has to stay"
	}
	if e.Op == SuffixImplies || e.Op == SuffixAnd {
		return "no other operators say what regular expressions (" + e.Op.String() + ") say"
	}
	return fmt.Sprintf("the operators that are left cannot say what %s says", e.Op)
}

// replacement says an operator by others, which make builds.
type replacement struct {
	by   OpSet
	with func(make func(Op, ...*Formula) *Formula, args []*Formula) *Formula
}

type maker = func(Op, ...*Formula) *Formula

// fold makes a binary operator of one with several operands.
func fold(args []*Formula, join func(f, g *Formula) *Formula) *Formula {
	f := args[0]
	for _, g := range args[1:] {
		f = join(f, g)
	}
	return f
}

func negated(args []*Formula) []*Formula {
	return lists.Map(args, MakeNot)
}

// dually says an operator by its dual: f U g = !(!f R !g).
func dually(dual Op) replacement {
	return replacement{Ops(dual), func(make maker, args []*Formula) *Formula {
		return MakeNot(make(dual, negated(args)...))
	}}
}

// replacements of each operator; the first one that uses what is left is taken. X has none.
var replacements = [...][]replacement{
	Implies: {
		{Ops(Or), func(make maker, a []*Formula) *Formula { return make(Or, MakeNot(a[0]), a[1]) }},
		{Ops(And), func(make maker, a []*Formula) *Formula { return MakeNot(make(And, a[0], MakeNot(a[1]))) }},
	},
	Or: {
		dually(And),
		{Ops(Implies), func(make maker, a []*Formula) *Formula {
			return fold(a, func(f, g *Formula) *Formula { return make(Implies, MakeNot(f), g) })
		}},
	},
	And: {
		dually(Or),
		{Ops(Implies), func(make maker, a []*Formula) *Formula {
			return fold(a, func(f, g *Formula) *Formula { return MakeNot(make(Implies, f, MakeNot(g))) })
		}},
	},
	Xor: {
		{Ops(Iff), func(make maker, a []*Formula) *Formula { return MakeNot(make(Iff, a...)) }},
		{Ops(And, Or), func(make maker, a []*Formula) *Formula {
			return make(Or, make(And, a[0], MakeNot(a[1])), make(And, MakeNot(a[0]), a[1]))
		}},
	},
	Iff: {
		{Ops(And, Or), func(make maker, a []*Formula) *Formula {
			return make(Or, make(And, a...), make(And, negated(a)...))
		}},
		{Ops(Xor), func(make maker, a []*Formula) *Formula { return MakeNot(make(Xor, a...)) }},
	},
	Eventually: {
		{Ops(Until), func(make maker, a []*Formula) *Formula { return make(Until, trueFormula, a[0]) }},
		{Ops(StrongRelease), func(make maker, a []*Formula) *Formula { return make(StrongRelease, a[0], trueFormula) }},
		dually(Always),
	},
	Always: {
		{Ops(Release), func(make maker, a []*Formula) *Formula { return make(Release, falseFormula, a[0]) }},
		{Ops(WeakUntil), func(make maker, a []*Formula) *Formula { return make(WeakUntil, a[0], falseFormula) }},
		dually(Eventually),
	},
	WeakUntil: {
		{Ops(Release, Or), func(make maker, a []*Formula) *Formula { return make(Release, a[1], make(Or, a...)) }},
		{Ops(Until, Always, Or), func(make maker, a []*Formula) *Formula {
			return make(Or, make(Until, a...), make(Always, a[0]))
		}},
		dually(StrongRelease),
	},
	Release: {
		{Ops(WeakUntil, And), func(make maker, a []*Formula) *Formula { return make(WeakUntil, a[1], make(And, a...)) }},
		dually(Until),
	},
	StrongRelease: {
		{Ops(Until, And), func(make maker, a []*Formula) *Formula { return make(Until, a[1], make(And, a...)) }},
		dually(WeakUntil),
	},
	Until: {
		{Ops(StrongRelease, Or), func(make maker, a []*Formula) *Formula { return make(StrongRelease, a[1], make(Or, a...)) }},
		dually(Release),
	},
	Yesterday:     {dually(WeakYesterday)},
	WeakYesterday: {dually(Yesterday)},
	Once: {
		{Ops(Since), func(make maker, a []*Formula) *Formula { return make(Since, trueFormula, a[0]) }},
		dually(Historically),
	},
	Historically: {
		{Ops(Triggered), func(make maker, a []*Formula) *Formula { return make(Triggered, falseFormula, a[0]) }},
		dually(Once),
	},
	Since:     {dually(Triggered)},
	Triggered: {dually(Since)},
}

// Without returns an equivalent formula that has none of the operators of remove: W, M, R, U,
// F, G, ->, <->, xor, one of & and |, and O and H, and one of S and T, and of Y and Z. The error is
// *Irreplaceable where the rest cannot say the same: of U, R, W and M one has to stay, unless only
// F or G is left to say; X stays always (see WithoutNext).
//
// Where F or G is to go, the result has true U f and false R f, and likewise for O and H, which all
// other functions of this package turn into F f and G f again: remove operators last. It has at most a few times
// as many distinct subformulas as f; as a tree it can be exponentially larger.
func Without(f *Formula, remove OpSet) (*Formula, error) {
	mustFormula(f)
	w := &eliminator{remove: remove}
	used := OpSet(0)
	all := Subformulas(f)
	for _, g := range all {
		used |= Ops(g.op)
	}
	if err := w.plan(used); err != nil {
		return nil, err
	}
	image := map[*Formula]*Formula{}
	for _, g := range all {
		args := lists.Map(g.args, func(a *Formula) *Formula { return image[a] })
		switch {
		case len(args) == 0:
			image[g] = g
		case g.re != nil:
			image[g] = g.With(args...)
		default:
			image[g] = w.make(g.op, args...)
		}
	}
	return image[f], nil
}

// unaryOnes are the operators that constructors make of binary ones with a constant operand.
var unaryOnes = []Op{Eventually, Always, Once, Historically}

// eliminator replaces operators.
type eliminator struct {
	remove OpSet
	ways   [numOps]*replacement
}

// plan chooses how each operator is said, by those that stay and those that have been planned
// before, so that no replacement goes round in a circle.
func (e *eliminator) plan(used OpSet) error {
	left := ^e.remove
	for changed := true; changed; {
		changed = false
		for rest := e.remove &^ left; rest != 0; rest &= rest - 1 {
			op := Op(bits.TrailingZeros32(uint32(rest)))
			if int(op) >= len(replacements) {
				continue
			}
			for i := range replacements[op] {
				if r := &replacements[op][i]; r.by&^left == 0 {
					e.ways[op] = r
					left |= Ops(op)
					changed = true
					break
				}
			}
		}
	}
	if lost := used & e.remove &^ left; lost != 0 {
		return &Irreplaceable{Op(bits.TrailingZeros32(uint32(lost)))}
	}
	return nil
}

// make builds a formula without the operators that are to go.
func (e *eliminator) make(op Op, args ...*Formula) *Formula {
	if way := e.ways[op]; way != nil {
		return way.with(e.make, args)
	}
	f := Make(op, args...)
	if f.op != op && slices.Contains(unaryOnes, f.op) && e.remove.Has(f.op) && len(args) == 2 {
		// The constructor has made F f of true U f: that is what is not wanted.
		return intern(op, Atom{}, slices.Clone(args))
	}
	return f
}

// WithoutNext returns a formula without X that says the same of words that never repeat a
// letter but for ever, so that it is equivalent to f if f is stutter-invariant
// (buchi.Classify decides that), and else is not. The construction is that of [Etessami00]: at
// the next position something holds iff it holds where the letter changes next, or now if it
// never does. Formulas with Y or Z, which stay bound to positions, or with regular expressions,
// which count steps as X does, are not for it. Its size grows with the product of the number of
// atoms and of nested X.
func WithoutNext(f *Formula) *Formula {
	atoms := Atoms(f)
	image := map[*Formula]*Formula{}
	for _, g := range Subformulas(f) {
		args := lists.Map(g.args, func(a *Formula) *Formula { return image[a] })
		switch {
		case len(args) == 0:
			image[g] = g
		case g.op == Next:
			image[g] = atChange(args[0], atoms)
		default:
			image[g] = g.With(args...)
		}
	}
	return image[f]
}

// atChange says that f holds where one of the atoms changes next, or now if none ever does.
func atChange(f *Formula, atoms []Atom) *Formula {
	var still, cases []*Formula
	for i, a := range atoms {
		for _, now := range []*Formula{AtomOf(a), MakeNot(AtomOf(a))} {
			changed := MakeNot(now)
			parts := []*Formula{now, MakeUntil(now, MakeAnd(changed, f))}
			for j, b := range atoms {
				if j != i { // b stays as it is until then
					parts = append(parts, MakeOr(MakeUntil(AtomOf(b), changed), MakeUntil(MakeNot(AtomOf(b)), changed)))
				}
			}
			cases = append(cases, MakeAnd(parts...))
		}
		still = append(still, MakeOr(MakeAlways(AtomOf(a)), MakeAlways(MakeNot(AtomOf(a)))))
	}
	return MakeOr(append(cases, MakeAnd(append(still, f)...))...)
}
