// Package faulty makes a test binary a solver that misbehaves at one question, and
// otherwise does what z3 does: for tests of who has to do with solvers.
package faulty

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A binary that is to be a solver is started by a link with this prefix, a fault and a number
// in its name (not by the environment: tests run in parallel); questions are counted over all
// children, in a file beside the link.
const prefix = "faulty-solver:"

// Faults are the ways to misbehave: at one question, but for "values", which are always wrong.
var Faults = []string{"die", "hang", "spin", "garbage", "memory", "error", "unknown", "half", "open", "silent", "twice", "values"}

// Main is called at the beginning of TestMain. It does not return in a solver.
func Main() {
	if plan, ok := strings.CutPrefix(filepath.Base(os.Args[0]), prefix); ok {
		os.Exit(solver(plan + ":" + filepath.Join(filepath.Dir(os.Args[0]), "count")))
	}
}

// Solver returns the path of a program that misbehaves at the n-th question, from 1. It is the
// test's binary, whose TestMain must call Main.
func Solver(t *testing.T, fault string, n int) (path string) {
	t.Helper()
	if !slices.Contains(Faults, fault) {
		t.Fatalf("there is no fault %q", fault)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), fmt.Sprintf("%s%s:%d", prefix, fault, n))
	if err := os.Symlink(exe, path); err != nil {
		t.Fatal(err)
	}
	return path
}

func solver(plan string) int {
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
		if strings.HasPrefix(line, "(check-sat") && parts[0] != "values" && count(parts[2]) == at {
			if misbehave(parts[0]) {
				z3.Process.Kill()
				return 1
			}
			continue
		}
		io.WriteString(stdin, line)
	}
}

// count appends a byte to the file and returns its length.
func count(file string) int {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	f.WriteString("x")
	info, _ := f.Stat()
	return int(info.Size())
}

// misbehave returns true if the solver ends.
func misbehave(fault string) bool {
	switch fault {
	case "die":
		return true
	case "hang":
		time.Sleep(time.Hour)
	case "spin":
		for begun := time.Now(); time.Since(begun) >= 0; { // for ever, and busy
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
