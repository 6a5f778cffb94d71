package product

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
)

// Replay checks that a lasso is a run of the network, from its description
// alone: it starts in local initial states; every rule's parts, and only they,
// move by transitions of their LKSs (thesis Def. 5) to the next state; no rule
// that is enabled has precedence; the recorded propositions, possible actions,
// events and movers are right; stuttering happens only where nothing is
// possible; and the loop closes. It uses neither packed states nor an explorer.
// It returns nil or says which step is wrong.
func Replay(net *lks.Network, l *Lasso) error {
	if len(l.Loop) == 0 {
		return fmt.Errorf("the loop is empty")
	}
	return replay(net, l.Steps(), &l.Loop[0].State)
}

// replay checks steps, the last of which leads to a state.
func replay(net *lks.Network, steps []Step, last *State) error {
	at := func(i int) *State {
		if i < len(steps) {
			return &steps[i].State
		}
		return last
	}
	for i := range len(steps) + 1 {
		if err := checkState(net, at(i)); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	for c, m := range net.Components() {
		if !slices.Contains(m.Initial(), at(0).Local[c]) {
			return fmt.Errorf("step 1: component %d does not start in state %d", c, at(0).Local[c])
		}
	}
	for i := range steps {
		if err := checkStep(net, &steps[i], at(i+1)); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

// checkState checks what a state is said to be.
func checkState(net *lks.Network, s *State) error {
	if len(s.Local) != len(net.Components()) {
		return fmt.Errorf("%d local states for %d components", len(s.Local), len(net.Components()))
	}
	for c, m := range net.Components() {
		if s.Local[c] < 0 || int(s.Local[c]) >= m.NumStates() {
			return fmt.Errorf("component %d has no state %d", c, s.Local[c])
		}
	}
	kind := lks.Normal
	for c, m := range net.Components() {
		if m.Kind(s.Local[c]) == lks.Error {
			kind = lks.Error
		}
	}
	if kind == lks.Normal && hasTerminated(net, s.Local) {
		kind = lks.End
	}
	if kind != s.Kind {
		return fmt.Errorf("the kind of the state is %d, not %d", kind, s.Kind)
	}
	if props := net.TrueProps(s.Local, kind); !slices.Equal(props, s.Props) {
		return fmt.Errorf("propositions are %v, not %v", props, s.Props)
	}
	var names []string
	for _, r := range possibleRules(net, s) {
		names = append(names, net.Alphabet()[net.Rules()[r].Action])
	}
	slices.Sort(names)
	if names = slices.Compact(names); !slices.Equal(names, s.Enabled) {
		return fmt.Errorf("possible actions are %v, not %v", names, s.Enabled)
	}
	return nil
}

// hasTerminated reports whether nothing is possible in local states of which none is
// Error, and all components that decide on termination are at their END.
func hasTerminated(net *lks.Network, local []int32) bool {
	decide := net.Termination().Deciders
	for _, c := range decide {
		if net.Components()[c].Kind(local[c]) != lks.End {
			return false
		}
	}
	return decide != nil && len(offeredRules(net, local)) == 0
}

// possibleRules returns the rules that are possible in s: those all of whose
// parts are, unless others have priority.
func possibleRules(net *lks.Network, s *State) []int32 {
	if s.Kind != lks.Normal {
		return nil
	}
	possible := offeredRules(net, s.Local)
	for _, low := range net.Low() {
		isLow := func(r int32) bool { return low[r] }
		if !slices.ContainsFunc(possible, func(r int32) bool { return !low[r] }) {
			continue
		}
		possible = slices.DeleteFunc(possible, isLow)
	}
	return possible
}

// offeredRules returns the rules all of whose parts are possible.
func offeredRules(net *lks.Network, local []int32) []int32 {
	// Which local actions are offered is looked up once, so that a state costs
	// time linear in its edges and the rules.
	offers := make([][]bool, len(net.Components()))
	for c, m := range net.Components() {
		offers[c] = make([]bool, len(m.Alphabet()))
		for _, e := range m.Edges(local[c]) {
			offers[c][e.Action] = true
		}
	}
	var possible []int32
	for i, r := range net.Rules() {
		blocked := slices.ContainsFunc(r.Parts, func(p lks.Part) bool { return !offers[p.Component][p.Action] })
		if !blocked {
			possible = append(possible, int32(i))
		}
	}
	return possible
}

// checkStep checks the move from one state to the next.
func checkStep(net *lks.Network, s *Step, next *State) error {
	possible := possibleRules(net, &s.State)
	if s.Rule == Stutter {
		switch {
		case len(possible) > 0:
			return fmt.Errorf("the run stutters where %d rules are possible", len(possible))
		case s.Event != "" || len(s.Moved) > 0:
			return fmt.Errorf("stuttering has event %q and moves %v", s.Event, s.Moved)
		case !slices.Equal(s.State.Local, next.Local):
			return fmt.Errorf("stuttering changes the state from %v to %v", s.State.Local, next.Local)
		}
		return nil
	}
	if !slices.Contains(possible, s.Rule) {
		if s.Rule < 0 || int(s.Rule) >= len(net.Rules()) {
			return fmt.Errorf("there is no rule %d", s.Rule)
		}
		return fmt.Errorf("%s is not possible", net.Alphabet()[net.Rules()[s.Rule].Action])
	}
	r := net.Rules()[s.Rule]
	if event := net.Alphabet()[r.Action]; event != s.Event {
		return fmt.Errorf("the event is %q, not %q", event, s.Event)
	}
	moves := map[int32]int32{} // component to local action
	for _, p := range r.Parts {
		moves[p.Component] = p.Action
	}
	if len(moves) != len(s.Moved) {
		return fmt.Errorf("%d components move, not %d", len(moves), len(s.Moved))
	}
	for i, m := range net.Components() {
		c := int32(i)
		action, takesPart := moves[c]
		from, to := s.State.Local[c], next.Local[c]
		switch {
		case takesPart != slices.Contains(s.Moved, c):
			return fmt.Errorf("component %d takes part: %t", c, takesPart)
		case !takesPart && from != to:
			return fmt.Errorf("component %d moves from %d to %d without a part in %q", c, from, to, s.Event)
		case takesPart && !slices.Contains(m.Edges(from), lks.Edge{Action: action, Target: to}):
			return fmt.Errorf("component %d has no transition %d -%s-> %d", c, from, m.Alphabet()[action], to)
		}
	}
	return nil
}

// confirm replays a counterexample on the components and evaluates the formula
// on it by the semantics of ltl. The error is an *bug.Error.
func confirm(net *lks.Network, f *ltl.Formula, l *Lasso) error {
	if err := Replay(net, l); err != nil {
		return &bug.Error{Stage: "replay of the counterexample", Err: err}
	}
	if ltl.Eval(f, l.Word()) {
		return &bug.Error{Stage: "evaluation of the counterexample", Err: fmt.Errorf("%v holds on %v", f, l)}
	}
	return nil
}
