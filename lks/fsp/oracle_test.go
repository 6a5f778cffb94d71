package fsp_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// oracleDir holds what LTSA answers on its textbook's models; it is not part of
// the repository.
const oracleDir = "../../../shared/oracle/ltsa"

// modelFiles returns the texts of the models at hand: those of the repository's
// specs and, where it is there, of the LTSA oracle.
func modelFiles(t testing.TB) map[string]string {
	files, err := gen.FSPFiles("../../specs", oracleDir)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// oracleRow is a row of a reference table, by column name.
type oracleRow map[string]string

// oracleRows reads a table of the oracle, or skips the test.
func oracleRows(t testing.TB, table string) []oracleRow {
	f, err := os.Open(filepath.Join(oracleDir, table))
	if err != nil {
		t.Skip("the LTSA oracle (../shared/oracle/ltsa) is not here: nothing to compare with")
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []oracleRow
	for _, r := range records[1:] {
		row := oracleRow{}
		for i, column := range records[0] {
			row[column] = r[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// oracleModels compiles each file of the oracle once.
type oracleModels struct {
	dir    string
	models map[string]*fsp.Model
	errs   map[string]error
}

func (o *oracleModels) get(file string) (*fsp.Model, error) {
	if m, ok := o.models[file]; ok {
		return m, o.errs[file]
	}
	text, err := os.ReadFile(filepath.Join(oracleDir, o.dir, file))
	var m *fsp.Model
	if err == nil {
		var f *syntax.File
		if f, err = syntax.Parse(source.NewFile(file, string(text))); err == nil {
			m, err = fsp.Compile(f, fsp.Options{})
		}
	}
	o.models[file], o.errs[file] = m, err
	return m, err
}

func newOracleModels(dir string) *oracleModels {
	return &oracleModels{dir, map[string]*fsp.Model{}, map[string]error{}}
}

var oracleTables = []struct{ table, dir string }{
	{"reference.csv", "examples"},
	{"probes/probes.csv", "probes"},
}

// TestOracleProcesses compares every process of the oracle's models: number of
// processes, states, transitions, actions; deadlock; ERROR reachable.
func TestOracleProcesses(t *testing.T) {
	for _, table := range oracleTables {
		t.Run(table.dir, func(t *testing.T) {
			models := newOracleModels(table.dir)
			total, agree := 0, 0
			for _, row := range oracleRows(t, table.table) {
				if row["row"] != "process" {
					continue
				}
				total++
				if diff := compareProcess(models, row); diff != "" {
					t.Errorf("%s %s: %s", row["file"], row["process"], diff)
					continue
				}
				agree++
			}
			t.Logf("%d of %d processes agree with LTSA", agree, total)
		})
	}
}

// render returns an error with all its diagnostics.
func render(err error) string {
	if l, ok := err.(source.List); ok {
		var b strings.Builder
		l.Render(&b)
		return b.String()
	}
	return err.Error()
}

func compareProcess(models *oracleModels, row oracleRow) string {
	m, err := models.get(row["file"])
	var net *lks.Network
	if err == nil {
		net, err = m.Composition(row["process"])
	}
	failed := strings.Contains(row["notes"], "FAILED compile")
	switch {
	case failed && err == nil:
		return "LTSA refuses it: " + row["notes"]
	case failed:
		return ""
	case err != nil:
		return render(err)
	}
	// A large model is compared only without -short.
	if n, _ := strconv.Atoi(row["states"]); n > 100_000 && testing.Short() {
		return ""
	}
	r, err := explore.Reach(net, explore.Options{})
	if err != nil {
		return err.Error()
	}
	components := strconv.Itoa(len(net.Components()))
	if symbolic[row["file"]+" "+row["process"]] {
		components = row["components"]
	}
	got := fmt.Sprintf("%s processes, %d states, %d transitions, %d actions, deadlock %s, error %s",
		components, r.States, r.Transitions, len(net.Alphabet())-1, yesNo(r.Deadlocks > 0), yesNo(r.Errors > 0))
	want := fmt.Sprintf("%s processes, %s states, %s transitions, %s actions, deadlock %s, error %s",
		row["components"], row["states"], row["transitions"], row["alphabet"], row["deadlock"], row["error_reachable"])
	if got != want {
		return fmt.Sprintf("got  %s\n\twant %s", got, want)
	}
	return ""
}

// symbolic lists composites that LTSA makes of one process which it built before,
// and seltl of the processes inside, explored on the fly: the number of processes
// differs, and nothing else.
var symbolic = map[string]bool{
	"chapter4_lts/Counter_lockvar.lts C": true,
	"relab.lts NEST":                     true,
	"relab.lts NESTP":                    true,
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// TestOracleMinimised compares sizes after weak minimisation. LTSA first
// collapses states that have only silent steps, which is not always an
// equivalence and can give less; apart from that ours must not be larger.
func TestOracleMinimised(t *testing.T) {
	for _, table := range oracleTables {
		t.Run(table.dir, func(t *testing.T) {
			models := newOracleModels(table.dir)
			total, equal, smaller := 0, 0, 0
			for _, row := range oracleRows(t, table.table) {
				states, _ := strconv.Atoi(row["states"])
				if row["row"] != "process" || row["min_states"] == "" || states > 4000 {
					continue
				}
				total++
				id := row["file"] + " " + row["process"]
				m, err := models.get(row["file"])
				if err != nil {
					t.Errorf("%s: %v", id, err)
					continue
				}
				got, err := minimised(m, row)
				if err != nil {
					t.Errorf("%s: %v", id, err)
					continue
				}
				switch want, _ := strconv.Atoi(row["min_states"]); {
				case got == want:
					equal++
				case got < want:
					smaller++
				case !collapsed[id]:
					t.Errorf("%s: %d states after minimisation, LTSA has %d", id, got, want)
				}
			}
			t.Logf("%d processes: %d minimised to the size of LTSA's, %d to less", total, equal, smaller)
		})
	}
}

// collapsed lists processes for which LTSA's collapsing of silent states gives
// less than the quotient under weak bisimulation.
var collapsed = map[string]bool{
	"chapter4_lts/Counter_lockvar.lts SHAREDCOUNTER": true, // 13 states, LTSA 10
}

func minimised(m *fsp.Model, row oracleRow) (int, error) {
	net, err := m.Network(row["process"])
	if err != nil {
		return 0, err
	}
	built, err := net.Build(nil)
	if err != nil {
		return 0, err
	}
	q, err := lks.Minimise(built, lks.WeakDeadlock, nil) // as minimal does
	if err != nil {
		return 0, err
	}
	n := 0
	for s := range int32(q.NumStates()) {
		if q.Kind(s) != lks.Error {
			n++
		}
	}
	return n, nil
}

// TestOracleTraces finds shortest traces to the deadlock or error that LTSA
// reports and checks that they are no longer than LTSA's, and that LTSA's is a
// trace of the process.
func TestOracleTraces(t *testing.T) {
	for _, table := range oracleTables {
		t.Run(table.dir, func(t *testing.T) {
			models := newOracleModels(table.dir)
			total := 0
			for _, row := range oracleRows(t, table.table) {
				if row["row"] != "process" || row["safety_verdict"] == "" || row["safety_verdict"] == "none" {
					continue
				}
				total++
				id := row["file"] + " " + row["process"]
				m, err := models.get(row["file"])
				if err != nil {
					t.Fatalf("%s: %v", id, err)
				}
				net, err := m.Composition(row["process"])
				if err != nil {
					t.Fatalf("%s: %v", id, err)
				}
				deadlock := row["safety_verdict"] == "deadlock"
				r, err := explore.Reach(net, explore.Options{Traces: true, StopAtDeadlock: deadlock, StopAtError: !deadlock})
				if err != nil {
					t.Fatalf("%s: %v", id, err)
				}
				goal := r.Error
				if deadlock {
					goal = r.Deadlock
				}
				if goal < 0 {
					t.Errorf("%s: no %s found", id, row["safety_verdict"])
					continue
				}
				trace, err := r.Trace(goal)
				if err != nil {
					t.Fatalf("%s: %v", id, err)
				}
				want := strings.Fields(row["trace"])
				if trace.Len() > len(want) {
					t.Errorf("%s: trace of %d steps, LTSA's has %d", id, trace.Len(), len(want))
				}
				if i := follow(net, want); i < len(want) {
					t.Errorf("%s: LTSA's trace is not ours: no %s at step %d of %v", id, want[i], i+1, want)
				}
			}
			t.Logf("%d traces", total)
		})
	}
}

// follow returns how many of the actions the network can do one after the other.
func follow(net *lks.Network, actions []string) int {
	e := net.Explorer()
	var succ lks.Successors
	e.Initial(&succ)
	words := net.Words()
	states := map[string][]uint64{}
	add := func(s []uint64) { states[fmt.Sprint(s)] = append([]uint64(nil), s...) }
	for i := range succ.Len() {
		add(succ.States[i*words : (i+1)*words])
	}
	for i, a := range actions {
		current := states
		states = map[string][]uint64{}
		for _, s := range current {
			e.Successors(s, &succ)
			for k, r := range succ.Rules {
				if net.Alphabet()[net.Rules()[r].Action] == a {
					add(succ.States[k*words : (k+1)*words])
				}
			}
		}
		if len(states) == 0 {
			return i
		}
	}
	return len(actions)
}
