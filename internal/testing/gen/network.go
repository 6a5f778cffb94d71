package gen

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seltl/seltl/lks"
)

// Shape says what random LKSs and networks look like. Probabilities are in 0..1.
type Shape struct {
	States      int      // 1 to so many
	Actions     []string // to choose alphabets from
	Degree      float64  // transitions per state, on average
	Tau         float64  // share of silent transitions
	Props       float64  // probability that a component has propositions
	Special     float64  // probability that a component has End or Error states
	ManyInitial float64  // probability of several initial states
}

// Small is a shape for differential tests.
var Small = Shape{States: 4, Actions: []string{"a", "b", "c", "d"}, Degree: 1.6, Tau: 0.15, Props: 0.3, Special: 0.25, ManyInitial: 0.15}

// Rand returns the generator of a seed.
func Rand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x5e17)) }

// LKS returns a random LKS, non-deterministic and with silent transitions as the
// shape says. Propositions are name.p and name.q.
func LKS(r *rand.Rand, name string, shape Shape) *lks.LKS {
	b := lks.NewBuilder(name)
	n := 1 + r.IntN(shape.States)
	props := chance(r, shape.Props)
	special := chance(r, shape.Special)
	kinds := make([]lks.Kind, n)
	for s := range n {
		var label []int32
		if props {
			for _, p := range []string{name + ".p", name + ".q"} {
				if id := b.Prop(p); r.IntN(3) == 0 {
					label = append(label, id)
				}
			}
		}
		if special && r.IntN(3) == 0 {
			kinds[s] = lks.Kind(1 + r.IntN(2))
		}
		b.StateID(kinds[s], label)
	}
	if chance(r, shape.ManyInitial) {
		b.Initial(int32(r.IntN(n)), int32(r.IntN(n)), int32(r.IntN(n)))
	} else {
		b.Initial(int32(r.IntN(n)))
	}
	alphabet := slices.Clone(shape.Actions)
	r.Shuffle(len(alphabet), func(i, j int) { alphabet[i], alphabet[j] = alphabet[j], alphabet[i] })
	alphabet = alphabet[:1+r.IntN(len(alphabet))]
	for _, a := range alphabet {
		b.Action(a)
	}
	for range int(shape.Degree*float64(n) + r.Float64()) {
		from := r.IntN(n)
		if kinds[from] != lks.Normal {
			continue
		}
		action := alphabet[r.IntN(len(alphabet))]
		if chance(r, shape.Tau) {
			action = lks.TauName
		}
		b.Transition(int32(from), action, int32(r.IntN(n)))
	}
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return m
}

func chance(r *rand.Rand, p float64) bool { return r.Float64() < p }

// Op is what an Expr does.
type Op int

const (
	Component Op = iota
	Compose
	Relabel
	Hide
	Yield   // outermost only
	Observe // outermost only
)

// Expr is a random composition, to be evaluated by the fast and by the slow way.
type Expr struct {
	Op    Op
	Name  string // of a Compose, unique
	LKS   *lks.LKS
	Parts []*Expr
	New   map[string][]string // of a Relabel, by old name; others stay
	Set   map[string]bool     // of a Hide or Yield; may contain lks.TauName
}

// Network returns a random composition of up to so many components, with nested
// composites, relabelling, hiding, priorities and observers.
func Network(r *rand.Rand, components int, shape Shape) *Expr {
	g := &exprs{r: r, shape: shape}
	e := g.expr(1 + r.IntN(components))
	if r.IntN(8) == 0 {
		e = &Expr{Op: Yield, Parts: []*Expr{e}, Set: g.set(append(slices.Clone(shape.Actions), lks.TauName))}
		if r.IntN(3) == 0 {
			e = &Expr{Op: Yield, Parts: []*Expr{e}, Set: g.set(shape.Actions)}
		}
		if r.IntN(2) == 0 {
			e = &Expr{Op: Hide, Parts: []*Expr{e}, Set: g.set(shape.Actions)}
		}
	}
	if r.IntN(8) == 0 {
		quiet := shape
		quiet.Tau, quiet.Special, quiet.ManyInitial = 0, 0, 0
		e = &Expr{Op: Observe, Parts: []*Expr{e}, LKS: LKS(r, "observer", quiet)}
		if r.IntN(2) == 0 {
			e = &Expr{Op: Hide, Parts: []*Expr{e}, Set: g.set(shape.Actions)}
		}
	}
	return e
}

type exprs struct {
	r     *rand.Rand
	shape Shape
	count int
}

func (g *exprs) set(from []string) map[string]bool {
	set := map[string]bool{}
	for _, a := range from {
		set[a] = g.r.IntN(3) == 0
	}
	return set
}

func (g *exprs) expr(components int) *Expr {
	if components <= 1 {
		g.count++
		return g.decorated(&Expr{Op: Component, LKS: LKS(g.r, fmt.Sprint("C", g.count), g.shape)})
	}
	e := &Expr{Op: Compose}
	for components > 0 {
		k := 1 + g.r.IntN(components)
		if k == components && len(e.Parts) == 0 {
			k--
		}
		components -= k
		e.Parts = append(e.Parts, g.expr(k))
	}
	g.count++
	e.Name = fmt.Sprint("N", g.count)
	return g.decorated(e)
}

func (g *exprs) decorated(e *Expr) *Expr {
	switch g.r.IntN(8) {
	case 0:
		return &Expr{Op: Hide, Parts: []*Expr{e}, Set: g.set(g.shape.Actions)}
	case 1:
		return &Expr{Op: Relabel, Parts: []*Expr{e}, New: g.relabelling()}
	case 2:
		// One old name, an old and a fresh one.
		g.count++
		a := g.shape.Actions[g.r.IntN(len(g.shape.Actions))]
		return &Expr{Op: Relabel, Parts: []*Expr{e}, New: map[string][]string{a: {a, fmt.Sprint(a, g.count)}}}
	}
	return e
}

func (g *exprs) relabelling() map[string][]string {
	new := map[string][]string{}
	for _, a := range g.shape.Actions {
		for g.r.IntN(3) == 0 {
			new[a] = append(new[a], g.shape.Actions[g.r.IntN(len(g.shape.Actions))])
		}
	}
	return new
}

// Relabelling returns the function of a Relabel for Network.Relabel.
func (e *Expr) Relabelling() func(old string) []string {
	return func(old string) []string {
		if names, ok := e.New[old]; ok {
			return names
		}
		return []string{old}
	}
}

// Build evaluates e as a network. A part that cannot be composed on the fly is
// built and becomes a component.
func (e *Expr) Build() (*lks.Network, error) {
	if e.Op == Component {
		return lks.Single(e.LKS), nil
	}
	parts := make([]*lks.Network, len(e.Parts))
	for i, p := range e.Parts {
		var err error
		if parts[i], err = p.Build(); err != nil {
			return nil, err
		}
	}
	inSet := func(a string) bool { return e.Set[a] }
	switch e.Op {
	case Relabel:
		return parts[0].Relabel(e.Relabelling()), nil
	case Hide:
		return parts[0].Hide(inSet), nil
	case Yield:
		return parts[0].Yield(inSet), nil
	case Observe:
		return parts[0].With(e.LKS)
	}
	for {
		n, err := lks.Compose(e.Name, parts...)
		var notFlat *lks.NotFlat
		if !errors.As(err, &notFlat) {
			return n, err
		}
		for i, p := range parts {
			if p.Name() == notFlat.Part {
				m, err := p.Build(nil)
				if err != nil {
					return nil, err
				}
				parts[i] = lks.Single(m).Rename(p.Name() + " built")
			}
		}
	}
}

// Composed returns the random network of up to five components that belongs to a seed,
// special states included; nil if it cannot be composed.
func Composed(seed uint64) *lks.Network {
	shape := Small
	if seed%2 == 0 {
		shape = Shape{States: 7, Actions: []string{"a", "b", "c", "d", "e"}, Degree: 2, Tau: 0.3, Special: 0.2, ManyInitial: 0.3}
	}
	n, err := Network(Rand(seed), 5, shape).Build()
	if err != nil {
		return nil
	}
	return n
}
