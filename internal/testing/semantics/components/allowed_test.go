package components

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	model "github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// encoded is the encoding of a component, which certificates are about, run by evaluation: its states
// are a location and values.
type encoded struct {
	*model.Component
	out   [][]int // edges by location
	waits []bool
	props []bind.Proposition
	names map[string]string // of actions, as the meaning calls them
	ids   map[string]int
	at    []concrete
	moves [][]arrow // by state, nil where they are not known yet
	seen  []view
}

// concrete is a state of an encoding.
type concrete struct {
	location int
	values   logic.Model
}

// arrow is a step of an encoding.
type arrow struct {
	action string
	to     int
}

// view is what a question sees of a state: '0' and '1' by proposition, '?' where it has no value; ""
// where the run has left what is modelled.
type view string

// agrees reports whether two views may be of the same state.
func (v view) agrees(w view) bool {
	if v == "" || w == "" {
		return true
	}
	for i := range v {
		if v[i] != w[i] && v[i] != '?' && w[i] != '?' {
			return false
		}
	}
	return true
}

// outgrown ends what becomes too large to enumerate.
type outgrown struct{}

const mostEncoded = 6_000

func newEncoded(k *bind.Component, names map[string]string, order []string) *encoded {
	e := &encoded{Component: k.Encoding.Component(k.Encoding.Words), names: names, ids: map[string]int{}}
	e.waits = e.Waiting()
	e.out = make([][]int, len(e.System.Locations))
	for i, edge := range e.System.Edges {
		e.out[edge.From] = append(e.out[edge.From], i)
	}
	for _, name := range order {
		i := slices.IndexFunc(k.Propositions, func(p bind.Proposition) bool { return p.Name == name })
		e.props = append(e.props, k.Propositions[i])
	}
	return e
}

// tried are the values that are tried of a choice.
func tried(sort *logic.Sort) (all []logic.Value) {
	if sort.Kind() != logic.BitVecKind {
		panic(outgrown{})
	}
	most := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(sort.Width())), big.NewInt(1))
	add := func(n *big.Int) {
		n = new(big.Int).And(n, most)
		if v := logic.NumValue(new(big.Rat).SetInt(n), sort); !slices.ContainsFunc(all, func(w logic.Value) bool { return v.Compare(w) == 0 }) {
			all = append(all, v)
		}
	}
	for _, n := range []int64{0, 1, 2, 3, 4, 5, 7, 8, 44, 127, 128, 255, 256, 300, -1, -2, -3, -4, -128} {
		add(big.NewInt(n))
	}
	return all
}

// valuations are all ways to choose values of variables.
func valuations(vars []*logic.Term) []logic.Model {
	all := []logic.Model{{}}
	for _, v := range vars {
		var next []logic.Model
		for _, m := range all {
			for _, value := range tried(v.Sort()) {
				n := maps.Clone(m)
				n[v.Name()] = value
				next = append(next, n)
			}
		}
		if all = next; len(all) > 8_000 {
			panic(outgrown{})
		}
	}
	return all
}

// enter numbers a state.
func (e *encoded) enter(location int, values logic.Model) int {
	key := strings.Builder{}
	fmt.Fprint(&key, location)
	for _, v := range e.System.Vars {
		fmt.Fprint(&key, " ", values[v.Name()])
	}
	n, known := e.ids[key.String()]
	if !known {
		n = len(e.at)
		if n == mostEncoded {
			panic(outgrown{})
		}
		e.ids[key.String()] = n
		e.at, e.moves, e.seen = append(e.at, concrete{location, values}), append(e.moves, nil), append(e.seen, e.view(location, values))
	}
	return n
}

func (e *encoded) view(location int, values logic.Model) view {
	if _, lost := e.Lost[location]; lost {
		return ""
	}
	v := "."
	for _, p := range e.props {
		sign := "0"
		switch {
		case p.Label && slices.Contains(p.At, location):
			sign = "1"
		case p.Label:
		case p.Undefined != nil && holdsOf(p.Undefined, values):
			sign = "?"
		case holdsOf(p.Formula, values):
			sign = "1"
		}
		v += sign
	}
	return view(v)
}

func holdsOf(f *logic.Term, values logic.Model) bool {
	ok, err := logic.Holds(f, values)
	if err != nil {
		panic(err)
	}
	return ok
}

// initial are the states in which runs begin.
func (e *encoded) initial() (all []int) {
	for _, r := range e.System.Init {
		fixed := logic.Model{}
		for _, f := range logic.Conjuncts(r.Where) {
			if f.Op() != logic.OpEq {
				continue
			}
			for k, x := range f.Args() {
				if y := f.Args()[1-k]; x.Op() == logic.OpVar && y.Op() == logic.OpNumber {
					v, err := logic.Eval(y, nil)
					if err != nil {
						panic(err)
					}
					fixed[x.Name()] = v
				}
			}
		}
		var open []*logic.Term
		for _, v := range e.System.Vars {
			if _, is := fixed[v.Name()]; !is {
				open = append(open, v)
			}
		}
		for _, m := range valuations(open) {
			maps.Copy(m, fixed)
			if holdsOf(r.Where, m) {
				all = append(all, e.enter(r.Location, m))
			}
		}
	}
	return all
}

// from are the steps that leave a state.
func (e *encoded) from(n int) []arrow {
	if e.moves[n] != nil {
		return e.moves[n]
	}
	here, all := e.at[n], []arrow{}
	for _, i := range e.out[here.location] {
		edge := &e.System.Edges[i]
		action := e.Actions[i]
		if as, is := e.names[action]; is {
			action = as
		}
		for _, inputs := range valuations(edge.Command.Inputs) {
			after, err := edge.Command.Step(here.values, inputs)
			if err != nil {
				continue
			}
			if a := (arrow{action, e.enter(edge.To, after)}); !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	e.moves[n] = all
	return all
}

// silently are states with all that silent steps lead to without a change of the view; sorted.
func (e *encoded) silently(states []int) []int {
	in := map[int]bool{}
	all := slices.Clone(states)
	for _, n := range all {
		in[n] = true
	}
	for i := 0; i < len(all); i++ {
		for _, a := range e.from(all[i]) {
			if a.action == "" && e.seen[a.to].agrees(e.seen[all[i]]) && !in[a.to] {
				in[a.to] = true
				all = append(all, a.to)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// follow are the states behind an action that agree with a view.
func (e *encoded) follow(states []int, action string, v view) (all []int) {
	for _, n := range states {
		for _, a := range e.from(n) {
			if a.action == action && e.seen[a.to].agrees(v) {
				all = append(all, a.to)
			}
		}
	}
	return e.silently(all)
}

// lost reports whether a run may have left what is modelled: then nothing is proved.
func (e *encoded) lost(states []int) bool {
	return slices.ContainsFunc(states, func(n int) bool {
		return e.seen[n] == "" || slices.ContainsFunc(e.from(n), func(a arrow) bool { return a.action == "" && e.seen[a.to] == "" })
	})
}

// refuses reports whether one of the states can be left by some of the actions alone, and is one in
// which the component waits, or has ended.
func (e *encoded) refuses(states []int, ended bool, possible map[string]bool) bool {
	return slices.ContainsFunc(states, func(n int) bool {
		at := e.at[n].location
		_, over := slices.BinarySearch(e.Ends, at)
		return (e.waits[at] || over || len(e.from(n)) > 0) && (over || !ended) && !slices.ContainsFunc(e.from(n), func(a arrow) bool { return !possible[a.action] })
	})
}

// circles reports whether silent steps lead round and round among states.
func (e *encoded) circles(states []int) bool {
	left := map[int]bool{}
	for _, n := range states {
		left[n] = true
	}
	for changed := true; changed; {
		changed = false
		for n := range left {
			if !slices.ContainsFunc(e.from(n), func(a arrow) bool { return a.action == "" && left[a.to] }) {
				delete(left, n)
				changed = true
			}
		}
	}
	return len(left) > 0
}

// allowance is the question whether an encoding allows what a component does.
type allowance struct {
	c      *composed // of that component alone
	alive  []bool
	e      *encoded
	quiet  bool    // nothing is asked about its returning
	within [][]int // states of the encoding, by state of the component that was come to
	steps  int
}

// refuted says what the component does that the encoding does not allow, "" if it allows all.
// Each state is come to on one way; each step that leaves it has to be possible behind that.
func (x *allowance) refuted() string {
	x.alive, x.within = x.c.alive(), make([][]int, len(x.c.states))
	begin := x.e.initial()
	var work []int
	enter := func(n int, states []int) {
		if x.within[n] == nil {
			x.within[n] = states
			work = append(work, n)
		}
	}
	for _, n := range x.c.initial {
		if !x.alive[n] || x.c.states[n].special != ordinary {
			continue
		}
		var states []int
		for _, b := range begin {
			if x.e.seen[b].agrees(x.view(n)) {
				states = append(states, b)
			}
		}
		if len(states) == 0 {
			return fmt.Sprintf("no beginning with %s", x.view(n))
		}
		enter(n, x.e.silently(states))
	}
	for i := 0; i < len(work); i++ {
		n := work[i]
		if x.e.lost(x.within[n]) {
			continue
		}
		if why := x.leaves(n, enter); why != "" {
			return why
		}
	}
	return ""
}

// leaves looks at what leaves a state.
func (x *allowance) leaves(n int, enter func(int, []int)) string {
	g, states := x.c.states[n], x.within[n]
	possible, stable := map[string]bool{}, true
	for _, m := range g.edges {
		if x.quiet && strings.HasPrefix(m.action, "return!") {
			m.action = ""
		}
		to := &x.c.states[m.to]
		switch {
		case to.special == refused, !x.alive[m.to]:
			stable = false
			continue
		case to.special == mistake:
			return fmt.Sprintf("a mistake at %s", x.view(n))
		}
		x.steps++
		v := x.view(m.to)
		next := states
		if m.action != "" || v != x.view(n) {
			next = x.e.follow(states, m.action, v)
		}
		if len(next) == 0 {
			return fmt.Sprintf("the step %q from %s to %s", m.action, x.view(n), v)
		}
		if possible[m.action], stable = true, stable && m.action != ""; x.within[m.to] == nil {
			enter(m.to, next)
		}
		if m.to == n && m.action == "" && !x.e.circles(states) {
			return fmt.Sprintf("silent steps for ever at %s", v)
		}
	}
	if stable && !x.e.refuses(states, g.ended, possible) {
		return fmt.Sprintf("that %s can do nothing but %q", x.view(n), slices.Sorted(maps.Keys(possible)))
	}
	return ""
}

func (x *allowance) view(n int) view {
	l := &x.c.locals[0].states[x.c.states[n].parts[0]]
	v := "."
	for i, h := range l.holds {
		switch {
		case l.undefined[i]:
			v += "?"
		case h:
			v += "1"
		default:
			v += "0"
		}
	}
	return view(v)
}

// allowed asks of each component of a case whether its encoding allows all that it means.
func allowed(t *testing.T, pool *smt.Pool, k Case, formula string, limit int) (refuted string, steps int, err error) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(outgrown); !is {
				recovered(&err)
				panic(r)
			}
			err = errors.New("the encoding has too many states")
		}
	}()
	spec, err := specification.Parse(source.NewFile("a.spec", k.Spec))
	if err != nil {
		return "", 0, err
	}
	f, err := ltl.ParseText(formula, ltl.ParseOptions{Vocabulary: atoms{}})
	if err != nil {
		return "", 0, err
	}
	all, q, own, err := apart(k, f, limit)
	if err != nil {
		return "", 0, err
	}
	task := bind.Task{Sources: []*source.File{source.NewFile("a.c", k.C)}, Spec: spec, Program: k.Process, PrivateGlobals: true, Unclaimed: true, C: cfront.Options{Model: ir.LP64}}
	for _, a := range ltl.Atoms(f) {
		if a.Kind != ltl.Deadlock {
			task.Propositions = append(task.Propositions, a.Name)
		}
	}
	s, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	bound, err := bind.Bind(t.Context(), &task, s)
	pool.Release(s)
	if err != nil {
		return "", 0, err
	}
	for i, c := range all {
		x := &allowance{c: c, quiet: len(bound.Components[i].Context.Returns) == 0, e: newEncoded(bound.Components[i], returnsOf(own, bound, q, i), namesOf(q.props[i]))}
		why := x.refuted()
		if steps += x.steps; why != "" {
			return bound.Components[i].Name + ": " + why, steps, nil
		}
	}
	return "", steps, nil
}

// apart are the components of a case, each alone.
func apart(k Case, f *ltl.Formula, limit int) (all []*composed, q *question, spec *specFile, err error) {
	defer recovered(&err)
	spec = readSpec(k.Spec, k.Process, k.Constants)
	q = spec.asked(f, readC(k.C))
	guards := spec.guards(nil)
	for i := range spec.members {
		all = append(all, compose([]*locals{graphOf(spec, readC(k.C), i, q).explore(guards[i], limit)}, limit))
	}
	return all, q, spec, nil
}

func namesOf(props []proposition) (all []string) {
	for _, p := range props {
		all = append(all, p.name)
	}
	return all
}

// returnsOf names the actions of returning of a component as the meaning does: by what conditions
// hold.
func returnsOf(spec *specFile, bound *bind.Question, q *question, member int) map[string]string {
	classes := map[string]int{}
	name := spec.members[member].name
	for atom, actions := range bound.Returns {
		who, rest := memberOf(atom)
		if !slices.Contains(spec.about(who), member) {
			continue
		}
		at := slices.IndexFunc(q.results[member], func(c condition) bool { return c.text == returned(rest) })
		for _, a := range actions {
			if at < 0 {
				classes[a] |= 0
			} else {
				classes[a] |= 1 << at
			}
		}
	}
	all := map[string]string{}
	for _, class := range bound.Components[member].Context.Returns {
		all[class.Action] = returnName(name, len(q.results[member]), classes[class.Action])
	}
	for _, e := range q.events[member] {
		for class := range 1 << len(e.conditions) {
			all[eventAction(spec, name, &e, class)] = e.name(name, class)
		}
	}
	return all
}

// eventAction is what the engine calls an event: with the conditions that hold.
func eventAction(spec *specFile, member string, e *event, class int) string {
	action := e.routine
	if e.back {
		action += ".return"
	}
	var holds []string
	for i, c := range e.conditions {
		if class>>i&1 == 1 {
			holds = append(holds, c.text)
		}
	}
	if len(holds) > 0 {
		action += " {" + strings.Join(holds, " && ") + "}"
	}
	if len(spec.members) > 1 {
		return member + "::" + action
	}
	return action
}

// observing is a formula that speaks of all that those of a case speak of.
func observing(d *Drawn) string {
	var all []string
	for i := range d.Formulas {
		all = append(all, "("+d.Formula(i)+")")
	}
	return strings.Join(all, " & ")
}

// TestEncodingAllows: what a certificate is about, the encoding of a component, allows each step of
// what the component means, each wait, each end, and to go on silently for ever. What of a choice is
// enumerated are a few values, so the encoding may allow more, which is no harm.
func TestEncodingAllows(t *testing.T) {
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	n, seed := soak.Long(60), 1
	if k, err := strconv.Atoi(os.Getenv("SELTL_SYSTEMS")); err == nil {
		n = k
	}
	if k, err := strconv.Atoi(os.Getenv("SELTL_SEED")); err == nil {
		seed = k
	}
	checked, steps, left := 0, 0, map[string]int{}
	for i := range n {
		d := Random(rand.New(rand.NewPCG(uint64(seed+i), 3)))
		why, k, err := allowed(t, pool, d.Case, observing(d), 1_000)
		switch {
		case err != nil:
			left[string([]rune(err.Error())[:min(60, len([]rune(err.Error())))])]++
		case why != "":
			t.Errorf("seed %d: the encoding does not allow %s\n%s\n%s", seed+i, why, d.C, d.Spec)
		default:
			checked, steps = checked+1, steps+k
		}
	}
	t.Log(checked, "cases with", steps, "steps; left out:", left)
	if checked < n/4 {
		t.Errorf("only %d cases of %d", checked, n)
	}
}
