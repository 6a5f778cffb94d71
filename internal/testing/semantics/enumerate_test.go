package semantics_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"

	. "github.com/seltl/seltl/internal/testing/semantics"
)

// This file computes the meaning of tiny models in another way, sharing nothing
// with the rest of the package but the syntax: no graphs, only terms that make steps
// (structural operational semantics), and runs that are written down one by one and
// on which formulas are evaluated directly.

// TestEnumeration compares sizes, deadlocks, ERROR, progress and formulas.
func TestEnumeration(t *testing.T) {
	n, seed := number("SELTL_MODELS", soak.Long(18)), number("SELTL_SEED", 1)
	shape := Shape{Props: true, EndProps: true, Formulas: true, Composites: 2, MaxTemporal: 2, MaxStates: 6}
	counts := map[string]int{}
	for i := range n {
		r := rand.New(rand.NewPCG(uint64(seed+i), 5))
		model, meaning := Random(r, shape)
		e := &enumeration{model: model, r: r, name: model.Default()}
		model.CountFeatures(meaning, counts)
		for _, text := range e.compare(meaning, counts) {
			t.Errorf("seed %d: %s\n%s", seed+i, text, model.Text())
		}
	}
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%8d %s", counts[k], k)
	}
	t.Logf("seeds %d to %d", seed, seed+n-1)
}

// term is a process that can make steps. States are named by texts.
type term interface {
	start() string
	moves(state string) []move
	// about is "END", "ERROR" or "", and the propositions.
	about(state string) (special string, props []string)
	knows(action string) bool
	terminates() bool
}

type move struct{ action, to string }

// sequential is a primitive process; a state is the path to a place in its text.
type sequential struct{ p *Process }

func (s sequential) start() string {
	at := s.resolve(s.p.Name)
	if strings.HasPrefix(at, "ERROR") {
		return "before ERROR"
	}
	return at
}

// resolve is the state that a name stands for: the name of a local process with a
// choice, or STOP, END, ERROR with its propositions.
func (s sequential) resolve(name string) string {
	for _, l := range s.p.Locals {
		if l.Name != name {
			continue
		}
		switch ref := l.Body.Ref; ref {
		case "":
			return name
		case "STOP", "END":
			ps := slices.Clone(l.Props)
			slices.Sort(ps)
			return strings.Join(append([]string{ref}, ps...), "!")
		default:
			return s.resolve(ref)
		}
	}
	if name == "STOP" || name == "END" {
		return name
	}
	return "ERROR"
}

// place finds the choice at a path, such as L/0.1/2.0: alternative 0, its action 1.
func (s sequential) place(state string) *Body {
	steps := strings.Split(state, "/")
	var b *Body
	for _, l := range s.p.Locals {
		if l.Name == steps[0] {
			b = l.Body
		}
	}
	if b == nil {
		return &Body{}
	}
	for _, step := range steps[1:] {
		var alt, act int
		fmt.Sscanf(step, "%d.%d", &alt, &act)
		b = b.Choice[alt].Then
	}
	return b
}

func (s sequential) raw(state string) []move {
	if state == "before ERROR" {
		return []move{{"tau", "ERROR"}}
	}
	var ms []move
	for i, alt := range s.place(state).Choice {
		for j, a := range alt.Actions {
			to := fmt.Sprintf("%s/%d.%d", state, i, j)
			if alt.Then.Ref != "" {
				to = s.resolve(alt.Then.Ref)
			}
			ms = append(ms, move{a, to})
		}
	}
	return ms
}

func begins(action, name string) bool { return action == name || strings.HasPrefix(action, name+".") }

// outside is what the actions of a process are called behind its relabelling and
// hiding.
func (s sequential) outside(a string) []string {
	var names []string
	for _, n := range renamed(a, s.p.Relabel) {
		names = append(names, hidden(n, s.p.Hide))
	}
	return names
}

func renamed(a string, by []Pair) []string {
	for n := len(a); n > 0; n-- { // the longest beginning of a that has new names
		if n < len(a) && a[n] != '.' {
			continue
		}
		var names []string
		for _, p := range by {
			if p.Old == a[:n] {
				names = append(names, p.New+a[n:])
			}
		}
		if names != nil {
			return names
		}
	}
	return []string{a}
}

func hidden(a string, h *Hiding) string {
	if h == nil || a == "tau" {
		return a
	}
	listed := false
	for _, n := range h.Actions {
		listed = listed || begins(a, n)
	}
	if listed != h.Expose {
		return "tau"
	}
	return a
}

func (s sequential) moves(state string) []move {
	var ms []move
	for _, m := range s.raw(state) {
		for _, a := range s.outside(m.action) {
			ms = append(ms, move{a, m.to})
		}
	}
	if s.p.Property && state != "ERROR" {
		for a := range s.mentioned() {
			if !slices.ContainsFunc(ms, func(m move) bool { return m.action == a }) {
				ms = append(ms, move{a, "ERROR"})
			}
		}
	}
	return ms
}

func (s sequential) about(state string) (string, []string) {
	parts := strings.Split(state, "!")
	switch parts[0] {
	case "ERROR":
		return "ERROR", nil
	case "END":
		if s.p.Property {
			return "", nil
		}
		return "END", parts[1:]
	case "STOP":
		return "", parts[1:]
	}
	for _, l := range s.p.Locals {
		if l.Name == state {
			return "", l.Props
		}
	}
	return "", nil
}

func (s sequential) mentioned() map[string]bool {
	all := map[string]bool{}
	add := func(a string) {
		for _, n := range s.outside(a) {
			all[n] = n != "tau"
		}
	}
	var walk func(*Body)
	walk = func(b *Body) {
		for _, alt := range b.Choice {
			for _, a := range alt.Actions {
				add(a)
			}
			walk(alt.Then)
		}
	}
	for _, l := range s.p.Locals {
		walk(l.Body)
	}
	for _, a := range s.p.Extend {
		add(a)
	}
	delete(all, "tau")
	return all
}

func (s sequential) knows(a string) bool { return s.mentioned()[a] }

func (s sequential) terminates() bool {
	return slices.ContainsFunc(visit(s), func(state string) bool { special, _ := s.about(state); return special == "END" })
}

// visit lists all states, breadth first.
func visit(t term) []string {
	all := []string{t.start()}
	for i := 0; i < len(all); i++ {
		for _, m := range t.moves(all[i]) {
			if !slices.Contains(all, m.to) {
				all = append(all, m.to)
			}
		}
	}
	return all
}

// named is a process with other names for its actions and propositions.
type named struct {
	term
	forward func(string) []string // new names of an action
	prop    func(string) string
	old     []string // the actions of the process
}

func rename(t term, universe []string, forward func(string) []string, prop func(string) string) named {
	var old []string
	for _, a := range universe {
		if t.knows(a) {
			old = append(old, a)
		}
	}
	return named{t, forward, prop, old}
}

func (n named) moves(state string) []move {
	var ms []move
	for _, m := range n.term.moves(state) {
		if m.action == "tau" {
			ms = append(ms, m)
			continue
		}
		for _, a := range n.forward(m.action) {
			ms = append(ms, move{a, m.to})
		}
	}
	return ms
}

func (n named) about(state string) (string, []string) {
	special, props := n.term.about(state)
	var ps []string
	for _, p := range props {
		ps = append(ps, n.prop(p))
	}
	return special, ps
}

func (n named) knows(a string) bool {
	return slices.ContainsFunc(n.old, func(o string) bool { return slices.Contains(n.forward(o), a) })
}

// parallel runs processes side by side; a state is a list of their states.
type parallel struct {
	parts     []term
	low, high []string
	universe  []string
	ends      *bool // what terminates has found
}

const between = "\x00"

func (p *parallel) start() string {
	var s []string
	for _, t := range p.parts {
		s = append(s, t.start())
	}
	return p.canonical(s)
}

// enclose keeps the lists of parts apart from the list they are in.
func enclose(states []string) string {
	var b strings.Builder
	for _, s := range states {
		fmt.Fprintf(&b, "%d%s%s", len(s), between, s)
	}
	return b.String()
}

func disclose(state string) []string {
	var states []string
	for state != "" {
		head, rest, _ := strings.Cut(state, between)
		n := 0
		fmt.Sscan(head, &n)
		states = append(states, rest[:n])
		state = rest[n:]
	}
	return states
}

// canonical names a state: ERROR is one, END one for its propositions.
func (p *parallel) canonical(states []string) string {
	ended := p.able()
	var all []string
	for i, s := range states {
		special, props := p.parts[i].about(s)
		if special == "ERROR" {
			return "ERROR"
		}
		if special != "END" && p.parts[i].terminates() {
			ended = false
		}
		all = append(all, props...)
	}
	if ended && len(p.free(states)) == 0 {
		slices.Sort(all)
		return strings.Join(append([]string{"END"}, all...), "!")
	}
	return enclose(states)
}

// terminates: a composite that counts as one process has an END if it reaches it.
func (p *parallel) terminates() bool {
	if p.ends == nil {
		is := p.reaches()
		p.ends = &is
	}
	return *p.ends
}

func (p *parallel) reaches() bool {
	return slices.ContainsFunc(visit(p), func(state string) bool { special, _ := p.about(state); return special == "END" })
}

// able says whether the composition can terminate.
func (p *parallel) able() bool {
	one := false
	for _, t := range p.parts {
		one = one || t.terminates()
	}
	for _, a := range p.universe {
		by, without := false, false
		for _, t := range p.parts {
			if t.knows(a) {
				by = by || t.terminates()
				without = without || !t.terminates()
			}
		}
		if without && !by {
			return false
		}
	}
	return one
}

type joint struct {
	action string
	to     []string
}

// free are the steps without priorities.
func (p *parallel) free(states []string) []joint {
	var js []joint
	for i, t := range p.parts {
		for _, m := range t.moves(states[i]) {
			if m.action == "tau" {
				to := slices.Clone(states)
				to[i] = m.to
				js = append(js, joint{"tau", to})
			}
		}
	}
	for _, a := range p.universe {
		js = append(js, p.together(a, states, 0, false)...)
	}
	return js
}

// together are the steps by an action of the parts from i on.
func (p *parallel) together(a string, states []string, i int, known bool) []joint {
	if i == len(p.parts) {
		if known {
			return []joint{{a, slices.Clone(states)}}
		}
		return nil
	}
	if !p.parts[i].knows(a) {
		return p.together(a, states, i+1, known)
	}
	var js []joint
	for _, m := range p.parts[i].moves(states[i]) {
		if m.action == a {
			changed := slices.Clone(states)
			changed[i] = m.to
			js = append(js, p.together(a, changed, i+1, true)...)
		}
	}
	return js
}

func (p *parallel) moves(state string) []move {
	if state == "ERROR" || strings.HasPrefix(state, "END") {
		return nil
	}
	js := p.free(disclose(state))
	listed := func(j joint, names []string) bool {
		return j.action != "tau" && slices.ContainsFunc(names, func(n string) bool { return begins(j.action, n) })
	}
	var first []joint
	for _, j := range js {
		if len(p.low) > 0 && !listed(j, p.low) || listed(j, p.high) {
			first = append(first, j)
		}
	}
	if len(first) > 0 {
		js = first
	}
	var ms []move
	for _, j := range js {
		if m := (move{j.action, p.canonical(j.to)}); !slices.Contains(ms, m) {
			ms = append(ms, m)
		}
	}
	return ms
}

func (p *parallel) about(state string) (string, []string) {
	if state == "ERROR" {
		return "ERROR", nil
	}
	if strings.HasPrefix(state, "END") {
		return "END", strings.Split(state, "!")[1:]
	}
	var all []string
	for i, s := range disclose(state) {
		_, props := p.parts[i].about(s)
		all = append(all, props...)
	}
	return "", all
}

func (p *parallel) knows(a string) bool {
	return slices.ContainsFunc(p.parts, func(t term) bool { return t.knows(a) })
}

// enumeration asks a model by its terms.
type enumeration struct {
	model    *Model
	name     string
	r        *rand.Rand
	universe []string
}

// prepare collects every action that can have a name in the model: those of the
// text, and what prefixes and relabellings make of them.
func (e *enumeration) prepare() {
	set := map[string]bool{}
	for _, p := range e.model.Processes {
		for a := range (sequential{p}).mentioned() {
			set[a] = true
		}
	}
	var part func(p *Part)
	part = func(p *Part) {
		for _, q := range p.Group {
			part(q)
		}
		grow := func(f func(a string) []string) {
			for _, a := range slices.Collect(maps.Keys(set)) {
				for _, b := range f(a) {
					set[b] = true
				}
			}
		}
		for _, l := range append(slices.Clone(p.Prefixes), p.Share...) {
			grow(func(a string) []string { return []string{l + "." + a} })
		}
		grow(func(a string) []string { return renamed(a, p.Relabel) })
	}
	for _, c := range e.model.Composites {
		part(c.Part)
	}
	e.universe = slices.Sorted(maps.Keys(set))
}

// term is a process; hide says whether with the hiding of a composite.
func (e *enumeration) term(name string, hide bool) term {
	for _, p := range e.model.Processes {
		if p.Name == name {
			return sequential{p}
		}
	}
	for _, c := range e.model.Composites {
		if c.Name != name {
			continue
		}
		t := &parallel{parts: slices.Concat(e.parts(c.Part)...), low: c.Low, high: c.High, universe: e.universe}
		if !hide {
			return t
		}
		return rename(t, e.universe, func(a string) []string { return []string{hidden(a, c.Hide)} }, same)
	}
	panic(name)
}

func same(s string) string { return s }

// parts are the processes that a part stands for, together if they are those of one
// composite.
func (e *enumeration) parts(p *Part) [][]term {
	var inside, all [][]term
	if p.Ref != "" {
		inside = [][]term{e.own(p.Ref)}
	}
	for _, q := range p.Group {
		inside = append(inside, e.parts(q)...)
	}
	if p.Prefixes == nil {
		for _, ts := range inside {
			all = append(all, e.changed(ts, p, func(a string) []string { return []string{a} }, same))
		}
	}
	for _, l := range p.Prefixes {
		for _, ts := range inside {
			all = append(all, e.changed(ts, p, func(a string) []string { return []string{l + "." + a} }, func(q string) string { return l + "." + q }))
		}
	}
	return all
}

// own are the processes of a composite that counts for its processes, or one.
func (e *enumeration) own(name string) []term {
	for _, c := range e.model.Composites {
		if c.Name == name && c.Hide == nil && c.Low == nil && c.High == nil {
			return slices.Concat(e.parts(c.Part)...)
		}
	}
	return []term{e.term(name, true)}
}

// changed gives the processes of one reference their prefix, sharing, relabelling.
func (e *enumeration) changed(ts []term, p *Part, prefix func(string) []string, prop func(string) string) []term {
	shared := func(a string) []string {
		if p.Share == nil {
			return prefix(a)
		}
		var as []string
		for _, l := range p.Share {
			for _, b := range prefix(a) {
				as = append(as, l+"."+b)
			}
		}
		return as
	}
	var out []term
	for _, t := range ts {
		out = append(out, rename(t, e.universe, shared, prop))
	}
	if len(out) > 1 && p.Relabel != nil {
		count := map[string]int{}
		for _, a := range e.universe {
			if slices.ContainsFunc(out, func(t term) bool { return t.knows(a) }) {
				for _, b := range renamed(a, p.Relabel) {
					count[b]++
				}
			}
		}
		for _, n := range count {
			if n > 1 { // it is composed first
				out = []term{&parallel{parts: out, universe: e.universe}}
				break
			}
		}
	}
	for i, t := range out {
		out[i] = rename(t, e.universe, func(a string) []string { return renamed(a, p.Relabel) }, same)
	}
	return out
}
