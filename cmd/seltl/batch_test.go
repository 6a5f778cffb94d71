package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seltl/seltl/cmd/seltl/internal/batches"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/testing/soak"
)

// ring is a model that is soon checked for any N.
const ring = `const N = 3
P = Q[0],
Q[i:0..N] = (when (i < N) go -> Q[i+1] | when (i == N) back -> Q[0]).
ltl BACK = G(go -> F back)
ltl NEVER = G !back
`

// batchFolder makes a folder with a list of about so many units, and runs seltl in it.
type batchFolder struct {
	t          *testing.T
	dir, seltl string
}

func newBatchFolder(t *testing.T, units int) *batchFolder {
	t.Helper()
	seltl, err := exec.LookPath("seltl")
	if err != nil {
		t.Fatal(err)
	}
	b := &batchFolder{t, t.TempDir(), seltl}
	n := max(1, units/5)
	b.write("ring.lks", ring)
	b.write("work.list", fmt.Sprintf(`# all sizes up to %d
verify ring.lks "G !deadlock" -D N={1..%[1]d}
[loops]
verify ring.lks --property {BACK,NEVER} -D N={1..%[1]d}
deadlock ring.lks -D N={1..%[1]d} # expect: holds
[]
verify ring.lks "G nowhere" -D N={1..%[1]d}
`, n))
	return b
}

func (b *batchFolder) write(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func (b *batchFolder) command(args ...string) *exec.Cmd {
	c := exec.Command(b.seltl, args...)
	c.Dir = b.dir
	return c
}

// run returns what a command prints, and its status.
func (b *batchFolder) run(args ...string) (out string, status int) {
	b.t.Helper()
	text, err := b.command(args...).Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		b.t.Fatalf("%v: %v", args, err)
	}
	if exit != nil {
		status = exit.ExitCode()
	}
	return string(text), status
}

// times are what differs between two runs.
var times = regexp.MustCompile(`"(\w*seconds|states_per_second)": [-+.e0-9]+`)

// merged is the report of a folder of results, as text and as JSON without times.
func (b *batchFolder) merged(out string) (text string, status int) {
	b.t.Helper()
	text, status = b.run("batch", "merge", out)
	object, other := b.run("batch", "merge", out, "--json")
	if other != status {
		b.t.Errorf("merge ends with %d, with --json %d", status, other)
	}
	return text + times.ReplaceAllString(object, `"$1": 0`), status
}

// TestBatchKilled works off a list by several processes, of which a third are killed at random
// moments, again and again until all is done, and wants the report of one process.
func TestBatchKilled(t *testing.T) {
	units, shards, rounds := soak.Size(150), 8, 1
	if soak.On() {
		units, rounds = 2000, 3
	} else if testing.Short() {
		shards = 3
	}
	r := rand.New(rand.NewPCG(0, 22)) // the moments depend on the machine, too
	b := newBatchFolder(t, units)
	began := time.Now()
	if out, status := b.run("batch", "run", "work.list", "--out", "one", "--quiet"); status != 0 {
		t.Fatalf("status %d: %s", status, out)
	}
	took := time.Since(began)
	want, worst := b.merged("one")
	if worst != 2 {
		t.Errorf("status %d of the whole list, want 2", worst)
	}
	killed, left := 0, 0
	for range rounds {
		killed += b.round(r, shards, took)
		_, status := b.merged("many")
		text, _ := b.run("batch", "merge", "many", "--quiet")
		if strings.Contains(text, "without a result") {
			left++
			if status != 2 && status != 3 {
				t.Errorf("status %d of a list that is not done", status)
			}
		}
	}
	t.Logf("one process: %v; %d of %d processes killed; %d times units were left", took, killed, rounds*shards, left)
	if killed == 0 {
		t.Errorf("no process was killed before its end")
	}
	for k := 1; k <= shards; k++ {
		if out, status := b.run("batch", "run", "work.list", "--out", "many", "--shard", fmt.Sprintf("%d/%d", k, shards), "--quiet"); status != 0 {
			t.Fatalf("shard %d: status %d: %s", k, status, out)
		}
	}
	if got, status := b.merged("many"); got != want || status != worst {
		t.Errorf("status %d, want %d; the reports differ:\n%s\n\nof one process:\n%s", status, worst, head(got), head(want))
	}
	// Everything is there now, whoever asks.
	out, _ := b.run("batch", "run", "work.list", "--out", "many", "--quiet")
	if !strings.Contains(out, ": 0 done, ") {
		t.Errorf("something is done again: %s", out)
	}
}

func head(text string) string { return text[:min(len(text), 4000)] }

// round runs all shards at once and kills a third of the processes, each at some moment of the
// time that its share takes; it returns how many did not end before.
func (b *batchFolder) round(r *rand.Rand, shards int, took time.Duration) (killed int) {
	victims := r.Perm(shards)[:(shards+2)/3]
	var mu sync.Mutex
	var team sync.WaitGroup
	for k := 1; k <= shards; k++ {
		c := b.command("batch", "run", "work.list", "--out", "many", "--shard", fmt.Sprintf("%d/%d", k, shards), "--quiet")
		if err := c.Start(); err != nil {
			b.t.Fatal(err)
		}
		for _, v := range victims {
			if v == k-1 {
				time.AfterFunc(time.Duration(r.Int64N(int64(took)))/time.Duration(shards), func() { _ = c.Process.Kill() })
			}
		}
		team.Go(func() {
			if c.Wait() != nil {
				mu.Lock()
				killed++
				mu.Unlock()
			}
		})
	}
	team.Wait()
	return killed
}

// TestBuildText: a build without a version is known by its hash.
func TestBuildText(t *testing.T) {
	defer func(was string) { cmdline.Version = was }(cmdline.Version)
	cmdline.Version = ""
	if text := batches.ProgramText(); !regexp.MustCompile(`^\S.* [0-9a-f]{64}$`).MatchString(text) {
		t.Error(text)
	}
}

// TestBatchKeys: a result belongs to what is asked, wherever the list lies and whatever else is
// in it.
func TestBatchKeys(t *testing.T) {
	b := newBatchFolder(t, 5)
	b.write("sub.aut", "des (0, 1, 1)\n(0, \"a\", 0)\n")
	b.write("import.lks", "import A = \"sub.aut\"\n||S = A.\n")
	b.write("a.h", "int limit = 3;\n")
	b.write("p.c", "#include \"a.h\"\nint main(void) { return limit; }\n")
	b.write("keys.list", "deadlock ring.lks\nverify import.lks \"G F a\"\nreach p.c\nreach p.c --max-rounds 7\nverify import.lks \"G F a\" --disk-memory 1M\n")
	keys := func(list string) []string {
		t.Helper()
		out, status := b.run("batch", "list", list)
		if status != 0 {
			t.Fatalf("status %d", status)
		}
		var all []string
		for line := range strings.Lines(out) {
			all = append(all, line[:16])
		}
		return all
	}
	before := keys("keys.list")
	if len(before) != 4 {
		t.Fatalf("%d keys: what changes no answer has another", len(before))
	}
	// Another folder, another name of the list, another order, other blanks, another order of flags.
	elsewhere := filepath.Join(b.dir, "elsewhere", "deep")
	if err := os.MkdirAll(elsewhere, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ring.lks", "sub.aut", "import.lks", "a.h", "p.c"} {
		text, err := os.ReadFile(filepath.Join(b.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		b.write(filepath.Join("elsewhere", "deep", name), string(text))
	}
	b.write("elsewhere/other.list", "reach --max-rounds=7 deep/p.c\nreach  deep/p.c\nseltl verify deep/import.lks 'G F a'\n\ndeadlock deep/ring.lks # again\n")
	after := keys("elsewhere/other.list")
	for i, key := range after {
		if key != before[len(before)-1-i] {
			t.Errorf("unit %d has the key %s, elsewhere %s", i, before[len(before)-1-i], key)
		}
	}
	// Any file that is read changes the keys of the units that read it, and of no other.
	for i, c := range []struct {
		file, text string
		changed    []bool
	}{
		{"sub.aut", "des (0, 2, 2)\n(0, \"a\", 1)\n(1, \"a\", 0)\n", []bool{false, true, false, false}},
		{"a.h", "int limit = 4;\n", []bool{false, false, true, true}},
		{"ring.lks", ring + "\n", []bool{true, false, false, false}},
	} {
		b.write(c.file, c.text)
		now := keys("keys.list")
		for k := range now {
			if (now[k] != before[k]) != c.changed[k] {
				t.Errorf("%d: with another %s the key of unit %d: %s, before %s", i, c.file, k, now[k], before[k])
			}
		}
		before = now
	}
}

// TestBatchInterrupted: what was done stays, and the status says it.
func TestBatchInterrupted(t *testing.T) {
	b := newBatchFolder(t, 5)
	b.write("long.lks", "const N = 14\nP = (a -> b -> c -> P).\n||S = (forall [i:1..N] p[i]:P).\n")
	b.write("long.list", "deadlock ring.lks\ndeadlock long.lks --method=plain --no-reduction\n")
	c := b.command("batch", "long.list", "--out", "results", "--isolate")
	var said bytes.Buffer
	c.Stdout = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	results := func() int {
		found, _ := filepath.Glob(filepath.Join(b.dir, "results", "*.json"))
		return len(found)
	}
	for deadline := time.Now().Add(time.Minute); results() < 2 && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); c.ProcessState.ExitCode() != 130 {
		t.Errorf("%v", err)
	}
	if !strings.Contains(said.String(), "2 units: 1 done, 0 there before, 1 not begun or interrupted") || results() != 2 {
		t.Errorf("%d files: %s", results(), said.String())
	}
}
