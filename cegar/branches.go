package cegar

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/predabs"
	"github.com/seltl/seltl/program"
)

// seeds are the branches of a component and what is known of them.
type seeds struct {
	component *program.Component
	all       []predabs.Branch
	at        map[int]int // numbers of branches by location
	// alike are the branches that speak of one variable only, by that variable: together
	// they are one predicate with many values ([Chaki05], 7.5.3).
	alike  map[*logic.Term][]int
	user   predabs.Mapping
	chosen []int // numbers of branches, sorted
	parts  []*part
	// excluding has for each of parts the sets of branches that exclude it, none of which
	// contains another.
	excluding [][][]int
	mappings  map[string]predabs.Mapping // by set: inferring takes longer than looking it up
}

func newSeeds(c *program.Component) *seeds {
	s := &seeds{component: c, all: predabs.Branches(c), at: map[int]int{}, alike: map[*logic.Term][]int{}, mappings: map[string]predabs.Mapping{}}
	for i, b := range s.all {
		s.at[b.Location] = i
		if v := only(b.Conditions); v != nil {
			s.alike[v] = append(s.alike[v], i)
		}
	}
	return s
}

// only returns the variable that formulas speak of, nil if there are several.
func only(fs []*logic.Term) *logic.Term {
	if vs := logic.Vars(fs...); len(vs) == 1 {
		return vs[0]
	}
	return nil
}

// family returns the branches that speak of the same variable alone, sorted.
func (s *seeds) family(i int) []int {
	if v := only(s.all[i].Conditions); v != nil {
		return s.alike[v]
	}
	return []int{i}
}

// branches returns the chosen ones.
func (s *seeds) branches() []predabs.Branch { return s.of(s.chosen) }

func (s *seeds) of(set []int) (out []predabs.Branch) {
	for _, i := range set {
		out = append(out, s.all[i])
	}
	return out
}

// mapping infers predicates from a sorted set of branches.
func (s *seeds) mapping(set []int) predabs.Mapping {
	key := fmt.Sprint(set)
	m, known := s.mappings[key]
	if !known {
		m, _ = predabs.PredInfer(s.component, s.of(set), s.user)
		s.mappings[key] = m
	}
	return m
}

// chooseBranches makes the mapping of a component what is inferred from branches that
// exclude a part, and all parts before it; 0 if no such set was found.
func (s *simulation) chooseBranches(k *component, p *part) (added int, err error) {
	k.seeds.parts = append(k.seeds.parts, p)
	var set []int
	switch s.opts.Minimise {
	case Minimal:
		set, err = s.absRefMin(k, p)
	case Smallest:
		set, err = s.absRefine(k, k.seeds.parts, nil)
	case Greedy:
		set, err = s.greedyMin(k)
	case Monotone:
		set, err = s.absRefine(k, []*part{p}, k.seeds.chosen)
	}
	if err != nil || set == nil || slices.Equal(set, k.seeds.chosen) {
		return 0, err
	}
	return max(1, s.seed(k, set)), nil
}

// seed makes the mapping of a component what is inferred from a set of branches, and returns
// how many predicates are new.
func (s *simulation) seed(k *component, set []int) (added int) {
	k.seeds.chosen = set
	old := k.mapping
	k.mapping = k.seeds.mapping(set).Clone()
	if s.opts.Predicates == Auto { // interpolants stay
		for l, ps := range old {
			k.track(l, ps)
		}
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
// computed that it looks at. With any, it may be followed by all steps with the same actions,
// otherwise by those along the part's blocks.
func (s *simulation) excludes(k *component, m predabs.Mapping, p *part, any bool) (bool, error) {
	k.abstracter.Use(m)
	f := &follower{ctx: s.ctx, of: k.abstracter, part: p, any: any, known: map[place]bool{}}
	starts, err := k.abstracter.Starts(s.ctx)
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
	any   bool
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
	can := true
	for _, child := range f.part.nodes[n].children {
		some, err := f.some(child, at)
		if err != nil {
			return false, err
		}
		if !some {
			can = false
			break
		}
	}
	f.known[place{n, at}] = can
	return can, nil
}

// some reports whether a step from a state leads to one that can do what comes after a
// child.
func (f *follower) some(child int, at predabs.AbstractState) (bool, error) {
	taken := f.part.nodes[child].block
	for _, b := range f.of.Blocks.Out[at.Location] {
		if b != taken && (!f.any || f.of.Actions[b] != f.of.Actions[taken]) {
			continue
		}
		targets, err := f.of.Successors(f.ctx, at, b)
		if err != nil {
			return false, err
		}
		for _, t := range targets {
			if some, err := f.follows(child, t); some || err != nil {
				return some, err
			}
		}
	}
	return false, nil
}

func (s *simulation) excludesAll(k *component, set []int, parts []*part) (bool, error) {
	m := k.seeds.mapping(set)
	for i := len(parts) - 1; i >= 0; i-- { // the last one is the likeliest not to be
		if yes, err := s.excludes(k, m, parts[i], false); !yes || err != nil {
			return false, err
		}
	}
	return true, nil
}

// candidates returns the branches that are on the way of parts, in the order of their
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
		for i := range s.all {
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
func (s *simulation) absRefine(k *component, parts []*part, taken []int) (found []int, err error) {
	tried := 0
	from := k.seeds.candidates(parts)
	for size := 0; size <= len(from) && found == nil && err == nil; size++ {
		subsets(from, size, func(set []int) bool {
			if tried++; tried > s.opts.subsets() {
				return false
			}
			var yes bool
			all := union(set, taken)
			if yes, err = s.excludesAll(k, all, parts); yes {
				found = all
			}
			return err == nil && found == nil
		})
		if tried > s.opts.subsets() {
			break
		}
	}
	return found, err
}

// absRefMin is AbsRefMin (Procedure 7.1): it finds the sets of branches that exclude a part,
// sizes one after the other until one has any (7.5.3), and returns a smallest set that
// contains one of them for each part so far; nil if no set excludes some part.
func (s *simulation) absRefMin(k *component, p *part) ([]int, error) {
	var sets [][]int
	var err error
	tried := 0
	from := k.seeds.candidates([]*part{p})
	for size := 0; size <= len(from) && len(sets) == 0 && err == nil && tried <= s.opts.subsets(); size++ {
		subsets(from, size, func(set []int) bool {
			if tried++; tried > s.opts.subsets() || len(sets) >= s.opts.eliminating() {
				return false
			}
			var yes bool
			if yes, err = s.excludes(k, k.seeds.mapping(set), p, false); yes {
				sets = append(sets, slices.Clone(set))
			}
			return err == nil
		})
	}
	if err != nil || len(sets) == 0 {
		return nil, err
	}
	k.seeds.excluding = append(k.seeds.excluding, sets)
	set, _, err := predabs.Minimize(s.ctx, s.solver, len(k.seeds.all), k.seeds.excluding)
	return set, err
}

// greedyMin leaves out branches, in random orders, as long as those that stay exclude
// all parts (GreedyMin, Procedure 7.3); nil if all branches together do not.
func (s *simulation) greedyMin(k *component) ([]int, error) {
	set := make([]int, len(k.seeds.all))
	for i := range set {
		set[i] = i
	}
	if yes, err := s.excludesAll(k, set, k.seeds.parts); !yes || err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(s.opts.Seed, uint64(len(k.seeds.parts))))
	for again := true; again; {
		again = false
		for _, i := range r.Perm(len(set)) {
			fewer := slices.Delete(slices.Clone(set), i, i+1)
			yes, err := s.excludesAll(k, fewer, k.seeds.parts)
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
