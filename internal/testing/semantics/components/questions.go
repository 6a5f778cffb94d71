package components

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/testing/semantics"
	"github.com/seltl/seltl/ltl"
)

// Case is a C source with a specification, of which one program is asked.
type Case struct {
	C, Spec, Process string
	Constants        map[string]int
}

// Verdict is an answer.
type Verdict int

const (
	Holds Verdict = iota
	Fails
	// Undefined: a mistake such as a division by zero can be come to, or a proposition has no value,
	// and nothing else decides.
	Undefined
)

func (v Verdict) String() string { return [...]string{"holds", "fails", "undefined"}[v] }

// Answer is one with what else is to be known of it.
type Answer struct {
	Verdict Verdict
	// NoRun: it holds since there is no run at all.
	NoRun bool
	// Sampled: not all values of arguments were tried. A failure is one all the same.
	Sampled bool
	// Open: a proposition has no value in some state.
	Open   bool
	States int
}

// System is a case that was read.
type System struct {
	c     Case
	limit int
}

// Load reads a case. Components, and all together, may have at most limit states. The error is an
// *Unsupported.
func Load(c Case, limit int) (s *System, err error) {
	defer recovered(&err)
	readC(c.C)
	readSpec(c.Spec, c.Process, c.Constants)
	return &System{c, limit}, nil
}

// recovered makes errors of what reading and enumerating panics with.
func recovered(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Unsupported:
		*err = r
	case *TooLarge:
		*err = r
	default:
		panic(r)
	}
}

// composed are the states of the program for a question.
func (s *System) composed(spec *specFile, q *question, claim *specification.Abstract) *composed {
	guards := spec.guards(claim)
	var all []*locals
	for i := range spec.members {
		p := readC(s.c.C)
		all = append(all, graphOf(spec, p, i, q).explore(guards[i], s.limit))
	}
	return compose(all, s.limit)
}

func (s *System) spec() *specFile { return readSpec(s.c.Spec, s.c.Process, s.c.Constants) }

func (spec *specFile) silence() *question {
	n := len(spec.members)
	return &question{results: make([][]condition, n), props: make([][]proposition, n), events: make([][]event, n)}
}

// answer completes a verdict: "nothing is proved of a program that can come to a mistake, unless a
// run that does not come there decides the question."
func (c *composed) answer(fails bool) Answer {
	a := Answer{Sampled: c.sampled, States: len(c.states)}
	alive := c.alive()
	switch {
	case fails:
		a.Verdict = Fails
	case slices.ContainsFunc(c.states, func(s global) bool { return s.special == mistake }):
		a.Verdict = Undefined
	default:
		a.NoRun = !slices.ContainsFunc(c.initial, func(n int) bool { return alive[n] })
	}
	return a
}

// Deadlock reports whether there is none: "a state that can be reached, in which no component can
// make a step, and not all have ended."
func (s *System) Deadlock() (a Answer, err error) {
	defer recovered(&err)
	spec := s.spec()
	c := s.composed(spec, spec.silence(), nil)
	return c.answer(slices.ContainsFunc(c.states, func(g global) bool {
		return g.special == ordinary && len(g.edges) == 0 && !g.ended
	})), nil
}

// atoms is the vocabulary of a formula: what is in quotes and no name of an action is a
// proposition.
type atoms struct{ numbers map[string]int64 }

func (atoms) Prop(name string) bool                 { return isProposition(name) }
func (atoms) Event(name string) bool                { return !isProposition(name) }
func (atoms) Indexed(string) []int                  { return nil }
func (atoms) Range(string) (lo, hi int, ok bool)    { return 0, 0, false }
func (atoms) Set(string) (labels []string, ok bool) { return nil, false }
func (atoms) Names() []string                       { return nil }

func (w atoms) Const(name string) (int, bool) {
	n, ok := w.numbers[name]
	return int(n), ok
}

func isProposition(name string) bool {
	_, rest := memberOf(name)
	if _, _, _, ok := eventOf(rest); ok && strings.HasSuffix(rest, "}") {
		return false
	}
	return !isReturn(rest) && strings.ContainsAny(rest, " =<>!&|+-*()[]{}$~^?") || strings.HasPrefix(rest, "at(")
}

func isReturn(text string) bool { return text == "return" || strings.HasPrefix(text, "return {") }

// memberOf splits MEMBER::REST; the member is "" where none is named.
func memberOf(name string) (member, rest string) {
	if before, after, named := strings.Cut(name, "::"); named {
		return strings.TrimSpace(before), strings.TrimSpace(after)
	}
	return "", strings.TrimSpace(name)
}

// about are the members that an atom speaks of.
func (spec *specFile) about(member string) (all []int) {
	for i, m := range spec.members {
		if member == "" || m.name == member {
			all = append(all, i)
		}
	}
	if len(all) == 0 { // a procedure that is one component's only
		for i, m := range spec.members {
			if m.procedure == member {
				all = append(all, i)
			}
		}
	}
	return all
}

// asked is a question about a formula, read once to know what it speaks of.
func (spec *specFile) asked(f *ltl.Formula, p *program) *question {
	q := spec.silence()
	for _, a := range ltl.Atoms(f) {
		member, rest := memberOf(a.Name)
		for _, i := range spec.about(member) {
			switch {
			case isReturn(rest):
				q.named = true
				if text := returned(rest); text != "" && !slices.ContainsFunc(q.results[i], func(c condition) bool { return c.text == text }) {
					q.results[i] = append(q.results[i], condition{text, spec.numbers})
				}
			case a.Kind != ltl.Prop:
				spec.asksEvent(p, q, i, rest)
			default:
				p := proposition{name: a.Name, text: rest}
				if strings.HasPrefix(rest, "at(") {
					p.at = strings.Trim(rest[len("at("):len(rest)-1], " ")
				}
				if !slices.Contains(q.props[i], p) {
					q.props[i] = append(q.props[i], p)
				}
			}
		}
	}
	return q
}

// returned is the condition of return {...}, "" of return.
func returned(text string) string {
	if text == "return" {
		return ""
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "return {"), "}"))
}

// Satisfies reports whether each run satisfies a formula. finite is "stutter": "a run that can do no
// more stutters in its last state with no event true"; or "ignore": runs that end do not count.
func (s *System) Satisfies(formula, finite string) (a Answer, err error) {
	defer recovered(&err)
	spec := s.spec()
	f, err := ltl.ParseText(formula, ltl.ParseOptions{Vocabulary: atoms{spec.numbers}})
	if err != nil {
		return a, err
	}
	q := spec.asked(f, readC(s.c.C))
	c := s.composed(spec, q, nil)
	g := spec.translated(f, q)
	if c.open(g) {
		return Answer{Verdict: Undefined, Open: true, Sampled: c.sampled, States: len(c.states)}, nil
	}
	ps := c.positions(q, finite)
	if n := temporal(g); n > 7 || len(ps.At)<<n > 3_000_000 {
		return a, &TooLarge{}
	}
	return c.answer(!ps.Satisfies(g, nil)), nil
}

func temporal(f *semantics.Formula) (n int) {
	if strings.Contains("XFGUWRM", f.Op) && f.Op != "" {
		n++
	}
	for _, a := range f.Args {
		n += temporal(a)
	}
	return n
}

var operators = map[ltl.Op]string{ltl.Not: "!", ltl.And: "&", ltl.Or: "|", ltl.Xor: "xor", ltl.Implies: "->", ltl.Iff: "<->", ltl.Next: "X",
	ltl.Eventually: "F", ltl.Always: "G", ltl.Until: "U", ltl.Release: "R", ltl.WeakUntil: "W", ltl.StrongRelease: "M"}

// translated is a formula as the tableau has it: a return is one of the classes that it covers.
func (spec *specFile) translated(f *ltl.Formula, q *question) *semantics.Formula {
	switch f.Op() {
	case ltl.True:
		return &semantics.Formula{Op: "true"}
	case ltl.False:
		return &semantics.Formula{Op: "false"}
	case ltl.Atomic:
		return spec.atom(f.Atom(), q)
	}
	op, known := operators[f.Op()]
	if !known {
		unsupported("the operator of %s", f)
	}
	var args []*semantics.Formula
	for _, g := range f.Args() {
		args = append(args, spec.translated(g, q))
	}
	for (op == "&" || op == "|") && len(args) > 2 {
		n := len(args)
		args = append(args[:n-2], &semantics.Formula{Op: op, Args: []*semantics.Formula{args[n-2], args[n-1]}})
	}
	return &semantics.Formula{Op: op, Args: args}
}

func (spec *specFile) atom(a ltl.Atom, q *question) *semantics.Formula {
	member, rest := memberOf(a.Name)
	switch {
	case a.Kind == ltl.Deadlock:
		return &semantics.Formula{Op: "deadlock"}
	case isReturn(rest) && a.Kind != ltl.Prop:
		var names []string
		for _, i := range spec.about(member) {
			n := len(q.results[i])
			at := slices.IndexFunc(q.results[i], func(c condition) bool { return c.text == returned(rest) })
			for class := range 1 << n {
				if at < 0 || class>>at&1 == 1 {
					names = append(names, returnName(spec.members[i].name, n, class))
				}
			}
		}
		return anyOf(a.Kind, names)
	}
	if names, ok := spec.eventNames(q, spec.about(member), rest); ok && a.Kind != ltl.Prop {
		return anyOf(a.Kind, names)
	}
	switch {
	case a.Kind == ltl.Prop:
		return &semantics.Formula{Op: "prop", Names: []string{a.Name}}
	case a.Kind == ltl.Event:
		return &semantics.Formula{Op: "event", Names: []string{a.Name}}
	case a.Kind == ltl.Enabled:
		return &semantics.Formula{Op: "enabled", Names: []string{a.Name}}
	}
	unsupported("the atom %s", a.Name)
	return nil
}

// anyOf is an atom about any of some actions.
func anyOf(kind ltl.AtomKind, names []string) *semantics.Formula {
	if kind != ltl.Enabled {
		return &semantics.Formula{Op: "event", Names: names}
	}
	var any []*semantics.Formula
	for _, n := range names {
		any = append(any, &semantics.Formula{Op: "enabled", Names: []string{n}})
	}
	for len(any) > 1 {
		any = append(any[:len(any)-2], &semantics.Formula{Op: "|", Args: any[len(any)-2:]})
	}
	return any[0]
}

// open reports that a proposition has no value somewhere.
func (c *composed) open(*semantics.Formula) bool {
	alive := c.alive()
	for n, s := range c.states {
		for i, p := range s.parts {
			if alive[n] && s.special == ordinary && slices.Contains(c.locals[i].states[p].undefined, true) {
				return true
			}
		}
	}
	return false
}

// positions are those of all runs: a state with the step that leaves it.
func (c *composed) positions(q *question, finite string) *semantics.Positions {
	ps := &semantics.Positions{}
	alive := c.alive()
	first := make([]int, len(c.states)+1)
	for n, s := range c.states {
		first[n] = len(ps.At)
		if !alive[n] || s.special != ordinary {
			continue
		}
		at := semantics.Position{Dead: len(s.edges) == 0, Possible: map[string]bool{}}
		for i, p := range s.parts {
			for k, holds := range c.locals[i].states[p].holds {
				if holds {
					at.Props = append(at.Props, q.props[i][k].name)
				}
			}
		}
		for _, e := range s.edges {
			if e.action == "" {
				at.Possible["tau"] = true
			} else {
				at.Possible[e.action] = true
			}
		}
		for _, e := range s.edges {
			at.Event, at.Silent = e.action, e.action == ""
			if at.Silent {
				at.Event = "tau"
			}
			ps.At = append(ps.At, at)
		}
		if at.Dead {
			ps.At = append(ps.At, at)
		}
	}
	first[len(c.states)] = len(ps.At)
	ps.Next = make([][]int, len(ps.At))
	to := func(n int) (all []int) {
		for p := first[n]; p < first[n+1]; p++ {
			all = append(all, p)
		}
		return all
	}
	for n, s := range c.states {
		if first[n] == first[n+1] {
			continue
		}
		for k, e := range s.edges {
			ps.Next[first[n]+k] = to(e.to)
		}
		if len(s.edges) == 0 && finite != "ignore" {
			ps.Next[first[n]] = []int{first[n]}
		}
	}
	for _, n := range c.initial {
		ps.Init = append(ps.Init, to(n)...)
	}
	return ps
}
