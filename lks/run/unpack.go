package run

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/radix"
	"github.com/seltl/seltl/lks"
)

// Unpack describes the run through packed states of the network, canonical ones as
// explorers store them: states[i] by rules[i] to states[i+1], Stutter to itself. loop is
// the index of the state that the last step leads back to, or -1 for a finite run.
//
// Where a network stores one state for all that are in error or terminated, the run
// shows one that it is in, so that people see who failed. The error, a *bug.Error, says
// that the states are no run.
func Unpack(net *lks.Network, states [][]uint64, rules []int32, loop int) (*Run, error) {
	local, err := localStates(net, states, rules)
	if err != nil {
		return nil, &bug.Error{Stage: "description of a run", Err: err}
	}
	return New(net, local, rules, loop), nil
}

// New describes the run through local states of all components: local[i] by rules[i] to
// local[i+1]. loop is as in Unpack. The run keeps the states. Whether it is a run is for
// Replay to say.
func New(net *lks.Network, local [][]int32, rules []int32, loop int) *Run {
	d := &describer{net: net, ex: net.Explorer(), packed: make([]uint64, net.Words()), moved: map[int32][]int32{}}
	r := &Run{}
	steps := make([]Step, len(rules))
	for i, rule := range rules {
		steps[i] = d.step(local[i], rule)
	}
	if loop < 0 {
		r.Stem, r.Last = steps, d.state(local[len(rules)])
	} else {
		r.Stem, r.Loop = steps[:loop:loop], steps[loop:]
	}
	return r
}

// describer describes local states by what the explorer says of them: to compare
// that with the definitions is for Replay. A long run has few different lists of names,
// and of them it keeps one copy.
type describer struct {
	net    *lks.Network
	ex     *lks.Explorer
	packed []uint64
	succ   lks.Successors
	names  []string // scratch
	lists  sharedLists
	moved  map[int32][]int32 // by rule: Step.Moved
}

func (d *describer) state(local []int32) State {
	d.net.Pack(local, d.packed)
	s := State{Local: local, Kind: d.net.Kind(d.packed)}
	d.names = d.net.AppendProps(d.names[:0], local, s.Kind)
	s.Props = d.lists.share(d.names)
	d.names = d.names[:0]
	d.ex.Successors(d.packed, &d.succ)
	last := int32(-1)
	for _, r := range d.succ.Rules { // rules of one action are neighbours
		if a := d.net.Rules()[r].Action; a != last {
			d.names = append(d.names, d.net.Alphabet()[a])
			last = a
		}
	}
	slices.Sort(d.names)
	s.Enabled = d.lists.share(slices.Compact(d.names))
	return s
}

// sharedLists keeps some of the lists of names that were seen last. It does not grow
// with the run, whose lists may all be different.
type sharedLists [256][]string

// share returns a copy of a list, an earlier one if it is kept; nil of none.
func (l *sharedLists) share(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	// FNV-1a: with a hash that differs from process to process, what is shared would, too.
	h := uint64(14695981039346656037)
	for _, name := range names {
		for i := range len(name) {
			h = (h ^ uint64(name[i])) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211 // no name has this byte
	}
	kept := &l[h%uint64(len(l))]
	if !slices.Equal(*kept, names) {
		*kept = slices.Clone(names)
	}
	return *kept
}

func (d *describer) step(local []int32, rule int32) Step {
	s := Step{State: d.state(local), Rule: rule}
	if rule == Stutter {
		return s
	}
	r := d.net.Rules()[rule]
	s.Event = d.net.Alphabet()[r.Action]
	moved, ok := d.moved[rule]
	if !ok {
		for _, p := range r.Parts {
			moved = append(moved, p.Component)
		}
		d.moved[rule] = moved
	}
	s.Moved = moved
	return s
}

// localStates unpacks the states of a run.
func localStates(net *lks.Network, states [][]uint64, rules []int32) ([][]int32, error) {
	local := make([][]int32, len(states))
	var err error
	if local[0], err = Start(net, states[0]); err != nil {
		return nil, err
	}
	n := len(local[0])
	all := make([]int32, n*len(rules))
	for i, rule := range rules {
		if rule == Stutter {
			local[i+1] = local[i]
			continue
		}
		local[i+1] = all[i*n : (i+1)*n : (i+1)*n]
		if err = follow(net, local[i+1], local[i], rule, states[i+1]); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return local, nil
}

// Start returns local initial states that explorers store as that packed state, or an
// error if there are none.
func Start(net *lks.Network, state []uint64) ([]int32, error) {
	local := make([]int32, len(net.Components()))
	net.Unpack(state, local)
	choices := make([][]int32, len(local))
	isInitial := true // then it stands for itself, too
	for c, m := range net.Components() {
		choices[c] = m.Initial()
		isInitial = isInitial && slices.Contains(choices[c], local[c])
	}
	if isInitial {
		return local, nil
	}
	if net.Kind(state) != lks.Normal {
		choose := func(choice []int32) { copy(local, choice) }
		if storedAs(net, local, state, choices, choose) {
			return local, nil
		}
	}
	return nil, fmt.Errorf("%s is not an initial state", net.StateName(state))
}

// Follow returns local states to which a rule leads from others and which explorers store
// as that packed state, or an error if there are none. Unless the state stands for
// several it does not ask whether the components can get there: that is for Replay.
func Follow(net *lks.Network, local []int32, rule int32, state []uint64) ([]int32, error) {
	next := make([]int32, len(local))
	if err := follow(net, next, local, rule, state); err != nil {
		return nil, err
	}
	return next, nil
}

// follow is Follow with a place for the local states.
func follow(net *lks.Network, next, local []int32, rule int32, state []uint64) error {
	if net.Kind(state) == lks.Normal {
		net.Unpack(state, next)
		return nil
	}
	copy(next, local)
	parts := net.Rules()[rule].Parts
	choices := make([][]int32, len(parts))
	for i, p := range parts {
		for _, e := range net.Components()[p.Component].Succ(local[p.Component], p.Action) {
			choices[i] = append(choices[i], e.Target)
		}
	}
	choose := func(choice []int32) {
		for i, p := range parts {
			next[p.Component] = choice[i]
		}
	}
	if storedAs(net, next, state, choices, choose) {
		return nil
	}
	return fmt.Errorf("%s does not lead to %s", eventOf(net, rule), net.StateName(state))
}

// storedAs makes one choice of each list after the other, the last fastest, until
// the local states are some that the network stores as that state.
func storedAs(net *lks.Network, local []int32, state []uint64, choices [][]int32, choose func(choice []int32)) bool {
	if slices.ContainsFunc(choices, func(c []int32) bool { return len(c) == 0 }) {
		return false
	}
	packed := make([]uint64, net.Words())
	at := make([]int, len(choices))
	choice := make([]int32, len(choices))
	for {
		for i, c := range choices {
			choice[i] = c[at[i]]
		}
		choose(choice)
		net.Pack(local, packed)
		if net.Canonicalise(packed); slices.Equal(packed, state) {
			return true
		}
		if !radix.Next(at, func(i int) int { return len(choices[i]) }) {
			return false
		}
	}
}

func eventOf(net *lks.Network, rule int32) string { return net.Alphabet()[net.Rules()[rule].Action] }
