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
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
)

// oracleDir holds what LTSA answers on its textbook's models; it is not part of
// the repository.
const oracleDir = "../../../shared/oracle/ltsa"

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
		var f *fsp.File
		if f, err = fsp.Parse(source.NewFile(file, string(text))); err == nil {
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
	r, err := lks.Reach(net, lks.ReachOptions{})
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
