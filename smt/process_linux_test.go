package smt_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/seltl/seltl/smt"
)

// TestKilledParent: a solver in the middle of a query ends with the program that
// asked, however that ended.
func TestKilledParent(t *testing.T) {
	if os.Getenv("SELTL_TEST_ASK") != "" {
		z := newZ3(t, Options{})
		mustCheck(t, z, Sat) // it runs
		z.Assert(parse(t, hard))
		println("asks")
		z.Check(ctx)
		return
	}
	newZ3(t, Options{}) // skips where there is none
	parent := exec.Command(os.Args[0], "-test.run=^TestKilledParent$")
	parent.Env = append(os.Environ(), "SELTL_TEST_ASK=1")
	out, err := parent.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	solvers := childrenOf(parent.Process.Pid)
	if len(solvers) == 0 {
		t.Fatal("no solver runs")
	}
	time.Sleep(100 * time.Millisecond) // let it ask
	parent.Process.Kill()
	parent.Wait()
	for range 500 {
		if !slices.ContainsFunc(solvers, running) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("of the solvers %v some are still running", solvers)
}

// childrenOf returns the process numbers of the children.
func childrenOf(pid int) []string {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	var all []string
	for _, name := range files {
		list, _ := os.ReadFile(name)
		all = append(all, strings.Fields(string(list))...)
	}
	return all
}

// running reports whether a process is there and no zombie.
func running(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
}
