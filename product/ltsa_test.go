package product_test

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/fairchoice"
)

// ltsaDir holds what LTSA answers on its textbook's models; it is not part of
// the repository.
const ltsaDir = "../../shared/oracle/ltsa"

type ltsaRow map[string]string

// forLTSARows calls f for the rows of a kind in both tables of the oracle, with
// the compiled model; it skips the test where the oracle is absent.
func forLTSARows(t *testing.T, kind string, f func(t *testing.T, m *fsp.Model, row ltsaRow) bool) {
	for _, table := range []struct{ csv, dir string }{{"reference.csv", "examples"}, {"probes/probes.csv", "probes"}} {
		t.Run(table.dir, func(t *testing.T) {
			file, err := os.Open(filepath.Join(ltsaDir, table.csv))
			if err != nil {
				t.Skip("the LTSA oracle (../shared/oracle/ltsa) is not here: nothing to compare with")
			}
			defer file.Close()
			records, err := csv.NewReader(file).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			models := map[string]*fsp.Model{}
			total, agree := 0, 0
			for _, r := range records[1:] {
				row := ltsaRow{}
				for i, column := range records[0] {
					row[column] = r[i]
				}
				if row["row"] != kind {
					continue
				}
				m, ok := models[row["file"]]
				if !ok {
					m = ltsaModel(t, filepath.Join(ltsaDir, table.dir, row["file"]))
					models[row["file"]] = m
				}
				if m == nil {
					continue
				}
				total++
				if f(t, m, row) {
					agree++
				}
			}
			t.Logf("%d of %d rows agree with LTSA", agree, total)
		})
	}
}

func ltsaModel(t *testing.T, path string) *fsp.Model {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := syntax.Parse(source.NewFile(filepath.Base(path), string(text)))
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return nil
	}
	m, err := fsp.Compile(f, fsp.Options{})
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return nil
	}
	return m
}

func tooLarge(m *fsp.Model, row ltsaRow) bool {
	return testing.Short() && strings.Contains(row["file"], "GolfClubBounded") && row["process"] != "SET"
}

func TestLTSAProgress(t *testing.T) {
	reports := map[string]*fairchoice.ProgressReport{} // by file and process
	forLTSARows(t, "progress", func(t *testing.T, m *fsp.Model, row ltsaRow) bool {
		if tooLarge(m, row) {
			return true
		}
		id := row["file"] + " " + row["process"]
		report, ok := reports[id]
		if !ok {
			report = progressOf(t, id, m, row["process"])
			reports[id] = report
		}
		if report == nil {
			return false
		}
		id += " " + row["progress_name"]
		for _, r := range report.Results {
			if r.Name == row["progress_name"] {
				return progressAgrees(t, id, report, &r, row)
			}
		}
		t.Errorf("%s: no such progress property", id)
		return false
	})
}

func progressOf(t *testing.T, id string, m *fsp.Model, process string) *fairchoice.ProgressReport {
	net, err := m.Composition(process)
	if err != nil {
		t.Errorf("%s: %v", id, err)
		return nil
	}
	all, err := m.Progress()
	if err != nil {
		t.Errorf("%s: %v", id, err)
		return nil
	}
	var props []fairchoice.ProgressProperty
	for _, p := range all {
		props = append(props, fairchoice.ProgressProperty{Name: p.Name, Condition: p.Condition, Actions: p.Actions})
	}
	report, err := fairchoice.Progress(context.Background(), net, props, product.Options{})
	if err != nil {
		t.Errorf("%s: %v", id, err)
		return nil
	}
	return report
}

func progressAgrees(t *testing.T, id string, report *fairchoice.ProgressReport, r *fairchoice.ProgressResult, row ltsaRow) bool {
	want := row["progress_verdict"]
	if want == "safety-violation" {
		// LTSA says so also where it finds a violating set but meets a deadlock on
		// its search for a trace to it (SingleLaneBridgeDeadlock).
		deadlock := r.Verdict == product.Violated && len(r.Terminal) == 0
		return report.Error != nil || deadlock || assertAgrees(t, id, "no error", want)
	}
	if !assertAgrees(t, id, r.Verdict.String(), want) {
		return false
	}
	return r.Verdict != product.Violated || notLonger(t, id, len(r.Lasso.Stem), stemOf(row["trace"]))
}

// stemOf returns the number of actions before the slash in a trace of LTSA.
func stemOf(trace string) int {
	stem, _, _ := strings.Cut(trace, "/")
	return len(strings.Fields(stem))
}

func notLonger(t *testing.T, id string, got, ltsa int) bool {
	if got > ltsa {
		t.Errorf("%s: our trace has %d steps, LTSA's %d", id, got, ltsa)
	}
	return got <= ltsa
}

func assertAgrees(t *testing.T, id, got, want string) bool {
	if got != want {
		t.Errorf("%s: got %s, LTSA says %s", id, got, want)
	}
	return got == want
}

// TestLTSAAsserts compares assertions under fair choice, LTSA's default, and
// without fairness, where LTSA looks at infinite runs only, unless the assertion
// is a safety property.
func TestLTSAAsserts(t *testing.T) {
	forLTSARows(t, "assert", func(t *testing.T, m *fsp.Model, row ltsaRow) bool {
		id := row["file"] + " " + row["process"] + " " + row["assert_name"]
		p, err := m.Property(row["process"], row["assert_name"])
		if err != nil {
			t.Errorf("%s: %v", id, err)
			return false
		}
		if strings.Contains(row["notes"], "FAILED") {
			// rigid without any action: LTSA fails on a formula that is constant.
			return true
		}
		fair, err := fairchoice.Verify(context.Background(), p.Network, p.Formula, product.Options{})
		if err != nil {
			t.Errorf("%s: %v", id, err)
			return false
		}
		safety := strings.Contains(row["notes"], "safety property")
		opts := product.Options{Finite: product.IgnoreRuns}
		if safety {
			opts.Finite = product.StutterRuns
		}
		plain, err := product.Verify(context.Background(), p.Network, p.Formula, opts)
		if err != nil {
			t.Errorf("%s: %v", id, err)
			return false
		}
		if row["assert_verdict"] == "deadlock" {
			// A deadlock was met before the assertion was decided: nothing to compare
			// but that there is one.
			r, err := explore.Reach(p.Network, explore.Options{})
			return err == nil && (r.Deadlocks > 0 || assertAgrees(t, id, "no deadlock", "deadlock"))
		}
		ok := assertAgrees(t, id+" (fair choice)", fair.Verdict.String(), row["assert_verdict"])
		return assertAgrees(t, id+" (no fairness)", plain.Verdict.String(), row["assert_verdict_nofair"]) && ok
	})
}
