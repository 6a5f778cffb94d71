package values

import (
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
)

// precisions returns one at random for each variable.
func (w *world) precisions() []Precision {
	out := make([]Precision, len(w.vars))
	for i := range out {
		if out[i] = []Precision{Untracked, Relative, Exact, Exact}[w.IntN(4)]; w.env.kinds[i] == arrays && out[i] == Relative {
			out[i] = Exact // arrays have no differences
		}
	}
	return out
}

// tracked are the variables that have a precision and can have values.
func (w *world) tracked(precision []Precision) (vars []int32) {
	for i := range w.vars {
		if precision[i] != Untracked && w.env.kinds[i] != opaque {
			vars = append(vars, int32(i))
		}
	}
	return vars
}

// represents decides from the definition of stored states whether one represents a state.
func (w *world) represents(words []uint64, tracked []int32, state logic.Model) bool {
	vars := w.vars
	number := func(v int32) *big.Int {
		x := state[vars[v].Name()]
		if x.Sort() != logic.Bool {
			return x.Num().Num()
		}
		if x.Bool() {
			return big.NewInt(1)
		}
		return new(big.Int)
	}
	for i, v := range tracked {
		if w.env.kinds[v] == arrays {
			if !w.agrees(constant(words[i]), vars[v].Sort(), state[vars[v].Name()]) {
				return false
			}
			continue
		}
		n := numberOf(words[i], kindOf(vars[v].Sort()))
		like := words[len(tracked)+i/4] >> (i % 4 * 16) & 0xffff
		if like > 2 {
			n.Add(n, number(tracked[like-3]))
		}
		same := valueOf(n, vars[v].Sort()).Compare(state[vars[v].Name()]) == 0
		if like != 1 && same == (like == 2) {
			return false
		}
	}
	return true
}

// TestEncode: a stored state represents what the values do, has what they know, and is the
// same for the same knowledge.
func TestEncode(t *testing.T) {
	relations := 0
	n := soak.Cases(uint64(1500))
	for seed := range n {
		g := newTerms(rand.New(rand.NewPCG(seed, 62)), seed%8 == 0)
		w := g.newWorld()
		enc := encoder{precision: w.precisions()}
		vars := w.tracked(enc.precision)
		words := slices.Clone(enc.encode(&w.env, vars))
		before := slices.Clone(w.env.slots)
		for range 8 {
			if w.sample(); !w.represents(words, vars, w.state) {
				t.Fatalf("seed %d: %v are stored as %x, which is without %s", seed, before, words, w.state)
			}
		}
		w.rename()
		if again := enc.encode(&w.env, vars); !slices.Equal(words, again) {
			t.Fatalf("seed %d: %v are stored as %x, and with other symbols, %v, as %x", seed, before, words, w.env.slots, again)
		}
		all := make([]int32, len(w.vars))
		for i := range all {
			all[i] = int32(i)
		}
		w.env.load(words, vars, all)
		if again := enc.encode(&w.env, vars); !slices.Equal(words, again) {
			t.Fatalf("seed %d: %x is loaded as %v, stored again as %x", seed, words, w.env.slots, again)
		}
		relations += w.compare(t, seed, enc.precision, vars, before)
	}
	if relations < int(n) {
		t.Errorf("%d differences in all", relations)
	}
}

// rename gives symbols other names, and other numbers to count from where they fit and
// nothing is known of the number.
func (w *world) rename() {
	by, others := map[int32]value{}, []other{}
	slots := slices.Clone(w.env.slots)
	for i, x := range slots {
		if x.sym <= 0 {
			continue
		}
		k := w.env.kinds[i]
		if _, known := by[x.sym]; !known {
			to := value{sym: int32(len(by)) + 1}
			if n, known := w.env.other(x.sym); known {
				others = append(others, other{to.sym, n})
			} else {
				to.n = k.cut(uint64(w.IntN(9)))
			}
			by[x.sym] = to
		}
		n, ok := k.add(x.n, by[x.sym].n)
		if !ok {
			return
		}
		slots[i] = value{by[x.sym].sym, n}
	}
	copy(w.env.slots, slots)
	w.env.others = others
}

// compare looks whether the slots know of variables what they knew before, as far as the
// precision goes. It counts differences.
func (w *world) compare(t *testing.T, seed uint64, precision []Precision, vars []int32, before []value) (relations int) {
	for _, v := range vars {
		x, y, k := before[v], w.env.slots[v], w.env.kinds[v]
		if x.sym == 0 && (precision[v] == Exact) != (x == y) {
			t.Fatalf("seed %d: %s is %v, was %v, with precision %d", seed, w.vars[v], y, x, precision[v])
		}
		for _, u := range vars {
			x2, y2 := before[u], w.env.slots[u]
			if u == v || k != w.env.kinds[u] || x.sym == unknown || x.sym != x2.sym || precision[u] != precision[v] {
				continue
			}
			want, ok := k.sub(x.n, x2.n)
			got, _ := k.sub(y.n, y2.n)
			if ok && k != integer && (y.sym != y2.sym || got != want) {
				t.Fatalf("seed %d: %s and %s are %v and %v, were %v and %v", seed, w.vars[v], w.vars[u], y, y2, x, x2)
			}
			relations++
		}
	}
	return relations
}

// TestSteps: the state behind a command is represented, if the one before was.
func TestSteps(t *testing.T) {
	taken := 0
	n := soak.Long(uint64(1500))
	for seed := range n {
		g := newTerms(rand.New(rand.NewPCG(seed, 63)), seed%4 == 0)
		for range 4 {
			w := g.newWorld()
			enc := encoder{precision: w.precisions()}
			// The last variable of each sort is an input.
			vars := slices.DeleteFunc(w.tracked(enc.precision), func(v int32) bool { return v%each == each-1 })
			words := slices.Clone(enc.encode(&w.env, vars))
			f, e := w.step()
			holds, err := logic.Holds(f, w.state)
			if err != nil || !holds {
				continue
			}
			next := logic.Model{}
			maps.Copy(next, w.state)
			for i, v := range e.to {
				if next[w.vars[v].Name()], err = logic.Eval(e.terms[i], w.state); err != nil {
					break
				}
			}
			if err != nil {
				continue
			}
			w.env.load(words, vars, e.uses)
			// What is stored behind a step is either used or was stored before.
			after := slices.DeleteFunc(w.tracked(enc.precision), func(v int32) bool {
				return v%each == each-1 || !slices.Contains(vars, v) && !slices.Contains(e.to, v)
			})
			if !w.env.do(&e.edge) {
				t.Fatalf("seed %d: from %s no step when %s", seed, w.state, f)
			}
			taken++
			if got := enc.encode(&w.env, after); !w.represents(got, after, next) {
				t.Fatalf("seed %d: from %s when %s to %v by %v comes %x, which is without %s", seed, w.state, f, e.to, e.terms, got, next)
			}
		}
	}
	t.Logf("%d steps", taken)
	if taken < int(n) {
		t.Errorf("%d steps only", taken)
	}
}

// command is an edge and the terms that it assigns.
type command struct {
	edge
	terms []*logic.Term
}

// step returns a random guard and command.
func (w *world) step() (*logic.Term, *command) {
	f := w.assumption()
	c := &command{edge: edge{guard: w.conjuncts(f)}}
	for i, v := range w.vars {
		if i%each == each-1 || w.IntN(4) > 0 {
			continue
		}
		t := w.term(v.Sort(), w.IntN(3))
		c.terms = append(c.terms, t)
		c.to, c.by = append(c.to, int32(i)), append(c.by, w.compile(t))
	}
	c.uses = w.uses(append(slices.Clone(c.terms), f)...)
	return f, c
}

// TestMaxTracked: of very many variables, those are tracked whose positions can be stored.
func TestMaxTracked(t *testing.T) {
	n := MaxTracked + 10
	a := &Analysis{live: [][]bool{slices.Repeat([]bool{true}, n)}, env: env{kinds: slices.Repeat([]kind{8}, n), since: make([]uint64, n)}}
	enc := encoder{precision: slices.Repeat([]Precision{Exact}, n)}
	vars := a.list(0, enc.precision)
	a.env.slots = slices.Repeat([]value{{sym: 1}}, n)
	last := len(vars) - 1
	a.env.slots[last-1], a.env.slots[last] = value{2, 3}, value{2, 5}
	a.env.load(slices.Clone(enc.encode(&a.env, vars)), vars, nil)
	for i, want := range map[int]value{last: {vars[last-1] + 1, 2}, last - 1: {vars[last-1] + 1, 0}, last - 2: {vars[0] + 1, 0}} {
		if got := a.env.slots[i]; got != want {
			t.Errorf("variable %d is %v, want %v", i, got, want)
		}
	}
}
