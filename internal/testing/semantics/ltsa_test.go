package semantics

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestLTSA compares this meaning with LTSA's on random models without seltl's
// additions. SELTL_LTSA names a program that reads lines FILE TAB PROCESS and
// answers each with a line of fields key=value, tabs between them; SELTL_MODELS is
// the number of models, SELTL_SEED the first seed.
func TestLTSA(t *testing.T) {
	command := os.Getenv("SELTL_LTSA")
	if command == "" {
		t.Skip("SELTL_LTSA is not set")
	}
	n, seed := number("SELTL_MODELS", 500), number("SELTL_SEED", 1)
	dir := t.TempDir()
	var list strings.Builder
	models := make([]*Model, n)
	for i := range n {
		r := rand.New(rand.NewPCG(uint64(seed+i), 1))
		models[i], _ = Random(r, Shape{Composites: 3, Formulas: true, MaxTemporal: 3, MaxStates: 200})
		models[i].LTLs = nil
		file := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(file, []byte(models[i].Text()), 0o644); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&list, "%s\t%s\n", file, models[i].Default())
	}
	cmd := exec.Command(command)
	cmd.Env = append(os.Environ(), "EDGES=1")
	cmd.Stdin = strings.NewReader(list.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != n {
		t.Fatalf("%d answers to %d questions", len(lines), n)
	}
	c := &ltsaComparison{counts: map[string]int{}}
	for i, line := range lines {
		fields := map[string]string{}
		for _, f := range strings.Split(line, "\t")[1:] {
			key, value, _ := strings.Cut(f, "=")
			fields[key] = value
		}
		for _, d := range c.compare(models[i], fields) {
			t.Errorf("seed %d: %s\n%s", seed+i, d, models[i].Text())
		}
	}
	t.Logf("seeds %d to %d: %v", seed, seed+n-1, c.counts)
}

func number(variable string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return otherwise
}

type ltsaComparison struct{ counts map[string]int }

// compare lists the differences between LTSA's answers and ours.
func (c *ltsaComparison) compare(m *Model, fields map[string]string) (differ []string) {
	if why, failed := fields["fail"]; failed {
		c.counts["LTSA failed: "+strings.SplitN(why, ":", 2)[0]]++
		return nil
	}
	meaning := NewMeaning(m, 1<<20)
	asked, _, err := meaning.Asked(m.Default())
	if err != nil {
		return []string{err.Error()}
	}
	seen, err := meaning.Seen(m.Default())
	if err != nil {
		return []string{err.Error()}
	}
	if m.startsAtEnd() {
		c.counts["skipped: a process starts at END"]++
		return nil
	}
	check := func(what string, ours any) {
		c.counts[what]++
		if theirs := fields[what]; theirs != fmt.Sprint(ours) {
			differ = append(differ, fmt.Sprintf("%s: LTSA %s, here %v", what, theirs, ours))
		}
	}
	deadlock, failure := asked.Deadlock(), asked.ErrorDistance()
	trace := len(strings.Fields(fields["trace"]))
	switch {
	case deadlock < 0 && failure < 0:
		check("safety", "none")
	case fields["safety"] == "error" && trace == failure, fields["safety"] == "deadlock" && trace == deadlock:
		c.counts["safety "+fields["safety"]]++
	default:
		differ = append(differ, fmt.Sprintf("safety: LTSA %s by %s, here deadlock %d, ERROR %d", fields["safety"], fields["trace"], deadlock, failure))
	}
	states, transitions := seen.Sizes()
	check("states", states)
	check("transitions", transitions)
	check("alphabet", len(seen.Alphabet))
	for _, p := range m.Progress {
		verdict := "violated"
		if asked.Progresses(p) {
			verdict = "holds"
		}
		theirs := fields["progress:"+p.Name]
		switch {
		case theirs == verdict && verdict == "violated" && failure >= 0:
			// LTSA has found the violation before it has seen ERROR.
			c.counts["progress violated, ERROR"]++
		case theirs == "safety" && verdict == "violated" && failure < 0:
			// It says so, too, where it does not find its trace again.
			c.counts["progress violated without a trace"]++
		case failure >= 0:
			c.counts["progress refused"]++
			if theirs != "safety" {
				differ = append(differ, "progress of "+p.Name+": LTSA does not see ERROR")
			}
		default:
			c.counts["progress "+verdict]++
			check("progress:"+p.Name, verdict)
		}
	}
	query := &Query{Graph: asked, Fluents: m.Fluents}
	for _, p := range m.Asserts {
		theirs := fields["assert:"+p.Name]
		ours := "violated"
		if query.AssertRuns().SatisfiesByChoice(p.Formula) {
			ours = "holds"
		}
		if d := m.composite(m.Default()); d != nil && len(d.Low)+len(d.High) > 0 {
			c.counts["assert skipped: priorities"]++ // they weigh the steps of the property, too
			continue
		}
		if theirs != "violated" && theirs != "holds" {
			c.counts["assert not answered: deadlock or ERROR"]++
			continue
		}
		// LTSA can miss violations (docs/language.md, differences). Where a run ends,
		// X is false for it even if the last action stays the last one for ever.
		c.counts["assert: LTSA "+theirs+", here "+ours]++
		ends := asked.distance(func(s *State) bool { return len(s.Edges) == 0 }) >= 0
		if theirs == "violated" && ours == "holds" && !ends {
			differ = append(differ, fmt.Sprintf("assert %s: LTSA %s, here %s", p.Name, theirs, ours))
		}
	}
	c.counts["edges"]++
	if !Equivalent(parseEdges(fields), seen, Strong) {
		differ = append(differ, "the compositions are not bisimilar: LTSA "+fields["edges"])
	}
	return differ
}

func (m *Model) composite(name string) *Composite { return NewMeaning(m, 0).composite(name) }

// parseEdges is the composition that LTSA has built.
func parseEdges(fields map[string]string) *Graph {
	n, _ := strconv.Atoi(fields["states"])
	g := &Graph{States: make([]State, n+1)}
	g.States[n].Kind = Error
	if e, err := strconv.Atoi(fields["endseq"]); err == nil && e >= 0 && e < n {
		g.States[e].Kind = End
	}
	for _, edge := range strings.Split(strings.TrimSuffix(fields["edges"], ";"), ";") {
		var from, to int
		var action string
		if _, err := fmt.Sscan(edge, &from, &action, &to); err != nil {
			continue
		}
		if to < 0 {
			to = n
		}
		g.States[from].add(Edge{Action: action, To: to})
	}
	return g
}

// startsAtEnd: LTSA takes a process that starts at END for deadlocked.
func (m *Model) startsAtEnd() bool {
	for _, p := range m.Processes {
		if g, err := p.graph(); err == nil && g.States[0].Kind == End {
			return true
		}
	}
	return false
}
