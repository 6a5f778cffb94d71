package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/cmd/seltl/internal/batches"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/testing/browser"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

// programQuestions are command lines about the C programs in the working folder: those of which
// their specifications expect something, and programs that fail by themselves.
func programQuestions(t *testing.T) (lines [][]string) {
	t.Helper()
	var warnings bytes.Buffer // of a specification without a program
	units, err := batches.ExpectedUnits(&cli.Context{Context: t.Context()}, cmdline.Streams{Err: &warnings, Opened: &check.Opened{}}, ".")
	if err != nil {
		t.Fatal(err)
	}
	for i, u := range units {
		if soak.On() || i%10 == 3 { // all of them take a minute
			lines = append(lines, u.Words)
		}
	}
	for _, name := range []string{"list.c", "queue.c", "recursive/ackermann.c"} {
		lines = append(lines, []string{"reach", name})
	}
	return lines
}

// stepThrough goes forward through the run of a document by its button, and back again, and says
// what is shown at each place.
const stepThrough = `(() => {
	const root = document.querySelector(".stepper"), texts = (selector, of = root) => [...of.querySelectorAll(selector)].map(e => e.textContent);
	const button = label => root.querySelector('[aria-label="' + label + '"]'), shown = [];
	for (const label of ["Step forward", "Step back"]) {
		for (let more = true; more; ) {
			shown.push({where: texts(".where")[0], said: texts(".told")[0], values: texts(".props code"), changed: texts(".props code.new"),
				lines: [...root.querySelectorAll(".line.now")].map(e => e.closest("div").querySelector("h4").textContent + ":" + ([...e.parentNode.children].indexOf(e) + 1)),
				texts: texts(".line.now"), seen: [...root.querySelectorAll(".line.now")].every(e => { const a = e.getBoundingClientRect(), b = e.closest("pre").getBoundingClientRect(); return e.checkVisibility() && a.top >= b.top - 1 && a.bottom <= b.bottom + 1 }),
				turns: [...root.querySelectorAll(".turns tbody tr")].map(r => texts("th code", r)[0] + " at " + texts("td", r)[0]), moved: texts(".turns tr.now th"), truth: texts(".parts td"),
				chart: texts(".paper [data-row].now", document)});
			more = !button(label).disabled;
			button(label).click();
		}
	}
	return shown;
})()`

// seenLine is what a document shows at a place of a program's run.
type seenLine struct {
	Where, Said                                               string
	Values, Changed, Lines, Texts, Turns, Moved, Truth, Chart []string
	Seen                                                      bool
}

// TestProgramRuns: the counterexamples of the C programs of specs are stepped through in a
// browser, forward and back, and each line is that of the report: its place, routine and source,
// what it is given and performs, and the values that it changes, as text and as JSON have them.
func TestProgramRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	if _, err := exec.LookPath("z3"); err != nil {
		t.Skip("SKIPPED: there is no z3 here (make setup installs it)")
	}
	b := browser.Start(t)
	dir := t.TempDir()
	t.Chdir(filepath.Join("..", "..", "specs", "c"))
	runs, steps := 0, 0
	for _, words := range programQuestions(t) {
		line := strings.Join(words, " ")
		file := filepath.Join(dir, "report.html")
		printed := func(more ...string) string {
			var out, errs bytes.Buffer
			if status := run(slices.Concat([]string{"seltl"}, words, more), strings.NewReader(""), &out, &errs); status > 1 {
				t.Fatalf("%s: status %d: %s", line, status, errs.String())
			}
			return out.String()
		}
		var told report.Report
		if err := json.Unmarshal([]byte(printed("--json", "--html", file)), &told); err != nil {
			t.Fatal(line, err)
		}
		c := told.Results[0].Counterexample
		if c == nil {
			continue
		}
		p := b.Open(t, "file://"+file, 1280, 900)
		shown := browser.Get[[]seenLine](p, stepThrough)
		n := len(shown) / 2
		back := slices.Clone(shown[n:])
		if slices.Reverse(back); !gocmp.Equal(shown[:n], back) {
			t.Errorf("%s: on the way back something else is shown: %s", line, gocmp.Diff(shown[:n], back))
		}
		compareShown(t, line, c, shown[:n])
		comparePrinted(t, line, printed("--html", file), shown[:n]) // which tells more lines of some runs
		browser.Get[bool](p, fmt.Sprintf(`(() => { const s = document.querySelector(".stepper input"); s.value = %d; s.dispatchEvent(new Event("input")); return true; })()`, n/2))
		for _, width := range []int64{1280, 400} {
			p.Do(chromedp.EmulateViewport(width, 900))
			if wide := browser.Get[int64](p, `document.documentElement.scrollWidth`); wide > width {
				t.Errorf("%s: at %d pixels the page is %d wide", line, width, wide)
			}
			p.Screenshot(fmt.Sprintf("program-%d-%d", runs, width))
		}
		if problems := p.Problems(); len(problems) > 0 {
			t.Errorf("%s: problems:\n%s", line, strings.Join(problems, "\n"))
		}
		runs, steps = runs+1, steps+n
		_ = os.Remove(file)
	}
	t.Logf("%d runs of %d lines", runs, steps)
	if runs < 6 || steps < 100 {
		t.Errorf("only %d runs of %d lines", runs, steps)
	}
}

// linesOf is what should be shown of a run, from the report.
func linesOf(c *report.Counterexample) (all []seenLine) {
	steps, last := slices.Concat(c.Stem, c.Loop), map[string]string{}
	for i, s := range steps {
		v := seenLine{Where: fmt.Sprintf("Line %d of %d", i+1, len(steps)), Said: s.Event + " in " + s.Routine + ": " + s.Source + " ", Values: []string{}, Changed: append([]string{}, s.Gained...),
			Lines: []string{s.Event}, Texts: []string{s.Source}, Seen: true, Turns: []string{}, Moved: []string{}, Truth: []string{}}
		slices.Sort(v.Changed)
		if len(s.Inputs) > 0 {
			v.Said += "with " + strings.Join(s.Inputs, ", ") + " "
		}
		if s.Action != "" {
			v.Said += "performs " + s.Action
			if len(s.With) > 0 {
				v.Said += " at once with " + strings.Join(s.With, ", ")
			}
			v.Said += " "
		}
		switch {
		case i == len(steps)-1 && len(c.Loop) > 0:
			v.Said += "The run is back where the loop began: it is repeated for ever. "
		case i >= len(c.Stem):
			v.Said += "In the loop, which is repeated for ever. "
		}
		if i == len(steps)-1 {
			v.Said += map[string]string{"deadlock": "Deadlock: nothing is possible here.", "end": "The run ends here.", "error": "The error is reached."}[c.End]
		}
		for _, name := range s.Movers {
			last[name], v.Moved = filepath.Base(s.Event)+" "+s.Source, []string{name}
		}
		if len(c.Components) > 1 {
			for _, name := range c.Components {
				v.Turns = append(v.Turns, name+" at "+cmp.Or(last[name], "its beginning"))
			}
		}
		if c.Truth != nil {
			for _, part := range slices.Backward(c.Truth.Parts) {
				v.Truth = append(v.Truth, map[byte]string{'+': "+ holds", '-': "− fails", '?': "? depends on what follows"}[part.Holds[i]])
			}
		}
		all = append(all, v)
	}
	return all
}

// names reports whether a value is shown as in a routine that has it: "n = 2" for "f.n = 2".
func names(prop, shown string) bool {
	name, value, _ := strings.Cut(prop, " = ")
	as, is, _ := strings.Cut(shown, " = ")
	is, _, _ = strings.Cut(is, " (")
	return (name == as || strings.HasSuffix(name, "."+as)) && (value == is || strings.HasSuffix(value, "."+strings.TrimPrefix(is, "&")))
}

// compareShown compares what a document shows of a run with the report.
func compareShown(t *testing.T, line string, c *report.Counterexample, shown []seenLine) {
	t.Helper()
	steps, charted := slices.Concat(c.Stem, c.Loop), 0
	for i, v := range shown {
		shown[i].Texts = []string{}
		for _, text := range v.Texts {
			shown[i].Texts = append(shown[i].Texts, strings.TrimSpace(text))
		}
		slices.Sort(shown[i].Changed)
		shown[i].Values, shown[i].Chart = []string{}, nil
		if i >= len(steps) {
			break
		}
		for _, prop := range steps[i].State.Props {
			if !slices.ContainsFunc(v.Values, func(text string) bool { return names(prop, text) }) {
				t.Errorf("%s, line %d: %s is not among the values %q", line, i+1, prop, v.Values)
			}
		}
		for _, text := range v.Values {
			if !slices.Contains(v.Changed, text) && !slices.ContainsFunc(steps[i].State.Props, func(prop string) bool { return names(prop, text) }) {
				t.Errorf("%s, line %d: %s is shown, the values are %q", line, i+1, text, steps[i].State.Props)
			}
		}
		chart := dense(strings.Join(v.Chart, ""))
		if chart == "" || strings.Contains(chart, "…") {
			continue // folded, or shortened
		}
		charted++
		for _, text := range append([]string{filepath.Base(steps[i].Event), steps[i].Source}, steps[i].Gained...) {
			if !strings.Contains(chart, dense(text)) {
				t.Errorf("%s, line %d: no %q in the chart: %q", line, i+1, text, v.Chart)
			}
		}
	}
	if charted == 0 {
		t.Errorf("%s: the run is not followed in the chart", line)
	}
	if diff := gocmp.Diff(linesOf(c), shown); diff != "" {
		t.Errorf("%s: JSON (-) and the document (+) differ: %s", line, diff)
	}
}

// dense is a text without blanks: pictures break it into lines.
func dense(text string) string { return strings.Join(strings.Fields(text), "") }

var (
	printedLine = regexp.MustCompile(`^  (?: *\d+  )?(\S+:\d+  .*)`) // behind the number of a state
	printedRest = regexp.MustCompile(`\n {10,}`)                     // of a line that is broken
	printedGap  = regexp.MustCompile(`^  \.\.\.  .*?([\d,]+) steps? `)
)

// comparePrinted compares what a document shows of a run with the text of the report.
func comparePrinted(t *testing.T, line, text string, shown []seenLine) {
	t.Helper()
	at := 0
	for printed := range strings.Lines(printedRest.ReplaceAllString(text, " ")) {
		if gap := printedGap.FindStringSubmatch(printed); gap != nil {
			n, err := strconv.Atoi(strings.ReplaceAll(gap[1], ",", ""))
			if err != nil {
				t.Fatal(err)
			}
			at += n
			continue
		}
		m := printedLine.FindStringSubmatch(printed)
		if m == nil {
			continue
		}
		printed = m[1]
		if at >= len(shown) {
			t.Errorf("%s: more lines are printed than shown: %s", line, printed)
			return
		}
		v := shown[at]
		place, rest, _ := strings.Cut(v.Said, " in ")
		routine, rest, _ := strings.Cut(rest, ": "+v.Texts[0]+" ")
		for _, end := range []string{"In the loop", "The run", "Deadlock", "The error"} {
			rest, _, _ = strings.Cut(rest, end)
		}
		want := dense(strings.Join([]string{place, routine, v.Texts[0], strings.ReplaceAll(rest, " at once", ", at once")}, " "))
		got, ok := strings.CutPrefix(dense(printed), want)
		missing := slices.ContainsFunc(v.Changed, func(text string) bool { return !strings.Contains(got, dense(text)) })
		if !ok || missing || len(got) != len(dense(strings.Join(v.Changed, ","))) {
			t.Errorf("%s, line %d: printed is %q, shown %q with %q", line, at+1, printed, want, v.Changed)
		}
		at++
	}
	if at != len(shown) {
		t.Errorf("%s: %d lines are printed or folded, %d shown", line, at, len(shown))
	}
}
