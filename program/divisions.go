package program

import (
	"maps"
	"math/big"
	"slices"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
)

// divisionName is the region of states after a division by zero.
const divisionName = "division by zero"

// WithDivisions returns the system with divisions of integers and reals by zero as errors: a
// command whose evaluation meets one leads to a location of its own instead, and so does an
// initial or error condition. Evaluation is that of logic.Eval: an operand that decides a
// conjunction, a disjunction or a choice keeps the others from counting. No step of the
// result divides by zero. Edges and regions are as before, new ones behind them; the size is
// linear in that of the system but for flattened junctions.
func (s *System) WithDivisions() *System {
	out := *s
	out.Checked = true
	out.Locations = slices.Clone(s.Locations)
	d := divisions{}
	at := len(out.Locations)
	name := divisionName
	for s.Location(name) >= 0 {
		name += "'"
	}
	regions := func(all []Region, enter func(r Region, bad *logic.Term)) []Region {
		all = slices.Clone(all)
		for i, r := range all {
			if bad := d.of(r.Where); !bad.IsFalse() {
				all[i].Where = logic.And(logic.Not(bad), r.Where)
				enter(r, bad)
			}
		}
		return all
	}
	var init []Region
	var edges []Edge
	out.Init = regions(s.Init, func(r Region, bad *logic.Term) {
		init = append(init, Region{Location: at, Where: bad, Name: r.Name, Span: r.Span})
	})
	out.Edges = slices.Clone(s.Edges)
	for i, e := range out.Edges {
		if bad := d.command(e.Command); !bad.IsFalse() {
			safe := *e.Command
			safe.Guard = logic.And(logic.Not(bad), safe.Guard)
			out.Edges[i].Command = &safe
			edges = append(edges, Edge{Name: e.Name, From: e.From, To: at, Command: guarded(bad, e.Command.Inputs), Span: e.Span})
		}
	}
	out.Error = regions(s.Error, func(r Region, bad *logic.Term) {
		edges = append(edges, Edge{Name: edgeName(r.Name), From: r.Location, To: at, Command: guarded(bad, nil), Span: r.Span})
	})
	if len(init)+len(edges) > 0 {
		out.Locations = append(out.Locations, Location{Name: name})
		out.Init, out.Edges = append(out.Init, init...), append(out.Edges, edges...)
		out.Error = append(out.Error, Region{Location: at, Where: logic.True(), Name: divisionName})
	}
	return &out
}

// edgeName is the name of the edge out of an error condition.
func edgeName(region string) string {
	if region == "" {
		return "error"
	}
	return region
}

// guarded is a command that changes nothing, with those inputs that its guard has.
func guarded(guard *logic.Term, inputs []*logic.Term) *Command {
	vars := logic.Vars(guard)
	kept := slices.DeleteFunc(slices.Clone(inputs), func(in *logic.Term) bool { return !slices.Contains(vars, in) })
	return &Command{Inputs: kept, Guard: guard, Update: map[*logic.Term]*logic.Term{}}
}

// DivisionAt says, of a run of WithDivisions that ends with a division by zero, where the
// text divides and which divisors are 0 there; ok is false for other runs.
func (t *Trace) DivisionAt(sys *System) (at source.Span, divisors []*logic.Term, ok bool) {
	last := len(t.Edges)
	end := t.Location(sys, last)
	if !slices.ContainsFunc(sys.Error, func(r Region) bool { return r.Location == end && r.Name == divisionName }) {
		return at, nil, false
	}
	values := maps.Clone(t.States[last])
	var texts []*logic.Term // what was evaluated there
	if last == 0 {
		for _, r := range sys.Init {
			if holds, err := logic.Holds(r.Where, values); r.Location == end && holds && err == nil {
				at = r.Span
				break
			}
		}
		texts = conditionsAt(sys.Init, at)
	} else {
		e := &sys.Edges[t.Edges[last-1]]
		at = e.Span
		maps.Copy(values, t.Inputs[last-1])
		texts = conditionsAt(sys.Error, at)
		for i := range sys.Edges {
			if o := &sys.Edges[i]; o.From == e.From && o.Name == e.Name && o.Span == at {
				texts = append(texts, logic.Conjuncts(o.Command.Guard)...)
				for _, v := range slices.SortedFunc(maps.Keys(o.Command.Update), (*logic.Term).Compare) {
					texts = append(texts, o.Command.Update[v])
				}
			}
		}
	}
	d := divisions{}
	for _, u := range texts {
		d.causes(u, values, func(by *logic.Term) {
			if !slices.Contains(divisors, by) {
				divisors = append(divisors, by)
			}
		})
	}
	return at, divisors, true
}

// causes tells the divisors that are 0 where that leaves a term without a value.
func (d divisions) causes(t *logic.Term, values logic.Model, tell func(*logic.Term)) {
	if bad, err := logic.Holds(d.of(t), values); !bad || err != nil {
		return
	}
	args := t.Args()
	if divides(t) {
		if v, err := logic.Eval(args[1], values); err == nil && v.Num().Sign() == 0 {
			tell(args[1])
		}
	}
	if t.Op() == logic.OpIte {
		if c, err := logic.Holds(args[0], values); err == nil { // only the branch that is chosen
			if args = args[1:2]; !c {
				args = t.Args()[2:]
			}
		}
	}
	for _, a := range args {
		d.causes(a, values, tell)
	}
}

// conditionsAt returns the conjuncts of regions: that none divides by zero was added to them.
func conditionsAt(regions []Region, at source.Span) (out []*logic.Term) {
	for _, r := range regions {
		if r.Span == at {
			out = append(out, logic.Conjuncts(r.Where)...)
		}
	}
	return out
}

// divides reports whether a term divides integers or reals by something else than a number
// that is not 0.
func divides(t *logic.Term) bool {
	switch t.Op() {
	case logic.OpDiv, logic.OpIntDiv, logic.OpIntMod:
		by := t.Args()[1].Num()
		return by == nil || by.Sign() == 0
	}
	return false
}

// Undefined returns the formula that says that a term has no value because of a division by zero. It
// always has one itself.
func Undefined(t *logic.Term) *logic.Term { return divisions{}.of(t) }

// Total returns terms that have the values of some terms wherever these have one, and some value
// elsewhere: a divisor that is 0 is 1 instead.
func Total(ts ...*logic.Term) []*logic.Term {
	by, done := map[*logic.Term]*logic.Term{}, map[*logic.Term]bool{}
	var visit func(t *logic.Term)
	visit = func(t *logic.Term) {
		if done[t] {
			return
		}
		done[t] = true
		for _, a := range t.Args() {
			visit(a)
		}
		if !divides(t) {
			return
		}
		args := logic.SubstituteAll(t.Args(), by)
		sort := args[1].Sort()
		divisor := logic.Ite(logic.Eq(args[1], logic.Zero(sort).Term()), logic.Number(big.NewRat(1, 1), sort), args[1])
		switch t.Op() {
		case logic.OpDiv:
			by[t] = logic.Div(args[0], divisor)
		case logic.OpIntDiv:
			by[t] = logic.IntDiv(args[0], divisor)
		default:
			by[t] = logic.IntMod(args[0], divisor)
		}
	}
	for _, t := range ts {
		visit(t)
	}
	return logic.SubstituteAll(ts, by)
}

// divisions finds when a term has no value because of a division by zero.
type divisions map[*logic.Term]*logic.Term

// command is the states and inputs in which a step cannot be evaluated.
func (d divisions) command(c *Command) *logic.Term {
	bad := []*logic.Term{d.of(c.Guard)}
	vars := slices.SortedFunc(maps.Keys(c.Update), (*logic.Term).Compare)
	for _, v := range vars {
		bad = append(bad, logic.And(c.Guard, d.of(c.Update[v])))
	}
	return logic.Or(bad...)
}

// of returns the formula that says that the term has no value. It always has one itself.
func (d divisions) of(t *logic.Term) *logic.Term {
	if len(t.Args()) == 0 {
		return logic.False()
	}
	if f := d[t]; f != nil {
		return f
	}
	args := t.Args()
	parts := make([]*logic.Term, len(args))
	some := false
	for i, a := range args {
		parts[i] = d.of(a)
		some = some || !parts[i].IsFalse()
	}
	var f *logic.Term
	switch op := t.Op(); {
	case divides(t):
		f = logic.Or(append(parts, logic.Eq(args[1], logic.Zero(args[1].Sort()).Term()))...)
	case !some:
		f = logic.False()
	case op == logic.OpAnd || op == logic.OpOr:
		// No operand decides.
		all := []*logic.Term{logic.Or(parts...)}
		for i, a := range args {
			if op == logic.OpOr {
				a = logic.Not(a)
			}
			all = append(all, logic.Or(parts[i], a))
		}
		f = logic.And(all...)
	case op == logic.OpIte && parts[1] == parts[2]:
		f = logic.Or(parts[0], parts[1])
	case op == logic.OpIte:
		f = logic.Or(parts[0], logic.And(args[0], parts[1]), logic.And(logic.Not(args[0]), parts[2]))
	default:
		f = logic.Or(parts...)
	}
	d[t] = f
	return f
}
