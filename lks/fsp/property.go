package fsp

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp/internal/eval"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/ltl"
)

// PropertyKind says how a property was written.
type PropertyKind uint8

const (
	// Assert: assert NAME = formula, LTSA's logic, translated to SE-LTL.
	Assert PropertyKind = iota
	// LTL: ltl NAME = formula, SE-LTL.
	LTL
)

func (k PropertyKind) String() string { return [...]string{"assert", "ltl"}[k] }

// Property is an assert or ltl definition, read for one process.
type Property struct {
	Name string
	Kind PropertyKind
	// Text is the formula as it is written, and Span its place. At is the name in the
	// definition.
	Text string
	Span source.Span
	At   source.Span
	// Formula is its meaning in SE-LTL.
	Formula *ltl.Formula
	// Network is what it is checked on: the process as Composition returns it, with
	// the fluents that the formula uses. Actions that only an assert mentions can
	// occur at any time.
	Network *lks.Network
	// Free are the actions that only the assert mentions, sorted.
	Free []string
	// Expect is what a comment behind the definition says, nil if there is none.
	Expect Expectations
}

// Properties returns the file's assert and ltl definitions in order, read for
// the process ("": the default process). An ltl definition that has a meaning for the
// default process only is left out, with a warning. The error is a source.List with what
// is wrong in any of them.
func (m *Model) Properties(process string) ([]*Property, error) {
	var ps []*Property
	for _, d := range m.c.File.Defs {
		if m.aboutMain(process, d) {
			continue
		}
		if p := m.property(process, d); p != nil {
			ps = append(ps, p)
		}
		if m.c.failure != nil {
			break
		}
	}
	if err := m.c.result(); err != nil {
		return nil, err
	}
	return ps, nil
}

// aboutMain reports, with a warning, whether a definition is an ltl property with names
// that the default process has, but not the process.
func (m *Model) aboutMain(process string, def syntax.Definition) (left bool) {
	d, ok := def.(*syntax.LTLDef)
	if !ok || process == "" || process == m.DefaultProcess() {
		return false
	}
	c := m.c
	read := func(process string) (err error) {
		n := m.lookup(process)
		_, err = c.formula(n, c.raw(n), c.File.Place(d.Formula))
		return err
	}
	c.guard(func() {
		if list, ok := read(process).(source.List); !ok || list.Limited() || read("") != nil {
			return
		}
		left = true
		c.Warnf(d.Name.Span, "other-process", "choose that process, or state the property of both by names that both have",
			"ltl %s has names of %s that %s does not have, and is left out", d.Name.Text, m.DefaultProcess(), process)
	})
	return left
}

// Property returns the named assert or ltl definition, read for the process.
func (m *Model) Property(process, name string) (*Property, error) {
	for _, d := range m.c.File.Defs {
		if k := syntax.KindOf(d); d.Head().Name.Text == name && (k == syntax.Assert || k == syntax.LTL) {
			p := m.property(process, d)
			if err := m.c.result(); err != nil {
				return nil, err
			}
			if p != nil {
				return p, nil
			}
		}
	}
	d := m.c.Errs.Errorf(m.c.File.Place(syntax.Span{}), "unknown-name", "the file defines no assert or ltl property %q", name)
	known := m.c.Names.Of(syntax.Assert, syntax.LTL)
	switch kind := m.c.Names.Kind[name]; {
	case kind != 0:
		d.Help = fmt.Sprintf("%s is a %s", name, kind.String())
	case len(known) == 0:
		d.Help = "it declares none: write ltl NAME = formula"
	default:
		d.Help = cmp.Or(source.DidYouMean(name, known), eval.Listed("properties", known))
	}
	return nil, m.c.result()
}

// property reads one definition; it returns nil if it is no property, or after
// an error.
func (m *Model) property(process string, def syntax.Definition) *Property {
	c := m.c
	p := &Property{Name: def.Head().Name.Text, At: c.File.Place(def.Head().Name.Span), Expect: c.expect[def]}
	if c.namesWrongFluent(def) {
		return nil
	}
	ok := c.guard(func() {
		switch d := def.(type) {
		case *syntax.AssertDef:
			if d.Constraint {
				p = nil
				return
			}
			p.Kind, p.Span = Assert, c.File.Place(d.Formula.Span)
			c.assertOn(m.lookup(process), d, p)
		case *syntax.LTLDef:
			p.Kind, p.Span = LTL, c.File.Place(d.Formula)
			n := m.lookup(process)
			f, err := c.formula(n, c.raw(n), p.Span)
			if err != nil {
				c.add(err)
			}
			p.Formula = f
			p.Network = c.observed(n, c.usedFluents([]*ltl.Formula{f}))
		default:
			p = nil
		}
	})
	if !ok || p == nil {
		return nil
	}
	p.Text = p.Span.Text()
	return p
}

// add takes over the diagnostics of package ltl, or stops.
func (c *compiler) add(err error) {
	list, ok := err.(source.List)
	if !ok {
		c.stop(err)
	}
	c.Errs = append(c.Errs, list...)
	panic(eval.Abort)
}

func (c *compiler) assertOn(n *network, d *syntax.AssertDef, p *Property) {
	f, actions := c.assertFormula(d)
	net := c.raw(n)
	if free := c.free(net, actions); free != nil {
		known := net.Alphabet()[1:]
		p.Free = free.Alphabet()[1:]
		for _, a := range p.Free {
			help := source.DidYouMean(a, known)
			c.Warnf(actions[a], "free-action", help, "no process of %s has the action %s: in assertions it can then occur at any time", n.name, a)
		}
		net = c.raw(n, lks.Single(free))
	}
	f = keepLastAction(f, startsEnded(net))
	p.Formula = f
	p.Network = c.with(n, net, c.usedFluents([]*ltl.Formula{f}))
}

// startsEnded reports whether an initial state has no successors.
func startsEnded(net *lks.Network) bool {
	e := net.Explorer()
	var initial, next lks.Successors
	e.Initial(&initial)
	for i := range initial.Len() {
		e.Successors(initial.States[i*net.Words():(i+1)*net.Words()], &next)
		if next.Len() == 0 {
			return true
		}
	}
	return false
}

// formula reads SE-LTL about a process n, which is composed to net.
func (c *compiler) formula(n *network, net *lks.Network, span source.Span) (*ltl.Formula, error) {
	return ltl.ParseSpan(span, c.parseOptions(n, net))
}

// hiddenOf returns the actions of a composition that its definition hides, sorted.
func (n *network) hiddenOf(net *lks.Network) []string {
	if n.hidden == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(net.Alphabet()[1:]), func(a string) bool { return !n.hidden(a) })
}

// parseOptions are how formulas about a process n, composed to net, are read: names of
// assert and ltl definitions stand for their formulas, tau for what n hides, too.
func (c *compiler) parseOptions(n *network, net *lks.Network) ltl.ParseOptions {
	v := c.vocabulary(net)
	var options ltl.ParseOptions
	reading := map[string]bool{}
	known := map[string]*ltl.Formula{}
	options = ltl.ParseOptions{Vocabulary: v, Silent: n.hiddenOf(net), Defined: c.Names.Of(syntax.Assert, syntax.LTL), Named: func(name string) *ltl.Formula {
		if f, ok := known[name]; ok {
			return f
		}
		var f *ltl.Formula
		if d, ok := c.Names.Defs[syntax.Assert][name].(*syntax.AssertDef); ok && !d.Constraint {
			c.guard(func() {
				f, _ = c.assertFormula(d)
				f = keepLastAction(f, true)
			})
		}
		if d, ok := c.Names.Defs[syntax.LTL][name].(*syntax.LTLDef); ok && !reading[name] {
			reading[name] = true
			f, _ = ltl.ParseSpan(c.File.Place(d.Formula), options) // its errors are reported where it is defined
			reading[name] = false
		}
		if f != nil {
			known[name] = f
		}
		return f
	}}
	return options
}
