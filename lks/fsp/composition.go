package fsp

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp/internal/eval"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// network is a compiled composite, not yet composed.
type network struct {
	name  string
	def   *syntax.CompositeDef // nil for DEFAULT
	at    syntax.Span          // where to report errors
	parts []*lks.Network
	// low tells the actions (tau included) that yield to all others; nil if there
	// is no priority.
	low    func(action string) bool
	hidden func(action string) bool // nil if nothing is hidden
	marks  syntax.Marks

	lookedForTwins, lookedForMisspelt bool

	bare  *lks.Network // what raw returned, without extra parts
	whole *lks.Network // what finish returned
	part  *lks.Network // what asPart returned
}

// needsCreating reports whether LTSA would build this composite before it uses
// it in another: then it counts as one process there.
func (n *network) needsCreating() bool {
	m := n.marks
	return n.hidden != nil || n.low != nil || m.Deterministic || m.Minimal || m.Compose || m.Property
}

// unit is what stands between "||" in a composition: one process, or all the
// processes of a composite that is used as a part. Prefixes, sharing and
// relabelling apply to each process; but a relabelling that would make actions
// of a composite's processes synchronise anew applies to their composition.
type unit struct {
	nets      []*lks.Network
	composite bool
}

// composition returns the compiled composite, made once for each list of
// arguments (nil: the defaults).
func (c *compiler) composition(d *syntax.CompositeDef, actual []eval.Value, at syntax.Span) *network {
	instance := instanceName(d.Name.Text, actual)
	if n, ok := c.networks[instance]; ok {
		return n
	}
	c.begin(instance, at)
	defer c.end()
	s := c.scope(c.Arguments(d.Name.Text, d.Params, actual, at))
	n := &network{name: instance, def: d, at: d.Name.Span, marks: d.Marks}
	for _, u := range s.units(d.Body) {
		n.parts = append(n.parts, u.nets...)
	}
	if d.Priority != nil {
		match := s.matcher(d.Priority.Set)
		n.low = func(action string) bool { return action != lks.TauName && match(action) }
		if d.Priority.High {
			n.low = func(action string) bool { return action == lks.TauName || !match(action) }
		}
	}
	n.hidden = s.hiddenActions(d.Hide)
	if d.Hide != nil {
		s.checkHiding(d.Hide, d.Name.Text, actionsOf(n.parts))
	}
	c.networks[instance] = n
	return n
}

// units evaluates a composition expression.
func (s *scope) units(comp *syntax.Composition) []*unit {
	switch comp.Kind {
	case syntax.CompIf:
		switch {
		case s.Truth(comp.Cond):
			return s.units(comp.Yes)
		case comp.No != nil:
			return s.units(comp.No)
		}
		return nil
	case syntax.CompForall:
		var us []*unit
		s.ForRanges(comp.Ranges, func() { us = append(us, s.units(comp.Yes)...) })
		return us
	}
	var us []*unit
	if comp.Prefix != nil {
		s.Expand(comp.Prefix, func(p []byte) {
			prefix := string(p)
			for _, u := range s.members(comp) {
				us = append(us, u.each(func(n *lks.Network) *lks.Network { return n.Prefix(prefix) }))
			}
			s.c.tick("composing", len(us), 0)
		})
	} else {
		us = s.members(comp)
	}
	if comp.Share != nil {
		var prefixes []string
		s.Expand(comp.Share, func(p []byte) { prefixes = append(prefixes, string(p)) })
		for i, u := range us {
			us[i] = u.each(func(n *lks.Network) *lks.Network { return share(n, prefixes) })
		}
	}
	if relation := s.relation(comp.Relabel); relation != nil {
		var parts []*lks.Network
		for _, u := range us {
			parts = append(parts, u.nets...)
		}
		s.checkRelabels(comp.Relabel, "what it relabels", actionsOf(parts))
		for i, u := range us {
			us[i] = s.relabelUnit(u, relation, comp.Span)
		}
	}
	return us
}

// members evaluates (P || Q) or a reference, without what stands before and
// behind it.
func (s *scope) members(comp *syntax.Composition) []*unit {
	if comp.Kind == syntax.CompGroup {
		var us []*unit
		for _, g := range comp.Group {
			us = append(us, s.units(g)...)
		}
		return us
	}
	return []*unit{s.c.unit(&comp.Ref, s)}
}

func (u *unit) each(f func(*lks.Network) *lks.Network) *unit {
	out := &unit{composite: u.composite, nets: make([]*lks.Network, len(u.nets))}
	for i, n := range u.nets {
		out.nets[i] = f(n)
	}
	return out
}

// share is S::P: every action a becomes s.a for each s in S.
func share(n *lks.Network, prefixes []string) *lks.Network {
	n = n.Relabel(func(old string) []string {
		return lists.Map(prefixes, func(p string) string { return p + "." + old })
	})
	text := strings.Join(prefixes, ",")
	if len(text) > 40 {
		text = prefixes[0] + ",..." // the name is for people
	}
	return n.RenameComponents(func(old string) string { return "{" + text + "}::" + old })
}

// relabelUnit relabels each process of a unit, or their composition if the unit
// is a composite in which the relabelling would give two actions one name.
func (s *scope) relabelUnit(u *unit, relation relabelling, at syntax.Span) *unit {
	if u.composite && len(u.nets) > 1 && merges(u.nets, relation) {
		n := &network{name: "(" + s.c.Text(at) + ")", at: at, parts: u.nets}
		return &unit{nets: []*lks.Network{relabelNet(s.c.asPart(n, s.c.raw(n)), relation)}}
	}
	return u.each(func(n *lks.Network) *lks.Network { return relabelNet(n, relation) })
}

// merges reports whether two actions of the networks get one name.
func merges(nets []*lks.Network, relation relabelling) bool {
	from := map[string]string{}
	for _, n := range nets {
		for _, a := range n.Alphabet()[1:] {
			for _, b := range relation.apply(a) {
				if old, ok := from[b]; ok && old != a {
					return true
				}
				from[b] = a
			}
		}
	}
	return false
}

// relabelNet relabels one process. Where several actions of a single component
// get one name, the component itself is changed: rules for each of them would
// multiply when many such processes synchronise.
func relabelNet(n *lks.Network, relation relabelling) *lks.Network {
	if len(n.Components()) == 1 && len(n.Processes().Names) == 1 && merges([]*lks.Network{n}, relation) {
		if m, err := n.Build(nil); err == nil && m.NumStates() <= n.Components()[0].NumStates() {
			n = lks.Single(mergeActions(m, relation)).RenameComponents(func(string) string { return n.ComponentName(0) })
			return n
		}
	}
	return n.Relabel(relation.apply)
}

// mergeActions relabels the actions of one LKS.
func mergeActions(m *lks.LKS, relation relabelling) *lks.LKS {
	b := lks.NewBuilder(m.Name())
	actions := make([][]int32, len(m.Alphabet()))
	actions[0] = []int32{lks.TauID}
	for a, old := range m.Alphabet()[1:] {
		for _, n := range relation.apply(old) {
			actions[a+1] = append(actions[a+1], b.Action(n))
		}
	}
	props := lists.Map(m.Props(), b.Prop)
	for s := range int32(m.NumStates()) {
		b.StateID(m.Kind(s), mapProps(m.Label(s), props))
		for _, e := range m.Edges(s) {
			for _, a := range actions[e.Action] {
				b.TransitionID(s, a, e.Target)
			}
		}
	}
	b.Initial(m.Initial()...)
	b.Describe(m.StateName)
	out, err := b.Build()
	if err != nil {
		panic("fsp: relabelled process is no LKS: " + err.Error())
	}
	return out
}

// unit returns the processes that a reference stands for.
func (c *compiler) unit(ref *syntax.ProcessRef, s *scope) *unit {
	actual := s.actuals(ref.Args)
	switch d := c.Process(ref.Name).(type) {
	case *syntax.ProcessDef:
		return &unit{nets: []*lks.Network{lks.Single(c.primitive(d, actual, ref.Span))}}
	case *syntax.ImportDef:
		return &unit{nets: []*lks.Network{lks.Single(c.imported(d, actual, ref.Span))}}
	case *syntax.CompositeDef:
		n := c.composition(d, actual, ref.Span)
		if !n.needsCreating() {
			return &unit{nets: n.parts, composite: true}
		}
		if n.part == nil {
			n.part = c.asPart(n, c.finish(n))
		}
		return &unit{nets: []*lks.Network{n.part}}
	}
	panic(eval.Abort)
}

func (s *scope) actuals(args []*syntax.Expr) []eval.Value {
	if args == nil {
		return nil
	}
	return lists.Map(args, s.Eval)
}

// reference returns the LKS of a process, building composites.
func (c *compiler) reference(ref *syntax.ProcessRef, s *scope) *lks.LKS {
	actual := s.actuals(ref.Args)
	switch d := c.Process(ref.Name).(type) {
	case *syntax.ProcessDef:
		return c.primitive(d, actual, ref.Span)
	case *syntax.ImportDef:
		return c.imported(d, actual, ref.Span)
	case *syntax.CompositeDef:
		n := c.composition(d, actual, ref.Span)
		return c.build(c.finish(n))
	}
	panic(eval.Abort)
}

func (c *compiler) imported(d *syntax.ImportDef, actual []eval.Value, at syntax.Span) *lks.LKS {
	if actual != nil {
		c.Fail(at, "arity", "", "the imported process %s takes no arguments", d.Name.Text)
	}
	if m, ok := c.primitives[d.Name.Text]; ok {
		return m
	}
	if c.opts.Import == nil {
		c.Fail(d.Span, "import", "", "import is not possible here")
	}
	m, err := c.opts.Import(d.Path)
	if err != nil {
		c.Fail(d.Span, "import", "", "cannot import %s: %v", d.Path, err)
	}
	c.primitives[d.Name.Text] = m
	return m
}

// raw composes the parts under their priorities: LTSA's composition, of which it
// reports states and transitions and on which it checks properties. extra parts
// are composed along.
func (c *compiler) raw(n *network, extra ...*lks.Network) *lks.Network {
	if len(extra) == 0 && n.bare != nil {
		return n.bare
	}
	parts := append(slices.Clone(n.parts), extra...)
	if len(parts) == 0 {
		c.Fail(n.at, "empty-composition", "", "the composite %s has no processes", n.name)
	}
	net, err := lks.ComposeWithin(c.opts.Meter, n.name, parts...)
	for notFlat := (*lks.NotFlat)(nil); errors.As(err, &notFlat); {
		// A part that is flat among others need not be among these.
		parts[notFlat.Index] = c.union(parts[notFlat.Index])
		net, err = lks.ComposeWithin(c.opts.Meter, n.name, parts...)
	}
	if err != nil {
		c.composeError(n, err)
	}
	if n.low != nil {
		net = net.Yield(n.low)
	}
	if len(extra) == 0 {
		n.bare = net
	}
	return net
}

func (c *compiler) composeError(n *network, err error) {
	if clash, ok := errors.AsType[*lks.PropClash](err); ok {
		d := c.Errorf(n.at, "proposition-clash", "give each its own prefix: a:P || b:Q",
			"proposition %s belongs to both %s and %s: processes of a composition must not share propositions", clash.Prop, clash.First, clash.Second)
		for i, component := range []string{clash.First, clash.Second} {
			base := component[strings.LastIndexByte(component, ':')+1:]
			base, _, _ = strings.Cut(base, "(")
			if def, ok := c.Names.Defs[syntax.Process][base]; ok && (i == 0 || len(d.Related) == 0 || d.Related[0].Span != c.File.Place(def.Head().Name.Span)) {
				d.Related = append(d.Related, c.Related(def.Head().Name.Span, fmt.Sprintf("%s is defined here", base)))
			}
		}
		panic(eval.Abort)
	}
	if limit, ok := errors.AsType[*budget.Exhausted](err); ok {
		c.Exceed(n.at, "composition-too-large", limit.Advice, "the composition %s is too large: %v", n.name, err)
	}
	c.Fail(n.at, "composition", "", "%v", err)
}

// finish composes the parts and applies hiding and marks.
func (c *compiler) finish(n *network) *lks.Network {
	if n.whole != nil {
		return n.whole
	}
	net := c.raw(n)
	if n.hidden != nil {
		net = net.Hide(n.hidden)
	}
	if m := n.marks; m.Deterministic || m.Minimal || m.Property {
		built := c.reduceComposite(c.build(net), m)
		net = lks.Single(built)
	} else if m.Compose {
		net = c.union(net)
	}
	n.whole = net
	return net
}

// asPart makes a network usable in another composition: it is built if it has
// priorities, or if processes inside it terminate on their own.
func (c *compiler) asPart(n *network, net *lks.Network) *lks.Network {
	var notFlat *lks.NotFlat
	if _, err := lks.Compose(n.name, net, lks.Single(stopped)); errors.As(err, &notFlat) {
		return c.union(net)
	}
	return net
}

// union makes the composition one component, of the processes that it had.
func (c *compiler) union(net *lks.Network) *lks.Network {
	one, err := net.Union(c.opts.Meter)
	if err != nil {
		c.stop(err)
	}
	return one
}

// stopped is the process STOP with an empty alphabet.
var stopped = func() *lks.LKS {
	b := lks.NewBuilder("STOP")
	b.State()
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return m
}()

// build builds the composition.
func (c *compiler) build(net *lks.Network) *lks.LKS {
	m, err := net.Build(c.opts.Meter)
	if err != nil {
		c.stop(err)
	}
	return m
}

// defaultNetwork is the parallel composition of all primitive processes, LTSA's
// DEFAULT.
func (c *compiler) defaultNetwork() *network {
	if n, ok := c.networks[DefaultName]; ok {
		return n
	}
	n := &network{name: DefaultName, at: syntax.Span{}}
	s := c.scope(nil)
	for _, p := range c.Names.Of(syntax.Process, syntax.Import) {
		n.parts = append(n.parts, c.unit(&syntax.ProcessRef{Name: syntax.Name{Text: p}}, s).nets...)
	}
	c.networks[DefaultName] = n
	return n
}

// DefaultName is the name of the parallel composition of all primitive
// processes of a file that has no composite.
const DefaultName = "DEFAULT"
