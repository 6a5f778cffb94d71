package sim

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/report"
)

// move is a rule and the local states that it leads to.
type move struct {
	rule  int32
	local []int32
}

// offer is a rule and the packed state that it leads to.
type offer struct {
	rule  int32
	state []uint64
}

// offers returns what the network can do in the present state, as explorers have it:
// priorities respected, sorted by action.
func (s *Session) offers() []offer {
	local := s.now().state.Local
	packed := make([]uint64, s.net.Words())
	s.net.Pack(local, packed)
	var succ lks.Successors
	s.ex.Successors(packed, &succ)
	all := make([]offer, succ.Len())
	words := s.net.Words()
	for i, rule := range succ.Rules {
		all[i] = offer{rule, succ.States[i*words : (i+1)*words]}
	}
	return all
}

// moveOf is what an offer does to the components.
func (s *Session) moveOf(o offer) move {
	next, err := run.Follow(s.net, s.now().state.Local, o.rule, o.state)
	if err != nil {
		panic(err) // an explorer's own successors
	}
	return move{o.rule, next}
}

// Choice is one of the steps that are possible.
type Choice struct {
	// Number counts from 1.
	Number int `json:"number"`
	// Alone is set of an action that the menu in force does not have: it is not the
	// user's to choose, but of the system, as in LTSA's animator.
	Alone bool `json:"alone,omitempty"`
	// Ahead is set of the step that Redo would take.
	Ahead bool `json:"ahead,omitempty"`
	// Step is who takes part, what changes, and the state that it leads to.
	report.Step
	// Of a C program: how abstractions of routines go on, and what is asked for.
	Text string `json:"text,omitempty"`
	Asks string `json:"asks,omitempty"`

	move    move
	program programMove
}

// OfProgram reports whether the step is one of a C program.
func (c *Choice) OfProgram() bool { return len(c.program.moves) > 0 }

// Choices returns what is possible, in a fixed order. Steps that lead to one state, and are
// alike in all that they show, are one; states of a component can share a name, and then
// choices look alike that are not. Where there are very many, of very many components, only the
// first are returned: see Position.More.
func (s *Session) Choices() []Choice {
	choices, _ := s.choices(s.offers())
	return choices
}

// mostLocals bounds the local states that all choices together show, but for the first few.
const mostLocals = 1 << 18

// choices describes what is offered, as far as that is not too much, and returns how much is left.
func (s *Session) choices(offers []offer) (choices []Choice, more int) {
	from := s.now()
	choices = []Choice{} // for JSON
	known := map[string]bool{}
	most := max(16, mostLocals/max(1, len(from.state.Local)))
	for i, o := range offers {
		if len(choices) == most {
			return choices, len(offers) - i
		}
		m := s.moveOf(o)
		by := run.Step{State: from.state, Rule: m.rule, Event: s.eventOf(m.rule)}
		for _, p := range s.net.Rules()[m.rule].Parts {
			by.Moved = append(by.Moved, p.Component)
		}
		// What is shown is a function of the states, the event, and who moves.
		if key := by.Event + "\x00" + keyOf(by.Moved) + keyOf(m.local); known[key] {
			continue
		} else {
			known[key] = true
		}
		choices = append(choices, Choice{Number: len(choices) + 1, Step: check.StepOf(s.net, &by, s.shown(m.local)), Alone: !s.onMenu(by.Event), Ahead: s.isAhead(m), move: m})
	}
	return choices, 0
}

// shown says of a state what StepOf asks.
func (s *Session) shown(local []int32) *run.State {
	packed := make([]uint64, s.net.Words())
	s.net.Pack(local, packed)
	state := &run.State{Local: local, Kind: s.net.Kind(packed)}
	state.Props = s.net.AppendProps(nil, local, state.Kind)
	return state
}

// Choose makes the step with that number. The error is a *NotPossible or *NotOnMenu.
func (s *Session) Choose(number int) error {
	choices := s.Choices()
	if number < 1 || number > len(choices) {
		return &NotPossible{Text: fmt.Sprintf("there is no choice %d", number), Help: s.whatToType(choices)}
	}
	return s.choose(&choices[number-1])
}

// whatToType says which choices are the user's.
func (s *Session) whatToType(choices []Choice) string {
	mine := keep(choices, func(c *Choice) bool { return !c.Alone })
	switch {
	case len(choices) == 0:
		return "nothing is possible here: undo, reset or goto lead elsewhere"
	case len(mine) == 0:
		return "nothing on the menu is possible here: run lets the system go on, menu off lifts the menu"
	case len(mine) == 1:
		return fmt.Sprintf("type %d, or %s", mine[0].Number, mine[0].Event)
	case len(mine) == 2:
		return fmt.Sprintf("type %d or %d, or the name of an action", mine[0].Number, mine[1].Number)
	case len(mine) < len(choices):
		return "type a number of the list, or the name of an action"
	}
	return fmt.Sprintf("type a number from 1 to %d, or the name of an action", len(mine))
}

func (s *Session) choose(c *Choice) error {
	if c.Alone {
		return &NotOnMenu{Event: c.Event, Menu: s.menus[s.menu].Name}
	}
	s.take(c.move)
	return nil
}

// NotPossible says that a step is not possible, and why.
type NotPossible struct{ Text, Help string }

func (e *NotPossible) Error() string { return e.Text }

// Ambiguous says that a name stands for several choices.
type Ambiguous struct {
	Name    string
	Choices []Choice
}

func (e *Ambiguous) Error() string {
	return fmt.Sprintf("%s can be any of %s", e.Name, report.Counted(int64(len(e.Choices)), "choice"))
}

// NotOnMenu says that an action is possible, but not on the menu.
type NotOnMenu struct{ Event, Menu string }

func (e *NotOnMenu) Error() string {
	return fmt.Sprintf("%s is not on the menu %s: the system takes it by itself", e.Event, e.Menu)
}

// ChooseNamed makes the step of an action, of which the beginning of the name is enough
// where no other begins so. p[0].eat is p.0.eat. The error is a *NotPossible, *Ambiguous or
// *NotOnMenu.
func (s *Session) ChooseNamed(name string) error {
	offers := s.offers()
	wanted := dotted(name)
	by := func(is func(event string) bool) []Choice {
		choices, _ := s.choices(slices.DeleteFunc(slices.Clone(offers), func(o offer) bool { return !is(s.eventOf(o.rule)) }))
		return choices
	}
	named := by(func(event string) bool { return event == wanted })
	if len(named) == 0 {
		named = by(func(event string) bool { return strings.HasPrefix(event, wanted) && wanted != "" })
	}
	// What the menu leaves to the user comes first.
	if chosen := keep(named, func(c *Choice) bool { return !c.Alone }); len(chosen) > 0 {
		named = chosen
	}
	switch len(named) {
	case 0:
		return s.notPossible(wanted, s.Choices())
	case 1:
		return s.choose(&named[0])
	}
	return &Ambiguous{Name: name, Choices: named}
}

func keep(choices []Choice, wanted func(*Choice) bool) []Choice {
	var out []Choice
	for i := range choices {
		if wanted(&choices[i]) {
			out = append(out, choices[i])
		}
	}
	return out
}

// notPossible says why an action does not occur here.
func (s *Session) notPossible(name string, choices []Choice) error {
	if s.net.Action(name) < 0 {
		return &NotPossible{Text: fmt.Sprintf("there is no action %s", name),
			Help: cmp.Or(source.DidYouMean(name, s.net.Alphabet()[1:]), s.whatToType(choices))}
	}
	e := &NotPossible{Text: name + " is not possible here", Help: s.whatToType(choices)}
	if why := s.Refused(name); len(why) > 0 {
		e.Text += ": " + strings.Join(why, ", ") + map[bool]string{true: " refuses it", false: " refuse it"}[len(why) == 1]
	} else if len(choices) > 0 {
		e.Text += ": others have priority"
	}
	return e
}

// Refused returns the components that do not offer an action in the present state, with
// their states, "p.0 in IDLE": of an action with several ways those of the one that fewest
// refuse. None: it is possible, but for priorities or the end of the run.
func (s *Session) Refused(action string) []string {
	id := s.net.Action(action)
	local := s.now().state.Local
	var fewest []string
	first := true
	for _, r := range s.net.Rules() {
		if r.Action != id {
			continue
		}
		var refusing []string
		for _, p := range r.Parts {
			if m := s.net.Components()[p.Component]; len(m.Succ(local[p.Component], p.Action)) == 0 {
				refusing = append(refusing, s.net.ComponentName(int(p.Component))+" in "+m.StateName(local[p.Component]))
			}
		}
		if first || len(refusing) < len(fewest) {
			fewest, first = refusing, false
		}
	}
	return fewest
}

// menu is a menu of the model, with what it has.
type menu struct {
	fsp.Menu
	has map[string]bool
}

func (s *Session) readMenus() error {
	if s.model.FSP == nil {
		return nil
	}
	menus, err := s.model.FSP.Menus()
	if err != nil {
		return err
	}
	for _, m := range menus {
		has := map[string]bool{}
		for _, a := range m.Actions {
			has[a] = true
		}
		s.menus = append(s.menus, menu{m, has})
	}
	return nil
}

// Menus returns the names of the model's menus.
func (s *Session) Menus() []string {
	return lists.Map(s.menus, func(m menu) string { return m.Name })
}

// ErrNoMenus is what SetMenu says about a model that declares none.
var ErrNoMenus = errors.New("the model declares no menu: all actions are yours to choose")

// SetMenu puts a menu in force: "" the first of the file, if it has one, NoMenu none.
func (s *Session) SetMenu(name string) error {
	switch {
	case name == NoMenu:
		s.menu = -1
		return nil
	case name == "":
		s.menu = min(len(s.menus), 1) - 1
		return nil
	case len(s.menus) == 0:
		return ErrNoMenus
	}
	i := slices.Index(s.Menus(), name)
	if i < 0 {
		return &NotPossible{Text: fmt.Sprintf("there is no menu %s", name), Help: "menus: " + strings.Join(s.Menus(), ", ") + "; " + NoMenu + " lifts them"}
	}
	s.menu = i
	return nil
}

// onMenu reports whether an action is the user's to choose.
func (s *Session) onMenu(event string) bool { return s.menu < 0 || s.menus[s.menu].has[event] }
