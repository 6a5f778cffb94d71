package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMadeHTML: the reports for a browser of commands without a verdict show what they have
// made, what was read, and what was counted, and take names that are markup for texts.
func TestMadeHTML(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	const evil = "<script>alert(1)</script>"
	model := file("evil.aut", "des (0, 2, 2)\n(0, \""+evil+"\", 1)\n(1, \"b\", 0)\n")
	hoa := file("evil.hoa", "HOA: v1 name: \""+evil+"\" States: 1 Start: 0 AP: 1 \""+evil+"\" Acceptance: 1 Inf(0)\n--BODY--\nState: 0 [0] 0 {0} [!0] 0\n--END--\n")
	page := filepath.Join(dir, "page.html")
	escaped := "&lt;script&gt;alert(1)&lt;/script&gt;"
	for _, test := range []struct {
		args  []string
		exit  int
		shown []string
	}{
		{[]string{"compose", model}, 0, []string{"deadlocks", "composition.aut", `data-name="` + model}},
		{[]string{"compose", model, "--minimise=strong", "-o", filepath.Join(dir, "x.lks")}, 0, []string{"reduced: strong", "composition.lks", "States and transitions"}},
		{[]string{"stats", model}, 0, []string{"out-degree", "The composition", `data-name="` + model}},
		{[]string{"stats", model, "--json"}, 0, []string{"out-degree"}},
		{[]string{"translate", `G F "` + evil + `"`}, 0, []string{"recurrence", "automaton.hoa"}},
		{[]string{"translate", `F "` + evil + `"`, "G b", "--echo"}, 0, []string{"guarantee", "automaton.hoa", "and 1 more"}},
		{[]string{"automaton", hoa, "--complement"}, 0, []string{"deterministic", "automaton.hoa", `data-name="` + hoa}},
		{[]string{"automaton", hoa, "--empty"}, 1, []string{"is not empty", "is accepted", "automaton.hoa"}},
	} {
		line := strings.Join(test.args, " ")
		if err := os.RemoveAll(page); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		if status := run(append([]string{"seltl"}, append(test.args, "--html", page)...), strings.NewReader(""), &out, &errs); status != test.exit {
			t.Errorf("%s: status %d: %s", line, status, errs.String())
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		for _, want := range append(test.shown, escaped, `class="seltl-graph"`) {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: no %s", line, want)
			}
		}
		if n := len(regexp.MustCompile("(?i)<script").FindAll(text, -1)); n != 2 {
			t.Errorf("%s: %d scripts", line, n)
		}
		var plain bytes.Buffer
		if run(append([]string{"seltl"}, test.args...), strings.NewReader(""), &plain, &errs); plain.String() != out.String() {
			t.Errorf("%s: --html changes the output", line)
		}
	}
	var out, errs bytes.Buffer
	if status := run([]string{"seltl", "compose", model, "--html", model}, strings.NewReader(""), &out, &errs); status != 2 || !strings.Contains(errs.String(), "write over") {
		t.Errorf("status %d: %s", status, errs.String())
	}
}
