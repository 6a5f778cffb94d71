package omega

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 20)) }

// hoaText writes an automaton.
func hoaText(t testing.TB, a *Automaton) string {
	t.Helper()
	var b bytes.Buffer
	if err := a.WriteHOA(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// readOne reads a text with one automaton.
func readOne(t testing.TB, text string) *Automaton {
	t.Helper()
	as, err := NewReader("test.hoa", strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if len(as) != 1 {
		t.Fatalf("%d automata read", len(as))
	}
	wellFormed(t, as[0])
	return as[0]
}

func wellFormed(t testing.TB, a *Automaton) {
	t.Helper()
	if err := a.Check(); err != nil {
		t.Fatalf("%v\n%s", err, hoaText(t, a))
	}
}

// randomAutomaton draws an automaton with two atoms, of some kind.
func randomAutomaton(t testing.TB, r *rand.Rand, o gen.AutomatonOptions) *Automaton {
	t.Helper()
	if o.States == 0 {
		o.States = 5
	}
	if o.Sets == 0 {
		o.Sets = 3
	}
	if o.Atoms == nil {
		o.Atoms = []string{"a", "b"}[:1+r.IntN(2)]
	}
	o.StateBased = o.StateBased || r.IntN(4) == 0
	o.Deterministic = o.Deterministic || r.IntN(5) == 0
	o.Density = []float64{0.8, 1.2, 1.8}[r.IntN(3)]
	return readOne(t, gen.HOA(r, o))
}

// accepts evaluates a word by definition. The word's letters are over atoms of kind Name.
func accepts(a *Automaton, w ltl.Word) bool {
	n := &naive.LassoAutomaton{
		States: a.NumStates(), Initial: int(a.initial), Positions: w.Len(), Back: len(w.Stem), Holds: a.condition.Holds,
		Edges: func(state, position int, yield func(int, uint64)) {
			letter := w.At(position)
			for _, e := range a.out[state] {
				if a.Sat(e.Label, func(v int) bool { return letter(a.atoms[v]) }) {
					yield(int(e.To), e.Marks)
				}
			}
		},
	}
	return n.Accepts()
}

// words calls f for random words over a and b.
func words(r *rand.Rand, n int, f func(w ltl.Word)) {
	for range n {
		f(gen.Word(r, gen.Atoms("a", "b"), 3, 4))
	}
}

// sameWords fails if the automata differ on some of n random words.
func sameWords(t *testing.T, seed uint64, r *rand.Rand, n int, a, b *Automaton) {
	t.Helper()
	words(r, n, func(w ltl.Word) {
		if accepts(a, w) != accepts(b, w) {
			t.Fatalf("seed %d: they differ:\n%s%s", seed, hoaText(t, a), hoaText(t, b))
		}
	})
}

// wordOf is a word with the letters of w, over a and b.
func wordOf(t *testing.T, w ltl.Word) Word {
	t.Helper()
	var text []string
	for i := range w.Len() {
		letter := ""
		for _, at := range gen.Atoms("a", "b") {
			if letter += " & "; !w.At(i)(at) {
				letter += "!"
			}
			letter += at.Name
		}
		if i == len(w.Stem) {
			text = append(text, "cycle{"+letter[3:])
		} else {
			text = append(text, letter[3:])
		}
	}
	word, err := ParseWord("word", strings.Join(text, ";")+"}")
	if err != nil {
		t.Fatal(err)
	}
	return word
}

// TestAccepts compares with the definition, and words with their texts.
func TestAccepts(t *testing.T) {
	yes, no := 0, 0
	for seed := range soak.Long(uint64(750)) {
		r := random(seed)
		a := randomAutomaton(t, r, gen.AutomatonOptions{})
		words(r, 4, func(w ltl.Word) {
			word := wordOf(t, w)
			got := a.Accepts(word)
			if got != accepts(a, w) {
				t.Fatalf("seed %d: accepts %v: %v\n%s", seed, word, got, hoaText(t, a))
			}
			again, err := ParseWord("again", word.String())
			if err != nil || again.String() != word.String() || a.Accepts(again) != got {
				t.Fatalf("seed %d: %v is read as %v, %v", seed, word, again, err)
			}
			if got {
				yes++
			} else {
				no++
			}
		})
	}
	if yes < soak.Long(250) || no < soak.Long(250) {
		t.Errorf("%d words accepted, %d not", yes, no)
	}
}
