// Package benchexec has seltl.py, by which BenchExec runs seltl.
package benchexec

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTool: what seltl.py makes of tasks runs, and its results are those of the tasks. (testdata
// stands for BenchExec, of which it has what is needed.)
func TestTool(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it links seltl once more; the full run does it")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed: how BenchExec runs seltl is not tested")
	}
	for _, read := range []string{"seltl.py", "testdata/run.py"} { // by python; a change asks for the test anew
		if _, err := os.ReadFile(read); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	seltl := filepath.Join(dir, "seltl")
	// What go run links is kept from one run of the test to the next, what go build links is not.
	if out, err := exec.Command("go", "run", "-exec", "cp", "../../cmd/seltl", seltl).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	reach := write("unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
	overflow := write("no-overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n")
	wide := write("wide.c", "void reach_error(void); int main(void) { if (sizeof(long) == 8) reach_error(); }\n")
	ends := write("termination.prp", "CHECK( init(main()), LTL(F end) )\n")
	memory := write("valid-memsafety.prp", "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n")
	clean := write("valid-memcleanup.prp", "CHECK( init(main()), LTL(G valid-memcleanup) )\n")
	twice := write("twice.c", "#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p); free(p); }\n")
	left := write("left.c", "#include <stdlib.h>\nint main(void) { int *p = malloc(4); p[1] = 0; }\n")
	average, witness := "../../specs/c/svcomp/average.c", filepath.Join(dir, "w.yml")
	for _, c := range []struct{ seconds, property, model, file, want string }{
		{"60", "", "", "../../specs/clp/mc91.smt2", "true"},
		{"60", "", "", "../../specs/clp/hanoi_bug.smt2", "false"},
		{"0.001", "", "", "../../specs/clp/mc91.smt2", "unknown"},
		{"60", reach, "LP64", "../../specs/c/lock.c", "true"},
		{"60", reach, "LP64", wide, "false(unreach-call)"},
		{"60", reach, "ILP32", wide, "true"},
		{"60", overflow, "LP64", wide, "true"},
		{"60", overflow, "LP64", average + " --write-witness=" + witness, "false(no-overflow)"},
		{"60", overflow, "LP64", average + " --witness=" + witness, "false(no-overflow)"},
		{"60", reach, "LP64", average + " --witness=" + witness, "ERROR"}, // which is about another property
		{"60", reach, "LP64", "../../specs/c/svcomp/sum.c --write-witness=" + witness, "true"},
		{"60", reach, "LP64", "../../specs/c/svcomp/sum.c --witness=" + witness, "true"},
		{"60", ends, "LP64", average, "true"},
		{"60", ends, "LP64", "../../specs/c/termination/spin.c", "false(termination)"},
		{"60", memory, "LP64", twice, "false(valid-free)"},
		{"60", memory, "LP64", left, "false(valid-deref)"},
		{"60", clean, "LP64", write("kept.c", "#include <stdlib.h>\nint main(void) { return malloc(4) == 0; }\n"), "false(valid-memcleanup)"},
		{"60", memory, "LP64", wide, "true"},
		{"60", reach, "LP65", wide, "UnsupportedFeatureException"},
		{"0.001", reach, "LP64", "../../specs/c/queue.c", "unknown"},
		{"60", reach, "LP64", write("bad.c", "int main(void) { return }\n"), "ERROR"},
		{"60", "", "", filepath.Join(dir, "none.smt2"), "ERROR"},
	} {
		file, options, _ := strings.Cut(c.file, " ")
		cmd := exec.Command(python, filepath.Join("testdata", "run.py"), seltl, c.seconds, c.property, c.model, file)
		here, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Env = append(os.Environ(), "PYTHONPATH="+here+":"+filepath.Join(here, "testdata"), "PYTHONDONTWRITEBYTECODE=1", "OPTIONS="+options)
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != c.want {
			t.Errorf("%s: %s, %v; want %s", c.file, got, err, c.want)
		}
	}
}
