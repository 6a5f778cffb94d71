package ltl

import (
	"slices"

	"github.com/seltl/seltl/internal/lists"
)

// Rules is a set of groups of rewriting rules. In the lists b is Boolean, e a
// pure eventuality, u a pure universality, q both, and f => g means that the
// implication is found syntactically. A rule stands for its dual as well (exchange
// true and false, & and |, F and G, U and R, W and M, e and u, and turn
// implications round), unless it is marked with *: whether such a rule or its
// dual, or neither, is used was decided by the sizes of automata.
type Rules uint16

const (
	// RulesBasic need no side conditions:
	//
	//	F(f U g) = F g                 F(f M g) = F(f & g)
	//	F(f W g) = F g | F G f       * F(b1 R b2) = F(b1 & b2) | F G b2
	//	f U (f & g) = g M f            f W (f & g) = g R f
	//	f U (g | G f) = f W g          g | (f & X(f U g)) = f U g   (also W, F)
	//	* F(f | F g) = F(f | g)
	RulesBasic Rules = 1 << iota
	// RulesBoolean minimise Boolean subformulas of at most six atoms.
	RulesBoolean
	// RulesEventual use pure eventualities and universalities:
	//
	//	F e = e       f U e = e        e M f = e & f       X q = q
	//	F(f & q) = F f & q             * f W e = G f | e
	//	* G(f & e) = G f & G e         * G(f & u) = G f & u
	//	* f R (g & u) = (f R g) & u    * f M (g & u) = (f M g) & u
	//	f U (g & q) = (f U g) & q
	RulesEventual
	// RulesImplication use syntactic implication:
	//
	//	f & g = f, f | g = g                  if f => g
	//	f & g = false                         if f => !g
	//	f | (g & h) = f | h                   if !f => g
	//	f U g = g, f W g = g                  if f => g
	//	f U g = F g, f W g = true             if !f => g
	//	f U (g U h) = g U h (also W, G)       if f => g
	//	f U (g U h) = f U h (also W)          if g => f
	//	(f U g) U h = (f | g) U h (also W)    if h => g
	//	(f | g) U h = f U h (also W)          if g => h
	//	(f & g) U h = f U h (also W)          if !g => h
	//	f W (g | u) = f W g                   if u => f
	//	(f U g) U h = g U h (also W, mixed)   if f => h
	//	(f U g) U h = (f U g) | h (f W g only for W)   if g => h
	//	f U (g | h) = f U h (also W)          if g => f U h
	//	f U g = g (also W)                    if f U g => g
	//	e U f = F f                           if f => e
	//	f U (g & e) = F(g & e)                if !f => g
	//	F(f | g) = F g                        if f => F g
	//	F(f | g) = true                       if !F f => F g
	RulesImplication
	// RulesNext pull X outwards:
	//
	//	F X f = X F f            X f U X g = X(f U g) (also W)
	//	X f | X g = X(f | g)     * X f | q = X(f | q)
	//	X f U b = b | X(b M f)   X f W b = b | X(b R f)
	//	q U X f = X(q U f) (also W)
	RulesNext
	// RulesInfinite treat G F and F G:
	//
	//	G F(f & e) = G F f & G e            G F(f & u) = G F f & F u
	//	G F(f R g) = G F(f & g) | F G g     G F(f | X g) = G F(f | g)
	//	G F(f | F g) = G F(f | g)           G F(f | G F g) = G F(f | g)
	//	G F(f | (g & h)) = G F(f | g)       if !F f => h
	//	G e1 | G e2 = G(e1 | e2)
	RulesInfinite
	// RulesFactor combine operands:
	//
	//	* F f | F g = F(f | g)                * F f | q = F(f | q)
	//	* G f & G g = G(f & g)                unless f or g is a pure eventuality
	//	(f U g) | (f U h) = f U (g | h)       (also W, mixed)
	//	(f R g) | (h R g) = (f | h) R g       (also M, mixed)
	//	(f U g) | G f = f W g                 (f M g) | G g = f R g
	//	e | (f R g) = e | G g                 if f => e
	//	e | (g W f) = e | G g                 if f => e
	//	G f | F(g & e) = f W (g & e)          if !f => g
	RulesFactor
	// RulesPast treat past operators; their dual forms exchange Y and Z, O and H, S and T.
	// Together with RulesEventual (O u = u, f S u = u) and RulesImplication (f S g = g if
	// f => g, f S g = O g if !f => g, f S (g S h) = g S h if f => g, and = f S h if g => f):
	//
	//	X Y f = f, X Z f = f          Y X f = Y true & f
	//	Y q = Y true & q              Y F f = Y f | (Y true & F f)
	//	Y(f U g) = Y g | (Y f & (f U g)) (also W, R, M, G)
	//	Y f | Y g = Y(f | g)          Y f | Z g = Z(f | g)
	//	O Y f = Y O f                 O Z f = true
	//	O(f S g) = O g                O(f & q) = O f & q
	//	O(f | O g) = O f | O g        O f | O g = O(f | g)
	//	O F f = O f | F f             O(f U g) = O g | (f U g) (also W)
	//	O(f R g) = O(f & g) | (f R g) (also M)
	//	O(p & F f) = O(f & O p) | (O p & F f), O(p & G f) = (f S (p & f)) & G f
	//	                              if p and f have no future operator
	//	O X f = O(Y true & f) | X f   f S (g & q) = (f S g) & q
	//	(f S g) | (f S h) = f S (g | h), (f S h) & (g S h) = (f & g) S h
	//	F(f T g) = (f T g) | F(f & g)
	//	G F Y f = G F f, G F(f | Y g) = G F(f | g), G F(f & Y g) = G F(X f & g) (also Z)
	//
	// Y moves inwards, and Y f | Y g and O f | O g are merged, only where future operators are,
	// and are not, in the operands.
	RulesPast
	// RulesRegular say regular expressions by other operators where they are simple:
	//
	//	{b}<>-> f = b & f                    {b[*]}<>-> f = f M b
	//	{b : r}<>-> f = b & {r}<>-> f        {r : b}<>-> f = {r}<>-> (b & f)
	//	{b ; r}<>-> f = b & X({r}<>-> f)     {b[*] ; r}<>-> f = b U ({r}<>-> f)
	//	{r}<>-> (f & q) = ({r}<>-> f) & q    {r[:*0..i]}<>-> true = true
	//	{r ; [*]}<>-> f = {r}<>-> F f        {r ; b[*]}<>-> f = {r}<>-> (f | X(f M b))
	//	{b ; r} = b & X {r}                  {b[*] ; r} = b W {r}
	//	{r ; s} = {r}, {r[*]} = {r}          {b | r} = b | {r}
	//
	// where [*0] matches, or does not match, as the rule needs it; and b[*i..] is b ; b[*i-1..].
	RulesRegular

	// AllRules is every rule.
	AllRules = RulesRegular<<1 - 1
)

// SimplifyOptions control Simplify. The zero value uses all rules.
type SimplifyOptions struct {
	// Skip are the rules not to use.
	Skip Rules
	// Exclusive are groups of atoms of which at most one is true at each
	// position, such as the events of a system. The result is then equivalent to
	// the argument only on words that keep to this.
	Exclusive [][]Atom
	// Implies, if not nil, may recognise more implications than the syntactic
	// ones. It must be right whenever it returns true, and always give the same
	// answer.
	Implies func(f, g *Formula) bool
}

// Simplify returns an equivalent formula in negation normal form that is smaller
// or better to translate. Rules are applied bottom-up to a fixpoint, so that
// simplifying again with the same options changes nothing. The rules are those
// known from [EtessamiHolzmann00], [SomenziBloem00], [Babiak12], and the
// documentation of Spot.
//
// Time is about linear in the number of distinct subformulas times the largest
// number of operands, apart from implications, whose number is bounded.
func Simplify(f *Formula, opts SimplifyOptions) *Formula {
	return NewSimplifier(opts).Simplify(f)
}

// Simplifier simplifies many formulas with the same options and remembers what
// it found. It is not safe for concurrent use.
type Simplifier struct {
	opts    SimplifyOptions
	negator *negator
	result  map[*Formula]*Formula
	implied map[[2]*Formula]bool
	groups  map[Atom][]int // of opts.Exclusive
	tables  map[*Formula][]Atom
	steps   int // rewriting steps left
}

// NewSimplifier returns a Simplifier.
func NewSimplifier(opts SimplifyOptions) *Simplifier {
	s := &Simplifier{
		opts: opts, negator: newNegator(),
		result: map[*Formula]*Formula{}, implied: map[[2]*Formula]bool{}, groups: map[Atom][]int{},
		tables: map[*Formula][]Atom{},
	}
	for i, group := range opts.Exclusive {
		for _, a := range group {
			s.groups[a] = append(s.groups[a], i)
		}
	}
	return s
}

// maxSteps bounds the rewriting steps for one formula. Every rule either
// shrinks the formula or moves an operator outwards, so that this is never
// reached in practice; if it were, the result would be right but not simplest.
const maxSteps = 1_000_000

// Simplify returns the simplified formula; see the function of this name.
func (s *Simplifier) Simplify(f *Formula) *Formula {
	mustFormula(f)
	s.steps = maxSteps
	if len(s.implied) > maxImplied/2 {
		// The implications of other formulas must not leave too few for this one.
		clear(s.implied)
		clear(s.result)
	}
	return s.simplify(s.negator.nnf(f, false))
}

// negate returns the negation normal form of !f.
func (s *Simplifier) negate(f *Formula) *Formula { return s.negator.nnf(f, true) }

func (s *Simplifier) simplify(f *Formula) *Formula {
	if len(f.args) == 0 {
		return f
	}
	if g, ok := s.result[f]; ok {
		return g
	}
	g := s.simplifyOperands(f)
	for s.steps > 0 {
		h := s.rewrite(g)
		if h == nil {
			break
		}
		s.steps--
		if known, ok := s.result[h]; ok {
			g = known
			break
		}
		g = s.simplifyOperands(h) // they may be new formulas
	}
	s.result[f], s.result[g] = g, g
	return g
}

// simplifyOperands returns f with simplified operands. The letters of {r} stay as they are if
// some letters cannot occur: what r could go on with does not depend on that.
func (s *Simplifier) simplifyOperands(f *Formula) *Formula {
	if _, _, closure := f.Closure(); len(f.args) == 0 || closure && len(s.groups) > 0 {
		return f
	}
	args := lists.Map(f.args, s.simplify)
	return f.With(args...)
}

// rewrite applies one rule at the root of f, whose operands are simplified, and
// returns nil if there is none.
func (s *Simplifier) rewrite(f *Formula) *Formula {
	primal, dual := view{s, false}, view{s, true}
	if f.class.Has(Boolean) {
		if g := s.boolean(f); g != nil {
			return g
		}
	}
	switch f.op {
	case Next:
		if primal.both(f.args[0]) {
			return f.args[0]
		}
		if s.uses(RulesPast) && (f.args[0].op == Yesterday || f.args[0].op == WeakYesterday) {
			return f.args[0].args[0]
		}
	case Eventually:
		return primal.eventually(f.args[0])
	case Always:
		return dual.eventually(f.args[0])
	case Until:
		return primal.until(f.args[0], f.args[1])
	case Release:
		return dual.until(f.args[0], f.args[1])
	case WeakUntil:
		return primal.weakUntil(f.args[0], f.args[1])
	case StrongRelease:
		return dual.weakUntil(f.args[0], f.args[1])
	case Yesterday:
		return primal.yesterday(f.args[0])
	case WeakYesterday:
		return dual.yesterday(f.args[0])
	case Once:
		return primal.once(f.args[0])
	case Historically:
		return dual.once(f.args[0])
	case Since:
		return primal.since(f.args[0], f.args[1])
	case Triggered:
		return dual.since(f.args[0], f.args[1])
	case Or:
		return primal.or(f)
	case And:
		return dual.or(f)
	case SuffixAnd, SuffixImplies:
		if r, positive, ok := f.Closure(); ok {
			return s.closure(r, positive)
		}
		return view{s, f.op == SuffixImplies}.suffixAnd(f.re, f.Last())
	}
	return nil
}

func (s *Simplifier) uses(r Rules) bool { return s.opts.Skip&r == 0 }

// view lets one text of a rule serve for the rule and its dual: in the dual
// view, or means and, U means R, W means M, F means G, eventual means universal,
// and f => g means g => f. The rules are written in the primal reading.
type view struct {
	*Simplifier
	dual bool
}

func (v view) op(op Op) Op {
	if v.dual {
		return dualOp[op]
	}
	return op
}

func (v view) is(f *Formula, op Op) bool { return f.op == v.op(op) }

func (v view) make(op Op, args ...*Formula) *Formula { return Make(v.op(op), args...) }

func (v view) eventual(f *Formula) bool {
	if v.dual {
		return v.uses(RulesEventual) && f.class.Has(Universal)
	}
	return v.uses(RulesEventual) && f.class.Has(Eventual)
}

func (v view) universal(f *Formula) bool { return view{v.Simplifier, !v.dual}.eventual(f) }

func (v view) both(f *Formula) bool { return v.uses(RulesEventual) && f.class.Has(Eventual|Universal) }

// implies is f => g.
func (v view) implies(f, g *Formula) bool {
	if v.dual {
		f, g = g, f
	}
	return v.Simplifier.implies(f, g)
}

// covers reports whether !f => g, that is, f | g is valid (dually, f & g is
// unsatisfiable).
func (v view) covers(f, g *Formula) bool {
	if !v.uses(RulesImplication) {
		return false
	}
	if v.dual {
		return v.Simplifier.implies(f, v.negate(g))
	}
	return v.Simplifier.implies(v.negate(f), g)
}

// operands are the operands of an op, or f alone.
func (v view) operands(op Op, f *Formula) []*Formula {
	if v.is(f, op) {
		return f.args
	}
	return []*Formula{f}
}

// split separates the operands for which yes holds from the others.
func split(args []*Formula, yes func(*Formula) bool) (in, out []*Formula) {
	for _, a := range args {
		if yes(a) {
			in = append(in, a)
		} else {
			out = append(out, a)
		}
	}
	return in, out
}

func without(args []*Formula, drop ...int) []*Formula {
	out := make([]*Formula, 0, len(args))
	for i, a := range args {
		if !slices.Contains(drop, i) {
			out = append(out, a)
		}
	}
	return out
}
