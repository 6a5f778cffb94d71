package cfront

import (
	"cmp"
	"slices"
)

// Failures are what a program fails by: what else could be one is not asked about. An assertion that fails
// ends the run then, a routine that is called is entered.
type Failures struct {
	Calls      []string // routines whose call is a failure, with a body or without
	Labels     []string // labels whose reaching is one
	Assertions bool     // that do not hold
}

// Asserts reports a routine by which assertions fail: __assert_fail, and what is called like it.
func Asserts(routine string) bool { return asserted[routine] }

// Failing is what the failures that a run may come to are by (Fail.By), sorted: routines before labels, and those of
// the competition first.
func (p *Program) Failing(entry *Func) (all []string) {
	for _, f := range p.Reached(entry) {
		for _, b := range f.Blocks {
			if bad, ok := b.End.(*Fail); ok && bad.By != "" && !slices.Contains(all, bad.By) {
				all = append(all, bad.By)
			}
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		rank := func(s string) int {
			switch {
			case failing[s]:
				return 0
			case s[len(s)-1] == ':':
				return 2
			}
			return 1
		}
		return cmp.Or(rank(a)-rank(b), cmp.Compare(a, b))
	})
	return all
}

// failsBy reports a routine whose call is a failure.
func (o *Options) failsBy(routine string) bool {
	if o.Failures == nil {
		return failing[routine]
	}
	return slices.Contains(o.Failures.Calls, routine)
}

func (o *Options) failsAt(label string) bool {
	if o.Failures == nil {
		return label == errorLabel
	}
	return slices.Contains(o.Failures.Labels, label)
}

func (o *Options) assertions() bool { return o.Failures == nil || o.Failures.Assertions }

// FailOnly makes what does not count as a failure the end of the run: those for which keep says no. Where a
// variable is given, the others count only when it has a number, and end the run else.
func (p *Program) FailOnly(keep func(f *Fail) bool, when *Var, number uint64) {
	for _, f := range p.Funcs {
		for _, b := range slices.Clone(f.Blocks) {
			bad, ok := b.End.(*Fail)
			if !ok {
				continue
			}
			stop := &Stop{What: bad.What, Span: bad.Span}
			switch {
			case !keep(bad):
				b.End = stop
			case when != nil:
				yes, no := &Block{End: bad}, &Block{End: stop}
				f.add(yes, no)
				is := &Binary{Eq, &Load{whole(when)}, &Const{when.Type, number}, &Type{Kind: Integer, Size: 4, Signed: true, Name: "int"}}
				b.End = &Branch{Cond: is, Then: yes, Else: no, Span: bad.Span}
			}
		}
	}
}
