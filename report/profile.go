package report

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/budget"
)

// writeProfile prints where time and memory went, a line a subject.
func writeProfile(b *bufio.Writer, p *Profile) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(b, "          %-12s  %s\n", name, fmt.Sprintf(format, args...))
	}
	b.WriteString("        profile\n")
	line("states", "%s, depth %s", group(p.States), group(p.Depth))
	line("transitions", "%s, %.2f per state", group(p.Transitions), perState(float64(p.Transitions), p))
	line("store", "%s", storeText(p))
	line("memory", "%s: %.1f bytes per state in the table, %.1f in the queue",
		budget.FormatBytes(p.TableBytes+p.QueueBytes), perState(float64(p.TableBytes), p), perState(float64(p.QueueBytes), p))
	line("speed", "%s states/s in %s", group(int64(p.StatesPerSecond)), FormatSeconds(p.Seconds))
	if len(p.Phases) > 0 {
		line("time", "%s", phasesText(p.Phases))
	}
}

func perState(x float64, p *Profile) float64 { return x / float64(max(1, p.States)) }

func storeText(p *Profile) string {
	parts := []string{}
	if p.Store != "" {
		parts = append(parts, p.Store)
	}
	if p.TableLoad > 0 {
		parts = append(parts, fmt.Sprintf("%.0f %% full", 100*p.TableLoad))
	}
	if p.Workers > 0 {
		parts = append(parts, count(int64(p.Workers), "worker"))
	}
	return strings.Join(parts, ", ")
}

func phasesText(phases []Phase) string {
	parts := make([]string, len(phases))
	for i, ph := range phases {
		parts[i] = fmt.Sprintf("%s %.0f %%", ph.Name, 100*ph.Share)
	}
	return strings.Join(parts, ", ")
}

// NewPhases returns the phases of the given names and seconds with their shares,
// in the order given, without those that took no time at all.
func NewPhases(names []string, seconds []float64) []Phase {
	total := 0.0
	for _, s := range seconds {
		total += s
	}
	phases := []Phase{}
	for i, s := range seconds {
		if s > 0 {
			phases = append(phases, Phase{names[i], s, min(1, s/total)})
		}
	}
	return phases
}
