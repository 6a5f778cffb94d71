package encode

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
)

// Observed is what a condition of Context.Observed says of a state, as formulas over the
// variables of Encoding.Words and Encoding.Numbers. A variable that was given no value yet
// has any ([Encoding.Words].Init); what is read of memory is what is there.
type Observed struct {
	Words, Numbers *logic.Term
	// UndefinedWords and UndefinedNumbers are the states in which the condition has no
	// value, for which the others are false: a pointer in it is null or points outside of
	// what is modelled, it divides by zero.
	UndefinedWords, UndefinedNumbers *logic.Term
}

// Observed are the conditions of Context.Observed.
func (e *Encoding) Observed() []Observed { return e.component.seen }

// Labels are the locations of the labels of a component's procedure, sorted: several where
// variables are declared at a label.
func (e *Encoding) Labels() map[string][]int {
	all := map[string][]int{}
	for _, l := range e.Entry.Labels {
		all[l] = nil // no run comes there, perhaps
	}
	maps.Copy(all, e.labels)
	return all
}

// named makes what a condition has of the names of the procedure's variables these.
func (b *builder) named(condition, f *ir.Func) {
	for _, p := range slices.Concat(condition.Params, condition.Locals) {
		for _, v := range slices.Concat(f.Params, f.Locals) {
			if v.Name == p.Name {
				b.mem.vars[p] = b.mem.ofVar(v)
			}
		}
	}
}

// observation is one of Context.Observed: the ways in which it does not hold, and holds.
type observation struct {
	condition *ir.Func
	steps     [2]*step
}

// observe makes formulas of the conditions of Context.Observed. It returns all of them. Where a
// condition neither holds nor fails to hold, it has no value: a dereference of null, say, leaves
// no way at all.
func (b *builder) observe() (all []*logic.Term) {
	c := b.component
	c.seen, c.open = nil, map[string]bool{}
	for _, seen := range c.observed {
		var words, numbers [2]*logic.Term
		for i, s := range seen.steps {
			words[i], numbers[i] = logic.False(), logic.False()
			for _, a := range b.alternatives(s) {
				if len(a.words.inputs) > 0 {
					refuse(s.span, "c-observed", "speak of variables of the procedure", "this depends on where objects lie, or on memory that nothing is known of")
				}
				if a.lost == "" {
					words[i] = logic.Or(words[i], logic.And(a.words.guards...))
					numbers[i] = logic.Or(numbers[i], logic.And(a.numbers.guards...))
				}
			}
		}
		o := Observed{words[1], numbers[1], logic.False(), logic.False()}
		if !straight(seen.condition) {
			o.UndefinedWords, o.UndefinedNumbers = logic.Not(logic.Or(words[:]...)), logic.Not(logic.Or(numbers[:]...))
		}
		c.seen = append(c.seen, o)
		all = append(all, o.Words, o.Numbers, o.UndefinedWords, o.UndefinedNumbers)
	}
	for _, f := range all {
		for _, v := range logic.Vars(f) {
			c.open[v.Name()] = true
		}
	}
	return all
}

// labelled notes the labels of the component's procedure that hold at a location, which comes behind
// so many instructions of a block.
func (b *builder) labelled(in *Frame, block *ir.Block, done, location int) {
	if b.component == nil || in.Caller != nil {
		return
	}
	for _, l := range block.At(done) {
		if b.labels == nil {
			b.labels = map[string][]int{}
		}
		b.labels[l] = append(b.labels[l], location)
		slices.Sort(b.labels[l])
	}
}
