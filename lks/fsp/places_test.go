package fsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

func compiled(t *testing.T, name, text string) (*fsp.Model, *lks.Network) {
	t.Helper()
	file, err := syntax.ParseText(name, text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := fsp.Compile(file, fsp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	net, err := m.Network("")
	if err != nil {
		t.Fatal(err)
	}
	return m, net
}

// TestPlacesOfNamesakes: a local process with the name of the process, and one that is defined in parts.
func TestPlacesOfNamesakes(t *testing.T) {
	const text = `const N = 2
B = B[0],
B[n:0..N] = (when (n < N) in -> B[n+1]
            | when (n > 0) out -> B[n-1]).
C = (go -> C[0]),
C[0] = (up -> C[1]),
C[1] = (down -> C).
||S = (B || C).
`
	m, net := compiled(t, "m.lks", text)
	for i, c := range net.Components() {
		for s := range int32(c.NumStates()) {
			for _, e := range c.Edges(s) {
				action := c.Alphabet()[e.Action]
				places := m.Places(net.ComponentName(i), c.StateName(s), action, c.StateName(e.Target))
				if len(places) != 1 || places[0].Text() != action {
					t.Errorf("%s in %s: %v", action, c.StateName(s), places)
				}
			}
		}
	}
}

// TestPlacesOfChains: names that lead to each other are followed once each.
func TestPlacesOfChains(t *testing.T) {
	var text strings.Builder
	text.WriteString("P = A[0]")
	for i := range 200 {
		fmt.Fprintf(&text, ",\nA[%d] = A[%d]", i, i+1)
	}
	text.WriteString(",\nA[200] = (a -> A[0]).\n")
	m, net := compiled(t, "m.lks", text.String())
	c := net.Components()[0]
	for _, e := range c.Edges(0) {
		if places := m.Places(net.ComponentName(0), c.StateName(0), "a", c.StateName(e.Target)); len(places) != 1 || places[0].Text() != "a" {
			t.Errorf("%d places", len(places))
		}
	}
}

// TestPlacesOfSpecs: every transition of the models has a place, whose text begins as the
// action does, unless that is a set.
func TestPlacesOfSpecs(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "specs", "*", "*.lks"))
	if err != nil || len(files) < 15 {
		t.Fatal(files, err)
	}
	seen, found, several := 0, 0, 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m, net := compiled(t, name, string(text))
		for i, c := range net.Components() {
			if c.NumStates() > 500 {
				continue
			}
			for s := range int32(c.NumStates()) {
				for _, e := range c.Edges(s) {
					action := c.Alphabet()[e.Action]
					if action == lks.TauName {
						continue
					}
					seen++
					places := m.Places(net.ComponentName(i), c.StateName(s), action, c.StateName(e.Target))
					if len(places) > 0 {
						found++
					}
					if len(places) > 1 {
						several++
					}
					first, _, _ := strings.Cut(action, ".")
					if slices.ContainsFunc(places, func(p source.Span) bool {
						at := p.Text()
						return at[0] >= 'a' && at[0] <= 'z' && !strings.HasPrefix(at, first)
					}) {
						t.Errorf("%s: %s does %s in %s at %q", name, net.ComponentName(i), action, c.StateName(s), places[0].Text())
					}
				}
			}
		}
	}
	t.Logf("%d transitions, %d with a place, %d with several", seen, found, several)
	if seen < 800 || found < seen*94/100 || several > seen/50 {
		t.Errorf("of %d transitions %d have a place, %d several", seen, found, several)
	}
}

func TestPlaces(t *testing.T) {
	m, net := compiled(t, "m.lks", `P(N=2) = IDLE,
IDLE = (a -> b[1] -> WORK[0] | a -> c -> IDLE),
WORK[i:0..2] = (when (i < 2) step[i] -> WORK[i+1] | done -> IDLE).
||S = (x:P || {y}::P).
`)
	name := net.ComponentName(0)
	for _, c := range []struct{ state, action, after, want string }{
		{"IDLE", "a", "IDLE->a", "2 2"},
		{"IDLE->a", "b.1", "WORK[0]", "2"},
		{"IDLE->a", "c", "IDLE", "2"},
		{"WORK[1]", "step.1", "WORK[2]", "3"},
		{"WORK[1]", "done", "IDLE", "3"},
		{"WORK[1]", "b.1", "IDLE", ""},
		{"NOWHERE", "a", "IDLE", ""},
		{"{IDLE,WORK[0]}", "a", "", ""},
	} {
		var lines []string
		for _, p := range m.Places(name, c.state, c.action, c.after) {
			lines = append(lines, string(rune('0'+p.Pos().Line)))
		}
		if got := strings.Join(lines, " "); got != c.want {
			t.Errorf("%s -%s-> %s of %s: lines %q, want %q", c.state, c.action, c.after, name, got, c.want)
		}
	}
}
