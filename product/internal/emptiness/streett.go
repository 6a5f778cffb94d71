package emptiness

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/product/internal/meet"
)

// Fairness says which runs count: those that meet all requirements. A state in which a
// rule of a requirement is possible triggers it, and a step by such a rule is the response.
type Fairness struct {
	// Strong has the requirements: one that is strong asks for responses again and again if
	// it is triggered again and again; any other, if it is from some point on at all times.
	Strong []bool
	OfRule [][]int32 // by rule of the network, which requirements it is of
	// Choice asks besides that a transition of the network whose source is visited again
	// and again is taken again and again. Observers' states do not tell transitions apart.
	Choice bool
	// Pairs is the number of requirements of compassion: a run that takes rules of the premise
	// of one again and again takes rules of its conclusion again and again.
	Pairs               int
	Premise, Conclusion [][]int32 // by rule of the network, of which pairs it is; nil without pairs
}

// streett decides whether a strongly connected component of the product has a
// part on which a fair accepting run can stay for ever. Each requirement is a
// Streett pair: if its trigger is met again and again, so is its response. A part
// without the response can only be fair without the trigger; so the states with
// the trigger are removed and what remains is split into components again
// [EmersonLei85], which ends after at most as many rounds as there are
// states. Weak fairness is the case in which the trigger cannot be removed:
// the response is "impossible now, or taken", and no part gains it. The pairs of
// Fairness.Pairs are on edges: where a part lacks the conclusion, the edges of the premise are
// removed, and the part is split again.
//
// The component is expanded a second time and kept, with its edges, in some 100
// bytes per state and 16 per edge; for choice fairness as much again per transition.
type streett struct {
	g     *meet.Graph
	fair  *Fairness
	index []int32 // by product state: its number in the region plus 1
	last  []int32 // the states whose index is set
}

// fairPart is a set of product states on which a fair accepting loop exists,
// and what such a loop has to do.
type fairPart struct {
	inside map[int32]bool
	goals  *meet.Goals
}

// candidate is a set of states on which a fair loop is looked for, which does without the
// premises of some pairs.
type candidate struct {
	states  []int32
	without []bool // by pair; nil: none
}

// region is the subgraph of the product that a component makes up, with what the
// requirements look at. States are numbered from 0 in it. Requirements are
// numbers below keys: first those of Fairness.Strong; then, for Fairness.Choice, of the
// transitions of the network that leave its states.
type region struct {
	g      *meet.Graph
	fair   *Fairness
	states []int32
	index  []int32 // streett.index

	first    []int32 // edges of state i: edges[first[i]:first[i+1]]
	edges    []regionEdge
	firstKey []int32 // requirements that state i triggers: triggered[firstKey[i]:firstKey[i+1]], sorted
	trigger  []int32
	keys     int32

	network *statetable.Table // for choice: the network's parts of the states,
	base    []int32           // where the transitions of each begin in choice,
	source  []int32           // and the network's part of state i
	choice  []int32           // the requirements of the transitions
	choices *statetable.Table // source, rule and target of the requirements, without observers
	system  []uint64          // the bits of a packed state that are not of observers

	without []bool // of the candidate that is looked at

	// Scratch of judge and components; what holds a stamp is set if it is the
	// current one.
	stamp      int32
	member     []int32 // stamp by state
	taken      []int32 // stamp by requirement
	counted    []int32 // stamp by requirement
	count      []int32 // by requirement, if counted: states that trigger it
	premise    []int32 // stamp by pair, if its premise is taken
	conclusion []int32 // stamp by pair, if its conclusion is
	number     []int32 // see tarjan
	low        []int32
	scratch    []int32
}

// regionEdge is an edge that stays in the region; nth as in outEdge.
type regionEdge struct{ target, rule, markSet, nth int32 }

// within returns a fair part of the component with these states, or nil.
func (f *streett) within(states []int32) (*fairPart, error) {
	r, err := f.newRegion(states)
	if err != nil {
		return nil, err
	}
	all := make([]int32, len(states))
	for i := range all {
		all[i] = int32(i)
	}
	for todo := []candidate{{states: all}}; len(todo) > 0; {
		part := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if err := f.g.Tick(f.g.NumStates(), 0); err != nil {
			return nil, err
		}
		r.without = part.without
		for _, c := range r.components(part.states) {
			rest, fair := r.judge(c)
			if fair {
				return r.fairPart(c), nil
			}
			if len(rest.states) > 0 {
				todo = append(todo, rest)
			}
		}
	}
	return nil, nil
}

func (f *streett) newRegion(states []int32) (*region, error) {
	for _, s := range f.last {
		f.index[s] = 0
	}
	f.index = append(f.index, make([]int32, f.g.NumStates()-len(f.index))...)
	f.last = slices.Clone(states)
	for i, s := range f.last {
		f.index[s] = int32(i) + 1
	}
	r := &region{
		g: f.g, fair: f.fair, states: f.last, index: f.index, first: []int32{0}, firstKey: []int32{0},
		network: statetable.New(f.g.NetWords), choices: statetable.New(2*f.g.NetWords + 1), system: systemBits(f.g.Net),
		member: make([]int32, len(states)), number: make([]int32, len(states)), low: make([]int32, len(states)),
	}
	r.keys = int32(len(f.fair.Strong))
	for _, s := range r.states {
		if err := r.add(s); err != nil {
			return nil, err
		}
	}
	r.taken, r.counted, r.count = make([]int32, r.keys), make([]int32, r.keys), make([]int32, r.keys)
	r.premise, r.conclusion = make([]int32, r.fair.Pairs), make([]int32, r.fair.Pairs)
	return r, nil
}

// add expands the next state.
func (r *region) add(s int32) error {
	if err := r.g.Expand(s, 0); err != nil {
		return err
	}
	for _, e := range r.g.Out {
		// All successors are known, so the index is long enough.
		if i := r.index[e.Target]; i > 0 {
			r.edges = append(r.edges, regionEdge{i - 1, e.Rule, e.MarkSet, e.Nth})
		}
	}
	r.first = append(r.first, int32(len(r.edges)))
	if r.fair.Choice {
		known := r.network.Len()
		source, _ := r.network.Insert(r.g.State)
		if int(source) == known {
			r.addChoices()
		}
		r.source = append(r.source, source)
	}
	keys := r.scratch[:0]
	for nth, rule := range r.g.Succ.Rules {
		keys = r.appendKeys(keys, int32(len(r.first)-2), rule, int32(nth))
	}
	slices.Sort(keys)
	r.scratch = keys
	r.trigger = append(r.trigger, slices.Compact(keys)...)
	r.firstKey = append(r.firstKey, int32(len(r.trigger)))
	return nil
}

// addChoices numbers the transitions of the network that leave a state which is met
// for the first time.
func (r *region) addChoices() {
	n := r.g.NetWords
	r.base = append(r.base, int32(len(r.choice)))
	key := make([]uint64, 2*n+1)
	for nth, rule := range r.g.Succ.Rules {
		key[2*n] = uint64(rule)
		for w, bits := range r.system {
			key[w], key[n+w] = r.g.State[w]&bits, r.g.Succ.States[nth*n+w]&bits
		}
		number, _ := r.choices.Insert(key)
		r.choice = append(r.choice, int32(len(r.fair.Strong))+number)
	}
	r.keys = int32(len(r.fair.Strong) + r.choices.Len())
}

// systemBits returns the bits of packed states that are not of observers. These
// watch, as fluents do: what is fair does not depend on who watches.
func systemBits(net *lks.Network) []uint64 {
	return net.Bits(func(component int) bool { return !net.Observer(component) })
}

// appendKeys appends the requirements to which a step of the network that leaves
// state s responds.
func (r *region) appendKeys(keys []int32, s, rule, nth int32) []int32 {
	if rule == run.Stutter {
		return keys
	}
	keys = append(keys, r.fair.OfRule[rule]...)
	if r.fair.Choice {
		keys = append(keys, r.choice[r.base[r.source[s]]+nth])
	}
	return keys
}

func (r *region) out(s int32) []regionEdge { return r.edges[r.first[s]:r.first[s+1]] }

// triggers returns the requirements that state s triggers, sorted.
func (r *region) triggers(s int32) []int32 { return r.trigger[r.firstKey[s]:r.firstKey[s+1]] }

// weak reports whether a requirement is void where it is not triggered all along.
func (r *region) weak(key int32) bool {
	return int(key) < len(r.fair.Strong) && !r.fair.Strong[key]
}

// kept reports whether the candidate that is looked at has an edge by a rule.
func (r *region) kept(rule int32) bool {
	if r.without == nil || rule == run.Stutter {
		return true
	}
	for _, p := range r.fair.Premise[rule] {
		if r.without[p] {
			return false
		}
	}
	return true
}

// pairs notes what a rule that is taken is of.
func (r *region) pairs(rule int32) {
	if r.fair.Pairs == 0 || rule == run.Stutter {
		return
	}
	for _, p := range r.fair.Premise[rule] {
		r.premise[p] = r.stamp
	}
	for _, p := range r.fair.Conclusion[rule] {
		r.conclusion[p] = r.stamp
	}
}

// judge reports whether a run that visits all of a strongly connected set again
// and again, by all of its edges, is accepting and fair. If it is not for the
// lack of responses, rest are the states that do not ask for them, without the premises
// whose conclusions are lacking.
func (r *region) judge(component []int32) (rest candidate, fair bool) {
	r.stamp++
	for _, s := range component {
		r.member[s] = r.stamp
	}
	marks := uint64(0)
	for _, s := range component {
		for _, k := range r.triggers(s) {
			if r.counted[k] != r.stamp {
				r.counted[k], r.count[k] = r.stamp, 0
			}
			r.count[k]++
		}
		for _, e := range r.out(s) {
			if r.member[e.target] == r.stamp && r.kept(e.rule) {
				marks |= r.g.MarksOf(e.markSet)
				r.pairs(e.rule)
				r.scratch = r.appendKeys(r.scratch[:0], s, e.rule, e.nth)
				for _, k := range r.scratch {
					r.taken[k] = r.stamp
				}
			}
		}
	}
	if marks != r.g.Aut.AllMarks {
		return candidate{}, false
	}
	missing := func(k int32) bool {
		return r.taken[k] != r.stamp && (!r.weak(k) || int(r.count[k]) == len(component))
	}
	rest.without, fair = r.unanswered()
	for _, s := range component {
		if slices.ContainsFunc(r.triggers(s), missing) {
			fair = false
		} else {
			rest.states = append(rest.states, s)
		}
	}
	return rest, fair
}

// unanswered adds the pairs whose premise is taken, but not the conclusion, to those that
// the candidate does without; none says that there are none.
func (r *region) unanswered() (without []bool, none bool) {
	without, none = r.without, true
	for p := range r.premise {
		if r.premise[p] != r.stamp || r.conclusion[p] == r.stamp {
			continue
		}
		if none {
			none = false
			without = append(make([]bool, 0, r.fair.Pairs), without...)[:r.fair.Pairs]
		}
		without[p] = true
	}
	return without, none
}

// fairPart says how to loop in a fair component, which judge has just seen: all marks, for
// every requirement that is triggered a response, and for every premise a conclusion.
func (r *region) fairPart(component []int32) *fairPart {
	const offset = 64 // keys of requirements come after those of marks
	f := &fairPart{inside: map[int32]bool{}, goals: r.g.MarkGoals()}
	var triggered []int32
	for _, s := range component {
		f.inside[r.states[s]] = true
		triggered = append(triggered, r.triggers(s)...)
	}
	slices.Sort(triggered)
	triggered = slices.Compact(triggered)
	for _, k := range triggered {
		f.goals.Missing[offset+int64(k)] = true
	}
	for p := range r.premise {
		if r.premise[p] == r.stamp {
			f.goals.Missing[offset+int64(r.keys)+int64(p)] = true
		}
	}
	if r.without != nil {
		f.goals.Admitted = func(e meet.Edge) bool { return r.kept(e.Rule) }
	}
	marks := f.goals.Keys
	weak := slices.DeleteFunc(triggered, func(k int32) bool { return !r.weak(k) })
	var keys []int64
	f.goals.Keys = func(from int32, e meet.Edge) []int64 {
		s := r.index[from] - 1
		keys = append(keys[:0], marks(from, e)...)
		r.scratch = r.appendKeys(r.scratch[:0], s, e.Rule, e.Nth)
		for _, k := range r.scratch {
			keys = append(keys, offset+int64(k))
		}
		if r.fair.Pairs > 0 && e.Rule != run.Stutter {
			for _, p := range r.fair.Conclusion[e.Rule] {
				keys = append(keys, offset+int64(r.keys)+int64(p))
			}
		}
		for _, k := range weak {
			if _, possible := slices.BinarySearch(r.triggers(s), k); !possible {
				keys = append(keys, offset+int64(k))
			}
		}
		return keys
	}
	return f
}

// components returns the strongly connected components of the subgraph of these
// states that have an edge inside ([Tarjan72], with an explicit stack). The
// stamps of the part's states are its membership.
func (r *region) components(part []int32) [][]int32 {
	r.stamp++
	t := &tarjan{region: r}
	for _, s := range part {
		r.member[s] = r.stamp
		r.number[s] = 0
	}
	for _, s := range part {
		if r.number[s] == 0 {
			t.search(s)
		}
	}
	return t.found
}

// tarjan uses the region's number (0 not met, -1 done) and low.
type tarjan struct {
	*region
	last  int32
	live  []int32
	stack []tarjanFrame
	found [][]int32
}

type tarjanFrame struct{ state, next int32 }

func (t *tarjan) enter(s int32) {
	t.last++
	t.number[s], t.low[s] = t.last, t.last
	t.live = append(t.live, s)
	t.stack = append(t.stack, tarjanFrame{s, t.first[s]})
}

func (t *tarjan) search(root int32) {
	t.enter(root)
	for len(t.stack) > 0 {
		f := &t.stack[len(t.stack)-1]
		s := f.state
		if f.next < t.first[s+1] {
			to := t.edges[f.next].target
			rule := t.edges[f.next].rule
			f.next++
			switch n := t.number[to]; {
			case t.member[to] != t.stamp || n < 0 || !t.kept(rule):
			case n == 0:
				t.enter(to)
			default:
				t.low[s] = min(t.low[s], n)
			}
			continue
		}
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
	from := len(t.live) - 1
	for t.live[from] != s {
		from--
	}
	component := slices.Clone(t.live[from:])
	t.live = t.live[:from]
	for _, q := range component {
		t.number[q] = -1
	}
	if len(component) > 1 || slices.ContainsFunc(t.out(s), func(e regionEdge) bool { return e.target == s && t.kept(e.rule) }) {
		slices.Sort(component)
		t.found = append(t.found, component)
	}
}

// fairLasso makes a lasso that loops in a fair part of the component whose root
// tops the stack.
func (c *sccSearch) fairLasso(part *fairPart) (*meet.Path, error) {
	stem := c.stemTo(part.inside)
	last := stem[len(stem)-1]
	if !part.inside[last] {
		way, ok, err := meet.NewBFS(c.g, last).Search(meet.Everywhere, nil, func(_ int32, e meet.Edge) bool { return part.inside[e.Target] })
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, &bug.Error{Stage: "counterexample", Err: fmt.Errorf("a fair part cannot be reached")}
		}
		for _, h := range way {
			stem = append(stem, h.To)
		}
	}
	return c.g.Tour(stem, part.inside, part.goals)
}
