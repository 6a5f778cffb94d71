package ltl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/ltl"
)

// randomFormulas are 500 formulas of 20 nodes over four atoms.
func randomFormulas() []*ltl.Formula {
	r := rand.New(rand.NewPCG(1, 1))
	out := make([]*ltl.Formula, 500)
	for i := range out {
		out[i] = gen.Formula(r, gen.FormulaOptions{Size: 20, Atoms: gen.Atoms("a", "b", "c", "d")})
	}
	return out
}

func BenchmarkParse(b *testing.B) {
	var texts []string
	for _, f := range randomFormulas() {
		texts = append(texts, f.String())
	}
	for b.Loop() {
		for _, t := range texts {
			ltl.MustParse(t)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(texts)), "µs/formula")
}

func BenchmarkSimplify(b *testing.B) {
	formulas := randomFormulas()
	for b.Loop() {
		for _, f := range formulas {
			ltl.Simplify(f, ltl.SimplifyOptions{})
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(formulas)), "µs/formula")
}

func BenchmarkEval(b *testing.B) {
	formulas := randomFormulas()
	w := gen.Word(rand.New(rand.NewPCG(2, 2)), gen.Atoms("a", "b", "c", "d"), 20, 20)
	for b.Loop() {
		for _, f := range formulas {
			ltl.Eval(f, w)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(formulas)), "µs/formula")
}
