package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/seltl/seltl/internal/lists"
)

// BatchSchema identifies the JSON form of a Batch.
const BatchSchema = "seltl.batch/1"

// Batch is what became of a work list: the results of its units, wherever they were found.
type Batch struct {
	Schema  string `json:"schema"`
	Version string `json:"version"`
	Command string `json:"command"` // "batch"
	// Lists are the work lists, as they were named.
	Lists  []string     `json:"lists"`
	Units  []BatchUnit  `json:"units"`
	Groups []BatchGroup `json:"groups,omitempty"`
	Counts BatchCounts  `json:"counts"`
	// Messages are about the folder of results: what could not be read in it.
	Messages []Message `json:"messages,omitempty"`
	Exit     int       `json:"exit"`
	// Redo is a command that does what is missing, "" if nothing is.
	Redo string `json:"redo,omitempty"`
}

// BatchUnit is a unit of a work list.
type BatchUnit struct {
	Unit  string `json:"unit"`            // its command line
	At    string `json:"at,omitempty"`    // FILE:LINE
	Group string `json:"group,omitempty"` // that it belongs to
	Key   string `json:"key"`             // of its result
	// Missing is set if there is no result: neither Exit nor Report says anything then.
	Missing bool `json:"missing,omitempty"`
	// Exit is the exit status: of the question, or if the list expects something of it (holds
	// or fails), 0 if that is what came out and 1 if not.
	Exit       int     `json:"exit"`
	Expected   Verdict `json:"expected,omitempty"`
	AsExpected *bool   `json:"as_expected,omitempty"`
	Report     *Report `json:"report,omitempty"`
}

// BatchGroup is what the units of a group say together.
type BatchGroup struct {
	Name  string `json:"name"`
	Units int    `json:"units"`
	// Missing is how many of them have no result.
	Missing int `json:"missing,omitempty"`
	Exit    int `json:"exit"` // the worst
	// First is the first unit, from 0, whose question has a counterexample; -1: none has.
	First int `json:"first_violation"`
	// Coverage is the least and the most that searches of the group, whose stores can lose
	// states, have explored of the states that they met, each; nil if there are none.
	Coverage *[2]float64 `json:"coverage,omitempty"`
}

// BatchCounts are numbers of units. Those with a result are as Exit says, the others Missing.
type BatchCounts struct {
	Units    int `json:"units"`
	Holds    int `json:"holds"` // 0
	Violated int `json:"violated"`
	Unknown  int `json:"unknown"`
	Input    int `json:"input"`
	Internal int `json:"internal"`
	Missing  int `json:"missing"`
}

// Count adds a unit.
func (c *BatchCounts) Count(u *BatchUnit) {
	c.Units++
	switch {
	case u.Missing:
		c.Missing++
	case u.Exit == ExitHolds:
		c.Holds++
	case u.Exit == ExitViolated:
		c.Violated++
	case u.Exit == ExitInput:
		c.Input++
	case u.Exit == ExitInternal:
		c.Internal++
	default:
		c.Unknown++
	}
}

// String says what became of how many units.
func (c BatchCounts) String() string {
	parts := []string{Counted(int64(c.Units), "unit")}
	for _, part := range []struct {
		n    int
		text string
	}{
		{c.Holds, "as it should be"}, {c.Violated, "not as it should be"}, {c.Unknown, "unknown"}, {c.Input, "with wrong input"},
		{c.Internal, "with an internal error"}, {c.Missing, "without a result"},
	} {
		if part.n > 0 {
			parts = append(parts, Group(int64(part.n))+" "+part.text)
		}
	}
	return strings.Join(parts, ", ")
}

// JSON renders the report, indented, with a final newline.
func (b *Batch) JSON(w io.Writer) error {
	b.Schema = BatchSchema
	if b.Units == nil {
		b.Units = []BatchUnit{}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(b)
}

// Text renders a line for each unit, then for each group, then how to get what is missing. Details adds
// the report of each unit that is not as it should be; with Quiet only the sums are written.
func (b *Batch) Text(w io.Writer, opts TextOptions, details bool) error {
	out := bufio.NewWriter(&proseWriter{w: w, width: opts.Width})
	if !opts.Quiet {
		b.writeUnits(out, opts)
	}
	if details {
		b.writeDetails(out, opts)
	}
	b.writeMissing(out)
	for _, m := range b.Messages {
		fmt.Fprintf(out, prose+"%s: %s\n", m.Severity, m.Text)
	}
	fmt.Fprintf(out, "%s\n", b.Counts)
	return out.Flush()
}

// writeUnits writes a line for each unit, with what is wrong with it, and one for each group.
func (b *Batch) writeUnits(out *bufio.Writer, opts TextOptions) {
	width := 0
	for i := range b.Units {
		width = max(width, len(b.Units[i].answer()))
	}
	for i := range b.Units {
		u := &b.Units[i]
		fmt.Fprintf(out, "%s %s%s\n", u.painted(width, opts), u.Unit, u.remarks())
		if !u.Missing && len(u.Report.Results) > 1 {
			u.writeResults(out, opts)
		}
		for _, m := range u.messages() {
			fmt.Fprintf(out, "        %s\n", m)
		}
	}
	if len(b.Groups) > 0 {
		out.WriteByte('\n')
	}
	for i := range b.Groups {
		fmt.Fprintf(out, "group %s\n", b.groupText(&b.Groups[i]))
	}
}

// answer is the verdict of a unit: the worst of its results.
func (u *BatchUnit) answer() string {
	switch {
	case u.Missing:
		return "MISSING"
	case u.Report.Exit == ExitInput:
		return "WRONG"
	case u.Report.Exit == ExitInternal:
		return "BUG"
	case len(u.Report.Results) == 0:
		return "UNKNOWN"
	}
	return strings.TrimSpace(u.worst().Answer())
}

// worst is the first of the worst results of a unit that has some.
func (u *BatchUnit) worst() *Result {
	worst := &u.Report.Results[0]
	for i := range u.Report.Results {
		if res := &u.Report.Results[i]; worse(res.Verdict, worst.Verdict) {
			worst = res
		}
	}
	return worst
}

// worse orders verdicts as exit statuses are.
func worse(a, b Verdict) bool { return a != b && Worst(a.Exit(), b.Exit()) == a.Exit() }

// painted is answer, padded, and coloured if wanted.
func (u *BatchUnit) painted(width int, opts TextOptions) string {
	padded := fmt.Sprintf("%-*s", max(width, len("HOLDS  ")), u.answer())
	if !opts.Color {
		return padded
	}
	color := "33"
	switch {
	case u.Missing:
	case u.Exit == ExitHolds:
		color = "32"
	case u.Exit != ExitUnknown:
		color = "31"
	}
	return "\x1b[1;" + color + "m" + padded + "\x1b[0m"
}

// remarks say whether a unit came out as expected, by the list or by its model.
func (u *BatchUnit) remarks() string {
	switch {
	case u.Missing && u.At != "":
		return "   (" + u.At + ")"
	case u.Missing, len(u.Report.Results) == 0:
		return ""
	case u.AsExpected != nil && *u.AsExpected:
		return "   [as expected]"
	case u.AsExpected != nil:
		about := *u.worst()
		about.Expected = u.Expected
		return "   [expected: " + about.ExpectedAnswer() + "]"
	case len(u.Report.Results) == 1:
		return remarks(&u.Report.Results[0], TextOptions{})
	case u.Exit == ExitHolds && u.worst().Verdict != Holds:
		return "   [as expected]"
	}
	return ""
}

// writeResults writes a line for each of several results.
func (u *BatchUnit) writeResults(out *bufio.Writer, opts TextOptions) {
	width := 0
	for i := range u.Report.Results {
		width = max(width, len(u.Report.Results[i].Answer()))
	}
	for i := range u.Report.Results {
		res := &u.Report.Results[i]
		line := fmt.Sprintf("        %s %-8s  %s%s", paintedVerdict(res, width, opts), res.Kind, strings.TrimSpace(res.Name+" "+res.Asked()), remarks(res, opts))
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
}

// messages are the errors in the input of a unit, each a line, and why it is unknown.
func (u *BatchUnit) messages() (lines []string) {
	if u.Missing {
		return nil
	}
	if len(u.Report.Results) == 1 && u.Report.Results[0].Reason != "" {
		lines = append(lines, "because: "+u.Report.Results[0].Reason)
	}
	for _, m := range u.Report.Messages {
		if m.Severity != "error" {
			continue
		}
		place := ""
		if m.File != "" && m.Line > 0 {
			place = fmt.Sprintf("%s:%d:%d: ", m.File, m.Line, m.Column)
		}
		lines = append(lines, place+m.Text)
	}
	return lines
}

// Table has a line for each unit, below one with the names of columns: the answer, the unit,
// whether that was expected, what is wrong, and where the unit stands.
func (b *Batch) Table() [][]string {
	all := [][]string{{"answer", "unit", "expected?", "because", "place"}}
	for i := range b.Units {
		u := &b.Units[i]
		remark := ""
		if !u.Missing {
			remark = strings.Trim(u.remarks(), " []")
		}
		because := lists.Append(nil, u.messages(), func(m string) string { return strings.TrimPrefix(m, "because: ") })
		all = append(all, []string{u.answer(), u.Unit, remark, strings.Join(because, "; "), u.At})
	}
	return all
}

// GroupLines have a line for each group: its name, and what its units say together.
func (b *Batch) GroupLines() (all [][2]string) {
	for i := range b.Groups {
		g := &b.Groups[i]
		all = append(all, [2]string{"group " + g.Name, strings.TrimPrefix(b.groupText(g), g.Name+": ")})
	}
	return all
}

// Wrong are the results of units that are not as they should be, each with its unit as a note;
// no more than most.
func (b *Batch) Wrong(most int) (all []Result) {
	for i := range b.Units {
		u := &b.Units[i]
		if u.Missing || u.Exit == ExitHolds {
			continue
		}
		for _, res := range u.Report.Results {
			if len(all) == most {
				return all
			}
			res.Note = strings.TrimSpace("of the unit " + u.Unit + "\n" + res.Note)
			all = append(all, res)
		}
	}
	return all
}

// groupText says what the units of a group say together.
func (b *Batch) groupText(g *BatchGroup) string {
	word := map[int]string{ExitHolds: "as it should be", ExitViolated: "not as it should be", ExitInput: "wrong input", ExitInternal: "internal error"}[g.Exit]
	switch {
	case word != "":
	case g.Coverage != nil && g.Missing == 0:
		word = "no violation found"
	default:
		word = "unknown"
	}
	text := fmt.Sprintf("%s: %s, %s", g.Name, Counted(int64(g.Units), "unit"), word)
	if g.First >= 0 {
		text += "; the first violation: " + b.Units[g.First].Unit
	}
	if c := g.Coverage; c != nil {
		text += fmt.Sprintf("; each explored %.4f to %.4f %% of the states that it met", 100*c[0], 100*c[1])
	}
	return text
}

// writeDetails writes the reports of what is not as it should be.
func (b *Batch) writeDetails(out *bufio.Writer, opts TextOptions) {
	for i := range b.Units {
		u := &b.Units[i]
		if u.Missing || u.Exit == ExitHolds || len(u.Report.Results) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n%s\n", u.Unit)
		if u.At != "" {
			fmt.Fprintf(out, "        %s\n", u.At)
		}
		out.Flush() // a report has a writer of its own
		_ = u.Report.Text(out, TextOptions{Color: opts.Color, Width: 0})
	}
	out.WriteByte('\n')
}

// writeMissing says how to get what is missing.
func (b *Batch) writeMissing(out *bufio.Writer) {
	if b.Counts.Missing > 0 && b.Redo != "" {
		fmt.Fprintf(out, "what is missing is done by: %s\n", b.Redo)
	}
}
