package programs

import (
	"context"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

// TestLoopsAsClauses: the clauses of public C programs with loops have one verdict, by CAR,
// by ARMC's methods and by Spacer, and a derivation where the error can be reached. (Others
// may have one, too: ways out of what is modelled are errors of the clauses.) Programs that
// all three decide at once are tried always, a soak run tries all, with half a minute for
// each method; no answer is none that differs.
func TestLoopsAsClauses(t *testing.T) {
	root := filepath.Join("..", "..", "..", "shared", "oracle", "c")
	table, err := os.Open(filepath.Join(root, "reference.csv"))
	if os.IsNotExist(err) {
		t.Skip("SKIPPED: the C programs with known verdicts are not beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	rows, err := csv.NewReader(table).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	always := []string{"for_infinite_loop_2_true.i", "sum04_true.i"}
	overflow := "verisec_sendmail__tTflag_arr_one_loop_false.i" // ten digits are too large for a word only
	quick := []string{"n.c11_true.i"}
	pool := Common
	programs, decided := 0, map[clp.Method]int{}
	for _, row := range rows {
		if row[0] != "loops" {
			continue
		}
		programs++
		name := row[1]
		if sure := slices.Contains(always, name) || slices.Contains(quick, name) && !testing.Short(); sure || soak.On() {
			verdicts := clauseVerdicts(t, pool, filepath.Join(root, "loops", name), sure)
			for m, v := range verdicts {
				if v != clp.Unknown {
					decided[m]++
				}
				if row[3] == "false" && v == clp.Underivable && name != overflow || sure && v == clp.Unknown {
					t.Errorf("%s, %v: %v; the error can be reached: %s", name, m, v, row[3])
				}
				for n, w := range verdicts {
					if v == clp.Underivable && w == clp.Derivable {
						t.Errorf("%s: %v by %v, %v by %v", name, v, m, w, n)
					}
				}
			}
			t.Log(strings.TrimSuffix(name, ".i"), verdicts)
		}
	}
	t.Log(programs, "programs, decided:", decided)
	if programs < 30 {
		t.Errorf("only %d programs", programs)
	}
}

// clauseVerdicts decides the clauses of a program by each method; within limits unless it is
// sure to be decided.
func clauseVerdicts(t *testing.T, pool *smt.Pool, file string, sure bool) map[clp.Method]clp.Verdict {
	p, err := LoadC([]string{file}, cfront.Options{Model: ir.ILP32}, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := encode.Encode(p, "")
	if err != nil {
		t.Fatal(file, err)
	}
	var text strings.Builder
	if err := WriteClauses(&text, ExportedC(e, safety.MathIntegers, armc.Large)); err != nil {
		t.Fatal(file, err)
	}
	q, err := LoadQuery("clauses.smt2", func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text.String())), nil })
	if err != nil {
		t.Fatal(file, err)
	}
	var limits budget.Limits
	if !sure {
		limits.Time = 30 * time.Second
	}
	verdicts := map[clp.Method]clp.Verdict{}
	for _, m := range []clp.Method{clp.CAR, clp.ARMC, clp.Spacer} {
		res, err := clp.Decide(context.Background(), q.Clauses, pool, clp.Options{Method: m, Limits: limits})
		if err != nil {
			t.Fatal(file, m, err)
		}
		verdicts[m] = res.Verdict
	}
	return verdicts
}
