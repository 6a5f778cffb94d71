package fsp_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// laws are pairs of composites that must be bisimilar and of the same size.
var laws = []struct{ name, left, right string }{
	{"commutative", "(P0 || P1)", "(P1 || P0)"},
	{"associative", "((P0 || P1) || P2)", "(P0 || (P1 || P2))"},
	{"a copy changes nothing of itself", "(P0)", "P0"},
	{"prefixing distributes", "x:(P0 || P1)", "(x:P0 || x:P1)"},
	{"prefixes add up", "x:(y:P0)", "(x:(y:(P0)))"},
	{"sharing with one is prefixing of actions", "{x}::PLAIN", "x:PLAIN"},
	{"sharing distributes", "{x, y}::(P0 || P1)", "({x, y}::P0 || {x, y}::P1)"},
	{"hiding nothing", "(P0 || P1)\\{}", "(P0 || P1)"},
	{"hiding and exposing", "(P0 || P1)\\{a, b}", "(P0 || P1)@{c, d, e}"},
	{"relabelling to itself", "(P0 || P1)/{a/a}", "(P0 || P1)"},
	{"relabelling distributes", "(P0 || P1)/{z/a}", "(P0/{z/a} || P1/{z/a})"},
}

// TestLaws checks algebraic laws on random models. Sharing leaves propositions
// alone and prefixing does not, so models without labels take part as PLAIN.
func TestLaws(t *testing.T) {
	for seed := range soak.Long(uint64(150)) {
		r := rand.New(rand.NewPCG(seed, 5))
		text := gen.FSP(r, 3, seed%2 == 0)
		text += "PLAIN = (a -> b -> PLAIN | c -> STOP | d -> END).\n"
		for i, law := range laws {
			text += fmt.Sprintf("||L%d = %s.\n||R%d = %s.\n", i, law.left, i, law.right)
		}
		m := model(t, text)
		for i, law := range laws {
			left, errL := built(m, fmt.Sprintf("L%d", i))
			right, errR := built(m, fmt.Sprintf("R%d", i))
			if errL != nil || errR != nil {
				t.Fatalf("seed %d: %v, %v\n%s", seed, errL, errR, text)
			}
			if left.NumStates() != right.NumStates() || left.NumTransitions() != right.NumTransitions() {
				t.Errorf("seed %d: %s: %d states and %d transitions, %d and %d\n%s", seed, law.name,
					left.NumStates(), left.NumTransitions(), right.NumStates(), right.NumTransitions(), text)
			}
			if !bisimilar(t, left, right) {
				t.Errorf("seed %d: %s does not hold\n%s", seed, law.name, text)
			}
		}
	}
}

func built(m *fsp.Model, process string) (*lks.LKS, error) {
	net, err := m.Network(process)
	if err != nil {
		return nil, fmt.Errorf("%s", render(err))
	}
	return net.Build(nil)
}

// TestComposeFirst builds parts first (compose) and explores on the fly: both
// must have as many states and transitions and be bisimilar. Termination is
// left out: a built process counts as one process with or without END.
func TestComposeFirst(t *testing.T) {
	for seed := range soak.Cases(uint64(300)) {
		r := rand.New(rand.NewPCG(seed, 6))
		text := strings.ReplaceAll(gen.FSP(r, 3, true), "END", "STOP")
		text += "||PART = (P0 || P1)\\{a}.\ncompose ||BUILT = (P0 || P1)\\{a}.\n||FLY = (PART || P2).\n||FIRST = (BUILT || P2).\n"
		m := model(t, text)
		fly, err := built(m, "FLY")
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		first, err := built(m, "FIRST")
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if fly.NumStates() != first.NumStates() || fly.NumTransitions() != first.NumTransitions() || !bisimilar(t, fly, first) {
			t.Errorf("seed %d: on the fly %d states and %d transitions, built first %d and %d\n%s", seed,
				fly.NumStates(), fly.NumTransitions(), first.NumStates(), first.NumTransitions(), text)
		}
	}
}

// TestFormatKeepsMeaning compiles random models before and after formatting.
func TestFormatKeepsMeaning(t *testing.T) {
	for seed := range soak.Long(uint64(300)) {
		r := rand.New(rand.NewPCG(seed, 7))
		text := gen.FSP(r, 2, true) + "||C = (x:P0 || P1)\\{x.a}.\n"
		formatted := format(t, text)
		if a, b := compileText(t, text), compileText(t, formatted); summary(a) != summary(b) {
			t.Errorf("seed %d: formatting changed the meaning of\n%s\nto\n%s", seed, text, formatted)
		}
		if again := format(t, formatted); again != formatted {
			t.Errorf("seed %d: formatting again changes\n%s\nto\n%s", seed, formatted, again)
		}
	}
}

func format(t testing.TB, text string) string {
	t.Helper()
	f, err := syntax.ParseText("random.lks", text)
	if err != nil {
		t.Fatalf("%s\n%s", render(err), text)
	}
	return syntax.Format(f)
}

// fuzzSeeds are the models at hand, the short ones first, and a few fragments.
func fuzzSeeds(f *testing.F) {
	files := modelFiles(f)
	for _, text := range files {
		if len(text) < 3000 {
			f.Add(text)
		}
	}
	for _, s := range gen.FSPFragments {
		f.Add(s)
	}
	for _, text := range files {
		f.Add(text)
	}
}

// FuzzCompile: compiling never panics and keeps its bounds.
func FuzzCompile(f *testing.F) {
	fuzzSeeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		file, err := syntax.Parse(source.NewFile("fuzz", text))
		if err != nil {
			return
		}
		m, err := fsp.Compile(file, fsp.Options{MaxStates: 1000, MaxLabels: 1000})
		if err != nil {
			render(err)
			return
		}
		for _, p := range m.Processes() {
			net, err := m.Network(p.Name)
			if err != nil {
				render(err)
				continue
			}
			if len(net.Rules()) < 10_000 {
				explore.Reach(net, explore.Options{Meter: smallMeter()})
			}
			m.Composition(p.Name)
			if _, err := m.Fairness(p.Name, net); err != nil {
				render(err)
			}
		}
		if _, err := m.Properties(""); err != nil {
			render(err)
		}
		m.Progress()
		m.Menus()
		render(m.Warnings())
	})
}
