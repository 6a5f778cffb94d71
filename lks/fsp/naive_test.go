package fsp_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// TestAgainstInterpreter compares the compiler of primitive processes with the
// interpreter in package naive on random processes: sizes, alphabet, and
// bisimilarity with labels; and that both refuse the same ones.
func TestAgainstInterpreter(t *testing.T) {
	refused := 0
	cases := soak.Long(4000)
	for seed := range uint64(cases) {
		p := naive.RandomFSP(rand.New(rand.NewPCG(seed, 11)))
		text := p.Text()
		got, err := primitive(text)
		graph, ok := p.Graph()
		if ok != (err == nil) {
			t.Fatalf("seed %d: accepted %v, but compiling gives %v\n%s", seed, ok, err, text)
		}
		if !ok {
			refused++
			continue
		}
		want := graphLKS(t, graph)
		if got.NumStates() != want.NumStates() || got.NumTransitions() != want.NumTransitions() || !bisimilar(t, got, want) {
			t.Fatalf("seed %d:\n%s\ngot  %s %v\nwant %s %v", seed, text, summary(got), got.Alphabet(), summary(want), want.Alphabet())
		}
	}
	if refused > cases/2 {
		t.Errorf("%d of %d random processes mean nothing", refused, cases)
	}
}

func primitive(text string) (*lks.LKS, error) {
	f, err := syntax.Parse(source.NewFile("random.lks", text))
	if err != nil {
		return nil, err
	}
	m, err := fsp.Compile(f, fsp.Options{})
	if err != nil {
		return nil, err
	}
	net, err := m.Network("P")
	if err != nil {
		return nil, err
	}
	return net.Components()[0], nil
}

func graphLKS(t *testing.T, g *naive.FSPGraph) *lks.LKS {
	b := lks.NewBuilder("P")
	number := map[string]int32{}
	for _, s := range g.States {
		kind := lks.Normal
		if s == "ERROR" {
			kind = lks.Error
		}
		if (s == "END" || strings.HasPrefix(s, "END ")) && !leaves(g, s) {
			kind = lks.End
		}
		var props []int32
		if l := g.Labels[s]; l != "" {
			props = []int32{b.Prop(l)}
		}
		number[s] = b.StateID(kind, props)
	}
	for _, a := range g.Alphabet {
		b.Action(a)
	}
	for _, e := range g.Transitions {
		b.Transition(number[e[0]], e[1], number[e[2]])
	}
	b.Initial(number[g.Initial])
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// leaves reports whether a transition leaves the state: the END of a property is
// a state like others.
func leaves(g *naive.FSPGraph, s string) bool {
	for _, e := range g.Transitions {
		if e[0] == s {
			return true
		}
	}
	return false
}
