package serve_test

import (
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/seltl/seltl/internal/testing/browser"
	"github.com/seltl/seltl/serve"
)

// wire lets a browser reach a server, or not.
type wire struct {
	l      net.Listener
	to     string
	mu     sync.Mutex
	silent bool // answers do not arrive
	open   []net.Conn
}

// newWire lays a wire to a server, until the end of a test, and returns the address at its end.
func newWire(t *testing.T, address string) (*wire, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{l: l, to: u.Host}
	go w.accept()
	t.Cleanup(func() { l.Close(); w.silence(false) })
	u.Host = l.Addr().String()
	return w, u.String()
}

func (w *wire) accept() {
	for {
		near, err := w.l.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", w.to)
		if err != nil {
			near.Close()
			continue
		}
		w.mu.Lock()
		w.open = append(w.open, near, far)
		w.mu.Unlock()
		go func() { _, _ = io.Copy(far, near) }()
		go w.answers(near, far)
	}
}

// answers passes on what the server says, and loses it where the wire is silent.
func (w *wire) answers(near, far net.Conn) {
	b := make([]byte, 32<<10)
	for {
		n, err := far.Read(b)
		w.mu.Lock()
		silent := w.silent
		w.mu.Unlock()
		if n > 0 && !silent {
			_, _ = near.Write(b[:n])
		}
		if err != nil {
			if !silent {
				near.Close()
			}
			return
		}
	}
}

// silence loses all answers from now on, or ends that with new connections.
func (w *wire) silence(on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.silent = on; !on {
		for _, c := range w.open {
			c.Close()
		}
		w.open = nil
	}
}

// writable is a server of some files that can be written.
func writable(t *testing.T, files map[string]string) serve.Options {
	return serve.Options{Folder: folderWith(t, files), Write: true}
}

// stands waits for what the page says of the server.
func stands(t *testing.T, p *browser.Page, state, text string) {
	t.Helper()
	until(t, p, fmt.Sprintf(`document.getElementById("banner").dataset.state === %q && document.getElementById("banner").textContent.includes(%q)`, state, text))
}

// unproblematicOtherwise allows what a browser logs where nobody answers.
func unproblematicOtherwise(t *testing.T, p *browser.Page) {
	t.Helper()
	for _, found := range p.Problems() {
		if !strings.Contains(found, "Failed to load resource") {
			t.Errorf("problem: %s", found)
		}
	}
}

// browserOffline: the network is cut while a check goes on and somebody types. The page says so, and
// everything goes on by itself.
func browserOffline(t *testing.T, b *browser.Browser) {
	p := b.Open(t, running(t, writable(t, map[string]string{"long.lks": long})), 1280, 700)
	sound(t, p)
	p.Do(chromedp.Click(chromedp.CSS("#check-deadlock")))
	until(t, p, `/[0-9,]{5,} states/.test(document.querySelector(".progress")?.textContent)`)
	p.Offline(true)
	stands(t, p, "away", "goes on when the server is back")
	p.Screenshot("offline-1280")
	put(t, p, "const N = 24", "const N = 23\nconst M = N +")
	if got := browser.Get[bool](p, `document.querySelector(".progress") !== null && document.querySelector(".editor textarea").value.includes("const M")`); !got {
		t.Error("the text or the check is lost")
	}
	before := text(p, ".progress")
	p.Offline(false)
	stands(t, p, "here", "answers again")
	until(t, p, `document.querySelector("#problems li.error")`) // the text that was typed is read
	until(t, p, fmt.Sprintf(`document.querySelector(".progress").textContent !== %q`, before))
	p.Do(chromedp.Click(chromedp.CSS("#cancel")))
	until(t, p, `document.getElementById("cancelled")`)
	unproblematicOtherwise(t, p)
}

// browserSilence: requests arrive, and answers do not. Once they do again each step was made once,
// there is one check, and the file was written once.
func browserSilence(t *testing.T, b *browser.Browser) {
	opts := writable(t, map[string]string{"lamp.lks": lamp})
	opts.Patience = time.Second // a request that takes longer is doubted
	w, address := newWire(t, running(t, opts))
	p := b.Open(t, address, 1280, 700)
	sound(t, p)
	p.Do(chromedp.Click(chromedp.CSS("#tab-simulate")))
	until(t, p, `document.querySelector(".simgraph .current")`)
	w.silence(true)
	p.Do(chromedp.Click(chromedp.CSS(".choices li:nth-child(1) button")))
	stands(t, p, "away", "does not answer")
	p.Do(chromedp.Click(chromedp.CSS("#undo + button + button"))) // a step at random: not done later
	w.silence(false)
	stands(t, p, "here", "answers again")
	until(t, p, `document.querySelector(".history .here").value === 1`)
	p.Do(chromedp.Click(chromedp.CSS(".choices li:nth-child(1) button")))
	until(t, p, `document.querySelector(".history .here").value === 2`)
	if n := browser.Get[int](p, `document.querySelectorAll(".history li").length`); n != 3 {
		t.Errorf("the run has %d states, want 3", n)
	}

	put(t, p, "LAMP", "// mine\nLAMP")
	sound(t, p)
	w.silence(true)
	p.Do(chromedp.Click(chromedp.CSS("#tab-check")), chromedp.Click(chromedp.CSS("#check-deadlock")), chromedp.Click(chromedp.CSS("#save")))
	stands(t, p, "away", "does not answer")
	w.silence(false)
	until(t, p, `document.querySelector(".answer") && document.getElementById("save").disabled && document.querySelector("#problems p.good")`)
	if id := browser.Get[string](p, `JSON.parse(sessionStorage[Object.keys(sessionStorage).find(k => k.endsWith("lamp.lks"))]).check`); !strings.HasPrefix(id, "1-") {
		t.Errorf("the check has the number %s", id)
	}
	unproblematicOtherwise(t, p)
}

// browserRestart: another server at the same address. The page says what is to be done, and goes on
// once that is done in another tab; with the models of another folder only if it is told to.
func browserRestart(t *testing.T, b *browser.Browser) {
	opts := writable(t, map[string]string{"long.lks": long})
	listen := func(at string) net.Listener {
		l, err := serve.Listen(at, false)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	l := listen("127.0.0.1:0")
	at := l.Addr().String()
	address, end := started(t, opts, l)
	p := b.Open(t, address, 1280, 700)
	sound(t, p)
	p.Do(chromedp.Click(chromedp.CSS("#check-deadlock")))
	until(t, p, `/[0-9,]{5,} states/.test(document.querySelector(".progress")?.textContent)`)
	end()
	stands(t, p, "away", "does not answer")
	put(t, p, "const N = 24", "const N = 3")

	address, end = started(t, opts, listen(at))
	stands(t, p, "token", "open the address")
	p.Screenshot("token-1280")
	b.Open(t, address, 1280, 700)
	stands(t, p, "other", "started again")
	until(t, p, `document.getElementById("check-again")`)
	p.Screenshot("restarted-1280")
	sound(t, p)
	p.Do(chromedp.Click(chromedp.CSS("#check-again")))
	until(t, p, `document.querySelectorAll(".answer .verdict.holds").length === 2`)
	if got := browser.Get[string](p, `document.querySelector(".editor textarea").value`); !strings.HasPrefix(got, "const N = 3\n") {
		t.Errorf("the text: %s", got)
	}
	end()

	opts.Folder = folderWith(t, map[string]string{"long.lks": lamp})
	address, end = started(t, opts, listen(at))
	defer end()
	browser.Get[bool](p, `window.dispatchEvent(new Event("focus"))`) // somebody comes back to it
	stands(t, p, "token", "open the address")
	q := b.Open(t, address, 1280, 700)
	stands(t, p, "other", "another folder")
	sound(t, q)
	if got := browser.Get[string](q, `document.querySelector(".editor textarea").value`); got != lamp {
		t.Errorf("the text of the other folder: %s", got)
	}
	p.Do(chromedp.Click(chromedp.CSS("#save")))
	until(t, p, `document.querySelector("#problems").textContent.includes("nothing was written")`)
	p.Do(chromedp.Click(chromedp.CSS("#banner button")))
	until(t, p, `document.querySelector(".editor textarea")?.value.startsWith("LAMP")`)
	unproblematicOtherwise(t, p)
}

// browserTwins: a tab that was duplicated has a simulation of its own, which begins where the other
// one is; and a model that is reverted in one is so in the other.
func browserTwins(t *testing.T, b *browser.Browser) {
	address := running(t, writable(t, map[string]string{"mutex.lks": classic(t, "mutex.lks")}))
	p, q := b.Open(t, address, 1280, 700), b.Open(t, address, 1280, 700)
	sound(t, p)
	sound(t, q)
	p.Do(chromedp.Click(chromedp.CSS("#tab-simulate")))
	until(t, p, `document.querySelector(".simgraph .current")`)
	at := func(p *browser.Page, n, all int) {
		t.Helper()
		until(t, p, fmt.Sprintf(`document.querySelector(".history .here")?.value === %d && document.querySelectorAll(".history li").length === %d`, n, all))
	}
	for n := range 3 {
		p.Do(chromedp.Click(chromedp.CSS(".choices li:last-child button")))
		at(p, n+1, n+2)
	}
	p.Do(chromedp.Click(chromedp.CSS("#undo")))
	at(p, 2, 4)
	// A browser that duplicates a tab copies this storage.
	kept := browser.Get[string](p, `JSON.stringify({...sessionStorage})`)
	browser.Get[bool](q, fmt.Sprintf(`Object.entries(JSON.parse(%q)).map(([k, v]) => sessionStorage.setItem(k, v)).length > 0`, kept))
	q.Do(chromedp.Reload())
	at(q, 2, 4)
	if a, b := text(p, ".locals"), text(q, ".locals"); a != b {
		t.Errorf("the twins are in %s and in %s", a, b)
	}
	q.Do(chromedp.Click(chromedp.CSS("#undo")))
	at(q, 1, 4)
	p.Do(chromedp.Click(chromedp.CSS("#redo")))
	at(p, 3, 4)
	q.Do(chromedp.Reload())
	at(q, 1, 4)
	at(p, 3, 4)

	put(t, p, "// Peterson's", "// Gary Peterson's")
	until(t, q, `document.querySelector(".editor textarea").value.startsWith("// Gary Peterson's")`)
	p.Do(chromedp.Click(chromedp.CSS("#revert")))
	until(t, q, `document.querySelector(".editor textarea").value.startsWith("// Peterson's")`)
	q.Do(chromedp.Reload())
	sound(t, q)
	if got := browser.Get[string](q, `document.querySelector(".editor textarea").value`); got != classic(t, "mutex.lks") {
		t.Error("what was reverted is there again")
	}
	unproblematic(t, p)
	unproblematic(t, q)
}

// Requests that are sent again, since their answers were lost, do nothing twice; and a server tells
// who it is.
func TestAgain(t *testing.T) {
	dir := folderWith(t, map[string]string{"a.lks": lamp})
	c := newClient(t, serve.Options{Folder: dir, Write: true})
	_, self := c.ask("/api/alive", nil)
	_, start := c.ask("/api/start", nil)
	_, same := newClient(t, serve.Options{Folder: dir}).ask("/api/alive", nil)
	_, other := newClient(t, serve.Options{}).ask("/api/alive", nil)
	if self["instance"] == "" || self["instance"] != start["instance"] || self["instance"] == same["instance"] || self["place"] != same["place"] || self["place"] == other["place"] {
		t.Errorf("the servers: %v, %v, %v; it starts with %v", self, same, other, start)
	}

	q := object{"name": "a.lks", "text": lamp, "ask": "deadlock", "key": "k1"}
	_, first := c.ask("/api/checks", q)
	if _, again := c.ask("/api/checks", q); again["id"] != first["id"] {
		t.Errorf("asked again it is another check: %v, %v", first["id"], again["id"])
	}
	q["key"] = "k2"
	if _, next := c.ask("/api/checks", q); next["id"] == first["id"] {
		t.Error("another question is the same check")
	}
	q["key"] = strings.Repeat("k", 100)
	if status, _ := c.ask("/api/checks", q); status != 400 {
		t.Errorf("a key of 100 bytes: %d", status)
	}

	_, file := c.ask("/api/text?name=a.lks", nil)
	saving := object{"name": "a.lks", "text": lamp + "// mine\n", "version": file["version"], "place": self["place"]}
	for range 2 {
		if _, a := c.ask("/api/save", saving); problem(a) != "" {
			t.Errorf("saved: %v", a)
		}
	}
	saving["place"], saving["text"] = other["place"], lamp
	if status, a := c.ask("/api/save", saving); status != 409 || problem(a) != "other-folder" {
		t.Errorf("saved in another folder: %d %v", status, a)
	}

	_, view := c.ask("/api/simulations", object{"name": "a.lks", "text": lamp})
	at := "/api/simulations/" + view["id"].(string)
	step := func(at, command string, revision any) object {
		t.Helper()
		_, a := c.ask(at, object{"command": command, "revision": revision})
		return a
	}
	view = step(at, "take 1", view["revision"])
	if a := step(at, "take 1", 0); problem(a) != "moved" {
		t.Errorf("a step is made twice: %v", a)
	}
	if a := step(at, "nonsense", view["revision"]); problem(a) == "" {
		t.Errorf("nonsense is a command: %v", a)
	}
	view = step(at, "take 1", view["revision"]) // what was not done does not count
	view = step(at, "undo", view["revision"])
	_, twin := c.ask(at+"/copy", object{})
	if fmt.Sprint(twin["position"], twin["history"]) != fmt.Sprint(view["position"], view["history"]) || twin["id"] == view["id"] {
		t.Errorf("the copy is at %v of %v, the original at %v of %v", twin["position"], twin["history"], view["position"], view["history"])
	}
	step("/api/simulations/"+twin["id"].(string), "undo", nil)
	if _, a := c.ask(at, nil); fmt.Sprint(a["position"]) != fmt.Sprint(view["position"]) {
		t.Errorf("the original has moved with its copy: %v", a["position"])
	}
	// A loop that is gone round twice.
	_, a := c.ask("/api/checks", object{"name": "a.lks", "text": lamp, "ask": "verify", "formulas": []string{"F G on"}})
	_, view = c.ask("/api/simulations", object{"name": "a.lks", "text": lamp, "check": c.decided(a)["id"], "result": 0})
	at = "/api/simulations/" + view["id"].(string)
	for range 5 {
		view = step(at, "redo", nil)
	}
	if _, twin = c.ask(at+"/copy", object{}); fmt.Sprint(twin["position"], twin["history"]) != fmt.Sprint(view["position"], view["history"]) {
		t.Errorf("the copy is at %v of %v, the original at %v of %v", twin["position"], twin["history"], view["position"], view["history"])
	}
}
