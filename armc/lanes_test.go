package armc_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/testing/faulty"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/armc"
)

func TestMain(m *testing.M) {
	faulty.Main()
	os.Exit(m.Run())
}

// laneOrAuto is one of Auto's lanes alone, or Auto without some of them.
func laneOrAuto(r *rand.Rand) Options {
	lanes := Lanes()
	if i := r.IntN(2 * len(lanes)); i < len(lanes) {
		return lanes[i]
	}
	var o Options
	for _, l := range lanes {
		n := 4
		if l.Method == Enumerate {
			n = 2 // it has the answer before others begin
		}
		if r.IntN(n) == 0 && !slices.Contains(o.Without, l.Method) {
			o.Without = append(o.Without, l.Method)
		}
	}
	return o
}

// variant is any method with any options that go together.
func variant(r *rand.Rand) Options {
	o := laneOrAuto(r)
	switch {
	case o.Method == Forward && r.IntN(2) == 0:
		o.Abstraction = Abstraction(r.IntN(len(A3.Names())))
		o.Refine = predabs.Refinement(r.IntN(len(predabs.Least.Names())))
	case o.Method == Backward && r.IntN(2) == 0:
		o.Abstraction = []Abstraction{A1, A2, A3}[r.IntN(3)]
	}
	o.NoFacts, o.NoAcceleration, o.Global, o.Blocks = r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(3) == 0, Encoding(r.IntN(4))
	o.Restart, o.AbstractOnly = r.IntN(3) == 0, r.IntN(3) == 0
	o.Minimize = (o.Method == Auto || o.Method == Forward) && r.IntN(4) == 0
	o.Rounds, o.MaxQueries = 12, 1500
	return o
}

// right reports what is wrong with an answer about a system.
func right(res *Result, err error, want Verdict) error {
	switch {
	case err != nil:
		return err
	case res.Verdict == Unknown && res.Reason == nil:
		return fmt.Errorf("unknown without a reason")
	case res.Verdict != Unknown && res.Verdict != want:
		return fmt.Errorf("%s, want %s", res.Verdict, want)
	case res.Verdict == Safe && res.Certificate == nil, res.Verdict == Unsafe && res.Trace == nil:
		return fmt.Errorf("%s, and nothing that shows it", res.Verdict)
	}
	return nil
}

// TestVariants: every lane alone, and all together, with any combination of options, agree
// with explicit search.
func TestVariants(t *testing.T) {
	pool := thePool(t)
	count := map[string]map[Verdict]int{}
	n := soak.Long(uint64(240))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 44))
		sys := gen.NewSystem(r)
		want := Safe
		if naive.Unsafe(sys, gen.SystemMax) {
			want = Unsafe
		}
		o := variant(r)
		res, err := Check(ctx, sys, pool, o)
		if err := right(res, err, want); err != nil {
			t.Fatalf("seed %d, %+v: %v", seed, o, err)
		}
		if res.Verdict == Unsafe {
			if err := res.Trace.Replay(sys); err != nil {
				t.Fatalf("seed %d, %+v: %v", seed, o, err)
			}
		}
		if count[o.Method.String()] == nil {
			count[o.Method.String()] = map[Verdict]int{}
		}
		count[o.Method.String()][res.Verdict]++
	}
	t.Logf("verdicts: %v", count)
	if n >= 240 {
		for _, o := range Lanes() {
			if c := count[o.Method.String()]; o.Method != Cells && o.Method != Houdini && c[Safe]+c[Unsafe] < 3 { // these two decide systems with arrays
				t.Errorf("%s does not say much: %v", o.Method, c)
			}
		}
	}
}

// TestFaultyLanes: a solver that ends, hangs, or prints what it should not in the middle of any
// lane is no wrong verdict.
func TestFaultyLanes(t *testing.T) {
	needZ3(t)
	for k, fault := range faulty.Faults {
		for seed := range soak.Long(uint64(5)) {
			seed += 1000 * uint64(k)
			r := rand.New(rand.NewPCG(seed, 45))
			sys := gen.NewSystem(r)
			want := Safe
			if naive.Unsafe(sys, gen.SystemMax) {
				want = Unsafe
			}
			o := laneOrAuto(r)
			o.NoFacts, o.Rounds, o.MaxQueries = true, 12, 400
			t.Run(fmt.Sprintf("%s/%d", fault, seed), func(t *testing.T) {
				t.Parallel() // some wait
				options := smt.Options{Path: faulty.Solver(t, fault, 1+r.IntN(20))}
				if fault == "hang" || fault == "spin" || fault == "silent" {
					options.Timeout = 50 * time.Millisecond // such a question ends by nothing else soon
				} else {
					options.RLimit = 20_000_000
				}
				pool := smt.Z3Pool(1, options)
				defer pool.Close()
				res, err := Check(ctx, sys, pool, o)
				if err := right(res, err, want); err != nil {
					t.Errorf("%+v: %v", o, err)
				}
			})
		}
	}
}

// lies are wrong answers of a solver, from time to time, until somebody asks for a check of a
// proof: that is the last word, and "unsat" is what it believes.
type lies struct {
	smt.Solver
	teller
}

// teller is a stack of assertions of such a solver.
type teller struct {
	smt.Checker
	*story
	lied bool // in the last check
}

// story is what is told by a solver and the stacks beside it.
type story struct {
	r      *rand.Rand
	kind   string
	honest bool
	count  *int
}

func newLies(s smt.Solver, r *rand.Rand, kind string, count *int) *lies {
	return &lies{s, teller{s, &story{r: r, kind: kind, count: count}, false}}
}

func (l *story) now() bool {
	if l.honest || l.r.IntN(4) > 0 {
		return false
	}
	*l.count++
	return true
}

func (l *lies) Limit(work uint64) {
	l.Solver.Limit(work)
	l.honest = work == QuestionCheck
}

func (l *lies) Check(ctx context.Context, as ...*logic.Term) (smt.Status, error) {
	return l.teller.Check(ctx, as...)
}

func (l *lies) Model(ctx context.Context) (logic.Model, error) { return l.teller.Model(ctx) }
func (l *lies) Core(ctx context.Context) ([]int, error)        { return l.teller.Core(ctx) }

func (l *teller) Check(ctx context.Context, as ...*logic.Term) (smt.Status, error) {
	s, err := l.Checker.Check(ctx, as...)
	l.lied = false
	if err != nil {
		return s, err
	}
	lie := s
	switch {
	case l.kind == "sat" && s == smt.Unsat:
		lie = smt.Sat
	case l.kind == "unsat" && s == smt.Sat:
		lie = smt.Unsat
	case l.kind == "unknown":
		lie = smt.Unknown
	default:
		return s, nil
	}
	if !l.now() {
		return s, nil
	}
	l.lied = true
	return lie, nil
}

func (l *teller) Model(ctx context.Context) (logic.Model, error) {
	if l.lied {
		return logic.Model{}, nil
	}
	m, err := l.Checker.Model(ctx)
	if err != nil || l.kind != "model" || m == nil || !l.now() {
		return m, err
	}
	for name, v := range m {
		if v.Sort() == logic.Int {
			m[name] = logic.IntValue(l.r.Int64N(20) - 5)
		}
	}
	return m, nil
}

func (l *teller) Core(ctx context.Context) ([]int, error) {
	if l.lied {
		return []int{}, nil
	}
	return l.Checker.Core(ctx)
}

func (l *lies) Horn(ctx context.Context, p *horn.Problem, limit uint64) (smt.HornResult, error) {
	res, err := l.Solver.Horn(ctx, p, limit)
	if err != nil || !l.now() {
		return res, err
	}
	switch l.kind {
	case "sat", "model":
		res = smt.HornResult{Status: smt.Sat}
		for range p.Preds {
			res.Solution = append(res.Solution, logic.Not(logic.False()))
		}
	case "unsat":
		res = smt.HornResult{Status: smt.Unsat}
	default:
		res = smt.HornResult{Reason: "tired"}
	}
	return res, nil
}

// Beside lies, too.
func (l *lies) Beside() (smt.Checker, func()) {
	c, end := l.Solver.Beside()
	return &teller{c, l.story, false}, end
}

// TestLyingSolver: a solver that says "sat" or "unsat" where it is not so, gives values that are
// none, is no wrong verdict either, in any lane: runs are replayed, and proofs
// checked, by a solver that does not lie then.
func TestLyingSolver(t *testing.T) {
	needZ3(t)
	told := map[string]int{}
	for k, kind := range []string{"sat", "unsat", "model", "unknown"} {
		for seed := range soak.Long(uint64(40)) {
			seed += 1000 * uint64(k)
			r := rand.New(rand.NewPCG(seed, 46))
			sys := gen.NewSystem(r)
			want := Safe
			if naive.Unsafe(sys, gen.SystemMax) {
				want = Unsafe
			}
			o := laneOrAuto(r)
			o.NoFacts, o.Rounds, o.MaxQueries = r.IntN(3) > 0, 12, 400
			lied := make([]int, 20)
			var mu sync.Mutex
			n := 0
			pool := smt.NewPool(1, func() (smt.Solver, error) {
				mu.Lock()
				defer mu.Unlock()
				z, err := lend()
				n++
				return newLies(z, rand.New(rand.NewPCG(seed, uint64(n))), kind, &lied[n%len(lied)]), err
			})
			res, err := Check(ctx, sys, pool, o)
			if err := right(res, err, want); err != nil {
				t.Errorf("%s, seed %d, %+v: %v", kind, seed, o, err)
			}
			pool.Close()
			for _, l := range lied {
				told[kind] += l
			}
		}
	}
	t.Logf("lies: %v", told)
	if n := soak.Long(40); n >= 40 {
		for _, kind := range strings.Fields("sat unsat model unknown") {
			if told[kind] < 5 {
				t.Errorf("%d lies of kind %s", told[kind], kind)
			}
		}
	}
}
