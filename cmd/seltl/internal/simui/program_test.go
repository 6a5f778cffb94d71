package simui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/check/sim"
)

// openC is a session of a C program of specs.
func openC(t *testing.T, path string) *sim.Program {
	t.Helper()
	return openFile(t, filepath.Join("..", "..", "..", "..", "specs", path))
}

// openFile is a session of a C program of a file.
func openFile(t *testing.T, name string) *sim.Program {
	t.Helper()
	files, o := []string{name}, cfront.Options{Entry: "main"}
	p, err := programs.LoadC(files, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := programs.StepC(p, files, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.NewProgram(t.Context(), c, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestKeysC: a C program on the screen: values are prompted for, the source is shown beside.
func TestKeysC(t *testing.T) {
	m := newScreen(t.Context(), openUI(t, "c/queue.c"))
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 30})
	wants(t, m, "main  queue.c  state 0", ">  1 ", "asks for input() of type int", ">   35          if (input() > 0)", "count = 0")
	press(t, m, "enter")
	wants(t, m, "input() of type int (enter: random): _")
	press(t, m, "seven", "enter")
	wants(t, m, `"seven" is no number`, "state 0")
	press(t, m, "1", "1", "enter", "1", "7", "enter")
	wants(t, m, "state 2", "* put.x = 7", "called by main at")
	press(t, m, "o")
	wants(t, m, "* items[0] = 7", ">   19")
	press(t, m, "O")
	wants(t, m, ">   39", "in main at queue.c:39")
	press(t, m, "u", "enter")
	wants(t, m, "state 6")
	press(t, m, "g", "error", "enter")
	wants(t, m, "ERROR: ", "assertion 0 <= count && count <= SIZE fails", "choices (0)")
	press(t, m, "?")
	wants(t, m, "o O ", "over what this line calls")
	press(t, m, "q", ":", "help give", "enter")
	wants(t, m, "take the step that asks for values")
	press(t, m, "q", "q")
}

// TestStatePaneC: what changed is shown where the state has more lines than its pane, which says so;
// the help and the prompt for a new run are those of programs.
func TestStatePaneC(t *testing.T) {
	m := newScreen(t.Context(), openUI(t, "c/queue.c"))
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 12})
	press(t, m, "enter", "1", "enter", "enter", "7", "enter")
	wants(t, m, "* put.x = 7", "lines above", "below)")
	press(t, m, "i")
	wants(t, m, "arguments of a new run (enter: random): _")
	press(t, m, "enter")
	wants(t, m, "state 0")
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 60})
	press(t, m, "?")
	wants(t, m, "go to a line, ROUTINE()", "with arguments")
	if strings.Contains(m.View(), "next menu") {
		t.Error("there are no menus of programs")
	}
}

// TestLinesShown: neither what is typed nor what a program has fills or controls a terminal.
func TestLinesShown(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte("int main(void) {\n\tint "+long+" = 1; // \x1b[31m\xff\n\treturn "+long+";\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openFile(t, file)
	var out strings.Builder
	ui := &UI{Session: s, In: strings.NewReader(long + "\n\x1b[31m" + long + "\n1\nstate\ngoto " + long + "\n1\n"), Out: &out, Help: func(error) string { return "" }}
	if err := Lines(t.Context(), ui); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); len(text) > 12_000 || strings.ContainsAny(text, "\x1b") || !strings.Contains(text, "has returned 1") {
		t.Errorf("%d bytes: %.3000q", len(text), text)
	}
}

// TestDeepCalls: of a deep recursion the innermost and the outermost calls are on the screen, and
// their values.
func TestDeepCalls(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte("int deep(int n) {\n\tif (n == 0)\n\t\treturn 0;\n\treturn 1 + deep(n - 1);\n}\nint main(void) {\n\tint m = 7;\n\treturn deep(100);\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openFile(t, file)
	if _, err := s.Random(t.Context(), 160); err != nil {
		t.Fatal(err)
	}
	m := newScreen(t.Context(), &UI{Session: s})
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		wants(t, m, "in deep#80 at p.c:2", "called by deep#79 at p.c:4", " calls in between", "called by deep at p.c:4", "called by main at p.c:8",
			"main.m = 7", "deep.n = 100", " values in between", "* deep#80.n = 21")
	}
}
