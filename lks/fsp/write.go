package fsp

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp/internal/eval"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// Write writes the reachable part of an LKS as a model file with one process,
// in which every state is a local process S0, S1, ... in breadth-first order.
// Compiling the file gives the same LKS but for the following: names of actions
// and propositions that cannot be written in FSP are changed, which a comment at
// the top of the file says; silent steps are written as an action that is
// hidden; propositions that hold in no state are declared by a local process that
// nothing leads to; there is one END at most for every set of propositions, and one
// ERROR, with which others are merged; and where the LKS starts in ERROR, the process
// takes a silent step to it, as P = ERROR does.
//
// The error is w's, or says that the LKS has several initial states or propositions in
// ERROR, which the language cannot say.
func Write(w io.Writer, m *lks.LKS) error {
	m = m.Reachable()
	if len(m.Initial()) > 1 {
		return fmt.Errorf("%s has %d initial states: a process of FSP has one", m.Name(), len(m.Initial()))
	}
	for s := range int32(m.NumStates()) {
		if m.Kind(s) == lks.Error && len(m.Label(s)) > 0 {
			return fmt.Errorf("%s has propositions in its error state (%s): no ERROR carries any", m.Name(), m.Props()[m.Label(s)[0]])
		}
	}
	out := &writer{w: bufio.NewWriter(w), m: m, order: breadthFirst(m)}
	out.run()
	return out.w.Flush()
}

type writer struct {
	w       *bufio.Writer
	m       *lks.LKS
	order   []int32 // states as they are written, the initial one first
	number  []int32 // by state: position in order
	actions []string
	props   []string
	stops   int // states to be written STOP
}

// breadthFirst returns the states from the initial one on.
func breadthFirst(m *lks.LKS) []int32 {
	seen := make([]bool, m.NumStates())
	order := slices.Clone(m.Initial())
	seen[order[0]] = true
	for i := 0; i < len(order); i++ {
		for _, e := range m.Edges(order[i]) {
			if !seen[e.Target] {
				seen[e.Target] = true
				order = append(order, e.Target)
			}
		}
	}
	return order
}

func (o *writer) run() {
	o.number = make([]int32, o.m.NumStates())
	for i, s := range o.order {
		o.number[s] = int32(i)
		if o.stopped(s) {
			o.stops++
		}
	}
	names := newNames()
	o.actions = names.all(o.m.Alphabet()[1:])
	silent := names.fresh("silent")
	o.actions = append([]string{silent}, o.actions...)
	o.props = newNames().all(o.m.Props())
	o.renamed("action", o.m.Alphabet()[1:], o.actions[1:])
	o.renamed("proposition", o.m.Props(), o.props)

	unheld := o.unheld()
	fmt.Fprintf(o.w, "%s = ", processName(o.m.Name()))
	if len(unheld) > 0 {
		fmt.Fprintf(o.w, "if (0) then %s else ", o.unreached())
	}
	o.w.WriteString(o.target(o.order[0]))
	used := make([]bool, len(o.actions))
	for _, s := range o.order {
		o.state(s, used)
	}
	if len(unheld) > 0 {
		fmt.Fprintf(o.w, ",\n%s {%s} = STOP", o.unreached(), strings.Join(unheld, ", "))
	}
	var unused []string
	for a, u := range used {
		if !u && a != int(lks.TauID) {
			unused = append(unused, o.actions[a])
		}
	}
	if len(unused) > 0 {
		fmt.Fprintf(o.w, " +{%s}", strings.Join(unused, ", "))
	}
	if used[lks.TauID] {
		fmt.Fprintf(o.w, "\\{%s}", silent)
	}
	o.w.WriteString(".\n")
}

// renamed notes the names that could not be kept.
func (o *writer) renamed(what string, old, new []string) {
	for i := range old {
		if canonical(new[i]) != old[i] {
			fmt.Fprintf(o.w, "// %s %s was %q\n", what, new[i], old[i])
		}
	}
}

// canonical is the dotted form of a written label.
func canonical(label string) string {
	return strings.ReplaceAll(strings.ReplaceAll(label, "[", "."), "]", "")
}

// stopped reports whether s can be written as STOP, which is one state and has
// no labels.
func (o *writer) stopped(s int32) bool {
	return o.m.Kind(s) == lks.Normal && len(o.m.Edges(s)) == 0 && len(o.m.Label(s)) == 0
}

// target is how a state is referred to.
func (o *writer) target(s int32) string {
	switch {
	case o.m.Kind(s) == lks.End && len(o.m.Label(s)) == 0:
		return "END"
	case o.m.Kind(s) == lks.Error:
		return "ERROR"
	case o.stopped(s) && o.stops == 1:
		return "STOP"
	}
	return "S" + strconv.Itoa(int(o.number[s]))
}

// state writes the definition of a state, if it needs one.
func (o *writer) state(s int32, used []bool) {
	name := o.target(s)
	if name[0] != 'S' || name == "STOP" {
		return
	}
	fmt.Fprintf(o.w, ",\n%s", name)
	if label := o.m.Label(s); len(label) > 0 {
		props := lists.Map(label, func(p int32) string { return o.props[p] })
		fmt.Fprintf(o.w, " {%s}", strings.Join(props, ", "))
	}
	if o.m.Kind(s) == lks.End {
		o.w.WriteString(" = END")
		return
	}
	o.w.WriteString(" = (")
	for i, e := range o.m.Edges(s) {
		if i > 0 {
			o.w.WriteString(" | ")
		}
		used[e.Action] = true
		fmt.Fprintf(o.w, "%s -> %s", o.actions[e.Action], o.target(e.Target))
	}
	if len(o.m.Edges(s)) == 0 { // a choice that can never be made
		fmt.Fprintf(o.w, "when (0) %s -> %s", o.actions[0], name)
	}
	o.w.WriteByte(')')
}

// unreached is the local process with the propositions that hold in no state.
func (o *writer) unreached() string { return "S" + strconv.Itoa(len(o.order)) }

// unheld returns the propositions that hold in no state, as they are written. A
// process has those of all its local processes, reachable or not.
func (o *writer) unheld() []string {
	held := make([]bool, len(o.props))
	for _, s := range o.order {
		for _, p := range o.m.Label(s) {
			held[p] = true
		}
	}
	var names []string
	for p, name := range o.props {
		if !held[p] {
			names = append(names, name)
		}
	}
	return names
}

// names makes labels that can be written, each only once.
type names struct{ taken map[string]bool }

func newNames() *names { return &names{map[string]bool{}} }

// all returns how each of the canonical names is written.
func (n *names) all(old []string) []string {
	written := make([]string, len(old))
	for i, name := range old {
		if w, ok := writtenLabel(name); ok {
			written[i] = w
			n.taken[canonical(w)] = true
		}
	}
	for i, name := range old {
		if written[i] == "" {
			written[i] = n.fresh(identifier(name))
		}
	}
	return written
}

// fresh returns the name, with a number behind it if it is taken.
func (n *names) fresh(name string) string {
	try := name
	for i := 2; n.taken[try]; i++ {
		try = name + "_" + strconv.Itoa(i)
	}
	n.taken[try] = true
	return try
}

// writtenLabel returns a canonical name in FSP: segments that are numbers become
// indices. ok is false if some segment is neither a number nor an action name.
func writtenLabel(name string) (label string, ok bool) {
	var b strings.Builder
	for i, segment := range strings.Split(name, ".") {
		switch v := eval.LabelValue(segment); {
		case !v.IsLabel() && v.String() == segment:
			b.WriteString("[" + segment + "]")
			continue
		case !syntax.IsActionName(segment), segment == lks.TauName:
			return "", false
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(segment)
	}
	if name == "deadlock" || name == "enabled" {
		return "", false
	}
	return b.String(), true
}

// identifier turns any text into an action name.
func identifier(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if syntax.IsNameByte(c) {
			b.WriteByte(c)
		} else if b.Len() > 0 && !strings.HasSuffix(b.String(), "_") {
			b.WriteByte('_')
		}
	}
	name := strings.Trim(b.String(), "_")
	switch {
	case name == "":
		return "x"
	case name[0] >= 'A' && name[0] <= 'Z':
		name = strings.ToLower(name[:1]) + name[1:]
	}
	if !syntax.IsActionName(name) || name == lks.TauName || name == "deadlock" || name == "enabled" {
		return "x_" + name
	}
	return name
}

// processName turns the name of a component into that of a process.
func processName(text string) string {
	name := identifier(text)
	if name = strings.ToUpper(name[:1]) + name[1:]; name[0] == '_' || name == "STOP" || name == "END" || name == "ERROR" || isStateName(name) {
		name = "P_" + name
	}
	return name
}

// isStateName reports whether name is S0, S1, ...
func isStateName(name string) bool {
	return len(name) > 1 && name[0] == 'S' && strings.Trim(name[1:], "0123456789") == ""
}
