package smt_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/logic"
	. "github.com/seltl/seltl/smt"
)

// The test binary is a fake solver if this is set to "fault:n:file": it passes
// everything to the real z3 and misbehaves at the n-th question, counted over
// all children in the file.
const fakeVariable = "SELTL_TEST_FAKE_SOLVER"

func TestMain(m *testing.M) {
	if plan := os.Getenv(fakeVariable); plan != "" {
		os.Exit(fakeSolver(plan))
	}
	os.Exit(m.Run())
}

func fakeSolver(plan string) int {
	parts := strings.SplitN(plan, ":", 3)
	var at int
	fmt.Sscan(parts[1], &at)
	z3 := exec.Command("z3", "-in")
	stdin, _ := z3.StdinPipe()
	stdout, _ := z3.StdoutPipe()
	if err := z3.Start(); err != nil {
		return 1
	}
	go func() {
		io.Copy(os.Stdout, stdout)
		os.Exit(0)
	}()
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			z3.Process.Kill()
			return 0
		}
		if strings.HasPrefix(line, "(get-value") && parts[0] == "values" {
			names := strings.Fields(strings.TrimPrefix(strings.Trim(line, "()\n"), "get-value"))
			for i, n := range names {
				names[i] = "(" + strings.Trim(n, "()") + " 12345)"
			}
			fmt.Println("(" + strings.Join(names, " ") + ")")
			continue
		}
		if strings.HasPrefix(line, "(check-sat") && countQuestion(parts[2]) == at {
			if misbehave(parts[0]) {
				z3.Process.Kill()
				return 1
			}
			continue
		}
		io.WriteString(stdin, line)
	}
}

// countQuestion appends a byte to the file and returns its length.
func countQuestion(file string) int {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	f.WriteString("x")
	info, _ := f.Stat()
	return int(info.Size())
}

// misbehave returns true if the fake ends.
func misbehave(fault string) bool {
	switch fault {
	case "die":
		return true
	case "hang":
		time.Sleep(time.Hour)
	case "spin":
		for {
		}
	case "garbage":
		fmt.Println("%$ ) ) ( Segmentation fault")
	case "memory":
		fmt.Println(`(error "out of memory")`)
		return true
	case "error":
		fmt.Println(`(error "line 1 column 1: something is wrong")`)
	case "unknown":
		fmt.Println("unknown")
	case "half":
		fmt.Print("sa")
		return true
	case "open":
		fmt.Println("(sat")
		return true
	case "silent":
	case "twice":
		fmt.Println("sat\nunsat")
	}
	return false
}

// faulty returns a solver that misbehaves at the n-th question.
func faulty(t *testing.T, fault string, n int) *Z3 {
	t.Helper()
	return fake(t, fault, n, Options{Timeout: 400 * time.Millisecond})
}

func fake(t *testing.T, fault string, n int, o Options) *Z3 {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(fakeVariable, fmt.Sprintf("%s:%d:%s", fault, n, filepath.Join(t.TempDir(), "count")))
	o.Path = exe
	return newZ3(t, o)
}

// TestFaults asks series of questions of solvers that fail at one of them: every
// answer is right or unknown, and those after the fault are answered again.
func TestFaults(t *testing.T) {
	for _, fault := range []string{"die", "hang", "garbage", "memory", "error", "unknown", "half", "open", "silent", "twice"} {
		t.Run(fault, func(t *testing.T) {
			seed := uint64(len(fault))
			r := rand.New(rand.NewPCG(seed, 30))
			at := 2 + r.IntN(6)
			z := faulty(t, fault, at)
			unknown, asked := 0, 0
			for asked < 12 {
				f, want := question(r)
				if want == Unknown || len(logic.Vars(f)) > 5 {
					continue
				}
				asked++
				got, m, err := ModelOf(ctx, z, f)
				switch {
				case err != nil:
					t.Fatal(err)
				case got == Unknown:
					unknown++
				case got != want:
					t.Fatalf("seed %d, fault at %d, question %d: %s, want %s: %s", seed, at, asked, got, want, f)
				case got == Sat:
					if ok, err := logic.Holds(f, m); !ok || err != nil {
						t.Fatalf("wrong model %s of %s", m, f)
					}
				}
			}
			if unknown > 3 {
				t.Errorf("%d of %d are unknown", unknown, asked)
			}
		})
	}
}

// TestUncounted: a question whose work is bounded and which does not end is given up after
// some processor time.
func TestUncounted(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system does not tell processor times")
	}
	before := *LateBase
	*LateBase = 200 * time.Millisecond
	defer func() { *LateBase = before }()
	z := fake(t, "spin", 2, Options{})
	z.Limit(1000)
	mustCheck(t, z, Sat)
	if status, err := z.Check(ctx); status != Unknown || err != nil || !strings.Contains(z.Reason(), "in time") {
		t.Errorf("%s, %v: %s", status, err, z.Reason())
	}
	mustCheck(t, z, Sat)
}

// TestFaultsKeepTheStack: a child that is replaced is told all scopes again.
func TestFaultsKeepTheStack(t *testing.T) {
	for n := 1; n <= 5; n++ {
		z := faulty(t, "die", n)
		z.Assert(parse(t, "x < y"))
		mustCheck(t, z, Sat)
		z.Push()
		z.Assert(parse(t, "y < z"))
		mustCheck(t, z, Sat, parse(t, "x == 1"), parse(t, "z == 3"))
		if m, err := z.Model(ctx); err != nil || m["y"].String() != "2" {
			t.Fatalf("death at %d: model %s, %v", n, m, err)
		}
		mustCheck(t, z, Unsat, parse(t, "x == 1"), parse(t, "z == 2"))
		if core, err := z.Core(ctx); err != nil || len(core) != 2 {
			t.Fatalf("death at %d: core %v, %v", n, core, err)
		}
		z.Pop()
		mustCheck(t, z, Sat, parse(t, "z == 2"), parse(t, "x == 1"))
		if z.Stats().Restarts > 1 {
			t.Errorf("death at %d: %d restarts", n, z.Stats().Restarts)
		}
	}
}

// TestFaultyHorn: trouble in the Horn child gives a checked solution or none.
func TestFaultyHorn(t *testing.T) {
	for _, fault := range []string{"die", "garbage", "unknown", "memory", "open"} {
		z := faulty(t, fault, 1)
		res, err := z.Horn(ctx, lectureHorn(t, 1), 0)
		if err != nil || res.Status == Unsat {
			t.Errorf("%s: %s, %v", fault, res.Status, err)
		}
	}
}

// TestLyingModels: values that do not satisfy the formula are not believed.
func TestLyingModels(t *testing.T) {
	z := faulty(t, "values", 0)
	status, m, err := ModelOf(ctx, z, parse(t, "x < y && y < 10"))
	if err != nil || status != Unknown || m != nil || !strings.Contains(z.Reason(), "wrong") {
		t.Errorf("%s, %v, %v (%s)", status, m, err, z.Reason())
	}
	status, m, _, err = z.Maximize(ctx, []*logic.Term{parse(t, "x < y")}, []*logic.Term{parse(t, "x > 3")}, []int{1})
	if err != nil || status != Unknown || m != nil {
		t.Errorf("maximize: %s, %v, %v", status, m, err)
	}
}
