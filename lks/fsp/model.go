package fsp

import (
	"errors"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp/internal/eval"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// Model is a compiled file. Its processes are compiled when first asked for; it
// is not safe for concurrent use, but the networks it returns are.
type Model struct {
	c *compiler
}

// Processes returns the processes that the file defines, in order.
func (m *Model) Processes() []Process {
	var ps []Process
	for _, d := range m.c.File.Defs {
		p := Process{Name: d.Head().Name.Text, Span: m.c.File.Place(d.Head().Name.Span)}
		switch d := d.(type) {
		case *syntax.ProcessDef:
			p.Kind, p.Property = Primitive, d.Marks.Property
		case *syntax.CompositeDef:
			p.Kind, p.Property = Composite, d.Marks.Property
		case *syntax.ImportDef:
			p.Kind = Imported
		default:
			continue
		}
		ps = append(ps, p)
	}
	return ps
}

// DefaultProcess returns the name of the process that is checked if none is
// chosen: the last composite of the file; without one, its only primitive
// process, or else DefaultName, the composition of all of them. It is "" if the
// file defines no process.
func (m *Model) DefaultProcess() string {
	names := &m.c.Names
	if cs := names.All[syntax.Composite]; len(cs) > 0 {
		return cs[len(cs)-1]
	}
	switch ps, imports := names.All[syntax.Process], names.All[syntax.Import]; {
	case len(ps)+len(imports) > 1:
		return DefaultName
	case len(ps) == 1:
		return ps[0]
	case len(imports) == 1:
		return imports[0]
	}
	return ""
}

// Warnings returns what was noticed so far that is no error. Compiling a process
// (Network, Composition) may add to it.
func (m *Model) Warnings() source.List {
	var ws source.List
	for _, d := range m.c.Errs {
		if d.Severity == source.Warning {
			ws = append(ws, d)
		}
	}
	m.c.vainWarnings(&ws)
	ws.Sort()
	return ws
}

// Network returns a process of the file as others see it: a network, complete with
// its hiding, priorities and marks. "" is the default process. The error is a source.List,
// or a budget's.
func (m *Model) Network(process string) (*lks.Network, error) {
	return m.network(process, func(n *network) *lks.Network { return m.c.finish(n) })
}

// Composition returns a process of the file as questions see it, here as in LTSA:
// with its priorities, but before its own hiding (all actions are seen) and before it
// is made minimal, deterministic or a property. For a primitive process it is
// the process itself.
func (m *Model) Composition(process string) (*lks.Network, error) {
	return m.network(process, func(n *network) *lks.Network { return m.c.raw(n) })
}

// network evaluates f on a process; a primitive process is a network of itself.
func (m *Model) network(process string, f func(*network) *lks.Network) (net *lks.Network, err error) {
	ok := m.c.guard(func() {
		n := m.lookup(process)
		net = f(n)
		m.c.warnTwins(n)
		m.c.warnMisspelt(n)
		m.c.warnUnchecked(m, n)
	})
	if err := m.c.result(); err != nil {
		return nil, err
	}
	if !ok {
		return nil, errors.New("fsp: the process could not be compiled, for a reason that was reported before")
	}
	return net, nil
}

// lookup finds a process; it aborts if there is none.
func (m *Model) lookup(process string) *network {
	c := m.c
	if process == "" {
		process = m.DefaultProcess()
	}
	if process == "" {
		c.Errorf(syntax.Span{}, "no-process", "define one: P = (a -> P).", "the file defines no process")
		panic(eval.Abort)
	}
	if d, ok := c.Names.Defs[syntax.Composite][process]; ok {
		return c.composition(d.(*syntax.CompositeDef), nil, d.Head().Name.Span)
	}
	for _, k := range []syntax.Kind{syntax.Process, syntax.Import} {
		if d, ok := c.Names.Defs[k][process]; ok {
			u := c.unit(&syntax.ProcessRef{Name: d.Head().Name}, c.scope(nil))
			return &network{name: process, at: d.Head().Name.Span, parts: u.nets}
		}
	}
	if process == DefaultName && len(c.Names.Of(syntax.Process, syntax.Import)) > 0 {
		return c.defaultNetwork()
	}
	c.Fail(syntax.Span{}, "unknown-name", c.ProcessHelp(process), "the file defines no process %q", process)
	return nil
}
