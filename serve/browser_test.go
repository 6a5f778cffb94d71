package serve_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/seltl/seltl/internal/testing/browser"
	"github.com/seltl/seltl/serve"
)

// running serves a folder until the end of a test, and returns the address of the page.
func running(t *testing.T, opts serve.Options) string {
	t.Helper()
	l, err := serve.Listen("127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	return runningOn(t, opts, l)
}

func runningOn(t *testing.T, opts serve.Options, l net.Listener) string {
	t.Helper()
	address, end := started(t, opts, l)
	t.Cleanup(end)
	return address
}

// started serves until the end that it returns.
func started(t *testing.T, opts serve.Options, l net.Listener) (address string, end func()) {
	t.Helper()
	opts.Log = func(text string) { t.Errorf("the server says: %s", text) }
	s, err := serve.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	return s.Address(l.Addr()), func() {
		stop()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(20 * time.Second):
			t.Error("the server does not end")
		}
	}
}

// until waits for a JavaScript expression to be true.
func until(t *testing.T, p *browser.Page, expression string) {
	t.Helper()
	p.Until(expression)
}

// choose sets a field as a user does.
func choose(p *browser.Page, id, value string) {
	browser.Get[bool](p, fmt.Sprintf(`(() => { const e = document.getElementById(%q); e.value = %q; e.dispatchEvent(new Event("input", {bubbles: true})); e.dispatchEvent(new Event("change", {bubbles: true})); return true })()`, id, value))
}

const area chromedp.CSS = ".editor textarea"

// put replaces text of the editor by typing.
func put(t *testing.T, p *browser.Page, old, text string) {
	t.Helper()
	if at := browser.Get[int](p, fmt.Sprintf(`(() => { const a = document.querySelector(".editor textarea"), i = a.value.indexOf(%q); a.focus(); a.setSelectionRange(i, i + %d); return i })()`, old, len(old))); at < 0 {
		t.Fatalf("there is no %q in the editor", old)
	}
	p.Do(chromedp.SendKeys(area, text))
}

func text(p *browser.Page, selector string) string {
	return browser.Get[string](p, fmt.Sprintf(`(document.querySelector(%q) || {textContent: "(nothing)"}).textContent`, selector))
}

func sound(t *testing.T, p *browser.Page) {
	t.Helper()
	until(t, p, `document.querySelector("#problems p.good")`)
}

// classic is a model of specs.
func classic(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "specs", "classics", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestBrowser uses the page in a real browser.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b := browser.Start(t)
	for _, c := range []struct {
		name string
		test func(*testing.T, *browser.Browser)
	}{{"lesson", browserLesson}, {"cancel", browserCancel}, {"simulator", browserSimulator}, {"lasso", browserLasso}, {"pictures", browserPictures}, {"script", browserScript}, {"tabs", browserTabs}, {"switch", browserSwitch}, {"new", browserNew}, {"sizes", browserSizes}, {"offline", browserOffline}, {"silence", browserSilence}, {"restart", browserRestart}, {"twins", browserTwins}, {"access", browserAccess}, {"colours", browserColours}, {"keys", browserKeys}, {"textbook", browserTextbook}, {"examples", browserExamples}, {"near", browserNear}, {"listed", browserListed}, {"odd", browserOdd}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel() // most of the time is waiting
			c.test(t, b)
		})
	}
}

func unproblematic(t *testing.T, p *browser.Page) {
	t.Helper()
	if found := p.Problems(); len(found) > 0 {
		t.Errorf("problems:\n%s", strings.Join(found, "\n"))
	}
}

// browserLesson: open, make a mistake, see it underlined, have it repaired, check, step forth and
// back through the violation, load the page again, save.
func browserLesson(t *testing.T, b *browser.Browser) {
	dir := folderWith(t, map[string]string{"mutex.lks": classic(t, "mutex.lks")})
	p := b.Open(t, running(t, serve.Options{Folder: dir, Write: true}), 1280, 900)
	sound(t, p)
	if at := browser.Get[string](p, `location.search`); at != "" {
		t.Errorf("the token stays in the address: %s", at)
	}
	put(t, p, "p[1]:PETERSON(1)", "p[1]:PETERSN(1)")
	until(t, p, `document.querySelector(".layer .mistake")?.textContent === "PETERSN" && document.querySelector("#problems").textContent.includes("PETERSN")`)
	if got := text(p, "#problems"); !strings.Contains(got, "PETERSN") || !strings.Contains(got, `did you mean "PETERSON"?`) {
		t.Errorf("the mistakes: %s", got)
	}
	p.Screenshot("mistake-1280")
	p.Do(chromedp.Click(chromedp.CSS("#problems .fix")))
	sound(t, p)
	if got := browser.Get[string](p, `document.querySelector(".editor textarea").value`); got != classic(t, "mutex.lks") {
		t.Errorf("the repaired model:\n%s", got)
	}

	p.Do(chromedp.Click(chromedp.CSS("#check-all")))
	until(t, p, `document.querySelectorAll(".answer").length === 7`)
	verdicts := browser.Get[[]string](p, `[...document.querySelectorAll(".properties .verdict")].map(e => e.textContent)`)
	if want := []string{"holds", "holds", "fails", "fails"}; !slices.Equal(verdicts, want) {
		t.Errorf("the verdicts are %q, want %q", verdicts, want)
	}
	const step = `.answer[open] .stepper `
	where := func() string { return text(p, step+".where") }
	until(t, p, `document.querySelector(".answer[open] .stepper .where")`)
	start := where()
	p.Do(chromedp.Click(chromedp.CSS(step + `button[aria-label="Step forward"]`)))
	second := where()
	p.Do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowLeft))
	if again := where(); start == second || again != second {
		t.Errorf("forth to %q, forth and back again to %q", second, again)
	}
	p.Do(chromedp.Click(chromedp.CSS(step + `button[aria-label="Step back"]`)))
	if got := where(); got != start {
		t.Errorf("back at %q, not at %q", got, start)
	}
	p.Do(chromedp.KeyEvent(kb.ArrowRight))
	if n := browser.Get[int](p, `document.querySelectorAll(".band").length`); n == 0 {
		t.Error("no line of the model is marked beside the step")
	}
	p.Screenshot("checked-1280")

	put(t, p, "// Peterson's", "// The good Peterson's")
	until(t, p, `document.querySelector(".stale")`)
	p.Do(chromedp.Reload())
	sound(t, p)
	until(t, p, `document.querySelectorAll(".answer").length === 7`)
	if got := browser.Get[string](p, `document.querySelector(".editor textarea").value`); !strings.HasPrefix(got, "// The good Peterson's") {
		t.Error("what was written is lost")
	}
	p.Do(chromedp.Click(chromedp.CSS("#save")))
	until(t, p, `document.getElementById("save").disabled`)
	if saved, err := os.ReadFile(filepath.Join(dir, "mutex.lks")); err != nil || !strings.HasPrefix(string(saved), "// The good Peterson's") {
		t.Errorf("saved: %v %q", err, saved)
	}
	unproblematic(t, p)
}

// long is a model whose check takes longer than anybody waits.
const long = `const N = 24
CELL = (on -> off -> CELL).
||ALL = (forall [i:1..N] c[i]:CELL).
ltl NEVER = G !(forall [i:1..N] E.c[i].off)
`

// browserCancel: a long check tells how far it is, goes on while the page is loaded again, and is
// cancelled.
func browserCancel(t *testing.T, b *browser.Browser) {
	p := b.Open(t, running(t, serve.Options{Folder: folderWith(t, map[string]string{"long.lks": long})}), 1280, 700)
	sound(t, p)
	p.Do(chromedp.Click(chromedp.CSS("#check-deadlock")))
	until(t, p, `/[0-9,]{5,} states .*a second/.test(document.querySelector(".progress")?.textContent)`)
	p.Screenshot("long-1280")
	p.Do(chromedp.Reload())
	until(t, p, `/states .*a second/.test((document.querySelector(".progress") || document.body).textContent)`)
	p.Do(chromedp.Click(chromedp.CSS("#cancel")))
	until(t, p, `document.getElementById("cancelled")`)
	unproblematic(t, p)
}

// browserSimulator: steps by buttons, keys and the picture; goals; a counterexample.
func browserSimulator(t *testing.T, b *browser.Browser) {
	p := b.Open(t, running(t, serve.Options{Folder: folderWith(t, map[string]string{"philosophers.lks": classic(t, "philosophers.lks")})}), 1280, 900)
	sound(t, p)
	choose(p, "process", "TABLE")
	sound(t, p)
	browser.Get[bool](p, `(() => { const f = document.querySelector("input.constant"); f.value = 3; f.dispatchEvent(new Event("change")); return true })()`)
	until(t, p, `document.querySelector(".const.set")`)
	sound(t, p)
	p.Do(chromedp.Click(chromedp.CSS("#tab-simulate")))
	until(t, p, `document.querySelector(".simgraph .current")`)
	state := func() string { return text(p, ".locals") }
	first := state()
	p.Do(chromedp.Click(chromedp.CSS(".choices li:nth-child(2) button")))
	until(t, p, `document.querySelector(".history .here").value === 1`)
	if state() == first {
		t.Error("the step has changed nothing")
	}
	p.Do(chromedp.KeyEvent("1"), chromedp.KeyEvent(kb.ArrowLeft))
	until(t, p, `document.querySelector(".history .ahead") && document.querySelector(".history .here").value === 1`)
	p.Do(chromedp.Click(chromedp.CSS("#undo")))
	until(t, p, `document.querySelector(".history .here").value === 0`)
	if state() != first {
		t.Error("undone, it is in another state")
	}
	choose(p, "goal", "deadlock")
	p.Do(chromedp.Click(chromedp.CSS("#go")))
	until(t, p, `document.querySelector(".choices .waits")`)
	if got := browser.Get[int](p, `document.querySelectorAll(".history li").length`); got != 4 {
		t.Errorf("the way to the deadlock of three has %d states", got)
	}
	p.Screenshot("simulator-1280")
	// By the picture, back to the initial state: from a deadlock there is no way.
	p.Do(chromedp.Click(chromedp.CSS("#undo")))
	until(t, p, `document.querySelector(".simgraph .next")`)
	next := browser.Get[string](p, `document.querySelector(".simgraph .next").dataset.state`)
	browser.Get[bool](p, `(() => { const n = document.querySelector(".simgraph .next"); n.dispatchEvent(new MouseEvent("click", {bubbles: true})); return true })()`)
	until(t, p, `document.querySelector(".simgraph .current").dataset.state === "`+next+`"`)
	p.Do(chromedp.Reload())
	until(t, p, `document.querySelector(".simgraph .current") && document.querySelector(".simgraph .current").dataset.state === "`+next+`"`)

	p.Do(chromedp.Click(chromedp.CSS("#tab-check")), chromedp.Click(chromedp.CSS("#check-all")))
	until(t, p, `document.querySelector(".answer[open] .tosim")`)
	p.Do(chromedp.Click(chromedp.CSS(".answer[open] .tosim")))
	until(t, p, `document.querySelectorAll(".history .ahead").length > 0`)
	p.Do(chromedp.Click(chromedp.CSS("#redo")))
	until(t, p, `document.querySelector(".history .here").value === 1`)
	unproblematic(t, p)
}

// browserLasso: on the loop of a counterexample properties are open, and it is said what they are
// if it goes on for ever.
func browserLasso(t *testing.T, b *browser.Browser) {
	const model = "A = (off -> A | on -> A).\nltl TURNED_ON = F on\nltl NEVER_STUCK = G !deadlock\n"
	p := b.Open(t, running(t, serve.Options{Folder: folderWith(t, map[string]string{"a.lks": model})}), 1280, 700)
	sound(t, p)
	p.Do(chromedp.Click(chromedp.CSS("#check-all")))
	until(t, p, `document.querySelector(".answer[open] .tosim")`)
	p.Do(chromedp.Click(chromedp.CSS(".answer[open] .tosim")))
	until(t, p, `document.querySelectorAll(".history .ahead").length > 0`)
	if got := browser.Get[[]string](p, `[...document.querySelectorAll(".choice .event")].map(e => e.textContent)`); !slices.Equal(got, []string{"off (ahead)", "on"}) {
		t.Errorf("the choices: %q", got)
	}
	p.Do(chromedp.Click(chromedp.CSS("#redo")))
	until(t, p, `document.querySelector(".history .here").value === 1`)
	got := browser.Get[[]string](p, `[...document.querySelectorAll(".standing li")].map(e => e.querySelector(".verdict").className + ": " + e.textContent)`)
	want := []string{
		"verdict unknown: open TURNED_ON fails if the loop goes on for ever",
		"verdict unknown: open NEVER_STUCK holds if the loop goes on for ever",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the properties: %q, want %q", got, want)
	}
	unproblematic(t, p)
}

// browserPictures: the graph, made small, and an automaton.
func browserPictures(t *testing.T, b *browser.Browser) {
	p := b.Open(t, running(t, serve.Options{Folder: folderWith(t, map[string]string{"mutex.lks": classic(t, "mutex.lks")})}), 1280, 900)
	sound(t, p)
	p.Do(chromedp.Click(chromedp.CSS("#tab-graph")))
	until(t, p, `document.querySelectorAll("#panel-graph [data-state]").length > 10`)
	all := browser.Get[int](p, `document.querySelectorAll("#panel-graph [data-state]").length`)
	p.Screenshot("graph-1280")
	choose(p, "minimise", "strong")
	until(t, p, fmt.Sprintf(`document.querySelectorAll("#panel-graph [data-state]").length < %d && document.querySelectorAll("#panel-graph [data-state]").length > 1`, all))
	p.Do(chromedp.Click(chromedp.CSS("#tab-automaton")))
	until(t, p, `document.querySelectorAll("#panel-automaton [data-state]").length > 0`)
	choose(p, "automaton-formula", "G (p[0].crit -> F p[2].crit)")
	p.Do(chromedp.Click(chromedp.CSS("#draw-automaton")))
	until(t, p, `document.querySelector("#panel-automaton .failure")`)
	if got := text(p, "#panel-automaton .underlined .mistake"); got != "p[2].crit" {
		t.Errorf("%q is underlined in the formula of an automaton", got)
	}
	choose(p, "automaton-formula", "G (p[0].crit -> F p[1].crit)")
	p.Do(chromedp.Click(chromedp.CSS("#draw-automaton")))
	until(t, p, `document.querySelectorAll("#panel-automaton [data-state]").length > 1`)
	p.Screenshot("automaton-1280")
	unproblematic(t, p)
}

// browserScript: nothing of a model is markup: neither its name, nor its text, nor messages.
func browserScript(t *testing.T, b *browser.Browser) {
	const hostile = `<img src=x onerror=alert(1)>.lks`
	p := b.Open(t, running(t, serve.Options{Folder: folderWith(t, map[string]string{hostile: "// <script>alert(1)</script>\nA = (a -> <img src=x onerror=alert(1)>).\n"})}), 1280, 700)
	until(t, p, `document.querySelector("#problems li.error")`)
	put(t, p, "<img src=x onerror=alert(1)>", "STOP")
	until(t, p, `document.body.dataset.ready && document.querySelector("#problems p.good, #problems p.bad")`)
	until(t, p, `!document.getElementById("check-all").disabled`)
	p.Do(chromedp.Click(chromedp.CSS("#check-all")))
	until(t, p, `document.querySelector(".answer")`)
	p.Do(chromedp.Click(chromedp.CSS("#tab-simulate")))
	until(t, p, `document.querySelector(".choices button")`)
	if n := browser.Get[int](p, `document.querySelectorAll("main script, main img, main iframe, main style, [onerror], [onload], [style*=url]").length`); n > 0 {
		t.Errorf("%d elements of a model", n)
	}
	if got := text(p, "#model option:checked"); !strings.HasPrefix(got, hostile) {
		t.Errorf("the name is %q", got)
	}
	unproblematic(t, p)
}

// browserTabs: what is written in one tab is there in another.
func browserTabs(t *testing.T, b *browser.Browser) {
	address := running(t, serve.Options{Folder: folderWith(t, map[string]string{"mutex.lks": classic(t, "mutex.lks")})})
	p, q := b.Open(t, address, 1280, 700), b.Open(t, address, 1280, 700)
	sound(t, p)
	sound(t, q)
	put(t, p, "// Peterson's", "// Gary Peterson's")
	until(t, q, `document.querySelector(".editor textarea").value.startsWith("// Gary Peterson's")`)
	unproblematic(t, p)
	unproblematic(t, q)
}

// browserSwitch: answers about a model that is not open any more are not shown.
func browserSwitch(t *testing.T, b *browser.Browser) {
	p := b.Open(t, running(t, serve.Options{Folder: folderWith(t, map[string]string{"mutex.lks": classic(t, "mutex.lks"), "lamp.lks": lamp})}), 1280, 700)
	sound(t, p)
	p.Do(chromedp.Click(chromedp.CSS("#tab-simulate")))
	for i := range 9 {
		choose(p, "model", []string{"folder:lamp.lks", "folder:mutex.lks"}[i%2])
		time.Sleep(time.Duration(i*i) * 3 * time.Millisecond) // an answer of the last one is on its way, or was there
	}
	until(t, p, `document.querySelector(".locals")?.textContent.includes("LAMP") && document.querySelector(".simgraph svg .title")?.textContent === "LAMP"`)
	time.Sleep(300 * time.Millisecond)
	if got := text(p, ".locals") + text(p, ".simgraph .title") + text(p, ".properties"); strings.Contains(got, "MUTEX") || strings.Contains(got, "PETERSON") {
		t.Errorf("the simulator shows %s", got)
	}
	p.Do(chromedp.Click(chromedp.CSS("#tab-check")), chromedp.Click(chromedp.CSS("#check-all")))
	choose(p, "model", "folder:mutex.lks")
	until(t, p, `document.querySelector(".properties").textContent.includes("OVERTAKEN")`)
	time.Sleep(300 * time.Millisecond)
	if n := browser.Get[int](p, `document.querySelectorAll(".answer").length`); n > 0 {
		t.Errorf("%d answers about another model", n)
	}
	unproblematic(t, p)
}

// browserNew: a model is begun, found again after the page is loaded again, saved, and deleted.
func browserNew(t *testing.T, b *browser.Browser) {
	dir := folderWith(t, map[string]string{"lamp.lks": lamp})
	p := b.Open(t, running(t, serve.Options{Folder: dir, Write: true}), 1280, 700)
	sound(t, p)
	begin := func(name string) {
		p.Do(chromedp.Click(chromedp.CSS("#new")))
		choose(p, "naming-name", name)
		p.Do(chromedp.Click(chromedp.CSS("#naming .primary")))
		until(t, p, `document.querySelector("#model option:checked").textContent.startsWith("`+name+`")`)
		sound(t, p)
	}
	begin("clock.lks")
	p.Do(chromedp.Reload())
	until(t, p, `document.querySelector("#model option:checked")?.textContent.startsWith("clock.lks")`)
	sound(t, p)
	p.Do(chromedp.Click(chromedp.CSS("#save")))
	until(t, p, `document.getElementById("model").value === "folder:clock.lks"`)
	if text, err := os.ReadFile(filepath.Join(dir, "clock.lks")); err != nil || !strings.HasPrefix(string(text), "CLOCK = ") {
		t.Errorf("saved: %q %v", text, err)
	}
	begin("other.lks")
	p.Do(chromedp.Click(chromedp.CSS("#revert")))
	until(t, p, `document.getElementById("model").value.startsWith("folder:") && !document.getElementById("model").textContent.includes("other.lks")`)
	unproblematic(t, p)
}

// browserSizes: on wide and narrow screens nothing but what scrolls by itself is wider than the
// page, in dark, too.
func browserSizes(t *testing.T, b *browser.Browser) {
	address := running(t, serve.Options{Folder: folderWith(t, map[string]string{"mutex.lks": classic(t, "mutex.lks")})})
	for _, width := range []int{1280, 400} {
		p := b.Open(t, address, width, 900)
		sound(t, p)
		p.Do(chromedp.Click(chromedp.CSS("#check-all")))
		until(t, p, `document.querySelectorAll(".answer").length === 7`)
		for _, scheme := range []string{"light", "dark"} {
			p.Media("", "prefers-color-scheme", scheme)
			for _, tab := range []string{"check", "simulate", "graph", "automaton"} {
				p.Do(chromedp.Click(chromedp.CSS("#tab-" + tab)))
				until(t, p, map[string]string{"check": `true`, "simulate": `document.querySelector(".simgraph .current")`, "graph": `document.querySelector("#panel-graph svg")`, "automaton": `document.querySelector("#panel-automaton svg")`}[tab])
				if wide := browser.Get[int](p, `document.documentElement.scrollWidth`); wide > width {
					t.Errorf("at %d pixels, %s, %s: the page is %d wide", width, scheme, tab, wide)
				}
				p.Screenshot(fmt.Sprintf("%s-%d-%s", tab, width, scheme))
			}
		}
		unproblematic(t, p)
	}
}
