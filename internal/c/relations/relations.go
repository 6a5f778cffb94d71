package relations

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Relations are the clauses of a program, in both encodings: they have the same predicates
// and clauses. They have a solution if and only if the program cannot fail.
type Relations struct {
	Encoding       *encode.Encoding
	Words, Numbers *horn.Problem
	Kinds          []Kind     // of each predicate
	Modes          *clp.Modes // what routines are given, for both
	clauses        []clause
}

// Kind says what a predicate is about.
type Kind struct {
	Routine *ir.Func
	What    What
	Span    source.Span // of a place
}

// What is the sort of a predicate.
type What uint8

const (
	Place    What = iota // a place in a routine is reached
	Transfer             // a routine returns
	Error                // a routine fails
)

// clause is where one comes from.
type clause struct {
	path
	words, numbers []map[string]string // of each edge: what its inputs are called in the clause
}

// builder makes the clauses.
type builder struct {
	*Relations
	flow     *flow
	errors   map[int]bool
	transfer []int // predicates of the routines
	fail     []int // -1: it cannot fail
	places   map[int]int
	steady   []set // of each routine: inputs that nothing in it changes
}

// Of makes the clauses of an encoding, with failures of the program as errors, and with the
// ways out of what is modelled, if lost is set. Linear in the number of paths between cut
// points, which is at most that of edges, times their length.
// The error is that of the context, where it ends before.
func Of(ctx context.Context, enc *encode.Encoding, lost bool) (*Relations, error) {
	errors := map[int]bool{}
	for l := range enc.Failures {
		errors[l] = true
	}
	for l := range enc.Lost {
		errors[l] = lost
	}
	maps.DeleteFunc(errors, func(_ int, is bool) bool { return !is })
	b := &builder{Relations: &Relations{Encoding: enc, Words: &horn.Problem{}, Numbers: &horn.Problem{}, Modes: &clp.Modes{}}, flow: newFlow(ctx, enc, errors), errors: errors, places: map[int]int{}}
	if err := ctx.Err(); err != nil { // what is live is not known, then
		return nil, err
	}
	last := len(b.flow.routines) - 1
	for r := range b.flow.routines {
		b.steady = append(b.steady, b.unchanged(r))
		b.transfer, b.fail = append(b.transfer, -1), append(b.fail, -1)
		if r == last {
			continue
		}
		f := b.flow.routines[r].Func
		b.transfer[r] = b.predicate("T!"+f.Name, r, Kind{f, Transfer, f.Span}, func(sys *program.System) []*logic.Term {
			return append(renamed(sys, b.flow.inputs(r), ""), renamed(sys, b.flow.outputs(r), After)...)
		})
		if b.flow.fails[r] {
			b.fail[r] = b.predicate("E!"+f.Name, r, Kind{f, Error, f.Span}, func(sys *program.System) []*logic.Term { return renamed(sys, b.flow.inputs(r), "") })
		}
	}
	for r := range b.flow.routines {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		paths := b.flow.paths(r, errors)
		if r == last && !b.flow.fails[r] {
			continue
		}
		for _, p := range paths {
			if p.to >= 0 && p.to != b.flow.routines[r].End && !errors[p.to] {
				b.place(r, p.to)
			}
		}
		for _, p := range paths {
			b.add(r, p)
		}
	}
	return b.Relations, nil
}

// After and Before mark what a variable is when its routine returns, and when it began.
const After, Before = "!out", "!in"

// Stands is the variable of the program that a parameter of a predicate stands for, and
// when: "" now, or where there is no other time, Before or After.
func Stands(param string) (name, when string) {
	for _, mark := range []string{After, Before} {
		if name, ok := strings.CutSuffix(param, mark); ok {
			return name, mark
		}
	}
	return param, ""
}

func variable(sys *program.System, name string) *logic.Term {
	for _, v := range sys.Vars {
		if v.Name() == name {
			return v
		}
	}
	return nil
}

// renamed are variables under names with a mark, those that a system lacks left out: no
// system lacks one, since both are cut to the same.
func renamed(sys *program.System, names []string, mark string) (all []*logic.Term) {
	return lists.Append(nil, names, func(name string) *logic.Term { return logic.Var(name+mark, variable(sys, name).Sort()) })
}

func (b *builder) predicate(name string, r int, k Kind, params func(*program.System) []*logic.Term) int {
	for i := range b.Words.Preds {
		if b.Words.Preds[i].Name == name {
			name = fmt.Sprintf("%s!%d", name, len(b.Words.Preds))
		}
	}
	b.Kinds = append(b.Kinds, k)
	given := make([]int, len(b.flow.inputs(r)))
	for i := range given {
		given[i] = i // in all relations of a routine, inputs come first
	}
	if r == len(b.flow.routines)-1 {
		r, given = -1, nil // the entry routine is not called
	}
	b.Modes.Group, b.Modes.Given = append(b.Modes.Group, r), append(b.Modes.Given, given)
	b.Words.Preds = append(b.Words.Preds, horn.Pred{Name: name, Params: params(b.Encoding.Words), Span: k.Span})
	b.Numbers.Preds = append(b.Numbers.Preds, horn.Pred{Name: name, Params: params(b.Encoding.Numbers), Span: k.Span})
	return len(b.Kinds) - 1
}

// unchanged are the inputs of a routine that no edge of it changes, and nothing that it
// calls. The entry routine needs no inputs beside what variables are.
func (b *builder) unchanged(r int) set {
	out := set{}
	if r == len(b.flow.routines)-1 {
		return out
	}
	for _, name := range b.flow.inputs(r) {
		out[name] = true
	}
	for i, e := range b.Encoding.Words.Edges {
		if b.flow.of[e.From] != r {
			continue
		}
		for name := range b.flow.writes[i] {
			delete(out, name)
		}
		if g := b.Encoding.CallOf(i); g >= 0 {
			for name := range b.flow.changes[g] {
				delete(out, name)
			}
		}
	}
	return out
}

// parameters are those of a place: the inputs of its routine, and what matters there.
func (b *builder) parameters(r, l int) (inputs, now []string) {
	if r < len(b.flow.routines)-1 {
		inputs = b.flow.inputs(r)
	}
	for _, name := range slices.Sorted(maps.Keys(b.flow.live[l])) {
		if !b.steady[r][name] {
			now = append(now, name)
		}
	}
	return inputs, now
}

func (b *builder) mark(r int, name string) string {
	if b.steady[r][name] {
		return name
	}
	return name + Before
}

// place is the predicate of a location.
func (b *builder) place(r, l int) int {
	if p, known := b.places[l]; known {
		return p
	}
	span := b.Encoding.Words.Locations[l].Span
	b.places[l] = b.predicate("P!"+b.Encoding.Words.Locations[l].Name, r, Kind{b.flow.routines[r].Func, Place, span}, func(sys *program.System) (all []*logic.Term) {
		inputs, now := b.parameters(r, l)
		for _, name := range inputs {
			all = append(all, logic.Var(b.mark(r, name), variable(sys, name).Sort()))
		}
		return append(all, renamed(sys, now, "")...)
	})
	return b.places[l]
}

// add adds the clause of a path to both problems, unless it is impossible in both.
func (b *builder) add(r int, p path) {
	w, wc := b.clause(b.Encoding.Words, r, p)
	n, nc := b.clause(b.Encoding.Numbers, r, p)
	if wc.Constraint.IsFalse() && nc.Constraint.IsFalse() {
		return
	}
	b.Words.Clauses, b.Numbers.Clauses = append(b.Words.Clauses, wc), append(b.Numbers.Clauses, nc)
	b.clauses = append(b.clauses, clause{path: p, words: w, numbers: n})
}

// clause makes the clause of a path by doing its edges, one after the other, with terms.
func (b *builder) clause(sys *program.System, r int, p path) (inputs []map[string]string, c horn.Clause) {
	s := &symbolic{sys: sys, now: map[*logic.Term]*logic.Term{}}
	first := b.flow.routines[r].Begin
	entry := r == len(b.flow.routines)-1
	ins, _ := b.parameters(r, first)
	began := map[string]*logic.Term{}
	for _, name := range ins {
		began[name] = variable(sys, name)
		if p.from != first {
			began[name] = logic.Var(b.mark(r, name), variable(sys, name).Sort())
		}
	}
	switch {
	case p.from != first:
		at := b.place(r, p.from)
		c.Body = append(c.Body, horn.App{Pred: at, Args: b.problem(sys).Preds[at].Params})
	case entry:
		s.conjuncts = append(s.conjuncts, sys.Init[0].Where)
	default:
		for _, name := range ins {
			s.conjuncts = append(s.conjuncts, b.Encoding.Range(sys == b.Encoding.Words, name))
		}
	}
	for k, edge := range p.edges {
		e := &sys.Edges[edge]
		if e.Span.Valid() {
			c.Span = e.Span
		}
		inputs = append(inputs, s.do(e.Command))
		g := b.Encoding.CallOf(edge)
		if g < 0 {
			continue
		}
		args := s.values(renamed(sys, b.flow.inputs(g), ""))
		if p.fail && k == len(p.edges)-1 {
			c.Body = append(c.Body, horn.App{Pred: b.fail[g], Args: args})
			break
		}
		for _, name := range b.flow.outputs(g) {
			v := variable(sys, name)
			s.now[v] = s.fresh("after "+name, v.Sort())
			args = append(args, s.now[v])
		}
		c.Body = append(c.Body, horn.App{Pred: b.transfer[g], Args: args})
	}
	c.Constraint = logic.And(s.conjuncts...)
	b.head(sys, r, p, &c, s, ins, began)
	return inputs, c
}

// head is what a path leads to.
func (b *builder) head(sys *program.System, r int, p path, c *horn.Clause, s *symbolic, ins []string, began map[string]*logic.Term) {
	args := lists.Append(nil, ins, func(name string) *logic.Term { return began[name] })
	switch {
	case p.to == failed || b.errors[p.to]:
		if r < len(b.flow.routines)-1 {
			c.Head = &horn.App{Pred: b.fail[r], Args: args}
		}
	case p.to == b.flow.routines[r].End:
		c.Head = &horn.App{Pred: b.transfer[r], Args: append(args, s.values(renamed(sys, b.flow.outputs(r), ""))...)}
	default:
		_, now := b.parameters(r, p.to)
		c.Head = &horn.App{Pred: b.places[p.to], Args: append(args, s.values(renamed(sys, now, ""))...)}
	}
}

func (b *builder) problem(sys *program.System) *horn.Problem {
	if sys == b.Encoding.Words {
		return b.Words
	}
	return b.Numbers
}

// symbolic is what variables are after some edges, in terms of what they were.
type symbolic struct {
	sys       *program.System
	now       map[*logic.Term]*logic.Term
	conjuncts []*logic.Term
	made      int
}

func (s *symbolic) fresh(name string, sort *logic.Sort) *logic.Term {
	s.made++
	return logic.Var(fmt.Sprintf("%s#%d", name, s.made), sort)
}

func (s *symbolic) values(vars []*logic.Term) []*logic.Term { return logic.SubstituteAll(vars, s.now) }

// do does a command, and says what its inputs are called.
func (s *symbolic) do(c *program.Command) map[string]string {
	names, by := map[string]string{}, maps.Clone(s.now)
	for _, x := range c.Inputs {
		by[x] = s.fresh(x.Name(), x.Sort())
		names[x.Name()] = by[x].Name()
	}
	s.conjuncts = append(s.conjuncts, logic.Substitute(c.Guard, by))
	next := maps.Clone(s.now)
	for v, t := range c.Update {
		next[v] = logic.Substitute(t, by)
	}
	s.now = next
	return names
}

// Within says of the parameters of each predicate of Numbers that words can have their values.
func (r *Relations) Within() (all []*logic.Term) {
	for i := range r.Numbers.Preds {
		var fits []*logic.Term
		for _, v := range r.Numbers.Preds[i].Params {
			name, _ := Stands(v.Name())
			fits = append(fits, logic.Substitute(r.Encoding.Fits(name), map[*logic.Term]*logic.Term{variable(r.Encoding.Numbers, name): v}))
		}
		all = append(all, logic.And(fits...))
	}
	return all
}

// Lift reads a solution of Numbers as one of Words. It says which formulas it cannot read.
func (r *Relations) Lift(s horn.Solution) (out horn.Solution, err error) {
	for _, f := range s {
		t, err := r.Encoding.LiftNamed(f, func(param string) string {
			name, _ := Stands(param)
			return name
		})
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// Title says what a predicate is about, for people.
func (k Kind) Title() string {
	switch k.What {
	case Transfer:
		return k.Routine.Name + "() returns"
	case Error:
		return k.Routine.Name + "() fails"
	}
	return fmt.Sprintf("%s() is at line %d", k.Routine.Name, cmp.Or(k.Span.Pos().Line, k.Routine.Span.Pos().Line))
}
