package deadlock

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/lks"
)

// Abstraction says how far IterDeadlock has come.
type Abstraction struct {
	Rounds     int
	Components []int // states of each component that it can reach on its own
	Classes    []int // of each component's quotient, in the last round
	States     int   // abstract states that the last round reached
	MaxStates  int   // the most that a round reached
	Bytes      int64 // of the state table and its side arrays, at most
	// Abandoned is the round after which refinement was given up, because the
	// quotients were nearly as large as the components or plain search had the
	// answer with fewer states; 0 if it was not.
	Abandoned int

	transitions, ends, errors int64 // of the last round
}

// note records a search.
func (s *Abstraction) note(search *absSearch, parts []*quotient) {
	s.States = search.states.Len()
	s.MaxStates = max(s.MaxStates, s.States)
	s.Bytes = max(s.Bytes, search.states.Bytes())
	s.transitions, s.ends, s.errors = search.transitions, search.ends, search.errors
	s.Classes = s.Classes[:0]
	for _, q := range parts {
		s.Classes = append(s.Classes, len(q.Members))
	}
}

// Round is a round of IterDeadlock. Options.Explain may keep it.
type Round struct {
	Number   int
	States   int   // abstract states reached
	Concrete bool  // the quotients are the components themselves
	Classes  []int // of each component's quotient
	Spurious []Spurious
	Outcome  string // of the last round
}

// Spurious is an abstract deadlock that is none of the network.
type Spurious struct {
	Rules     []int32   // its trace
	Classes   [][]int32 // its states: a class for each component; one more than rules
	Convicted []Conviction
}

// Conviction says why a component cannot take part in an abstract deadlock, and
// how its quotient is refined so that this counts.
type Conviction struct {
	Component int
	// The component can follow the first Followed of the Actions actions that the
	// trace asks of it. If it can follow them all, then no state that it can be in
	// refuses all that its last class is taken to refuse.
	Followed, Actions int
	Action            string // the local action by which to split, or the first of Offered
	// Offered are the local actions that the last class is taken to refuse and that
	// some state of it offers, if the component can follow the whole trace.
	Offered []string
	Class   []int32 // the states of the class to split; must not be changed
	ByOffer bool    // split into those that offer Action and those that do not; otherwise by where it leads
	Pieces  int     // that the class was split into; 0 if other splits were preferred
}

func (c *conviction) public(it *iteration) Conviction {
	i := c.cut.component
	m := it.comps[i].m
	class := it.parts[i].Members[c.cut.class]
	public := Conviction{
		Component: int(i), Followed: c.followed, Actions: c.actions, Pieces: c.pieces,
		Action: m.Alphabet()[c.cut.actions[0]], Class: class, ByOffer: c.followed == c.actions,
	}
	if !public.ByOffer {
		return public
	}
	for _, a := range c.cut.actions {
		if slices.ContainsFunc(class, func(s int32) bool { return len(m.Succ(s, a)) > 0 }) {
			public.Offered = append(public.Offered, m.Alphabet()[a])
		}
	}
	if len(public.Offered) > 0 {
		public.Action = public.Offered[0]
	}
	return public
}

// Write describes the round for people, in a few lines.
func (r *Round) Write(net *lks.Network) string {
	var b strings.Builder
	classes := 0
	for _, n := range r.Classes {
		classes += n
	}
	fmt.Fprintf(&b, "round %d: %s", r.Number, names.Counted(r.States, "abstract state"))
	fmt.Fprintf(&b, " of %s with %s", names.Counted(len(r.Classes), "component"), names.Counted(classes, "class"))
	if r.Concrete {
		b.WriteString(": the components themselves")
	}
	b.WriteByte('\n')
	for _, s := range r.Spurious {
		where := "at the start"
		if len(s.Rules) > 0 {
			events := lists.Map(s.Rules, func(rule int32) string { return net.Alphabet()[net.Rules()[rule].Action] })
			where = "after " + strings.Join(events, ", ")
		}
		fmt.Fprintf(&b, "  spurious deadlock %s:\n", where)
		for _, c := range s.Convicted {
			fmt.Fprintf(&b, "    %s\n", c.describe(net))
		}
	}
	if r.Outcome != "" {
		fmt.Fprintf(&b, "  %s\n", r.Outcome)
	}
	return b.String()
}

func (c *Conviction) describe(net *lks.Network) string {
	name := net.ComponentName(c.Component)
	var b strings.Builder
	if c.ByOffer && len(c.Offered) == 1 {
		fmt.Fprintf(&b, "%s cannot refuse %s there", name, c.Action)
	} else if c.ByOffer {
		fmt.Fprintf(&b, "%s cannot refuse all of {%s} there", name, strings.Join(c.Offered, ", "))
	} else {
		fmt.Fprintf(&b, "%s can do only the first %d of its %s in that", name, c.Followed, names.Counted(c.Actions, "action"))
	}
	if c.Pieces == 0 {
		return b.String()
	}
	how := "where " + c.Action + " leads"
	switch {
	case c.ByOffer && len(c.Offered) > 1:
		how = "where these lead"
	case c.ByOffer:
		how = "who offers " + c.Action
	}
	fmt.Fprintf(&b, "; its class %s is split by %s into %d", stateSet(net.Components()[c.Component], c.Class), how, c.Pieces)
	return b.String()
}

// stateSet names a few states.
func stateSet(m *lks.LKS, states []int32) string {
	const most = 6
	names := lists.Append(nil, states[:min(most, len(states))], m.StateName)
	if len(states) > most {
		names = append(slices.Clip(names), fmt.Sprintf("... %d states", len(states)))
	}
	return "{" + strings.Join(names, ", ") + "}"
}
