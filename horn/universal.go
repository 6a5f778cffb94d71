package horn

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// A formula of a solution may speak of variables that are no parameters: it is to hold for all values of these, as
// invariants of all elements of an array do. Package logic has no quantifiers, so that they are told by their names.
//
// A clause is checked with finitely many instances of its premises ([BjornerMcMillanRybalchenko13]): what an instance
// says follows from the whole, so that a clause that holds by instances holds. Its conclusion is to hold for values that
// nothing else is known of.

// maxUniversalInstances is how many instances of one premise a check takes.
const maxUniversalInstances = 2000

// universal returns the variables that the solution of a predicate is to hold for all values of.
func (p *Problem) universal(s Solution, pred int) []*logic.Term {
	return slices.DeleteFunc(logic.Vars(s[pred]), func(v *logic.Term) bool {
		return slices.Contains(p.Preds[pred].Params, v) || slices.ContainsFunc(p.folds, func(f *Fold) bool { return f.Function == v })
	})
}

// Quantified reports that a solution says something for all values of a variable.
func (p *Problem) Quantified(s Solution) bool {
	for i := range s {
		if len(p.universal(s, i)) > 0 {
			return true
		}
	}
	return false
}

// obligation is a formula that no values make true if the solution satisfies a clause.
func (p *Problem) obligation(s Solution, c *Clause) ([]*logic.Term, error) {
	fs, own := []*logic.Term{c.Constraint}, []*logic.Term(nil)
	taken := map[string]bool{}
	for _, v := range logic.Vars(append(c.Terms(), s...)...) {
		taken[v.Name()] = true
	}
	if c.Head != nil {
		f, vars := p.apart(s, *c.Head, taken)
		fs, own = append(fs, logic.Not(f)), vars
	}
	at := indices(append(c.Terms(), fs...), own)
	for _, a := range c.Body {
		f, vars := p.apart(s, a, taken)
		all, err := instances(f, vars, at)
		if err != nil {
			return nil, fmt.Errorf("the solution of %s %w", p.PredName(a.Pred), err)
		}
		fs = append(fs, all...)
	}
	return fs, nil
}

// apart is what the solution says of an application, with universal variables that nothing else has.
func (p *Problem) apart(s Solution, a App, taken map[string]bool) (f *logic.Term, vars []*logic.Term) {
	by := map[*logic.Term]*logic.Term{}
	for i, v := range p.Preds[a.Pred].Params {
		by[v] = a.Args[i]
	}
	for _, v := range p.universal(s, a.Pred) {
		by[v] = logic.Var(logic.UnusedName(taken, v.Name()), v.Sort())
		vars = append(vars, by[v])
	}
	return logic.Substitute(s[a.Pred], by), vars
}

// indices are terms by sort: some, and those that arrays are read and written at.
func indices(terms, some []*logic.Term) map[*logic.Sort][]*logic.Term {
	out := map[*logic.Sort][]*logic.Term{}
	add := func(t *logic.Term) {
		if s := t.Sort(); !slices.Contains(out[s], t) {
			out[s] = append(out[s], t)
		}
	}
	for _, t := range some {
		add(t)
	}
	for t := range logic.Subterms(terms...) {
		if t.Op() == logic.OpSelect || t.Op() == logic.OpStore {
			add(t.Args()[1])
		}
	}
	return out
}

// instances are what a formula says where its universal variables have the values at which the clause, or the formula
// itself, looks at arrays.
func instances(f *logic.Term, vars []*logic.Term, at map[*logic.Sort][]*logic.Term) ([]*logic.Term, error) {
	out := []*logic.Term{f}
	for _, v := range vars {
		values := candidates(f, v, vars, at)
		if len(out)*len(values) > maxUniversalInstances {
			return nil, fmt.Errorf("has more than %d instances", maxUniversalInstances)
		}
		var next []*logic.Term
		for _, g := range out {
			for _, t := range values {
				next = append(next, logic.Substitute(g, map[*logic.Term]*logic.Term{v: t}))
			}
		}
		out = next
	}
	return out, nil
}

// candidates are the values of a variable for which its formula reads an array where others do.
func candidates(f, v *logic.Term, vars []*logic.Term, at map[*logic.Sort][]*logic.Term) (all []*logic.Term) {
	add := func(t *logic.Term) {
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	free := func(t *logic.Term) bool {
		return !slices.ContainsFunc(logic.Vars(t), func(u *logic.Term) bool { return slices.Contains(vars, u) })
	}
	for _, t := range at[v.Sort()] {
		add(t)
	}
	for t := range logic.Subterms(f) {
		if t.Op() != logic.OpSelect || t.Args()[1].Sort() != v.Sort() {
			continue
		}
		i := t.Args()[1]
		if free(i) {
			add(i)
			continue
		}
		if rest := beside(i, v); rest != nil && free(rest) { // v is an index less rest
			for _, j := range at[v.Sort()] {
				if v.Sort() == logic.Int {
					add(logic.Sub(j, rest))
				} else {
					add(logic.BVSub(j, rest))
				}
			}
		}
	}
	if len(all) == 0 {
		add(logic.Zero(v.Sort()).Term())
	}
	return all
}

// beside is what an index adds to a variable, nil if it is no such sum.
func beside(i, v *logic.Term) *logic.Term {
	switch {
	case i == v:
	case v.Sort() == logic.Int:
		for _, m := range logic.LinearOf(i).Terms {
			if m.Term == v && m.Coef.Cmp(big.NewRat(1, 1)) == 0 {
				return logic.Sub(i, v)
			}
		}
	default:
		sum := i
		if _, lo := i.Params(); i.Op() == logic.OpExtract && lo == 0 { // of numbers with more bits, so that none is lost
			sum = i.Args()[0]
		}
		for k, t := range sum.Args() {
			if sum.Op() == logic.OpBVAdd && low(t, v.Sort().Width()) == v {
				return low(sum.Args()[1-k], v.Sort().Width())
			}
		}
	}
	return nil
}

// low are the last bits of a word.
func low(t *logic.Term, width int) *logic.Term {
	for (t.Op() == logic.OpZeroExtend || t.Op() == logic.OpSignExtend) && t.Args()[0].Sort().Width() >= width {
		t = t.Args()[0]
	}
	return logic.Extract(t, width-1, 0)
}

// quantifiedText is (forall (...) f) as SMT-LIB has it, or f where no variable is universal.
func (p *Problem) quantifiedText(s Solution, pred int) string {
	text := s[pred].Format(logic.SMTLIB)
	if vars := p.universal(s, pred); len(vars) > 0 {
		text = "(forall (" + parameters(vars) + ") " + text + ")"
	}
	return text
}

// prenex reads formulas with forall above what has no quantifiers: its variables become free ones, whose names no others have.
// What is joined by "and" may share them.
type prenex struct {
	taken map[string]bool
}

// quantified is a part that let names and that has quantifiers, with the names that it sees.
type quantified struct {
	node  sexp.Node
	scope logic.Scope
	parts map[string]quantified
}

// universalName is what universal variables are called that are read.
const universalName = "k!"

// fresh is a variable of a sort that no other one at this place has; used counts those of each sort.
func (q *prenex) fresh(sort *logic.Sort, used map[*logic.Sort]int) *logic.Term {
	for {
		name := fmt.Sprintf("%s%d", universalName, used[sort])
		if sort != logic.Int {
			name += "!" + sort.String()
		}
		used[sort]++
		if !q.taken[name] {
			return logic.Var(name, sort)
		}
	}
}

func (q *prenex) read(n sexp.Node, scope logic.Scope, parts map[string]quantified, used map[*logic.Sort]int) (*logic.Term, error) {
	if part, ok := parts[n.Atom]; ok && isName(n) {
		return q.read(part.node, part.scope, part.parts, used)
	}
	if !mentionsAny(n, parts) && !hasQuantifier(n) {
		return logic.FromSexp(n, scope)
	}
	switch {
	case n.Head() == "forall" && len(n.List) == 3:
		inner := maps.Clone(scope)
		for _, v := range n.List[1].List {
			if len(v.List) != 2 || !isName(v.List[0]) {
				return nil, fmt.Errorf("a quantifier is not understood")
			}
			sort, err := scope.ParseSort(v.List[1].String())
			if err != nil {
				return nil, err
			}
			inner[v.List[0].Atom] = q.fresh(sort, used)
			if _, hidden := parts[v.List[0].Atom]; hidden {
				return nil, fmt.Errorf("a variable of a quantifier has the name of a part")
			}
		}
		return q.read(n.List[2], inner, parts, used)
	case n.Head() == "!" && len(n.List) > 1:
		return q.read(n.List[1], scope, parts, used)
	case n.Head() == "let" && len(n.List) == 3:
		return q.let(n, scope, parts, used)
	case n.Head() == "and" || n.Head() == "or" || n.Head() == "=>":
		return q.join(n, scope, parts, used)
	}
	return nil, fmt.Errorf("a quantifier of the solution is not above and, or and => alone")
}

// let names parts: those without quantifiers are terms.
func (q *prenex) let(n sexp.Node, scope logic.Scope, parts map[string]quantified, used map[*logic.Sort]int) (*logic.Term, error) {
	inner, named := maps.Clone(scope), maps.Clone(parts)
	for _, b := range n.List[1].List {
		if len(b.List) != 2 || !isName(b.List[0]) {
			return nil, fmt.Errorf("a let is not understood")
		}
		name := b.List[0].Atom
		delete(named, name)
		if hasQuantifier(b.List[1]) || mentionsAny(b.List[1], parts) {
			named[name] = quantified{b.List[1], scope, parts}
			continue
		}
		t, err := logic.FromSexp(b.List[1], scope)
		if err != nil {
			return nil, err
		}
		inner[name] = t
	}
	return q.read(n.List[2], inner, named, used)
}

// join reads the parts of a connective. Those of "and" begin with the same variables, and what an implication
// supposes has none.
func (q *prenex) join(n sexp.Node, scope logic.Scope, parts map[string]quantified, used map[*logic.Sort]int) (*logic.Term, error) {
	var fs []*logic.Term
	most := maps.Clone(used)
	for i, m := range n.List[1:] {
		if n.Head() == "=>" && i < len(n.List)-2 && (hasQuantifier(m) || mentionsAny(m, parts)) {
			return nil, fmt.Errorf("a premise of the solution has a quantifier")
		}
		own := used
		if n.Head() == "and" {
			own = maps.Clone(used)
		}
		f, err := q.read(m, scope, parts, own)
		if err != nil {
			return nil, err
		}
		for sort, k := range own {
			most[sort] = max(most[sort], k)
		}
		if f.Sort() != logic.Bool {
			return nil, fmt.Errorf("a part of the solution is not a formula")
		}
		if fs = append(fs, f); n.Head() == "=>" && i < len(n.List)-2 {
			fs[i] = logic.Not(f)
		}
	}
	maps.Copy(used, most)
	if n.Head() == "and" {
		return logic.And(fs...), nil
	}
	return logic.Or(fs...), nil
}

func mentionsAny(n sexp.Node, parts map[string]quantified) bool {
	if _, ok := parts[n.Atom]; ok && isName(n) {
		return true
	}
	return slices.ContainsFunc(n.List, func(m sexp.Node) bool { return mentionsAny(m, parts) })
}
