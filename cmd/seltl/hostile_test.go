//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/testing/hostile"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

// asked are command lines about an input @, and the endings of the inputs that they are made for;
// LIMITS stands for those of time and memory, where a command has them.
var asked = []struct{ line, kinds string }{
	{"verify @ G_!deadlock LIMITS", ".lks"}, {"verify @ LIMITS", ".lks"}, {"verify @ G_!deadlock --fair=process LIMITS", ".lks"},
	{"check @ --disk DIR LIMITS", ".lks"}, {"verify @ G_!deadlock --vacuity LIMITS", ".lks"}, {"verify MODEL -F @ LIMITS", ".ltl"},
	{"verify MODEL --automaton @ LIMITS", ".hoa"}, {"verify @ SPEC LIMITS", ".c"}, {"check @ LIMITS", ".lks"}, {"batch LIST --out DIR --unit-timeout TIME --isolate", ".lks .c"},
	{"deadlock @ LIMITS", ".lks"}, {"deadlock @ SPEC LIMITS", ".c"}, {"progress @ LIMITS", ".lks"}, {"sim --lines @ LIMITS", ".lks"}, {"sim @ SPEC --lines LIMITS", ".c"},
	{"sim --trace @ MODEL LIMITS", ".lks"}, {"conform @ MODEL LIMITS", ".lks"}, {"conform @ SPEC LIMITS", ".c"}, {"equivalent @ MODEL LIMITS", ".lks"}, {"equivalent MODEL @ --by=trace LIMITS", ".lks"},
	{"compose @ -o PICTURE LIMITS", ".lks"}, {"compose @ -o AUT LIMITS", ".lks"}, {"compose @ --minimise=weak LIMITS", ".lks"}, {"stats @ LIMITS", ".lks"}, {"fmt @", ".lks .clp"},
	{"translate -F @ LIMITS", ".ltl"}, {"translate -F @ --deterministic LIMITS", ".ltl"}, {"formula -F @ LIMITS", ".ltl"}, {"formula -F @ --simplify LIMITS", ".ltl"}, {"cross -F @ seltl seltl:ba,det LIMITS", ".ltl"},
	{"automaton @ LIMITS", ".hoa"}, {"automaton @ --complement LIMITS", ".hoa"}, {"automaton @ --determinise LIMITS", ".hoa"}, {"automaton @ --acceptance=parity LIMITS", ".hoa"}, {"automaton @ --equivalent-to OTHER LIMITS", ".hoa"},
	{"reach @ LIMITS", ".c .gcl .smt2"}, {"reach @ --integers=machine --check=null,bounds,div,overflow,uninit LIMITS", ".c"}, {"clp @ LIMITS", ".smt2 .clp"},
	{"program @", ".c"}, {"program @ --chc AUT", ".c"}, {"check-certificate @ @ LIMITS", ".smt2"},
}

// inputs writes all hostile inputs into a folder, and returns their names.
func hostileInputs(t *testing.T) (names []string) {
	t.Helper()
	dir := t.TempDir()
	for ending, texts := range map[string]map[string]string{".lks": hostile.Models(), ".c": hostile.Sources(), ".ltl": hostile.Formulas(), ".hoa": hostile.Automata(), "": hostile.Systems()} {
		for name, text := range texts {
			name = filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+ending)
			names = append(names, name)
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	slices.Sort(names)
	return names
}

// TestHostileInputs: whatever the input is, each command ends within about twice its limits of time
// and memory, and with a status of its own. Each command and each input is tried, and in a soak run
// each command with each input.
func TestHostileInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	names := hostileInputs(t)
	tried := map[string]bool{}
	for i, a := range asked {
		var own []string
		for _, n := range names {
			if soak.On() || slices.Contains(strings.Fields(a.kinds), filepath.Ext(n)) {
				own = append(own, n)
			}
		}
		if !soak.On() { // one that nothing was asked about yet, if there is one
			k := max(0, slices.IndexFunc(own, func(n string) bool { return !tried[n] }))
			own = own[k : k+1]
		}
		for _, n := range own {
			tried[n] = true
			askHostile(t, asked[i].line, n)
		}
	}
	if len(tried) < 20 {
		t.Error("few inputs were tried: ", slices.Sorted(maps.Keys(tried)))
	}
}

// TestHostileReach: programs that took minutes, whatever the limit of time, are asked about by what
// took them.
func TestHostileReach(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	sources := hostile.Sources()
	for kind, options := range map[string]string{"cases": "", "chain": "", "structs": "", "expansion": "", "elements": "", "lists": "", "wide": "--direction=spacer --passes=none --blocks=small"} {
		name := filepath.Join(t.TempDir(), kind+".c")
		if err := os.WriteFile(name, []byte(sources[kind]), 0o600); err != nil {
			t.Fatal(err)
		}
		askHostile(t, "reach @ "+options+" LIMITS", name)
	}
}

// askHostile asks one question about one input, and measures.
func askHostile(t *testing.T, line, name string) {
	t.Helper()
	limit, memory := 2*time.Second, int64(512<<20)
	dir := t.TempDir()
	question := "verify"
	if strings.HasSuffix(name, ".c") {
		question = "reach"
	}
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	labels := []string{"a", "b", "c", "z"}
	for i := range 40 {
		labels = append(labels, fmt.Sprintf("a%d", i), fmt.Sprintf("b%d", i), fmt.Sprintf("p%d", i))
	}
	words := map[string]string{
		"@": name, "TIME": limit.String(), "G_!deadlock": "G !deadlock",
		"DIR": filepath.Join(dir, "out"), "PICTURE": filepath.Join(dir, "x.svg"), "AUT": filepath.Join(dir, "x.aut"),
		"LIST":  file("work.list", question+" "+name+" --max-memory 512M\n"),
		"MODEL": file("other.lks", "P = ({"+strings.Join(labels, ",")+"} -> P | a -> Q), Q = (b -> P).\n"),
		"SPEC":  file("p.spec", "R = (return {$0 == 0} -> STOP | epsilon -> R).\ncprog p = main { abstract A, {1}, R; ltl L = F return; }\n"),
		"OTHER": file("other.hoa", hostile.Automata()["Streett"]),
	}
	var args []string
	for _, a := range strings.Fields(line) {
		w, ok := words[a]
		switch {
		case a == "LIMITS":
			args = append(args, "--timeout", limit.String(), "--max-memory", fmt.Sprint(memory))
		case ok:
			args = append(args, w)
		default:
			args = append(args, a)
		}
	}
	if !strings.Contains(line, "LIMITS") && !strings.Contains(line, "TIME") { // it has none; what it writes may be large
		limit, memory = 10*time.Second, 2<<30
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "seltl", args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Stdin = &out, &out, strings.NewReader("1\nrandom 10000\ngoto deadlock\nquit\n")
	began := time.Now()
	err := cmd.Run()
	took := time.Since(began)
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	used := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	status := cmd.ProcessState.ExitCode()
	what := fmt.Sprintf("%s of %s: status %d, %v, %d MiB", line, filepath.Base(name), status, took.Round(10*time.Millisecond), used>>20)
	if status < 0 || status > report.ExitUnknown || took > 2*limit+hostileSlack || used > 2*memory || status != report.ExitHolds && out.Len() == 0 {
		t.Errorf("%s\n%.1000s", what, out.String())
	} else {
		t.Logf("%s %.80q", what, out.String())
	}
}

// hostileSlack is for machines that have much else to do; a soak has less.
var hostileSlack = 20*time.Second/time.Duration(soak.Seeds(1)) + 2*time.Second
