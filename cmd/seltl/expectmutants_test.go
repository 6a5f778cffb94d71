package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// expecting are models that are as expected, with expectations in every position: properties in
// and out of the default composite, in a nested part, in several composites, behind composites,
// processes, ltl, assert and progress, and about other processes.
var expecting = map[string]string{
	"composed.lks": `USER = (enter -> exit -> USER).
property MUTEX = (p[i:1..2].enter -> p[i].exit -> MUTEX). // expect: fails
property ORDER = (p[1].enter -> p[1].exit -> ORDER).      // expect: holds
||S = (p[1..2]:USER || MUTEX || ORDER).                   // expect: no deadlock
`,
	"nested.lks": `LOCK = (acquire -> release -> LOCK).
USER = (acquire -> use -> release -> USER).
property MUTEX = (u[i:1..2].acquire -> u[i].release -> MUTEX). // expect: holds
||PART = (u[1..2]:USER || {u[1..2]}::LOCK || MUTEX).           // expect: no deadlock
||S = (PART || x:LOCK).
`,
	"several.lks": `P = (a -> b -> P).
Q = (b -> a -> Q).
property ORDER = (a -> b -> ORDER). // expect: GOOD: holds
||GOOD = (P || ORDER).              // expect: no deadlock
||STUCK = (P || Q).                 // expect: deadlock
||LAST = (x:P || y:Q).              // expect: no deadlock
ltl TURNS = G(x.a -> F x.b)         // expect: fails
assert TURN = [](x.a -> <>x.b)      // expect: holds
ltl FIRST = F x.b                   // expect: fails
`,
	"formulas.lks": `LAMP {dark} = (press -> LIT), LIT {lit} = (press -> LAMP | break -> BROKEN), BROKEN = (press -> BROKEN).
ltl TOGGLES = G(press & dark -> X lit) // expect: holds
ltl STAYS   = G !break                 // expect: fails
assert EVER = <>break                  // expect: holds
assert NEVER = []!break                // expect: fails
progress PRESSED = {press}             // expect: holds
progress LIGHTS = {break}              // expect: fails
`,
	"error.lks": `P = (a -> b -> ERROR).            // expect: error
property CALM = (a -> b -> CALM). // expect: BOTH: holds
||BOTH = (P || CALM).             // expect: error
||S = P.                          // expect: error
`,
	"alone.lks": `P = (a -> b -> P | c -> STOP). // expect: deadlock
property ORDER = (a -> b -> ORDER). // expect: holds
||S = (P || ORDER). // expect: deadlock
ltl L = G(a -> X b) // expect: holds P: holds
`,
}

var (
	expectation = regexp.MustCompile(`// expect: .*`)
	expectWord  = regexp.MustCompile(`no deadlock|deadlock|holds|fails|error`)
	contained   = regexp.MustCompile(` \|\| (MUTEX|ORDER|CALM)\b`)
)

// mutantsOf are changes of a model after which not all is as expected, by what was changed.
func mutantsOf(text string) map[string]string {
	mutants := map[string]string{}
	put := func(what string, at []int, by string) {
		mutants[fmt.Sprintf("%s at %d", what, at[0])] = text[:at[0]] + by + text[at[1]:]
	}
	other := map[string]string{"holds": "fails", "fails": "holds", "deadlock": "no deadlock", "no deadlock": "deadlock", "error": "no deadlock"}
	for _, c := range expectation.FindAllStringIndex(text, -1) {
		comment := text[c[0]:c[1]]
		for _, w := range expectWord.FindAllStringIndex(comment, -1) {
			at, word := []int{c[0] + w[0], c[0] + w[1]}, comment[w[0]:w[1]]
			if word != "error" { // a process with ERROR can be free of deadlocks, too
				put("other word", at, other[word])
			}
			put("misspelt word", at, word[:len(word)-1]+"x")
			if !strings.Contains(comment[:w[0]], "holds") {
				put("unknown process", []int{at[0], at[0]}, "NOBODY: ")
			}
		}
		line := strings.LastIndexByte(text[:c[0]], '\n') + 1
		put("on a line of its own", []int{line, c[1]}, comment+"\n"+text[line:c[0]])
		put("capital", c, "// Expect:"+strings.TrimPrefix(comment, "// expect:"))
	}
	for _, c := range contained.FindAllStringIndex(text, -1) {
		put("left out", c, "")
	}
	return mutants
}

// TestExpectationMutants: seltl check and seltl batch are green for a folder of models with expectations
// everywhere, and for no mutant of them: what is expected is asked, or it is said that it is not.
func TestExpectationMutants(t *testing.T) {
	asked := func(args ...string) (string, int) {
		var out, errs bytes.Buffer
		status := run(append([]string{"seltl"}, args...), strings.NewReader(""), &out, &errs)
		return out.String() + errs.String(), status
	}
	// green reports which of the ways to ask are content with a model.
	green := func(text string) (content []string, said string) {
		dir := t.TempDir()
		file := filepath.Join(dir, "m.lks")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out, status := asked("check", file)
		if said = out; status == 0 {
			content = append(content, "check")
		}
		results := filepath.Join(dir, "out")
		out, status = asked("batch", dir, "--out", results)
		said += out
		if status == 0 {
			out, status = asked("batch", "merge", results)
			said += out
		}
		if status == 0 {
			content = append(content, "batch")
		}
		return content, said
	}
	count := 0
	for name, text := range expecting {
		if content, said := green(text); len(content) != 2 {
			t.Errorf("%s: only %v is content:\n%s", name, content, said)
		}
		for what, mutant := range mutantsOf(text) {
			if count++; mutant == text {
				t.Errorf("%s: %s changes nothing", name, what)
			}
			content, said := green(mutant)
			if len(content) > 0 {
				t.Errorf("%s, %s: %v is content with\n%s\n%s", name, what, content, mutant, said)
			}
		}
	}
	if count < 50 {
		t.Errorf("%d mutants", count)
	}
	t.Logf("%d mutants", count)
}
