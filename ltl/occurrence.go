package ltl

import "slices"

// Occurrence is a place in a formula, as a tree, at which a subformula stands.
type Occurrence struct {
	Formula *Formula
	// Negative: where the subformula becomes weaker, the whole formula becomes stronger.
	Negative bool
	// Mixed: it has no polarity, as operands of <-> and xor, letters of regular expressions, and what is
	// in them. A letter that is written more than once in an expression is one place.
	Mixed bool
	// AtStart: no temporal operator is around it, so that it is asked at the first position only.
	AtStart bool
	// Parent is the number of the occurrence of which it is an operand, -1 for the formula itself;
	// Operand is its index among Args there.
	Parent, Operand int
}

// Occurrences are places in a formula, which is the first; operands stand behind what they are
// operands of.
type Occurrences []Occurrence

// OccurrencesIn lists the places in a formula. It returns nil if there are more than most.
func OccurrencesIn(f *Formula, most int) Occurrences {
	mustFormula(f)
	all := Occurrences{{Formula: f, AtStart: true, Parent: -1}}
	for i := 0; i < len(all); i++ {
		o := all[i]
		args, op := o.Formula.args, o.Formula.op
		suffix := op == SuffixImplies || op == SuffixAnd
		if len(all)+len(args) > most {
			return nil
		}
		propositional := slices.Contains([]Op{Not, And, Or, Implies, Iff, Xor}, op)
		for k, g := range args {
			flips := op == Not || op == Implies && k == 0
			mixed := o.Mixed || op == Iff || op == Xor || suffix && k < len(args)-1
			all = append(all, Occurrence{Formula: g, Negative: !mixed && o.Negative != flips, Mixed: mixed, AtStart: o.AtStart && propositional,
				Parent: i, Operand: k})
		}
	}
	return all
}

// Operand returns the place of an operand of what stands at a place, or -1 if it is none of the list.
func (all Occurrences) Operand(place, operand int) int {
	return slices.IndexFunc(all, func(o Occurrence) bool { return o.Parent == place && o.Operand == operand })
}

// Replaced returns the formula with others at some places: those that by gives for their numbers.
func (all Occurrences) Replaced(by map[int]*Formula) *Formula { return all.Images(by)[0] }

// Images returns what becomes of each place where Replaced has others at some. Time is linear in the
// number of places.
func (all Occurrences) Images(by map[int]*Formula) []*Formula {
	images := make([]*Formula, len(all))
	changed := make([][]*Formula, len(all)) // the operands, if one is another
	for i := len(all) - 1; i >= 0; i-- {
		o := &all[i]
		g := by[i]
		if g == nil {
			if g = o.Formula; changed[i] != nil {
				g = g.With(changed[i]...)
			}
		}
		images[i] = g
		if g == o.Formula || i == 0 {
			continue
		}
		if changed[o.Parent] == nil {
			changed[o.Parent] = slices.Clone(all[o.Parent].Formula.args)
		}
		changed[o.Parent][o.Operand] = g
	}
	return images
}

// Strongest is the constant that makes the whole formula strongest at a place. If the formula still
// holds of a system with it there, what stands there has no effect: it is vacuous in the sense of
// [Beer01] and [KupfermanVardi03], for one occurrence. A Mixed place has none.
func (o *Occurrence) Strongest() *Formula { return Constant(o.Negative) }

// Alone returns what makes the formula one about a place only, for Replaced: conjuncts beside it,
// where a conjunction may be taken apart, become true. A system satisfies the formula if and only if
// it satisfies what is left, and these conjuncts.
func (all Occurrences) Alone(i int) map[int]*Formula {
	way := map[int]bool{}
	for ; i >= 0; i = all[i].Parent {
		way[i] = true
	}
	apart := map[int]bool{0: true} // G, X and conjunctions, down from the formula
	by := map[int]*Formula{}
	for k := 1; k < len(all); k++ {
		parent := all[k].Parent
		if !apart[parent] {
			continue
		}
		switch all[parent].Formula.op {
		case Always, Next:
			apart[k] = way[k]
		case And:
			if apart[k] = way[k]; !way[k] {
				by[k] = trueFormula
			}
		}
	}
	return by
}
