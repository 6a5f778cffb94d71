package conform

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/lks"
)

// Project returns the projection of m on an alphabet and a set of propositions
// ([Chaki05], Def. 19): the same states and transitions, other actions become tau,
// other propositions are dropped. Actions and propositions that m lacks are not
// added.
func Project(m *lks.LKS, actions, props []string) (*lks.LKS, error) {
	b := lks.NewBuilder(m.Name())
	names := slices.Clone(m.Alphabet())
	for a, name := range names[1:] {
		if slices.Contains(actions, name) {
			b.Action(name)
		} else {
			names[a+1] = lks.TauName
		}
	}
	keep := make([]int32, len(m.Props()))
	for i, p := range m.Props() {
		keep[i] = -1
		if slices.Contains(props, p) {
			keep[i] = b.Prop(p)
		}
	}
	for s := range int32(m.NumStates()) {
		var label []int32
		for _, p := range m.Label(s) {
			if keep[p] >= 0 {
				label = append(label, keep[p])
			}
		}
		b.StateID(m.Kind(s), label)
		for _, e := range m.Edges(s) {
			b.Transition(s, names[e.Action], e.Target)
		}
	}
	b.Initial(m.Initial()...)
	b.Describe(m.StateName)
	return b.Build()
}

// Follow decides whether the parallel composition of the components simulates the
// witness, without composing them ([Chaki05], sec. 6.1): by theorem 12 it does iff
// every component weakly simulates the projection of the witness on its alphabet
// and propositions. It returns the index of the first component that cannot
// follow, or -1.
//
// The witness must have the actions and the propositions of all components
// together; no witness or component may have silent steps, End or Error states
// (the theorem does not cover them). For networks with relabelling, hiding or
// special states use Check with the method TwoLevel, which validates over rules.
func Follow(ctx context.Context, witness *lks.LKS, components []*lks.LKS, limits budget.Limits) (int, error) {
	if err := coverable(witness, components); err != nil {
		return -1, err
	}
	for i, m := range components {
		projection, err := Project(witness, m.Alphabet()[1:], m.Props())
		if err != nil {
			return -1, err
		}
		r, err := Check(ctx, lks.Single(projection), lks.Single(m), Options{Preorder: Weak, Method: Plain, TreeEffort: -1, Limits: limits})
		if err != nil {
			return -1, err
		}
		if !r.holds {
			return i, nil
		}
	}
	return -1, nil
}

// coverable checks what theorem 12 assumes.
func coverable(witness *lks.LKS, components []*lks.LKS) error {
	var actions, props []string
	for _, m := range append([]*lks.LKS{witness}, components...) {
		for s := range int32(m.NumStates()) {
			if m.Kind(s) != lks.Normal || len(m.Succ(s, lks.TauID)) > 0 {
				return fmt.Errorf("conform: %s has silent steps or final states (at %s), which validation by components does not cover", m.Name(), m.StateName(s))
			}
		}
		if m != witness {
			actions = append(actions, m.Alphabet()[1:]...)
			props = append(props, m.Props()...)
		}
	}
	slices.Sort(actions)
	slices.Sort(props)
	actions = slices.Compact(actions)
	if !slices.Equal(actions, witness.Alphabet()[1:]) || !slices.Equal(props, witness.Props()) {
		return &Mismatch{
			Impl: witness.Name(), Spec: "the composition",
			ActionsImpl: difference(witness.Alphabet()[1:], actions), ActionsSpec: difference(actions, witness.Alphabet()[1:]),
			PropsImpl: difference(witness.Props(), props), PropsSpec: difference(props, witness.Props()),
		}
	}
	return nil
}
