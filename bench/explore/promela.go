package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks"
)

// promela writes networks as Promela models with the same state space.
//
// In the flat form there is one process, a variable per component, and an
// indivisible guarded command for every way in which the parts of a rule can move:
// what SPIN explores fastest. Otherwise every component is a process, which
// SPIN's partial-order reduction needs; rules with two parts are rendezvous. Of
// components that never move alone as many as possible are passive: variables that
// the process which moves them tests and sets.
type promela struct {
	net      *lks.Network
	commands []command
	flat     bool
	passive  []bool    // by component: a variable
	message  []message // by rule, if processes meet in it
	b        strings.Builder
}

// newPromela refuses networks with several initial states, states in error,
// termination, priorities or more than 255 local states, and for processes those
// in which three components move together.
func newPromela(n *lks.Network, flat bool) (*promela, error) {
	if err := plainNetwork(n); err != nil {
		return nil, err
	}
	p := &promela{net: n, commands: commands(n), flat: flat, passive: slices.Repeat([]bool{flat}, len(n.Components()))}
	if flat {
		return p, nil
	}
	for _, c := range p.commands {
		if len(c.moves) > 2 {
			return nil, fmt.Errorf("%s: more than two components move together", n.Name())
		}
	}
	p.choosePassive()
	return p, p.numberMessages()
}

// plainNetwork refuses what other tools' models here cannot express.
func plainNetwork(n *lks.Network) error {
	for _, m := range n.Components() {
		if len(m.Initial()) != 1 || m.NumStates() > 255 {
			return fmt.Errorf("%s: several initial states, or too many states", m.Name())
		}
		for s := range int32(m.NumStates()) {
			if m.Kind(s) != lks.Normal {
				return fmt.Errorf("%s has END or ERROR states", m.Name())
			}
		}
	}
	if n.Low() != nil {
		return fmt.Errorf("%s has priorities", n.Name())
	}
	return nil
}

// choosePassive takes components in the order of the number of their commands, most
// first, unless they move alone or with one already taken.
func (p *promela) choosePassive() {
	own := make([][]command, len(p.passive))
	for _, c := range p.commands {
		for _, m := range c.moves {
			own[m.component] = append(own[m.component], c)
		}
	}
	order := make([]int, len(own))
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(own[b]) - len(own[a]) })
	for _, i := range order {
		p.passive[i] = !slices.ContainsFunc(own[i], func(c command) bool {
			return len(c.moves) == 1 || p.passive[c.moves[0].component] || p.passive[c.moves[1].component]
		})
	}
}

// message is what the processes that meet in a rule send and receive.
type message struct {
	channel int32 // the component that receives
	number  int   // among those that it receives
	used    bool
}

// numberMessages makes those processes receive that have the smaller choice where
// they meet: SPIN reduces best if who can do nothing else waits for a message.
func (p *promela) numberMessages() error {
	p.message = make([]message, len(p.net.Rules()))
	choice := make([][2]int, len(p.message)) // by rule and partner: the most steps that there are to choose from
	for _, c := range p.commands {
		for i, m := range c.moves {
			choice[c.rule][i] = max(choice[c.rule][i], len(p.net.Components()[m.component].Edges(m.from)))
		}
	}
	got := make([]int, len(p.passive))
	for _, c := range p.commands {
		if !p.meets(c) || p.message[c.rule].used {
			continue
		}
		to := c.moves[1].component
		if choice[c.rule][0] < choice[c.rule][1] {
			to = c.moves[0].component
		}
		p.message[c.rule] = message{to, got[to], true}
		if got[to]++; got[to] > 256 {
			return fmt.Errorf("%s: too many rendezvous", p.net.ComponentName(int(to)))
		}
	}
	return nil
}

// rendezvous reports whether two processes ever move together.
func (p *promela) rendezvous() bool { return slices.ContainsFunc(p.commands, p.meets) }

func (p *promela) meets(c command) bool {
	return len(c.moves) == 2 && !p.passive[c.moves[0].component] && !p.passive[c.moves[1].component]
}

// text returns the model with the claim that the formula holds, if it is not empty.
func (p *promela) text(o observed) string {
	n := p.net
	for c, m := range n.Components() {
		if p.passive[c] {
			fmt.Fprintf(&p.b, "byte v%d = %d; /* %s */\n", c, m.Initial()[0], n.ComponentName(c))
		} else if p.receives(int32(c)) {
			fmt.Fprintf(&p.b, "chan c%d = [0] of { byte };\n", c)
		}
	}
	for i, q := range o.props {
		var cases []string
		for _, s := range q.states {
			if p.passive[q.component] {
				cases = append(cases, fmt.Sprintf("v%d==%d", q.component, s))
			} else {
				cases = append(cases, fmt.Sprintf("A%d@S%d", q.component, s))
			}
		}
		fmt.Fprintf(&p.b, "#define q%d (%s)\n", i, strings.Join(cases, " || "))
	}
	if p.flat {
		p.oneProcess()
	} else {
		p.processes()
	}
	if o.text != "" {
		fmt.Fprintf(&p.b, "ltl p { %s }\n", o.text)
	}
	return p.b.String()
}

// receives reports whether the component receives in a rendezvous.
func (p *promela) receives(c int32) bool {
	return slices.ContainsFunc(p.message, func(m message) bool { return m.used && m.channel == c })
}

func (p *promela) oneProcess() {
	p.b.WriteString("active proctype system() {\n\tdo\n")
	for _, c := range p.commands {
		fmt.Fprintf(&p.b, "\t:: %s /* %s */\n", assign(c.moves), p.net.Alphabet()[c.action])
	}
	p.b.WriteString("\tod\n}\n")
}

// processes writes one process for every component that is not passive. A command
// belongs to the process of its component; of two, one sends a message to the other.
func (p *promela) processes() {
	steps := make([][][]string, len(p.passive)) // by component and local state
	for c, m := range p.net.Components() {
		steps[c] = make([][]string, m.NumStates())
	}
	add := func(m move, does string) {
		steps[m.component][m.from] = append(steps[m.component][m.from], fmt.Sprintf("%s -> goto S%d", does, m.to))
	}
	seen := map[string]bool{}
	// SPIN reduces better if the steps of one process come last.
	ordered := slices.Clone(p.commands)
	slices.SortStableFunc(ordered, func(a, b command) int { return len(b.moves) - len(a.moves) })
	for _, c := range ordered {
		switch {
		case len(c.moves) == 1:
			add(c.moves[0], "1")
		case p.passive[c.moves[0].component]:
			add(c.moves[1], assign(c.moves[:1]))
		case p.passive[c.moves[1].component]:
			add(c.moves[0], assign(c.moves[1:]))
		default:
			// Either partner offers its step once, whatever the other's state is.
			for _, m := range c.moves {
				does, to := "!", p.message[c.rule]
				if m.component == to.channel {
					does = "?"
				}
				if step := fmt.Sprint(c.rule, m); !seen[step] {
					seen[step] = true
					add(m, fmt.Sprintf("c%d%s%d", to.channel, does, to.number))
				}
			}
		}
	}
	for c, m := range p.net.Components() {
		if !p.passive[c] {
			p.process(c, m.Initial()[0], steps[c])
		}
	}
}

// process writes a component whose local states have the given steps. It starts at
// the state that comes first.
func (p *promela) process(c int, initial int32, steps [][]string) {
	fmt.Fprintf(&p.b, "active proctype A%d() { /* %s */\n", c, p.net.ComponentName(c))
	for i := range steps {
		s := (int(initial) + i) % len(steps)
		fmt.Fprintf(&p.b, "S%d:\n", s)
		if len(steps[s]) == 0 {
			p.b.WriteString("\tfalse;\n")
			continue
		}
		p.b.WriteString("\tif\n")
		for _, step := range steps[s] {
			fmt.Fprintf(&p.b, "\t:: %s\n", step)
		}
		p.b.WriteString("\tfi;\n")
	}
	p.b.WriteString("}\n")
}

// assign writes moves of variables as one indivisible command.
func assign(moves []move) string {
	var guards, updates []string
	for _, m := range moves {
		guards = append(guards, fmt.Sprintf("v%d==%d", m.component, m.from))
		if m.from != m.to {
			updates = append(updates, fmt.Sprintf("v%d=%d", m.component, m.to))
		}
	}
	if len(updates) == 0 {
		updates = []string{"skip"}
	}
	return fmt.Sprintf("d_step { %s -> %s }", strings.Join(guards, " && "), strings.Join(updates, "; "))
}
