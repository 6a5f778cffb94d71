package browser

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

//go:embed audit.js
var auditScript string

// Audit returns what of the page, as it is shown now, somebody cannot read, reach or
// understand, by those success criteria of WCAG 2.2, levels A and AA, that a program can judge.
func (p *Page) Audit() []string {
	p.t.Helper()
	p.settle()
	return append(Get[[]string](p, auditScript), p.named()...)
}

// settle waits until the page is laid out, and has done what it does then.
func (p *Page) settle() {
	p.t.Helper()
	Get[bool](p, `(() => { window.settled = false; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => { window.settled = true }))); return true })()`)
	p.Until(`window.settled`)
}

// named finds what has no name in the tree that screen readers get.
func (p *Page) named() (found []string) {
	p.t.Helper()
	tree, err := chromedp.Call(p.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		p.t.Fatalf("browser: %v", err)
	}
	text := func(v *accessibility.Value) (s string) {
		if v != nil {
			_ = json.Unmarshal(v.Value, &s) // what is no text has no name
		}
		return s
	}
	roles := strings.Fields(`button link textbox searchbox combobox listbox checkbox radio slider spinbutton progressbar tab tabpanel tablist dialog
		alertdialog region img image graphics-document DisclosureTriangle heading option group`)
	landmarks := 0
	for _, n := range tree.Nodes {
		if n.Ignored {
			continue
		}
		role, name := text(n.Role), strings.TrimSpace(text(n.Name))
		if role == "main" || role == "banner" {
			landmarks++
		}
		focusable := slices.ContainsFunc(n.Properties, func(q *accessibility.Property) bool {
			return q.Name == accessibility.PropertyNameFocusable && q.Value != nil && string(q.Value.Value) == "true"
		})
		nameless := slices.Contains(roles, role) && !(role == "group" && !focusable)
		if name == "" && (nameless || focusable && role != "RootWebArea") {
			found = append(found, fmt.Sprintf("4.1.2 a %s without a name: node %s, %q", role, n.NodeID, text(n.Description)))
		}
	}
	if landmarks != 2 && !Get[bool](p, `document.querySelector("dialog:modal") !== null`) {
		found = append(found, fmt.Sprintf("1.3.1 %d landmarks for the header and the main part", landmarks))
	}
	return found
}

// stop is what has the focus.
type stop struct {
	Number  int    `json:"number"` // of the element, -1: none
	Name    string `json:"name"`
	Visible string `json:"visible"` // what is wrong with how the focus is shown
}

// where describes what has the focus.
const where = `(() => {
	const e = document.activeElement;
	window.stops = window.stops || [];
	if (!e || e === document.body || e === document.documentElement) return {number: -1, name: "", visible: ""};
	if (!window.stops.includes(e)) window.stops.push(e);
	let ring = false;
	for (const x of [e, ...(e.closest("svg") ? e.children : []), e.closest(".editor")]) {
		if (!x) continue;
		const s = getComputedStyle(x);
		ring = ring || s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2 || x.matches(".editor") && s.boxShadow !== "none" || x.matches(".shape") && parseFloat(s.strokeWidth) >= 3;
	}
	const b = e.getBoundingClientRect(), x = Math.min(Math.max((b.left + b.right) / 2, Math.max(b.left, 1)), Math.min(b.right, innerWidth) - 1), y = Math.min(Math.max((b.top + b.bottom) / 2, 1), innerHeight - 1);
	const top = document.elementFromPoint(x, y);
	const covered = !(b.bottom > 0 && b.top < innerHeight) ? "it is outside of the window" : top && !e.contains(top) && !top.contains(e) && !(e.labels && [...e.labels].some(l => l.contains(top))) && !e.closest("svg, .sheet") ? "it is covered by " + top.localName + "." + top.className : "";
	return {number: window.stops.indexOf(e), name: e.localName + (e.id ? "#" + e.id : "") + " " + JSON.stringify((e.getAttribute("aria-label") || e.textContent || e.value || "").trim().slice(0, 40)), visible: ring ? covered : "its focus is not seen"};
})()`

// Tour goes through the page by the Tab key alone. It returns what cannot be reached, and where
// the focus is not seen; most is the largest number of stops.
func (p *Page) Tour(most int) (found []string) {
	p.t.Helper()
	Get[bool](p, `(() => { window.stops = []; document.activeElement.blur(); getSelection().removeAllRanges(); const s = document.createElement("span"); s.tabIndex = -1; document.body.prepend(s); s.focus(); s.remove(); return true })()`)
	first := -1
	for range most + 1 {
		p.Do(chromedp.KeyEvent(kb.Tab))
		at := Get[stop](p, where)
		if at.Visible != "" {
			found = append(found, "2.4.7 "+at.Visible+": "+at.Name)
		}
		switch {
		case at.Number < 0, at.Number == first && Get[int](p, `window.stops.length`) > 1: // round once
			return append(found, Get[[]string](p, unreached)...)
		case first < 0:
			first = at.Number
		}
	}
	return append(found, fmt.Sprintf("2.4.3 more than %d stops, the last ones %s", most, Get[string](p, `window.stops.slice(-3).map(e => e.outerHTML.slice(0, 80)).join(" ")`)))
}

// unreached lists what can be used, but was not reached by Tab: of tabs, radio buttons and
// states of a picture one is enough, from which arrow keys lead to the others.
const unreached = `[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter(e =>
	e.checkVisibility({checkVisibilityCSS: true}) && e.getBoundingClientRect().width > 1 && !e.disabled && !window.stops.includes(e) &&
	!(e.tabIndex < 0 && (e.matches("[role=tab], section") || e.matches("[tabindex='-1']") && (e.closest("svg") || !e.matches("a, button, input, select, textarea, summary")))) && !(e.type === "radio")
).map(e => "2.1.1 it is not reached by Tab: " + e.localName + (e.id ? "#" + e.id : "") + "." + e.className + " " + JSON.stringify((e.getAttribute("aria-label") || e.textContent || "").trim().slice(0, 40)))`

// Alike says how the first element of one kind looks like that of another but for its colours, ""
// if it does not (WCAG 1.4.1).
func (p *Page) Alike(marked, plain string) string {
	p.t.Helper()
	return Get[string](p, fmt.Sprintf(`((marked, plain) => {
	const a = document.querySelector(marked), b = document.querySelector(plain);
	if (!a || !b) return "there is no " + (a ? plain : marked);
	const properties = ["fontWeight", "fontStyle", "textDecorationLine", "textDecorationStyle", "borderLeftWidth", "borderTopWidth", "borderTopStyle", "outlineStyle", "strokeWidth", "strokeDasharray", "visibility"];
	for (const [pseudo, more] of [[null, []], ["::before", ["content"]], ["::after", ["content"]]]) {
		const s = getComputedStyle(a, pseudo), r = getComputedStyle(b, pseudo);
		if ((pseudo === null || s.content !== "none" || r.content !== "none") && [...properties, ...more].some(k => s[k] !== r[k])) return "";
	}
	const words = e => e.matches(".verdict, .yes, .no") ? e.textContent : [...e.querySelectorAll("strong, em, .lies")].map(x => x.textContent).join();
	return words(a) !== words(b) ? "" : marked + " differs from " + plain + " by colour only";
})(%q, %q)`, marked, plain))
}
