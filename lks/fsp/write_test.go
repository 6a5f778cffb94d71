package fsp_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// compileText compiles a model and returns its default process, built.
func compileText(t testing.TB, text string) *lks.LKS {
	t.Helper()
	m := model(t, text)
	net, err := m.Network("")
	if err != nil {
		t.Fatalf("%s\n%s", render(err), text)
	}
	built, err := net.Build(nil)
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func model(t testing.TB, text string) *fsp.Model {
	t.Helper()
	f, err := syntax.Parse(source.NewFile("test.lks", text))
	if err != nil {
		t.Fatalf("%s\n%s", render(err), text)
	}
	m, err := fsp.Compile(f, fsp.Options{})
	if err != nil {
		t.Fatalf("%s\n%s", render(err), text)
	}
	return m
}

// same reports whether the reachable parts of two LKSs are isomorphic; both must
// be such that breadth-first search over sorted edges numbers them alike, which
// holds for quotients under strong bisimulation.
func same(t testing.TB, a, b *lks.LKS) bool {
	t.Helper()
	minimise := func(m *lks.LKS) *lks.LKS {
		q, err := lks.Minimise(m, lks.Strong, nil)
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	a, b = a.Reachable(), b.Reachable()
	if a.NumStates() != b.NumStates() || a.NumTransitions() != b.NumTransitions() {
		return false
	}
	return bisimilar(t, minimise(a), minimise(b))
}

// bisimilar reports whether the initial states of two LKSs are strongly
// bisimilar: it minimises their disjoint union.
func bisimilar(t testing.TB, a, b *lks.LKS) bool {
	t.Helper()
	union := lks.NewBuilder("UNION")
	var roots [2]int32
	for i, m := range []*lks.LKS{a, b} {
		var base int32
		for s := range int32(m.NumStates()) {
			var props []int32
			for _, p := range m.Label(s) {
				props = append(props, union.Prop(m.Props()[p]))
			}
			n := union.StateID(m.Kind(s), props)
			if s == 0 {
				base = n
			}
		}
		for s := range int32(m.NumStates()) {
			for _, e := range m.Edges(s) {
				union.Transition(base+s, m.Alphabet()[e.Action], base+e.Target)
			}
		}
		roots[i] = base + m.Initial()[0]
	}
	union.Initial(roots[:]...)
	u, err := union.Build()
	if err != nil {
		t.Fatal(err)
	}
	classes, err := lks.Classes(u, lks.Strong, nil)
	if err != nil {
		t.Fatal(err)
	}
	return classes[roots[0]] == classes[roots[1]] && strings.Join(a.Alphabet(), " ") == strings.Join(b.Alphabet(), " ")
}

func randomLKS(r *rand.Rand) *lks.LKS {
	b := lks.NewBuilder("M")
	n := 1 + r.IntN(6)
	for i := range n {
		switch {
		case i > 0 && r.IntN(8) == 0:
			b.StateID(lks.End, nil)
		case i > 0 && r.IntN(8) == 0:
			b.StateID(lks.Error, nil)
		case r.IntN(3) == 0:
			b.State("p", "level.2")
		default:
			b.State()
		}
	}
	b.State("p", "level.2") // unreachable, or not: keeps the propositions
	actions := []string{"a", "b.1", "b.-1.c", lks.TauName, "x_y"}
	for _, a := range actions {
		b.Action(a)
	}
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	kinds := make([]lks.Kind, m.NumStates())
	labels := make([][]string, m.NumStates())
	for s := range int32(m.NumStates()) {
		kinds[s] = m.Kind(s)
		for _, p := range m.Label(s) {
			labels[s] = append(labels[s], m.Props()[p])
		}
	}
	b = lks.NewBuilder("M")
	for s := range kinds {
		var ids []int32
		for _, p := range labels[s] {
			ids = append(ids, b.Prop(p))
		}
		b.StateID(kinds[s], ids)
	}
	for _, a := range actions {
		b.Action(a)
	}
	for s := range int32(len(kinds)) {
		if kinds[s] != lks.Normal {
			continue
		}
		for range r.IntN(4) {
			b.Transition(s, actions[r.IntN(len(actions))], int32(r.IntN(len(kinds))))
		}
	}
	m, err = b.Build()
	if err != nil {
		panic(err)
	}
	return m
}

// specials reports whether m has several END or several ERROR states, which FSP
// merges.
func specials(m *lks.LKS) bool {
	count := map[lks.Kind]int{}
	for s := range int32(m.NumStates()) {
		count[m.Kind(s)]++
	}
	return count[lks.End] > 1 || count[lks.Error] > 1
}

func TestWriteRoundTrip(t *testing.T) {
	for seed := range soak.Long(uint64(2000)) {
		m := randomLKS(rand.New(rand.NewPCG(seed, 1))).Reachable()
		var text strings.Builder
		if err := fsp.Write(&text, m); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		back := compileText(t, text.String())
		if !slices.Equal(m.Props(), back.Props()) || !slices.Equal(m.Alphabet(), back.Alphabet()) {
			t.Fatalf("seed %d: propositions %v, actions %v became %v, %v\n%s", seed, m.Props(), m.Alphabet(), back.Props(), back.Alphabet(), text.String())
		}
		if ws := model(t, text.String()).Warnings(); len(ws) > 0 {
			t.Fatalf("seed %d: %v\n%s", seed, ws, text.String())
		}
		if equal := same(t, m, back); !equal && !(specials(m) && bisimilar(t, m, back)) {
			t.Fatalf("seed %d: %d states, %d transitions, %v became %d, %d, %v\n%s", seed,
				m.NumStates(), m.NumTransitions(), m.Alphabet(), back.NumStates(), back.NumTransitions(), back.Alphabet(), text.String())
		}
	}
}

func TestWriteRenames(t *testing.T) {
	b := lks.NewBuilder("weird name")
	s := b.State("Full!")
	b.Transition(s, "PUT !1", s)
	b.Transition(s, "put_1", s)
	b.Transition(s, "const", s)
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := fsp.Write(&text, m); err != nil {
		t.Fatal(err)
	}
	want := `// action pUT_1 was "PUT !1"
// action x_const was "const"
// proposition full was "Full!"
Weird_name = S0,
S0 {full} = (pUT_1 -> S0 | x_const -> S0 | put_1 -> S0).
`
	if text.String() != want {
		t.Errorf("got\n%swant\n%s", text.String(), want)
	}
}

// TestWriteStartsInError: FSP's P = ERROR takes a silent step to ERROR.
func TestWriteStartsInError(t *testing.T) {
	b := lks.NewBuilder("P")
	b.Action("a")
	b.StateID(lks.Error, nil)
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := fsp.Write(&text, m); err != nil {
		t.Fatal(err)
	}
	back := compileText(t, text.String())
	if got := summary(back); got != "0 tau>ERROR" || len(back.Alphabet()) != 2 {
		t.Errorf("%s\n%s", text.String(), got)
	}
}
