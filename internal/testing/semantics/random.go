package semantics

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

// Shape says what random models have.
type Shape struct {
	Props       bool // state labels
	EndProps    bool // also of STOP and END
	Formulas    bool // fluents, asserts, ltl, progress
	Composites  int  // at most
	MaxTemporal int  // operators in a formula
	MaxStates   int
}

// Small is a shape with everything.
var Small = Shape{Props: true, EndProps: true, Formulas: true, Composites: 3, MaxTemporal: 4, MaxStates: 60}

// Random is a random model of the shape that has a meaning, with it.
func Random(r *rand.Rand, shape Shape) (*Model, *Meaning) {
	for {
		g := &generator{r: r, shape: shape, m: &Model{}, ending: r.IntN(3) == 0}
		meaning, err := g.model()
		if err == nil {
			return g.m, meaning
		}
	}
}

type generator struct {
	r      *rand.Rand
	shape  Shape
	m      *Model
	labels int
	ending bool // models in which processes end, and hide what others wait for
}

// universe are the actions of primitive processes; some look as if a prefix had
// been put before them, so that they meet others.
var universe = []string{"a", "b", "c", "d", "p.a", "p.b", "q.a"}

func (g *generator) chance(percent int) bool { return g.r.IntN(100) < percent }

func pick[T any](g *generator, from []T) T { return from[g.r.IntN(len(from))] }

// some are between low and high different elements.
func (g *generator) some(from []string, low, high int) []string {
	n := min(low+g.r.IntN(high-low+1), len(from))
	var chosen []string
	for _, i := range g.r.Perm(len(from))[:n] {
		chosen = append(chosen, from[i])
	}
	return chosen
}

func (g *generator) model() (*Meaning, error) {
	meaning := NewMeaning(g.m, g.shape.MaxStates)
	n := 1 + g.r.IntN(3)
	if g.shape.Composites > 0 {
		n = 2 + g.r.IntN(2)
	}
	for i := range n {
		p := g.process(fmt.Sprintf("P%d", i))
		g.m.Processes = append(g.m.Processes, p)
		if _, err := meaning.Seen(p.Name); err != nil {
			return nil, err
		}
	}
	if g.shape.Composites > 0 {
		for i := range 1 + g.r.IntN(g.shape.Composites) {
			if err := g.composite(meaning, fmt.Sprintf("C%d", i)); err != nil {
				return nil, err
			}
		}
	}
	asked, _, err := meaning.Asked(g.m.Default())
	if err != nil {
		return nil, err
	}
	if g.shape.Formulas && len(asked.Alphabet) > 0 {
		g.formulas(asked)
	}
	return meaning, nil
}

func (g *generator) process(name string) *Process {
	p := &Process{Name: name, Property: g.chance(8)}
	n := 1 + g.r.IntN(3)
	names := []string{name}
	for i := 1; i < n; i++ {
		names = append(names, fmt.Sprintf("%sL%d", name, i))
	}
	actions := g.some(universe, 2, 3)
	if g.ending {
		actions = g.some(universe[:4], 2, 3)
	}
	ends := []string{"STOP", "END", "ERROR"}
	for i, l := range names {
		local := &Local{Name: l, Body: g.choice(actions, names, 0, p.Property)}
		alias := i > 0 && g.chance(25)
		if alias || i == 0 && g.chance(2) {
			local.Body = &Body{Ref: pick(g, append(ends, ends[:2]...))}
			if i > 0 && g.chance(20) {
				local.Body.Ref = pick(g, names[:i])
			}
		}
		ref := local.Body.Ref
		if g.shape.Props && !p.Property && g.chance(45) &&
			(ref == "" || g.shape.EndProps && (ref == "STOP" || ref == "END")) {
			g.labels++
			local.Props = []string{fmt.Sprintf("r%d", g.labels)}
			if g.chance(20) {
				local.Props = append(local.Props, fmt.Sprintf("s%d", g.labels))
			}
		}
		p.Locals = append(p.Locals, local)
	}
	if g.chance(20) {
		p.Extend = g.some(universe, 1, 2)
	}
	if p.Property {
		return p
	}
	if g.chance(15) {
		p.Relabel = g.relabelling(actions)
	}
	if g.chance(35) || g.ending && g.chance(40) {
		p.Hide = &Hiding{Actions: g.some(append(actions, "p"), 1, 2), Expose: g.chance(25)}
	}
	return p
}

// choice is a random choice. Those of a property have different first actions.
func (g *generator) choice(actions, names []string, depth int, property bool) *Body {
	body := &Body{}
	left := slices.Clone(actions)
	for range 1 + g.r.IntN(3) {
		if len(left) == 0 {
			break
		}
		alt := Alternative{Actions: []string{pick(g, left)}}
		if property {
			left = slices.DeleteFunc(left, func(a string) bool { return a == alt.Actions[0] })
		} else if g.chance(8) {
			alt.Actions = g.some(actions, 2, 2)
		}
		switch x := g.r.IntN(100); {
		case x < 40 && g.ending:
			alt.Then = &Body{Ref: "END"}
		case x < 60 && g.ending && depth < 2, x < 20 && depth < 2:
			alt.Then = g.choice(actions, names, depth+1, property)
		case x < 26:
			alt.Then = &Body{Ref: "STOP"}
		case x < 44:
			alt.Then = &Body{Ref: "END"}
		case x < 51:
			alt.Then = &Body{Ref: "ERROR"}
		case x < 53:
			alt.Then = &Body{Ref: "NOSUCH"}
		default:
			alt.Then = &Body{Ref: pick(g, names)}
		}
		body.Choice = append(body.Choice, alt)
	}
	return body
}

func (g *generator) relabelling(known []string) []Pair {
	var ps []Pair
	for range 1 + g.r.IntN(2) {
		p := Pair{New: pick(g, universe), Old: pick(g, append(slices.Clone(known), "p"))}
		if p.New != p.Old && !slices.Contains(ps, p) {
			ps = append(ps, p)
		}
	}
	return ps
}

func (g *generator) composite(meaning *Meaning, name string) error {
	c := &Composite{Name: name}
	known := []string{}
	for _, p := range g.m.Processes {
		known = append(known, p.Name)
	}
	for i := range g.m.Composites {
		known = append(known, g.m.Composites[i].Name, g.m.Composites[i].Name)
	}
	c.Part = &Part{}
	n := 1 + g.r.IntN(3)
	if g.chance(60) {
		n = 2
	}
	for range n {
		c.Part.Group = append(c.Part.Group, g.part(known, true))
	}
	if g.chance(15) {
		c.Part.Relabel = g.relabelling(universe)
	}
	g.m.Composites = append(g.m.Composites, c)
	plain, _, err := meaning.Asked(name)
	if err != nil {
		return err
	}
	alphabet := slices.Sorted(maps.Keys(plain.Alphabet))
	if len(alphabet) == 0 {
		return nil
	}
	names := append(slices.Clone(alphabet), "p")
	switch x := g.r.IntN(100); {
	case x < 18:
		c.Low = g.some(names, 1, 2)
	case x < 36:
		c.High = g.some(names, 1, 2)
	}
	if g.chance(40) {
		c.Hide = &Hiding{Actions: g.some(names, 1, 3), Expose: g.chance(30)}
	}
	delete(meaning.asked, name)
	_, err = meaning.Seen(name)
	return err
}

func (g *generator) part(known []string, group bool) *Part {
	p := &Part{Ref: pick(g, known)}
	if group && g.chance(8) {
		p = &Part{Group: []*Part{g.part(known, false), g.part(known, false)}}
	}
	switch x := g.r.IntN(100); {
	case x < 20:
		p.Prefixes = []string{pick(g, []string{"p", "q"})}
	case x < 24:
		p.Prefixes = []string{"p", "q"}
	case x < 32:
		p.Share = []string{"p", "q"}
	case x < 34:
		p.Share = []string{"p", "q"}
		p.Prefixes = []string{"p"}
	}
	if g.chance(15) && len(p.Prefixes) < 2 {
		p.Relabel = g.relabelling(universe)
	}
	return p
}

// formulas adds questions about the default process.
func (g *generator) formulas(asked *Graph) {
	actions := slices.Sorted(maps.Keys(asked.Alphabet))
	props := slices.Sorted(maps.Keys(asked.Props))
	if len(actions) > 1 && g.chance(70) {
		on := g.some(actions, 1, 2)
		var rest []string
		for _, a := range actions {
			if !slices.Contains(on, a) {
				rest = append(rest, a)
			}
		}
		if len(rest) > 0 {
			g.m.Fluents = append(g.m.Fluents, &Fluent{Name: "FL", On: on, Off: g.some(rest, 1, 2), Initially: g.chance(40)})
		}
	}
	for i := range 2 {
		f := &formulaGenerator{g: g, actions: actions, temporal: g.shape.MaxTemporal, assert: true}
		g.m.Asserts = append(g.m.Asserts, &Property{fmt.Sprintf("A%d", i), f.formula(3)})
	}
	for i := range 3 {
		f := &formulaGenerator{g: g, actions: actions, props: props, temporal: g.shape.MaxTemporal}
		g.m.LTLs = append(g.m.LTLs, &Property{fmt.Sprintf("F%d", i), f.formula(3)})
	}
	p := &Progress{Name: "G0", Actions: g.some(actions, 1, 2)}
	if g.chance(40) {
		p.If = g.some(actions, 1, 2)
	}
	g.m.Progress = append(g.m.Progress, p)
}

// RandomPair is a model of two processes P and Q that know the same actions and
// propositions; Q is made from P by a few small changes.
func RandomPair(r *rand.Rand, shape Shape) (*Model, *Meaning) {
	for {
		g := &generator{r: r, shape: shape, m: &Model{}}
		p := g.process("P")
		p.Property = false
		p.Extend = universe
		p.Relabel = nil
		if p.Hide == nil {
			p.Hide = &Hiding{Actions: g.some(universe, 1, 2)}
		}
		q := (&Model{Processes: []*Process{p}}).clone().Processes[0]
		g.m.Processes = []*Process{p, q}
		q.Name, q.Locals[0].Name = "Q", "Q"
		for _, l := range q.Locals {
			g.changeNames(l.Body)
		}
		for range 1 + g.r.IntN(2) {
			g.change(q)
		}
		meaning := NewMeaning(g.m, shape.MaxStates)
		if _, err := meaning.Seen("P"); err != nil {
			continue
		}
		if _, err := meaning.Seen("Q"); err == nil {
			return g.m, meaning
		}
	}
}

func (g *generator) changeNames(b *Body) {
	if b.Ref == "P" {
		b.Ref = "Q"
	}
	for _, alt := range b.Choice {
		g.changeNames(alt.Then)
	}
}

// change makes a small change to a process: often one that looks larger than it is.
func (g *generator) change(p *Process) {
	b := pick(g, p.Locals).Body
	for b.Ref == "" {
		alt := &b.Choice[g.r.IntN(len(b.Choice))]
		switch x := g.r.IntN(100); {
		case x < 20: // a silent step, perhaps
			alt.Then = &Body{Choice: []Alternative{{[]string{pick(g, p.Hide.Actions)}, alt.Then}}}
			return
		case x < 35: // again
			b.Choice = append(b.Choice, Alternative{alt.Actions, alt.Then})
			return
		case x < 50:
			b.Choice = append(b.Choice, Alternative{[]string{pick(g, p.Hide.Actions)}, alt.Then})
			return
		case x < 60:
			alt.Actions = []string{pick(g, universe)}
			return
		}
		b = alt.Then
	}
	b.Ref = pick(g, []string{"STOP", "END", "ERROR", p.Name, p.Locals[len(p.Locals)-1].Name})
}

type formulaGenerator struct {
	g              *generator
	actions, props []string
	temporal       int
	assert         bool
}

func (f *formulaGenerator) formula(depth int) *Formula {
	g := f.g
	if depth == 0 || g.chance(12) {
		return f.atom()
	}
	ops := []string{"!", "&", "|", "->", "<->"}
	if f.temporal > 0 && (depth == 3 || g.chance(65)) {
		ops = []string{"X", "F", "G", "F", "G", "U", "W", "R", "M"}
		if f.assert {
			ops = ops[:7]
		}
		f.temporal--
	}
	o := pick(g, ops)
	switch o {
	case "!", "X", "F", "G":
		return op(o, f.formula(depth-1))
	}
	return op(o, f.formula(depth-1), f.formula(depth-1))
}

func (f *formulaGenerator) atom() *Formula {
	g := f.g
	if len(g.m.Fluents) > 0 && g.chance(30) {
		return atom("fluent", g.m.Fluents[0].Name)
	}
	if f.assert {
		return atom("event", g.some(f.actions, 1, 1+g.r.IntN(2))...)
	}
	if len(f.props) > 0 && g.chance(40) {
		return atom("prop", pick(g, f.props))
	}
	switch x := g.r.IntN(100); {
	case x < 12:
		return atom("deadlock")
	case x < 26:
		return atom("event", tau)
	case x < 36:
		return atom("enabled", pick(g, f.actions))
	case x < 40:
		return atom("enabled", tau)
	case x < 42:
		return op("true")
	}
	return atom("event", g.some(f.actions, 1, 1+g.r.IntN(2))...)
}
