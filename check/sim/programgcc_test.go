package sim_test

import (
	"errors"
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
)

// wholeC calls the procedure of gen.CProcedure.
const wholeC = "void whole(int p, int q) { result = proc(p, q); }\n"

// parsedProgram prepares a text for steps from a routine on.
func parsedProgram(t testing.TB, text, entry string) *programs.SteppedC {
	t.Helper()
	file := source.NewFile("p.c", text)
	o := cfront.Options{Entry: entry}
	p, err := cfront.Parse([]*source.File{file}, o)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	c, err := programs.StepC(p, []string{"p.c"}, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var unused = regexp.MustCompile(`(?m)^(\s+)((?:f[0-2]|h|in)\(.*\);)$`)

var givenValue = regexp.MustCompile(` = (-?\d+)$`)

// TestRandomWalksGCC: a random walk through a random program, from beginning to end, ends with the
// same values of globals, and in the same failure, as the program that gcc makes of it, which is
// given what the walk was given.
func TestRandomWalksGCC(t *testing.T) {
	const walks = 12
	ended, failed, given := 0, 0, 0
	for seed := range max(2, soak.Long(12)) {
		text, routines := gen.CProcedure(rand.New(rand.NewSource(int64(seed))))
		text = unused.ReplaceAllString(text, "${1}result = $2") // nobody asks for what is not used
		text = "void reach_error(void);\nint result;\n" + text + wholeC
		c := parsedProgram(t, text, "whole")
		var tables, want []string
		for walk := range walks {
			s, err := sim.NewProgram(t.Context(), c, sim.Options{Seed: uint64(walk)})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Random(t.Context(), 300); err != nil {
				t.Fatalf("seed %d, walk %d: %v", seed, walk, err)
			}
			now := s.Now()
			if now.End != "end" && now.End != "error" {
				continue // it goes on, or is not defined
			}
			run := s.Report().Results[0].Counterexample
			values := slices.Clone(run.Arguments[0])
			for _, step := range run.Stem {
				for _, text := range step.Inputs {
					values = append(values, givenValue.FindStringSubmatch(text)[1])
					given++
				}
			}
			tables = append(tables, "{"+strings.Join(append(values, "0"), ", ")+"}")
			want = append(want, endOf(now))
			if ended++; now.End == "error" {
				failed++
			}
		}
		if len(tables) == 0 {
			continue
		}
		got, err := compiledWalks(t, text, routines, tables)
		if errors.Is(err, gcc.ErrMissing) {
			t.Skip("SKIPPED: ", err)
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				t.Fatalf("seed %d, ended walk %d, with %s: stepped to\n%s\ncompiled\n%s\n%s", seed, i, tables[i], want[i], strings.Join(got[min(i, len(got)):min(i+1, len(got))], ""), text)
			}
		}
	}
	t.Log(ended, "walks to the end,", failed, "to a failure,", given, "values given")
	if ended == 0 || given == 0 {
		t.Error("no walk ended, or none was given anything")
	}
}

// endOf says how a walk has ended, as compiledWalks prints it.
func endOf(p *sim.Position) string {
	text := p.End
	for _, name := range []string{"g0", "g1", "s.n", "result"} {
		for _, v := range p.State.Props {
			if rest, ok := strings.CutPrefix(v, name+" = "); ok {
				text += " " + rest
			}
		}
	}
	return text
}

// compiledWalks runs the program by gcc, once for each table of values: arguments, and what its
// routines without a body give.
func compiledWalks(t *testing.T, text string, routines, tables []string) ([]string, error) {
	t.Helper()
	var b strings.Builder
	b.WriteString("int printf(const char *, ...);\nint setjmp(void *);\nvoid longjmp(void *, int);\nstatic long long env[64];\nstatic const int *at;\nstatic int next(void) { return *at++; }\n")
	b.WriteString("void reach_error(void) { longjmp(env, 1); }\n")
	b.WriteString(text)
	for i, params := range []string{"(void)", "(int a)", "(int a, int b)"} {
		if strings.Contains(text, fmt.Sprintf("int %s%s;", routines[i], params)) {
			fmt.Fprintf(&b, "int %s%s { return next(); }\n", routines[i], params)
		}
	}
	for i, table := range tables {
		fmt.Fprintf(&b, "static const int t%d[] = %s;\n", i, table)
	}
	b.WriteString("static void run(const int *table) { const char *end = \"end\"; g0 = 0; g1 = 1; s.n = 0; s.at = 0; result = 0; at = table + 2; if (setjmp(env)) end = \"error\"; else whole(table[0], table[1]); printf(\"%s %d %d %d %d\\n\", end, g0, g1, s.n, result); }\nint main(void) {\n")
	for i := range tables {
		fmt.Fprintf(&b, "run(t%d);\n", i)
	}
	b.WriteString("return 0; }\n")
	exe, err := gcc.Build(t.TempDir(), b.String(), 64, "-O0", "-fwrapv", "-w")
	if err != nil {
		return nil, err
	}
	_, output, _, err := gcc.Run(t.Context(), exe)
	return strings.Split(strings.TrimSpace(output), "\n"), err
}
