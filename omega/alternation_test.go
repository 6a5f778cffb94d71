package omega

import (
	"strings"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/hoa"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// acceptsAlternating plays the game by which the format defines acceptance: one player chooses an
// edge, the other one of its targets.
func acceptsAlternating(h *hoa.Automaton, w ltl.Word) bool {
	g := &naive.MullerGame{Holds: conditionOf(h.Acceptance).Holds}
	add := func(first bool, marks uint64) int {
		g.First, g.Marks, g.Next = append(g.First, first), append(g.Marks, marks), append(g.Next, nil)
		return len(g.First) - 1
	}
	at := func(s int32, position int) int { return int(s)*w.Len() + position }
	for range len(h.Out) * w.Len() {
		add(true, 0)
	}
	for s, es := range h.Out {
		for i := range w.Len() {
			letter := w.At(i)
			for _, e := range es {
				if !h.Man.Sat(e.Label, func(v int) bool { return letter(ltl.Atom{Kind: ltl.Name, Name: h.Atoms[v]}) }) {
					continue
				}
				choice := add(false, e.Marks)
				g.Next[at(int32(s), i)] = append(g.Next[at(int32(s), i)], choice)
				for _, to := range h.Targets(e) {
					g.Next[choice] = append(g.Next[choice], at(to, w.Next(i)))
				}
			}
		}
	}
	return g.Won()[at(h.Initial, 0)]
}

// TestAlternation compares automata without universal branching with games on words; both ways of
// removing it are used where both can be.
func TestAlternation(t *testing.T) {
	yes, no, ways := 0, 0, [3]int{}
	for seed := range soak.Long(uint64(160)) {
		r := random(seed)
		kind := gen.AutomatonKinds[seed%uint64(len(gen.AutomatonKinds))]
		o := gen.AutomatonOptions{Kind: kind, States: 3, Sets: 2, Atoms: []string{"a", "b"}[:1+r.IntN(2)], Universal: true, StateBased: r.IntN(2) == 0, Density: 1.2}
		text := gen.HOA(r, o)
		reader := hoa.NewReader("t", strings.NewReader(text))
		h, err := reader.Next()
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if len(h.Joints) == 0 {
			continue
		}
		var atoms []ltl.Atom
		for _, name := range h.Atoms {
			atoms = append(atoms, ltl.Atom{Kind: ltl.Name, Name: name})
		}
		meter := func() *budget.Meter { return budget.New(nil, budget.Limits{States: 600}, nil) }
		var results []*Automaton
		for way, remove := range []func(x *alternating) (*Automaton, error){
			func(x *alternating) (*Automaton, error) { return x.removed(meter()) },
			func(x *alternating) (*Automaton, error) { return x.choices(meter()) },
			func(x *alternating) (*Automaton, error) {
				if err := x.toParity(meter()); err != nil {
					return nil, err
				}
				return x.choices(meter())
			},
		} {
			x := newAlternating(h, atoms)
			if x.weaken(); way == 1 && !x.memoryless() {
				continue
			}
			a, err := remove(x)
			if budget.Stopped(err) {
				continue
			}
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			wellFormed(t, a)
			ways[way]++
			results = append(results, a)
		}
		words(r, 12, func(w ltl.Word) {
			want := acceptsAlternating(h, w)
			if want {
				yes++
			} else {
				no++
			}
			for i, a := range results {
				if accepts(a, w) != want {
					t.Fatalf("seed %d: result %d: %v, the game says %v\n%s%s", seed, i, !want, want, text, hoaText(t, a))
				}
			}
		})
	}
	if yes < soak.Least(100) || no < soak.Long(100) || ways[0] < soak.Long(50) || ways[1] < soak.Long(30) || ways[2] < soak.Long(30) {
		t.Errorf("%d words accepted, %d not; ways %v", yes, no, ways)
	}
}
