package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seltl/seltl/report"
)

// manualFiles are what the manual's commands read beside specs/.
var manualFiles = map[string]string{
	"lamp.lks": `LAMP = OFF,
OFF {dark} = (press -> ON),
ON {lit}   = (press -> OFF | burn -> BROKEN),
BROKEN {dark} = (press -> BROKEN).
`,
	"irq.c": `void reach_error(void);
int main(void) {
	__asm__("cli");
	return 0;
}
`,
	"packet.c": `#include <assert.h>

/* A packet: a version, a kind, a length, and as many bytes as that says. */
int payload(const unsigned char *p, int n)
{
	int length;
	if (n < 3 || p[0] != 1)
		return -1;
	length = p[2];
#ifdef FIXED
	if (length > n - 3)
		return -1;
#endif
	assert(3 + length <= n);
	return length;
}
`,
	"cbrt.c": `#include <math.h>
void reach_error(void);
int main(void) {
    if (cbrt(8.0) != 2) reach_error();
}
`,
	"model.lks": `const N = 2
A = (a -> b -> A).
B = (a -> b -> B).
SPEC = (a -> SPEC | b -> SPEC).
||SYSTEM = (A || B).
progress DONE = {b}
ltl BOTH = G (a -> F b)
`,
	"impl.lks":       "IMPL = (a -> b -> IMPL).\n",
	"spec.lks":       "SPEC = (a -> b -> SPEC).\n",
	"a.aut":          "des (0, 1, 1)\n(0, \"a\", 0)\n",
	"b.aut":          "des (0, 1, 1)\n(0, \"a\", 0)\n",
	"a.hoa":          "HOA: v1 name: \"GF a\" States: 1 Start: 0 AP: 1 \"a\" acc-name: Buchi Acceptance: 1 Inf(0)\n--BODY--\nState: 0 [0] 0 {0} [!0] 0\n--END--\n",
	"b.hoa":          "HOA: v1 name: \"FG a\" States: 2 Start: 0 AP: 1 \"a\" acc-name: Buchi Acceptance: 1 Inf(0)\n--BODY--\nState: 0 [t] 0 [0] 1 State: 1 {0} [0] 1\n--END--\n",
	"properties.ltl": "# one a line\nG (a -> F b)\n",
	"formulas.ltl":   "G (a -> F b)\nG F a\n",
	"list.csv":       "name,formula,states\nresponse,G(a -> F b),2\nuntil,a U b,2\n",
	"swarm.list":     "deadlock specs/families/philosophers.lks -p PHILOK -D N=10 --store=bitstate --store-bytes 100K --swarm 3\n",
	"work.list":      "verify model.lks \"G (a -> F b)\"\ndeadlock model.lks\n",
	"problem.smt2":   "(declare-fun P (Int) Bool)\n(assert (P 0))\n(assert (=> (P 1) false))\n",
}

// A manualCommand is a command that the manual or a help text shows, and what it says
// that the command prints.
type manualCommand struct {
	from  string
	line  string
	shown []string
}

// TestManual runs every command of README, docs/ and the help texts: none may be
// refused (2) or end in an internal error (4), and every line of output that is shown
// behind a command must be printed, its numbers aside.
func TestManual(t *testing.T) {
	seltl, err := exec.LookPath("seltl")
	if err != nil {
		t.Fatal(err)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("SKIPPED: no sh to run the manual's commands")
	}
	dir := manualFolder(t, seltl)
	commands := append(pageCommands(t), helpCommands(t)...)
	if len(commands) < 60 {
		t.Fatalf("only %d commands found: has the layout of the pages changed?", len(commands))
	}
	_, noZ3 := exec.LookPath("z3")
	ran := map[string]bool{}
	for i, c := range commands {
		if testing.Short() && i%24 > 0 && !regexp.MustCompile("--(certificate|chc|gcl|harness|write-witness)|seltl batch (run )?(work|specs)").MatchString(c.line) { // others read those
			continue
		}
		if ran[c.line] && len(c.shown) == 0 {
			continue
		}
		ran[c.line] = true
		if noZ3 != nil && regexp.MustCompile(`seltl (reach|clp|check-certificate) |\.spec( |$)`).MatchString(c.line) {
			t.Logf("SKIPPED: no z3 for: %s", c.line)
			continue
		}
		status, out := runManual(t, sh, dir, c.line)
		if status != "0" && status != "1" && status != "3" {
			t.Errorf("%s: %s\nexit status %q\n%.2000s", c.from, c.line, status, out)
		}
		for _, want := range c.shown {
			if !strings.Contains(withoutNumbers(out), withoutNumbers(want)) {
				t.Errorf("%s: %s\ndoes not print, numbers aside: %s\nbut\n%.2000s", c.from, c.line, want, out)
			}
		}
	}
}

// TestManualExpectations: every model of the manual that says what to expect is as it
// says, and those of concepts.md all say.
func TestManualExpectations(t *testing.T) {
	for page, least := range map[string]int{"language.md": 5, "concepts.md": 6} {
		t.Run(page, func(t *testing.T) { checkExpectations(t, page, least) })
	}
}

func checkExpectations(t *testing.T, name string, least int) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, b := range regexp.MustCompile("(?s)```lks\n(.*?)```").FindAllSubmatch(page, -1) {
		model := string(b[1])
		if !strings.Contains(model, "expect:") {
			if name == "concepts.md" {
				t.Errorf("nothing is expected of\n%s", model)
			}
			continue
		}
		checked++
		var stdout, stderr bytes.Buffer
		status := run([]string{"seltl", "check", "-", "-q", "--json"}, strings.NewReader(model), &stdout, &stderr)
		// The manual expects all that check finds.
		if status != report.ExitHolds {
			t.Errorf("status %d for\n%s", status, model)
		}
		if out := stdout.String(); strings.Contains(out, `"as_expected": false`) || !strings.Contains(out, `"as_expected": true`) {
			t.Errorf("status %d for\n%s\n%s%s", status, model, out, stderr.String())
		}
	}
	if checked < least {
		t.Errorf("only %d models say what to expect", checked)
	}
}

// manualFolder makes a folder with copies of specs/ and manualFiles, and bin/ with
// seltl, which notes its exit status in the file status and is stopped where it would
// never end, and with programs that pictures are piped to.
func manualFolder(t *testing.T, seltl string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "specs"), os.DirFS(filepath.Join("..", "..", "specs"))); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"bin/seltl": fmt.Sprintf("#!/bin/sh\nulimit -t 60\n'%s' \"$@\"\ns=$?\necho $s >status\nexit $s\n", seltl),
		"bin/dot":   "#!/bin/sh\nexec cat\n",
		"bin/jq":    "#!/bin/sh\nexec cat\n",
	}
	maps.Copy(files, manualFiles)
	for _, name := range []string{"model.lts", "large.lks", "large.lts"} {
		files[name] = manualFiles["model.lks"]
	}
	files["system.aut"] = manualFiles["a.aut"]
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// pageCommands are the lines "$ ... seltl ..." of the pages' code blocks, with the
// lines up to the next command or the end of the block.
func pageCommands(t *testing.T) []manualCommand {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages (%v)", err)
	}
	var commands []manualCommand
	for _, page := range append(pages, filepath.Join("..", "..", "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		open := false // behind a command, in its block
		for i, line := range strings.Split(string(text), "\n") {
			command, ok := strings.CutPrefix(line, "$ ")
			switch {
			case ok && regexp.MustCompile(`(^| |/)seltl `).MatchString(command):
				command = regexp.MustCompile(`  +#.*`).ReplaceAllString(command, "")
				from := fmt.Sprintf("%s:%d", filepath.Base(page), i+1)
				commands = append(commands, manualCommand{from: from, line: command})
				open = true
			case ok || strings.HasPrefix(line, "```"):
				open = false
			case open && strings.TrimSpace(line) != "" && strings.TrimSpace(line) != "...":
				last := &commands[len(commands)-1]
				last.shown = append(last.shown, line)
			}
		}
	}
	return commands
}

// helpCommands are the examples of the help texts.
func helpCommands(t *testing.T) []manualCommand {
	t.Helper()
	var commands []manualCommand
	for _, topic := range []string{"", "verify", "check", "deadlock", "progress", "sim", "conform", "equivalent",
		"compose", "stats", "fmt", "formula", "translate", "cross", "reach", "check-certificate", "formulas", "language", "memory"} {
		var out, stderr bytes.Buffer
		if status := run(strings.Fields("seltl help "+topic), strings.NewReader(""), &out, &stderr); status != 0 {
			t.Fatalf("seltl help %s: %s", topic, stderr.String())
		}
		_, examples, _ := strings.Cut(out.String(), "\nEXAMPLES\n")
		examples, _, _ = strings.Cut(examples, "\n\n")
		examples = regexp.MustCompile(`\\\n *`).ReplaceAllString(examples, "") // one command in two lines
		for _, line := range strings.Split(examples, "\n") {
			line = strings.TrimSpace(line)
			line = regexp.MustCompile(`   +.*`).ReplaceAllString(line, "") // what is said of it
			if line != "" && topic != "formulas" {                         // those are of a model that is not there
				commands = append(commands, manualCommand{from: "help " + topic, line: line})
			}
		}
	}
	return commands
}

// runManual runs a line by the shell and returns the exit status of seltl in it and what
// it printed.
func runManual(t *testing.T, sh, dir, line string) (status, out string) {
	t.Helper()
	line = strings.ReplaceAll(line, "bin/seltl", "seltl")
	line = strings.ReplaceAll(line, "/var/tmp", ".")
	record := filepath.Join(dir, "status")
	if err := os.RemoveAll(record); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(sh, "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	_ = cmd.Run() // of a pipeline it is the status of the last program: the file has seltl's
	said, err := os.ReadFile(record)
	if err != nil {
		return "none", both.String()
	}
	return strings.TrimSpace(string(said)), both.String()
}

var numbers = regexp.MustCompile(`\d[\d,.]*( (µs|ms|s|min)\b)?`)

// withoutNumbers is text without figures and times, which depend on the machine, and on
// how good the search is.
func withoutNumbers(text string) string { return numbers.ReplaceAllString(text, "#") }
