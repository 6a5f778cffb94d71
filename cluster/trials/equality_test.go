package trials

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/semantics"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// sizes are the numbers of workers that are tried.
var sizes = []int{1, 2, 3, 8}

// TestRandomNetworks compares the answers to questions about random models with those of
// one process: counts for every number of workers, others by one number each, and in a soak
// run by all of them. They are asked of one pool, by submit.
func TestRandomNetworks(t *testing.T) {
	n := soak.Long(uint64(20))
	most := 8
	if testing.Short() {
		n, most = 2, 3
	}
	p := newPool(t, most+5)
	folder := t.TempDir()
	var tried [4]atomic.Int64
	seeds := make(chan uint64)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for seed := range seeds {
				tryNetwork(t, p, folder, seed, most, &tried)
			}
		})
	}
	for seed := range n {
		seeds <- seed
	}
	close(seeds)
	all.Wait()
	holds, violated, refused, skipped := tried[0].Load(), tried[1].Load(), tried[2].Load(), tried[3].Load()
	t.Logf("%d networks: %d answers hold, %d violated, %d refused finite runs; %d questions made no sense", n, holds, violated, refused, skipped)
	if most == 8 && (holds < int64(n) || violated < int64(n) || skipped > int64(n)) {
		t.Error("too few of some kind")
	}
}

// tryNetwork asks questions about the network of a seed.
func tryNetwork(t *testing.T, p *pool, folder string, seed uint64, most int, tried *[4]atomic.Int64) {
	file := filepath.Join(folder, fmt.Sprintf("random%d.lks", seed))
	r := gen.Rand(seed)
	if err := os.WriteFile(file, []byte(randomModel(r, seed)), 0o600); err != nil {
		t.Error(err)
		return
	}
	for i, q := range randomQuestions(r, file) {
		want, err := q.ask(context.Background())
		if err != nil {
			tried[3].Add(1)
			continue
		}
		for k, size := range sizes {
			turn := k == int(seed+uint64(i))%len(sizes)
			if size > most || !turn && q.kind != "count" && most == 8 && !soak.On() {
				continue
			}
			got := p.submit(t, append(q.args(), "-n", fmt.Sprint(size))...)
			if err := q.compare(t, want, got, size); err != nil {
				t.Errorf("seed %d, %d workers, %v: %v", seed, size, q.args(), err)
			}
			switch want.verdict {
			case report.Holds:
				tried[0].Add(1)
			case report.Violated:
				tried[1].Add(1)
			default:
				tried[2].Add(1)
			}
		}
	}
}

// randomModel is the text of a random model.
func randomModel(r *rand.Rand, seed uint64) string {
	if seed%3 == 0 {
		m, _ := semantics.Random(r, semantics.Small)
		return m.Text()
	}
	n := 2 + r.IntN(3)
	var names []string
	for i := range n {
		names = append(names, fmt.Sprint("P", i))
	}
	return gen.FSP(r, n, true) + "||SYSTEM = (" + strings.Join(names, " || ") + ").\n"
}

// randomQuestions are one of each kind. Of a model that makes no sense there are none.
func randomQuestions(r *rand.Rand, file string) []question {
	m, err := check.Load(context.Background(), file, check.LoadOptions{})
	if err != nil {
		return nil
	}
	all := []question{{file: file, kind: "count"}, {file: file, kind: "deadlock"}, {file: file, kind: "error"}}
	var states []ltl.Atom
	atoms := []ltl.Atom{{Kind: ltl.Deadlock}}
	for _, p := range m.Net.Props() {
		states = append(states, ltl.Atom{Kind: ltl.Prop, Name: p})
	}
	for i, a := range m.Net.Alphabet() {
		if a == lks.TauName || i > 6 {
			continue
		}
		atoms = append(atoms, ltl.Atom{Kind: ltl.Event, Name: a})
		states = append(states, ltl.Atom{Kind: ltl.Enabled, Name: a})
	}
	states = append(states, ltl.Atom{Kind: ltl.Deadlock})
	atoms = append(atoms, states...)
	local := []ltl.Op{ltl.Not, ltl.And, ltl.Or, ltl.Iff}
	all = append(all, question{file: file, kind: "reach", formula: gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(5), Atoms: states, Ops: local}).String()})
	f := gen.Formula(r, gen.FormulaOptions{Size: 3 + r.IntN(7), Atoms: atoms})
	if r.IntN(2) == 0 { // not weak
		f = ltl.Make(ltl.Or, ltl.MakeAlways(ltl.MakeEventually(gen.Formula(r, gen.FormulaOptions{Size: 3, Atoms: atoms, Ops: local}))), f)
	}
	for _, finite := range []product.FiniteRuns{product.StutterRuns, product.IgnoreRuns, product.RefuseRuns} {
		all = append(all, question{file: file, kind: "ltl", formula: f.String(), finite: finite})
	}
	return all
}

// TestModels compares answers about the families, at several sizes, and the classics.
func TestModels(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	p := newPool(t, 8)
	var asked []question
	family := func(name, process string, kind, formula string, from, to int) {
		for n := from; n <= to; n++ {
			asked = append(asked, question{file: specs("families", name+".lks"), process: process, params: map[string]int{"N": n}, kind: kind, formula: formula})
		}
	}
	for _, name := range []string{"milner", "readers-writers", "ring", "philosophers"} {
		family(name, "", "count", "", 2, 7)
		family(name, "", "deadlock", "", 3, 6)
		family(name, "", "error", "", 4, 4)
	}
	family("philosophers", "PHILDL", "deadlock", "", 2, 8)
	family("philosophers", "PHILDL", "reach", "p[0].eating & p[2].eating", 3, 7)
	family("philosophers", "PHILOK", "reach", "p[0].eating & p[1].eating", 3, 7)
	family("milner", "", "ltl", "G F cell[0].run", 2, 5)
	family("milner", "", "ltl", "G(cell[0].a -> X (!cell[0].a W cell[1].a))", 2, 5)
	family("ring", "", "ltl", "G(s[0].try -> F s[0].crit)", 2, 5)
	family("ring", "", "ltl", "G F s[1].crit", 2, 5)
	family("readers-writers", "", "ltl", "G F writer[0].start", 2, 4)
	family("philosophers", "PHILOK", "ltl", "G F p[0].eat", 2, 5)
	classics, err := filepath.Glob(specs("classics", "*.lks"))
	if err != nil || len(classics) == 0 {
		t.Fatal(err, classics)
	}
	for _, file := range classics {
		asked = append(asked, randomQuestions(gen.Rand(1), file)...)
	}
	for i, q := range asked {
		want, err := q.ask(context.Background())
		if err != nil {
			t.Errorf("%v: %v", q.args(), err)
			continue
		}
		for k, size := range sizes {
			if k != i%len(sizes) && !soak.On() {
				continue
			}
			if err := q.compare(t, want, p.submit(t, append(q.args(), "-n", fmt.Sprint(size))...), size); err != nil {
				t.Errorf("%d workers, %v: %v", size, q.args(), err)
			}
		}
	}
	t.Logf("%d questions", len(asked))
}
