package conform

import (
	"slices"

	"github.com/seltl/seltl/internal/numset"
	"github.com/seltl/seltl/internal/partition"
	"github.com/seltl/seltl/lks"
)

// abstraction is a component under an equivalence of its states that respects
// propositions and kinds ([Chaki05], Def. 27), and its quotient (Def. 28).
type abstraction struct {
	m *lks.LKS
	*partition.Partition
	q       *lks.LKS
	outlook []outlook // by state
}

// outlook is what equivalent states must have in common: label, kind, and which of
// the component's actions in silent rules are possible. On these depends whether a
// network whose other components are at their END has terminated (lks.Termination),
// which must not be lost in the quotient.
type outlook struct {
	class
	silent string
}

// newAbstraction starts from the largest propositionally compatible equivalence
// that respects outlooks. silent are the component's actions in silent rules.
func newAbstraction(m *lks.LKS, silent []int32) (*abstraction, error) {
	a := &abstraction{m: m, outlook: make([]outlook, m.NumStates())}
	a.Partition = partition.By(m.NumStates(), func(s int32) (outlook, bool) {
		a.outlook[s] = outlook{class{m.LabelClass(s), m.Kind(s)}, offered(m, s, silent)}
		return a.outlook[s], true
	})
	return a, a.rebuild()
}

// offered tells which of the actions are possible in s.
func offered(m *lks.LKS, s int32, actions []int32) string {
	offers := make([]byte, len(actions))
	for i, a := range actions {
		if len(m.Succ(s, a)) > 0 {
			offers[i] = 1
		}
	}
	return string(offers)
}

// rebuild makes the quotient anew.
func (a *abstraction) rebuild() (err error) {
	a.q, err = lks.Quotient(a.m, a.Class)
	return err
}

// obligation is what a witness asks of one component in one of its states: to
// stay, or to move by a local action, and then to meet the obligations of to.
type obligation struct {
	action int32 // -1: stay
	to     int32
}

const stay int32 = -1

// projection is the projection of a witness on one component (Def. 19, over rules
// instead of actions): at every state the class that the component is in, and the
// obligations. States are in an order with targets before sources.
type projection struct {
	order       []int32
	class       []int32
	obligations [][]obligation
}

// canFollow returns, for every state of the witness, the component's states that
// meet its obligations: CanSimulAG (Procedure 9.2). If within is set, only members
// of the class that the abstraction was in are considered; else all with the
// class's outlook.
func (a *abstraction) canFollow(p *projection, within bool) []numset.Bits {
	sets := make([]numset.Bits, len(p.class))
	for _, w := range p.order {
		sets[w] = numset.NewBits(a.m.NumStates())
		for _, s := range a.candidates(p.class[w], within) {
			if a.meets(s, p.obligations[w], sets) {
				sets[w].Add(s)
			}
		}
	}
	return sets
}

func (a *abstraction) candidates(c int32, within bool) []int32 {
	if within {
		return a.Members[c]
	}
	first := a.Members[c][0]
	var all []int32
	for s := range int32(a.m.NumStates()) {
		if a.outlook[s] == a.outlook[first] {
			all = append(all, s)
		}
	}
	return all
}

func (a *abstraction) meets(s int32, obligations []obligation, sets []numset.Bits) bool {
	for _, o := range obligations {
		if !a.meet(s, o, sets) {
			return false
		}
	}
	return true
}

func (a *abstraction) meet(s int32, o obligation, sets []numset.Bits) bool {
	if o.action == stay {
		return sets[o.to].Has(s)
	}
	return slices.ContainsFunc(a.m.Succ(s, o.action), func(e lks.Edge) bool { return sets[o.to].Has(e.Target) })
}

// startsIn reports whether an initial state of the component is in the set:
// WeakSimulAG (Procedure 9.1) on the result of canFollow for the witness's initial
// state.
func (a *abstraction) startsIn(set numset.Bits) bool {
	return slices.ContainsFunc(a.m.Initial(), set.Has)
}

// refine is AbsRefineAG (sec. 9.4.3): the component cannot follow the projection,
// its quotient can. Going from the leaves of the witness up, there is a first
// state whose class has members that cannot meet the obligations, while all
// members of the classes of the targets can: the members differ in their abstract
// successors, and parting them by which obligations they meet is a proper
// refinement. Two deviations: the thesis tries classes and actions in any order,
// and parts by all abstract successors, not only those that the witness uses.
//
// It reports false if nothing could be split, which contradicts the assumption.
func (a *abstraction) refine(p *projection) bool {
	sets := a.canFollow(p, true)
	for _, w := range p.order {
		c := p.class[w]
		all := true
		for _, s := range a.Members[c] {
			all = all && sets[w].Has(s)
		}
		if all {
			continue
		}
		// A proper refinement (Def. 29) has at least two parts.
		return a.Split(c, func(key []byte, s int32) []byte {
			for _, o := range p.obligations[w] {
				if a.meet(s, o, sets) {
					key = append(key, 1)
				} else {
					key = append(key, 0)
				}
			}
			return key
		}) > 1
	}
	return false
}
