package fsp_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

// The slow twin of the compiler of composites: random composites are written as
// text and, at the same time, evaluated on explicit processes as docs/language.md says.
// The primitive processes are compiled; they are tested elsewhere.

// explicitUnit is a part of a composition: one process, or those of a composite.
type explicitUnit struct {
	processes []*naive.Process
	composite bool
}

type compositeGen struct {
	r          *rand.Rand
	primitives []*naive.Process
	composites []explicitComposite
}

type explicitComposite struct {
	text  string
	units []explicitUnit
	low   func(string) bool
	hide  []string
}

func (g *compositeGen) pick(options ...string) string { return options[g.r.IntN(len(options))] }

// flat returns the processes of a composite that need not be created first.
func (c *explicitComposite) flat() []*naive.Process {
	var all []*naive.Process
	for _, u := range c.units {
		all = append(all, u.processes...)
	}
	return all
}

func (c *explicitComposite) raw() *naive.Process {
	p := naive.Parallel(c.flat()...)
	if c.low != nil {
		p = p.Yield(c.low)
	}
	return p
}

func (c *explicitComposite) whole() *naive.Process {
	return c.raw().Relabel(func(a string) []string {
		for _, h := range c.hide {
			if a == h || strings.HasPrefix(a, h+".") {
				return []string{lks.TauName}
			}
		}
		return []string{a}
	})
}

// part makes a random part of a composition: its text and its units.
func (g *compositeGen) part(depth int) (string, []explicitUnit) {
	var text string
	var units []explicitUnit
	switch k := g.r.IntN(5); {
	case k < 2 || depth == 0:
		i := g.r.IntN(len(g.primitives))
		text, units = fmt.Sprintf("P%d", i), []explicitUnit{{[]*naive.Process{g.primitives[i]}, false}}
	case k == 2 && len(g.composites) > 0:
		i := g.r.IntN(len(g.composites))
		c := &g.composites[i]
		text = fmt.Sprintf("C%d", i)
		if c.hide != nil || c.low != nil {
			units = []explicitUnit{{[]*naive.Process{c.whole()}, false}}
		} else {
			units = []explicitUnit{{c.flat(), true}}
		}
	default:
		var texts []string
		for range 1 + g.r.IntN(2) {
			t, u := g.part(depth - 1)
			texts, units = append(texts, t), append(units, u...)
		}
		text = "(" + strings.Join(texts, " || ") + ")"
	}
	return g.decorate(text, units)
}

// decorate may prefix, share and relabel.
func (g *compositeGen) decorate(text string, units []explicitUnit) (string, []explicitUnit) {
	if g.r.IntN(4) == 0 {
		prefixes := [][]string{{"x"}, {"x", "y"}}[g.r.IntN(2)]
		var all []explicitUnit
		for _, p := range prefixes {
			all = append(all, eachProcess(units, func(a string) []string { return []string{p + "." + a} })...)
		}
		text, units = map[int]string{1: "x:", 2: "{x, y}:"}[len(prefixes)]+text, all
	} else if g.r.IntN(4) == 0 {
		units = eachProcess(units, func(a string) []string { return []string{"s." + a, "t." + a} })
		text = "{s, t}::" + text
	}
	if g.r.IntN(3) == 0 {
		relations := []struct {
			text string
			new  map[string][]string
		}{
			{"/{m/a, m/b}", map[string][]string{"a": {"m"}, "b": {"m"}}},
			{"/{b/a}", map[string][]string{"a": {"b"}}},
			{"/{m/x, m/y}", map[string][]string{"x": {"m"}, "y": {"m"}}},
			{"/{{m, n}/a}", map[string][]string{"a": {"m", "n"}}},
			{"/{b.d/c, q/s.a}", map[string][]string{"c": {"b.d"}, "s.a": {"q"}}},
		}
		rel := relations[g.r.IntN(len(relations))]
		text, units = text+rel.text, relabelUnits(units, rel.new)
	}
	return text, units
}

func eachProcess(units []explicitUnit, new func(string) []string) []explicitUnit {
	var out []explicitUnit
	for _, u := range units {
		v := explicitUnit{composite: u.composite}
		for _, p := range u.processes {
			v.processes = append(v.processes, p.Relabel(new))
		}
		out = append(out, v)
	}
	return out
}

func relabelUnits(units []explicitUnit, relation map[string][]string) []explicitUnit {
	new := func(a string) []string {
		for old := a; ; {
			if names, ok := relation[old]; ok {
				var out []string
				for _, n := range names {
					out = append(out, n+a[len(old):])
				}
				return out
			}
			i := strings.LastIndex(old, ".")
			if i < 0 {
				return []string{a}
			}
			old = old[:i]
		}
	}
	var out []explicitUnit
	for _, u := range units {
		if u.composite && len(u.processes) > 1 && collide(u.processes, new) {
			u = explicitUnit{processes: []*naive.Process{naive.Parallel(u.processes...)}}
		}
		out = append(out, eachProcess([]explicitUnit{u}, new)...)
	}
	return out
}

// collide reports whether two actions get the same name.
func collide(processes []*naive.Process, new func(string) []string) bool {
	from := map[string]map[string]bool{}
	for _, p := range processes {
		for a := range p.Alphabet {
			for _, n := range new(a) {
				if from[n] == nil {
					from[n] = map[string]bool{}
				}
				from[n][a] = true
			}
		}
	}
	for _, olds := range from {
		if len(olds) > 1 {
			return true
		}
	}
	return false
}

func (g *compositeGen) composite(i int) string {
	var c explicitComposite
	text, units := g.part(2)
	c.units = units
	priority := ""
	if g.r.IntN(5) == 0 {
		if set := g.pick("a", "b", "x"); g.r.IntN(2) == 0 {
			priority = " >> {" + set + "}"
			c.low = func(a string) bool { return a == set || strings.HasPrefix(a, set+".") }
		} else {
			priority = " << {" + set + "}"
			c.low = func(a string) bool { return a != set && !strings.HasPrefix(a, set+".") }
		}
	}
	hide := ""
	if g.r.IntN(4) == 0 {
		c.hide = [][]string{{"a"}, {"x"}, {"b", "s.c"}}[g.r.IntN(3)]
		hide = "\\{" + strings.Join(c.hide, ", ") + "}"
	}
	c.text = fmt.Sprintf("||C%d = %s%s%s.\n", i, text, priority, hide)
	g.composites = append(g.composites, c)
	return c.text
}

func TestCompositesAgainstExplicit(t *testing.T) {
	compared := 0
	for seed := range soak.Long(uint64(150)) {
		r := rand.New(rand.NewPCG(seed, 13))
		text := gen.FSP(r, 2, false)
		base := model(t, text)
		g := &compositeGen{r: r}
		for i := range 2 {
			g.primitives = append(g.primitives, naive.FromLKS(mustNetwork(t, base, fmt.Sprintf("P%d", i)).Components()[0]))
		}
		for i := range 3 {
			text += g.composite(i)
			size := 1
			for _, p := range g.composites[i].flat() {
				size *= len(p.Kind)
			}
			if size > 3000 {
				break // the explicit composition would take too long
			}
			m := model(t, text)
			compareExplicit(t, seed, text, "hidden", mustNetwork(t, m, fmt.Sprintf("C%d", i)), g.composites[i].whole())
			net, err := m.Composition(fmt.Sprintf("C%d", i))
			if err != nil {
				t.Fatal(render(err))
			}
			compareExplicit(t, seed, text, "raw", net, g.composites[i].raw())
			compared++
		}
	}
	if compared < soak.Long(100) {
		t.Errorf("only %d composites compared", compared)
	}
}

func compareExplicit(t *testing.T, seed uint64, text, what string, net *lks.Network, want *naive.Process) {
	t.Helper()
	r, err := explore.Reach(net, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	states, transitions, errors, ends, deadlocks := want.Count()
	got := []int{int(r.States), int(r.Transitions), int(r.Errors), int(r.Ends), int(r.Deadlocks)}
	if expect := []int{states - errors, transitions, errors, ends, deadlocks}; !slices.Equal(got, expect) {
		t.Fatalf("seed %d (%s): states, transitions, errors, ends, deadlocks %v, want %v\n%s", seed, what, got, expect, text)
	}
	alphabet := slices.Clone(net.Alphabet()[1:])
	for a := range want.Alphabet {
		if _, ok := slices.BinarySearch(alphabet, a); !ok {
			t.Fatalf("seed %d (%s): no action %s\n%s", seed, what, a, text)
		}
	}
	if len(alphabet) != len(want.Alphabet) {
		t.Fatalf("seed %d (%s): %d actions, want %d\n%s", seed, what, len(alphabet), len(want.Alphabet), text)
	}
}
