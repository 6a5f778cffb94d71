package sim

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// localGoal reads goals about local states: "p.0 in CRIT & p.1 in CRIT". It is nil without an
// error for a goal of another kind.
func (s *Session) localGoal(goal string) (*target, error) {
	type local struct {
		component int32
		states    map[int32]bool
	}
	var all []local
	for part := range strings.SplitSeq(goal, "&") {
		words := strings.Fields(part)
		if len(words) != 3 || words[1] != "in" {
			return nil, nil
		}
		c, err := s.component(words[0])
		if err != nil {
			return nil, err
		}
		states := s.statesNamed(c, words[2])
		if len(states) == 0 {
			names := s.stateNames(c)
			return nil, &NotPossible{Text: fmt.Sprintf("%s has no state %s", s.net.ComponentName(c), words[2]),
				Help: cmp.Or(source.DidYouMean(words[2], names), "states: "+someOf(names))}
		}
		all = append(all, local{int32(c), states})
	}
	return &target{state: func(v *met) bool {
		return !slices.ContainsFunc(all, func(l local) bool {
			at := s.net.Local(v.state, l.component)
			return !l.states[at] || s.net.LabelVoid(v.kind, l.component, at)
		})
	}}, nil
}

// component finds a component by its name, or by the prefix before its process.
func (s *Session) component(name string) (int, error) {
	wanted, names := dotted(name), s.Components()
	var known []string
	for i, n := range names {
		before, _, _ := strings.Cut(n, ":")
		if n == name || dotted(n) == wanted || before == wanted || baseName(n) == name && len(names) == 1 {
			return i, nil
		}
		if !s.Watching(i) {
			known = append(known, n)
		}
	}
	if i := slices.IndexFunc(names, func(n string) bool { return baseName(n) == name }); i >= 0 {
		return i, nil
	}
	return 0, &NotPossible{Text: "there is no component " + name, Help: cmp.Or(source.DidYouMean(name, known), "components: "+someOf(known))}
}

// statesNamed are the local states of a component that have a name: several can.
func (s *Session) statesNamed(component int, name string) map[int32]bool {
	m, found := s.net.Components()[component], map[int32]bool{}
	for i := range int32(m.NumStates()) {
		if m.StateName(i) == name {
			found[i] = true
		}
	}
	return found
}

func (s *Session) stateNames(component int) []string {
	m := s.net.Components()[component]
	var names []string
	for i := range int32(m.NumStates()) {
		names = append(names, m.StateName(i))
	}
	return names
}

// hintLocal adds to the error of a goal that is the name of a local state how that is written.
func (s *Session) hintLocal(goal string, err error) error {
	segment := goal[strings.LastIndexByte(goal, '.')+1:]
	for i, name := range s.Components() {
		if s.Watching(i) || len(s.statesNamed(i, segment)) == 0 {
			continue
		}
		short, _, _ := strings.Cut(name, ":")
		if segment != goal && !strings.HasPrefix(dotted(goal), short) {
			continue
		}
		return &NotPossible{Text: fmt.Sprintf("%s is no proposition, but a local state", goal), Help: fmt.Sprintf("goto %s in %s", short, segment)}
	}
	return err
}

// someOf lists names, of many the first.
func someOf(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(", and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}
