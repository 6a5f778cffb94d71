package simui

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/internal/testing/soak"
)

func openUI(t *testing.T, path string) *UI {
	t.Helper()
	ctx := context.Background()
	if check.IsC(path) {
		return &UI{Session: openC(t, path), Save: func(string) error { return nil }, Help: func(error) string { return "" }}
	}
	m, err := check.Load(ctx, filepath.Join("..", "..", "..", "..", "specs", path), check.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	qs, err := m.Declared()
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(ctx, m, qs, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &UI{Session: s, Save: func(string) error { return nil }, Help: func(error) string { return "" }}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// width is how many columns a line of the view takes.
func width(line string) int {
	n := 0
	for _, r := range escapes.ReplaceAllString(line, "") {
		n += cells(r)
	}
	return n
}

// press types keys: names of bubbletea in brackets, others as they are.
func press(t *testing.T, m *screen, keys ...string) {
	t.Helper()
	special := map[string]tea.KeyType{"enter": tea.KeyEnter, "esc": tea.KeyEsc, "up": tea.KeyUp, "down": tea.KeyDown, "tab": tea.KeyTab, "backspace": tea.KeyBackspace,
		"ctrl+c": tea.KeyCtrlC, "ctrl+u": tea.KeyCtrlU, "space": tea.KeySpace, "left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp}
	for _, k := range keys {
		msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
		if kind, ok := special[k]; ok {
			msg = tea.KeyMsg{Type: kind}
			if kind == tea.KeySpace {
				msg.Runes = []rune{' '}
			}
		}
		_, cmd := m.Update(msg)
		for cmd != nil { // carried out at once
			var next tea.Cmd
			switch done := cmd().(type) {
			case finished:
				_, next = m.Update(done)
			case tea.BatchMsg:
				for _, c := range done {
					if c != nil {
						m.Update(c())
					}
				}
			}
			cmd = next
		}
	}
}

// plainView is the view without styles.
func plainView(m *screen) string { return escapes.ReplaceAllString(m.View(), "") }

func wants(t *testing.T, m *screen, texts ...string) {
	t.Helper()
	view := plainView(m)
	for _, text := range texts {
		if !strings.Contains(view, text) {
			t.Fatalf("no %q in\n%s", text, view)
		}
	}
}

// TestKeys goes through what the keys do, as a user would.
func TestKeys(t *testing.T) {
	m := newScreen(context.Background(), openUI(t, "classics/mutex.lks"))
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	wants(t, m, "MUTEX  mutex.lks  state 0", "[choices (2)]", ">  1 p.0.flag.0.write.1", "initially", "p.0: IDLE -> IDLE->flag.0.write.1")
	press(t, m, "down", "enter")
	wants(t, m, "state 1", "p.1.flag.1.write.1", "*p.1 ", "PROGRESS  open, still to come")
	press(t, m, "u")
	wants(t, m, "state 0 of 1", ">* 2 p.1.flag.1.write.1")
	press(t, m, "enter", "1") // the cursor is on what lies ahead
	wants(t, m, "state 2  ")
	press(t, m, "home", "right", "r", "r")
	wants(t, m, "state 2  ", "no step lies ahead")
	press(t, m, "g", "p[1].crut", "backspace", "backspace", "it", "enter")
	wants(t, m, "true   ", "p.1.crit", "the fewest")
	press(t, m, "g", "p[1].crut", "enter")
	wants(t, m, "did you mean")
	press(t, m, "/", "p.1")
	wants(t, m, `of 2 with "p.1"`)
	press(t, m, "esc", ":", "undo", "space", "3", "enter")
	wants(t, m, "choices (2)")
	press(t, m, "R", "enter")
	wants(t, m, "10 steps")
	press(t, m, "s", "ctrl+u", "x.json", "enter")
	wants(t, m, "saved in x.json")
	press(t, m, "g", "violation of PROGRESS", "enter")
	wants(t, m, "a run that violates it lies ahead", "state 0 of")
	press(t, m, strings.Split(strings.Repeat("n ", 40), " ")[:40]...)
	wants(t, m, "on the loop from", "violated if the loop goes on for ever")
	press(t, m, "?")
	wants(t, m, "keys (any other key ends this", "go to a formula")
	press(t, m, "pgdown", "z", "tab", "tab", "k", "tab", "j", "tab")
	wants(t, m, "[choices")
	press(t, m, "m")
	wants(t, m, "declares no menu")
	if _, cmd := m.Update(tea.KeyMsg{Type: tea.KeyCtrlC}); cmd == nil {
		t.Error("ctrl+c does not end")
	}
}

// TestViewFits: whatever is pressed, at whatever size, the view has as many lines as the
// screen at most, and none is wider than it.
func TestViewFits(t *testing.T) {
	models := []string{"classics/mutex.lks", "classics/philosophers.lks", "first.lks", "classics/elevator.lks", "thesis/10-2-deadlock.lks", "c/queue.c"}
	keys := []string{"o", "O", "enter", "u", "r", "1", "2", "down", "up", "tab", "/", "p", "esc", "g", "a", "backspace", "?", "x", "R", "enter", "m", "home", ":", "pgdown", "ctrl+u", "left"}
	for seed := range soak.Cases(uint64(60)) {
		r := rand.New(rand.NewPCG(seed, 0))
		m := newScreen(context.Background(), openUI(t, models[seed%uint64(len(models))]))
		m.ui.Color = seed%2 == 0
		for range 40 {
			w, h := 1+r.IntN(220), 1+r.IntN(70)
			if r.IntN(2) == 0 {
				w, h = 20+r.IntN(70), 3+r.IntN(22)
			}
			m.Update(tea.WindowSizeMsg{Width: w, Height: h})
			key := keys[r.IntN(len(keys))]
			press(t, m, key)
			lines := strings.Split(m.View(), "\n")
			if len(lines) > h {
				t.Fatalf("seed %d: %d lines in %d, after %s\n%s", seed, len(lines), h, key, plainView(m))
			}
			for _, line := range lines {
				if n := width(line); n > w {
					t.Fatalf("seed %d: %d columns in %d, after %s: %q", seed, n, w, key, line)
				}
			}
			if !m.ui.Color && strings.Contains(m.View(), "\x1b[3") {
				t.Fatalf("seed %d: colours", seed)
			}
		}
	}
}

// TestProgram runs the program as a terminal does: what is typed comes from a reader, and
// what is drawn goes to a writer.
func TestProgram(t *testing.T) {
	ui := openUI(t, "first.lks")
	in, typed := io.Pipe()
	out := &shared{}
	m := newScreen(context.Background(), ui)
	p := tea.NewProgram(m, tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignals(), tea.WithAltScreen())
	done := make(chan error, 1)
	go func() { _, err := p.Run(); done <- err }()
	p.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	fmt.Fprint(typed, "1")
	fmt.Fprint(typed, "g")
	fmt.Fprint(typed, "dark")
	fmt.Fprint(typed, "\r")
	for deadline := time.Now().Add(20 * time.Second); !strings.Contains(out.String(), "the fewest"); {
		if time.Now().After(deadline) { // until then q is not taken
			t.Fatalf("the search does not end: %q", out.String())
		}
		time.Sleep(time.Millisecond)
	}
	fmt.Fprint(typed, "q")
	select {
	case err := <-done:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it does not end")
	}
	if got := ui.Session.History(); strings.Join(got, " ") != "press press" {
		t.Errorf("the run is %v", got)
	}
	if text := out.String(); !strings.Contains(text, "\x1b[?1049h") || !strings.Contains(text, "\x1b[?1049l") {
		t.Errorf("the screen is not given back in %q", text)
	}
}

// shared is a buffer that a program writes while a test reads it.
type shared struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *shared) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *shared) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// TestInterrupted: what takes long is ended by ctrl+c, and the session goes on.
func TestInterrupted(t *testing.T) {
	m := newScreen(context.Background(), openUI(t, "classics/mutex.lks"))
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	m.prompt = &prompt{text: "random 90000"}
	_, cmd := m.Update(tea.KeyMsg{Type: tea.KeyEnter})
	if m.cancel == nil || cmd == nil {
		t.Fatal("not in the background")
	}
	wants(t, m, "Esc ends it")
	if _, quit := m.Update(tea.KeyMsg{Type: tea.KeyCtrlC}); quit != nil {
		t.Fatal("ctrl+c ends the program")
	}
	m.Update(cmd())
	wants(t, m, "interrupted")
	if n := m.ui.Session.At(); n == 0 || n == 90000 {
		t.Errorf("%d steps", n)
	}
	press(t, m, "0", "1")
	wants(t, m, "state 1")
}
