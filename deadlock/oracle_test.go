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
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

const oracle = "../../shared/oracle/ltsa"

// TestOracle compares with LTSA's verdicts on the models of its textbook; where
// there is a deadlock our traces are no longer than LTSA's. Where LTSA stopped at an
// ERROR and so found no deadlock, the naive search looks through everything else.
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
	compared, deadlocks, naively, passedOver := 0, 0, 0, 0
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
			if !soak.Skip(len(models)) {
				m = compile(t, row["file"])
			}
			models[row["file"]] = m
		}
		if m == nil {
			continue
		}
		net, err := m.Composition(row["process"])
		if err != nil {
			t.Errorf("%s %s: %v", row["file"], row["process"], err)
			continue
		}
		want, nearest := row["deadlock"] == "yes", -1
		states, _ := strconv.Atoi(row["states"])
		switch {
		case row["error_reachable"] != "yes" || want:
			compared++
		case states > 2000 && testing.Short():
			continue
		default: // LTSA stopped at the error and did not look further
			nearest = naive.Explore(net).Deadlock()
			want = nearest >= 0
			naively++
			if want {
				passedOver++
			}
		}
		for i, opts := range methods {
			if opts.NoAbandon {
				continue // large alphabets: quotients that are much larger than the whole
			}
			if states > 100_000 && (testing.Short() || i > 0) {
				continue
			}
			r, err := answered(context.Background(), net, opts)
			if err != nil {
				t.Errorf("%s %s, %+v: %v", row["file"], row["process"], opts, err)
				continue
			}
			if r.Free() == want {
				t.Errorf("%s %s, %+v: free %v, LTSA says %v", row["file"], row["process"], opts, r.Free(), !want)
				continue
			}
			shortest := opts.Method != deadlock.Iter
			theirs := nearest
			if nearest < 0 {
				theirs = len(strings.Fields(row["trace"]))
			}
			if want && shortest && r.Deadlock.Trace.Len() > theirs {
				t.Errorf("%s %s, %+v: trace of %d steps, there is one of %d", row["file"], row["process"], opts, r.Deadlock.Trace.Len(), theirs)
			}
		}
		if want {
			deadlocks++
		}
	}
	t.Logf("%d processes agree with LTSA and %d, of which LTSA says nothing, with the naive search (%d deadlocks); %d deadlock in all", compared, naively, passedOver, deadlocks)
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
	parsed, err := syntax.Parse(source.NewFile(file, string(text)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := fsp.Compile(parsed, fsp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
