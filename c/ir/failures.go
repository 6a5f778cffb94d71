package ir

import (
	"cmp"
	"slices"
)

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
			case FailRoutines[s]:
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
				f.AddBlocks(yes, no)
				is := &Binary{Eq, &Load{Whole(when)}, &Const{when.Type, number}, &Type{Kind: Integer, Size: 4, Signed: true, Name: "int"}}
				b.End = &Branch{Cond: is, Then: yes, Else: no, Span: bad.Span}
			}
		}
	}
}
