package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/seltl/seltl/internal/testing/browser"
)

// TestAccess: everybody can read and use reports for a browser: with little sight, without a
// mouse, on a small screen, with a screen reader.
func TestAccess(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	if _, err := exec.LookPath("z3"); err != nil {
		t.Skip("SKIPPED: there is no z3 here (make setup installs it)")
	}
	b := browser.Start(t)
	for name, line := range map[string]string{
		"lts":        "check fairness/semaphore.lks",
		"lasso":      "verify classics/mutex.lks --property OVERTAKEN",
		"deadlock":   "deadlock classics/philosophers.lks --process TABLE",
		"game":       "conform thesis/2-2-simulation.lks:M2 M1",
		"c":          "reach c/queue.c",
		"threads":    "deadlock c/philosophers.c c/philosophers.spec --process dinner",
		"derivation": "clp clp/fib_bug.clp",
		"proof":      "reach armc/lecture.gcl",
		"compose":    "compose classics/mutex.lks",
		"automaton":  "automaton automata/even-dark.hoa",
		"stats":      "stats classics/mutex.lks",
		"program":    "program c/queue.c",
		"sim":        "sim classics/mutex.lks",
		"simc":       "sim c/lock.c",
		"cross":      "cross seltl seltl:ba,det -n 3",
		"formulas":   "formula --random 5",
	} {
		args, _ := inSpecs(line)
		file := filepath.Join(t.TempDir(), name+".html")
		var stdout, stderr bytes.Buffer
		if status := run(append(args, "--html", file), strings.NewReader("1\n1\n"), &stdout, &stderr); status > 1 {
			t.Fatalf("%s: status %d: %s%s", name, status, &stdout, &stderr)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := b.Open(t, "file://"+file, 1280, 900)
			browser.Get[bool](p, `document.querySelectorAll("details").forEach(d => { d.open = true }) || true`)
			for _, size := range []struct {
				width  int64
				scheme string
			}{{1280, "dark"}, {640, "light"}, {320, "light"}} { // 640: 1280 made twice as large
				p.Do(chromedp.EmulateViewport(size.width, 900))
				p.Media("", "prefers-color-scheme", size.scheme, "prefers-reduced-motion", "reduce")
				for _, found := range p.Audit() {
					t.Errorf("%d, %s: %s", size.width, size.scheme, found)
				}
				p.Screenshot(fmt.Sprintf("report-%s-%d-%s", name, size.width, size.scheme))
			}
			for _, found := range p.Tour(160) {
				t.Error(found)
			}
			if problems := p.Problems(); len(problems) > 0 {
				t.Errorf("problems:\n%s", strings.Join(problems, "\n"))
			}
		})
	}
}
