package cegar

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// seeds are the branches of a component, in units that are chosen as a whole, and what is
// known of them.
//
// The thesis chooses branch by branch, and makes conditions that exclude each other one
// predicate with many values afterwards (7.5.3). Here the branches that speak of the same few
// variables are a unit: a switch is one, and so few units suffice that all small sets of them
// can be tried. With apart, each branch is a unit.
type seeds struct {
	component *program.Component
	units     [][]predabs.Branch
	at        map[int]int // units by location of their branches
	user      predabs.Mapping
	chosen    []int // numbers of units, sorted
	parts     []*part
	// excluding has for each of parts the sets of units that exclude it.
	excluding [][][]int
	inferred  []predabs.Mapping // by unit
	endless   []bool            // by unit: it was inferred up to the bound only
	empty     predabs.Mapping
}

func newSeeds(c *program.Component, user predabs.Mapping, apart bool) *seeds {
	s := &seeds{component: c, at: map[int]int{}, user: user}
	of := map[string]int{}
	for _, b := range predabs.Branches(c) {
		unit := len(s.units)
		if about := subject(b.Conditions); about != "" && !apart {
			if u, known := of[about]; known {
				unit = u
			} else {
				of[about] = unit
			}
		}
		if unit == len(s.units) {
			s.units = append(s.units, nil)
		}
		s.units[unit] = append(s.units[unit], b)
		s.at[b.Location] = unit
	}
	s.inferred, s.endless = make([]predabs.Mapping, len(s.units)), make([]bool, len(s.units))
	var complete bool
	if s.empty, complete = predabs.PredInfer(c, nil, user); !complete {
		s.empty = actionGuards(c, user)
	}
	return s
}

// actionGuards are the conditions of edges that perform actions, where these leave, and what user
// has: where all that precedes a condition goes on without end, as around a loop that counts,
// counterexamples tell which of it matters.
func actionGuards(c *program.Component, user predabs.Mapping) predabs.Mapping {
	m := make(predabs.Mapping, len(c.System.Locations))
	m.AddAll(user)
	for i, e := range c.System.Edges {
		for _, f := range logic.Conjuncts(e.Command.Guard) {
			if c.Actions[i] != "" && !slices.ContainsFunc(logic.Vars(f), func(v *logic.Term) bool { return slices.Contains(e.Command.Inputs, v) }) {
				m.Add(e.From, f)
			}
		}
	}
	return m
}

// maxSubject is of how many variables branches are put together.
const maxSubject = 1

// subject names the variables that formulas speak of, "" if there are many.
func subject(fs []*logic.Term) string {
	vs := logic.Vars(fs...)
	if len(vs) > maxSubject {
		return ""
	}
	return logic.Formats(vs, logic.C, " ")
}

// branches returns the chosen ones.
func (s *seeds) branches() (all []predabs.Branch) {
	for _, u := range s.chosen {
		all = append(all, s.units[u]...)
	}
	return all
}

// infer infers the predicates of a unit, once.
func (s *seeds) infer(u int) {
	if s.inferred[u] == nil {
		m, complete := predabs.PredInfer(s.component, s.units[u], nil)
		s.inferred[u], s.endless[u] = m, !complete
	}
}

// mapping infers predicates from a set of units: what is inferred from each of them.
func (s *seeds) mapping(set []int) predabs.Mapping {
	m := s.empty.Clone()
	for _, u := range set {
		s.infer(u)
		m.AddAll(s.inferred[u])
	}
	return m
}

// chooseBranches makes the mapping of a component what is inferred from branches that
// exclude a part, and all parts before it; 0 if no such set was found.
func (l *loop) chooseBranches(k *component, p *part) (added int, err error) {
	k.seeds.parts = append(k.seeds.parts, p)
	var set []int
	switch l.opts.Minimise {
	case Few, Minimal:
		set, err = l.absRefMin(k, p)
	case Smallest:
		set, err = l.absRefine(k, k.seeds.parts, nil)
	case Greedy:
		set, err = l.greedyMin(k)
	case Monotone:
		set, err = l.absRefine(k, []*part{p}, k.seeds.chosen)
	}
	if err != nil || set == nil || slices.Equal(set, k.seeds.chosen) {
		return 0, err
	}
	return max(1, l.seed(k, set)), nil
}

// seed makes the mapping of a component what is inferred from a set of branches, and returns
// how many predicates are new.
func (l *loop) seed(k *component, set []int) (added int) {
	k.seeds.chosen = set
	old := k.mapping
	k.mapping = k.seeds.mapping(set)
	if l.opts.Predicates == Auto { // interpolants stay
		k.mapping.AddAll(old)
	}
	for l := range k.mapping {
		for _, q := range k.mapping[l] {
			if !slices.Contains(old[l], q) {
				added++
			}
		}
	}
	return added
}

func union(a, b []int) []int {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

// excludes reports whether no initial state of the abstraction under a mapping can follow
// a part: AbsCanSimul ([Chaki05], Procedure 6.4), of which only the abstract steps are
// computed that it looks at: those along the part's blocks.
func (l *loop) excludes(k *component, m predabs.Mapping, p *part) (bool, error) {
	k.abstracter.Use(m)
	f := &follower{ctx: l.ctx, of: k.abstracter, part: p, known: map[place]bool{}}
	starts, err := k.abstracter.Starts(l.ctx)
	if err != nil {
		return false, err
	}
	for _, at := range starts {
		if at.Location != p.nodes[0].location {
			continue
		}
		if can, err := f.follows(0, at); can || err != nil {
			return false, err
		}
	}
	return true, nil
}

// follower is one call of AbsCanSimul.
type follower struct {
	ctx   context.Context
	of    *predabs.Abstracter
	part  *part
	known map[place]bool
}

// place is an abstract state at a node of a part.
type place struct {
	node  int
	state predabs.AbstractState
}

// follows reports whether a state can do what comes after a node.
func (f *follower) follows(n int, at predabs.AbstractState) (bool, error) {
	if can, seen := f.known[place{n, at}]; seen {
		return can, nil
	}
	can := !f.of.Contradicts(at, f.part.nodes[n].holds)
	for _, child := range f.part.nodes[n].children {
		if !can {
			break
		}
		some, err := f.some(child, at)
		if err != nil {
			return false, err
		}
		can = some
	}
	f.known[place{n, at}] = can
	return can, nil
}

// some reports whether a step from a state leads to one that can do what comes after a
// child.
func (f *follower) some(child int, at predabs.AbstractState) (bool, error) {
	taken := f.part.nodes[child].block
	if !slices.Contains(f.of.Blocks.Out[at.Location], taken) {
		return false, nil
	}
	targets, err := f.of.Successors(f.ctx, at, taken)
	if err != nil {
		return false, err
	}
	for _, t := range targets {
		if some, err := f.follows(child, t); some || err != nil {
			return some, err
		}
	}
	return false, nil
}

func (l *loop) excludesAll(k *component, set []int, parts []*part) (bool, error) {
	m := k.seeds.mapping(set)
	for i := len(parts) - 1; i >= 0; i-- { // the last one is the likeliest not to be
		if yes, err := l.excludes(k, m, parts[i]); !yes || err != nil {
			return false, err
		}
	}
	return true, nil
}

// candidates returns the units with branches on the way of parts, in the order of their
// numbers, and then the others: what contradicts itself does so there.
func (s *seeds) candidates(parts []*part) (all []int) {
	on := map[int]bool{}
	for _, p := range parts {
		for _, n := range p.nodes[1:] {
			for _, e := range p.of.Blocks.All[n.block].Edges {
				if i, is := s.at[s.component.System.Edges[e].From]; is {
					on[i] = true
				}
			}
		}
	}
	for _, wanted := range []bool{true, false} {
		for i := range s.units {
			if on[i] == wanted {
				all = append(all, i)
			}
		}
	}
	return all
}

// absRefine returns the first set of branches, in the order of their sizes, that excludes
// all parts together with some that are taken already (AbsRefine, Procedure 6.3), nil if there
// is none among those that are tried.
func (l *loop) absRefine(k *component, parts []*part, taken []int) (found []int, err error) {
	tried := 0
	from := k.seeds.candidates(parts)
	for size := 0; size <= len(from) && found == nil && err == nil; size++ {
		subsets(from, size, func(set []int) bool {
			if tried++; tried > l.opts.subsets() {
				return false
			}
			var yes bool
			all := union(set, taken)
			if yes, err = l.excludesAll(k, all, parts); yes {
				found = all
			}
			return err == nil && found == nil
		})
		if tried > l.opts.subsets() {
			break
		}
	}
	return found, err
}

// absRefMin is AbsRefMin (Procedure 7.1): it finds the sets of branches that exclude a part, those that
// contain others apart, and returns a smallest set that contains one of them for each part so far; nil
// if no set excludes some part. Few stops at the first size that has any (7.5.3).
func (l *loop) absRefMin(k *component, p *part) ([]int, error) {
	var sets [][]int
	var err error
	tried := 0
	from := k.seeds.candidates([]*part{p})
	more := true
	for size := 0; size <= len(from) && (len(sets) == 0 || l.opts.Minimise == Minimal) && err == nil && more; size++ {
		subsets(from, size, func(set []int) bool {
			if slices.ContainsFunc(sets, func(known []int) bool { return isSubset(known, set) }) {
				return true // with more predicates it stays excluded
			}
			if tried++; tried > l.opts.subsets() || len(sets) >= l.opts.eliminating() {
				more = false
				return false
			}
			var yes bool
			if yes, err = l.excludes(k, k.seeds.mapping(set), p); yes {
				sets = append(sets, slices.Clone(set))
			}
			return err == nil
		})
	}
	if err != nil || len(sets) == 0 {
		return nil, err
	}
	l.answer.Incomplete = l.answer.Incomplete || !more && l.opts.Minimise == Minimal
	k.seeds.excluding = append(k.seeds.excluding, sets)
	set, _, err := predabs.Minimize(l.ctx, l.solver, len(k.seeds.units), k.seeds.excluding)
	return set, err
}

// isSubset reports whether all numbers of a are in b; both are sorted.
func isSubset(a, b []int) bool {
	for _, n := range a {
		if _, has := slices.BinarySearch(b, n); !has {
			return false
		}
	}
	return true
}

// greedyMin leaves out branches, in random orders, as long as those that stay exclude
// all parts (GreedyMin, Procedure 7.3); nil if all branches together do not.
func (l *loop) greedyMin(k *component) ([]int, error) {
	set := make([]int, len(k.seeds.units))
	for i := range set {
		set[i] = i
	}
	if yes, err := l.excludesAll(k, set, k.seeds.parts); !yes || err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(l.opts.Seed, uint64(len(k.seeds.parts))))
	for again := true; again; {
		again = false
		for _, i := range r.Perm(len(set)) {
			fewer := slices.Delete(slices.Clone(set), i, i+1)
			yes, err := l.excludesAll(k, fewer, k.seeds.parts)
			if err != nil {
				return nil, err
			}
			if yes {
				set, again = fewer, true
				break
			}
		}
	}
	return set, nil
}

// subsets calls try for the subsets of some numbers with some size, those of the first ones
// first, each sorted and only valid during the call, until it returns false.
func subsets(from []int, size int, try func(set []int) bool) {
	at := make([]int, size)
	for i := range at {
		at[i] = i
	}
	set := make([]int, size)
	for {
		for i, k := range at {
			set[i] = from[k]
		}
		slices.Sort(set)
		if !try(set) {
			return
		}
		// The next in colexical order: the first position that can move up does.
		i := 0
		for i < size && (i+1 < size && at[i]+1 == at[i+1] || i+1 == size && at[i]+1 == len(from)) {
			i++
		}
		if i == size {
			return
		}
		at[i]++
		for j := range i {
			at[j] = j
		}
	}
}
