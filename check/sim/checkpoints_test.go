package sim_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"runtime"
	"strings"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
)

// memoryText is a program in which runs read what was not written, allocate, recur and point.
const memoryText = `void *malloc(unsigned long);
int input(void);
int last;
struct node { int value; struct node *next; } *list;
void push(int v) {
	struct node *n = malloc(sizeof *n);
	n->value = v;
	n->next = list;
	list = n;
}
int sum(int depth, int *at) {
	int old;
	if (depth <= 0)
		return *at;
	*at += depth;
	last = old;
	return 1 + sum(depth - 1, at);
}
int main(void) {
	int total = 0, unset[3];
	while (1) {
		int n = input();
		if (n > 3) {
			push(n);
			total += unset[n & 1];
		} else
			total += sum(n, &total);
		if (list && list->value == total)
			break;
	}
	return total;
}
`

// randomProgram is a program of a seed.
func randomProgram(t *testing.T, seed int64) *programs.SteppedC {
	t.Helper()
	if seed%3 == 0 {
		return parsedProgram(t, memoryText, "main")
	}
	text, _ := gen.CProcedure(rand.New(rand.NewSource(seed)))
	return parsedProgram(t, "void reach_error(void);\nint result;\n"+unused.ReplaceAllString(text, "${1}result = $2")+wholeC, "whole")
}

// randomCommand is a command, most often one that goes somewhere.
func randomCommand(r *rand.Rand, steps int) string {
	some := 1 + r.Intn(1+r.Intn(40))
	commands := []string{
		fmt.Sprint("random ", some), fmt.Sprint("random ", some), fmt.Sprint("random ", some), fmt.Sprint("undo ", some), fmt.Sprint("undo ", some), "undo", "redo", fmt.Sprint("redo ", some),
		fmt.Sprint("jump ", r.Intn(steps+2)), "reset", "give random", fmt.Sprint("give ", r.Intn(12)-4), "1", "over", "out", fmt.Sprint("run ", some),
		fmt.Sprint("goto ", 1+r.Intn(40)), "goto total > 5", "goto g0 > 1", "goto return", "goto end", "load",
	}
	if r.Intn(12) == 0 {
		return "start random"
	}
	return commands[r.Intn(len(commands))]
}

// answered is all that a session says of a command, and of where it leads.
func answered(t *testing.T, s *sim.Program, command string, loop int) string {
	t.Helper()
	var said []any
	if command == "load" {
		run := s.Report().Results[0].Counterexample
		loop = min(loop, len(run.Stem))
		run.Stem, run.Loop = run.Stem[:len(run.Stem)-loop], run.Stem[len(run.Stem)-loop:]
		run.End = ""
		said = append(said, fmt.Sprint(s.Load(run)))
	} else {
		a, err := s.Do(t.Context(), sim.ParseCommandOf(command, sim.ProgramVerbs))
		s.TellStates(a)
		said = append(said, a, fmt.Sprint(err))
	}
	said = append(said, s.Now(), s.Properties(), s.History(), s.Len())
	if loop%4 == 0 {
		said = append(said, s.Report())
	}
	text, err := json.MarshalIndent(said, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCheckpoints: sessions that keep hardly any points of their run answer as one that keeps all
// of them.
func TestCheckpoints(t *testing.T) {
	asked, longest := 0, 0
	for seed := range int64(soak.Long(60)) {
		r := rand.New(rand.NewSource(seed))
		c := randomProgram(t, seed)
		open := func(keep int) *sim.Program {
			s, err := sim.NewProgram(t.Context(), c, sim.Options{Seed: uint64(seed), Limits: budget.Limits{States: 600}, Checkpoints: keep})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		all, few := open(0), open(2+int(seed%5))
		all.KeepAll()
		var commands []string
		for range 30 {
			command, loop := randomCommand(r, all.Len()), r.Intn(9)
			commands = append(commands, command)
			want, got := answered(t, all, command, loop), answered(t, few, command, loop)
			if want != got {
				wants, gots := strings.Split(want, "\n"), strings.Split(got, "\n")
				k := 0
				for k < min(len(wants), len(gots)) && wants[k] == gots[k] {
					k++
				}
				t.Fatalf("seed %d: %s: line %d\n%s\nwhere all is kept\n%s", seed, strings.Join(commands, "; "), k, gots[min(k, len(gots)-1)], wants[min(k, len(wants)-1)])
			}
			asked, longest = asked+1, max(longest, all.Len())
		}
		if few.Kept() > 2+int(seed%5) {
			t.Fatalf("seed %d: %d points are kept", seed, few.Kept())
		}
	}
	t.Log(asked, "commands, runs of up to", longest, "steps")
	if longest < 20 {
		t.Error("no run is long")
	}
}

// TestMemoryOfRuns: what a session keeps of a run does not depend on how deep its calls are, before
// it is undone and afterwards.
func TestMemoryOfRuns(t *testing.T) {
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	const most = 28 << 20
	s := openText(t, "int deep(int n) {\n\tif (n == 0)\n\t\treturn 0;\n\treturn 1 + deep(n - 1);\n}\nint main(void) {\n\treturn deep(300);\n}\n")
	before := heap()
	if _, err := s.Random(t.Context(), 1000); err != nil {
		t.Fatal(err)
	}
	if grown := heap() - before; grown > most {
		t.Errorf("a run of %d steps takes %d MB", s.Len(), grown>>20)
	}
	for s.At() > 0 {
		if err := s.Undo(); err != nil {
			t.Fatal(err)
		}
		if at := s.At(); at == 400 && len(s.Parts()[0].Stack) != 201 {
			t.Errorf("step %d: %d calls", at, len(s.Parts()[0].Stack))
		}
	}
	if grown := heap() - before; grown > most {
		t.Errorf("undone, it takes %d MB", grown>>20)
	}
}
