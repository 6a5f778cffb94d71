package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Cross is what `seltl cross` has found: translators of formulas, compared.
type Cross struct {
	Seed     uint64 `json:"seed"`
	Formulas int    `json:"formulas"` // that were translated
	// Common are the formulas of which every translator made both automata; sums of sizes
	// are over these.
	Common      int               `json:"common"`
	Checks      int               `json:"checks"`
	Skipped     int               `json:"skipped"` // checks that a limit left out
	Stopped     bool              `json:"stopped"` // before all formulas were translated
	Translators []CrossTranslator `json:"translators"`
	Failures    []CrossFailure    `json:"failures"`
	Rows        []CrossRow        `json:"-"`
}

// CrossTranslator has the figures of one translator.
type CrossTranslator struct {
	Name          string  `json:"name"`
	Made          int     `json:"made"`    // automata
	Limited       int     `json:"limited"` // translations that a limit ended
	Failed        int     `json:"failed"`
	States        int     `json:"states"` // of the automata of common formulas, as what follows
	Edges         int     `json:"edges"`
	Sets          int     `json:"sets"`
	Deterministic int     `json:"deterministic"`
	Seconds       float64 `json:"seconds"`
}

// CrossFailure is a formula on which a translator is wrong.
type CrossFailure struct {
	Check   string `json:"check"`   // "product", "complement", "word" or "translation"
	Formula string `json:"formula"` // made small
	Found   string `json:"found"`   // the formula that it was found with
	// Word shows it: Holds says whether the formula is true on it. None of a translation
	// that failed.
	Word  string   `json:"word,omitempty"`
	Holds bool     `json:"holds"`
	Wrong []string `json:"wrong"` // what translators say that are wrong
}

// CrossRow is one translation.
type CrossRow struct {
	Formula       string
	Negated       bool
	Translator    string
	Status        string // "ok", "limit" or "failed"
	States        int
	Edges         int
	Sets          int
	Deterministic bool
	Seconds       float64
}

// Exit returns the exit status: violated if translators disagree or fail, unknown if limits
// or an interruption have left something out.
func (c *Cross) Exit() int {
	if len(c.Failures) > 0 {
		return ExitViolated
	}
	for _, t := range c.Translators {
		if t.Limited > 0 {
			return ExitUnknown
		}
	}
	if c.Skipped > 0 || c.Stopped {
		return ExitUnknown
	}
	return ExitHolds
}

// Text prints the failures and a table of the translators.
func (c *Cross) Text(w io.Writer) error {
	for _, f := range c.Failures {
		fmt.Fprintf(w, "WRONG (%s): %s\n", f.Check, f.Formula)
		if f.Found != f.Formula {
			fmt.Fprintf(w, "    found with %s\n", f.Found)
		}
		if f.Word != "" {
			fmt.Fprintf(w, "    %s\n    the formula is %v on this word\n", f.Word, f.Holds)
		}
		for _, s := range f.Wrong {
			fmt.Fprintf(w, "    %s\n", s)
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range c.Table() {
		last := len(row) - 1
		fmt.Fprintf(t, "%s\t  %s\n", strings.Join(row[:last], "\t"), row[last])
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, c.Summary())
	return err
}

// Table has a line for each translator, below one with the names of columns.
func (c *Cross) Table() [][]string {
	all := [][]string{{"automata", "limited", "failed", "states", "edges", "sets", "deterministic", "seconds", "translator"}}
	for _, s := range c.Translators {
		line := []string{}
		for _, n := range []int{s.Made, s.Limited, s.Failed, s.States, s.Edges, s.Sets, s.Deterministic} {
			line = append(line, strconv.Itoa(n))
		}
		all = append(all, append(line, fmt.Sprintf("%.3f", s.Seconds), s.Name))
	}
	return all
}

// Summary says in a line what was compared, and what came out.
func (c *Cross) Summary() string {
	skipped := ""
	if c.Skipped > 0 {
		skipped = fmt.Sprintf(", %d left out at limits", c.Skipped)
	}
	return fmt.Sprintf("%d formulas and their negations (sums are over %d that all have translated), %d checks%s, seed %d: %s",
		c.Formulas, c.Common, c.Checks, skipped, c.Seed, c.verdict())
}

func (c *Cross) verdict() string {
	switch c.Exit() {
	case ExitViolated:
		if len(c.Failures) == 1 {
			return "1 failure"
		}
		return fmt.Sprintf("%d failures", len(c.Failures))
	case ExitUnknown:
		return "no disagreement, but limits were reached or the run was stopped"
	}
	return "all agree"
}

// CSV writes a line for each translation.
func (c *Cross) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	lines := [][]string{strings.Split("formula,negated,translator,status,states,edges,sets,deterministic,seconds", ",")}
	for _, r := range c.Rows {
		line := []string{r.Formula, bit(r.Negated), r.Translator, r.Status, "", "", "", "", strconv.FormatFloat(r.Seconds, 'f', 6, 64)}
		if r.Status == "ok" {
			copy(line[4:], []string{strconv.Itoa(r.States), strconv.Itoa(r.Edges), strconv.Itoa(r.Sets), bit(r.Deterministic)})
		}
		lines = append(lines, line)
	}
	return out.WriteAll(lines)
}

func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}
