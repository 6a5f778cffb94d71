package fsp

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp/syntax"
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
	actions map[string]syntax.Span
}

// maxFormula bounds the operators of an assertion after its quantifiers and the
// assertions it uses have been expanded.
const maxFormula = 1_000_000

// assertFormula returns the formula of an assert and the actions that it
// mentions, with those of its fluents, each with the place of its first mention.
func (c *compiler) assertFormula(d *syntax.AssertDef) (*ltl.Formula, map[string]syntax.Span) {
	t := &assertTranslation{
		scope:   c.scope(c.Arguments(d.Name.Text, d.Params, nil, d.Name.Span)),
		using:   []string{d.Name.Text},
		actions: map[string]syntax.Span{},
	}
	f := t.formula(d.Formula)
	if d.Extension != nil {
		for _, a := range t.Set(d.Extension) {
			t.mention(a, d.Extension.Span)
		}
	}
	return f, t.actions
}

func (t *assertTranslation) mention(action string, at syntax.Span) {
	if _, ok := t.actions[action]; !ok {
		t.actions[action] = at
	}
}

func (t *assertTranslation) formula(a *syntax.Assertion) *ltl.Formula {
	if t.nodes++; t.nodes > maxFormula {
		t.c.Exceed(a.Span, "too-large", "use smaller ranges", "the assertion has more than %d operators when it is expanded", maxFormula)
	}
	switch a.Op {
	case syntax.AssertNot:
		return ltl.MakeNot(t.formula(a.Left))
	case syntax.AssertAlways:
		return ltl.MakeAlways(t.formula(a.Left))
	case syntax.AssertEventually:
		return ltl.MakeEventually(t.formula(a.Left))
	case syntax.AssertNext:
		return ltl.MakeNext(t.formula(a.Left))
	case syntax.AssertAnd:
		return ltl.MakeAnd(t.formula(a.Left), t.formula(a.Right))
	case syntax.AssertOr:
		return ltl.MakeOr(t.formula(a.Left), t.formula(a.Right))
	case syntax.AssertUntil:
		return ltl.MakeUntil(t.formula(a.Left), t.formula(a.Right))
	case syntax.AssertWeakUntil:
		return ltl.MakeWeakUntil(t.formula(a.Left), t.formula(a.Right))
	case syntax.AssertImplies:
		return ltl.MakeImplies(t.formula(a.Left), t.formula(a.Right))
	case syntax.AssertIff:
		return ltl.MakeIff(t.formula(a.Left), t.formula(a.Right))
	case syntax.AssertForall, syntax.AssertExists:
		var fs []*ltl.Formula
		t.ForRanges(a.Ranges, func() { fs = append(fs, t.formula(a.Left)) })
		if a.Op == syntax.AssertForall {
			return ltl.MakeAnd(fs...)
		}
		return ltl.MakeOr(fs...)
	case syntax.AssertRigid:
		return ltl.Constant(t.Number(a.Expr) > 0)
	case syntax.AssertAction:
		return t.lastAction(a.Label)
	}
	return t.named(a)
}

// lastAction is the disjunction of the events of a label.
func (t *assertTranslation) lastAction(l *syntax.Label) *ltl.Formula {
	var fs []*ltl.Formula
	for _, name := range t.Labels([]*syntax.Label{l}) {
		t.mention(name, l.Span)
		fs = append(fs, ltl.AtomOf(ltl.Atom{Kind: ltl.Event, Name: name}))
	}
	return ltl.MakeOr(fs...)
}

// named is a fluent, an assertion or a set of actions.
func (t *assertTranslation) named(a *syntax.Assertion) *ltl.Formula {
	n := a.Name.Text
	if _, ok := t.c.Names.Defs[syntax.Fluent][n]; ok {
		return t.fluent(a)
	}
	if d, ok := t.c.Names.Defs[syntax.Assert][n].(*syntax.AssertDef); ok {
		if len(a.Ranges) > 0 {
			t.Fail(a.Span, "assertion-indexed", fmt.Sprintf("an assertion takes arguments: %s(1)", n), "the assertion %s takes no index", n)
		}
		return t.use(d, a)
	}
	if _, ok := t.c.Names.Defs[syntax.Set][n]; ok && a.Args == nil {
		l := &syntax.Label{Span: a.Span, Parts: []syntax.LabelPart{{Kind: syntax.PartSet, Set: &syntax.LabelSet{Name: n, Span: a.Name.Span}}}}
		for _, r := range a.Ranges {
			l.Parts = append(l.Parts, syntax.LabelPart{Kind: syntax.PartIndex, Index: r, Span: r.Span})
		}
		return t.lastAction(l)
	}
	t.c.UnknownInAssertion(a.Name)
	return nil
}

func (t *assertTranslation) fluent(a *syntax.Assertion) *ltl.Formula {
	all := t.c.allFluents()
	var fs []*ltl.Formula
	t.instances(a.Name.Text, a.Ranges, func(name string) {
		f, ok := all[name]
		if !ok {
			help := "a fluent that is defined with ranges is used with indices"
			if len(a.Ranges) > 0 {
				help = "the index is outside of the ranges of the fluent"
			}
			t.Fail(a.Span, "unknown-fluent", help, "there is no fluent %s", name)
		}
		for _, action := range slices.Concat(f.begin, f.end) {
			t.mention(action, a.Span)
		}
		fs = append(fs, ltl.MakeNext(ltl.AtomOf(ltl.Atom{Kind: ltl.Prop, Name: name})))
	})
	return ltl.MakeOr(fs...)
}

// use expands another assertion. As in LTSA it sees the index variables of the
// place where it is used.
func (t *assertTranslation) use(d *syntax.AssertDef, a *syntax.Assertion) *ltl.Formula {
	if slices.Contains(t.using, d.Name.Text) {
		t.Fail(a.Span, "circular", "", "the assertion %s uses itself", d.Name.Text)
	}
	actual := t.actuals(a.Args)
	inner := &assertTranslation{
		scope:   t.c.scope(t.c.Arguments(d.Name.Text, d.Params, actual, a.Span)),
		nodes:   t.nodes,
		using:   append(slices.Clip(t.using), d.Name.Text),
		actions: t.actions,
	}
	inner.Vars = slices.Clone(t.Vars)
	f := inner.formula(d.Formula)
	t.nodes = inner.nodes
	return f
}

// free returns a component that can always take each of the actions which only
// an assertion mentions, or nil if there are none: in LTSA the assertion is a
// process with these actions in its alphabet.
func (c *compiler) free(net *lks.Network, actions map[string]syntax.Span) *lks.LKS {
	b := lks.NewBuilder("FREE")
	s := b.State()
	found := false
	for _, a := range slices.Sorted(maps.Keys(actions)) {
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
