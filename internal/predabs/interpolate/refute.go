package interpolate

import (
	"slices"

	"github.com/seltl/seltl/internal/rational"
	"github.com/seltl/seltl/internal/simplex"
	"github.com/seltl/seltl/logic"
)

// proof shows that a trace cannot be run: a leaf for literals that contradict each
// other, or one proof for every disjunct of a disjunction of one step.
type proof struct {
	linear     []weighted // a leaf: linear literals that add up to a contradiction
	complement []literal  // a leaf: one that is false, or two of which one is the negation of the other
	step       int        // otherwise: that of the disjunction
	cases      []*proof
}

// weighted is "form op 0" of a step, times coef.
type weighted struct {
	step int
	form form
	op   simplex.Op
	coef rational.Rat
}

// literal is a formula of a step.
type literal struct {
	step    int
	formula *logic.Term
}

// premise is what was assumed on the way to a leaf.
type premise struct {
	literal
	form    form
	op      simplex.Op
	decided bool // of a disjunction: one of its cases is assumed
}

// outcome is a proof with the numbers of the premises that it rests on.
type outcome struct {
	proof *proof
	rests map[int]bool
}

// search looks for a proof: simplex for the literals, disjunctions decided where the
// values of simplex do not make them true, integers branched where they are fractions.
type search struct {
	*trace
	lp       *simplex.Solver
	premises []premise
	rows     []int                         // premises of the constraints of lp
	known    map[*logic.Term]int           // Boolean roots that are assumed -> premise
	open     []int                         // premises that are disjunctions
	clash    *outcome                      // of Booleans
	cases    int                           // that are left
	branches int                           // of integers, on the way here
	seen     map[int]bool                  // columns of roots in constraints
	columns  []int                         // the same in order
	rooted   map[literal]*rooted           // what is known of atoms
	splits   map[*logic.Term][]*logic.Term // see disjunction
}

// rooted is an atom in terms of the roots.
type rooted struct {
	linear  bool
	local   form // of linear: "local op 0"
	root    form
	op      simplex.Op
	boolean *logic.Term // of others
}

// maxCases bounds the cases of one search, maxPivots its work, and maxBranches how often
// integers are branched on the way to a leaf: for 2x = 2y+1 without end.
const (
	maxCases    = 600
	maxPivots   = 20_000
	maxBranches = 20
)

// refute returns a proof that the trace cannot be run, nil if none was found. order
// lists steps in the order in which they are assumed: as many as a contradiction needs.
func (t *trace) refute(order []int) *proof {
	s := &search{trace: t, lp: simplex.New(), known: map[*logic.Term]int{}, cases: maxCases, seen: map[int]bool{}, rooted: map[literal]*rooted{}, splits: map[*logic.Term][]*logic.Term{}}
	s.lp.Stop = s.stop
	for _, k := range order {
		if s.stop() {
			return nil
		}
		s.assume(k, t.steps[k].Guard)
		if out := s.contradiction(); out != nil {
			return out.proof
		}
	}
	if out := s.decide(); out != nil {
		return out.proof
	}
	return nil
}

// stop says that the search has done too much, or that nobody waits for it.
func (s *search) stop() bool { return s.lp.Pivots > maxPivots || s.ctx.Err() != nil }

// atom returns what a literal without connectives is; equations may not be negated.
func (s *search) atom(k int, f *logic.Term) *rooted {
	l := literal{k, f}
	if r := s.rooted[l]; r != nil {
		return r
	}
	r := &rooted{}
	op, sum, bound, negated, ok := logic.LinearAtom(f)
	if r.linear = ok && !negated; r.linear {
		r.local = s.formOf(sum)
		r.local.value = rational.Of(bound).Neg()
		r.root = s.root(k, r.local)
		r.op = map[logic.Op]simplex.Op{logic.OpLe: simplex.Le, logic.OpLt: simplex.Lt, logic.OpEq: simplex.Eq}[op]
	} else {
		r.boolean = s.rootTerm(k, f)
	}
	s.rooted[l] = r
	return r
}

// disjunction is casesOf, which is asked again and again.
func (s *search) disjunction(f *logic.Term) []*logic.Term {
	cases, ok := s.splits[f]
	if !ok {
		cases = casesOf(f)
		s.splits[f] = cases
	}
	return cases
}

// casesOf returns the cases of a formula that is no literal and no conjunction, nil for
// others.
func casesOf(f *logic.Term) []*logic.Term {
	negated := f.Op() == logic.OpNot
	g := f
	if negated {
		g = f.Args()[0]
	}
	switch {
	case f.Op() == logic.OpOr:
		return f.Args()
	case g.Op() == logic.OpEq && g.Args()[0].Sort() == logic.Bool:
		a, b := g.Args()[0], g.Args()[1]
		if negated {
			b = logic.Not(b)
		}
		return []*logic.Term{logic.And(a, b), logic.And(logic.Not(a), logic.Not(b))}
	case negated && logic.IsLinearAtom(g):
		return []*logic.Term{logic.Lt(g.Args()[0], g.Args()[1]), logic.Gt(g.Args()[0], g.Args()[1])}
	}
	return nil
}

// assume adds a formula of a step to the premises.
func (s *search) assume(k int, f *logic.Term) {
	if f.Op() == logic.OpAnd {
		for _, g := range f.Args() {
			s.assume(k, g)
		}
		return
	}
	if f.IsTrue() || s.clash != nil {
		return
	}
	n := len(s.premises)
	s.premises = append(s.premises, premise{literal: literal{k, f}})
	if s.disjunction(f) != nil {
		s.open = append(s.open, n)
		return
	}
	r := s.atom(k, f)
	if !r.linear {
		s.assumeBoolean(n, r.boolean)
		return
	}
	p := &s.premises[n]
	p.form, p.op = r.local, r.op
	s.rows = append(s.rows, n)
	s.lp.Assert(simplex.Constraint{Sum: r.root.sum, Op: r.op, Bound: r.root.value.Neg()})
	for _, m := range r.root.sum {
		if !s.seen[m.Var] {
			s.seen[m.Var] = true
			s.columns = append(s.columns, m.Var)
		}
	}
}

func (s *search) assumeBoolean(n int, root *logic.Term) {
	other, ok := s.known[logic.Not(root)]
	switch {
	case root.IsFalse():
		s.clash = &outcome{&proof{complement: []literal{s.premises[n].literal}}, map[int]bool{n: true}}
	case ok:
		s.clash = &outcome{&proof{complement: []literal{s.premises[other].literal, s.premises[n].literal}}, map[int]bool{n: true, other: true}}
	case root.IsTrue():
	default:
		if _, ok := s.known[root]; !ok {
			s.known[root] = n
		}
	}
}

// contradiction returns a leaf if the literals contradict each other.
func (s *search) contradiction() *outcome {
	if s.clash != nil {
		return s.clash
	}
	multipliers := s.lp.Check()
	if multipliers == nil {
		return nil
	}
	return s.leaf(multipliers)
}

// leaf makes a proof of multipliers of rows.
func (s *search) leaf(multipliers []simplex.Multiplier) *outcome {
	out := &outcome{&proof{}, map[int]bool{}}
	for _, m := range multipliers {
		n := s.rows[m.Constraint]
		p := &s.premises[n]
		out.proof.linear = append(out.proof.linear, weighted{p.step, p.form, p.op, m.Coef})
		out.rests[n] = true
	}
	return out
}

// decide returns a proof from the premises, nil if none is found.
func (s *search) decide() *outcome {
	if out := s.contradiction(); out != nil {
		return out
	}
	if s.cases--; s.cases < 0 || s.stop() {
		return nil
	}
	best := -1
	for _, n := range s.open {
		p := &s.premises[n]
		if p.decided || s.holds(p.step, p.formula) {
			continue
		}
		if best < 0 || len(s.disjunction(p.formula)) < len(s.disjunction(s.premises[best].formula)) {
			best = n
		}
	}
	if best < 0 {
		return s.round()
	}
	p := &s.premises[best]
	p.decided = true
	out := s.split(p.step, s.disjunction(p.formula), best)
	s.premises[best].decided = false
	return out
}

// split decides a disjunction of a step; premise is -1 for one that always holds.
func (s *search) split(step int, cases []*logic.Term, number int) *outcome {
	out := &outcome{&proof{step: step}, map[int]bool{}}
	if number >= 0 {
		out.rests[number] = true
	}
	for _, c := range cases {
		mark := s.push()
		s.assume(step, c)
		sub := s.decide()
		s.pop(mark)
		if sub == nil {
			return nil
		}
		uses := false
		for n := range sub.rests {
			uses = uses || n >= mark.premises
		}
		if !uses {
			return sub // it proves all that this disjunction was for
		}
		for n := range sub.rests {
			if n < mark.premises {
				out.rests[n] = true
			}
		}
		out.proof.cases = append(out.proof.cases, sub.proof)
	}
	return out
}

// mark remembers how much was assumed.
type mark struct{ premises, rows, open int }

func (s *search) push() mark {
	s.lp.Push()
	return mark{len(s.premises), len(s.rows), len(s.open)}
}

func (s *search) pop(m mark) {
	s.lp.Pop()
	for root, n := range s.known {
		if n >= m.premises {
			delete(s.known, root)
		}
	}
	s.clash = nil
	s.premises, s.rows, s.open = s.premises[:m.premises], s.rows[:m.rows], s.open[:m.open]
}

// holds evaluates a formula of a step with the values of simplex; what is not known of
// Booleans is false.
func (s *search) holds(k int, f *logic.Term) bool {
	switch {
	case f.IsTrue() || f.IsFalse():
		return f.IsTrue()
	case f.Op() == logic.OpAnd:
		return !slices.ContainsFunc(f.Args(), func(g *logic.Term) bool { return !s.holds(k, g) })
	}
	if cases := s.disjunction(f); cases != nil {
		return slices.ContainsFunc(cases, func(g *logic.Term) bool { return s.holds(k, g) })
	}
	r := s.atom(k, f)
	if !r.linear {
		if r.boolean.IsTrue() || r.boolean.IsFalse() {
			return r.boolean.IsTrue()
		}
		if _, ok := s.known[r.boolean]; ok {
			return true
		}
		_, ok := s.known[logic.Not(r.boolean)]
		return !ok && r.boolean.Op() == logic.OpNot
	}
	value, eps := r.root.value, rational.Rat{}
	for _, m := range r.root.sum {
		v, e := s.lp.Value(m.Var)
		value, eps = value.Add(m.Coef.Mul(v)), eps.Add(m.Coef.Mul(e))
	}
	sign := value.Sign()
	if sign == 0 {
		sign = eps.Sign()
	}
	return sign == 0 && r.op != simplex.Lt || sign < 0 && r.op != simplex.Eq
}

// round branches on an integer whose value is none. nil if there is no such: what is
// left is nothing that is understood here.
func (s *search) round() *outcome {
	for _, j := range s.columns {
		v := s.terms[j]
		value, eps := s.lp.Value(j)
		if v.Sort() != logic.Int || value.IsInt() && eps.Sign() == 0 {
			continue
		}
		if v.Op() != logic.OpVar || s.branches == maxBranches {
			return nil
		}
		step, local := 0, v
		if in := s.local[v]; in != nil {
			step, local = s.born[v], in
		}
		floor := value.Floor()
		if value.IsInt() && eps.Sign() < 0 {
			floor = floor.Sub(rational.Int(1))
		}
		below := logic.Le(local, logic.Number(floor.Big(), logic.Int))
		s.branches++
		out := s.split(step, []*logic.Term{below, logic.Not(below)}, -1)
		s.branches--
		return out
	}
	return nil
}
