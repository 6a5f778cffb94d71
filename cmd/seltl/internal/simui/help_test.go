package simui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// TestHelpFits: at every width the help says all it has to say, on lines that fit.
func TestHelpFits(t *testing.T) {
	wide := ""
	for _, columns := range []int{200, 80, 50, 49, 40, 20} {
		m := newScreen(t.Context(), openUI(t, "first.lks"))
		m.Update(tea.WindowSizeMsg{Width: columns, Height: 24})
		press(t, m, "?")
		var words []string
		for _, l := range m.helpLines() {
			if n := width(l.text); n > columns {
				t.Errorf("%d columns for %q, of %d", n, l.text, columns)
			}
			words = append(words, strings.Fields(l.text)...)
		}
		text := strings.Join(words, "")
		if wide == "" {
			wide = text
		}
		if text != wide {
			t.Errorf("%d columns: the help says\n%s\nnot\n%s", columns, text, wide)
		}
		for line := range strings.SplitSeq(m.View(), "\n") {
			if width(line) != columns {
				t.Errorf("%d columns: %q", columns, line)
			}
		}
	}
}

// TestHelpOf: help with the name of a command begins there.
func TestHelpOf(t *testing.T) {
	m := newScreen(t.Context(), openUI(t, "first.lks"))
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 10})
	press(t, m, ":", "help save", "enter")
	if first, _, _ := strings.Cut(m.View(), "\n"); !m.help || !strings.Contains(m.View(), "save FILE") {
		t.Errorf("%q", first)
	}
	press(t, m, "q", ":", "help sve", "enter")
	if m.help || !strings.Contains(m.message, "did you mean \"save\"?") {
		t.Errorf("%q", m.message)
	}
}
