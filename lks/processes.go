package lks

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/seltl/seltl/budget"
)

// Processes are the processes of a network, observers apart: the leaves of its composition,
// each a process that was composed of no others. Most components are one; one that Union
// made is all those of which it was made.
type Processes struct {
	Names []string // in the order of the components
	// Several is set if some component is more than one process.
	Several bool
	// of are the processes that move when a component takes part by one of its actions; nil for
	// observers.
	of [][][]int32
}

// crew is what a component that Union made remembers of its processes.
type crew struct {
	names []string
	moved [][]int32 // by action of the component: which of them move, sorted
}

// Processes returns the processes of the network, which must not be changed. The first call takes
// time O(alphabets of the components).
func (n *Network) Processes() *Processes {
	n.manned.Do(func() { n.processes = n.findProcesses() })
	return n.processes
}

func (n *Network) findProcesses() *Processes {
	p := &Processes{of: make([][][]int32, len(n.components))}
	for c, m := range n.components {
		if n.observer[c] {
			continue
		}
		first := int32(len(p.Names))
		p.of[c] = make([][]int32, len(m.alphabet))
		k := n.crewOf(c)
		if k == nil {
			p.Names = append(p.Names, n.names[c])
			for a := range p.of[c] {
				p.of[c][a] = []int32{first}
			}
			continue
		}
		p.Names, p.Several = append(p.Names, k.names...), true
		for a, moved := range k.moved {
			for _, i := range moved {
				p.of[c][a] = append(p.of[c][a], first+i)
			}
		}
	}
	return p
}

// Moved returns which processes move by a rule with these parts: sorted indices into Names, in a
// new slice.
func (p *Processes) Moved(parts []Part) []int32 {
	var all []int32
	for _, part := range parts {
		if of := p.of[part.Component]; of != nil {
			all = append(all, of[part.Action]...)
		}
	}
	return all
}

// crewOf returns nil for a component that is one process.
func (n *Network) crewOf(component int) *crew {
	if component >= len(n.crews) {
		return nil
	}
	return n.crews[component]
}

// withCrews sets what is remembered of the components of parts, in order.
func (n *Network) withCrews(parts []*Network) {
	if !slices.ContainsFunc(parts, func(p *Network) bool { return p.crews != nil }) {
		return
	}
	for _, p := range parts {
		for c := range p.components {
			n.crews = append(n.crews, p.crewOf(c))
		}
	}
}

// Union returns the network as one component, which Build makes: it can be composed where n
// cannot (see NotFlat). Its steps and states are those of n. Which processes move is remembered:
// where one action moves now these and now those, the component has an action for each, which the
// network shows by the old name. The error is Build's.
func (n *Network) Union(meter *budget.Meter) (*Network, error) {
	processes := n.Processes()
	told, shown, moved := n.tellApart(processes)
	m, err := told.Build(meter)
	if err != nil {
		return nil, err
	}
	one := Single(m).Relabel(func(name string) []string { return []string{shown[name]} })
	for r, rule := range one.rules {
		one.uncounted[r] = rule.Action == TauID
	}
	if len(processes.Names) > 1 {
		k := &crew{names: processes.Names, moved: make([][]int32, len(m.alphabet))}
		for a, name := range m.alphabet {
			k.moved[a] = moved[name]
		}
		one.crews = []*crew{k}
	}
	return one, nil
}

// tellApart returns n with an action for each pair of an action and processes that move by it, what
// it showed before, and who moves by it. The first keeps the name.
func (n *Network) tellApart(processes *Processes) (told *Network, shown map[string]string, moved map[string][]int32) {
	shown, moved = map[string]string{}, map[string][]int32{}
	for _, name := range n.alphabet {
		shown[name] = name
	}
	names, order := make([]string, len(n.rules)), make([]int, len(n.rules))
	for r, rule := range n.rules {
		old, by := n.alphabet[rule.Action], processes.Moved(rule.Parts)
		name := old
		for i := 2; ; i++ {
			if have, known := moved[name]; !known || slices.Equal(have, by) {
				break
			}
			name = fmt.Sprintf("%s (%d)", old, i) // no name that an action of a model can have
		}
		names[r], order[r] = name, r
		shown[name], moved[name] = old, by
	}
	told = n.clone()
	delete(shown, TauName)
	told.alphabet = append([]string{TauName}, slices.Sorted(maps.Keys(shown))...)
	shown[TauName] = TauName
	action := func(r int) int32 { return told.Action(names[r]) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(action(a), action(b)) })
	told.takeRules(n, len(order), func(i int) (int, int32) { return order[i], action(order[i]) })
	return told, shown, moved
}
