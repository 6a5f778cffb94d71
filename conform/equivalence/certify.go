package equivalence

import (
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/numset"
	"github.com/seltl/seltl/internal/partition"
	"github.com/seltl/seltl/lks"
)

// certify checks that class is an equivalence of that kind.
func (s *system) certify(class []int32, q Relation, meter *budget.Meter) error {
	if err := tick(meter, s.len()); err != nil {
		return err
	}
	representative := map[int32]int32{}
	for state, c := range class {
		first, ok := representative[c]
		if !ok {
			representative[c] = int32(state)
		} else if s.label[first] != s.label[state] {
			return bug.Errorf("equivalence", "the equivalence relates states that look different")
		}
	}
	switch q {
	case Strong:
		return s.certifySteps(class, s.edges, meter)
	case Weak:
		return s.certifySteps(class, newWeakSteps(s).of, meter)
	}
	return s.certifyBranching(class)
}

var errNotStable = bug.Errorf("equivalence", "a step is not matched by an equivalent state")

// certifySteps: members of a class have the same steps into classes, strong or weak
// ones.
func (s *system) certifySteps(class []int32, of func(state int32) []lks.Edge, meter *budget.Meter) error {
	seen := map[int32][]lks.Edge{}
	for state := range int32(s.len()) {
		if state%256 == 0 {
			if err := tick(meter, int(state)); err != nil {
				return err
			}
		}
		steps := signature(state, class, of)
		if first, ok := seen[class[state]]; !ok {
			seen[class[state]] = steps
		} else if !slices.Equal(first, steps) {
			return errNotStable
		}
	}
	return nil
}

// certifyBranching: what one member of a class can do, beyond silent steps inside
// the class, all can do after such steps.
func (s *system) certifyBranching(class []int32) error {
	inertInto := make([][]int32, s.len())
	for state, steps := range s.out {
		for _, e := range steps {
			if e.Action == lks.TauID && class[state] == class[e.Target] {
				inertInto[e.Target] = append(inertInto[e.Target], int32(state))
			}
		}
	}
	var seen numset.Stamps
	for c, states := range partition.Of(class).Members {
		able := map[lks.Edge][]int32{}
		for _, state := range states {
			for _, e := range signature(state, class, s.edges) {
				if e.Action != lks.TauID || e.Target != int32(c) {
					able[e] = append(able[e], state)
				}
			}
		}
		for _, todo := range able {
			seen.Clear(s.len())
			for _, state := range todo {
				seen.Add(state)
			}
			for i := 0; i < len(todo); i++ {
				for _, u := range inertInto[todo[i]] {
					if seen.Add(u) {
						todo = append(todo, u)
					}
				}
			}
			if len(todo) != len(states) {
				return errNotStable
			}
		}
	}
	return nil
}
