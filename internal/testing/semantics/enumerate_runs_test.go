package semantics_test

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/seltl/seltl/internal/testing/semantics"
)

// spot is a position of a run: what holds there, and which can come next.
type spot struct {
	state, fluents, event string // event: that leaves it, or in an assert the last one
	silent, dead          bool
	props, possible       []string
}

func (s spot) key() string { return s.state + "#" + s.fluents + "#" + s.event }

// compare asks everything twice.
func (e *enumeration) compare(meaning *Meaning, counts map[string]int) (differ []string) {
	e.prepare()
	t := e.term(e.name, false)
	asked, silent, _ := meaning.Asked(e.name)
	check := func(what string, here, there any) {
		counts["compared: "+what]++
		if here != there {
			differ = append(differ, fmt.Sprintf("%s: enumerated %v, meaning %v", what, here, there))
		}
	}
	states, transitions := 0, 0
	for _, s := range visit(e.term(e.name, true)) {
		if special, _ := e.term(e.name, true).about(s); special != "ERROR" {
			states++
		}
		var ms []move
		for _, m := range e.term(e.name, true).moves(s) {
			if !slices.Contains(ms, m) {
				ms = append(ms, m)
			}
		}
		transitions += len(ms)
	}
	seen, _ := meaning.Seen(e.name)
	n, m := seen.Sizes()
	check("sizes", fmt.Sprint(states, transitions), fmt.Sprint(n, m))
	check("deadlock", e.nearest(t, ""), asked.Deadlock())
	check("ERROR", e.nearest(t, "ERROR"), asked.ErrorDistance())

	w := &wandering{e: e, t: t, following: map[string][]spot{}, silent: func(a string) bool {
		for _, c := range e.model.Composites {
			if c.Name == e.name {
				return hidden(a, c.Hide) == "tau"
			}
		}
		return a == "tau"
	}}
	for _, p := range e.model.Progress {
		check("progress", w.progresses(p), asked.Progresses(p))
	}
	q := &Query{Graph: asked, Silent: silent, Fluents: e.model.Fluents}
	lassos := func(question string, f *Formula, infinite bool, runs *Positions) {
		meant := runs.Satisfies(f, nil)
		check(question, w.all(f, infinite, meant), meant)
	}
	for _, p := range e.model.LTLs {
		w.assert = false
		lassos("ltl", p.Formula, false, q.Runs(Stutter))
		lassos("ltl, ignore", p.Formula, true, q.Runs(Ignore))
		check("ltl, fair choice", w.random(p.Formula), q.Runs(Stutter).SatisfiesByChoice(p.Formula))
	}
	for _, p := range e.model.Asserts {
		w.assert = true
		lassos("assert", p.Formula, false, q.AssertRuns())
		check("assert, fair choice", w.random(p.Formula), q.AssertRuns().SatisfiesByChoice(p.Formula))
	}
	return differ
}

// nearest is how many steps lead to a state without moves that is special so.
func (e *enumeration) nearest(t term, wanted string) int {
	layer, known := []string{t.start()}, map[string]bool{}
	for far := 0; len(layer) > 0; far++ {
		var next []string
		for _, s := range layer {
			ms := t.moves(s)
			if special, _ := t.about(s); special == wanted && len(ms) == 0 {
				return far
			}
			for _, m := range ms {
				if !known[m.to] {
					known[m.to] = true
					next = append(next, m.to)
				}
			}
		}
		layer = next
	}
	return -1
}

// wandering makes runs.
type wandering struct {
	e         *enumeration
	t         term
	silent    func(string) bool
	assert    bool
	memory    map[string][]move
	following map[string][]spot
}

func (w *wandering) moves(state string) []move {
	if w.memory == nil {
		w.memory = map[string][]move{}
	}
	ms, ok := w.memory[state]
	if !ok {
		ms = w.t.moves(state)
		w.memory[state] = ms
	}
	return ms
}

func (w *wandering) fluents(before, action string) string {
	after := ""
	for i, f := range w.e.model.Fluents {
		v := before[i : i+1]
		if slices.Contains(f.On, action) {
			v = "+"
		}
		if slices.Contains(f.Off, action) {
			v = "-"
		}
		after += v
	}
	return after
}

// spots are the positions that a state with its history can be.
func (w *wandering) spots(state, fluents, last string) []spot {
	_, props := w.t.about(state)
	base := spot{state: state, fluents: fluents, props: props}
	for _, m := range w.moves(state) {
		base.possible = append(base.possible, m.action)
		if w.silent(m.action) {
			base.possible = append(base.possible, "tau")
		}
	}
	base.dead = len(base.possible) == 0
	if w.assert || base.dead {
		if w.assert {
			base.event = last
		}
		return []spot{base}
	}
	var all []spot
	for _, m := range w.moves(state) {
		s := base
		s.event, s.silent = m.action, w.silent(m.action)
		if !slices.ContainsFunc(all, func(t spot) bool { return t.key() == s.key() }) {
			all = append(all, s)
		}
	}
	return all
}

func (w *wandering) first() []spot {
	initial := ""
	for _, f := range w.e.model.Fluents {
		initial += map[bool]string{true: "+", false: "-"}[f.Initially]
	}
	at := w.spots(w.t.start(), initial, "")
	if w.assert && !at[0].dead {
		return w.next(at[0])
	}
	return at
}

func (w *wandering) next(s spot) []spot {
	if s.dead {
		return []spot{s}
	}
	key := fmt.Sprint(w.assert, s.key())
	if all, ok := w.following[key]; ok {
		return all
	}
	var all []spot
	defer func() { w.following[key] = all }()
	for _, m := range w.moves(s.state) {
		if w.assert || m.action == s.event {
			all = append(all, w.spots(m.to, w.fluents(s.fluents, m.action), m.action)...)
		}
	}
	return all
}

// all reports whether all lassos up to a length satisfy a formula.
//
// Few are tried; many where few satisfy a formula that the meaning says is violated, since
// what violates it may just come late.
func (w *wandering) all(f *Formula, infinite, meant bool) bool {
	return w.tried(f, infinite, 1500) && (meant || w.tried(f, infinite, 150_000))
}

func (w *wandering) tried(f *Formula, infinite bool, most int) bool {
	for depth := 2; depth <= 14; depth += 3 {
		budget := most
		violated := false
		var go_ func(run []spot)
		go_ = func(run []spot) {
			if budget--; budget < 0 || violated {
				return
			}
			last := run[len(run)-1]
			if last.dead && infinite {
				return
			}
			for _, s := range w.next(last) {
				for i := range run {
					if run[i].key() == s.key() && !evaluate(f, w.e, run, i)[0] {
						violated = true
						return
					}
				}
				if len(run) < depth && !last.dead {
					go_(append(slices.Clone(run), s))
				}
			}
		}
		for _, s := range w.first() {
			go_([]spot{s})
		}
		if violated {
			return false
		}
		if budget < 0 {
			break
		}
	}
	return true
}

// random reports whether runs of a random walk satisfy a formula: every beginning of
// some length goes on by chance until it has done everything many times.
func (w *wandering) random(f *Formula) bool {
	budget := 25
	var try func(run []spot, depth int) bool
	try = func(run []spot, depth int) bool {
		if budget--; budget < 0 {
			return true
		}
		long, back := w.wander(run)
		if !evaluate(f, w.e, long, back)[0] {
			return false
		}
		if depth == 0 || run[len(run)-1].dead {
			return true
		}
		for _, s := range w.next(run[len(run)-1]) {
			if !try(append(slices.Clone(run), s), depth-1) {
				return false
			}
		}
		return true
	}
	for depth := range 4 {
		for _, s := range w.first() {
			budget = 25
			if !try([]spot{s}, depth) {
				return false
			}
		}
	}
	return true
}

// wander goes on by chance; the run returns to position back.
func (w *wandering) wander(run []spot) ([]spot, int) {
	run = slices.Clone(run)
	step := func() spot {
		ss := w.next(run[len(run)-1])
		return ss[w.e.r.IntN(len(ss))]
	}
	for range 40 {
		if run[len(run)-1].dead {
			return run, len(run) - 1
		}
		run = append(run, step())
	}
	back := len(run) - 1
	for {
		if run[len(run)-1].dead {
			return run, len(run) - 1
		}
		s := step()
		if len(run) > back+120 && s.key() == run[back].key() {
			return run, back
		}
		run = append(run, s)
		if len(run) > back+2000 { // that was not the last set of states
			back = len(run) - 1
		}
	}
}

// progresses looks at what long random runs do in the end.
func (w *wandering) progresses(p *Progress) bool {
	w.assert = false
	for range 40 {
		s := w.first()
		run, back := w.wander([]spot{s[w.e.r.IntN(len(s))]})
		if run[back].state == "ERROR" {
			continue
		}
		some, condition := false, p.If == nil
		for _, s := range run[back:] {
			some = some || slices.Contains(p.Actions, s.event)
			condition = condition || slices.Contains(p.If, s.event)
		}
		if condition && !some {
			return false
		}
	}
	return true
}

// evaluate gives the value of a formula at every position of a run that goes on
// from its last position to position back.
func evaluate(f *Formula, e *enumeration, run []spot, back int) []bool {
	n := len(run)
	value := make([]bool, n)
	var args [][]bool
	for _, a := range f.Args {
		args = append(args, evaluate(a, e, run, back))
	}
	for i := range value {
		// Positions from i on, until all have been seen.
		var later []int
		if strings.Contains("FGUWRM", f.Op) {
			for j := i; j < n; j++ {
				later = append(later, j)
			}
			for j := back; j < i; j++ {
				later = append(later, j)
			}
		}
		after := i + 1
		if after == n {
			after = back
		}
		switch f.Op {
		case "true":
			value[i] = true
		case "!":
			value[i] = !args[0][i]
		case "&":
			value[i] = args[0][i] && args[1][i]
		case "|":
			value[i] = args[0][i] || args[1][i]
		case "->":
			value[i] = !args[0][i] || args[1][i]
		case "<->":
			value[i] = args[0][i] == args[1][i]
		case "X":
			value[i] = args[0][after]
		case "F":
			value[i] = slices.ContainsFunc(later, func(j int) bool { return args[0][j] })
		case "G":
			value[i] = !slices.ContainsFunc(later, func(j int) bool { return !args[0][j] })
		case "U", "W":
			came, broken := false, false
			for _, j := range later {
				came = came || !broken && args[1][j]
				broken = broken || !args[0][j]
			}
			value[i] = came || f.Op == "W" && !broken
		case "R", "M":
			released, broken := false, false
			for _, j := range later {
				broken = broken || !released && !args[1][j]
				released = released || !broken && args[0][j]
			}
			value[i] = !broken && (released || f.Op == "R")
		default:
			value[i] = atomAt(f, e, &run[i])
		}
	}
	return value
}

func atomAt(f *Formula, e *enumeration, s *spot) bool {
	switch f.Op {
	case "prop":
		return slices.Contains(s.props, f.Names[0])
	case "fluent":
		for i, g := range e.model.Fluents {
			if g.Name == f.Names[0] {
				return s.fluents[i] == '+'
			}
		}
	case "deadlock":
		return s.dead
	case "enabled":
		return slices.Contains(s.possible, f.Names[0])
	case "event":
		for _, n := range f.Names {
			if s.event == n || n == "tau" && s.silent {
				return true
			}
		}
	}
	return false
}
