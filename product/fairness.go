package product

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
)

// Fairness restricts the runs that count: an unfair run violates nothing. A
// run that stutters for ever is fair, since nothing is possible in it.
type Fairness int

const (
	NoFairness Fairness = iota
	// ProcessFairness, weak: a component that can take part in a step at all
	// times from some point on takes part in one again and again.
	ProcessFairness
	// ActionFairness, weak: an action that is possible at all times from some
	// point on occurs again and again. Like the others it takes tau as one action.
	ActionFairness
	// StrongActionFairness: an action that is possible again and again occurs
	// again and again.
	StrongActionFairness
	// ChoiceFairness (LTSA's fair choice): a transition of the composition whose
	// source is visited again and again is taken again and again.
	ChoiceFairness
)

func (f Fairness) String() string {
	switch f {
	case NoFairness:
		return "none"
	case ProcessFairness:
		return "process"
	case ActionFairness:
		return "action"
	case StrongActionFairness:
		return "strong-action"
	case ChoiceFairness:
		return "choice"
	}
	return fmt.Sprintf("Fairness(%d)", int(f))
}

// fairness decides whether a strongly connected component of the product has a
// part on which a fair accepting run can stay for ever. Each requirement is a
// Streett pair: if its trigger is met again and again, so is its response. A part
// without the response can only be fair without the trigger; so the states with
// the trigger are removed and what remains is split into components again
// (Emerson and Lei, 1985), which ends after at most as many rounds as there are
// states. Weak fairness is the case in which the trigger cannot be removed:
// the response is "impossible now, or taken", and no part gains it.
type fairness struct {
	g    *graph
	kind Fairness
}

// newFairness returns nil for NoFairness.
func newFairness(g *graph, kind Fairness) *fairness {
	if kind == NoFairness {
		return nil
	}
	return &fairness{g, kind}
}

// fairPart is a set of product states on which a fair accepting loop exists,
// and what such a loop has to do.
type fairPart struct {
	inside map[int32]bool
	goals  *tourGoals
}

// region is the subgraph of the product that a component makes up, kept in
// memory with what the requirements look at. States are numbered from 0 in it.
type region struct {
	g        *graph
	kind     Fairness
	states   []int32
	index    map[int32]int32
	out      [][]outEdge // targets are numbers in the region; edges that leave it are left out
	possible [][]int64   // by state: the requirements that it triggers, sorted
	network  *statetable.Table
	source   []int32 // by state: number of the network's part
	choices  map[choice]int64
}

// choice is a transition of the network, by numbers of its states.
type choice struct{ source, rule, target int32 }

// within returns a fair part of the component with these states, or nil.
func (f *fairness) within(states []int32) (*fairPart, error) {
	r, err := f.newRegion(states)
	if err != nil {
		return nil, err
	}
	all := make([]int32, len(states))
	for i := range all {
		all[i] = int32(i)
	}
	for todo := [][]int32{all}; len(todo) > 0; {
		part := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if err := f.g.tick(0); err != nil {
			return nil, err
		}
		for _, c := range r.components(part) {
			rest, fair := r.judge(c)
			if fair {
				return r.fairPart(c), nil
			}
			if len(rest) > 0 {
				todo = append(todo, rest)
			}
		}
	}
	return nil, nil
}

func (f *fairness) newRegion(states []int32) (*region, error) {
	r := &region{
		g: f.g, kind: f.kind, states: slices.Clone(states), index: make(map[int32]int32, len(states)),
		network: statetable.New(f.g.netWords), choices: map[choice]int64{},
	}
	for i, s := range r.states {
		r.index[s] = int32(i)
	}
	packed := make([]uint64, f.g.netWords)
	for _, s := range r.states {
		if err := f.g.expand(s, 0); err != nil {
			return nil, err
		}
		var out []outEdge
		for _, e := range f.g.out {
			if to, ok := r.index[e.target]; ok {
				out = append(out, outEdge{marks: e.marks, target: to, rule: e.rule})
			}
		}
		r.out = append(r.out, out)
		f.g.networkState(s, packed)
		source, _ := r.network.Insert(packed)
		r.source = append(r.source, source)
		r.possible = append(r.possible, r.possibleNow(source))
	}
	return r, nil
}

// possibleNow returns the requirements that the state just expanded triggers,
// sorted: numbers of components, actions, or transitions of the network.
func (r *region) possibleNow(source int32) []int64 {
	var keys []int64
	words := r.g.netWords
	for i, rule := range r.g.succ.Rules {
		target := int32(-1)
		if r.kind == ChoiceFairness {
			target, _ = r.network.Insert(r.g.succ.States[i*words : (i+1)*words])
		}
		keys = r.appendKeys(keys, source, rule, target)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// appendKeys appends the requirements to which a step of the network responds.
func (r *region) appendKeys(keys []int64, source, rule, target int32) []int64 {
	if rule == Stutter {
		return keys
	}
	switch r.kind {
	case ProcessFairness:
		for _, p := range r.g.net.Rules()[rule].Parts {
			keys = append(keys, int64(p.Component))
		}
	case ActionFairness, StrongActionFairness:
		keys = append(keys, int64(r.g.net.Rules()[rule].Action))
	case ChoiceFairness:
		c := choice{source, rule, target}
		id, ok := r.choices[c]
		if !ok {
			id = int64(len(r.choices))
			r.choices[c] = id
		}
		keys = append(keys, id)
	}
	return keys
}

// taken returns the requirements to which an edge inside the region responds.
func (r *region) taken(keys []int64, from int32, e outEdge) []int64 {
	return r.appendKeys(keys, r.source[from], e.rule, r.source[e.target])
}

func (r *region) weak() bool { return r.kind == ProcessFairness || r.kind == ActionFairness }

// judge reports whether a run that visits all of a strongly connected set again
// and again, by all of its edges, is accepting and fair. If it is not for the
// lack of responses, rest are the states that do not ask for them.
func (r *region) judge(component []int32) (rest []int32, fair bool) {
	inside := make(map[int32]bool, len(component))
	for _, s := range component {
		inside[s] = true
	}
	marks := uint64(0)
	taken := map[int64]bool{}
	triggers := map[int64]int{} // states by requirement
	var keys []int64
	for _, s := range component {
		for _, k := range r.possible[s] {
			triggers[k]++
		}
		for _, e := range r.out[s] {
			if inside[e.target] {
				marks |= e.marks
				keys = r.taken(keys[:0], s, e)
				for _, k := range keys {
					taken[k] = true
				}
			}
		}
	}
	if marks != r.g.aut.allMarks {
		return nil, false
	}
	missing := func(k int64) bool {
		return !taken[k] && (!r.weak() || triggers[k] == len(component))
	}
	fair = true
	for _, s := range component {
		if slices.ContainsFunc(r.possible[s], missing) {
			fair = false
		} else {
			rest = append(rest, s)
		}
	}
	return rest, fair
}

// fairPart says how to loop in a fair component: all marks, and for every
// requirement that is triggered a response.
func (r *region) fairPart(component []int32) *fairPart {
	const offset = 64 // keys of requirements come after those of marks
	f := &fairPart{inside: map[int32]bool{}, goals: r.g.markGoals()}
	for _, s := range component {
		f.inside[r.states[s]] = true
		for _, k := range r.possible[s] {
			f.goals.missing[offset+k] = true
		}
	}
	var weak []int64
	if r.weak() {
		for k := range f.goals.missing {
			if k >= offset {
				weak = append(weak, k-offset)
			}
		}
		slices.Sort(weak)
	}
	marks := f.goals.keys
	var keys []int64
	f.goals.keys = func(from int32, e outEdge) []int64 {
		s, to := r.index[from], r.index[e.target]
		keys = r.taken(keys[:0], s, outEdge{marks: e.marks, target: to, rule: e.rule})
		for _, k := range weak {
			if _, possible := slices.BinarySearch(r.possible[s], k); !possible {
				keys = append(keys, k)
			}
		}
		for i := range keys {
			keys[i] += offset
		}
		return append(keys, marks(from, e)...)
	}
	return f
}

// components returns the strongly connected components of the subgraph of these
// states that have an edge inside (Tarjan, 1972, with an explicit stack).
func (r *region) components(part []int32) [][]int32 {
	t := &tarjan{r: r, number: make(map[int32]int32, len(part)), low: make(map[int32]int32, len(part))}
	for _, s := range part {
		t.number[s] = 0
	}
	for _, s := range part {
		if t.number[s] == 0 {
			t.search(s)
		}
	}
	return t.found
}

type tarjan struct {
	r      *region
	number map[int32]int32 // 0 not met; only states of the part; -1 done
	low    map[int32]int32
	last   int32
	live   []int32
	stack  []tarjanFrame
	found  [][]int32
}

type tarjanFrame struct {
	state int32
	next  int
}

func (t *tarjan) enter(s int32) {
	t.last++
	t.number[s], t.low[s] = t.last, t.last
	t.live = append(t.live, s)
	t.stack = append(t.stack, tarjanFrame{state: s})
}

func (t *tarjan) search(root int32) {
	t.enter(root)
	for len(t.stack) > 0 {
		f := &t.stack[len(t.stack)-1]
		if f.next < len(t.r.out[f.state]) {
			to := t.r.out[f.state][f.next].target
			f.next++
			switch n, inPart := t.number[to]; {
			case !inPart || n < 0:
			case n == 0:
				t.enter(to)
			default:
				t.low[f.state] = min(t.low[f.state], n)
			}
			continue
		}
		s := f.state
		t.stack = t.stack[:len(t.stack)-1]
		if len(t.stack) > 0 {
			parent := t.stack[len(t.stack)-1].state
			t.low[parent] = min(t.low[parent], t.low[s])
		}
		if t.low[s] == t.number[s] {
			t.leave(s)
		}
	}
}

// leave takes a finished component, whose root is s, off the live states.
func (t *tarjan) leave(s int32) {
	from := slices.Index(t.live, s)
	component := slices.Clone(t.live[from:])
	t.live = t.live[:from]
	for _, q := range component {
		t.number[q] = -1
	}
	if len(component) > 1 || slices.ContainsFunc(t.r.out[s], func(e outEdge) bool { return e.target == s }) {
		slices.Sort(component)
		t.found = append(t.found, component)
	}
}

// fairLasso makes a lasso that loops in a fair part of the component whose root
// tops the stack.
func (c *sccSearch) fairLasso(part *fairPart) (*path, error) {
	stem := c.stemTo(part.inside)
	last := stem[len(stem)-1]
	if !part.inside[last] {
		way, ok, err := newBFS(c.g, last).search(everywhere, nil, func(_ int32, e outEdge) bool { return part.inside[e.target] })
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, &InternalError{Stage: "counterexample", Err: fmt.Errorf("a fair part cannot be reached")}
		}
		for _, h := range way {
			stem = append(stem, h.to)
		}
	}
	return c.g.tour(stem, part.inside, part.goals)
}

// checkFair checks that a lasso is fair, by its description and the components
// alone. The error is an *InternalError.
func checkFair(net *lks.Network, l *Lasso, kind Fairness) error {
	wrong := func(format string, args ...any) error {
		return &InternalError{Stage: "fairness of the counterexample", Err: fmt.Errorf(format, args...)}
	}
	switch kind {
	case ProcessFairness:
		for c := range int32(len(net.Components())) {
			if !slices.ContainsFunc(l.Loop, func(s Step) bool { return slices.Contains(s.Moved, c) || !canMove(net, &s.State, c) }) {
				return wrong("component %d can always move and never does", c)
			}
		}
	case ActionFairness, StrongActionFairness:
		for _, a := range net.Alphabet() {
			occurs := slices.ContainsFunc(l.Loop, func(s Step) bool { return s.Rule != Stutter && s.Event == a })
			able := func(s Step) bool { return slices.Contains(s.State.Enabled, a) }
			unable := func(s Step) bool { return !able(s) }
			if !occurs && slices.ContainsFunc(l.Loop, able) && (kind == StrongActionFairness || !slices.ContainsFunc(l.Loop, unable)) {
				return wrong("%s is possible and never occurs", a)
			}
		}
	case ChoiceFairness:
		for i := range l.Loop {
			if !allChoicesTaken(net, l, &l.Loop[i].State) {
				return wrong("a transition that leaves step %d of the loop is never taken", i+1)
			}
		}
	}
	return nil
}

func canMove(net *lks.Network, s *State, component int32) bool {
	return slices.ContainsFunc(possibleRules(net, s), func(r int32) bool {
		return slices.ContainsFunc(net.Rules()[r].Parts, func(p lks.Part) bool { return p.Component == component })
	})
}

// allChoicesTaken counts the transitions that leave s, and the different ones
// that the loop takes from it.
func allChoicesTaken(net *lks.Network, l *Lasso, s *State) bool {
	transitions := 0
	for _, r := range possibleRules(net, s) {
		ways := 1
		for _, p := range net.Rules()[r].Parts {
			ways *= len(net.Components()[p.Component].Succ(s.Local[p.Component], p.Action))
		}
		transitions += ways
	}
	taken := map[string]bool{}
	for i, step := range l.Loop {
		if step.Rule != Stutter && slices.Equal(step.State.Local, s.Local) {
			next := l.Loop[(i+1)%len(l.Loop)].State.Local
			taken[fmt.Sprint(step.Rule, next)] = true
		}
	}
	return len(taken) == transitions
}
