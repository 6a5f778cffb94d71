package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seltl/seltl/internal/testing/soak"
)

// TestHTMLAndJSON: the report for a browser has, as data, what --json prints of the same run, of
// all kinds of questions; and the texts that were read.
func TestHTMLAndJSON(t *testing.T) {
	if _, err := exec.LookPath("z3"); err != nil {
		t.Skip("SKIPPED: there is no z3 here (make setup installs it)")
	}
	for i, line := range []string{
		"reach c/queue.c",
		"conform c/my_proc.c c/my_proc.spec",
		"deadlock c/philosophers.c c/philosophers.spec --process dinner",
		"verify c/surge.c c/surge.spec --process faulty",
		"reach armc/lecture_bug.gcl",
		"clp clp/fib_bug.clp",
		"clp clp/hanoi_bug.smt2",
		"clp clp/gcd.clp",
		"reach armc/lecture.gcl",
		"conform thesis/2-2-simulation.lks:M2 M1",
		"equivalent thesis/2-2-simulation.lks:M2 M1",
		"verify first.lks --automaton=automata/even-dark.hoa",
		"check fairness/semaphore.lks --explain",
		"progress classics/philosophers.lks -p TABLE",
	} {
		if soak.Skip(i) {
			continue
		}
		args, files := inSpecs(line)
		file := filepath.Join(t.TempDir(), "report.html")
		var out, errs bytes.Buffer
		if status := run(append(args, "--json", "--html", file), strings.NewReader(""), &out, &errs); status > 1 {
			t.Errorf("%s: status %d: %s", line, status, errs.String())
			continue
		}
		document, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(line, err)
		}
		_, data, _ := strings.Cut(string(document), `<script type="application/json" id="seltl-data">`)
		data, _, _ = strings.Cut(data, "</script>")
		var embedded struct{ Report any }
		var printed any
		if err := json.Unmarshal([]byte(data), &embedded); err != nil {
			t.Fatal(line, err)
		}
		if err := json.Unmarshal(out.Bytes(), &printed); err != nil {
			t.Fatal(line, err)
		}
		if diff := cmp.Diff(printed, embedded.Report); diff != "" {
			t.Errorf("%s: data and JSON differ: %s", line, diff)
		}
		for _, name := range files {
			if !strings.Contains(string(document), `data-name="`+name+`"`) {
				t.Errorf("%s: the text of %s is not there", line, name)
			}
		}
	}
}

// inSpecs are the arguments that a line stands for, in which files are those of specs, and these
// files.
func inSpecs(line string) (args, files []string) {
	specs := filepath.Join("..", "..", "specs")
	args = []string{"seltl"}
	for _, word := range strings.Fields(line) {
		name, of, hasProcess := strings.Cut(word, ":")
		flag, value, isFlag := strings.Cut(word, "=")
		switch {
		case isFlag:
			word = flag + "=" + filepath.Join(specs, value)
			files = append(files, filepath.Join(specs, value))
		case strings.Contains(name, "/") || strings.HasSuffix(name, ".lks"):
			word = filepath.Join(specs, name)
			files = append(files, word)
			if hasProcess {
				word += ":" + of
			}
		}
		args = append(args, word)
	}
	return args, files
}
