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
	program := file("evil.c", "char *evil = \""+evil+"\";\nint input(void);\nint main(void) { int n = input(); while (n > 0) n--; return n; }\n")
	list := file("evil.list", "verify evil.aut 'X \""+evil+"\"'\nverify evil.aut 'G nosuch'\n")
	results := filepath.Join(dir, "results")
	var out, errs bytes.Buffer
	if status := run([]string{"seltl", "batch", list, "--out", results}, strings.NewReader(""), &out, &errs); status != 0 {
		t.Fatalf("batch: status %d: %s", status, errs.String())
	}
	page := filepath.Join(dir, "page.html")
	const graph = `class="seltl-graph"`
	escaped := "&lt;script&gt;alert(1)&lt;/script&gt;"
	for _, test := range []struct {
		args  []string
		exit  int
		shown []string
	}{
		{[]string{"program", program}, 0, []string{"main()", "simplified.c", "Control-flow graph", `class="seltl-graph"`, "line 3", `data-name="` + program}},
		{[]string{"program", program, "--stats"}, 0, []string{"inlined", "searched", `data-name="` + program}},
		{[]string{"sim", program}, 0, []string{"stepped through", `data-name="` + program}},
		{[]string{"sim", model}, 0, []string{"stepped through", "The composition", `class="seltl-graph"`, `data-name="` + model, `"kind":"run"`}},
		{[]string{"formula", `G "` + evil + `"`}, 0, []string{"<td class=\"count\">2</td>", "<th scope=\"col\">formula</th>"}},
		{[]string{"formula", `G "` + evil + `"`, "--valid"}, 1, []string{"FAILS"}},
		{[]string{"cross", "seltl", "{" + evil + "} echo %f", "-n", "2", "--max-failures", "1"}, 1, []string{"translators", "translation", "deterministic"}},
		{[]string{"batch", "merge", results}, 2, []string{"units", "evil.list:1", "FAILS", "unknown name", "of the unit"}},
		{[]string{"compose", model}, 0, []string{graph, "deadlocks", "composition.aut", `data-name="` + model}},
		{[]string{"compose", model, "--minimise=strong", "-o", filepath.Join(dir, "x.lks")}, 0, []string{graph, "reduced: strong", "composition.lks", "States and transitions"}},
		{[]string{"stats", model}, 0, []string{graph, "out-degree", "The composition", `data-name="` + model}},
		{[]string{"stats", model, "--json"}, 0, []string{graph, "out-degree"}},
		{[]string{"translate", `G F "` + evil + `"`}, 0, []string{graph, "recurrence", "automaton.hoa"}},
		{[]string{"translate", `F "` + evil + `"`, "G b", "--echo"}, 0, []string{graph, "guarantee", "automaton.hoa", "and 1 more"}},
		{[]string{"automaton", hoa, "--complement"}, 0, []string{graph, "deterministic", "automaton.hoa", `data-name="` + hoa}},
		{[]string{"automaton", hoa, "--empty"}, 1, []string{graph, "is not empty", "is accepted", "automaton.hoa"}},
	} {
		line := strings.Join(test.args, " ")
		if err := os.RemoveAll(page); err != nil {
			t.Fatal(err)
		}
		in := func() *strings.Reader { return strings.NewReader(evil + "\n1\n1\n") }
		var out, errs bytes.Buffer
		if status := run(append([]string{"seltl"}, append(test.args, "--html", page)...), in(), &out, &errs); status != test.exit {
			t.Errorf("%s: status %d: %s", line, status, errs.String())
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		for _, want := range append(test.shown, escaped) {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: no %s", line, want)
			}
		}
		if n := len(regexp.MustCompile("(?i)<script").FindAll(text, -1)); n != 2 {
			t.Errorf("%s: %d scripts", line, n)
		}
		var plain bytes.Buffer
		if run(append([]string{"seltl"}, test.args...), in(), &plain, &errs); test.args[0] != "cross" && plain.String() != out.String() { // that tells its time
			t.Errorf("%s: --html changes the output", line)
		}
	}
	out.Reset()
	errs.Reset()
	if status := run([]string{"seltl", "compose", model, "--html", model}, strings.NewReader(""), &out, &errs); status != 2 || !strings.Contains(errs.String(), "write over") {
		t.Errorf("status %d: %s", status, errs.String())
	}
}

// TestNothingRead: where all that a command is given is wrong, it writes no report, and leaves
// the one that is there; where something of it can be read, the report says what was wrong.
func TestNothingRead(t *testing.T) {
	dir := t.TempDir()
	page, garbage := filepath.Join(dir, "page.html"), filepath.Join(dir, "garbage.hoa")
	good := filepath.Join("..", "..", "specs", "automata", "even-dark.hoa")
	if err := os.WriteFile(garbage, []byte("garbage (\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		stdin   string
		args    []string
		written bool
	}{
		{"", []string{"automaton", garbage}, false},
		{"", []string{"automaton", garbage, garbage, "--empty"}, false},
		{"", []string{"automaton", garbage, "--empty", "--json"}, false},
		{"", []string{"automaton", garbage, good}, true},
		{"", []string{"automaton", good, garbage, "--empty"}, true},
		{"garbage (\n", []string{"translate", "-F", "-"}, false},
		{"garbage (\nG p\n", []string{"translate", "-F", "-"}, true},
		{"garbage (\n", []string{"formula", "-F", "-"}, false},
		{"garbage (\n", []string{"formula", "-F", "-", "--valid", "--json"}, false},
		{"G p\ngarbage (\n", []string{"formula", "-F", "-"}, true},
		{"garbage (\nG p\n", []string{"formula", "-F", "-", "--valid"}, true},
		{"", []string{"translate", "G p", "garbage ("}, false},
		{"", []string{"formula", "garbage (", "--valid"}, false},
		{"", []string{"stats", garbage}, false},
		{"", []string{"verify", good, "G p"}, false},
	} {
		line := strings.Join(test.args, " ")
		const before = "what was there"
		for _, there := range []bool{false, true} {
			if err := os.RemoveAll(page); err != nil {
				t.Fatal(err)
			}
			if there {
				if err := os.WriteFile(page, []byte(before), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			var out, errs bytes.Buffer
			if status := run(append([]string{"seltl"}, append(test.args, "--html", page)...), strings.NewReader(test.stdin), &out, &errs); status != 2 {
				t.Errorf("%s: status %d: %s", line, status, errs.String())
			}
			text, err := os.ReadFile(page)
			switch {
			case test.written && !strings.Contains(string(text), "<h2 id=\"messages\">"):
				t.Errorf("%s: no report, or none that says what was wrong", line)
			case !test.written && !there && err == nil:
				t.Errorf("%s: a report of nothing is written", line)
			case !test.written && there && string(text) != before:
				t.Errorf("%s: a report of nothing is written over what was there", line)
			}
		}
	}
}
