package serve_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/seltl/seltl/internal/testing/browser"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/serve"
	"github.com/seltl/seltl/specs"
)

// quickly is a server that gives up soon.
func quickly(folder string) serve.Options {
	return serve.Options{Folder: folder, Limits: serve.Limits{States: 20_000, Time: 5 * time.Second, Quick: 5 * time.Second}}
}

// browserTextbook: the models of LTSA's textbook, chapters 3 to 7, are opened, checked, stepped
// through and drawn.
func browserTextbook(t *testing.T, b *browser.Browser) {
	folder := filepath.Join("..", "..", "shared", "oracle", "ltsa", "examples")
	files, err := filepath.Glob(filepath.Join(folder, "chapter[3-7]_lts", "*.lts"))
	if err != nil || len(files) == 0 {
		t.Skip("SKIPPED: the models of LTSA's textbook (../shared/oracle/ltsa) are not here")
	}
	var ids []string
	for i, file := range files {
		if name, err := filepath.Rel(folder, file); err == nil && (soak.On() || i%5 == 0) {
			ids = append(ids, "folder:"+filepath.ToSlash(name))
		}
	}
	useAll(t, b.Open(t, running(t, quickly(folder)), 1280, 900), ids)
}

// browserExamples: the same for the models that the page offers where there are none.
func browserExamples(t *testing.T, b *browser.Browser) {
	var ids []string
	err := fs.WalkDir(specs.Examples, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			ids = append(ids, "examples:"+name)
		}
		return err
	})
	if err != nil || len(ids) < 13 {
		t.Fatal(ids, err)
	}
	useAll(t, b.Open(t, running(t, quickly(t.TempDir())), 1280, 900), ids)
}

// useAll opens models one after the other and uses each.
func useAll(t *testing.T, p *browser.Page, ids []string) {
	sound(t, p)
	runs, drawn, steps := 0, 0, 0
	for _, id := range slices.Backward(ids) { // the page begins with the first one
		choose(p, "model", id)
		until(t, p, fmt.Sprintf(`decodeURIComponent(location.hash) === %q && document.querySelector("#problems p.good, #problems p.bad")`, "#"+id))
		if bad := text(p, "#problems p.bad"); bad != "(nothing)" {
			t.Errorf("%s: %s", id, text(p, "#problems"))
			continue
		}
		p.Do(chromedp.Click(chromedp.CSS("#tab-check")), chromedp.Click(chromedp.CSS("#check-all")))
		until(t, p, `document.querySelector(".answer, .found .failure") && document.querySelector(".running").hidden`)
		if wrong := browser.Get[string](p, `[...document.querySelectorAll(".found .failure, #banner:not([hidden])")].map(e => e.textContent).join()`); wrong != "" {
			t.Errorf("%s: checked: %s", id, wrong)
		}
		runs += browser.Get[int](p, `document.querySelectorAll(".tosim").length`)

		p.Do(chromedp.Click(chromedp.CSS("#tab-simulate")))
		until(t, p, `document.querySelector(".choices li") && document.querySelector(".locals td")`)
		for n := 1; n <= 3 && browser.Get[bool](p, `document.querySelector(".choice:not(:disabled)") !== null`); n++ {
			p.Do(chromedp.Click(chromedp.CSS(".choice:not(:disabled)")))
			until(t, p, fmt.Sprintf(`document.querySelector(".history .here")?.value === %d`, n))
			steps++
		}
		until(t, p, `document.querySelector(".simgraph .current") && document.querySelectorAll(".simgraph .next").length <= document.querySelectorAll(".choice").length`)
		if said := text(p, "#sim-says .failure"); said != "(nothing)" {
			t.Errorf("%s: stepped through: %s", id, said)
		}

		p.Do(chromedp.Click(chromedp.CSS("#tab-graph")))
		until(t, p, `document.querySelector("#panel-graph svg, #panel-graph .failure")`)
		if said := text(p, "#panel-graph .failure"); said != "(nothing)" && !strings.Contains(said, "too many") && !strings.Contains(said, "limit") {
			t.Errorf("%s: drawn: %s", id, said)
		} else if said == "(nothing)" {
			drawn++
		}
		p.Do(chromedp.Click(chromedp.CSS("#tab-automaton")))
		until(t, p, `document.querySelector("#panel-automaton svg, #panel-automaton .failure") || document.querySelector("#panel-automaton .says").textContent.includes("needed")`)
		if said := text(p, "#panel-automaton .failure"); said != "(nothing)" {
			t.Errorf("%s: automaton: %s", id, said)
		}
		unproblematic(t, p)
	}
	t.Logf("%d models: %d runs, %d steps, %d drawn", len(ids), runs, steps, drawn)
	if drawn < len(ids)/3 || steps < 2*len(ids) || runs < 3 {
		t.Error("that is little")
	}
}

// browserListed: the list of properties says of processes what the search for errors has found: which
// property fails, and which are not part of what is checked.
func browserListed(t *testing.T, b *browser.Browser) {
	const model = `P = (a -> b -> P).
property FINE = (a -> b -> FINE). // expect: holds
property WRONG = (b -> a -> WRONG). // expect: fails
property LOST = (b -> a -> LOST). // expect: fails
||PART = (P || LOST).
||S = (P || FINE || WRONG).
`
	p := b.Open(t, running(t, serve.Options{Folder: folderWith(t, map[string]string{"m.lks": model, "z.lks": "P = (a -> "})}), 1280, 900)
	sound(t, p)
	list := func() string {
		return browser.Get[string](p, `[...document.querySelectorAll(".properties tbody tr")].map(r => r.cells[0].textContent + " " + r.cells[2].textContent.trim()).join("; ")`)
	}
	until(t, p, `document.querySelectorAll(".properties tbody tr").length === 3`)
	if got, want := list(), "— FINE expected: holds; — WRONG expected: fails; not checked LOST expected: fails"; got != want {
		t.Errorf("before: %s, want %s", got, want)
	}
	p.Do(chromedp.Click(chromedp.CSS("#tab-check")), chromedp.Click(chromedp.CSS("#check-all")))
	until(t, p, `document.querySelector(".answer, .found .failure") && document.querySelector(".running").hidden`)
	if got, want := list(), "— FINE expected: holds; fails WRONG expected: fails; unknown LOST expected: fails"; got != want {
		t.Errorf("after: %s, want %s", got, want)
	}
	// Of a model with mistakes there is no list, and not that of the model before.
	choose(p, "model", "folder:z.lks")
	until(t, p, `location.hash.includes("z.lks") && document.querySelector("#problems p.bad, #problems li.error")`)
	if got := list(); got != "" {
		t.Errorf("of a model with a mistake: %s", got)
	}
	unproblematic(t, p)
}

// browserNear: of a large model the states around the present one are drawn, wherever that is.
func browserNear(t *testing.T, b *browser.Browser) {
	p := b.Open(t, running(t, serve.Options{Folder: folderWith(t, map[string]string{"long.lks": long, "elevator.lks": classic(t, "elevator.lks")})}), 1280, 900)
	sound(t, p)
	at := func(steps int) {
		t.Helper()
		until(t, p, fmt.Sprintf(`document.querySelector(".simgraph [data-step='%d'] .current") && document.querySelectorAll(".simgraph .next").length >= 1`, steps))
		if n := browser.Get[int](p, `document.querySelectorAll(".simgraph .node").length`); n < 3 || n > 30 {
			t.Errorf("after %d steps %d states are drawn", steps, n)
		}
	}
	p.Do(chromedp.Click(chromedp.CSS("#tab-simulate")))
	at(0) // of 72 states
	p.Screenshot("near-1280")
	p.Do(chromedp.Click(chromedp.CSS("#states-shown")))
	until(t, p, `document.querySelectorAll(".simgraph .node").length === 72 && document.querySelector(".simgraph .current")`)
	p.Do(chromedp.Click(chromedp.CSS("#states-shown")))
	until(t, p, `document.querySelectorAll(".simgraph .node").length < 72`)
	at(0)
	choose(p, "model", "folder:long.lks")
	until(t, p, `document.querySelector(".simgraph .group")?.textContent.includes("too many")`)
	at(0)
	p.Do(chromedp.Click(chromedp.CSS(`[aria-label="Ten steps at random"]`)))
	at(10)
	to := browser.Get[string](p, `(() => { const n = document.querySelector(".simgraph .next"); n.dispatchEvent(new MouseEvent("click", {bubbles: true})); return n.dataset.state })()`)
	at(11)
	if got := browser.Get[string](p, `document.querySelector(".simgraph .current").dataset.state`); got != to {
		t.Errorf("a click on state %s leads to %s", to, got)
	}
	unproblematic(t, p)
}

// browserOdd: texts that are no models, an empty one, a large one, and many files.
func browserOdd(t *testing.T, b *browser.Browser) {
	large := &strings.Builder{}
	for i := 0; large.Len() < 1<<20-200; i++ {
		fmt.Fprintf(large, "PROCESS_%d = (begin[%d] -> end[%d] -> PROCESS_%d).\n", i, i, i, i)
	}
	large.WriteString("LAST = (a -> LAST | b -> STOP).\nltl SAFE = G !b\n")
	files := map[string]string{"a-garbage.lks": "\x00\x01 ~~~ }{ \xff\xfe no model <b>bold</b>\n((((", "b-empty.lks": "", "c-large.lks": large.String(), "d.aut": "des (0,,\n"}
	for i := range 600 {
		files[fmt.Sprintf("many/m%03d.lks", i)] = lamp
	}
	p := b.Open(t, running(t, quickly(folderWith(t, files))), 1280, 900)
	until(t, p, `document.querySelector("#problems li.error") && document.querySelector(".layer .mistake")`)
	p.Screenshot("garbage-1280")
	for _, tab := range []string{"check", "simulate", "graph", "automaton"} {
		p.Do(chromedp.Click(chromedp.CSS("#tab-" + tab)))
		if tab != "check" {
			until(t, p, fmt.Sprintf(`/mistake|needed/.test(document.querySelector("#panel-%s .says").textContent)`, tab))
		}
		p.Screenshot("garbage-" + tab)
		for _, found := range p.Audit() {
			t.Errorf("%s of garbage: %s", tab, found)
		}
	}
	choose(p, "model", "folder:b-empty.lks")
	until(t, p, `location.hash.includes("empty") && document.querySelector("#problems p.bad, #problems p.good")`)
	p.Screenshot("empty-1280")
	choose(p, "model", "folder:d.aut")
	until(t, p, `location.hash.includes("d.aut") && document.querySelector("#problems li.error")`)
	choose(p, "model", "folder:many/m100.lks")
	sound(t, p)
	until(t, p, `document.querySelectorAll("#model option").length > 400`)
	if got := browser.Get[string](p, `document.querySelector("#model").textContent`); !strings.Contains(got, "more") {
		t.Errorf("it is not said that there are more files: %s", got)
	}
	choose(p, "model", "folder:c-large.lks")
	until(t, p, `location.hash.includes("large") && document.querySelector("#problems p.bad, #problems p.good")`)
	p.Screenshot("large-1280")
	put(t, p, "SAFE", "S")
	until(t, p, `document.querySelector("#problems p.bad, #problems p.good") && document.querySelector(".editor textarea").value.includes("ltl S = G")`)
	unproblematic(t, p)
}
