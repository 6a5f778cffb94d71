package lasso

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Lasso is a component's part in a lasso. The loop head is where the stem ends.
type Lasso struct {
	Vars []*logic.Term // all program variables
	Init *logic.Term
	Stem []*program.Command
	Loop []*program.Command // none: the component stays at the head
	// Where has formulas over Vars that hold besides: Where[p] before command p of Stem
	// and then Loop, so that Where[len(Stem)] is of the head. It may be shorter, and nil
	// says nothing. What the question observes belongs here, since what nothing here
	// depends on may be anything in an execution that is said to go on for ever.
	Where []*logic.Term
}

// Options of the questions. The zero value is useful.
type Options struct {
	// Rounds is how often the loop is unrolled at most; 0: 4.
	Rounds int
	// Questions bounds how often one call asks the solver; 0: 300. A question without an answer
	// counts for many. What one costs is bounded by the solver's own limit; EnoughWork is a good
	// one, since most attempts that take longer fail.
	Questions int
}

// EnoughWork is a limit for each question, in the units of smt.Checker's Limit.
const EnoughWork = 1_000_000

func (o Options) rounds() int {
	if o.Rounds == 0 {
		return 4
	}
	return o.Rounds
}

// where returns what holds at a position besides.
func (l *Lasso) where(position int) *logic.Term {
	if position < len(l.Where) && l.Where[position] != nil {
		return l.Where[position]
	}
	return logic.True()
}

// Head returns what Where says of the loop head.
func (l *Lasso) Head() *logic.Term { return l.where(len(l.Stem)) }

// step returns the command at a position with what holds there in its guard.
func (l *Lasso) step(position int) *program.Command {
	c := &program.Command{}
	if n := len(l.Stem); position < n {
		c = l.Stem[position]
	} else {
		c = l.Loop[position-n]
	}
	return &program.Command{Inputs: c.Inputs, Guard: logic.And(l.where(position), c.Guard), Update: c.Update}
}

// loop returns the commands of the loop with what holds at their positions.
func (l *Lasso) loop() (steps []*program.Command) {
	for i := range l.Loop {
		steps = append(steps, l.step(len(l.Stem)+i))
	}
	return steps
}

// Relation returns one round of the loop as one command from head to head, with what Where
// says on the way, but not of the head behind it.
func (l *Lasso) Relation() *program.Command {
	if len(l.Loop) == 0 {
		return &program.Command{Guard: l.Head()}
	}
	return program.Join(l.loop()...)
}

// Path returns the stem and so many rounds of the loop as a path, whose guards have what
// Where says. Position p of the path is position p of Where, counted round and round.
func (l *Lasso) Path(rounds int) *program.Path {
	p := &program.Path{Vars: l.Vars, Init: l.Init, Error: l.Head()}
	for i := range l.Stem {
		p.Steps = append(p.Steps, l.step(i))
	}
	for range rounds {
		p.Steps = append(p.Steps, l.loop()...)
	}
	return p
}

// heads returns the states at the loop head of an execution along Path.
func (l *Lasso) heads(run *program.Execution) (states []logic.Model) {
	for i := len(l.Stem); i < len(run.States); i += max(1, len(l.Loop)) {
		states = append(states, run.States[i])
	}
	return states
}

// Unrolling says whether the stem and some rounds of the loop can be run.
type Unrolling struct {
	Rounds int
	Path   *program.Path // as Lasso.Path has it
	// Status is Unsat where the path cannot be run (and, of fewer rounds, every one can, or
	// the solver did not say that it cannot); Sat with a Run; Unknown with a Reason.
	Status smt.Status
	Run    *program.Execution // replayed by evaluation
	Reason string
}

// Unroll asks whether the stem and Options.Rounds rounds can be run ([Chaki05], Procedure
// 8.1, with a bound). If not, it returns the shortest unrolling that cannot.
func Unroll(ctx context.Context, s smt.Checker, l *Lasso, o Options) (*Unrolling, error) {
	return newAsker(ctx, s, o).unroll(l, 0, o.rounds())
}

// unroll is Unroll where the first rounds are known to be possible.
func (q *asker) unroll(l *Lasso, first, rounds int) (*Unrolling, error) {
	most, err := q.feasible(l, rounds)
	if err != nil || most.Status != smt.Unsat {
		return most, err
	}
	// Fewer rounds are possible if more are.
	for least := most; first < least.Rounds; {
		u, err := q.feasible(l, (first+least.Rounds)/2)
		switch {
		case err != nil:
			return nil, err
		case u.Status == smt.Unsat:
			least, most = u, u
		default:
			first = u.Rounds + 1
		}
	}
	return most, nil
}

func (q *asker) feasible(l *Lasso, rounds int) (*Unrolling, error) {
	u := &Unrolling{Rounds: rounds, Path: l.Path(rounds)}
	unrolled := u.Path.Unroll()
	status, m, err := q.model(nil, unrolled.Conditions...)
	switch u.Status = status; status {
	case smt.Unknown:
		u.Reason = q.reason()
	case smt.Sat:
		var wrong error
		if u.Run, wrong = unrolled.Run(m); wrong != nil {
			u.Status, u.Reason = smt.Unknown, wrong.Error()
		}
	}
	return u, err
}

// holdsIn reports that a formula is true in a model, by evaluation.
func holdsIn(f *logic.Term, m logic.Model) bool {
	ok, err := logic.Holds(f, m)
	return err == nil && ok
}

// Validate reports the first inconsistency of a lasso that was built by hand.
func (l *Lasso) Validate() error {
	if n := len(l.Stem) + max(1, len(l.Loop)); len(l.Where) > n {
		return fmt.Errorf("formulas for %d positions of %d", len(l.Where), n)
	}
	sys := &program.System{Vars: l.Vars, Locations: []program.Location{{}}, Init: []program.Region{{Where: l.Init}}}
	for i := range len(l.Stem) + len(l.Loop) {
		sys.Init = append(sys.Init, program.Region{Where: l.where(i)})
		sys.Edges = append(sys.Edges, program.Edge{Name: fmt.Sprint(i), Command: l.step(i)})
	}
	return sys.Validate()
}
