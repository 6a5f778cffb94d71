package facts

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Domain is a kind of facts; see the package comment.
type Domain uint8

const (
	Karr Domain = iota
	Congruences
	Parities
	Intervals
	Octagons
)

var domains = names.Of[Domain]("domain", "karr", "congruences", "parities", "intervals", "octagons")

func (d Domain) String() string                   { return domains.String(d) }
func (d Domain) MarshalText() ([]byte, error)     { return domains.Marshal(d) }
func (d *Domain) UnmarshalText(text []byte) error { return domains.Unmarshal(text, d) }

// Names lists the texts of all values.
func (Domain) Names() []string { return domains.List() }

// Fact is a formula over the variables of a system that holds in all states that are
// reached at a location.
type Fact struct {
	Formula *logic.Term
	By      Domain
}

// Facts are what Find found.
type Facts struct {
	// At has the facts of each location, sorted by logic.Term.Compare. That of a location
	// that cannot be reached is false. None of them follows from the others in an obvious
	// way.
	At [][]Fact
	// Left says which domains contribute nothing though they were wanted, and why.
	Left []LeftOut
}

// LeftOut is a domain that contributes nothing.
type LeftOut struct {
	Domain Domain
	Reason string
}

// Formula returns the conjunction of the facts of a location.
func (f *Facts) Formula(location int) *logic.Term {
	all := lists.Map(f.At[location], func(fact Fact) *logic.Term { return fact.Formula })
	return logic.And(all...)
}

// Unreachable reports that a location cannot be reached, and which domain found that.
func (f *Facts) Unreachable(location int) (Domain, bool) {
	if fs := f.At[location]; len(fs) == 1 && fs[0].Formula.IsFalse() {
		return fs[0].By, true
	}
	return 0, false
}

// Count returns the number of facts.
func (f *Facts) Count() int {
	n := 0
	for _, fs := range f.At {
		n += len(fs)
	}
	return n
}

// Options of Find. The zero value runs all domains.
type Options struct {
	Without []Domain
	// Work bounds each domain, in operations on numbers; 0 is DefaultWork.
	Work int
}

// DefaultWork is about a second of each domain.
const DefaultWork = 4_000_000

// Find computes facts of a system. The meter, which may be nil, is looked at now and then:
// the error is its error, or that of a system that is not valid. Without an error
// whatever is found holds.
//
// Time is polynomial in the size of the system, at most Options.Work for each domain.
func Find(meter *budget.Meter, sys *program.System, o Options) (*Facts, error) {
	if err := sys.Validate(); err != nil {
		return nil, err
	}
	if meter == nil {
		meter = budget.New(nil, budget.Limits{}, nil)
	}
	if o.Work == 0 {
		o.Work = DefaultWork
	}
	if err := meter.Tick(budget.Progress{Phase: "facts"}); err != nil {
		return nil, err
	}
	f := &finder{flow: newFlow(sys), meter: meter, options: o, facts: &Facts{At: make([][]Fact, len(sys.Locations))}}
	f.pool = newPool(f.frame)
	n := len(sys.Locations)
	f.equations, f.modulo, f.bounds = make([][]*equation, n), make([][]*congruence, n), make([]*box, n)
	for _, d := range []struct {
		domain Domain
		run    func() error
	}{{Karr, f.karr}, {Congruences, f.congruences}, {Parities, f.parities}, {Intervals, f.intervals}, {Octagons, f.octagons}, {Karr, f.karrAgain}} {
		f.now = d.domain
		if slices.Contains(o.Without, f.now) {
			continue
		}
		err := d.run()
		if errors.Is(err, errWork) {
			f.leave(fmt.Sprintf("more than %d operations", o.Work))
		} else if err != nil {
			return nil, err
		}
	}
	f.conclude()
	return f.facts, nil
}

// finder is one call of Find.
type finder struct {
	*flow
	meter     *budget.Meter
	options   Options
	facts     *Facts
	now       Domain // that runs
	pool      *pool
	spaces    []*space[vector] // by location, by Karr, before bounds are known; nil if it has none
	equations [][]*equation    // by location, by Karr
	modulo    [][]*congruence  // by location and dimension, nil if none is known
	odd       [][]*logic.Term  // by location, by Parities
	bounds    []*box           // by location, nil if none are known
	octagon   []*octagon       // likewise
	// differences are V_j - V_i of octagons, by i and j, nil if not needed yet.
	differences []vector
}

// newFlow reads the steps of a system and orders its locations.
func newFlow(sys *program.System) *flow {
	n := len(sys.Locations)
	f := &flow{frame: newFrame(sys), in: make([][]int, n), dead: make([]bool, n)}
	out := make([][]int, n)
	var roots []int
	addStep := func(s *step) {
		f.in[s.to] = append(f.in[s.to], len(f.steps))
		f.steps = append(f.steps, s)
	}
	for _, r := range sys.Init {
		addStep(f.readStep(-1, r.Location, r.Where, nil))
		roots = append(roots, r.Location)
	}
	for _, e := range sys.Edges {
		addStep(f.readStep(e.From, e.To, e.Command.Guard, e.Command.Update))
		out[e.From] = append(out[e.From], e.To)
	}
	f.order = scc.WeakOrder(out, roots)
	return f
}

func (f *finder) leave(reason string) {
	f.facts.Left = append(f.facts.Left, LeftOut{f.now, reason})
}

func (f *finder) effort() *effort { return &effort{meter: f.meter, limit: f.options.Work} }

// reachable notes the locations that a domain has found to be unreachable.
func (f *finder) reachable(reached []bool) {
	for l, r := range reached {
		if !r {
			f.kill(l)
		}
	}
}

func (f *finder) kill(l int) {
	if !f.dead[l] {
		f.dead[l] = true
		f.facts.At[l] = []Fact{{logic.False(), f.now}}
	}
}

func (f *finder) karr() error {
	if len(f.numbers) == 0 {
		f.leave("no numbers")
		return nil
	}
	e := f.effort()
	found, err := solve(f.flow, newKarr(f.flow, e, nil), e)
	if err != nil {
		return err
	}
	f.reachable(found.reached)
	f.spaces = found.states
	f.equate()
	return nil
}

// equate takes the equations of spaces.
func (f *finder) equate() {
	for l, x := range f.spaces {
		if !f.dead[l] {
			f.equations[l] = equationsOf(x, len(f.numbers), f.pool)
		}
	}
}

// karrAgain is karr with the equations that bounds give, where these are more: guards
// that are inequalities give equations only so.
func (f *finder) karrAgain() error {
	if f.spaces == nil {
		return nil
	}
	e := f.effort()
	k := newKarr(f.flow, e, slices.Clone(f.equations))
	news := false
	for l, known := range f.equations {
		if f.dead[l] {
			continue
		}
		if more := f.bounded(l); len(more) > 0 {
			news = true
			k.equations[l] = slices.Concat(known, more)
		}
	}
	if !news {
		return nil
	}
	found, err := solve(f.flow, k, e)
	if err == errWork {
		return nil // the first round stands
	} else if err != nil {
		return err
	}
	for l, x := range found.states {
		// What the first round found is kept: others rest on it.
		if found.reached[l] {
			found.states[l], found.reached[l] = k.satisfy(x, f.equations[l])
		}
	}
	f.reachable(found.reached)
	f.spaces = found.states
	f.equate()
	return nil
}

// bounded returns the equations that intervals and octagons give at a location, and Karr
// does not.
func (f *finder) bounded(l int) (out []*equation) {
	x, b := f.spaces[l], f.bounds[l]
	note := func(form linear) {
		if form.value(x.point).Sign() != 0 || slices.ContainsFunc(x.rows, func(row vector) bool { return form.terms.times(row).Sign() != 0 }) {
			out = append(out, f.pool.equation(form.scaled()))
		}
	}
	if b != nil {
		for d, i := range b.numbers {
			if i.single() {
				note(dimension(d).minus(number(i.lo.Rat)))
			}
		}
	}
	if f.octagon == nil || f.octagon[l] == nil {
		return out
	}
	o := f.octagon[l]
	for i := range o.size {
		for j, a := range o.m[i*o.size : i*o.size+i] {
			if a == unbounded || j == i^1 || o.at(i^1, j^1) != -a {
				continue // at(j, i) is there twice
			}
			if form := f.boundOf(o, i, j).l; b == nil || !b.decides(form) {
				note(form)
			}
		}
	}
	return out
}

func (f *finder) congruences() error {
	if !slices.ContainsFunc(f.numbers, func(v *logic.Term) bool { return v.Sort() == logic.Int }) {
		f.leave("no integers")
		return nil
	}
	e := f.effort()
	found, err := solve(f.flow, &congruences{f.flow, e, f.equations, map[*equation]solution{}}, e)
	if err != nil {
		return err
	}
	f.reachable(found.reached)
	f.modulo = found.states
	return nil
}

func (f *finder) parities() error {
	if integers := slices.ContainsFunc(f.numbers, func(v *logic.Term) bool { return v.Sort() == logic.Int }); !integers {
		f.leave("no integers")
		return nil
	}
	p := newParities(f)
	found, err := solve(f.flow, p, p.effort)
	if err != nil {
		return err
	}
	f.reachable(found.reached)
	f.odd = make([][]*logic.Term, len(f.in))
	for l, x := range found.states {
		if found.reached[l] {
			for _, form := range p.facts(l, x) {
				f.odd[l] = append(f.odd[l], f.pool.parity(form))
			}
		}
	}
	return nil
}

func (f *finder) intervals() error {
	e := f.effort()
	found, err := solve(f.flow, &intervals{f.flow, e, f.equations, f.modulo, collectThresholds(f.flow)}, e)
	if err != nil {
		return err
	}
	f.reachable(found.reached)
	f.bounds = found.states
	return nil
}

func (f *finder) octagons() error {
	n := f.columns
	switch {
	case n < 2:
		f.leave("less than two numbers")
		return nil
	case n > maxOctagon:
		f.leave(fmt.Sprintf("more than %d numbers", maxOctagon))
		return nil
	case 8*4*n*n*len(f.in) > maxOctagonBytes:
		f.leave(fmt.Sprintf("matrices of more than %s", budget.FormatBytes(maxOctagonBytes)))
		return nil
	}
	e := f.effort()
	found, err := solve(f.flow, &octagons{flow: f.flow, effort: e, equations: f.equations, bounds: f.bounds}, e)
	if err != nil {
		return err
	}
	for l, x := range found.states {
		if found.reached[l] && !x.close() {
			found.reached[l] = false
		}
	}
	f.reachable(found.reached)
	f.octagon = found.states
	return nil
}
