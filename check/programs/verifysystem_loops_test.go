package programs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/program/gcl"
	"github.com/seltl/seltl/report"
)

// mostCounted bounds the two counters of a random loop.
const mostCounted = 5

// counters are the values of x and y.
type counters [2]int

// counted is a x + b y + c.
type counted [3]int

func (e counted) of(v counters) int { return e[0]*v[0] + e[1]*v[1] + e[2] }

func (e counted) String() string { return fmt.Sprintf("%d*x + %d*y + %d", e[0], e[1], e[2]) }

// loopCommand is possible where all of above are more than 0, and what it assigns is a counter.
type loopCommand struct {
	name     string
	from, to int
	above    []counted
	next     [2]counted
}

func (c *loopCommand) possible(v counters) bool {
	for _, e := range c.above {
		if e.of(v) <= 0 {
			return false
		}
	}
	for _, e := range c.next {
		if n := e.of(v); n < 0 || n > mostCounted {
			return false
		}
	}
	return true
}

var loopPlaces = []string{"idle", "loop", "inner"}

// randomLoop makes commands: one or two that ask, some that go round, and one that serves where a
// counter is 0.
func randomLoop(r *rand.Rand) (all []loopCommand) {
	x, y := counted{1, 0, 0}, counted{0, 1, 0}
	some := func() counted {
		e := []counted{x, y, {1, 0, -1}, {0, 1, -1}, {1, 0, -2}, {0, 1, -2}, {1, 0, 1}, {0, 1, 1}, {1, 1, -2}, {1, -1, 0}, {0, 0, r.IntN(3)}, {0, 1, -3}}
		return e[r.IntN(len(e))]
	}
	next := func() [2]counted {
		if r.IntN(3) == 0 {
			return [][2]counted{{{1, 0, -1}, y}, {x, {0, 1, -1}}, {y, {1, 0, -1}}}[r.IntN(3)]
		}
		return [2]counted{some(), some()}
	}
	all = append(all, loopCommand{"ask", 0, 1, nil, [2]counted{x, y}})
	for range 1 + r.IntN(3) {
		c := loopCommand{"step", 1, 1, []counted{x, y}, next()}
		switch r.IntN(5) {
		case 0:
			c.above = append(c.above, counted{1, -1, r.IntN(2)})
		case 1:
			c.above = append(c.above, counted{-1, 1, r.IntN(2)})
		}
		all = append(all, c)
	}
	if r.IntN(3) == 0 { // a loop within it
		all = append(all, loopCommand{"in", 1, 2, []counted{x}, next()}, loopCommand{"step", 2, 2, []counted{y}, next()}, loopCommand{"out", 2, 1, []counted{{0, -1, 1 + r.IntN(3)}}, next()})
	}
	return append(all, loopCommand{"serve", 1, 0, []counted{{-1, 0, 1}}, next()}, loopCommand{"serve", 1, 0, []counted{{0, -1, 1}}, next()})
}

// loopText is the loop as a system that begins at a place, with any counters.
func loopText(all []loopCommand, begin int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "var x, y: int;\nlocations %s;\ninit %s when 0 <= x && x <= %d && 0 <= y && y <= %[3]d;\n", strings.Join(loopPlaces, ", "), loopPlaces[begin], mostCounted)
	for _, c := range all {
		var when []string
		for _, e := range c.above {
			when = append(when, e.String()+" > 0")
		}
		for _, e := range c.next {
			when = append(when, fmt.Sprintf("0 <= %v && %[1]v <= %d", e, mostCounted))
		}
		fmt.Fprintf(&b, "%s: %s -> %s when %s do x := %v, y := %v;\n", c.name, loopPlaces[c.from], loopPlaces[c.to], strings.Join(when, " && "), c.next[0], c.next[1])
	}
	return b.String()
}

// loopState is a place and counters.
type loopState struct {
	at int
	counters
}

// goesOn reports that from one of some states, by commands but those of a name, a run goes on for ever,
// or, if ends says so, ends: a search in depth for a state that is on the way to itself.
func goesOn(all []loopCommand, from []loopState, without string, ends bool) bool {
	const open, closed = 1, 2
	met := map[loopState]int{}
	var visit func(s loopState) bool
	visit = func(s loopState) bool {
		if met[s] > 0 {
			return met[s] == open
		}
		met[s] = open
		stuck := true
		for _, c := range all {
			if c.from != s.at || !c.possible(s.counters) {
				continue
			}
			stuck = false
			if c.name != without && visit(loopState{c.to, counters{c.next[0].of(s.counters), c.next[1].of(s.counters)}}) {
				return true
			}
		}
		met[s] = closed
		return ends && stuck
	}
	return slices.ContainsFunc(from, visit)
}

// reachedBy are the states behind the commands of a name in all runs from some states.
func reachedBy(all []loopCommand, from []loopState, name string) (behind []loopState) {
	met := map[loopState]bool{}
	for todo := slices.Clone(from); len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if met[s] {
			continue
		}
		met[s] = true
		for _, c := range all {
			if c.from == s.at && c.possible(s.counters) {
				next := loopState{c.to, counters{c.next[0].of(s.counters), c.next[1].of(s.counters)}}
				if todo = append(todo, next); c.name == name {
					behind = append(behind, next)
				}
			}
		}
	}
	return behind
}

// TestRandomLoops compares verdicts about loops of two counters with those of the definitions, by a
// graph of all states: that all runs from the loop end, and that who asks is served. It knows nothing
// of package program or of formulas.
func TestRandomLoops(t *testing.T) {
	pool := Common
	counts := map[string]int{}
	decided, asked := 0, 0
	for seed := range uint64(soak.Long(100)) {
		r := rand.New(rand.NewPCG(seed, 19))
		all := randomLoop(r)
		for _, q := range []struct {
			formula string
			begin   int
			fails   func(from []loopState) bool
		}{
			{"F (deadlock | serve)", 1, func(from []loopState) bool { return goesOn(all, from, "serve", false) }},
			{"G(ask -> F serve)", 0, func(from []loopState) bool { return goesOn(all, reachedBy(all, from, "ask"), "serve", true) }},
			{"F deadlock", 1, func(from []loopState) bool { return goesOn(all, from, "", false) }},
		} {
			var from []loopState
			for x := range mostCounted + 1 {
				for y := range mostCounted + 1 {
					from = append(from, loopState{q.begin, counters{x, y}})
				}
			}
			want := report.Holds
			if q.fails(from) {
				want = report.Violated
			}
			text := loopText(all, q.begin)
			sys, err := gcl.ParseText("loop.gcl", text)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			src := source.NewFile("<formula>", q.formula)
			rep, results, err := VerifySystem(context.Background(), sys, []SystemFormula{{At: src.Span(0, len(q.formula))}}, pool, check.Verification{}, cegar.Options{Rounds: 30})
			if err != nil {
				t.Fatalf("seed %d: %s: %v\n%s", seed, q.formula, err, text)
			}
			got := rep.Results[0].Verdict
			asked++
			counts[fmt.Sprint(want, " ", got)]++
			switch {
			case got == report.Unknown:
				t.Logf("seed %d: %s: %s", seed, q.formula, rep.Results[0].Reason)
			case got != want:
				t.Errorf("seed %d: %s is %s, but should be %s\n%s", seed, q.formula, got, want, text)
			default:
				decided++
			}
			disjunctive := got == report.Holds && slices.ContainsFunc(results[0].Result.Rankings[0], func(r cegar.Ranking) bool { return r.Invariant != nil })
			if disjunctive {
				counts["transition invariants"]++
			}
			if disjunctive || got == report.Holds && seed%8 == 0 {
				verdict := certifySystem(t, pool, sys, q.formula, check.Verification{})
				if counts["certificates "+verdict]++; verdict == "violated" {
					t.Errorf("seed %d: the certificate of %s is refused\n%s", seed, q.formula, text)
				}
			}
		}
	}
	t.Logf("%d of %d decided: %v", decided, asked, counts)
	if decided*10 < asked*9 || counts["holds holds"] == 0 || counts["violated violated"] == 0 {
		t.Errorf("only %d of %d are decided: %v", decided, asked, counts)
	}
}
