package fsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
)

// LTSA evaluates an assertion on the sequence of actions of a run: an action
// holds at position k if it is action number k, a fluent if it holds after
// action number k. SE-LTL evaluates events at the state that they leave. So an
// action is the event at the same position, and a fluent is looked at one state
// later: [](a -> F) of LTSA is G(a -> X F). What happens where a run ends is in
// lastaction.go.

// assertTranslation turns one assertion into SE-LTL.
type assertTranslation struct {
	*scope
	nodes   int
	using   []string // assertions being expanded, outermost first
	actions map[string]pos
}

// maxFormula bounds the operators of an assertion after its quantifiers and the
// assertions it uses have been expanded.
const maxFormula = 1_000_000

// assertFormula returns the formula of an assert and the actions that it
// mentions, with those of its fluents, each with the place of its first mention.
func (c *compiler) assertFormula(d *assertDef) (*ltl.Formula, map[string]pos) {
	t := &assertTranslation{
		scope:   &scope{c: c, params: c.arguments(d.name.text, d.params, nil, d.name.pos)},
		using:   []string{d.name.text},
		actions: map[string]pos{},
	}
	f := t.formula(d.formula)
	if d.extension != nil {
		for _, a := range t.set(d.extension) {
			t.mention(a, d.extension.pos)
		}
	}
	return f, t.actions
}

func (t *assertTranslation) mention(action string, at pos) {
	if _, ok := t.actions[action]; !ok {
		t.actions[action] = at
	}
}

func (t *assertTranslation) formula(a *assertion) *ltl.Formula {
	if t.nodes++; t.nodes > maxFormula {
		t.c.exceed(a.pos, "too-large", "use smaller ranges", "the assertion has more than %d operators when it is expanded", maxFormula)
	}
	switch a.op {
	case assertNot:
		return ltl.MakeNot(t.formula(a.left))
	case assertAlways:
		return ltl.MakeAlways(t.formula(a.left))
	case assertEventually:
		return ltl.MakeEventually(t.formula(a.left))
	case assertNext:
		return ltl.MakeNext(t.formula(a.left))
	case assertAnd:
		return ltl.MakeAnd(t.formula(a.left), t.formula(a.right))
	case assertOr:
		return ltl.MakeOr(t.formula(a.left), t.formula(a.right))
	case assertUntil:
		return ltl.MakeUntil(t.formula(a.left), t.formula(a.right))
	case assertWeakUntil:
		return ltl.MakeWeakUntil(t.formula(a.left), t.formula(a.right))
	case assertImplies:
		return ltl.MakeImplies(t.formula(a.left), t.formula(a.right))
	case assertIff:
		return ltl.MakeIff(t.formula(a.left), t.formula(a.right))
	case assertForall, assertExists:
		var fs []*ltl.Formula
		t.forRanges(a.ranges, func() { fs = append(fs, t.formula(a.left)) })
		if a.op == assertForall {
			return ltl.MakeAnd(fs...)
		}
		return ltl.MakeOr(fs...)
	case assertRigid:
		return ltl.Constant(t.number(a.expr) > 0)
	case assertAction:
		return t.lastAction(a.label)
	}
	return t.named(a)
}

// lastAction is the disjunction of the events of a label.
func (t *assertTranslation) lastAction(l *label) *ltl.Formula {
	var fs []*ltl.Formula
	for _, name := range t.labels([]*label{l}) {
		t.mention(name, l.pos)
		fs = append(fs, ltl.AtomOf(ltl.Atom{Kind: ltl.Event, Name: name}))
	}
	return ltl.MakeOr(fs...)
}

// named is a fluent, an assertion or a set of actions.
func (t *assertTranslation) named(a *assertion) *ltl.Formula {
	n := a.name.text
	if _, ok := t.c.names.defs[isFluent][n]; ok {
		return t.fluent(a)
	}
	if d, ok := t.c.names.defs[isAssert][n].(*assertDef); ok {
		if len(a.ranges) > 0 {
			t.fail(a.pos, "assertion-indexed", fmt.Sprintf("an assertion takes arguments: %s(1)", n), "the assertion %s takes no index", n)
		}
		return t.use(d, a)
	}
	if _, ok := t.c.names.defs[isSet][n]; ok && a.args == nil {
		l := &label{pos: a.pos, parts: []labelPart{{kind: partSet, set: &labelSet{text: n, pos: a.name.pos}}}}
		for _, r := range a.ranges {
			l.parts = append(l.parts, labelPart{kind: partIndex, index: r, pos: r.pos})
		}
		return t.lastAction(l)
	}
	t.c.unknownInAssertion(a.name)
	return nil
}

// checkAssertName aborts if an assertion uses a capital name that is not defined.
func (c *compiler) checkAssertName(n name) {
	for _, k := range []nameKind{isFluent, isAssert, isSet} {
		if _, ok := c.names.defs[k][n.text]; ok {
			return
		}
	}
	c.unknownInAssertion(n)
}

func (c *compiler) unknownInAssertion(n name) {
	help := source.DidYouMean(n.text, c.names.of(isFluent, isAssert, isSet))
	letters := strings.TrimLeft(n.text, "GFX")
	switch k := c.names.kind[n.text]; {
	case k == 0 && len(help) < len("did you mean ABC?") && letters != n.text && letters == strings.ToLower(letters):
		help = ltsaSyntax
	case k != 0 && help == "":
		help = fmt.Sprintf("%s is a %s", n.text, nameKinds[k])
	}
	c.fail(n.pos, "unknown-name", help, "unknown fluent, assertion or set %q", n.text)
}

// ltsaSyntax is the help where an assertion looks like SE-LTL.
const ltsaSyntax = "an assert has LTSA's syntax: []<>a for G F a; or declare it in SE-LTL: ltl NAME = G F a"

func (t *assertTranslation) fluent(a *assertion) *ltl.Formula {
	all := t.c.allFluents()
	var fs []*ltl.Formula
	t.instances(a.name.text, a.ranges, func(name string) {
		f, ok := all[name]
		if !ok {
			help := "a fluent that is defined with ranges is used with indices"
			if len(a.ranges) > 0 {
				help = "the index is outside of the ranges of the fluent"
			}
			t.fail(a.pos, "unknown-fluent", help, "there is no fluent %s", name)
		}
		for _, action := range slices.Concat(f.begin, f.end) {
			t.mention(action, a.pos)
		}
		fs = append(fs, ltl.MakeNext(ltl.AtomOf(ltl.Atom{Kind: ltl.Prop, Name: name})))
	})
	return ltl.MakeOr(fs...)
}

// use expands another assertion. As in LTSA it sees the index variables of the
// place where it is used.
func (t *assertTranslation) use(d *assertDef, a *assertion) *ltl.Formula {
	if slices.Contains(t.using, d.name.text) {
		t.fail(a.pos, "circular", "", "the assertion %s uses itself", d.name.text)
	}
	actual := t.actuals(a.args)
	inner := &assertTranslation{
		scope:   &scope{c: t.c, params: t.c.arguments(d.name.text, d.params, actual, a.pos), vars: slices.Clone(t.vars)},
		nodes:   t.nodes,
		using:   append(slices.Clip(t.using), d.name.text),
		actions: t.actions,
	}
	f := inner.formula(d.formula)
	t.nodes = inner.nodes
	return f
}

// free returns a component that can always take each of the actions which only
// an assertion mentions, or nil if there are none: in LTSA the assertion is a
// process with these actions in its alphabet.
func (c *compiler) free(net *lks.Network, actions map[string]pos) *lks.LKS {
	b := lks.NewBuilder("FREE")
	s := b.State()
	found := false
	for _, a := range sortedKeys(actions) {
		if net.Action(a) < 0 {
			b.Transition(s, a, s)
			found = true
		}
	}
	if !found {
		return nil
	}
	b.Describe(func(int32) string { return "free" })
	m, err := b.Build()
	if err != nil {
		panic("fsp: free actions are no LKS: " + err.Error())
	}
	return m
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
