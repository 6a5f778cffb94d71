package report

import (
	"bufio"
	"fmt"
	"strings"
)

// Vacuity says what of a formula that holds has no effect on that.
type Vacuity struct {
	// NoRun: all runs end, and only infinite ones count, or, if Unfair is set, those that go on are not
	// fair.
	NoRun  bool `json:"no_run,omitempty"`
	Unfair bool `json:"unfair,omitempty"`
	// Valid: the formula is true of every run of any model.
	Valid bool `json:"valid,omitempty"`
	// Never are parts that never happen, by which others have no effect; Whole: without them nothing
	// is left of the formula.
	Never []VacuousPart `json:"never,omitempty"`
	Whole bool          `json:"whole,omitempty"`
	// Asked is the number of questions about parts one by one, 0 if that was not wanted: what a part with
	// an effect is in has one, too. NoEffect are the largest in whose place a constant can stand, Open those
	// of which nothing is known.
	Asked    int           `json:"asked,omitempty"`
	NoEffect []VacuousPart `json:"no_effect,omitempty"`
	Open     []VacuousPart `json:"open,omitempty"`
}

// VacuousPart is a part of a formula.
type VacuousPart struct {
	Formula string `json:"formula"`
	// From and To are where it is written first in the formula's text: characters from 0; To is 0 if it
	// is not written there.
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`
	// In is where it stands, if there are several places: a part of which there is one.
	In     string `json:"in,omitempty"`
	Says   string `json:"says,omitempty"`   // of what never happens
	With   string `json:"with,omitempty"`   // the constant in its place, or "anything"
	Reason string `json:"reason,omitempty"` // why nothing is known
}

func (p *VacuousPart) in() string {
	if p.In == "" {
		return ""
	}
	return " (in " + p.In + ")"
}

// quoted is the part in quotes, which propositions about C have already.
func (p *VacuousPart) quoted() string {
	if n := len(p.Formula); n > 1 && p.Formula[0] == '"' && strings.Count(p.Formula, `"`) == 2 && p.Formula[n-1] == '"' {
		return p.Formula
	}
	return `"` + p.Formula + `"`
}

// mostVacuous parts stand beside a verdict, mostUnderlined characters of a formula below it.
const (
	mostVacuous    = 3
	mostUnderlined = 120
)

// remark stands beside the verdict.
func (v *Vacuity) remark() string {
	switch {
	case v.NoRun && v.Unfair:
		return "but vacuously: no run counts"
	case v.NoRun:
		return "but vacuously: all runs end, and none counts"
	case v.Valid:
		return "but vacuously: it is true of every run, of any model"
	}
	var parts []string
	for i := range v.Never {
		p := &v.Never[i]
		parts = append(parts, p.quoted()+" "+p.Says)
	}
	for i := range v.NoEffect {
		p := &v.NoEffect[i]
		if v.Whole {
			break // what never happens is the reason
		}
		parts = append(parts, fmt.Sprintf(`%s%s has no effect`, p.quoted(), p.in()))
	}
	if len(parts) == 0 {
		return ""
	}
	head := "but in part vacuously: "
	if v.Whole {
		head = "but vacuously: "
	}
	if n := len(parts) - mostVacuous; n > 0 {
		parts = append(parts[:mostVacuous], fmt.Sprintf("and %d more", n))
	}
	return head + strings.Join(parts, ", ")
}

// Lines say what was found where each part was asked.
func (v *Vacuity) Lines() (lines []string) {
	if v == nil || v.Asked == 0 {
		return nil
	}
	for _, p := range v.NoEffect {
		lines = append(lines, fmt.Sprintf("no effect: %s%s: the formula holds with %s in its place", p.Formula, p.in(), p.With))
	}
	for _, p := range v.Open {
		lines = append(lines, fmt.Sprintf("not known whether it has an effect: %s%s: %s", p.Formula, p.in(), p.Reason))
	}
	if len(lines) == 0 {
		lines = append(lines, fmt.Sprintf("every part has an effect (%s)", Counted(int64(v.Asked), "question")))
	}
	return lines
}

// writeVacuity shows where in the formula the parts stand that never happen, and what of each part is
// known.
func writeVacuity(b *bufio.Writer, res *Result) {
	v := res.Vacuity
	text := []rune(res.Formula)
	marks := make([]byte, 0, mostUnderlined)
	for _, p := range v.Never {
		if p.To <= p.From || p.To > len(text) || cells(res.Formula) > mostUnderlined {
			continue
		}
		from, to := cells(string(text[:p.From])), cells(string(text[:p.To]))
		for len(marks) < to {
			marks = append(marks, ' ')
		}
		copy(marks[from:to], strings.Repeat("^", to-from))
	}
	if len(marks) > 0 {
		fmt.Fprintf(b, "        %s\n        %s\n", res.Formula, marks)
	}
	for _, line := range v.Lines() {
		fmt.Fprintf(b, "        %s\n", line)
	}
}
