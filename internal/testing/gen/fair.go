package gen

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// FairSet is what one requirement of a fair declaration means.
type FairSet struct {
	Strong  bool
	Actions []string
}

// Fair returns up to n fair declarations of the modelling language over actions
// named a.0, a.1, ... and b, c, ..., of which it uses those given only, and the
// requirements that they mean, in order. The text may define sets FAIRn.
func Fair(r *rand.Rand, n int, actions []string) (text string, means []FairSet) {
	g := &fairGen{r: r, actions: actions}
	for i := range 1 + r.IntN(n) {
		g.declaration(fmt.Sprint("FAIR", i))
	}
	return g.text.String(), g.means
}

type fairGen struct {
	r       *rand.Rand
	actions []string
	text    strings.Builder
	means   []FairSet
}

// written is an action as it is written: a[0] for a.0.
func written(action string) string {
	if base, index, ok := strings.Cut(action, "."); ok {
		return base + "[" + index + "]"
	}
	return action
}

func writtenAll(actions []string) string {
	all := make([]string, len(actions))
	for i, a := range actions {
		all[i] = written(a)
	}
	return "{" + strings.Join(all, ", ") + "}"
}

func (g *fairGen) some() []string {
	some := slices.Clone(g.actions)
	g.r.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	return some[:1+g.r.IntN(len(some))]
}

// declaration writes one declaration, perhaps with a set of that name.
func (g *fairGen) declaration(set string) {
	strong := g.r.IntN(2) == 0
	word := map[bool]string{false: "weak", true: "strong"}[strong]
	say := func(format string, args ...any) { fmt.Fprintf(&g.text, "fair "+word+" "+format+"\n", args...) }
	mean := func(actions ...string) { g.means = append(g.means, FairSet{strong, slices.Clone(actions)}) }
	indexed := slices.Contains(g.actions, "a.0") && slices.Contains(g.actions, "a.1")
	some, other := g.some(), g.actions[g.r.IntN(len(g.actions))]
	switch k := g.r.IntN(8); {
	case k == 0:
		fmt.Fprintf(&g.text, "set %s = %s\n", set, writtenAll(some))
		say("%s", set)
		mean(some...)
	case k == 1:
		fmt.Fprintf(&g.text, "set %s = %s\n", set, writtenAll(some))
		say("{%s, {%s}}", set, written(other))
		mean(append(some, other)...)
	case k == 2 && len(some) > 1:
		fmt.Fprintf(&g.text, "set %s = %s\n", set, writtenAll(some))
		say("%s\\%s", set, writtenAll(some[:1]))
		mean(some[1:]...)
	case k == 3:
		fmt.Fprintf(&g.text, "set %s = %s\n", set, writtenAll(some))
		say("forall [x:%s] {[x], %s}", set, written(other))
		for _, a := range some {
			mean(a, other)
		}
	case k == 4 && indexed:
		say("forall [i:0..1] a[1-i]")
		mean("a.1")
		mean("a.0")
	case k == 5 && indexed:
		say("{a[0..1], %s}", written(other))
		mean("a.0", "a.1", other)
	case k == 6 && indexed:
		say("a[i:0..1]")
		mean("a.0", "a.1")
	default:
		say("%s", writtenAll(some))
		mean(some...)
	}
}
