package html_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	stdhtml "html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/report/html"
)

func written(t *testing.T, p *html.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// between is the text between two others, "" if they are not there.
func between(text, from, to string) string {
	_, rest, ok := strings.Cut(text, from)
	if !ok {
		return ""
	}
	inner, _, ok := strings.Cut(rest, to)
	if !ok {
		return ""
	}
	return inner
}

func philosophers(t *testing.T) *html.Page {
	t.Helper()
	name := filepath.Join("..", "..", "specs", "classics", "philosophers.lks")
	m, err := check.Load(context.Background(), name, check.LoadOptions{Process: "TABLE", Params: map[string]int{"N": 3}})
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := check.Deadlock(context.Background(), m, check.Options{Illustrate: true}, deadlock.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &html.Page{Report: r, Sources: []html.Source{{Name: name, Text: "// Dijkstra's philosophers\nconst N = 3\nP = (a[1] -> P).\n"}}}
}

// nasty are names that would do harm if they were taken for markup or script.
var nasty = []string{
	`<script>window.pwned = true; alert(1)</script>`, `</script><script>window.pwned=true</script>`, `"><img src=x onerror="window.pwned=true">`,
	`';window.pwned=true;//`, "${window.pwned=true}", `&lt;b&gt;`, `<!--<script>`, `]]>`, "\u2028\u2029", `javascript:window.pwned=true`, "a\x00b", "\xff\xfe",
	`</style><script>window.pwned=true</script>`, `</title><script>window.pwned=true</script>`, `{{.}}`, `</pre>`,
}

// hostile is a report in which everything has such names.
func hostile(t *testing.T) *html.Page {
	t.Helper()
	n := func(i int) string { return nasty[i%len(nasty)] }
	all := func() []string { return slices.Clone(nasty) }
	state := report.State{Locals: []string{n(0), n(1)}, Props: all()}
	step := func(i int) report.Step {
		return report.Step{Event: n(i), Source: n(i + 1), Routine: n(i + 2), Inputs: all(), Action: n(i), With: all(), Movers: []string{n(2), n(3)},
			Changed: []report.Change{{Component: n(2), From: n(i), To: n(i + 1)}}, At: []report.Place{{File: n(4), Line: 1}}, Gained: all(), Lost: all(), State: state}
	}
	c := &report.Counterexample{Kind: "trace", Components: []string{n(2), n(3)}, Initial: state, Stem: []report.Step{step(0), step(1), step(2)}, Loop: []report.Step{step(3)},
		End: "deadlock", Bad: &report.Bad{State: 1, Why: "event"}, Note: strings.Join(nasty, "\n"), Cycle: []string{n(2), n(3)},
		Waiting: []report.Waiting{{Component: n(2), State: n(0), Offers: []report.Offer{{Event: n(1), Refused: []string{n(3)}}}, Place: n(1), Source: n(2), Values: all()},
			{Component: n(3), State: n(1), Offers: []report.Offer{{Event: n(5), Refused: []string{n(2)}}}}},
		Truth: &report.Truth{Parts: []report.Part{{Formula: n(0), Holds: "+-?+"}}, Why: []report.Because{{Formula: n(1), State: 2}}}}
	program := *c
	program.Kind = "program"
	game := &report.Move{Implementation: n(0), Props: all(), Answers: []*report.Move{{Specification: n(1), Event: n(2), Implementation: n(3), Props: all(), Offers: all()}}}
	r := &report.Report{Command: n(0), Version: n(1), Model: &report.Model{File: n(4), Process: n(5), Components: []report.Component{{Name: n(6)}}},
		Messages: []report.Message{{Severity: n(0), File: n(1), Line: 3, Text: n(2), Help: n(3)}}, Grave: []report.Message{{File: n(1), Text: n(2), Help: n(3)}}}
	r.Results = []report.Result{
		{Kind: n(0), Name: n(1), Formula: n(2), File: n(3), Line: 1, ReadAs: n(4), Verdict: report.Violated, Reason: n(5), Advice: n(6), Tried: all(), Assumptions: all(),
			Counterexample: c, Word: n(7), Games: []*report.Move{game}, Note: n(8), Never: all(), Invariant: []report.Formula{{Location: n(0), Formula: n(1)}},
			Derivation: &report.Derivation{Fact: n(0), Values: all(), Calls: []*report.Derivation{{Fact: n(1), Values: all()}}},
			Profile:    &report.Profile{Store: n(2), Phases: []report.Phase{{Name: n(3), Share: 1}}}, Statistics: &report.Statistics{Method: n(4)}},
		{Kind: "conform", Verdict: report.Violated, Counterexample: &program},
	}
	for i := range nasty {
		r.Pictures = append(r.Pictures, report.Picture{Title: n(i), SVG: []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>window.pwned=true</script></svg>`), Result: i%3 - 1})
	}
	made := []html.Made{{Title: n(0), Facts: [][2]string{{n(1), n(2)}, {n(3), n(0)}}, Text: html.Source{Name: n(4) + ".hoa", Text: strings.Join(nasty, "\n")},
		Picture: report.Picture{Title: n(0), SVG: []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>window.pwned=true</script></svg>`)}}}
	var sources []html.Source
	for _, ending := range []string{"", ".lks", ".c", ".smt2", ".gcl", ".pl", ".aut"} {
		sources = append(sources, html.Source{Name: n(4) + ending, Text: strings.Join(nasty, "\n") + "\n/* " + n(0)})
	}
	return &html.Page{Report: r, Made: made, Sources: sources}
}

// TestInjection: hostile names are texts: there is one script, one style, and no element or
// attribute that pages of ours do not have.
func TestInjection(t *testing.T) {
	text := written(t, hostile(t))
	if n := strings.Count(strings.ToLower(text), "<script"); n != 2 {
		t.Errorf("%d scripts", n)
	}
	if n := strings.Count(strings.ToLower(text), "</script"); n != 2 {
		t.Errorf("%d ends of scripts", n)
	}
	if n := strings.Count(strings.ToLower(text), "</style"); n != 1 {
		t.Errorf("%d ends of styles", n)
	}
	outside := regexp.MustCompile(`(?s)<script.*?</script>|<style>.*?</style>`).ReplaceAllString(text, "")
	elements := strings.Fields(`!doctype html head meta title body a header h1 h2 h3 h4 p code main section div table caption thead tbody tr th td span ul ol li dl dt dd
		pre details summary figure figcaption strong footer wbr svg g rect text tspan line circle path title polyline polygon ellipse`)
	for _, m := range regexp.MustCompile(`<([!/]?[a-zA-Z0-9-]+)([^<>]*)>`).FindAllStringSubmatch(outside, -1) {
		if name := strings.ToLower(strings.TrimPrefix(m[1], "/")); !slices.Contains(elements, name) {
			t.Errorf("element %s", m[0])
		}
		if regexp.MustCompile(`\son\w+=|\sstyle=|\ssrc=|href="[^#]`).MatchString(" " + regexp.MustCompile(`"[^"]*"`).ReplaceAllStringFunc(m[2], func(v string) string {
			if strings.HasPrefix(v, `"#`) {
				return `"#"`
			}
			return `"x"`
		})) {
			t.Errorf("attributes of %s", m[0])
		}
	}
	if n := strings.Count(stdhtml.UnescapeString(outside), "<script>window.pwned = true; alert(1)</script>"); n < 10 {
		t.Errorf("the name is shown %d times", n)
	}
}

// TestPolicy: the policy allows exactly the script and the style of the document.
func TestPolicy(t *testing.T) {
	text := written(t, philosophers(t))
	policy := stdhtml.UnescapeString(between(text, `http-equiv="Content-Security-Policy" content="`, `"`))
	sum := func(inner string) string {
		h := sha256.Sum256([]byte(inner))
		return "'sha256-" + base64.StdEncoding.EncodeToString(h[:]) + "'"
	}
	want := fmt.Sprintf("default-src 'none'; script-src %s; style-src %s; base-uri 'none'; form-action 'none'",
		sum(between(text, "<script>", "</script>")), sum(between(text, "<style>", "</style>")))
	if policy != want {
		t.Errorf("policy\n%s\nwant\n%s", policy, want)
	}
	if found := regexp.MustCompile(`(?i)https?://[^"'\s]*`).FindAllString(strings.ReplaceAll(text, "http://www.w3.org/2000/svg", ""), -1); len(found) > 0 {
		t.Errorf("addresses %q", found)
	}
}

// TestWithoutScript: what the script shows is there without it, and open.
func TestWithoutScript(t *testing.T) {
	text := written(t, philosophers(t))
	if strings.Contains(text, "<details>") || !strings.Contains(text, "<details open>") {
		t.Error("something is closed")
	}
	if !strings.Contains(text, `<div class="stepper"></div>`) {
		t.Error("there is something in the place of the script")
	}
	for _, want := range []string{"A cycle of waiting", "phil.0.left.get", "Who waits for whom", `<span class="keyword">const</span>`, `<span class="comment">`, `class="seltl-graph"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
}

// TestDrawings: only plain drawings come into the document.
func TestDrawings(t *testing.T) {
	const begin = `<svg xmlns="http://www.w3.org/2000/svg" width="10">`
	for svg, shown := range map[string]bool{
		begin + `<rect width="5"/><text x="1">MARK &lt;b></text></svg>`:           true,
		begin + `<style>*{}</style><text class="x">MARK</text></svg>`:             true,
		begin + `<text>MARK</text><script>alert(1)</script></svg>`:                false,
		begin + `<text onclick="alert(1)">MARK</text></svg>`:                      false,
		begin + `<a href="javascript:alert(1)"><text>MARK</text></a></svg>`:       false,
		begin + `<text style="x">MARK</text></svg>`:                               false,
		begin + `<rect fill="url(http://example.com)"/><text>MARK</text></svg>`:   false,
		begin + `<foreignObject><p>MARK</p></foreignObject></svg>`:                false,
		begin + `<image href="http://example.com/x.png"/><text>MARK</text></svg>`: false,
		begin + `<text>MARK</svg>`:                                                false,
		`<p>MARK</p>`:                                                             false,
		begin + `</svg><script>alert(1)</script><text>MARK</text>`:                false,
		begin + `<text>MARK</text></svg>` + begin + `</svg>`:                      false,
		``: false,
		begin + `<set attributeName="onmouseover" to="alert(1)"/><text>MARK</text></svg>`:            false,
		begin + `<use xlink:href="data:image/svg+xml,x"/><text>MARK</text></svg>`:                    false,
		begin + `<text xmlns:e="http://www.w3.org/2001/xml-events" e:event="load">MARK</text></svg>`: true,
	} {
		p := &html.Page{Report: &report.Report{Pictures: []report.Picture{{Title: "t", SVG: []byte(svg), Result: -1}}}}
		if got := strings.Contains(written(t, p), "MARK"); got != shown {
			t.Errorf("%s: shown %v", svg, got)
		}
		if strings.Contains(written(t, p), "xml-events") {
			t.Errorf("%s: a foreign attribute is left", svg)
		}
	}
}

// TestContrast: texts can be read on what they stand on, by WCAG 2's level AA, light and dark.
func TestContrast(t *testing.T) {
	css, err := html.Assets.ReadFile("assets/report.css")
	if err != nil {
		t.Fatal(err)
	}
	light, rest, _ := strings.Cut(string(css), "@media (prefers-color-scheme: dark)")
	dark, _, _ := strings.Cut(rest, "\n* {")
	for name, scheme := range map[string]string{"light": light, "dark": dark} {
		color := map[string]string{}
		for _, m := range regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]{6})`).FindAllStringSubmatch(scheme, -1) {
			color[m[1]] = m[2]
		}
		if len(color) < 20 {
			t.Fatalf("%s: only %d colours", name, len(color))
		}
		for _, pair := range strings.Fields(`text/back text/panel text/loop faint/back faint/panel link/back good/back wrong/back open/back good/panel wrong/panel open/panel
			good/good-back wrong/wrong-back open/open-back now-text/now keyword/panel name/panel action/panel number/panel string/panel comment/panel
			keyword/back name/back action/back number/back string/back comment/back wrong/loop`) {
			text, back, _ := strings.Cut(pair, "/")
			if ratio := contrast(t, color[text], color[back]); ratio < 4.5 {
				t.Errorf("%s: %s has a contrast of %.2f", name, pair, ratio)
			}
		}
	}
}

// contrast is WCAG's ratio of two colours #rrggbb.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(color string) float64 {
		n, err := strconv.ParseUint(strings.TrimPrefix(color, "#"), 16, 32)
		if err != nil {
			t.Fatalf("colour %q", color)
		}
		part := func(shift uint) float64 {
			c := float64(n>>shift&255) / 255
			if c <= 0.04045 {
				return c / 12.92
			}
			return math.Pow((c+0.055)/1.055, 2.4)
		}
		return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// longRun is a report of a run with many steps.
func longRun(stem, loop int) *html.Page {
	c := &report.Counterexample{Kind: "lasso", Components: []string{"P"}, Initial: report.State{Locals: []string{"S0"}, Props: []string{}}}
	for i := range stem + loop {
		s := report.Step{Event: fmt.Sprintf("e%d", i+1), Movers: c.Components, State: report.State{Locals: []string{fmt.Sprintf("S%d", i+1)}, Props: []string{}}}
		if i < stem {
			c.Stem = append(c.Stem, s)
		} else {
			c.Loop = append(c.Loop, s)
		}
	}
	return &html.Page{Report: &report.Report{Command: "verify", Results: []report.Result{{Kind: "ltl", Formula: "F p", Verdict: report.Violated, Counterexample: c}}}}
}

// TestCut: of very long runs the document has the beginning and the end, and says so; the report
// stays as it is.
func TestCut(t *testing.T) {
	p := longRun(2500, 2100)
	document := written(t, p)
	var data struct {
		Report *report.Report
		Cuts   []struct {
			Result       int
			Part         string
			After, Steps int
		}
	}
	if err := json.Unmarshal([]byte(between(document, `id="seltl-data">`, `</script>`)), &data); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(data.Cuts); got != "[{0 stem 1500 500} {0 loop 1500 100}]" {
		t.Errorf("cuts %s", got)
	}
	c := data.Report.Results[0].Counterexample
	if len(c.Stem) != 2000 || len(c.Loop) != 2000 || c.Stem[1500].Event != "e2001" || c.Loop[1500].Event != "e4101" {
		t.Errorf("%d and %d steps, %s, %s", len(c.Stem), len(c.Loop), c.Stem[1500].Event, c.Loop[1500].Event)
	}
	if whole := p.Report.Results[0].Counterexample; len(whole.Stem) != 2500 || whole.Stem[1500].Event != "e1501" {
		t.Error("the report has changed")
	}
}

// TestSpecs: of each model in specs, the document has the report as it is, so that its text
// comes out again, and the table of steps says what the report does, state by state.
func TestSpecs(t *testing.T) {
	runs, states, paths := 0, 0, 0
	ofSpecs(t, func(name, text string, r *report.Report) {
		n, k := compareDocument(t, name, &html.Page{Report: r, Sources: []html.Source{{Name: name, Text: text}}})
		runs, states = runs+n, states+k
		for _, picture := range r.Pictures {
			paths += len(picture.Paths)
		}
	})
	t.Logf("%d runs of %d states, %d in pictures", runs, states, paths)
	if !testing.Short() && (runs < 30 || states < 200 || paths < 10) {
		t.Errorf("only %d runs of %d states, %d in pictures", runs, states, paths)
	}
}

// ofSpecs calls each with what is found in each model in specs: everything, and a deadlock.
func ofSpecs(t *testing.T, each func(name, text string, r *report.Report)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "specs", "*", "*.lks"))
	if err != nil || len(files) < 15 {
		t.Fatal(files, err)
	}
	for i, name := range files {
		if soak.Skip(i) {
			continue
		}
		m, err := check.Load(context.Background(), name, check.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		opts := check.Verification{Explain: true, Options: check.Options{Illustrate: true, Limits: budget.Limits{States: 100_000, Time: 20 * time.Second}}}
		all, err := check.All(context.Background(), m, check.Everything{Verification: opts})
		if err != nil {
			t.Fatal(name, err)
		}
		stuck, _, err := check.Deadlock(context.Background(), m, opts.Options, deadlock.Options{})
		if err != nil {
			t.Fatal(name, err)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		each(name, string(text), all)
		each(name, string(text), stuck)
	}
}

// compareDocument compares a document with the report that it shows.
func compareDocument(t *testing.T, name string, p *html.Page) (runs, states int) {
	t.Helper()
	document := written(t, p)
	var data struct {
		Report *report.Report
		Cuts   []any
	}
	if err := json.Unmarshal([]byte(between(document, `<script type="application/json" id="seltl-data">`, `</script>`)), &data); err != nil {
		t.Fatal(name, err)
	}
	if len(data.Cuts) > 0 {
		t.Errorf("%s: runs are cut", name)
	}
	data.Report.Table, data.Report.Grave = p.Report.Table, p.Report.Grave
	var want, got bytes.Buffer
	opts := report.TextOptions{Echo: true, Games: true}
	if err := p.Report.Text(&want, opts); err != nil {
		t.Fatal(err)
	}
	if err := data.Report.Text(&got, opts); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.String(), got.String()); diff != "" {
		t.Errorf("%s: the text of the data: %s", name, diff)
	}
	for _, picture := range p.Report.Pictures {
		checkPaths(t, name, &picture)
	}
	for i := range p.Report.Results {
		c := p.Report.Results[i].Counterexample
		if c == nil {
			continue
		}
		section := between(document, fmt.Sprintf(`id="result-%d"`, i), `</table>`)
		var rows []string
		for _, m := range regexp.MustCompile(`(?s)<tr class="[^"]*" data-state="(\d+)">(.*?)</tr>`).FindAllStringSubmatch(section, -1) {
			cells := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(m[2], " ")
			rows = append(rows, strings.Join(strings.Fields(stdhtml.UnescapeString(cells)), " "))
		}
		if diff := cmp.Diff(tableOf(c), rows); diff != "" {
			t.Errorf("%s, result %d: the table of steps: %s", name, i, diff)
		}
		runs, states = runs+1, states+len(rows)
		if c.Truth != nil {
			checkTruth(t, name, c)
		}
	}
	return runs, states
}

// checkPaths checks that runs go along edges of a picture.
func checkPaths(t *testing.T, name string, p *report.Picture) {
	t.Helper()
	edge := map[string]bool{}
	for _, m := range regexp.MustCompile(`data-from="(\d+)" data-to="(\d+)"`).FindAllStringSubmatch(string(p.SVG), -1) {
		edge[m[1]+" "+m[2]] = true
	}
	for i, states := range p.Paths {
		for k := range states {
			switch {
			case states[k] < 0:
				t.Errorf("%s, result %d: state %d is not in the picture", name, i, k)
			case k > 0 && !edge[fmt.Sprintf("%d %d", states[k-1], states[k])]:
				t.Errorf("%s, result %d: no edge from %d to %d in the picture", name, i, states[k-1], states[k])
			}
		}
	}
}

// tableOf is what the table of steps should say, from the report.
func tableOf(c *report.Counterexample) (rows []string) {
	line := func(number int, event string, s *report.State, moves []string) {
		text := fmt.Sprint(number)
		if c.Bad != nil && c.Bad.State == number {
			text += " bad"
		}
		parts := slices.Concat([]string{text, event}, s.Props, moves)
		if len(c.Components) == 1 {
			parts = slices.Concat([]string{text, event}, s.Props, s.Locals)
		}
		rows = append(rows, strings.Join(strings.Fields(strings.Join(parts, " ")), " "))
	}
	line(0, "", &c.Initial, nil)
	for i, s := range slices.Concat(c.Stem, c.Loop) {
		var moves []string
		for _, ch := range s.Changed {
			moves = append(moves, ch.Component+": "+ch.From+" → "+ch.To)
		}
		for _, name := range s.Movers {
			if !slices.ContainsFunc(s.Changed, func(ch report.Change) bool { return ch.Component == name }) {
				moves = append(moves, name+" takes part unchanged")
			}
		}
		number := i + 1
		if len(c.Loop) > 0 && i == len(c.Stem)+len(c.Loop)-1 {
			number = len(c.Stem)
		}
		line(number, s.Event, &s.State, moves)
	}
	return rows
}

// checkTruth checks that the formula fails in the first state, and that there is a truth for
// each state.
func checkTruth(t *testing.T, name string, c *report.Counterexample) {
	t.Helper()
	states := len(c.Stem) + len(c.Loop)
	if len(c.Loop) == 0 {
		states++
	}
	for _, p := range c.Truth.Parts {
		if len(p.Holds) != states {
			t.Errorf("%s: %s has a truth for %d of %d states", name, p.Formula, len(p.Holds), states)
		}
	}
	if last := c.Truth.Parts[len(c.Truth.Parts)-1]; last.Holds[0] != report.FailsThere || len(c.Truth.Why) == 0 || c.Truth.Why[0].State != 0 {
		t.Errorf("%s: %s is said to hold: %v", name, last.Formula, c.Truth.Why)
	}
}
