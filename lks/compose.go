package lks

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/radix"
)

// PropClash is the error of a composition whose components share a proposition
// ([Chaki05], Def. 5 demands disjoint sets).
type PropClash struct {
	Prop          string
	First, Second string // names of the components
}

func (e *PropClash) Error() string {
	return fmt.Sprintf("proposition %s belongs to both %s and %s: components of a composition must not share propositions; prefix one of them", e.Prop, e.First, e.Second)
}

// NotFlat is the error of a composition that cannot be explored on the fly,
// because one part must be built first (Build, then Single).
type NotFlat struct {
	Index int    // of the part, in Compose's arguments
	Part  string // name of the network
	Why   string
}

func (e *NotFlat) Error() string {
	return fmt.Sprintf("%s cannot be a part of a composition as it stands, because it %s: build it first", e.Part, e.Why)
}

// maxRules bounds the number of rules: several rules for one action multiply
// when networks are composed.
const maxRules = 1 << 22

// maxParts bounds their parts, those of components that are composed together counted
// once: 8 bytes each.
const maxParts = 1 << 28

// maxInitial bounds the initial states of a composition.
const maxInitial = 1 << 22

// ErrNil is what functions say that are given no network.
var ErrNil = errors.New("lks: the network is nil")

// Compose returns the parallel composition of networks, in which they
// synchronise on the actions they share. Its components are those of the parts
// in order. The error is *PropClash, *NotFlat, or says that there are no parts,
// or too many rules or initial states.
func Compose(name string, parts ...*Network) (*Network, error) {
	return ComposeWithin(nil, name, parts...)
}

// ComposeWithin is Compose for very many components or rules: meter is asked meanwhile,
// and its error ends the composition.
func ComposeWithin(meter *budget.Meter, name string, parts ...*Network) (*Network, error) {
	if i := slices.Index(parts, nil); i >= 0 {
		return nil, fmt.Errorf("composition %s: part %d is nil", name, i)
	}
	switch len(parts) {
	case 0:
		return nil, fmt.Errorf("composition %s has no parts", name)
	case 1:
		n := parts[0].clone()
		n.name = name
		return n, nil
	}
	n := &Network{name: name}
	offsets := make([]int32, len(parts))
	for i, p := range parts {
		if why := p.notFlat(); why != "" {
			return nil, &NotFlat{Index: i, Part: p.name, Why: why}
		}
		offsets[i] = int32(len(n.components))
		n.components = append(n.components, p.components...)
		n.names = append(n.names, p.names...)
		n.observer = append(n.observer, p.observer...)
		for _, q := range p.props {
			n.props = append(n.props, netProp{q.name, q.component + offsets[i], q.prop})
		}
	}
	n.withCrews(parts)
	if err := n.sortProps(); err != nil {
		return nil, err
	}
	if err := n.checkInitial(); err != nil {
		return nil, err
	}
	n.alphabet = unionAlphabet(parts)
	if err := n.synchronise(parts, offsets, meter); err != nil {
		return nil, err
	}
	if c := n.restless(); c >= 0 {
		i := len(offsets) - 1
		for offsets[i] > c {
			i--
		}
		return nil, &NotFlat{Index: i, Part: parts[i].name, Why: "hides actions of several processes, and others terminate"}
	}
	return n, nil
}

// checkInitial bounds the combinations of initial states, which are enumerated
// before a search can look at its limits.
func (n *Network) checkInitial() error {
	combinations := 1
	for _, m := range n.components {
		if combinations *= len(m.initial); combinations > maxInitial {
			return &budget.Exhausted{What: "initial states", Limit: fmt.Sprintf("%d of %s", maxInitial, n.name), Advice: "fewer components with several initial states"}
		}
	}
	return nil
}

// notFlat says why n cannot be composed further, or "".
func (n *Network) notFlat() string {
	switch {
	case n.low != nil:
		return "has priorities"
	case slices.Contains(n.observer, true):
		return "has observers"
	case n.compound && n.hasEnd():
		// The parts of such a process count as one process with (or without) an
		// END, and its terminated states are one.
		return "hides or merges actions of several processes of which some terminate"
	}
	return ""
}

func (n *Network) hasEnd() bool {
	return slices.ContainsFunc(n.components, func(m *LKS) bool { return slices.Contains(m.kinds, End) })
}

func unionAlphabet(parts []*Network) []string {
	alphabet := []string{TauName}
	for _, p := range parts {
		alphabet = append(alphabet, p.alphabet[1:]...)
	}
	slices.Sort(alphabet[1:])
	return slices.Compact(alphabet)
}

// synchronise makes the rules of the composition: for every action the product
// of the rules that the parts with that action in their alphabet have for it.
func (n *Network) synchronise(parts []*Network, offsets []int32, meter *budget.Meter) error {
	for i, p := range parts {
		for _, r := range p.rules {
			if r.Action == TauID {
				n.addRule(TauID, true, shiftParts(nil, r.Parts, offsets[i]))
			}
		}
	}
	sharers, from := n.sharers(parts)
	next := make([]int, len(parts)) // first rule not yet used, in each part
	at := make([]int32, len(parts)) // position in the alphabet, in each part
	for i, p := range parts {
		next[i], at[i] = p.firstRule(TauID+1), TauID+1
	}
	var choices [][]Rule
	for a := int32(1); int(a) < len(n.alphabet); a++ {
		own := sharers[from[a]:from[a+1]]
		choices = choices[:0]
		for _, i := range own {
			rules := parts[i].rules[next[i]:]
			k := 0
			for k < len(rules) && rules[k].Action == at[i] {
				k++
			}
			next[i] += k
			at[i]++
			choices = append(choices, rules[:k])
		}
		if err := n.product(a, own, choices, offsets, meter); err != nil {
			return err
		}
	}
	return nil
}

// sharers returns the parts that have an action in their alphabet, in order: those of
// action a are list[from[a]:from[a+1]].
func (n *Network) sharers(parts []*Network) (list []int32, from []int) {
	from = make([]int, len(n.alphabet)+1)
	var actions []int32 // of all parts, one after the other
	for _, p := range parts {
		for _, name := range p.alphabet[1:] {
			a := n.Action(name)
			actions = append(actions, a)
			from[a+1]++
		}
	}
	for a := range n.alphabet {
		from[a+1] += from[a]
	}
	list = make([]int32, len(actions))
	free := slices.Clone(from)
	for i, p := range parts {
		for range p.alphabet[1:] {
			list[free[actions[0]]] = int32(i)
			free[actions[0]]++
			actions = actions[1:]
		}
	}
	return list, from
}

// product adds a rule for every way to choose one rule of each sharer.
func (n *Network) product(action int32, sharers []int32, choices [][]Rule, offsets []int32, meter *budget.Meter) error {
	total := len(n.rules)
	ways := 1
	for i, c := range choices {
		ways *= len(c)
		if total+ways > maxRules || n.parts+ways*(i+1) > maxParts {
			return &budget.Exhausted{What: "rules", Limit: fmt.Sprintf("%d in %s, which has more ways to synchronise on %s", maxRules, n.name, n.alphabet[action]),
				Advice: "minimal or deterministic before the parts that relabel several actions to it, so that they are built first"}
		}
	}
	pick := make([]int, len(choices))
	for range ways {
		if n.parts += len(sharers); meter != nil && (n.parts-len(sharers))/budget.TickEvery != n.parts/budget.TickEvery {
			if err := meter.Tick(budget.Progress{Phase: "composing", Transitions: int64(len(n.rules))}); err != nil {
				return err
			}
		}
		var parts []Part
		for i, s := range sharers {
			parts = shiftParts(parts, choices[i][pick[i]].Parts, offsets[s])
		}
		n.addRule(action, false, parts)
		radix.Next(pick, func(i int) int { return len(choices[i]) })
	}
	return nil
}

func shiftParts(to, parts []Part, offset int32) []Part {
	to = slices.Grow(to, len(parts))
	for _, p := range parts {
		to = append(to, Part{p.Component + offset, p.Action})
	}
	return to
}

func (n *Network) addRule(action int32, uncounted bool, parts []Part) {
	n.rules = append(n.rules, Rule{Action: action, Parts: parts})
	n.uncounted = append(n.uncounted, uncounted)
}

// firstRule returns the index of the first rule with that action or a later one.
func (n *Network) firstRule(action int32) int {
	i, _ := slices.BinarySearchFunc(n.rules, action, func(r Rule, a int32) int { return cmp.Compare(r.Action, a) })
	return i
}

// sortProps sorts the propositions by name and finds clashes.
func (n *Network) sortProps() error {
	slices.SortFunc(n.props, func(a, b netProp) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.component, b.component))
	})
	for i := 1; i < len(n.props); i++ {
		if a, b := n.props[i-1], n.props[i]; a.name == b.name {
			return &PropClash{Prop: a.name, First: n.names[a.component], Second: n.names[b.component]}
		}
	}
	return nil
}
