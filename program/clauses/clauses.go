// Package clauses reads linear constrained Horn clauses as programs, and writes programs
// as such clauses.
//
// A predicate is a location, its arguments are values of variables, and a clause is an
// edge, or a region where it needs no value beside those: of the initial states if it has
// no premise, of the error states if its conclusion is false. The clauses have a solution
// (sat) if and only if no error state is reachable; the invariants of a proof are one.
//
// # Decisions
//
// Clauses become commands (program/clauses): where tools write x1 = x + 1 beside a predicate, a command
// assigns. So variables that an equality determines are eliminated, and only the others are inputs.
// Predicates share variables by sort and position: what one predicate lacks keeps its value there, which no
// clause sees.
package clauses

import (
	"fmt"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// ParseText is Parse of a text; name is what messages call it.
func ParseText(name, text string) (*program.System, error) {
	return Parse(source.NewFile(name, text))
}

// Parse reads a system from an SMT-LIB script of the logic HORN. The error is a
// source.List (program.Diagnostics).
func Parse(src *source.File) (*program.System, error) {
	p, err := horn.Parse(src)
	if err != nil {
		return nil, err
	}
	if len(p.Clauses) == 0 { // every problem without clauses has a solution, but nobody asks for it
		var errs source.List
		errs.Errorf(src.Span(0, 0), "no-clause", "there are no clauses").Help = "write for example: (assert (forall ((x Int)) (=> (= x 0) (P x))))"
		return nil, errs.Err()
	}
	sys, err := System(p)
	if err != nil {
		return nil, err
	}
	sys.Name = src.Name()
	if len(sys.Error) == 0 {
		sys.Warnings.Warnf(src.Span(0, 0), "no-error", "no clause concludes false: every such problem has a solution")
	}
	return sys, nil
}

// System makes a system of a problem; p.Validate is to return nil. Predicates share
// variables: the first argument of sort Int is the same variable everywhere, and so on.
// What a predicate has no argument for keeps its value and means nothing there.
// Locations have the numbers of the predicates; beyond them there may be one before all
// and one of errors.
//
// The error is a source.List, and names clauses with several predicates in the premise.
func System(p *horn.Problem) (*program.System, error) {
	r := &reader{problem: p, system: &program.System{}, places: map[string]bool{}, start: -1, failed: -1}
	for i := range p.Clauses {
		r.refuse(&p.Clauses[i])
	}
	if r.errs.HasErrors() {
		return nil, r.errs.Err()
	}
	r.declare()
	for i := range p.Clauses {
		r.clause(i)
	}
	if len(r.system.Locations) == 0 {
		r.begin()
	}
	return r.system, nil
}

type reader struct {
	problem *horn.Problem
	system  *program.System
	slots   [][]*logic.Term // by predicate: the variable of each argument
	places  map[string]bool // names of the locations
	start   int             // the location before all, or -1
	failed  int             // the location of errors, or -1
	errs    source.List
}

// refuse reports what programs cannot say.
func (r *reader) refuse(c *horn.Clause) {
	if len(c.Body) > 1 && len(r.errs) < 50 {
		r.errs.Errorf(c.Span, "non-linear", "the clause has %d predicates in its premise: it is not linear", len(c.Body)).Help =
			"systems of transitions have at most one predicate in the premise of a clause"
	}
}

// declare makes locations and variables.
func (r *reader) declare() {
	type slot struct {
		sort *logic.Sort
		nth  int
	}
	hints := r.hints()
	vars := map[slot]*logic.Term{}
	names := map[string]bool{}
	for _, p := range r.problem.Preds {
		r.places[p.Name] = true
	}
	for i, p := range r.problem.Preds {
		if p.Name == "" {
			p.Name = logic.UnusedName(r.places, fmt.Sprintf("P%d", i))
		}
		r.system.Locations = append(r.system.Locations, program.Location{Name: p.Name, Span: p.Span})
		count := map[*logic.Sort]int{}
		slots := make([]*logic.Term, len(p.Params))
		for k, param := range p.Params {
			s := slot{param.Sort(), count[param.Sort()]}
			count[param.Sort()]++
			if vars[s] == nil {
				vars[s] = logic.Var(logic.UnusedName(names, hints[[2]int{i, k}]), s.sort)
				r.system.Vars = append(r.system.Vars, vars[s])
			}
			slots[k] = vars[s]
		}
		r.slots = append(r.slots, slots)
	}
}

// hints finds names for arguments of predicates: those of the variables that first stand
// there alone in a clause.
func (r *reader) hints() map[[2]int]string {
	hints := map[[2]int]string{}
	note := func(a horn.App) {
		for k, t := range a.Args {
			if at := [2]int{a.Pred, k}; hints[at] == "" && t.Op() == logic.OpVar {
				hints[at] = logic.PlainName(t.Name())
			}
		}
	}
	for _, c := range r.problem.Clauses {
		for _, a := range c.Body {
			note(a)
		}
	}
	for _, c := range r.problem.Clauses {
		if c.Head != nil {
			note(*c.Head)
		}
	}
	return hints
}

func (r *reader) location(name string) int {
	r.system.Locations = append(r.system.Locations, program.Location{Name: logic.UnusedName(r.places, name)})
	return len(r.system.Locations) - 1
}

// begin returns the location before all.
func (r *reader) begin() int {
	if r.start < 0 {
		r.start = r.location("start")
		r.system.Init = append(r.system.Init, program.Region{Location: r.start, Where: logic.True()})
	}
	return r.start
}

// fail returns the location of errors.
func (r *reader) fail() int {
	if r.failed < 0 {
		r.failed = r.location("error")
		r.system.Error = append(r.system.Error, program.Region{Location: r.failed, Where: logic.True()})
	}
	return r.failed
}

// clause makes a region or an edge of a clause.
func (r *reader) clause(i int) {
	c := &r.problem.Clauses[i]
	switch {
	case len(c.Body) == 1 && c.Head == nil:
		s := r.state(c, c.Body[0])
		where, by := s.solve()
		if len(s.left(where)) == 0 {
			r.system.Error = append(r.system.Error, program.Region{Location: c.Body[0].Pred, Where: logic.And(where...), Name: c.Name, Span: c.Span})
			return
		}
		r.edge(i, c.Body[0].Pred, r.fail(), s, where, by)
	case len(c.Body) == 1:
		s := r.state(c, c.Body[0])
		where, by := s.solve()
		r.edge(i, c.Body[0].Pred, c.Head.Pred, s, where, by)
	case c.Head != nil:
		s := r.state(c, *c.Head)
		if where, _ := s.solve(); len(s.left(where)) == 0 {
			r.system.Init = append(r.system.Init, program.Region{Location: c.Head.Pred, Where: logic.And(where...), Name: c.Name, Span: c.Span})
			return
		}
		s = r.state(c, horn.App{})
		where, by := s.solve()
		r.edge(i, r.begin(), c.Head.Pred, s, where, by)
	default:
		s := r.state(c, horn.App{})
		where, by := s.solve()
		r.edge(i, r.begin(), r.fail(), s, where, by)
	}
}

// edge adds the edge of clause i, with the clause's variables as s.solve says.
func (r *reader) edge(i, from, to int, s *state, where []*logic.Term, by map[*logic.Term]*logic.Term) {
	c := &r.problem.Clauses[i]
	command := &program.Command{Guard: logic.And(where...), Update: map[*logic.Term]*logic.Term{}}
	used := []*logic.Term{command.Guard}
	if c.Head != nil {
		args := logic.SubstituteAll(logic.SubstituteAll(c.Head.Args, s.names), by)
		for k, v := range r.slots[to] {
			if args[k] != v {
				command.Update[v] = args[k]
				used = append(used, args[k])
			}
		}
	}
	command.Inputs = s.left(used)
	name := c.Name
	if name == "" {
		name = fmt.Sprintf("clause%d", i+1)
	}
	r.system.Edges = append(r.system.Edges, program.Edge{Name: name, From: from, To: to, Command: command, Span: c.Span})
}
