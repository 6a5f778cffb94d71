package main

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

// small are the models at sizes that are explored at once.
var small = []instance{phildl.sized(3), philok.sized(4), rw.sized(2), milner.sized(4), ring.sized(4)}

const specs = "../../specs/families"

func networkOf(t *testing.T, i instance) *lks.Network {
	t.Helper()
	net, err := i.network(specs)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// enabled reports whether a command is possible in a state, given as local states.
func (c *command) enabled(s []int32) bool {
	return !slices.ContainsFunc(c.moves, func(m move) bool { return s[m.component] != m.from })
}

func (c *command) fire(s []int32) []int32 {
	next := slices.Clone(s)
	for _, m := range c.moves {
		next[m.component] = m.to
	}
	return next
}

// reachable explores a network by its commands alone.
func reachable(net *lks.Network) (states [][]int32, transitions int64) {
	var initial []int32
	for _, m := range net.Components() {
		initial = append(initial, m.Initial()[0])
	}
	states = [][]int32{initial}
	seen := map[string]bool{fmt.Sprint(initial): true}
	all := commands(net)
	for i := 0; i < len(states); i++ {
		for _, c := range all {
			if !c.enabled(states[i]) {
				continue
			}
			transitions++
			next := c.fire(states[i])
			if key := fmt.Sprint(next); !seen[key] {
				seen[key] = true
				states = append(states, next)
			}
		}
	}
	return states, transitions
}

// TestCommands: the commands, of which all models for other tools are made, reach
// what the network reaches.
func TestCommands(t *testing.T) {
	for _, i := range small {
		net := networkOf(t, i)
		r, err := explore.Reach(net, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if states, transitions := reachable(net); int64(len(states)) != r.States || transitions != r.Transitions {
			t.Errorf("%v: %d states and %d transitions by commands, want %d and %d", i, len(states), transitions, r.States, r.Transitions)
		}
	}
}

// TestPluginTables: the tables of rules, by which the plug-in finds successors, find
// the commands that are possible.
func TestPluginTables(t *testing.T) {
	for _, i := range small {
		net := networkOf(t, i)
		p, err := newPlugin(net, observed{})
		if err != nil {
			t.Fatal(err)
		}
		states, _ := reachable(net)
		for _, s := range states {
			got, want := map[int]string{}, map[int]string{}
			for n, c := range p.commands {
				if c.enabled(s) {
					want[n] = fmt.Sprint(c.fire(s))
				}
			}
			for r := range p.parts {
				if n, next, ok := p.byTables(r, s); ok {
					got[n] = fmt.Sprint(next)
				}
			}
			if !maps.Equal(got, want) {
				t.Fatalf("%v: in %v the tables give %v, want %v", i, s, got, want)
			}
		}
	}
}

// byTables is what the plug-in's C does for one rule.
func (p *plugin) byTables(rule int, s []int32) (number int, next []int32, ok bool) {
	number, next = p.base[rule], slices.Clone(s)
	for _, t := range p.parts[rule] {
		if t.to[s[t.component]] < 0 {
			return 0, nil, false
		}
		next[t.component] = t.to[s[t.component]]
		number += t.number[s[t.component]]
	}
	return number, next, true
}

// TestPluginRelations holds what LTSmin's reduction is told against all states.
func TestPluginRelations(t *testing.T) {
	for _, i := range small {
		net := networkOf(t, i)
		p, err := newPlugin(net, observed{props: []prop{{0, []int32{1, 2}}}})
		if err != nil {
			t.Fatal(err)
		}
		states, _ := reachable(net)
		for _, s := range states {
			for n := range p.commands {
				p.checkCommand(t, s, &p.commands[n])
			}
		}
	}
}

func (p *plugin) checkCommand(t *testing.T, s []int32, c *command) {
	t.Helper()
	if needed := !slices.ContainsFunc(p.guards, func(g guard) bool { return c.needs(g) && s[g.component] != g.state }); needed != c.enabled(s) {
		t.Fatalf("in %v the guards of %v say %v", s, c, needed)
	}
	if !c.enabled(s) {
		return
	}
	next := c.fire(s)
	for _, l := range p.labels() {
		before, after := slices.Contains(l.states, s[l.component]), slices.Contains(l.states, next[l.component])
		if !before && after && !c.enables(l.component, l.states) || before && !after && !c.disables(l.component, l.states) {
			t.Fatalf("in %v, %v changes %v, which is not known", s, c, l)
		}
	}
	for k := range p.commands {
		d := &p.commands[k]
		if accord(c, d) && d.enabled(s) && !(d.enabled(next) && c.enabled(d.fire(s)) && slices.Equal(d.fire(next), c.fire(d.fire(s)))) {
			t.Fatalf("in %v, %v and %v do not commute", s, c, d)
		}
	}
}

// TestAccordKnowsConflicts shows that accord can say no.
func TestAccordKnowsConflicts(t *testing.T) {
	a, b := &command{moves: []move{{0, 0, 1}}}, &command{moves: []move{{0, 0, 2}, {1, 0, 1}}}
	if accord(a, b) || !accord(a, &command{moves: []move{{1, 0, 1}}}) {
		t.Error("accord is wrong")
	}
}

func TestObserve(t *testing.T) {
	net := networkOf(t, ring.sized(3))
	o, err := observe(net, "G(s[1].try -> F s[1].crit)")
	if err != nil || len(o.props) != 2 {
		t.Fatalf("%v %v", o, err)
	}
	if want := "[](q1 -> (<>q0))"; o.text != want && o.text != "[](q1 -> <>q0)" && o.text != "[](!q1 || (<>q0))" {
		t.Errorf("%q, want %q", o.text, want)
	}
	if _, err := observe(net, "G F s[0].enter"); err == nil {
		t.Error("events cannot be observed by other tools")
	}
}

func TestChoose(t *testing.T) {
	if is, err := choose(instances, "RING:5"); err != nil || len(is) != 1 || is[0].N != 5 {
		t.Error(is, err)
	}
	for _, bad := range []string{"RING:x", "RING:0", "NOPE", "NOPE:3"} {
		if _, err := choose(instances, bad); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}

// TestJobs: our runs give the verdicts and counts that are known.
func TestJobs(t *testing.T) {
	for _, c := range []struct {
		job
		states   float64
		violated bool
	}{
		{job{Instance: ring.sized(4), Store: "exact"}, 4 << 5, false},
		{job{Instance: ring.sized(4), Store: "compact", Workers: 2}, 4 << 5, false},
		{job{Instance: ring.sized(4), Formula: "G(s[1].try -> F s[1].crit)", Search: "ndfs"}, 3*(4<<5)/2 - 1, false},
		{job{Instance: ring.sized(4), Deadlock: true}, 4 << 5, false},
		{job{Instance: phildl.sized(3), Deadlock: true, POR: true}, 0, true},
		{job{Instance: philok.sized(3), Formula: "GF p[0].eating", POR: true}, 0, true},
	} {
		c.Specs = specs
		f, err := c.do()
		if err != nil || f.Violated != c.violated || c.states > 0 && f.States != c.states {
			t.Errorf("%+v: %+v %v", c.job, f, err)
		}
	}
}
