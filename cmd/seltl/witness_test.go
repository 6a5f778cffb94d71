package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/internal/testing/svwitness"
	"github.com/seltl/seltl/report"
)

// witnessed is a program of specs/c, and how it is asked about.
type witnessed struct {
	file string
	args []string
}

// witnessedSpecs are the programs of specs/c that begin in main(), in each of their forms, and what takes no time.
func witnessedSpecs(t *testing.T) (all []witnessed) {
	slow := map[string]bool{"steps.c": true, "popcount.c": true, "fib.c": true, "hanoi.c": true, "evenodd.c": true, "mc91.c": false}
	err := filepath.WalkDir("../../specs/c", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".c" {
			return err
		}
		switch filepath.Base(filepath.Dir(path)) {
		case "real", "arrays", "floats", "termination", "lists": // many are not decided, witnesses say no floating-point numbers, or gcc's program need not end
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(text, []byte("main(void)")) && !bytes.Contains(text, []byte("main()")) {
			return err
		}
		for _, form := range []string{"", "BAD", "FIXED"} {
			switch {
			case form == "" && !slow[d.Name()]:
				all = append(all, witnessed{file: path})
			case form != "" && bytes.Contains(text, []byte(form)) && d.Name() != "steps.c":
				all = append(all, witnessed{file: path, args: []string{"-D", form}})
			}
		}
		if strings.Contains(path, "svcomp") {
			all = append(all, witnessed{file: path, args: []string{"--property=no-overflow"}})
		}
		return nil
	})
	all = append(all, witnessed{file: "../../specs/c/lists/queue.c"}) // whose proof has no invariants
	file := filepath.Join(t.TempDir(), "without_value.c")
	if err := os.WriteFile(file, []byte(withoutValue), 0o666); err != nil {
		t.Fatal(err)
	}
	all = append(all, witnessed{file: file})
	file = filepath.Join(t.TempDir(), "macro_loops.c")
	if err := os.WriteFile(file, []byte(macroLoops), 0o666); err != nil {
		t.Fatal(err)
	}
	all = append(all, witnessed{file: file})
	file = filepath.Join(t.TempDir(), "elsewhere.c")
	if err := os.WriteFile(file, []byte(elsewhere), 0o666); err != nil {
		t.Fatal(err)
	}
	all = append(all, witnessed{file: file})
	others, _ := filepath.Glob(os.Getenv("SELTL_WITNESSED")) // more programs, in a run by hand
	for _, file := range others {
		all = append(all, witnessed{file: file})
	}
	if err != nil || len(all) < 20 {
		t.Fatalf("%d programs, %v", len(all), err)
	}
	return all
}

// macroLoops has loops that stand in macros, of which a witness can say nothing.
const macroLoops = `extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
#define COUNT(v, n) for (v = 0; v < (n); v++)
int main(void) {
  int s = 0, i;
  COUNT(i, 50000) {
    if (__VERIFIER_nondet_int() > 0) s++;
    CHECK(s <= i + 1);
  }
  return 0;
}
`

// withoutValue fails for values of variables that it gives none.
const withoutValue = `extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
    for (int k = 0; k < 3; k++) {
        int a, b;
        int c;
        if (k == 1 && a != 7) return 0;
        if (k == 2 && (a + b != 50 || c != a)) return 0;
        if (c == __VERIFIER_nondet_int()) return 0;
    }
    unsigned char x, y = 3;
    if (x + y == 250) reach_error();
    return 0;
}
`

// elsewhere calls what returns no value and has no body, and has a routine that gcc emits only if it is told to.
const elsewhere = `extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void note(int);
extern void tell(const char *) __attribute__((cold));
struct hooks { void (*note)(int); } hooks;
__inline int twice(int x) { note(x); return 2 * x; }
static void own(int x) { if (hooks.note) hooks.note(x); }
int main(void) {
    hooks.note = own;
    hooks.note(3);
    tell("begins");
    if (twice(__VERIFIER_nondet_int()) == 18) reach_error();
    return 0;
}
`

// TestWitnessLeftOut: a run that was given what its witness has no waypoint for is told so, with how much that is.
func TestWitnessLeftOut(t *testing.T) {
	const warning = "left out: %s that the run was given otherwise than by a call of the program"
	for _, c := range []struct{ program, values string }{
		{`int main(void) { if (get() == 7) reach_error(); return 0; }`, ""},
		{`int main(void) { int x; x = get(); int *p = &x; if (*p == 7) reach_error(); return 0; }`, ""},
		{`int main(void) { int *p = malloc(sizeof *p); *p = 7; if (*p == 7) reach_error(); return 0; }`, ""},
		{`int main(void) { int *p = malloc(sizeof *p); if (*p == 7) reach_error(); return 0; }`, "1 values"},
		{`int main(void) { int **p = malloc(sizeof *p); if (*p) reach_error(); return 0; }`, "1 values"},
		{`int main(void) { int a[2]; if (a[0] + a[1] == 7) reach_error(); return 0; }`, "2 values"},
		{`extern int limit; int main(void) { if (limit == get()) reach_error(); return 0; }`, "1 values"},
		{`int main(int argc, char **argv) { if (argc == 7) reach_error(); return 0; }`, "2 values"},
		{`extern int *find(void); int main(void) { if (find()) reach_error(); return 0; }`, "1 values"},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "p.c")
		text := "extern void reach_error(void);\nextern int get(void);\nextern void *malloc(unsigned long);\n" + c.program
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		status, out, messages := seltl("reach", file, "--timeout=60s", "--write-witness", filepath.Join(dir, "w.yml"))
		if status != report.ExitViolated {
			t.Errorf("%s: status %d: %s%s", c.program, status, out, messages)
		} else if told := strings.Contains(messages, "left out"); told != (c.values != "") || told && !strings.Contains(messages, fmt.Sprintf(warning, c.values)) {
			t.Errorf("%s: %q of %q", c.program, messages, c.values)
		}
	}
}

func seltl(args ...string) (status int, stdout, stderr string) {
	var out, messages bytes.Buffer
	status = run(append([]string{"seltl"}, args...), strings.NewReader(""), &out, &messages)
	return status, out.String(), messages.String()
}

// write writes a witness of a program; "" if there is no verdict. part says that the run was given more than the witness
// can say, such as values of variables that have none: gcc's program may do something else then.
func (w witnessed) write(t *testing.T) (file string, part bool) {
	file = filepath.Join(t.TempDir(), "w.yml")
	// Without --quiet, which tells no warnings.
	status, out, messages := seltl(append([]string{"reach", w.file, "--timeout=30s", "--write-witness", file}, w.args...)...)
	switch status {
	case report.ExitUnknown:
		return "", false
	case report.ExitHolds, report.ExitViolated:
		return file, strings.Contains(messages, "that the run was given otherwise")
	}
	t.Fatalf("%s %v: status %d: %s%s", w.file, w.args, status, out, messages)
	return "", false
}

// TestWitnesses: what is written about the programs of specs/c is validated from the file alone, and stands up to gcc: runs fail
// where they say, and no run on random inputs breaks an invariant.
func TestWitnesses(t *testing.T) {
	written, failing, invariants, parts := 0, 0, 0, 0
	for i, w := range witnessedSpecs(t) {
		if soak.Thin(i) || testing.Short() && i > 1 {
			continue
		}
		file, part := w.write(t)
		if file == "" {
			continue
		}
		written++
		args := append([]string{"reach", w.file, "--timeout=60s", "--quiet", "--witness", file}, w.args...)
		if status, out, messages := seltl(args...); status != report.ExitHolds {
			t.Errorf("%s %v: status %d: %s%s", w.file, w.args, status, out, messages)
		}
		if part {
			parts++
			continue
		}
		n, k := w.compiled(t, file)
		failing, invariants = failing+n, invariants+k
	}
	t.Logf("%d witnesses, %d failing runs done by gcc, %d invariants run, %d say a part of the run", written, failing, invariants, parts)
	if written < soak.Least(25) || failing < soak.Least(10) || invariants < soak.Least(8) {
		t.Error("that is fewer than there should be")
	}
}

// macros are the -D of a program.
func (w witnessed) macros() (flags []string) {
	for i, a := range w.args {
		if a == "-D" {
			flags = append(flags, "-D"+w.args[i+1])
		}
	}
	return append(flags, "-I"+filepath.Dir(w.file), "-fwrapv")
}

// compiled has gcc judge a witness that is said to be one.
func (w witnessed) compiled(t *testing.T, file string) (failing, invariants int) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(w.file)
	if err != nil {
		t.Fatal(err)
	}
	wit, err := svwitness.Read(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if wit.Violation() {
		return w.fails(t, wit, string(program)), 0
	}
	if wit.Invariants() == 0 {
		return 0, 0
	}
	if w.breaks(t, wit, string(program)) {
		t.Errorf("%s %v: an invariant does not hold\n%s", w.file, w.args, text)
	}
	return 0, wit.Invariants()
}

// fails does a failing run.
func (w witnessed) fails(t *testing.T, wit *svwitness.Witness, program string) int {
	c, err := wit.Follow(program)
	if err != nil {
		t.Errorf("%s %v: %v", w.file, w.args, err)
		return 0
	}
	flags := append(w.macros(), svwitness.Linking...)
	overflow := strings.Contains(wit.Specification(), "overflow")
	if overflow {
		flags = append(flags, "-fno-wrapv", "-fsanitize=signed-integer-overflow,shift", "-fno-sanitize-recover=all")
	}
	exe, err := gcc.Build(t.TempDir(), c, wit.Bits(), flags...)
	if errors.Is(err, gcc.ErrMissing) {
		return 0
	}
	if err != nil {
		t.Errorf("%s %v: %v\n%s", w.file, w.args, err, c)
		return 0
	}
	status, _, messages, err := gcc.Run(context.Background(), exe)
	switch {
	case err != nil:
		t.Fatal(err)
	case overflow && !strings.Contains(messages, fmt.Sprintf(":%d:", wit.TargetLine())), !overflow && status != svwitness.Reached:
		t.Errorf("%s %v: gcc's program ends with status %d: %s", w.file, w.args, status, messages)
	}
	return 1
}

// breaks runs a program with checks on random inputs: it says whether one does not hold.
func (w witnessed) breaks(t *testing.T, wit *svwitness.Witness, program string) bool {
	c, err := wit.Check(program)
	if err != nil {
		t.Errorf("%s %v: %v", w.file, w.args, err)
		return false
	}
	exe, err := gcc.Build(t.TempDir(), c, wit.Bits(), append(w.macros(), svwitness.Linking...)...)
	if errors.Is(err, gcc.ErrMissing) {
		return false
	}
	if err != nil {
		t.Errorf("%s %v: %v\n%s", w.file, w.args, err, c)
		return false
	}
	for seed := range soak.Cases(50) {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), fmt.Sprintf("SEED=%d", seed))
		_ = cmd.Run() // the status says
		if cmd.ProcessState.ExitCode() == svwitness.Broken {
			return true
		}
	}
	return false
}

// TestWitnessMutants changes witnesses: what is wrong then is refused, or else gcc agrees that it is one still.
func TestWitnessMutants(t *testing.T) {
	refused, accepted, open := 0, 0, 0
	var files []string
	var from []witnessed
	for i, w := range witnessedSpecs(t) {
		if testing.Short() && i%8 != 3 {
			continue
		}
		if strings.Contains(w.file, "recursive") { // a question about them takes seconds
			continue
		}
		if file, part := w.write(t); file != "" && !part {
			files, from = append(files, file), append(from, w)
		}
	}
	for seed := 0; refused+accepted+open < soak.Cases(40); seed++ {
		r := rand.New(rand.NewSource(int64(seed)))
		k := r.Intn(len(files))
		text, err := os.ReadFile(files[k])
		if err != nil {
			t.Fatal(err)
		}
		mutant, what := mutated(r, string(text))
		if mutant == "" {
			continue
		}
		file := filepath.Join(t.TempDir(), "m.yml")
		if err := os.WriteFile(file, []byte(mutant), 0o666); err != nil {
			t.Fatal(err)
		}
		status, out, messages := seltl(append([]string{"reach", from[k].file, "--timeout=20s", "--quiet", "--witness", file}, from[k].args...)...)
		switch status {
		case report.ExitViolated, report.ExitInput:
			refused++
			if about := strings.Contains(what, "value:") || strings.Contains(what, "segment less"); about && from[k].judged(t, mutant) == stillOne {
				t.Errorf("seed %d: %s %v: %s: refused, and gcc does what it says: %s%s", seed, from[k].file, from[k].args, what, out, messages)
			}
		case report.ExitUnknown:
			open++
			t.Logf("seed %d: %s: %s: unknown", seed, from[k].file, what)
		case report.ExitHolds:
			accepted++
			if from[k].judged(t, mutant) == isNone {
				t.Errorf("seed %d: %s %v: %s: accepted, and gcc refutes it: %s\n%s", seed, from[k].file, from[k].args, what, out, mutant)
			}
			t.Logf("seed %d: %s: %s: is one still", seed, from[k].file, what)
		default:
			t.Errorf("seed %d: %s: %s: status %d: %s%s", seed, from[k].file, what, status, out, messages)
		}
	}
	t.Logf("%d refused, %d are witnesses still, %d unknown", refused, accepted, open)
	if refused == 0 || open > refused/10 {
		t.Error("too few are refused")
	}
}

// judgement is what gcc says of a witness.
type judgement int

const (
	notSaid  judgement = iota
	stillOne           // a run fails as it says
	isNone             // an invariant is broken, or the run does not fail
)

func (w witnessed) judged(t *testing.T, text string) judgement {
	wit, err := svwitness.Read(text)
	program, errFile := os.ReadFile(w.file)
	if err != nil || errFile != nil || strings.Contains(wit.Specification(), "overflow") {
		return notSaid
	}
	if !wit.Violation() {
		c, err := wit.Check(string(program))
		if err != nil {
			return notSaid
		}
		if _, err := gcc.Build(t.TempDir(), c, wit.Bits(), w.macros()...); err == nil && w.breaks(t, wit, string(program)) {
			return isNone
		}
		return notSaid
	}
	c, err := wit.Follow(string(program))
	if err != nil {
		return notSaid
	}
	exe, err := gcc.Build(t.TempDir(), c, wit.Bits(), append(w.macros(), svwitness.Linking...)...)
	if err != nil {
		return notSaid
	}
	if status, _, _, err := gcc.Run(context.Background(), exe); err == nil && status == svwitness.Reached {
		return stillOne
	}
	return notSaid // another run may
}

// mutated changes something of a witness; "" if that has no place in it.
func mutated(r *rand.Rand, text string) (mutant, what string) {
	lines := strings.Split(text, "\n")
	some := func(part string) int {
		var all []int
		for i, l := range lines {
			if strings.Contains(l, part) {
				all = append(all, i)
			}
		}
		if len(all) == 0 {
			return -1
		}
		return all[r.Intn(len(all))]
	}
	change := func(part, old, new string) (string, string) {
		i := some(part)
		if i < 0 || !strings.Contains(lines[i], old) {
			return "", ""
		}
		what := strings.TrimSpace(lines[i])
		lines[i] = strings.Replace(lines[i], old, new, 1)
		return strings.Join(lines, "\n"), what + " becomes " + strings.TrimSpace(lines[i])
	}
	switch r.Intn(14) {
	case 0:
		i := some(".c: ")
		lines[i] = lines[i][:len(lines[i])-1] + "0"
		if lines[i] == strings.Split(text, "\n")[i] {
			lines[i] = lines[i][:len(lines[i])-1] + "1"
		}
		return strings.Join(lines, "\n"), "another hash"
	case 1:
		return change("value:", " == ", " != ")
	case 2:
		return change("value:", "<=", "<")
	case 3:
		return change("value:", "<=", ">")
	case 4:
		return change("value:", "&&", "&& 0 &&")
	case 5:
		return change("value:", "100", "99")
	case 6:
		return change("value: (", "value: (", "value: !(")
	case 7:
		return change("value: \\result == ", "== ", "== 7")
	case 8:
		return change("line:", "line: ", "line: 1")
	case 9:
		return change("column:", "column: ", "column: 1")
	case 10:
		return change("type:", "function_return", "function_enter")
	case 11:
		return change("specification:", "reach_error", "reach_terror")
	case 12:
		return change("action:", "follow", "avoid")
	}
	// a segment less
	var begins []int
	for i, l := range lines {
		if strings.Contains(l, "- segment:") {
			begins = append(begins, i)
		}
	}
	if len(begins) < 2 {
		return "", ""
	}
	k := r.Intn(len(begins) - 1)
	return strings.Join(append(append([]string{}, lines[:begins[k]]...), lines[begins[k+1]:]...), "\n"), "a segment less"
}
