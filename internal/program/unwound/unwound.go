// Package unwound proves that no run of a system comes to an error by going through all its runs at once,
// until all have ended.
//
// A symbolic state is a condition and a value of each variable: terms over the variables at the start, the
// inputs of each step, and choices. All that waits at a location is merged into one such state before the
// location is visited; a visit records under which condition an error is met, and sends a successor along each
// edge. Loops are unwound as in bounded model checking [Biere99], as often as their guards do not fold to false,
// and paths come together again at every location, so that there is one state per visit and not one per path.
// At the end one question is left: can what was recorded be true?
//
// # Decisions
//
// Nothing here says which visit comes next but the weak topological order [Bourdoncle93], and no proof rests on
// it. What a proof rests on is that what waits is exclusive: values of all symbols make one condition true at most,
// as a run is at one place at a time. What a run is free to choose (where to begin, which of several edges to
// take) is therefore a symbol, too, unless the formulas exclude each other anyway. Merged values would otherwise
// be those of one branch only where both are possible.
package unwound

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

const (
	mostVisits   = 20_000        // a proof has some hundred as a rule
	feasibleWork = 100_000       // of a question whether a loop goes on, early: no answer costs some rounds more
	ofWords      = 20            // times as much is done in a second where there are machine words
	roundsAtOnce = 8             // after which a question may take that much more
	finalWork    = 4_000_000_000 // of the last question, if the caller does not bound it
)

// Possible is the error of Prove where a run comes to an error.
type Possible struct {
	Location string
	Model    logic.Model // values of the variables at the start, by their names, and of other symbols
}

func (e *Possible) Error() string { return fmt.Sprintf("a run comes to an error at %s", e.Location) }

// Prove returns nil if no run of sys comes to an error state. It uses the checker alone and leaves assertions
// in it. work bounds the last question, in the checker's units; 0: so that it may take minutes. tick is told the
// number of visits before each; its error ends the proof, as that of ctx does. Other errors
// are *Possible if a run comes to an error, *outcome.Stuck if there are too many visits or the last question is
// not decided, and what Validate says of sys or the checker of itself.
//
// A visit takes time linear in the commands that leave the location and, for each state that is merged, in the
// number of variables. There are as many visits as the loops make: for ever, if runs do not end.
func Prove(ctx context.Context, sys *program.System, checker smt.Checker, work uint64, tick func(visits int) error) error {
	if err := sys.Validate(); err != nil {
		return err
	}
	u := newUnwinding(sys, checker)
	u.begin()
	for visits := 0; u.next < len(u.order); {
		l := u.order[u.next]
		p := &u.places[l]
		if len(p.waiting) == 0 {
			u.next++
			continue
		}
		if visits++; visits > mostVisits {
			return &outcome.Stuck{What: fmt.Sprintf("the runs have not ended after %d visits of locations", mostVisits)}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := tick(visits); err != nil {
			return err
		}
		s := u.merge(p.waiting)
		p.waiting = nil
		if p.due() {
			possible, err := u.possible(ctx, logic.And(s.condition...), u.feasible*uint64(1+p.visits/roundsAtOnce))
			if err != nil {
				return err
			}
			if !possible {
				p.visits, p.ask = 1, 1
				continue
			}
			p.later()
		}
		p.visits++
		u.visit(l, s)
	}
	return u.conclude(ctx, cmp.Or(work, finalWork))
}

// unwinding is a call of Prove.
type unwinding struct {
	symbols
	sys      *program.System
	checker  smt.Checker
	places   []place              // by location
	order    []int                // of the locations that matter
	next     int                  // index into order: nothing waits before it
	given    *logic.Term          // holds at the start of every run
	asked    map[*logic.Term]bool // formulas that the solver has not refuted
	failed   []failure
	feasible uint64 // bounds the first questions about a loop
}

// place is what is known of a location.
type place struct {
	matters  bool // a path leads to an error
	position int  // in the order
	head     bool // of a loop
	edges    []program.Edge
	kinds    []int // of the edges, see kinds
	errors   []*logic.Term
	reads    []int // indices of the variables that edges and errors mention
	waiting  []state
	visits   int // of the loop, since runs left it
	ask      int // at so many visits
}

// failure says that runs come to an error.
type failure struct {
	location int
	when     *logic.Term
}

func newUnwinding(sys *program.System, checker smt.Checker) *unwinding {
	u := &unwinding{symbols: newSymbols(sys.Vars), sys: sys, checker: checker, places: make([]place, len(sys.Locations)), given: logic.True(), asked: map[*logic.Term]bool{}, feasible: feasibleWork}
	if slices.ContainsFunc(sys.Vars, func(v *logic.Term) bool { return v.Sort().Kind() == logic.BitVecKind }) {
		u.feasible *= ofWords
	}
	u.mark()
	out := make([][]int, len(u.places))
	terms := make([][]*logic.Term, len(u.places)) // that a visit substitutes in
	for _, r := range sys.Error {
		p := &u.places[r.Location]
		p.errors = append(p.errors, r.Where)
		terms[r.Location] = append(terms[r.Location], r.Where)
	}
	for _, e := range sys.Edges {
		if !u.places[e.To].matters {
			continue
		}
		u.places[e.From].edges = append(u.places[e.From].edges, e)
		out[e.From] = append(out[e.From], e.To)
		terms[e.From] = append(terms[e.From], e.Command.Guard)
		for _, t := range e.Command.Update {
			terms[e.From] = append(terms[e.From], t)
		}
	}
	index := map[*logic.Term]int{}
	for i, v := range sys.Vars {
		index[v] = i
	}
	for l := range u.places {
		p := &u.places[l]
		guards := make([]*logic.Term, len(p.edges))
		for i, e := range p.edges {
			guards[i] = e.Command.Guard
		}
		p.kinds = kinds(guards)
		for _, v := range logic.Vars(terms[l]...) {
			if i, ok := index[v]; ok { // no input
				p.reads = append(p.reads, i)
			}
		}
	}
	var roots []int
	for _, r := range sys.Init {
		if u.places[r.Location].matters {
			roots = append(roots, r.Location)
		}
	}
	u.arrange(scc.WeakOrder(out, roots), false)
	return u
}

// mark finds the locations that matter: runs that leave them meet no error any more.
func (u *unwinding) mark() {
	from := make([][]int, len(u.places))
	for _, e := range u.sys.Edges {
		from[e.To] = append(from[e.To], e.From)
	}
	var todo []int
	for _, r := range u.sys.Error {
		if r.Where.IsFalse() {
			continue
		}
		todo = append(todo, r.Location)
	}
	for len(todo) > 0 {
		l := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !u.places[l].matters {
			u.places[l].matters = true
			todo = append(todo, from[l]...)
		}
	}
}

// arrange makes the order linear: heads, bodies, what follows.
func (u *unwinding) arrange(elements []scc.Element, heads bool) {
	for _, e := range elements {
		p := &u.places[e.Node]
		p.position, p.head = len(u.order), heads || e.Component
		u.order = append(u.order, e.Node)
		u.arrange(e.Body, e.Flat)
	}
}

// due reports whether it is time to ask if runs come to the head of a loop once more.
func (p *place) due() bool { return p.head && p.visits > 0 && p.visits >= p.ask }

// later puts off the next question: the longer a loop goes on the more.
func (p *place) later() { p.ask = p.visits + max(1, p.visits/2) }

// begin sends what runs begin with: a region of those that matter.
func (u *unwinding) begin() {
	var regions []program.Region
	var where []*logic.Term
	for _, r := range u.sys.Init {
		if u.places[r.Location].matters {
			regions, where = append(regions, r), append(where, r.Where)
		}
	}
	for i, choice := range u.choices(kinds(where)) {
		by := constants(where[i])
		if len(regions) == 1 { // every run begins so
			u.given = where[i]
			u.send(regions[i].Location, state{nil, logic.SubstituteAll(u.sys.Vars, by)})
			return
		}
		// What the constants are stays a conjunct, too, for models.
		if condition, possible := assume(choice, where[i], logic.Substitute(where[i], by)); possible {
			u.send(regions[i].Location, state{condition, logic.SubstituteAll(u.sys.Vars, by)})
		}
	}
}

// constants returns the variables that have to be constants where a formula holds. Guards fold by these.
func constants(where *logic.Term) map[*logic.Term]*logic.Term {
	by := map[*logic.Term]*logic.Term{}
	for known := -1; known < len(by); {
		known = len(by)
		for _, p := range logic.Conjuncts(logic.Substitute(where, by)) {
			switch x := p; {
			case x.Op() == logic.OpVar:
				by[x] = logic.True()
			case x.Op() == logic.OpNot && x.Args()[0].Op() == logic.OpVar:
				by[x.Args()[0]] = logic.False()
			case x.Op() == logic.OpEq:
				a, b := x.Args()[0], x.Args()[1]
				if a.Op() != logic.OpVar {
					a, b = b, a
				}
				if a.Op() == logic.OpVar && len(logic.Vars(b)) == 0 {
					by[a] = b
				}
			}
		}
	}
	return by
}

// send lets a state wait at a location.
func (u *unwinding) send(to int, s state) {
	p := &u.places[to]
	p.waiting = append(p.waiting, s)
	u.next = min(u.next, p.position)
}

// visit records errors, and sends successors. A run takes one of the edges, and chooses the inputs of that
// edge only: edges may share the symbols for inputs of one name.
func (u *unwinding) visit(l int, s state) {
	p := &u.places[l]
	if len(s.condition) > mostConjuncts {
		s.condition = []*logic.Term{u.named(logic.And(s.condition...))}
	}
	by := map[*logic.Term]*logic.Term{}
	for _, i := range p.reads {
		by[u.sys.Vars[i]] = s.values[i]
	}
	for _, where := range p.errors {
		if when, possible := assume(s.condition, logic.Substitute(where, by)); possible {
			prefix := u.named(logic.And(s.condition...)) // shared
			u.failed = append(u.failed, failure{l, logic.And(append(when[len(s.condition):], prefix)...)})
		}
	}
	var open []program.Edge // that may be taken
	var guards []*logic.Term
	var of []int
	for i, e := range p.edges {
		for _, in := range e.Command.Inputs {
			if by[in] == nil {
				by[in] = u.fresh(in.Name(), in.Sort())
			}
		}
		guard := logic.Substitute(e.Command.Guard, by)
		if _, possible := assume(s.condition, guard); possible {
			open, guards, of = append(open, e), append(guards, guard), append(of, p.kinds[i])
		}
	}
	for i, choice := range u.choices(of) {
		condition, _ := assume(s.condition, guards[i], logic.And(choice...))
		u.send(open[i].To, state{condition, u.after(open[i].Command, s.values, by)})
	}
}

// after returns the values after an update.
func (u *unwinding) after(c *program.Command, values []*logic.Term, by map[*logic.Term]*logic.Term) []*logic.Term {
	if len(c.Update) == 0 {
		return values
	}
	values = slices.Clone(values)
	for i, v := range u.sys.Vars {
		if t := c.Update[v]; t != nil {
			if values[i] = logic.Substitute(t, by); v.Sort() == logic.Bool {
				values[i] = u.named(values[i])
			}
		}
	}
	return values
}

// conclude asks whether a run comes to an error.
func (u *unwinding) conclude(ctx context.Context, work uint64) error {
	if len(u.failed) == 0 {
		return nil
	}
	when := make([]*logic.Term, len(u.failed))
	for i, f := range u.failed {
		when[i] = f.when
	}
	status, err := u.ask(ctx, work, when...)
	if err != nil || status == smt.Unsat {
		return err
	}
	if status == smt.Sat {
		m, err := u.checker.Model(ctx)
		if err != nil {
			return err
		}
		if f := u.which(m); f != nil {
			return &Possible{u.sys.Locations[f.location].Name, m}
		}
	}
	return &outcome.Stuck{What: "whether a run comes to an error is not decided: " + u.checker.Reason()}
}

// which returns a failure that happens in a model, nil if none does or the model is none. Symbols that dropped
// out of the question are free: they get a value.
func (u *unwinding) which(m logic.Model) *failure {
	if m == nil {
		return nil
	}
	for i, f := range u.failed {
		for _, v := range logic.Vars(f.when) {
			if _, ok := m[v.Name()]; !ok {
				m[v.Name()] = logic.Zero(v.Sort())
			}
		}
		if holds, err := logic.Holds(f.when, m); err == nil && holds {
			return &u.failed[i]
		}
	}
	return nil
}

// possible reports whether a formula may be true.
func (u *unwinding) possible(ctx context.Context, f *logic.Term, work uint64) (bool, error) {
	if f.IsTrue() || u.asked[f] {
		return true, nil
	}
	status, err := u.ask(ctx, work, f)
	u.asked[f] = status != smt.Unsat
	return u.asked[f], err
}

// ask asks whether one of some formulas can be true. No scope is opened and nothing assumed: only then does
// the solver preprocess all it is able to.
func (u *unwinding) ask(ctx context.Context, work uint64, fs ...*logic.Term) (smt.Status, error) {
	u.checker.Reset()
	u.checker.Limit(work)
	for _, name := range u.mentioned(fs) {
		u.checker.Assert(logic.Eq(name, u.means[name]))
	}
	u.checker.Assert(u.given)
	u.checker.Assert(logic.Or(fs...))
	return u.checker.Check(ctx)
}
