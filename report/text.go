package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// TextOptions of the rendering for people.
type TextOptions struct {
	Quiet bool // one line a result, no counterexample and no figures
	Echo  bool // how each formula was read
	Color bool // colour the verdicts by ANSI codes
	Games bool // tell games beside runs, too
	// Width is where lines are broken, other than tables and formulas; 0: explanations nowhere,
	// so that they can be looked for, and runs at 80.
	Width int
}

// screen is where runs are broken.
func (o TextOptions) screen() int { return cmp.Or(o.Width, usualWidth) }

// Text renders the results (not the messages, which belong on the error output)
// for people.
func (r *Report) Text(w io.Writer, opts TextOptions) error {
	b := bufio.NewWriter(&proseWriter{w: w, width: opts.Width})
	for _, m := range r.Grave {
		fmt.Fprintf(b, prose+"WARNING %s:%d:%d: %s; %s\n", m.File, m.Line, m.Column, m.Text, m.Help)
	}
	if r.Table {
		writeTable(b, r.Results, opts)
	}
	if r.Table && !opts.Quiet {
		writeShared(b, r.Results, opts)
	}
	var runs []*Result // that were written
	for i := range r.Results {
		res := &r.Results[i]
		if r.Table && res.inTable(opts) {
			continue
		}
		writeResult(b, res, runs, opts)
		if res.Counterexample != nil {
			runs = append(runs, res)
		}
	}
	return b.Flush()
}

// Title is what a result is about. The one about deadlock is said by Answer and Subject, which
// belong together.
func (res *Result) Title() string {
	title := res.Asked()
	if title == "" {
		title = res.Kind
	}
	if label := res.Label(); label != "" {
		title = label + ": " + title
	}
	return title
}

// Label is the name of a result, with the process that it is about if that is another than the
// model's; it may be "".
func (res *Result) Label() string {
	if res.Name == "" || res.Process == "" {
		return res.Name + res.Process
	}
	return res.Name + " of " + res.Process
}

// writeTable writes a line for each result: verdict, kind, name, formula.
func writeTable(b *bufio.Writer, results []Result, opts TextOptions) {
	width, words := 0, 0
	for i := range results {
		width = max(width, len(results[i].Label()))
		if !results[i].saysDeadlock() {
			words = max(words, len(results[i].Answer()))
		}
	}
	for i := range results {
		res := &results[i]
		line := fmt.Sprintf("%s %-8s", paintedVerdict(res, words, opts), res.Kind)
		if res.saysDeadlock() { // over both columns
			line = paintedVerdict(res, words+1+8, opts)
		}
		line += fmt.Sprintf("  %-*s  %s%s", width, res.Label(), res.Asked(), remarks(res, opts))
		fmt.Fprintln(b, strings.TrimRight(line, " "))
	}
	if !opts.Quiet {
		b.WriteByte('\n')
	}
}

// inTable reports a result that the line of the table says all of.
func (res *Result) inTable(opts TextOptions) bool {
	return opts.Quiet || res.Verdict == Holds && res.Profile == nil && len(res.Never) == 0 && res.Vacuity.Lines() == nil
}

// mostNamed bounds how many results are named to which an assumption belongs.
const mostNamed = 4

// writeShared writes what results rest on that are told in a line of the table only.
func writeShared(b *bufio.Writer, results []Result, opts TextOptions) {
	var all []string
	of, told := map[string][]string{}, 0
	for i := range results {
		res := &results[i]
		if !res.inTable(opts) {
			continue
		}
		told++
		for _, a := range res.Assumptions {
			if len(of[a]) == 0 {
				all = append(all, a)
			}
			of[a] = append(of[a], cmp.Or(res.Label(), res.Asked(), res.Kind))
		}
	}
	if len(all) == 0 {
		return
	}
	b.WriteString("what holds is so\n")
	for _, a := range all {
		if names := of[a]; len(names) < told {
			if len(names) > mostNamed {
				names = append(slices.Clone(names[:mostNamed]), fmt.Sprintf("and %d others", len(names)-mostNamed))
			}
			a += ": " + strings.Join(names, ", ")
		}
		fmt.Fprintf(b, prose+"        assuming %s\n", a)
	}
	b.WriteByte('\n')
}

// Answer is the verdict as people read it, padded to the length of the usual ones. Where it is
// asked whether there is a deadlock it says that, as the model's comments do: "HOLDS deadlock"
// could be read either way.
func (res *Result) Answer() string {
	if res.Verdict == Unknown && res.Lossy != nil {
		return "NO VIOLATION FOUND"
	}
	return res.said(res.Verdict)
}

// ExpectedAnswer is what is expected, in the words of Answer.
func (res *Result) ExpectedAnswer() string { return strings.TrimSpace(res.said(res.Expected)) }

func (res *Result) said(v Verdict) string {
	about := res.Kind == "deadlock" && res.Formula == ""
	switch {
	case res.Kind == "run": // nothing is asked
		return "RUN"
	case v == Holds && about:
		return "NO DEADLOCK"
	case v == Holds:
		return "HOLDS  "
	case v == Violated && about:
		return "DEADLOCK"
	case v == Violated:
		return "FAILS  "
	}
	return "UNKNOWN"
}

// saysDeadlock reports that Answer says what is asked, too.
func (res *Result) saysDeadlock() bool { return strings.Contains(res.Answer(), "DEADLOCK") }

// Subject is what stands behind Answer: Title, or of what there is a deadlock, or none, which
// may be "".
func (res *Result) Subject() string {
	if res.saysDeadlock() {
		return res.Label()
	}
	return res.Title()
}

// paintedVerdict is Answer, padded to a width, and coloured if wanted.
func paintedVerdict(res *Result, width int, opts TextOptions) string {
	padded := fmt.Sprintf("%-*s", width, res.Answer())
	if !opts.Color {
		return padded
	}
	color := map[Verdict]string{Holds: "32", Violated: "31", Unknown: "33"}[res.Verdict]
	return "\x1b[1;" + color + "m" + padded + "\x1b[0m"
}

// writeResult writes what is known of a result. A run that is shown already, with
// one of the results before it, is only referred to.
func writeResult(b *bufio.Writer, res *Result, before []*Result, opts TextOptions) {
	fmt.Fprintln(b, strings.TrimRight(fmt.Sprintf("%s %s", paintedVerdict(res, 0, opts), res.Subject()), " ")+remarks(res, opts))
	if opts.Echo && res.ReadAs != "" {
		fmt.Fprintf(b, "        read as %s\n", res.ReadAs)
	}
	if opts.Quiet {
		return
	}
	if res.Vacuity != nil {
		writeVacuity(b, res)
	}
	if res.Reason != "" {
		fmt.Fprintf(b, prose+"        because: %s\n", res.Reason)
	}
	for i, t := range res.Tried {
		head := "tried:"
		if i > 0 {
			head = ""
		}
		fmt.Fprintf(b, prose+"        %-6s %s\n", head, t)
	}
	if res.Advice != "" {
		fmt.Fprintf(b, prose+"        try: %s\n", res.Advice)
	}
	for _, a := range res.Assumptions {
		fmt.Fprintf(b, prose+"        assuming %s\n", a)
	}
	if len(res.Never) > 0 {
		fmt.Fprintf(b, prose+"        %s\n", neverLine(res.Never))
	}
	if c := res.Counterexample; c != nil {
		if i := slices.IndexFunc(before, func(r *Result) bool { return sameRun(r.Counterexample, c) }); i >= 0 {
			fmt.Fprintf(b, "  the run above, of %s\n", before[i].Title())
		} else {
			if c.Kind == "program" {
				writeProgramRun(b, c, opts.screen())
			} else {
				writeRun(b, c, opts.screen())
			}
		}
		writeEnd(b, c, opts.screen())
		writeTruth(b, c, opts.screen())
	}
	if opts.Games || res.Story() {
		for _, g := range res.Games {
			writeGame(b, g, res.Counterexample != nil && res.Counterexample.Kind == "program", opts.screen())
		}
	}
	if res.Derivation != nil {
		writeDerivation(b, res.Derivation, opts.screen())
	}
	if res.aboutFormulas() && res.Word != "" {
		fmt.Fprintf(b, "        %s\n", res.Word)
	}
	writeInvariant(b, res)
	if res.Note != "" {
		mark := prose
		if res.Kind == "equivalent" || res.aboutFormulas() {
			mark = "" // there is a formula in it
		}
		fmt.Fprintf(b, "%s        %s\n", mark, res.Note)
	}
	if s := res.Statistics; s != nil && (!s.States.IsZero() || res.Verdict != Unknown) {
		fmt.Fprintf(b, prose+"        %s\n", s)
	}
	if res.Profile != nil {
		writeProfile(b, res.Profile)
	}
}

// aboutFormulas reports whether the result answers a question of `seltl formula`.
func (res *Result) aboutFormulas() bool {
	return slices.Contains([]string{"satisfiable", "valid", "implies", "formulas-equivalent"}, res.Kind)
}

// writeInvariant writes a proof: of a program its invariant, of Horn clauses a solution.
func writeInvariant(b *bufio.Writer, res *Result) {
	if len(res.Invariant) > 0 {
		fmt.Fprintf(b, prose+"        %s\n", map[bool]string{false: "invariant", true: "solution"}[res.Kind == "clp"])
	}
	for _, f := range res.Invariant {
		text := f.Formula
		if text == "" {
			text = fmt.Sprintf("a term of %d nodes (--certificate writes it)", f.Nodes)
		}
		fmt.Fprintf(b, prose+"          %s: %s\n", f.Location, text)
	}
}

// flagOf finds the flag that an assumption names: "(--finite=ignore)".
var flagOf = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(--([a-z-]+=[a-z-]+)\)`) })

// remarks is what stands behind a verdict in its line: whether it was expected, and in a
// quiet line what it assumes, since a verdict is never printed as stronger than it is.
func remarks(res *Result, opts TextOptions) string {
	var all []string
	if vacuous := res.Vacuous(); vacuous != "" {
		all = append(all, vacuous)
	}
	for _, a := range res.Assumptions {
		if m := flagOf().FindStringSubmatch(a); opts.Quiet && m != nil && m[1] != "finite=stutter" {
			all = append(all, m[1])
		}
	}
	switch {
	case res.AsExpected == nil:
	case *res.AsExpected:
		all = append(all, "as expected")
	case res.Verdict == res.Expected:
		all = append(all, "expected, but not this way")
	default:
		all = append(all, "expected: "+res.ExpectedAnswer())
	}
	if len(all) == 0 {
		return ""
	}
	return "   [" + strings.Join(all, ", ") + "]"
}

// noRun is what is said of a proof that holds since there is no run.
const noRun = "vacuously: there is no run, an assumption fails on every one"

// Vacuous says of a proof that it rests on there being no run at all, or that parts of the formula
// have no effect; "" of all else.
func (res *Result) Vacuous() string {
	switch {
	case res.NoRun:
		return noRun
	case res.Vacuity != nil:
		return res.Vacuity.remark()
	}
	return ""
}

// String says in a line what a search took.
func (s *Statistics) String() string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	what := "state"
	if s.AutomatonStates > 0 {
		what = "product state" // pairs of a state of the model and one of the automaton
	}
	switch {
	case s.Transitions.IsZero() && s.States.IsZero() && s.Method != "": // there are none to count
	case !s.Transitions.IsZero() || s.States.IsZero():
		add("%s, %s", s.States.Of(what), s.Transitions.Of("transition"))
	default:
		add("%s", s.States.Of(what))
	}
	if s.AutomatonStates > 0 {
		add("automaton of %s", Counted(int64(s.AutomatonStates), "state"))
	}
	if s.Method != "" {
		add("%s", s.Method)
	}
	add("%s", formatSeconds(s.TranslateSeconds+s.SearchSeconds))
	return strings.Join(parts, "; ")
}

// formatSeconds prints a time with three figures: "0.23 ms", "1.2 s".
func formatSeconds(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%.2f ms", seconds*1e3)
	case d < time.Second:
		return fmt.Sprintf("%.0f ms", seconds*1e3)
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", seconds)
	}
	return d.Round(time.Second).String()
}

// writeEnd says what a run leads to, and why it is a counterexample.
func writeEnd(b *bufio.Writer, c *Counterexample, screen int) {
	for _, line := range c.Conclusion() {
		indent := "  " + line[:len(line)-len(strings.TrimLeft(line, " "))]
		rowWriter{b, len(indent), screen}.row(indent, []piece{{text: strings.TrimLeft(line, " ")}})
	}
}

// Conclusion says what a run leads to, and why it is a counterexample. Lines that begin with
// blanks belong to the one before them.
func (c *Counterexample) Conclusion() (lines []string) {
	switch c.End {
	case "deadlock":
		lines = append(lines, "deadlock: nothing is possible here")
	case "error":
		if c.Kind != "program" { // whose results say what fails
			lines = append(lines, "the error state is reached")
		}
	case "end":
		lines = append(lines, "the run ends here")
	}
	if c.Bad != nil {
		lines = append(lines, c.badText())
	}
	if c.Automaton != nil {
		lines = append(lines, c.Automaton.text())
	}
	if fair := c.fairLines(); len(fair) > 0 {
		lines = append(lines, "the loop is fair:")
		for _, line := range fair {
			lines = append(lines, "  "+line)
		}
	}
	if c.Note != "" {
		for line := range strings.SplitSeq(c.Note, "\n") {
			lines = append(lines, strings.TrimPrefix(line, "  "))
		}
	}
	return lines
}

// badText says why what follows a bad prefix does not matter.
func (c *Counterexample) badText() string {
	switch n := c.Bad.State; {
	case c.Bad.Why == "event":
		return fmt.Sprintf("%s in state %d is bad: whatever follows, the property is violated", eventText(&c.Stem[n-1]), n-1)
	case c.Bad.Why == "end":
		return fmt.Sprintf("state %d is bad: with the run ending there, the property is violated", n)
	default:
		return fmt.Sprintf("state %d is bad: whatever follows, the property is violated", n)
	}
}
