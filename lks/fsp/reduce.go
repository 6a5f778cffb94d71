package fsp

import (
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// reduce applies the marks minimal and deterministic to a primitive process, in
// this order. LTSA's minimal is weak bisimulation and makes a deadlock of a livelock;
// here they stay apart, so that no verdict of the process itself changes.
// Deterministic makes the smallest deterministic process with the same traces, where
// a trace that can be an error is one.
func (c *compiler) reduce(m *lks.LKS, marks syntax.Marks) *lks.LKS {
	if marks.Minimal {
		m = c.minimise(m, lks.WeakDeadlock)
	}
	if marks.Deterministic {
		m = c.determinise(m)
	}
	return m
}

// reduceComposite applies the marks of a composite: LTSA determinises (a
// property always) or else minimises.
func (c *compiler) reduceComposite(m *lks.LKS, marks syntax.Marks) *lks.LKS {
	switch {
	case marks.Deterministic || marks.Property:
		m = c.determinise(m)
		if marks.Property {
			m = makeProperty(m)
		}
	case marks.Minimal:
		m = c.minimise(m, lks.WeakDeadlock)
	}
	return m
}

func (c *compiler) minimise(m *lks.LKS, q lks.Equivalence) *lks.LKS {
	m, err := lks.Minimise(m, q, c.opts.Meter)
	if err != nil {
		c.stop(err)
	}
	return m
}

func (c *compiler) determinise(m *lks.LKS) *lks.LKS {
	m, err := lks.Determinise(m, lks.UntilError, c.opts.Meter)
	if err != nil {
		c.stop(err)
	}
	return m
}

// makeProperty sends every action that a state of a deterministic LKS does not
// have to ERROR. A property may end anywhere, so End states become ordinary.
func makeProperty(m *lks.LKS) *lks.LKS {
	b := lks.NewBuilder(m.Name())
	actions := lists.Map(m.Alphabet(), b.Action)
	props := lists.Map(m.Props(), b.Prop)
	failed := int32(-1)
	for s := range int32(m.NumStates()) {
		kind := m.Kind(s)
		if kind == lks.Error {
			failed = s
		} else {
			kind = lks.Normal
		}
		b.StateID(kind, mapProps(m.Label(s), props))
	}
	if failed < 0 {
		failed = b.StateID(lks.Error, nil)
	}
	for s := range int32(m.NumStates()) {
		if s == failed {
			continue
		}
		for _, e := range m.Edges(s) {
			b.TransitionID(s, actions[e.Action], e.Target)
		}
		for a := int32(1); int(a) < len(actions); a++ {
			if len(m.Succ(s, a)) == 0 {
				b.TransitionID(s, actions[a], failed)
			}
		}
	}
	b.Initial(m.Initial()...)
	n := m.NumStates()
	b.Describe(func(s int32) string {
		if int(s) == n {
			return "ERROR"
		}
		return m.StateName(s)
	})
	out, err := b.Build()
	if err != nil {
		panic("fsp: property is no LKS: " + err.Error())
	}
	return out
}
