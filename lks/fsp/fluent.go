package fsp

import (
	"maps"
	"slices"
	"sort"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp/internal/eval"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/ltl"
)

// fluent is one instance of a fluent definition: a proposition that the actions
// in begin make true and those in end make false.
type fluent struct {
	name       string // F, or F.1 for an indexed one
	def        *syntax.FluentDef
	begin, end []string
	mentions   []mention // of these actions
	initially  bool
}

// allFluents evaluates all fluent definitions, once.
func (c *compiler) allFluents() map[string]*fluent {
	if c.fluents != nil {
		return c.fluents
	}
	c.fluents = map[string]*fluent{}
	for _, d := range c.File.Defs {
		if d, ok := d.(*syntax.FluentDef); ok {
			if !c.guard(func() { c.addFluents(d) }) {
				c.wrongFluents = append(c.wrongFluents, d.Name.Text)
			}
		}
	}
	return c.fluents
}

// namesWrongFluent reports whether a definition uses a fluent whose definition is wrong. That was said of
// the fluent, and would be said once more of its name; who asks again is told so.
func (c *compiler) namesWrongFluent(d syntax.Definition) bool {
	c.allFluents()
	for _, t := range c.tokens(d) {
		if slices.Contains(c.wrongFluents, t.Text) {
			if !c.Errs.HasErrors() {
				c.Errorf(t.Span, "unknown-fluent", "", "the definition of the fluent %s is wrong", t.Text)
			}
			return true
		}
	}
	return false
}

func (c *compiler) addFluents(d *syntax.FluentDef) {
	s := c.scope(nil)
	s.instances(d.Name.Text, d.Ranges, func(name string) {
		f := &fluent{name: name, def: d, begin: s.Labels([]*syntax.Label{d.Begin}), end: s.Labels([]*syntax.Label{d.End})}
		f.mentions = slices.Concat(s.mentions(d.Begin), s.mentions(d.End))
		for _, a := range f.begin {
			if slices.Contains(f.end, a) {
				c.Fail(d.Begin.Span.To(d.End.Span), "fluent-not-disjoint", "", "the action %s both begins and ends the fluent %s", a, name)
			}
		}
		f.initially = d.Initially != nil && s.Number(d.Initially) > 0
		c.fluents[name] = f
	})
}

// instances calls yield with the name of each instance of a definition with
// ranges, NAME.i.j, and their variables bound; without ranges, with the name.
func (s *scope) instances(name string, ranges []*syntax.Index, yield func(name string)) {
	if len(ranges) == 0 {
		yield(name)
		return
	}
	s.Expand(eval.IndexLabel(ranges), func(index []byte) { yield(name + "." + string(index)) })
}

// observer makes the two-state component that carries a fluent.
func (f *fluent) observer() *lks.LKS {
	b := lks.NewBuilder(f.name)
	off, on := b.State(), b.State(f.name)
	for _, a := range f.begin {
		b.Transition(off, a, on)
	}
	for _, a := range f.end {
		b.Transition(on, a, off)
	}
	if f.initially {
		b.Initial(on)
	} else {
		b.Initial(off)
	}
	b.Describe(func(s int32) string {
		if s == on {
			return "true"
		}
		return "false"
	})
	m, err := b.Build()
	if err != nil {
		panic("fsp: fluent is no LKS: " + err.Error())
	}
	return m
}

// usedFluents returns the fluents that are atoms of the formulas, by name.
func (c *compiler) usedFluents(fs []*ltl.Formula) []*fluent {
	all := c.allFluents()
	var used []*fluent
	for _, a := range ltl.Atoms(fs...) {
		if f, ok := all[a.Name]; ok && a.Kind == ltl.Prop {
			used = append(used, f)
		}
	}
	return used
}

// observed returns a process as Composition does, with observers for fluents, which
// see all its actions.
func (c *compiler) observed(n *network, fluents []*fluent) *lks.Network {
	net := c.raw(n)
	for _, f := range fluents {
		c.warnUnknown(f.mentions, net, "the fluent "+f.def.Name.Text)
	}
	return c.with(n, net, fluents)
}

func (c *compiler) with(n *network, net *lks.Network, fluents []*fluent) *lks.Network {
	if len(fluents) == 0 {
		return net
	}
	observers := lists.Map(fluents, (*fluent).observer)
	net, err := net.With(observers...)
	if err != nil {
		c.composeError(n, err)
	}
	return net
}

// vocabulary is the names that formulas about a process can use.
type vocabulary struct {
	c     *compiler
	net   *lks.Network
	props map[string]bool
	names []string
}

func (c *compiler) vocabulary(net *lks.Network) *vocabulary {
	v := &vocabulary{c: c, net: net, props: map[string]bool{}}
	for _, p := range net.Props() {
		v.props[p] = true
	}
	for f := range c.allFluents() {
		v.props[f] = true
	}
	for p := range v.props {
		v.names = append(v.names, p)
	}
	v.names = append(v.names, net.Alphabet()[1:]...)
	sort.Strings(v.names)
	v.names = slices.Compact(v.names)
	return v
}

func (v *vocabulary) Prop(name string) bool { return v.props[name] }

func (v *vocabulary) Event(name string) bool { return name != lks.TauName && v.net.Action(name) >= 0 }

func (v *vocabulary) Indexed(base string) []int {
	var indices []int
	for p := range v.props {
		if i, ok := numberAfter(p, base); ok {
			indices = append(indices, i)
		}
	}
	slices.Sort(indices)
	return indices
}

// numberAfter returns i if name is base.i.
func numberAfter(name, base string) (int, bool) {
	if len(name) <= len(base)+1 || name[:len(base)] != base || name[len(base)] != '.' {
		return 0, false
	}
	v := eval.LabelValue(name[len(base)+1:])
	return int(v.N), !v.IsLabel()
}

func (v *vocabulary) Range(name string) (lo, hi int, ok bool) {
	v.c.guard(func() {
		var l, h int32
		if l, h, ok = v.c.Range(name); ok {
			lo, hi = int(l), int(h)
		}
	})
	return lo, hi, ok
}

func (v *vocabulary) Set(name string) (labels []string, ok bool) {
	v.c.guard(func() { labels, ok = v.c.Set(name) })
	return labels, ok
}

func (v *vocabulary) Const(name string) (value int, ok bool) {
	v.c.guard(func() {
		if x, known := v.c.Constant(name); known && !x.IsLabel() {
			value, ok = int(x.N), true
		}
	})
	return value, ok
}

func (v *vocabulary) Names() []string { return v.names }

// ParseOptions are how formulas about the process ("": the default process) are
// read: its propositions and actions, the fluents, ranges, sets and constants of
// the file are their Vocabulary, and the names of the file's assert and ltl
// definitions stand for their formulas.
func (m *Model) ParseOptions(process string) (ltl.ParseOptions, error) {
	net, err := m.Composition(process)
	if err != nil {
		return ltl.ParseOptions{}, err
	}
	var opts ltl.ParseOptions
	m.c.guard(func() { opts = m.c.parseOptions(m.lookup(process), net) })
	return opts, m.c.result()
}

// Fluents returns the names of the file's fluents, indexed ones expanded, sorted.
func (m *Model) Fluents() ([]string, error) {
	names := slices.Sorted(maps.Keys(m.c.allFluents()))
	return names, m.c.result()
}

// Observed returns the process as Composition does, with the fluents that the
// formulas use as propositions: an observer component for each.
func (m *Model) Observed(process string, formulas ...*ltl.Formula) (*lks.Network, error) {
	if slices.Contains(formulas, nil) {
		return nil, ltl.ErrNil
	}
	return m.network(process, func(n *network) *lks.Network {
		return m.c.observed(n, m.c.usedFluents(formulas))
	})
}
