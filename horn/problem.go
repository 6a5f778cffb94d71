// Package horn is constrained Horn clauses over unknown predicates: problems, their
// solutions, the SMT-LIB text of both, and the check that a solution is one. It knows
// no solver.
//
// # Decisions
//
// horn does not import smt, so that solvers can: horn.Problem.Check is given the question that it asks of
// each clause.
package horn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
)

// Problem is a set of constrained Horn clauses.
type Problem struct {
	Preds   []Pred
	Clauses []Clause

	script   string    // as the text has it, if its predicates are those of the text
	folds    []*Fold   // that solutions may speak of
	records  *records  // of a text with datatypes: what its predicates were declared with
	generics *generics // of a text with parameters of sorts
}

// Script is the problem in SMT-LIB as a text had it that it was read from, if its predicates are the text's;
// else as String has it. Solvers depend much on how formulas are written.
func (p *Problem) Script() string {
	if p.script != "" {
		return p.script
	}
	return p.String()
}

// Pred is an unknown predicate. Params are distinct variables, in whose terms its
// solution is written; several predicates may share them.
type Pred struct {
	Name   string // "" for one that only programs see
	Params []*logic.Term
	Span   source.Span
}

// App is predicate number Pred applied to terms.
type App struct {
	Pred int
	Args []*logic.Term
}

// Clause says: for all values of the variables, Body and Constraint imply
// Head, or false where Head is nil.
type Clause struct {
	Name       string // for people; may be ""
	Body       []App
	Constraint *logic.Term
	Head       *App
	Span       source.Span
}

// Solution has a formula over Params for every predicate. It may speak of other variables, and is to hold for all values
// of these.
type Solution []*logic.Term

// Terms returns the constraint and all arguments of a clause.
func (c *Clause) Terms() []*logic.Term {
	all := []*logic.Term{c.Constraint}
	for _, a := range c.apps() {
		all = append(all, a.Args...)
	}
	return all
}

// Substitute puts terms into a clause.
func (c Clause) Substitute(by map[*logic.Term]*logic.Term) Clause {
	out := Clause{Name: c.Name, Span: c.Span, Constraint: logic.Substitute(c.Constraint, by)}
	for _, a := range c.Body {
		out.Body = append(out.Body, App{Pred: a.Pred, Args: logic.SubstituteAll(a.Args, by)})
	}
	if c.Head != nil {
		out.Head = &App{Pred: c.Head.Pred, Args: logic.SubstituteAll(c.Head.Args, by)}
	}
	return out
}

func (c *Clause) apps() []App {
	if c.Head == nil {
		return c.Body
	}
	return append(slices.Clone(c.Body), *c.Head)
}

// PredName is what a predicate is called in texts. No variable has the names that are made.
func (p *Problem) PredName(pred int) string {
	if n := p.Preds[pred].Name; n != "" {
		return n
	}
	return fmt.Sprintf("seltl!I%d", pred)
}

// clauseName is what a message calls a clause, counted from 0.
func (p *Problem) clauseName(clause int) string {
	if n := p.Clauses[clause].Name; n != "" {
		return n
	}
	return fmt.Sprint(clause)
}

// Validate reports the first inconsistency of a problem that was built by hand:
// names that cannot be told apart in a text, predicates and arguments that do not fit.
func (p *Problem) Validate() error {
	names := map[string]bool{}
	for i, d := range p.Preds {
		name := p.PredName(i)
		if names[name] || badName(name) {
			return fmt.Errorf("the predicate %q is declared twice, or has a name that no text can have", name)
		}
		names[name] = true
		seen := map[string]bool{}
		for _, v := range d.Params {
			if v.Op() != logic.OpVar || seen[v.Name()] || v.Sort().Kind() == logic.FunctionKind {
				return fmt.Errorf("parameter %s of %s is not a variable, used twice, or a function", v, name)
			}
			seen[v.Name()] = true
		}
	}
	for i := range p.Clauses {
		if err := p.validClause(i, names); err != nil {
			return fmt.Errorf("clause %s: %w", p.clauseName(i), err)
		}
	}
	return nil
}

func (p *Problem) validClause(i int, names map[string]bool) error {
	c := &p.Clauses[i]
	if c.Name != "" && badName(c.Name) {
		return fmt.Errorf("no text can have the name %q", c.Name)
	}
	if c.Constraint.Sort() != logic.Bool {
		return fmt.Errorf("%s is not a formula", c.Constraint)
	}
	for _, a := range c.apps() {
		if a.Pred < 0 || a.Pred >= len(p.Preds) {
			return fmt.Errorf("there is no predicate %d", a.Pred)
		}
		params := p.Preds[a.Pred].Params
		if len(a.Args) != len(params) {
			return fmt.Errorf("%s has %d parameters, not %d", p.PredName(a.Pred), len(params), len(a.Args))
		}
		for k, t := range a.Args {
			if t.Sort() != params[k].Sort() {
				return fmt.Errorf("parameter %d of %s has sort %s, not %s", k+1, p.PredName(a.Pred), params[k].Sort(), t.Sort())
			}
		}
	}
	sorts := map[string]*logic.Sort{}
	for _, v := range logic.Vars(c.Terms()...) {
		if first := sorts[v.Name()]; first != nil || names[v.Name()] || badName(v.Name()) {
			return fmt.Errorf("the variable %s has the name of another, or one that no text can have", v)
		}
		sorts[v.Name()] = v.Sort()
	}
	return nil
}

// badName reports that a name cannot be written and read again.
func badName(name string) bool {
	return name == "" || logic.Reserved(name) || strings.ContainsAny(name, "|\\")
}

// Unproved is the error of Check: a clause that the solution is not known to satisfy.
type Unproved struct {
	Clause int
	Name   string // of the clause, or its number
	Span   source.Span
	Why    error
}

func (e *Unproved) Error() string {
	return fmt.Sprintf("the solution's clause %s is not confirmed (%v)", e.Name, e.Why)
}

func (e *Unproved) Unwrap() error { return e.Why }

// Impossible is to return nil only if it is proved of each formula that no values make it true. Else
// it returns an error, and a formula for which there is no such proof.
type Impossible func(fs []*logic.Term) (which int, err error)

// Check asks, clause by clause, whether the solution is one. The error is an *Unproved with what
// impossible says, or that the solution does not fit the problem.
func (p *Problem) Check(s Solution, impossible Impossible) error {
	if len(s) != len(p.Preds) {
		return fmt.Errorf("%d formulas for %d predicates", len(s), len(p.Preds))
	}
	for i, f := range s {
		if f.Sort() != logic.Bool {
			return fmt.Errorf("the solution of %s is not a formula", p.PredName(i))
		}
		for _, v := range p.universal(s, i) {
			if v.Sort().Kind() == logic.FunctionKind {
				return fmt.Errorf("the solution of %s speaks of the function %s", p.PredName(i), v)
			}
		}
	}
	positive := notNegative(p.folds, impossible)
	all := make([]*logic.Term, len(p.Clauses))
	for i := range p.Clauses {
		fs, err := p.obligation(s, &p.Clauses[i])
		if err != nil {
			return p.unproved(i, err)
		}
		all[i] = logic.And(unfolded(p.folds, positive, fs)...)
	}
	if i, err := impossible(all); err != nil {
		return p.unproved(i, err)
	}
	return nil
}

func (p *Problem) unproved(clause int, why error) error {
	return &Unproved{Clause: clause, Name: p.clauseName(clause), Span: p.Clauses[clause].Span, Why: why}
}
