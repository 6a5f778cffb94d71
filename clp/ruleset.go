package clp

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
)

// RuleSet is a sequence of rules, one for each relation, and the goal ([Flanagan04], sec. 3).
type RuleSet struct {
	Relations []Relation
	Goal      int // number of the relation that is asked for; it has no parameters
	Warnings  source.List
}

// Relation is a relation symbol with the rule Name(Params) :- Body. Params are distinct
// variables; all other variables of Body belong to the rule alone, whatever their names.
// A nil Body is "or" of nothing: the relation is empty.
type Relation struct {
	Name   string
	Params []*logic.Term
	Body   *Formula
	Span   source.Span
}

// Op is the outermost operator of a Formula.
type Op uint8

const (
	OpConstraint Op = iota // a formula of package logic
	OpCall                 // an atom: a relation applied to terms
	OpAnd
	OpOr
)

// Formula is the body of a rule or a part of it: atoms stand in positive positions only.
type Formula struct {
	Op         Op
	Constraint *logic.Term   // of OpConstraint
	Relation   int           // of OpCall
	Args       []*logic.Term // of OpCall
	Parts      []*Formula    // of OpAnd and OpOr
	Span       source.Span
}

// Constraint, Call, And and Or make formulas. They do not simplify: which disjunct is
// taken is counted by what is written.
func Constraint(f *logic.Term) *Formula { return &Formula{Op: OpConstraint, Constraint: f} }

// Call applies relation number relation.
func Call(relation int, args ...*logic.Term) *Formula {
	return &Formula{Op: OpCall, Relation: relation, Args: args}
}

// And is the conjunction of formulas.
func And(parts ...*Formula) *Formula { return &Formula{Op: OpAnd, Parts: parts} }

// Or is the disjunction of formulas.
func Or(parts ...*Formula) *Formula { return &Formula{Op: OpOr, Parts: parts} }

// body returns the body, never nil.
func (r *Relation) body() *Formula {
	if r.Body == nil {
		return Or()
	}
	return r.Body
}

// Walk calls visit for f and its parts, from the outside in.
func (f *Formula) Walk(visit func(*Formula)) {
	visit(f)
	for _, p := range f.Parts {
		p.Walk(visit)
	}
}

// terms returns the constraints and arguments of a formula.
func (f *Formula) terms() (all []*logic.Term) {
	f.Walk(func(g *Formula) {
		if g.Op == OpConstraint {
			all = append(all, g.Constraint)
		}
		all = append(all, g.Args...)
	})
	return all
}

// Vars returns the variables of a rule, parameters included, sorted.
func (r *Relation) Vars() []*logic.Term { return logic.Vars(append(r.body().terms(), r.Params...)...) }

// Validate reports the first inconsistency of a rule set that was built by hand.
func (p *RuleSet) Validate() error {
	names := map[string]bool{}
	for _, r := range p.Relations {
		if r.Name == "" || names[r.Name] {
			return fmt.Errorf("the relation %q has no name, or the name of another", r.Name)
		}
		names[r.Name] = true
		seen := map[*logic.Term]bool{}
		for _, v := range r.Params {
			if v.Op() != logic.OpVar || seen[v] || v.Sort().Kind() == logic.FunctionKind {
				return fmt.Errorf("parameter %s of %s is not a variable, used twice, or a function", v, r.Name)
			}
			seen[v] = true
		}
		if err := p.validBody(r.body()); err != nil {
			return fmt.Errorf("the rule of %s: %w", r.Name, err)
		}
		byName := map[string]*logic.Term{}
		for _, v := range r.Vars() {
			if first := byName[v.Name()]; first != nil {
				return fmt.Errorf("the rule of %s has variables %s of sorts %s and %s", r.Name, v, first.Sort(), v.Sort())
			}
			byName[v.Name()] = v
		}
	}
	if p.Goal < 0 || p.Goal >= len(p.Relations) || len(p.Relations[p.Goal].Params) > 0 {
		return fmt.Errorf("the goal is to be a relation without parameters")
	}
	return nil
}

func (p *RuleSet) validBody(f *Formula) (err error) {
	f.Walk(func(g *Formula) {
		if err != nil {
			return
		}
		switch g.Op {
		case OpConstraint:
			if g.Constraint.Sort() != logic.Bool {
				err = fmt.Errorf("%s is not a formula", g.Constraint)
			}
		case OpCall:
			err = p.validCall(g)
		}
	})
	return err
}

func (p *RuleSet) validCall(g *Formula) error {
	if g.Relation < 0 || g.Relation >= len(p.Relations) {
		return fmt.Errorf("there is no relation %d", g.Relation)
	}
	r := &p.Relations[g.Relation]
	if len(g.Args) != len(r.Params) {
		return fmt.Errorf("%s has %d parameters, not %d", r.Name, len(r.Params), len(g.Args))
	}
	for k, t := range g.Args {
		if t.Sort() != r.Params[k].Sort() {
			return fmt.Errorf("parameter %d of %s has sort %s, not %s", k+1, r.Name, r.Params[k].Sort(), t.Sort())
		}
	}
	return nil
}

// Alternative is a body with a choice made for every disjunction of calls: a conjunction.
// Disjunctions inside constraints stay.
type Alternative struct {
	Constraint *logic.Term
	Calls      []*Formula // in the order in which they are written
}

// maxAlternatives bounds the alternatives of one rule.
const maxAlternatives = 20_000

// count returns how many alternatives a formula has, saturating above maxAlternatives.
func (f *Formula) count() int {
	switch f.Op {
	case OpAnd:
		n := 1
		for _, p := range f.Parts {
			n = min(n*p.count(), maxAlternatives+1)
		}
		return n
	case OpOr:
		n := 0
		for _, p := range f.Parts {
			n = min(n+p.count(), maxAlternatives+1)
		}
		return n
	}
	return 1
}

// Alternatives returns the alternatives of a formula: of a conjunction all combinations,
// the last part's changing fastest, of a disjunction those of one part after the other.
// nil, false if there are too many.
func (f *Formula) Alternatives() ([]Alternative, bool) {
	if f.count() > maxAlternatives {
		return nil, false
	}
	return f.alternatives(), true
}

func (f *Formula) alternatives() []Alternative {
	switch f.Op {
	case OpConstraint:
		return []Alternative{{Constraint: f.Constraint}}
	case OpCall:
		return []Alternative{{Constraint: logic.True(), Calls: []*Formula{f}}}
	case OpOr:
		var all []Alternative
		for _, p := range f.Parts {
			all = append(all, p.alternatives()...)
		}
		return all
	}
	all := []Alternative{{Constraint: logic.True()}}
	for _, p := range f.Parts {
		var next []Alternative
		others := p.alternatives()
		for _, a := range all {
			for _, b := range others {
				next = append(next, Alternative{logic.And(a.Constraint, b.Constraint), slices.Concat(a.Calls, b.Calls)})
			}
		}
		all = next
	}
	return all
}
