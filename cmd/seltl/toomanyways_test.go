package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/report"
)

// TestTooManyWays: an action that leads a state to billions of others is a limit of every command
// that explores; none holds what it has not seen, and none is ended by lack of memory.
func TestTooManyWays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ways.lks")
	text := "P = P[0], P[i:0..29] = (b[j:0..29] -> P[j] | c -> P[(i+1)%30] | c -> P[(i+2)%30] | c -> P[(i+3)%30] | a -> P).\n||S = (forall[i:0..19] p[i]:P/{c/p[i].c}).\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.lks")
	if err := os.WriteFile(other, []byte("P = (c -> P | forall[i:0..19] p[i].a -> P).\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"check @ --only=safety", "stats @", "compose @", "progress @", "deadlock @ --method=plain", "deadlock @ --local", "deadlock @ --livelock",
		"deadlock @ --method=plain -j2", "deadlock @ --method=plain -j2 --store=hash", "verify @ c", "verify @ G!c -j1", "verify @ G!c -j2", "verify @ GFc -j2 --emptiness=ndfs", "verify @ GFc -j1 --emptiness=ndfs",
		"verify @ GFc --fair=choice", "verify @ GFc --fair=process", "verify @ GFc --por=off --reduce=none", "sim --lines @",
	} {
		args := strings.Fields("seltl " + strings.ReplaceAll(line, "@", file))
		var stdout, stderr bytes.Buffer
		status := run(args, strings.NewReader("random 3\n"), &stdout, &stderr)
		said := stdout.String() + stderr.String()
		// "c" is decided in the initial state alone.
		if line == "verify @ c" && status != report.ExitInternal {
			continue
		}
		if line == "stats @" && status == report.ExitHolds && strings.Contains(said, "explored                       no") {
			continue // it says what it has seen
		}
		if status != report.ExitUnknown || !strings.Contains(said, "ways in which c leaves") {
			t.Errorf("%s: status %d\n%.700s", line, status, said)
		}
	}
}
