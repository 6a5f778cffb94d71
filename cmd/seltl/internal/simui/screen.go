package simui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/cmd/seltl/internal/muteterm"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/report"
)

func init() { muteterm.Restore() }

// Screen fills a terminal with the session until the user has enough of it. The terminal is
// as it was before then, whatever the end. The error is budget.ErrInterrupted after a
// signal, or says that the terminal cannot be used.
func Screen(ctx context.Context, ui *UI) error {
	m := newScreen(ctx, ui)
	// Signals end the context. bubbletea's own handler could wait for ever to hand on one that
	// has ended the context, and with it the program, before.
	p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithInput(ui.In), tea.WithOutput(ui.Out), tea.WithAltScreen())
	ui.Session.OnProgress(func(at budget.Progress) { p.Send(at) })
	_, err := p.Run()
	if ctx.Err() != nil {
		return budget.ErrInterrupted
	}
	return err
}

// pane is a part of the screen.
type pane int

const (
	choicesPane pane = iota
	statePane
	runPane
	propertiesPane
	numPanes
)

// screen is what is shown: bubbletea's model.
type screen struct {
	ui            *UI
	ctx           context.Context
	width, height int

	short   map[string]string // names of components
	now     *sim.Position     // as of the last command
	history []string
	shown   []int // indices of the choices that the filter lets through
	cursor  int   // index into shown
	filter  string

	prompt  *prompt
	message string
	bad     bool // the message is an error
	help    bool
	focus   pane
	offset  [numPanes]int
	helpTop int

	cancel context.CancelFunc // of the command that is being carried out, nil: none
}

// prompt is a line that is being typed.
type prompt struct {
	label, text string
	command     string // what stands before the text in the command
	otherwise   string // what an empty text stands for, "" for giving up
	filter      bool
}

// finished is the message that a command is done.
type finished struct {
	command sim.Command
	answer  *sim.Answer
	err     error
}

func newScreen(ctx context.Context, ui *UI) *screen {
	m := &screen{ui: ui, ctx: ctx, short: shortNames(ui.Session.Components())}
	m.refresh()
	if starts, err := ui.Session.Starts(); err == nil && len(starts) > 1 {
		m.message = fmt.Sprintf("initial state 1 of %d: type :start N for another", len(starts))
	}
	return m
}

func (m *screen) Init() tea.Cmd { return nil }

// refresh asks the session where it is. Nothing asks it while a command is carried out.
func (m *screen) refresh() {
	m.now, m.history = m.ui.Session.Now(), m.ui.Session.History()
	m.offset = [numPanes]int{}
	m.filtered()
	m.cursor = 0
	for i, n := range m.shown {
		if m.now.Choices[n].Ahead {
			m.cursor = i
		}
	}
}

// filtered applies the filter.
func (m *screen) filtered() {
	m.shown = m.shown[:0]
	for i := range m.now.Choices {
		if strings.Contains(m.now.Choices[i].Event, m.filter) {
			m.shown = append(m.shown, i)
		}
	}
	m.cursor = max(0, min(m.cursor, len(m.shown)-1))
}

// Update does what a message asks for.
func (m *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case budget.Progress:
		if m.cancel != nil {
			m.say(fmt.Sprintf("%s: %s, %s (Esc ends it)", msg.Phase, report.Counted(msg.States, "state"), msg.Elapsed.Round(1e9)))
		}
	case finished:
		m.cancel = nil
		m.done(msg)
	case tea.KeyMsg:
		return m, m.typed(msg)
	}
	return m, nil
}

// typed does what keys ask for, of which several can come as one message when they are
// typed fast.
func (m *screen) typed(msg tea.KeyMsg) tea.Cmd {
	if msg.Type != tea.KeyRunes || len(msg.Runes) == 1 || msg.Alt {
		return m.key(msg)
	}
	all := lists.Append(nil, msg.Runes, func(r rune) tea.Cmd { return m.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}) })
	return tea.Batch(all...)
}

func (m *screen) say(text string) { m.message, m.bad = text, false }

// done says what a command did.
func (m *screen) done(f finished) {
	if f.answer == nil || f.answer.Moved || f.err != nil {
		m.refresh()
	}
	var ambiguous *sim.Ambiguous
	switch {
	case errors.Is(f.err, budget.ErrInterrupted):
		m.say("interrupted")
	case errors.As(f.err, &ambiguous):
		m.say(f.err.Error() + ": one of these")
		m.among(ambiguous.Choices)
	case f.err != nil:
		text, help := m.ui.errorText(f.err)
		m.message, m.bad = text, true
		if help != "" {
			m.message += "\n" + help
		}
	default:
		m.say(f.answer.Text)
		taken := len(f.answer.Taken)
		if n := f.answer.Numbers; len(n) > 0 {
			taken = n[len(n)-1] - n[0] + 1
		}
		if taken > 1 && m.message == "" {
			m.say(report.Counted(int64(taken), "step"))
		}
	}
}

// among shows only some choices.
func (m *screen) among(choices []sim.Choice) {
	m.shown = m.shown[:0]
	for _, c := range choices {
		m.shown = append(m.shown, c.Number-1)
	}
	m.cursor = 0
}

// slow commands are carried out in the background: they can be ended.
var slow = []string{"goto", "random", "run", "load", "over", "out"}

// do carries out a command line.
func (m *screen) do(line string) tea.Cmd {
	command := sim.ParseCommandOf(line, m.ui.Session.Verbs())
	switch command.Verb {
	case "":
		return nil
	case "quit":
		return tea.Quit
	case "help":
		m.help, m.helpTop = true, 0
		if command.Text != "" {
			v, err := sim.FindVerb(command.Text, m.ui.Session.Verbs()...)
			if err != nil {
				m.help = false
				m.done(finished{command, &sim.Answer{}, err})
				return nil
			}
			m.helpTop = m.helpLine(v)
		}
		return nil
	case "show", "state", "stack", "properties", "trace":
		m.focus = map[string]pane{"show": choicesPane, "state": statePane, "stack": statePane, "properties": propertiesPane, "trace": runPane}[command.Verb]
		return nil
	}
	if !slices.Contains(slow, command.Verb) {
		answer, err := m.ui.do(m.ctx, command)
		m.done(finished{command, answer, err})
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.cancel = cancel
	m.say(line + " ... (Esc ends it)")
	return func() tea.Msg {
		defer cancel()
		answer, err := m.ui.do(ctx, command)
		return finished{command, answer, err}
	}
}

// key does what a key asks for.
func (m *screen) key(msg tea.KeyMsg) tea.Cmd {
	key := msg.String()
	switch {
	case m.cancel != nil:
		if key == "ctrl+c" || key == "esc" {
			m.cancel()
		}
		return nil
	case key == "ctrl+c":
		return tea.Quit
	case m.help:
		m.helpKey(key)
		return nil
	case m.prompt != nil:
		return m.promptKey(msg)
	}
	if n, err := strconv.Atoi(key); err == nil && n > 0 {
		if len(m.now.Choices) < 10 {
			return m.takes(n)
		}
		m.prompt = &prompt{label: "choice: ", text: key}
		return nil
	}
	return m.commandKey(key)
}

// keys are those that stand for commands, and those that ask for the rest of one.
var (
	keys    = map[string]string{"u": "undo", "left": "undo", "r": "redo", "right": "redo", "n": "redo", "x": "run", "home": "reset", "0": "reset", "q": "quit", "?": "help"}
	prompts = map[string]prompt{
		"g": {label: "goto: ", command: "goto "}, "R": {label: "steps at random: ", text: "10", command: "random "},
		"s": {label: "save the run in: ", text: "run.json", command: "save "}, "l": {label: "load the run in: ", command: "load "},
		":": {label: ": "}, "/": {label: "/", filter: true}, "i": {label: "new run from initial state: ", text: "1", command: "start "},
	}
)

func (m *screen) commandKey(key string) tea.Cmd {
	if line, ok := keys[key]; ok {
		return m.do(line)
	}
	if m.now.Program != nil && programKeys[key] != "" {
		return m.do(programKeys[key])
	}
	if p, ok := prompts[key]; ok {
		if m.now.Program != nil && key == "i" {
			p = prompt{label: "arguments of a new run (enter: random): ", otherwise: " ", command: "start "}
		}
		if p.filter {
			m.filter = ""
			m.filtered()
		}
		m.prompt = &p
		return nil
	}
	switch key {
	case "enter", " ":
		if len(m.shown) > 0 {
			return m.takes(m.now.Choices[m.shown[m.cursor]].Number)
		}
		if m.now.Ahead > 0 {
			return m.do("redo")
		}
		m.say("nothing is possible here: u goes back, g goes elsewhere")
	case "m":
		return m.do("menu " + m.nextMenu())
	case "tab":
		m.focus = (m.focus + 1) % numPanes
	case "shift+tab":
		m.focus = (m.focus + numPanes - 1) % numPanes
	case "esc":
		m.filter, m.message = "", ""
		m.filtered()
	default:
		m.scroll(key)
	}
	return nil
}

// nextMenu is the menu behind the one in force, off behind the last one.
func (m *screen) nextMenu() string {
	menus := m.ui.Session.Menus()
	if i := slices.Index(menus, m.now.Menu) + 1; i < len(menus) {
		return menus[i]
	}
	if len(menus) == 0 {
		return ""
	}
	return sim.NoMenu
}

// scroll moves the cursor, or the pane that has the focus.
func (m *screen) scroll(key string) {
	by, known := map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -m.page(), "pgdown": m.page(), "end": 1 << 20}[key]
	switch {
	case !known:
	case m.focus == choicesPane && m.now.End == "":
		m.cursor = max(0, min(m.cursor+by, len(m.shown)-1))
	default:
		m.offset[m.focus] += by // the view knows how far that is possible
	}
}

func (m *screen) page() int { return max(1, m.height/2) }

// helpKey scrolls the help, or ends it.
func (m *screen) helpKey(key string) {
	switch key {
	case "down", "j":
		m.helpTop++
	case "up", "k":
		m.helpTop = max(0, m.helpTop-1)
	case "pgdown", " ":
		m.helpTop += m.page()
	case "pgup":
		m.helpTop = max(0, m.helpTop-m.page())
	default:
		m.help = false
	}
}

// promptKey edits the line that is being typed.
func (m *screen) promptKey(msg tea.KeyMsg) tea.Cmd {
	p := m.prompt
	switch msg.String() {
	case "esc":
		m.prompt = nil
		if p.filter {
			m.filter = ""
			m.filtered()
		}
	case "enter":
		m.prompt = nil
		if text := cmp.Or(strings.TrimSpace(p.text), p.otherwise); !p.filter && text != "" {
			return m.do(p.command + text)
		}
	case "backspace":
		if runes := []rune(p.text); len(runes) > 0 {
			p.text = string(runes[:len(runes)-1])
		} else {
			m.prompt = nil
		}
	case "ctrl+u":
		p.text = ""
	default:
		if msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace {
			p.text += strings.Map(printable, string(msg.Runes))
		}
	}
	if p.filter && m.prompt != nil {
		m.filter = p.text
		m.filtered()
	}
	return nil
}
