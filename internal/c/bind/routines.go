package bind

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// routines finds out what each component is told: which routines are abstracted, inlined,
// which actions are renamed and hidden.
func (b *binder) routines() {
	for _, p := range b.parts {
		p.stubs, p.inline = map[string][]*abstraction{}, map[string][]string{}
		scoped := map[string]bool{}
		for _, d := range b.procs() {
			if d.Scope.Text == p.procedure && slices.ContainsFunc(d.Statements, isAbstract) {
				scoped[d.Name.Text] = true
			}
		}
		for _, d := range b.procs() {
			if b.plain.Func(d.Name.Text) == nil || d.Scope.Text != "" && d.Scope.Text != p.procedure {
				continue
			}
			for _, s := range d.Statements {
				switch s := s.(type) {
				case *specification.Abstract:
					if scoped[d.Name.Text] == (d.Scope.Text != "") {
						p.stubs[d.Name.Text] = append(p.stubs[d.Name.Text], b.routine(s))
					}
				case *specification.Inline:
					for _, n := range s.Routines {
						p.inline[d.Name.Text] = append(p.inline[d.Name.Text], n.Text)
					}
				case *specification.Alphabet:
					if d.Name.Text == p.procedure && (d.Scope.Text == "" || d.Scope.Text == p.procedure) {
						names, err := b.task.Spec.Actions(s.Set, b.values, p.bound)
						b.add(err)
						p.alphabet = append(p.alphabet, names...)
					}
				case *specification.Predicate:
					if d.Name.Text == p.procedure && (d.Scope.Text == "" || d.Scope.Text == p.procedure) {
						p.predicates = append(p.predicates, s.Exprs...)
					}
				}
			}
		}
		b.names(p)
	}
	if b.abstract != nil {
		if b.spec = b.machine(b.abstract.LKS); b.task.Exit != "" && b.spec != nil {
			b.spec = asClaim(b.spec)
		}
	}
}

// asClaim is what a routine's machine says, as a claim about that routine: to come to STOP by another
// step than a return is to return any value.
func asClaim(m *specification.Machine) *specification.Machine {
	returns := func(t specification.Transition) bool { return t.Kind == specification.StepReturn }
	if !slices.ContainsFunc(m.Transitions, returns) { // returns are silent
		return m
	}
	out, last := *m, len(m.States)
	out.Transitions = nil
	var span specification.Span
	for _, t := range m.Transitions {
		if t.To == specification.Stop && !returns(t) {
			t.To, span = last, t.Span
		}
		out.Transitions = append(out.Transitions, t)
	}
	out.States = append(slices.Clone(m.States), m.Name+" returns")
	out.Transitions = append(out.Transitions, specification.Transition{From: last, To: specification.Stop, Kind: specification.StepReturn, Span: span})
	return &out
}

func isAbstract(s specification.Statement) bool {
	_, ok := s.(*specification.Abstract)
	return ok
}

// routine is an abstraction with its machine.
func (b *binder) routine(s *specification.Abstract) *abstraction {
	return &abstraction{of: s, guard: -1, machine: b.machine(s.LKS)}
}

// machine is the definition of a name, nil after an error.
func (b *binder) machine(name specification.Name) *specification.Machine {
	if name.Text == "STOP" || name.Text == "END" {
		return &specification.Machine{Name: name.Text, Initial: specification.Stop}
	}
	if m, known := b.machines[name.Text]; known {
		return m
	}
	b.machines[name.Text] = nil
	var known []string
	for _, d := range b.task.Spec.Defs {
		d, ok := d.(*specification.LKSDef)
		if !ok {
			continue
		}
		known = append(known, d.Name.Text)
		if d.Name.Text == name.Text {
			m, err := b.task.Spec.Machine(d, b.values)
			b.add(err)
			b.machines[name.Text] = m
			return m
		}
	}
	b.errorf(name, "unknown-lks", source.DidYouMean(name.Text, known), "there is no definition of %s", name.Text)
	return nil
}

// replaced is an expression with the numbers that names stand for; "" if there are none.
func (b *binder) replaced(e *specification.CExpr, bound ...specification.Values) string {
	found := false
	text := e.Replace(func(w specification.CWord) (string, bool) {
		for _, values := range append(bound, b.values) {
			if n, ok := values[w.Text]; ok && w.Text != "" {
				found = true
				return number(n), true
			}
		}
		return "", false
	})
	if !found {
		return ""
	}
	return text
}

// number is one as a part of an expression.
func number(n int32) string { return "(" + strconv.Itoa(int(n)) + ")" }

// condition adds a C expression to what is parsed with the sources, once for each role. The
// variable of copies is bound in their guards alone: elsewhere its name is that of a variable of
// the program.
func (b *binder) condition(role, routine string, e, to *specification.CExpr, result bool, bound ...specification.Values) int {
	c := cfront.Condition{Routine: routine, Expr: b.place(e), Text: b.replaced(e, bound...), Result: result}
	if to != nil {
		c.To, c.ToText = b.place(to), b.replaced(to, bound...)
	}
	key := fmt.Sprint(role, " ", routine, " ", c.Expr.Start, " ", c.Text, " ", c.ToText)
	if k, known := b.keys[key]; known {
		return k
	}
	b.keys[key] = len(b.list)
	b.list = append(b.list, c)
	return len(b.list) - 1
}

// conditions parses the sources with all expressions.
func (b *binder) conditions() {
	for _, p := range b.parts {
		for _, g := range p.guards {
			p.initial = append(p.initial, b.condition("initial", p.procedure, g, nil, false, p.bound))
		}
		for _, a := range p.asked {
			b.askCondition(p, a)
		}
		for _, a := range p.returns {
			b.askReturn(p, a)
		}
		b.eventConditions(p)
		for _, r := range b.results {
			if b.value(p) {
				p.results = append(p.results, b.condition("returns", p.procedure, r, nil, true))
			}
		}
		for _, name := range sorted(p.stubs) {
			for _, a := range p.stubs[name] {
				if len(a.of.Guards) == 1 {
					a.guard = b.condition("guard", name, a.of.Guards[0], nil, false)
				}
				b.moves(p, name, a)
			}
		}
		for _, e := range p.predicates {
			p.tracked = append(p.tracked, b.predicate(p, e))
		}
	}
	opts := b.task.C
	opts.Context, opts.Conditions, opts.Entry, opts.Abstract, opts.Steps = b.ctx, b.list, b.entry(), b.abstracted(), true
	opts.Events = b.asksEvents()
	prog, err := cfront.Parse(b.task.Sources, opts)
	b.add(b.suggested(err))
	b.q = &Question{Abstraction: b.abstract, Program: prog, Returns: map[string][]string{}}
}

// suggested adds to what is undefined in an expression names that may be meant, and leaves out
// what only follows from that.
func (b *binder) suggested(err error) error {
	list, ok := err.(source.List)
	if !ok {
		return err
	}
	var out source.List
	for _, d := range list {
		if slices.ContainsFunc(out, func(o source.Diagnostic) bool {
			return o.Message == d.Message && o.Span.Pos().Line == d.Span.Pos().Line
		}) {
			continue // of a condition and its negation
		}
		if name, undefined := strings.CutPrefix(d.Message, "undefined: "); undefined && d.Help == "" {
			d.Help = b.meant(name, d.Span)
		} else if strings.Contains(d.Message, "<invalid type>") && len(list) > 1 {
			continue
		}
		out = append(out, d)
	}
	if len(out) == 0 {
		return err
	}
	return out.Err()
}

// meant says which variable may be meant by a name that an expression has, and knows not: of
// the component that a proposition is about, or of any.
func (b *binder) meant(name string, at source.Span) string {
	var about *part
	event := false // which knows no variables of a procedure
	within := func(a *asked) bool {
		return a.at.File == at.File && a.at.Start <= at.Start && at.End <= a.at.End
	}
	for _, p := range b.parts {
		for _, t := range p.told {
			event = event || slices.ContainsFunc(t.asked, within)
		}
		for _, a := range p.asked {
			if within(a) {
				about = p
			}
		}
	}
	var known []string
	others := ""
	for _, p := range b.parts {
		if !event && (about == nil || p == about) {
			known = append(known, b.variables(p)...)
		} else if slices.Contains(b.variables(p), name) {
			others = p.name
		}
	}
	for _, v := range b.plain.Globals {
		if !strings.Contains(v.Name, ".") { // a static one of a routine
			known = append(known, v.Name)
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	switch {
	case event && others != "":
		return fmt.Sprintf("arguments ($1) or the result ($0) are known here, and globals; a condition on %s stands beside the event, in quotes of its own", name)
	case about == nil:
		return source.DidYouMean(name, known)
	case others != "":
		return fmt.Sprintf("%s has a variable %s, %s has none", others, name, about.name)
	}
	return near(name, "variables of "+about.name+" and globals are", known)
}

// variables are those of a component's procedure.
func (b *binder) variables(p *part) (all []string) {
	if f := b.plain.Func(p.procedure); f != nil {
		for _, v := range slices.Concat(f.Params, f.Locals) {
			if v.Kind != ir.Temp {
				all = append(all, v.Name)
			}
		}
		for _, v := range b.plain.Globals {
			if routine, name, static := strings.Cut(v.Name, "."); static && routine == f.Name && !strings.Contains(name, "@") {
				all = append(all, name)
			}
		}
	}
	return all
}

func sorted(m map[string][]*abstraction) (all []string) {
	for name := range m {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// moves adds the expressions of a routine's machine.
func (b *binder) moves(p *part, routine string, a *abstraction) {
	if a.machine == nil {
		return
	}
	for _, t := range a.machine.Transitions {
		m := move{-1, -1, -1}
		if t.Guard != nil {
			m.guard = b.condition("guard", routine, t.Guard, nil, false, t.Bound)
		}
		if t.Kind == specification.StepAssign {
			m.assign = b.condition("assign", routine, t.Right, t.Left, false, t.Bound)
		}
		if t.Kind == specification.StepReturn && t.Condition != nil {
			m.result = b.condition("result", routine, t.Condition, nil, true, t.Bound)
		}
		if t.Kind == specification.StepReturn && t.To != specification.Stop {
			key := fmt.Sprint("return ", t.Span.Start)
			if !b.checked[key] {
				b.errorf(t.Span, "return", "go on with STOP: a routine that has returned does nothing", "%s goes on behind its return", a.machine.Name)
			}
			b.checked[key] = true
		}
		a.moves = append(a.moves, m)
	}
}

// value reports that a component's procedure returns a value.
func (b *binder) value(p *part) bool {
	f := b.plain.Func(p.procedure)
	return f != nil && f.Type.Result.Scalar()
}

// guard is the formula of a condition, nil after an error.
func (b *binder) guard(k int) *encode.Guard {
	g, err := encode.GuardOf(b.q.Program, b.q.Program.Conditions[k])
	b.add(err)
	return g
}

// ask asks whether formulas hold together: a model, or nil; known is false if there is no
// answer.
func (b *binder) ask(fs ...*logic.Term) (m logic.Model, known bool) {
	if b.failure != nil {
		return nil, false
	}
	b.checker.Clear()
	b.checker.Limit(guardWork)
	status, m, err := smt.ModelOf(b.ctx, b.checker, fs...)
	b.checker.Clear()
	b.failure = err
	if status == smt.Sat && m == nil {
		return logic.Model{}, true
	}
	return m, status != smt.Unknown && err == nil
}

// guardWork bounds the solver's work on one question about guards.
const guardWork = 20_000_000

// guards shows that the abstractions of each routine exclude each other and that one of
// them applies.
func (b *binder) guards() {
	for _, p := range b.parts {
		for _, name := range sorted(p.stubs) {
			key := "guards " + name
			for _, a := range p.stubs[name] {
				key += fmt.Sprint(" ", a.guard)
			}
			if !b.checked[key] {
				b.checked[key] = true
				b.disjoint(name, p.stubs[name])
			}
		}
	}
}

func (b *binder) disjoint(routine string, all []*abstraction) {
	var gs []*encode.Guard
	none := []*logic.Term{}
	for _, a := range all {
		g := b.guard(a.guard)
		if g == nil {
			return
		}
		gs = append(gs, g)
		none = append(none, logic.Not(g.Formula), g.Domain)
	}
	undecided := func(a *abstraction) {
		if b.failure == nil {
			b.errorf(a.of, "guards", "write simpler guards", "it could not be decided whether the guards of %s exclude each other and cover all cases", routine).Limit = true
		}
	}
	for i, g := range gs {
		for k := range i {
			m, known := b.ask(g.Formula, gs[k].Formula, g.Domain, gs[k].Domain)
			switch {
			case !known:
				undecided(all[i])
				return
			case m != nil:
				d := b.errorf(all[i].of, "guards-overlap", "the guards of the abstractions of a routine exclude each other", "two abstractions of %s apply %s", routine, when(encode.Describe(m, g, gs[k])))
				d.Related = []source.Related{{Span: b.place(all[k].of), Message: "this is the other one"}}
			}
		}
	}
	m, known := b.ask(none...)
	switch {
	case !known:
		undecided(all[0])
	case m != nil:
		b.errorf(all[len(all)-1].of, "guards-incomplete", "the guards of the abstractions of a routine cover all cases", "no abstraction of %s applies %s", routine, when(encode.Describe(m, gs...)))
	}
}

func when(values string) string {
	if values == "" {
		return "ever"
	}
	return "where " + strings.TrimSpace(values)
}
