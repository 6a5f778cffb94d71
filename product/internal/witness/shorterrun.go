package witness

import (
	"slices"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/meet"
)

// shorterWork bounds the search for a run that is shorter than the shortest that
// the automaton accepts: edges followed and letters read.
const shorterWork = 1 << 21

// ShorterRun looks for a run of the network that violates f with fewer steps in
// stem and loop together than this. The automaton may accept such a run only by a
// longer way round: it distinguishes moments that the formula does not. So all
// walks are tried, shortest first; where one comes back to a state that it has
// visited, it is a lasso, and f is evaluated on it.
//
// stutter says that states without successors repeat for ever.
//
// It returns nil if there is none; all reports whether all walks were tried, so
// that no violating run is shorter, or than the one returned. The number of walks
// is exponential in their length.
func ShorterRun(net *lks.Network, f *ltl.Formula, stutter bool, length int) (lasso *run.Run, all bool, err error) {
	s := &walks{net: net, ex: net.Explorer(), f: f, stutter: stutter, index: map[ltl.Atom]int{}}
	atoms := ltl.Atoms(f)
	for i, a := range atoms {
		s.index[a] = i
	}
	if s.bind, err = meet.NewBinding(net, atoms); err != nil {
		return nil, false, err
	}
	end, all := s.search(length - 1)
	if end < 0 {
		return nil, all, nil
	}
	lasso, err = s.describe(end)
	return lasso, true, err
}

// walks are all walks up to a length, as a tree.
type walks struct {
	net     *lks.Network
	ex      *lks.Explorer
	f       *ltl.Formula
	bind    *meet.Binding
	index   map[ltl.Atom]int
	stutter bool
	nodes   []walkNode
	states  []uint64 // by node: where it has come to
	work    int
}

// walkNode is the last step of a walk.
type walkNode struct {
	parent int32 // -1: no step yet
	rule   int32
	letter int32 // of the binding: what is true in the parent's state, events apart
}

func (s *walks) state(n int32) []uint64 {
	w := s.net.Words()
	return s.states[int(n)*w : int(n+1)*w]
}

// search returns the end of a shortest walk that violates f as a lasso, or -1;
// all is false if the bound on the work was reached before.
func (s *walks) search(depth int) (end int32, all bool) {
	var succ lks.Successors
	w := s.net.Words()
	s.ex.Initial(&succ)
	for i := range succ.Len() {
		s.add(walkNode{parent: -1}, succ.States[i*w:(i+1)*w])
	}
	from := 0
	for length := 1; length <= depth; length++ {
		to := len(s.nodes)
		for n := int32(from); int(n) < to; n++ {
			s.ex.Successors(s.state(n), &succ)
			letter := s.bind.LetterOf(s.state(n), &succ)
			if succ.Len() == 0 && s.stutter {
				if m := s.add(walkNode{n, run.Stutter, letter}, slices.Clone(s.state(n))); s.violates(m) {
					return m, true
				}
			}
			for i, rule := range succ.Rules {
				if m := s.add(walkNode{n, rule, letter}, succ.States[i*w:(i+1)*w]); s.violates(m) {
					return m, true
				}
			}
			if s.work += 1 + succ.Len(); s.work > shorterWork {
				return -1, false
			}
		}
		from = to
	}
	return -1, true
}

func (s *walks) add(n walkNode, state []uint64) int32 {
	s.nodes = append(s.nodes, n)
	s.states = append(s.states, state...)
	return int32(len(s.nodes) - 1)
}

// steps returns the nodes of the walk to n, the first without a step.
func (s *walks) steps(n int32) []int32 {
	var way []int32
	for ; n >= 0; n = s.nodes[n].parent {
		way = append(way, n)
	}
	slices.Reverse(way)
	return way
}

// violates reports whether the walk to n closes a loop with which it violates f.
func (s *walks) violates(n int32) bool { return s.loopOf(n) >= 0 }

// loopOf returns the first step of a loop that the walk to n closes such that it
// violates f, or -1.
func (s *walks) loopOf(n int32) int {
	way := s.steps(n)
	var word []ltl.Letter
	for i, m := range way[:len(way)-1] {
		s.work++
		if !slices.Equal(s.state(m), s.state(n)) {
			continue
		}
		if word == nil {
			word = s.letters(way)
		}
		s.work += len(word)
		if !ltl.Eval(s.f, ltl.Word{Stem: word[:i], Loop: word[i:]}) {
			return i
		}
	}
	return -1
}

// letters reads the steps of a walk.
func (s *walks) letters(way []int32) []ltl.Letter {
	var word []ltl.Letter
	for _, n := range way[1:] {
		v := slices.Clone(s.bind.Letter[int(s.nodes[n].letter)*s.bind.Words:][:s.bind.Words])
		if rule := s.nodes[n].rule; rule != run.Stutter {
			meet.Or(v, s.bind.Events[s.bind.Class[rule]])
		}
		word = append(word, func(a ltl.Atom) bool {
			i := s.index[a]
			return v[i/64]>>(i%64)&1 != 0
		})
	}
	return word
}

// describe makes a lasso of the walk to n, which violates f.
func (s *walks) describe(n int32) (*run.Run, error) {
	var states [][]uint64
	var rules []int32
	for i, m := range s.steps(n) {
		states = append(states, s.state(m))
		if i > 0 {
			rules = append(rules, s.nodes[m].rule)
		}
	}
	return run.Unpack(s.net, states, rules, s.loopOf(n))
}
