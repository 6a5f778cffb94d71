package deadlock_test

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp"
)

const oracle = "../../shared/oracle/ltsa"

// TestOracle compares with LTSA's verdicts on the models of its textbook; where
// there is a deadlock our traces are no longer than LTSA's.
func TestOracle(t *testing.T) {
	f, err := os.Open(filepath.Join(oracle, "reference.csv"))
	if err != nil {
		t.Skip("the LTSA oracle (../shared/oracle/ltsa) is not here: nothing to compare with")
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	models := map[string]*fsp.Model{}
	compared, deadlocks := 0, 0
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = record[i]
		}
		if row["row"] != "process" || strings.Contains(row["notes"], "FAILED compile") {
			continue
		}
		m, ok := models[row["file"]]
		if !ok {
			m = compile(t, row["file"])
			models[row["file"]] = m
		}
		net, err := m.Composition(row["process"])
		if err != nil {
			t.Errorf("%s %s: %v", row["file"], row["process"], err)
			continue
		}
		if row["error_reachable"] == "yes" && row["deadlock"] == "no" {
			continue // LTSA stopped at the error and did not look further
		}
		compared++
		want := row["deadlock"] == "yes"
		states, _ := strconv.Atoi(row["states"])
		for i, opts := range methods {
			if opts.NoAbandon {
				continue // large alphabets: quotients that are much larger than the whole
			}
			if states > 100_000 && (testing.Short() || i > 0) {
				continue
			}
			r, err := deadlock.Check(context.Background(), net, opts)
			if err != nil {
				t.Errorf("%s %s, %+v: %v", row["file"], row["process"], opts, err)
				continue
			}
			if r.Free() == want {
				t.Errorf("%s %s, %+v: free %v, LTSA says %v", row["file"], row["process"], opts, r.Free(), !want)
				continue
			}
			shortest := opts.Method != deadlock.Iter && opts.Order == deadlock.BreadthFirst
			if theirs := strings.Fields(row["trace"]); want && shortest && r.Deadlock.Trace.Len() > len(theirs) {
				t.Errorf("%s %s, %+v: trace of %d steps, LTSA's has %d", row["file"], row["process"], opts, r.Deadlock.Trace.Len(), len(theirs))
			}
		}
		if want {
			deadlocks++
		}
	}
	t.Logf("%d processes agree, %d of them deadlock", compared, deadlocks)
	if deadlocks == 0 {
		t.Error("nothing compared")
	}
}

func compile(t *testing.T, file string) *fsp.Model {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(oracle, "examples", file))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := fsp.Parse(source.NewFile(file, string(text)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := fsp.Compile(parsed, fsp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
