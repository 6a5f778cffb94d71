package encode

import (
	"fmt"
	"math/big"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
)

func encoded(t *testing.T, text string, model ir.DataModel) (*Encoding, error) {
	t.Helper()
	p, err := cfront.Parse([]*source.File{source.NewFile("p.c", text)}, cfront.Options{Model: model})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	e, err := Encode(p, "")
	if err != nil {
		return nil, err
	}
	for _, sys := range []interface{ Validate() error }{e.Words, e.Numbers} {
		if err := sys.Validate(); err != nil {
			t.Fatal(err)
		}
	}
	return e, nil
}

// walker runs Words by evaluation.
type walker struct {
	e       *Encoding
	rng     *rand.Rand
	out     [][]int // edges by location
	choices []uint64
	seen    func(logic.Model)
	guessed bool // an operation on addresses gave any value, which the machine computes
}

func newWalker(e *Encoding, rng *rand.Rand) *walker {
	w := &walker{e: e, rng: rng, out: make([][]int, len(e.Words.Locations)), seen: func(logic.Model) {}}
	for i, edge := range e.Words.Edges {
		w.out[edge.From] = append(w.out[edge.From], i)
	}
	return w
}

// first is the initial state, with zeros where it is open.
func (w *walker) first() logic.Model {
	state := logic.Model{}
	for _, x := range w.e.Words.Vars {
		state[x.Name()] = logic.Zero(x.Sort())
	}
	for _, f := range logic.Conjuncts(w.e.Words.Init[0].Where) {
		if f.Op() != logic.OpEq {
			continue
		}
		a, b := f.Args()[0], f.Args()[1]
		if a.Op() == logic.OpNumber {
			a, b = b, a
		}
		if a.Op() != logic.OpVar {
			a, b = b, a
		}
		if v, err := logic.Eval(b, nil); err == nil {
			state[a.Name()] = v
		}
	}
	return state
}

// step does the one edge that is possible with random inputs; -1 if there is none, -2 if
// there are several.
func (w *walker) step(at int, state logic.Model) (edge int, next logic.Model) {
	for try := range 50 {
		inputs := logic.Model{}
		for _, i := range w.out[at] {
			for _, x := range w.e.Words.Edges[i].Command.Inputs {
				if x.Sort().Kind() == logic.ArrayKind {
					inputs[x.Name()] = logic.Zero(x.Sort())
				} else if _, ok := inputs[x.Name()]; !ok {
					n := new(big.Int).SetUint64(w.rng.Uint64() >> w.rng.Intn(64))
					if try > 10 {
						n.SetInt64(int64(w.rng.Intn(2))) // for _Bool
					}
					if strings.HasPrefix(x.Name(), "start!") {
						n.SetInt64(0) // the machine reads such memory as 0
					}
					inputs[x.Name()] = logic.NumValue(new(big.Rat).SetInt(n), x.Sort())
				}
			}
		}
		edge = -1
		for _, i := range w.out[at] {
			after, err := w.e.Words.Edges[i].Command.Step(state, inputs)
			if err != nil {
				continue
			}
			if edge >= 0 {
				return -2, nil
			}
			edge, next = i, after
		}
		if edge >= 0 {
			for _, name := range w.e.edges[edge].words {
				w.choices = append(w.choices, bitsOf(inputs, name))
			}
			for _, x := range w.e.Words.Edges[edge].Command.Inputs {
				w.guessed = w.guessed || !strings.HasPrefix(x.Name(), "start!") && !slices.Contains(w.e.edges[edge].words, x.Name())
			}
			return edge, next
		}
		if len(inputs) == 0 {
			break
		}
	}
	return -1, nil
}

// TestWordsMachine: a walk through Words ends as the machine's run on the same choices
// does, and there is one way at each location. Nothing is cut off silently.
func TestWordsMachine(t *testing.T) {
	endings := map[string]int{}
	for seed := range soak.Long(24) {
		rng := rand.New(rand.NewSource(int64(seed)))
		text := gen.CModel(rng)
		e, err := encoded(t, text, ir.DataModel(seed%2))
		if err != nil {
			endings["refused"]++
			t.Logf("seed %d: %v", seed, err)
			continue
		}
		w := newWalker(e, rng)
		for range 5 {
			got, want, how := w.compare()
			if got != want && w.guessed {
				got, how = want, "guessed"
			}
			endings[how]++
			if got != want {
				t.Fatalf("seed %d of gen.CModel: Words end in %q, the machine in %q", seed, got, want)
			}
		}
	}
	t.Log(endings)
	for _, how := range []string{"failed", "returned", "lost"} {
		if endings[how] == 0 && !testing.Short() {
			t.Errorf("no run ended so: %s", how)
		}
	}
	if early := endings["lost too early: an access by a pointer whose target is not known"]; early > endings["returned"] {
		t.Errorf("most runs are lost where the machine goes on")
	}
	if endings["refused"] > endings["returned"] {
		t.Errorf("most programs are refused")
	}
}

// compare walks once, and runs the machine.
func (w *walker) compare() (got, want, how string) {
	w.choices, w.guessed = nil, false
	at, state := w.e.Words.Init[0].Location, w.first()
	for steps := 0; ; steps++ {
		if steps > 20_000 {
			return "", "", "long"
		}
		w.seen(state)
		edge, next := w.step(at, state)
		if edge == -2 {
			return "several ways at " + w.e.Words.Locations[at].Name, "one", ""
		}
		if edge == -1 {
			break
		}
		at, state = w.e.Words.Edges[edge].To, next
	}
	m := &machine.Machine{Program: w.e.Program, MaxSteps: 5_000_000, MaxDepth: 1000, Regions: true}
	k := 0
	m.Choose = func(c *machine.Choice) (uint64, error) {
		if c.Lazy {
			return 0, nil
		}
		k++
		if k > len(w.choices) {
			return 0, nil
		}
		return w.choices[k-1], nil
	}
	out, err := m.Run(w.e.Entry, nil)
	if err != nil {
		return "", err.Error(), ""
	}
	want = map[machine.Ending]string{machine.Failed: "failed", machine.Returned: "returned", machine.Undefined: "lost", machine.Stopped: "stopped", machine.Refused: "refused", machine.Exceeded: "exceeded"}[out.Ending]
	span := w.e.Words.Locations[at].Span
	switch {
	case w.e.Failures[at] != "":
		return fmt.Sprintf("failed at %d", span.Pos().Line), fmt.Sprintf("%s at %d", want, out.Span.Pos().Line), "failed"
	case w.e.Lost[at] != "":
		if want == "returned" || want == "failed" { // a proof excludes more than it has to
			return want, want, "lost too early: " + w.e.Lost[at]
		}
		return "lost", want + strings.Repeat(" "+out.What, map[bool]int{true: 0, false: 1}[want == "lost"]), "lost"
	case w.e.Words.Locations[at].Name == "end":
		return "returned", want, "returned"
	}
	return "stuck at " + w.e.Words.Locations[at].Name, want, "stuck"
}

// TestEnded: variables are named whose address is kept longer than they last, and no others.
func TestEnded(t *testing.T) {
	for text, want := range map[string]string{
		"int *f(void) { int z = 3; int *p = &z; return p; } int main(void) { return *f(); }":                                               "[f.z]",
		"void f(int **p) { int l; *p = &l; } int main(void) { int *p; f(&p); return *p; }":                                                 "[f.l]",
		"int *g; void f(int a) { g = &a; } int main(void) { f(1); return *g; }":                                                            "[f.a]",
		"int main(void) { int *p = 0; { int l = 1; p = &l; } return *p; }":                                                                 "[main.l]",
		"int main(void) { int *p; for (int i = 0; i < 2; i++) { int l = i; if (i == 0) p = &l; } return *p; }":                             "[main.l]",
		"int *g; void f(int *p) { g = p; } int main(void) { int i = 0; { int k = 1; int *q = &k; i = *q; } f(&i); return *g; }":            "[]",
		"int f(int *p) { int l = *p, *q = &l; p = q; return *p; } int main(void) { static int s; int i = f(&s), *p = &s; return *p + i; }": "[]",
		"int id(int *p) { return *p; } int f(void) { int l = 2; return id(&l); } int main(void) { int (*h)(void) = f; return h(); }":       "[]",
	} {
		e, err := encoded(t, text, ir.LP64)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(e.Ended); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestPartOfAddress: an int that may be read of the bytes of a pointer, for all that is known, is no address
// that is moved.
func TestPartOfAddress(t *testing.T) {
	const text = `unsigned nd(void); void reach_error(void);
struct dev { const char *name; int ref; };
struct uart { int regs[4]; struct dev d; int tx; };
static struct uart u0 = { .d = { "u" } };
static struct dev g0;
int main(void) {
	struct dev *d = nd() ? &u0.d : &g0;
	if (d->ref++) return 0;
	if (d == &u0.d) {
		struct uart *u = (struct uart *)((char *)d - __builtin_offsetof(struct uart, d));
		u->tx++;
		if (u0.tx != 1) reach_error();
	}
	return 0;
}`
	for _, model := range []ir.DataModel{ir.LP64, ir.ILP32} {
		if _, err := encoded(t, text, model); err != nil {
			t.Error(err)
		}
	}
}

// TestPointerChain: what a chain of pointers points to is found in less than exponential time.
func TestPointerChain(t *testing.T) {
	const n = 60
	text := "int main(void) { int x = 0; int *p0 = &x;"
	for i := 1; i < n; i++ {
		text += fmt.Sprintf(" int %sp%d = &p%d;", strings.Repeat("*", i+1), i, i-1)
	}
	if _, err := encoded(t, text+strings.Repeat("*", n)+fmt.Sprintf("p%d = 3; return x; }", n-1), ir.LP64); err != nil {
		t.Error(err)
	}
}
