package bind

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
)

// Other is what a procedure performs that returns a value which satisfies no condition of
// the specification; AnyReturn where the specification has return {}, and where a
// procedure without a result returns.
const (
	Other     = "return.other"
	AnyReturn = "return {}"
)

// Failure is the action of a failure: an error label, reach_error, an assertion.
const Failure = "error"

// returns collects the conditions of the specification on what is returned.
func (b *binder) returns() {
	if b.spec == nil {
		return
	}
	known := map[string]bool{}
	for _, t := range b.spec.Transitions {
		switch {
		case t.Guard != nil:
			b.errorf(t.Guard, "guard", "guards belong to the machines of routines", "the specification %s has a guard", b.spec.Name)
		case t.Kind == specification.StepAssign:
			b.errorf(t.Span, "assignment", "assignments belong to the machines of routines", "the specification %s assigns", b.spec.Name)
		case t.Kind != specification.StepReturn:
		case t.Condition == nil:
			b.any = true
		case !known[textOf(t.Condition)]:
			known[textOf(t.Condition)] = true
			b.results = append(b.results, t.Condition)
			for _, n := range t.Condition.Dollars() {
				if n > 0 {
					b.errorf(t.Condition, "argument", "$0 is the value that is returned", "$%d has no meaning in what a specification returns", n)
				}
			}
		}
	}
	if len(b.results) > 0 {
		for _, p := range b.parts {
			if !b.value(p) && !b.checked["void "+p.procedure] {
				b.checked["void "+p.procedure] = true
				b.errorf(p.ref.Procedure, "no-result", "write return {}", "%s returns no integer and no pointer, and the specification %s has conditions on what is returned", p.procedure, b.spec.Name)
			}
		}
	}
}

// textOf is a condition as one writes it, in one form.
func textOf(e *specification.CExpr) string {
	text := strings.Join(strings.Fields(e.Text), " ")
	for strings.HasPrefix(text, "(") && closes(text) == len(text)-1 {
		text = strings.TrimSpace(text[1 : len(text)-1])
	}
	return text
}

// closes is where the bracket that a text begins with is closed; strings have none that
// matter here, since the text is only compared and shown.
func closes(text string) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// maxClasses bounds the classes of results.
const maxClasses = 1000

// classes splits the results: which sets of conditions some value satisfies and no other.
// Those of a claim are common to all components.
func (b *binder) classes() {
	seen := map[string]bool{}
	types := map[*ir.Type]bool{}
	for _, p := range b.parts {
		asked := lists.Append(nil, p.valued(), func(a *asked) int { return a.condition })
		if len(p.returns) > 0 {
			p.split = b.splitBy(asked)
		}
		t := b.plain.Func(p.procedure).Type.Result
		if len(p.results) == 0 || types[t] {
			continue
		}
		types[t] = true
		for _, signs := range b.splitBy(p.results) {
			if key := fmt.Sprint(signs); !seen[key] {
				seen[key] = true
				b.split = append(b.split, signs)
			}
		}
	}
	if len(b.split) > maxClasses {
		b.errorf(b.abstract.LKS, "too-large", "write conditions that exclude each other", "the conditions on what is returned make more than %d classes", maxClasses)
	}
	for _, p := range b.parts {
		if len(p.split) > maxClasses {
			b.errs.Errorf(p.returns[0].at, "too-large", "the conditions on what is returned make more than %d classes", maxClasses).Help = "write conditions that exclude each other"
		}
	}
}

// splitBy returns which sets of conditions some value satisfies and no other, as many as are
// allowed, and one more.
func (b *binder) splitBy(conditions []int) (split [][]bool) {
	var gs []*encode.Guard
	for _, k := range conditions {
		g := b.guard(k)
		if g == nil {
			return nil
		}
		gs = append(gs, g)
	}
	var try func(signs []bool, so []*logic.Term)
	try = func(signs []bool, so []*logic.Term) {
		m, known := b.ask(so...)
		if b.failure != nil || known && m == nil || len(split) > maxClasses {
			return // where nothing is known, a class too many does no harm
		}
		if len(signs) == len(gs) {
			split = append(split, slices.Clone(signs))
			return
		}
		g := gs[len(signs)]
		try(append(slices.Clip(signs), true), append(slices.Clip(so), g.Domain, g.Formula))
		try(append(slices.Clip(signs), false), append(slices.Clip(so), g.Domain, logic.Not(g.Formula)))
	}
	try(nil, nil)
	return split
}

// classAction is what a class of results performs.
func (b *binder) classAction(signs []bool) string {
	var holds []string
	for i, yes := range signs {
		if yes {
			holds = append(holds, textOf(b.results[i]))
		}
	}
	switch {
	case len(holds) > 0:
		return "return {" + strings.Join(holds, " && ") + "}"
	case b.any:
		return AnyReturn
	}
	return Other
}

// components encodes the components.
func (b *binder) components() {
	called := map[string]bool{}
	for _, p := range b.parts {
		ctx := b.context(p)
		e, err := encode.EncodeComponent(b.ctx, b.q.Program, p.procedure, ctx)
		if err != nil {
			b.add(err)
			continue
		}
		p.component = &Component{Name: p.name, Procedure: p.procedure, Context: ctx, Encoding: e}
		p.component.Predicates = b.formulas(p, e)
		p.component.Propositions = b.observed(p, e)
		b.performedEvents(p, e)
		b.q.Components = append(b.q.Components, p.component)
		if len(e.Failures) > 0 {
			b.failing(p, called)
		}
	}
}

// failing warns of how a component fails that can; called are the actions by which others do.
func (b *binder) failing(p *part, called map[string]bool) {
	for _, name := range p.called(Failure) {
		if b.spec != nil && !slices.Contains(b.spec.Alphabet, name) {
			b.warnf(p.ref, "failure", fmt.Sprintf("add it to the alphabet: %s = ... +{%s}.", b.spec.Name, name), "%s can fail, perhaps, and the specification %s does not speak of the action %s", p.procedure, b.spec.Name, name)
		}
		if called[name] {
			b.errorf(p.ref, "shared-failure", fmt.Sprintf("rename it in each: rename %s {%s/NAME};", p.procedure, Failure),
				"several components can fail, and share the action %s: none of them could perform it alone", name)
		}
		called[name] = true
	}
}

// context is what a component is encoded in.
func (b *binder) context(p *part) *encode.Context {
	conditions := b.q.Program.Conditions
	ctx := &encode.Context{Routines: map[string][]encode.Abstraction{}, Inline: p.inline, Failures: p.performs(Failure), Exit: b.task.Exit, Ends: b.task.Ends}
	for _, k := range p.initial {
		ctx.Initial = append(ctx.Initial, conditions[k])
	}
	for _, a := range p.asked {
		if a.condition >= 0 {
			ctx.Observed = append(ctx.Observed, conditions[a.condition])
		}
	}
	for _, a := range p.alphabet {
		ctx.Alphabet = append(ctx.Alphabet, p.called(a)...)
	}
	for name, list := range p.stubs {
		for _, a := range list {
			out := encode.Abstraction{Name: a.of.Name.Text, Machine: b.efsm(p, a)}
			if len(list) > 1 {
				out.Guard = conditions[a.guard]
			}
			ctx.Routines[name] = append(ctx.Routines[name], out)
		}
	}
	b.tells(p, ctx)
	switch {
	case len(p.results) > 0:
		for _, signs := range b.split {
			class := encode.Class{Action: b.classAction(signs)}
			for i, yes := range signs {
				class.Where = append(class.Where, encode.Literal{Condition: conditions[p.results[i]], Negated: !yes})
			}
			ctx.Returns = append(ctx.Returns, class)
		}
	case b.any:
		ctx.Returns = []encode.Class{{Action: AnyReturn}}
	case b.abstract == nil:
		ctx.Returns = b.ownReturns(p)
	}
	return ctx
}

// efsm is the machine of an abstraction, with the names that its actions have in a
// component.
func (b *binder) efsm(p *part, a *abstraction) *encode.Machine {
	m := &encode.Machine{States: len(a.machine.States), Initial: []int{a.machine.Initial}}
	for i, name := range a.machine.States {
		if name == "" {
			name = fmt.Sprintf("%s%d", a.machine.Name, i)
		}
		m.Names = append(m.Names, name)
	}
	if a.machine.Initial == specification.Stop { // returns at once
		m.States, m.Initial, m.Names = 1, []int{0}, []string{a.machine.Name}
		m.Transitions = []encode.Transition{{From: 0, To: encode.Stop, Span: b.place(a.of)}}
	}
	at := func(k int) *ir.Func {
		if k < 0 {
			return nil
		}
		return b.q.Program.Conditions[k]
	}
	for _, action := range a.machine.Alphabet {
		m.Alphabet = append(m.Alphabet, p.called(action)...)
	}
	for i, t := range a.machine.Transitions {
		to := t.To
		if to == specification.Stop {
			to = encode.Stop
		}
		out := encode.Transition{From: t.From, To: to, Guard: at(a.moves[i].guard), Assign: at(a.moves[i].assign), Span: b.task.Spec.Place(t.Span)}
		if k := a.moves[i].result; k >= 0 {
			out.Result = []*ir.Func{at(k)}
		}
		names := []string{""}
		if t.Kind == specification.StepAction {
			names = p.performs(t.Action)
		}
		for _, out.Action = range names {
			m.Transitions = append(m.Transitions, out)
		}
	}
	return m
}

// specification makes the LKS of the specification.
func (b *binder) specification() {
	if b.spec == nil {
		return
	}
	known := map[string]bool{}
	for _, c := range b.q.Components {
		for _, a := range c.Encoding.Component(c.Encoding.Words).Alphabet {
			known[a] = true
		}
	}
	s := lks.NewBuilder(b.spec.Name)
	for range b.spec.States {
		s.State()
	}
	stop := s.StateID(lks.End, nil)
	at := func(state int) int32 {
		if state == specification.Stop {
			return stop
		}
		return int32(state)
	}
	s.Initial(at(b.spec.Initial))
	for _, a := range b.spec.Alphabet {
		s.Action(a)
		if !known[a] && a != Failure {
			b.unused(a)
		}
	}
	if len(b.results) > 0 || b.any {
		for _, name := range b.returnActions(nil) {
			s.Action(name)
		}
	}
	for _, t := range b.spec.Transitions {
		names := []string{t.Action}
		switch t.Kind {
		case specification.StepSilent:
			names = []string{lks.TauName}
		case specification.StepReturn:
			names = b.returnActions(t.Condition)
		}
		for _, name := range names {
			s.Transition(at(t.From), name, at(t.To))
		}
	}
	names := specNames(b.spec)
	s.Describe(func(n int32) string {
		if int(n) < len(names) {
			return names[n]
		}
		return "STOP"
	})
	m, err := s.Build()
	b.add(err)
	b.q.Spec = m
}

// specNames names the states of a specification: those without a name by a named one and what
// is done from there, "FREE.acquire", and where that is not unique, by their number too.
func specNames(m *specification.Machine) []string {
	names := slices.Clone(m.States)
	given := map[string]bool{}
	for _, n := range names {
		given[n] = true
	}
	for again := true; again; {
		again = false
		for _, t := range m.Transitions {
			if t.To == specification.Stop || names[t.To] != "" || names[t.From] == "" {
				continue
			}
			name := names[t.From] + "." + cmp.Or(t.Action, lks.TauName)
			switch {
			case len(name) > 60:
				name = fmt.Sprintf("%s#%d", m.Name, t.To)
			case given[name]:
				name = fmt.Sprintf("%s#%d", name, t.To)
			}
			names[t.To], given[name], again = name, true, true
		}
	}
	for i, name := range names {
		if name == "" {
			names[i] = fmt.Sprintf("%s#%d", m.Name, i)
		}
	}
	return names
}

// returnActions are the actions of the classes in a condition, nil for all.
func (b *binder) returnActions(c *specification.CExpr) (all []string) {
	for _, signs := range b.split {
		for i, yes := range signs {
			if c != nil && yes && textOf(b.results[i]) == textOf(c) {
				all = append(all, b.classAction(signs))
			}
		}
		if c == nil {
			all = append(all, b.classAction(signs))
		}
	}
	if len(b.split) == 0 {
		all = []string{AnyReturn}
	}
	return all
}

// unused warns of an action of the specification that no component has.
func (b *binder) unused(action string) {
	for _, t := range b.spec.Transitions {
		if t.Action == action && t.Kind == specification.StepAction {
			b.warnf(t.Span, "unknown-action", "", "no component takes part in %s", action)
			return
		}
	}
}
