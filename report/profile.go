package report

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/lists"
)

// writeProfile prints where time and memory went, a line a subject.
func writeProfile(b *bufio.Writer, p *Profile) {
	b.WriteString("        profile\n")
	for _, line := range p.Lines() {
		fmt.Fprintf(b, "          %-12s  %s\n", line.Name, line.Text)
	}
}

// ProfileLine is what a profile says of one subject, for people.
type ProfileLine struct{ Name, Text string }

// Lines returns the profile as text. States and transitions come first.
func (p *Profile) Lines() []ProfileLine {
	states := p.States.String()
	if p.Depth > 0 {
		states += ", depth " + Group(p.Depth)
	}
	lines := []ProfileLine{
		{"states", states},
		{"transitions", fmt.Sprintf("%s, %.2f per state", p.Transitions, perState(p.Transitions.Float(), p))},
	}
	if store := storeText(p); store != "" {
		lines = append(lines, ProfileLine{"store", store})
	}
	lines = append(lines,
		ProfileLine{"memory", fmt.Sprintf("%s: %.1f bytes per state in the table, %.1f in the queue",
			budget.FormatBytes(p.TableBytes+p.QueueBytes), perState(float64(p.TableBytes), p), perState(float64(p.QueueBytes), p))},
		ProfileLine{"speed", fmt.Sprintf("%s states/s in %s", Group(int64(p.StatesPerSecond)), formatSeconds(p.Seconds))})
	if len(p.Phases) > 0 {
		lines = append(lines, ProfileLine{"time", phasesText(p.Phases)})
	}
	return lines
}

func perState(x float64, p *Profile) float64 { return x / max(1, p.States.Float()) }

func storeText(p *Profile) string {
	parts := []string{}
	if p.Store != "" {
		parts = append(parts, p.Store)
	}
	if p.TableLoad > 0 {
		parts = append(parts, fmt.Sprintf("%.0f %% full", 100*p.TableLoad))
	}
	if p.Workers > 0 {
		parts = append(parts, Counted(int64(p.Workers), "worker"))
	}
	return strings.Join(parts, ", ")
}

func phasesText(phases []Phase) string {
	parts := lists.Map(phases, func(ph Phase) string { return fmt.Sprintf("%s %.0f %%", ph.Name, 100*ph.Share) })
	return strings.Join(parts, ", ")
}

// NewPhases returns the phases of the given names and seconds with their shares,
// in the order given, without those that took next to no time.
func NewPhases(names []string, seconds []float64) []Phase {
	total := 0.0
	for _, s := range seconds {
		total += s
	}
	phases := []Phase{}
	for i, s := range seconds {
		if s > total/1000 {
			phases = append(phases, Phase{names[i], s, min(1, s/total)})
		}
	}
	return phases
}
