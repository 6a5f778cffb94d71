package encode

import (
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program/cfront"
)

// Observed is what a condition of Context.Observed says of a state, as formulas over the
// variables of Encoding.Words and Encoding.Numbers. A variable that was given no value yet
// has 0 ([Encoding.Words].Init); what is read of memory is what is there.
type Observed struct {
	Words, Numbers *logic.Term
	// UndefinedWords and UndefinedNumbers are the states in which the condition has no
	// value, for which the others are false: a pointer in it is null or points outside of
	// what is modelled, it divides by zero.
	UndefinedWords, UndefinedNumbers *logic.Term
}

// Observed are the conditions of Context.Observed.
func (e *Encoding) Observed() []Observed { return e.component.seen }

// Labels are the locations of the labels of a component's procedure.
func (e *Encoding) Labels() map[string]int { return e.labels }

// named makes the parameters of a condition behind those of the procedure its variables.
func (b *builder) named(condition, f *cfront.Func) {
	for _, p := range condition.Params {
		for _, v := range slices.Concat(f.Params, f.Locals) {
			if v.Name == p.Name {
				b.mem.vars[p] = b.mem.ofVar(v)
			}
		}
	}
}

// observe makes formulas of the conditions of Context.Observed. It returns all of them.
func (b *builder) observe() (all []*logic.Term) {
	c := b.component
	c.seen = nil
	for _, s := range c.observed {
		o := Observed{logic.False(), logic.False(), logic.False(), logic.False()}
		for _, a := range b.alternatives(s) {
			if len(a.words.inputs) > 0 {
				refuse(s.span, "c-observed", "speak of variables of the procedure", "this depends on where objects lie, or on memory that nothing is known of")
			}
			words, numbers := &o.Words, &o.Numbers
			if a.lost != "" {
				words, numbers = &o.UndefinedWords, &o.UndefinedNumbers
			}
			*words = logic.Or(*words, logic.And(a.words.guards...))
			*numbers = logic.Or(*numbers, logic.And(a.numbers.guards...))
		}
		c.seen = append(c.seen, o)
		all = append(all, o.Words, o.Numbers, o.UndefinedWords, o.UndefinedNumbers)
	}
	return all
}

// labelled notes the label of a block of the component's procedure.
func (b *builder) labelled(in *Frame, block *cfront.Block, location int) {
	if b.component == nil || in.Caller != nil || block.Label == "" {
		return
	}
	if b.labels == nil {
		b.labels = map[string]int{}
	}
	b.labels[block.Label] = location
}
