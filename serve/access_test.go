package serve_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/seltl/seltl/internal/testing/browser"
	"github.com/seltl/seltl/serve"
)

// everything is a model with something of all that the page shows: a mistake's remark, properties
// that hold and fail, a deadlock, menus, constants, a property process.
const everything = `const N = 2
const UNUSED = 7
range R = 0..N
FORK = (get -> put -> FORK).
PHIL {think} = (sit -> LEFT), LEFT {hungry} = (left.get -> RIGHT), RIGHT = (right.get -> EAT), EAT {eat} = (left.put -> right.put -> rise -> PHIL).
||TABLE = (forall [i:0..N-1] (phil[i]:PHIL || {phil[i].left, phil[(i+1)%N].right}::FORK)).
menu SIT = {phil[0..N-1].sit}
progress FED = {phil[0].rise}
ltl EATS = G (phil[0].sit -> F phil[0].eat)
ltl CAREFUL = G !(phil[0].eat & phil[1].eat)
ltl STARTS = phil[0].think
ltl STUCK = F deadlock
`

// prepared are the tabs of the page with everything that they can show.
var prepared = []struct {
	tab   string
	ready func(t *testing.T, p *browser.Page)
}{
	{"check", func(t *testing.T, p *browser.Page) {
		choose(p, "formula", "G (phil[0].eat -> )")
		p.Do(chromedp.Click(chromedp.CSS("#check-all")))
		until(t, p, `document.querySelector(".answer[open] .stepper .where") && document.querySelector("#formula-says .mistake")`)
		p.Do(chromedp.Click(chromedp.CSS(`.answer[open] .stepper button[aria-label="Step forward"]`)))
		put(t, p, "const UNUSED = 7", "const UNUSED = 7\nQ = (a -> Q), LOST = (b -> LOST).\n||P = QQ.")
		until(t, p, `document.querySelector(".layer .mistake") && document.querySelector(".stale")`)
		browser.Get[bool](p, `document.querySelectorAll("#panel-check details").forEach(d => { d.open = true }) || true`)
		until(t, p, `[...document.querySelectorAll(".answer .stepper")].every(s => s.firstChild)`)
	}},
	{"simulate", func(t *testing.T, p *browser.Page) {
		p.Do(chromedp.Click(chromedp.CSS("#revert")))
		sound(t, p)
		until(t, p, `document.querySelector(".simgraph .current")`)
		choose(p, "goal", "deadlock")
		p.Do(chromedp.Click(chromedp.CSS("#go")))
		until(t, p, `document.querySelector(".choices .waits")`)
		p.Do(chromedp.Click(chromedp.CSS("#undo")))
		until(t, p, `document.querySelector(".history .ahead") && document.querySelector(".choice")`)
	}},
	{"graph", func(t *testing.T, p *browser.Page) { until(t, p, `document.querySelector("#panel-graph svg")`) }},
	{"automaton", func(t *testing.T, p *browser.Page) {
		until(t, p, `document.querySelector("#panel-automaton svg")`)
	}},
}

// browserAccess: everybody can read and use the page: with little sight, without a mouse, on a
// small screen, with a screen reader.
func browserAccess(t *testing.T, b *browser.Browser) {
	p := b.Open(t, running(t, serve.Options{Folder: folderWith(t, map[string]string{"all.lks": everything}), Write: true}), 1280, 900)
	sound(t, p)
	for _, k := range prepared {
		p.Do(chromedp.Click(chromedp.CSS("#tab-" + k.tab)))
		k.ready(t, p)
		for _, size := range []struct {
			width  int
			scheme string
		}{{1280, "light"}, {1280, "dark"}, {640, "light"}, {320, "light"}} { // 640: 1280 made twice as large
			p.Do(chromedp.EmulateViewport(int64(size.width), 900))
			p.Media("", "prefers-color-scheme", size.scheme, "prefers-reduced-motion", "reduce")
			for _, found := range p.Audit() {
				t.Errorf("%s, %d, %s: %s", k.tab, size.width, size.scheme, found)
			}
			p.Screenshot(fmt.Sprintf("access-%s-%d-%s", k.tab, size.width, size.scheme))
		}
		for _, found := range p.Tour(160) { // on a small screen, still without motion
			t.Errorf("%s: %s", k.tab, found)
		}
		p.Do(chromedp.EmulateViewport(1280, 900))
	}
	unproblematic(t, p)
}

// browserColours: what colours tell is told otherwise, too.
func browserColours(t *testing.T, b *browser.Browser) {
	p := b.Open(t, running(t, serve.Options{Folder: folderWith(t, map[string]string{"all.lks": everything}), Write: true}), 1280, 900)
	sound(t, p)
	differ := func(marked, plain string) {
		t.Helper()
		if same := p.Alike(marked, plain); same != "" {
			t.Error(same)
		}
	}
	for _, k := range prepared[:2] {
		p.Do(chromedp.Click(chromedp.CSS("#tab-" + k.tab)))
		k.ready(t, p)
		switch k.tab {
		case "check":
			differ(".layer .mistake", ".layer")
			differ("#problems li.error", "#problems li.warning")
			differ(".properties .verdict.holds", ".properties .verdict.violated")
			differ(".properties .verdict.old", ".answer .verdict.violated")
			differ(".answer .locals tr.now th", ".answer .locals tr:not(.now) th")
			differ(".answer tr.loop td", ".answer tr:not(.loop) td")
			differ(".answer .yes", ".answer .no")
		case "simulate":
			differ(".bands .band", ".bands")
			differ(".history .here button", ".history .ahead button")
			differ(".locals tr.now th", ".locals tr:not(.now) th")
			differ(".choice.ahead", ".choice:not(.ahead)")
			differ(".simgraph .current > .shape", ".simgraph .node:not(.current):not(.next) > .shape")
			differ(".simgraph .next > .shape", ".simgraph .node:not(.current):not(.next) > .shape")
		}
	}
	unproblematic(t, p)
}

// browserKeys: the page is used by keys, and screen readers are told what has come out.
func browserKeys(t *testing.T, b *browser.Browser) {
	p := b.Open(t, running(t, serve.Options{Folder: folderWith(t, map[string]string{"all.lks": everything}), Write: true}), 1280, 900)
	sound(t, p)
	p.Do(chromedp.Focus(area), chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(kb.ModifierCtrl)))
	until(t, p, `[...document.querySelectorAll("#panel-check [role=status]")].some(e => e.textContent === "3 holds, 4 fails")`)
	if got := browser.Get[string](p, `document.activeElement.closest("[role]")?.id || document.activeElement.localName`); got == "body" {
		t.Error("the focus is lost")
	}
	p.Do(chromedp.Focus(chromedp.CSS("#tab-check")), chromedp.KeyEvent(kb.ArrowRight))
	until(t, p, `document.activeElement.id === "tab-simulate" && document.querySelector(".simgraph .current[tabindex='0']")`)
	// Arrow keys lead to a state that can be next, Enter goes there.
	p.Do(chromedp.Focus(chromedp.CSS(".simgraph .current")))
	for range 8 {
		if browser.Get[bool](p, `document.activeElement.matches(".next")`) {
			break
		}
		key := browser.Get[string](p, `(() => { const n = document.querySelector(".simgraph .next").getBoundingClientRect(), b = document.activeElement.getBoundingClientRect();
			const x = n.left + n.right - b.left - b.right, y = n.top + n.bottom - b.top - b.bottom;
			return Math.abs(y) > Math.abs(x) ? (y > 0 ? "down" : "up") : x > 0 ? "right" : "left" })()`)
		p.Do(chromedp.KeyEvent(map[string]string{"up": kb.ArrowUp, "down": kb.ArrowDown, "left": kb.ArrowLeft, "right": kb.ArrowRight}[key]))
	}
	to := browser.Get[string](p, `document.activeElement.matches(".next") ? document.activeElement.dataset.state : "nowhere"`)
	p.Do(chromedp.KeyEvent(kb.Enter))
	until(t, p, fmt.Sprintf(`document.querySelector(".simgraph .current").dataset.state === %q && document.querySelector("#sim-says").textContent.startsWith("Step 1")`, to))
	// A window in the page: the focus goes there and comes back.
	p.Do(chromedp.Focus(chromedp.CSS("#new")), chromedp.KeyEvent(kb.Enter))
	until(t, p, `document.getElementById("naming").contains(document.activeElement)`)
	for _, found := range p.Audit() {
		t.Errorf("a new model: %s", found)
	}
	p.Do(chromedp.KeyEvent(kb.Escape))
	until(t, p, `document.activeElement.id === "new"`)
	unproblematic(t, p)
}
