package html_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/testing/browser"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/report/html"
)

// saved writes a page to a file and returns its address.
func saved(t *testing.T, p *html.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + name
}

// peterson is the report of a property of two processes that exclude each other.
func peterson(t *testing.T) *html.Page {
	t.Helper()
	name := filepath.Join("..", "..", "specs", "classics", "mutex.lks")
	m, err := check.Load(context.Background(), name, check.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	questions, err := m.Declared("OVERTAKEN")
	if err != nil {
		t.Fatal(err)
	}
	r, err := check.Verify(context.Background(), m, questions, check.Verification{Explain: true, Options: check.Options{Illustrate: true}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return &html.Page{Report: r, Sources: []html.Source{{Name: m.File, Text: string(text)}}}
}

const (
	forward chromedp.CSS = `.stepper button[aria-label="Step forward"]`
	back    chromedp.CSS = `.stepper button[aria-label="Step back"]`
)

// marked are the lines of sources that are marked.
func marked(p *browser.Page) []int {
	return browser.Get[[]int](p, `[...document.querySelectorAll(".stepper .line.now")].map(e => Number(e.dataset.line))`)
}

// linesOf are the lines of places, in order.
func linesOf(places []report.Place) (lines []int) {
	for _, p := range places {
		lines = append(lines, p.Line)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// TestBrowser opens documents in a real browser.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b := browser.Start(t)
	for name, test := range map[string]func(*testing.T, *browser.Browser){"steps": browserSteps, "sizes": browserSizes, "injection": browserInjection, "long": browserLong, "specs": browserSpecs, "chart": browserChart} {
		t.Run(name, func(t *testing.T) { test(t, b) })
	}
}

// browserSteps: a run is stepped through by buttons, keys and slider; state,
// marked lines and truth follow. There are no errors, and no requests.
func browserSteps(t *testing.T, b *browser.Browser) {
	page := peterson(t)
	c := page.Report.Results[0].Counterexample
	p := b.Open(t, saved(t, page), 1280, 900)
	steps := slices.Concat(c.Stem, c.Loop)
	shows := func(at int) {
		t.Helper()
		state, number := c.Initial, 0
		if at > 0 {
			state, number = steps[at-1].State, at
		}
		if at == len(steps) { // back where the loop began
			number = len(c.Stem)
		}
		if got := browser.Get[[]string](p, `[...document.querySelectorAll(".stepper .locals td")].map(e => e.textContent)`); !slices.Equal(got, state.Locals) {
			t.Errorf("place %d: the components are in %q, want %q", at, got, state.Locals)
		}
		if got := browser.Get[[]string](p, `[...document.querySelectorAll(".stepper .props code")].map(e => e.textContent)`); !slices.Equal(got, state.Props) {
			t.Errorf("place %d: %q hold, want %q", at, got, state.Props)
		}
		var truth []string
		for _, part := range slices.Backward(c.Truth.Parts) {
			truth = append(truth, map[byte]string{'+': "+ holds", '-': "− fails"}[part.Holds[number]])
		}
		if got := browser.Get[[]string](p, `[...document.querySelectorAll(".stepper .parts td")].map(e => e.textContent)`); !slices.Equal(got, truth) {
			t.Errorf("place %d: the parts %q, want %q", at, got, truth)
		}
		if got, want := fmt.Sprint(marked(p)), fmt.Sprint(linesOf(steps[min(at, len(steps)-1)].At)); got != want {
			t.Errorf("place %d: lines %s are marked, want %s", at, got, want)
		}
	}
	shows(0)
	p.Do(chromedp.Click(forward))
	shows(1)
	p.Do(chromedp.Click(forward), chromedp.Click(back))
	shows(1)
	p.Do(chromedp.Focus(forward), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	shows(3)
	p.Do(chromedp.KeyEvent(kb.ArrowLeft))
	shows(2)
	p.Do(chromedp.KeyEvent(kb.End))
	shows(len(c.Stem) + len(c.Loop))
	if disabled := browser.Get[bool](p, `document.querySelector('`+string(forward)+`').disabled`); !disabled {
		t.Error("one can go on behind the end")
	}
	p.Screenshot("steps-1280")
	p.Do(chromedp.KeyEvent(kb.Home))
	shows(0)
	browser.Get[bool](p, `(() => { const s = document.querySelector(".stepper input"); s.value = 4; s.dispatchEvent(new Event("input")); return true; })()`)
	shows(4)
	if said := browser.Get[string](p, `document.querySelector(".stepper [role=status]").textContent`); !strings.Contains(said, c.Loop[0].Event) {
		t.Errorf("what is read out: %q", said)
	}
	if problems := p.Problems(); len(problems) > 0 {
		t.Errorf("problems:\n%s", strings.Join(problems, "\n"))
	}
}

// browserSizes: on wide and narrow screens nothing but what scrolls by itself is wider than
// the page, in dark and on paper, too.
func browserSizes(t *testing.T, b *browser.Browser) {
	address := saved(t, philosophers(t))
	for _, width := range []int{1280, 400} {
		p := b.Open(t, address, width, 900)
		for _, media := range []struct{ medium, scheme string }{{"", "light"}, {"", "dark"}, {"print", "light"}} {
			p.Media(media.medium, "prefers-color-scheme", media.scheme)
			if wide := browser.Get[int](p, `document.documentElement.scrollWidth`); wide > width && media.medium == "" {
				t.Errorf("at %d pixels, %s: the page is %d wide", width, media.scheme, wide)
			}
			p.Screenshot(fmt.Sprintf("philosophers-%d-%s%s", width, media.scheme, media.medium))
		}
		p.Media("")
		p.Do(chromedp.Focus(forward), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
		// The way through the composition.
		if got := browser.Get[string](p, `[...document.querySelectorAll("[data-picture] .node.current")].map(e => e.dataset.state).join()`); got == "" || strings.Contains(got, ",") {
			t.Errorf("states %q of the composition are marked", got)
		}
		if n := browser.Get[int](p, `document.querySelectorAll("[data-picture] .edge.taken").length`); n != 1 {
			t.Errorf("%d edges of the composition are marked", n)
		}
		if problems := p.Problems(); len(problems) > 0 {
			t.Errorf("problems:\n%s", strings.Join(problems, "\n"))
		}
	}
}

// browserChart: in dark a chart is dark, and its names stay in sight while its box is scrolled.
func browserChart(t *testing.T, b *browser.Browser) {
	p := b.Open(t, saved(t, philosophers(t)), 400, 900)
	p.Media("", "prefers-color-scheme", "dark")
	const chart = `document.querySelector(".scroll.paper")`
	if got := browser.Get[string](p, `getComputedStyle(`+chart+`).backgroundColor + getComputedStyle(`+chart+`.querySelector(".seltl-chart > rect")).fill`); got != "rgb(27, 30, 35)rgb(27, 30, 35)" {
		t.Errorf("the chart is on %s", got)
	}
	const moved = `(() => { const box = ` + chart + `, names = box.querySelector(".heads text").getBoundingClientRect(), place = box.getBoundingClientRect(); return names.top >= place.top && names.bottom <= place.bottom })()`
	browser.Get[bool](p, `(() => { const box = `+chart+`; box.style.maxHeight = "12rem"; box.scrollTop = 150; box.scrollLeft = 30; return true })()`)
	p.Until(chart + `.scrollTop === 150 && ` + moved)
	p.Screenshot("chart-scrolled-400-dark")
}

// browserInjection: what models call things is never executed or taken for markup.
func browserInjection(t *testing.T, b *browser.Browser) {
	p := b.Open(t, saved(t, hostile(t)), 1280, 900)
	p.Do(chromedp.Focus(forward), chromedp.KeyEvent(kb.End))
	if n := browser.Get[int](p, `document.querySelectorAll("script:not(#seltl-data)").length`); n != 1 {
		t.Errorf("%d scripts in the page", n)
	}
	if n := browser.Get[int](p, `document.querySelectorAll("img, iframe, object, embed, link, [onclick], [onerror], [onload]").length`); n != 0 {
		t.Errorf("%d elements of the model's making", n)
	}
	if pwned := browser.Get[bool](p, `window.pwned === true`); pwned {
		t.Error("a name was executed")
	}
	if seen := browser.Get[bool](p, `document.body.textContent.includes(`+"`"+nasty[0]+"`"+`)`); !seen {
		t.Error("the names are not shown")
	}
	p.Screenshot("hostile")
	if problems := p.Problems(); len(problems) > 0 {
		t.Errorf("problems:\n%s", strings.Join(problems, "\n"))
	}
}

// browserLong: of a run of which steps are left out, states have their numbers.
func browserLong(t *testing.T, b *browser.Browser) {
	p := b.Open(t, saved(t, longRun(2500, 2)), 1280, 900)
	for _, c := range []struct {
		place int
		where string
		said  string
	}{{1499, "State 1499, step 1499 of 2002", "e1499"}, {1501, "State 2001, step 1501 of 2002", "(500 steps are left out here.) By e2001"},
		{2001, "State 2501, step 2001 of 2002", "In the loop"}, {2002, "State 2500, step 2002 of 2002", "back where the loop began"}} {
		browser.Get[bool](p, fmt.Sprintf(`(() => { const s = document.querySelector(".stepper input"); s.value = %d; s.dispatchEvent(new Event("input")); return true; })()`, c.place))
		if got := browser.Get[string](p, `document.querySelector(".stepper .where").textContent`); got != c.where {
			t.Errorf("place %d: %q, want %q", c.place, got, c.where)
		}
		if got := browser.Get[string](p, `document.querySelector(".stepper .told").textContent`); !strings.Contains(got, c.said) {
			t.Errorf("place %d: %q, want %q in it", c.place, got, c.said)
		}
	}
	if problems := p.Problems(); len(problems) > 0 {
		t.Errorf("problems:\n%s", strings.Join(problems, "\n"))
	}
}

// walk steps through a counterexample, and says what is shown at each place.
const walk = `(window.walk = c => {
	const root = document.createElement("div"), texts = selector => [...root.querySelectorAll(selector)].map(e => e.textContent);
	document.body.append(root);
	const run = new seltl.Run(root, c, {}), forward = root.querySelector('[aria-label="Step forward"]'), shown = [];
	for (let more = true; more; ) {
		shown.push({where: texts(".where")[0], said: texts(".told")[0], locals: texts(".locals td"), moved: texts(".locals tr.now th"), props: texts(".props code"), truth: texts(".parts td")});
		more = !forward.disabled;
		forward.click();
	}
	root.remove();
	return shown;
}) !== null`

// place is what is shown at a place of a run.
type place struct {
	Where, Said                 string
	Locals, Moved, Props, Truth []string
}

// browserSpecs: every counterexample of the models in specs is stepped through, and each state
// that is shown is that of the report.
func browserSpecs(t *testing.T, b *browser.Browser) {
	p := b.Open(t, saved(t, philosophers(t)), 1280, 900)
	browser.Get[bool](p, walk)
	runs, states := 0, 0
	ofSpecs(t, func(name, _ string, r *report.Report) {
		for i := range r.Results {
			c := r.Results[i].Counterexample
			if c == nil {
				continue
			}
			text, err := json.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			got, want := browser.Get[[]place](p, "walk("+string(text)+")"), placesOf(c)
			for k := range got {
				if k < len(want) && !strings.Contains(got[k].Said, want[k].Said) {
					t.Errorf("%s, result %d, place %d: said is %q, want %q in it", name, i, k, got[k].Said, want[k].Said)
				}
				got[k].Said = ""
			}
			for k := range want {
				want[k].Said = ""
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, result %d: %s", name, i, diff)
			}
			runs, states = runs+1, states+len(got)
		}
	})
	t.Logf("%d runs of %d states", runs, states)
	if runs < 30 || states < 200 {
		t.Errorf("only %d runs of %d states", runs, states)
	}
	if problems := p.Problems(); len(problems) > 0 {
		t.Errorf("problems:\n%s", strings.Join(problems, "\n"))
	}
}

// placesOf is what should be shown, from the report.
func placesOf(c *report.Counterexample) []place {
	steps := slices.Concat(c.Stem, c.Loop)
	at := func(i, number int, state *report.State, moved []report.Change, said string) place {
		v := place{Where: fmt.Sprintf("State %d, step %d of %d", number, i, len(steps)), Said: said, Locals: state.Locals, Moved: []string{}, Props: append([]string{}, state.Props...), Truth: []string{}}
		for _, name := range c.Components {
			if slices.ContainsFunc(moved, func(ch report.Change) bool { return ch.Component == name }) {
				v.Moved = append(v.Moved, name)
			}
		}
		if c.Truth != nil {
			for _, part := range slices.Backward(c.Truth.Parts) {
				v.Truth = append(v.Truth, map[byte]string{'+': "+ holds", '-': "− fails", '?': "? depends on what follows"}[part.Holds[number]])
			}
		}
		return v
	}
	all := []place{at(0, 0, &c.Initial, nil, "The initial state.")}
	for i, s := range steps {
		number := i + 1
		if len(c.Loop) > 0 && number == len(steps) {
			number = len(c.Stem) // back where the loop began
		}
		said := s.Event
		if said == "" {
			said = "(nothing)"
		}
		all = append(all, at(i+1, number, &s.State, s.Changed, "By "+said))
	}
	return all
}
