package naive

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
)

// This file is the slow twin of the compiler of primitive processes in lks/fsp:
// a small syntax tree of its own, which can be written as text for the real
// parser, and an interpreter that keeps states and environments as strings and
// maps. It is written from the description of FSP (LTSA's order: all states,
// alphabet extension, relabelling, hiding, property, then what is reachable).

// FSPProcess is a primitive process. Locals[0] is its own name, without index.
type FSPProcess struct {
	Locals   []FSPLocal
	Extend   []string
	Relabel  [][2]string // new, old
	Hide     []string    // nil: nothing
	Expose   bool
	Property bool
}

// FSPLocal is NAME = body or NAME[i:lo..hi] = body; Label, if not "", is the
// state label l[i] or l.
type FSPLocal struct {
	Name    string
	Indexed bool
	Lo, Hi  int
	Label   string
	Body    FSPBody
}

// FSPBody is one of FSPRef, FSPIf, FSPChoice.
type FSPBody interface{ text() string }

// FSPRef is NAME or NAME[Index].
type FSPRef struct {
	Name  string
	Index *FSPExpr
}

// FSPIf is if Cond then Then else Else; Else may be nil.
type FSPIf struct {
	Cond       *FSPExpr
	Then, Else FSPBody
}

// FSPChoice is a choice between alternatives.
type FSPChoice []FSPAlternative

// FSPAlternative is when (Guard) actions -> body.
type FSPAlternative struct {
	Guard   *FSPExpr // or nil
	Actions []FSPLabel
	Body    FSPBody
}

// FSPLabel is a label: one of several names (a set if there are more), then
// perhaps an index: an expression, or Var:Lo..Hi.
type FSPLabel struct {
	Names  []string
	Index  *FSPExpr
	Var    string
	Lo, Hi int
}

// FSPExpr is a number, a variable, or an operation on two expressions.
type FSPExpr struct {
	Op          string // "" for a number, "var", or an operator; "!" and "neg" use Left only
	Number      int
	Var         string
	Left, Right *FSPExpr
}

func (e *FSPExpr) String() string {
	switch e.Op {
	case "":
		if e.Number < 0 {
			return fmt.Sprintf("(0%d)", e.Number)
		}
		return fmt.Sprint(e.Number)
	case "var":
		return e.Var
	case "!":
		return "(!" + e.Left.String() + ")"
	case "neg":
		return "(-" + e.Left.String() + ")"
	}
	return "(" + e.Left.String() + " " + e.Op + " " + e.Right.String() + ")"
}

func (e *FSPExpr) value(env map[string]int) int {
	truth := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	if e.Op == "" {
		return e.Number
	}
	if e.Op == "var" {
		v, ok := env[e.Var]
		if !ok {
			panic("naive: unbound " + e.Var)
		}
		return v
	}
	l := e.Left.value(env)
	if e.Op == "!" {
		return truth(l < 1)
	}
	if e.Op == "neg" {
		return -l
	}
	r := e.Right.value(env)
	switch e.Op {
	case "+":
		return l + r
	case "-":
		return l - r
	case "*":
		return l * r
	case "%":
		return l - r*(l/r)
	case "<":
		return truth(l < r)
	case "==":
		return truth(l == r)
	case ">=":
		return truth(l >= r)
	case "&&":
		return truth(l != 0 && r != 0)
	case "||":
		return truth(l != 0 || r != 0)
	}
	panic("naive: operator " + e.Op)
}

func (r FSPRef) text() string {
	if r.Index == nil {
		return r.Name
	}
	return r.Name + "[" + r.Index.String() + "]"
}

func (f FSPIf) text() string {
	s := "if " + f.Cond.String() + " then " + f.Then.text()
	if f.Else != nil {
		s += " else " + f.Else.text()
	}
	return s
}

func (c FSPChoice) text() string {
	var alternatives []string
	for _, a := range c {
		s := ""
		if a.Guard != nil {
			s = "when " + a.Guard.String() + " "
		}
		for _, l := range a.Actions {
			s += l.text() + " -> "
		}
		alternatives = append(alternatives, s+a.Body.text())
	}
	return "(" + strings.Join(alternatives, " | ") + ")"
}

func (l FSPLabel) text() string {
	s := l.Names[0]
	if len(l.Names) > 1 {
		s = "{" + strings.Join(l.Names, ", ") + "}"
	}
	switch {
	case l.Var != "":
		s += fmt.Sprintf("[%s:%d..%d]", l.Var, l.Lo, l.Hi)
	case l.Index != nil:
		s += "[" + l.Index.String() + "]"
	}
	return s
}

// Text writes the process in the modelling language.
func (p *FSPProcess) Text() string {
	var b strings.Builder
	if p.Property {
		b.WriteString("property ")
	}
	for i, l := range p.Locals {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.WriteString(l.Name)
		if l.Indexed {
			fmt.Fprintf(&b, "[i:%d..%d]", l.Lo, l.Hi)
		}
		if l.Label != "" {
			b.WriteString(" {" + l.Label)
			if l.Indexed {
				b.WriteString("[i]")
			}
			b.WriteString("}")
		}
		b.WriteString(" = " + l.Body.text())
	}
	if p.Extend != nil {
		b.WriteString(" + {" + strings.Join(p.Extend, ", ") + "}")
	}
	if p.Relabel != nil {
		var pairs []string
		for _, r := range p.Relabel {
			pairs = append(pairs, r[0]+"/"+r[1])
		}
		b.WriteString(" /{" + strings.Join(pairs, ", ") + "}")
	}
	if p.Hide != nil {
		b.WriteString(map[bool]string{true: " @", false: " \\"}[p.Expose] + "{" + strings.Join(p.Hide, ", ") + "}")
	}
	return b.String() + ".\n"
}

// FSPGraph is the meaning of a process: states by name (STOP, END and ERROR
// among them), the initial one, transitions, and the alphabet without tau.
type FSPGraph struct {
	Initial     string
	Labels      map[string]string // by state that has one
	Transitions [][3]string       // from, action, to; reachable, sorted, no duplicates
	Alphabet    []string
	States      []string // reachable
}

// Graph interprets the process. ok is false if it has none: P is defined as
// itself without an action, one state has two labels or ERROR has one,
// or a property is not deterministic.
func (p *FSPProcess) Graph() (g *FSPGraph, ok bool) {
	i := &fspInterpreter{p: p, bodies: map[string]instance{}, alphabet: map[string]bool{}}
	for k := range p.Locals {
		l := &p.Locals[k]
		for v := l.Lo; v <= l.Hi; v++ {
			name, env := l.Name, map[string]int{}
			if l.Indexed {
				name, env = fmt.Sprintf("%s.%d", l.Name, v), map[string]int{"i": v}
			}
			i.bodies[name] = instance{l, env}
			if !l.Indexed {
				break
			}
		}
	}
	for _, name := range sortedNames(i.bodies) {
		if at := i.bodies[name]; i.real(name) == name {
			i.choice(name, i.settle(at.local.Body, at.env).(FSPChoice), at.env)
		}
	}
	if i.looped {
		return nil, false
	}
	return i.finish()
}

type instance struct {
	local *FSPLocal
	env   map[string]int
}

func (at instance) stateLabel() string {
	if at.local.Label == "" || !at.local.Indexed {
		return at.local.Label
	}
	return fmt.Sprintf("%s.%d", at.local.Label, at.env["i"])
}

type fspInterpreter struct {
	p        *FSPProcess
	bodies   map[string]instance
	edges    [][3]string
	alphabet map[string]bool
	looped   bool
}

func sortedNames[V any](m map[string]V) []string {
	var names []string
	for n := range m {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// settle decides conditions: the result is a reference or a choice.
func (i *fspInterpreter) settle(b FSPBody, env map[string]int) FSPBody {
	f, ok := b.(FSPIf)
	switch {
	case !ok:
		return b
	case f.Cond.value(env) != 0:
		return i.settle(f.Then, env)
	case f.Else == nil:
		return FSPRef{Name: "STOP"}
	}
	return i.settle(f.Else, env)
}

// real follows definitions that are only other names. A STOP or END that is reached
// through names with state labels is a state of its own, with the last of these.
func (i *fspInterpreter) real(name string) string {
	label := ""
	for range len(i.bodies) + 1 {
		at, ok := i.bodies[name]
		switch {
		case !ok && (name == "STOP" || name == "END"):
			return name + label
		case !ok:
			return "ERROR"
		}
		ref, ok := i.settle(at.local.Body, at.env).(FSPRef)
		if !ok {
			return name
		}
		if l := at.stateLabel(); l != "" {
			label = " " + l
		}
		name = refName(ref, at.env)
	}
	i.looped = true
	return "ERROR"
}

func refName(r FSPRef, env map[string]int) string {
	if r.Index == nil {
		return r.Name
	}
	return fmt.Sprintf("%s.%d", r.Name, r.Index.value(env))
}

func (i *fspInterpreter) choice(from string, c FSPChoice, env map[string]int) {
	for k, a := range c {
		if a.Guard != nil && a.Guard.value(env) == 0 {
			continue
		}
		i.sequence(from, fmt.Sprint(from, "/", k), a.Actions, a.Body, env)
	}
}

func (i *fspInterpreter) sequence(from, path string, actions []FSPLabel, body FSPBody, env map[string]int) {
	for _, label := range actions[0].names(env) {
		i.alphabet[label.name] = true
		here := path + "/" + label.name
		if len(actions) > 1 {
			i.edges = append(i.edges, [3]string{from, label.name, here})
			i.sequence(here, here, actions[1:], body, label.env)
			continue
		}
		switch b := i.settle(body, label.env).(type) {
		case FSPRef:
			i.edges = append(i.edges, [3]string{from, label.name, i.real(refName(b, label.env))})
		case FSPChoice:
			i.edges = append(i.edges, [3]string{from, label.name, here})
			i.choice(here, b, label.env)
		}
	}
}

type boundName struct {
	name string
	env  map[string]int
}

func (l FSPLabel) names(env map[string]int) []boundName {
	var all []boundName
	for _, n := range l.Names {
		switch {
		case l.Var != "":
			for v := l.Lo; v <= l.Hi; v++ {
				inner := map[string]int{l.Var: v}
				maps.Copy(inner, env)
				all = append(all, boundName{fmt.Sprintf("%s.%d", n, v), inner})
			}
		case l.Index != nil:
			all = append(all, boundName{fmt.Sprintf("%s.%d", n, l.Index.value(env)), env})
		default:
			all = append(all, boundName{n, env})
		}
	}
	return all
}

// under reports whether action is name or name.something.
func under(action, name string) bool { return action == name || strings.HasPrefix(action, name+".") }

// renamed applies relabelling: exact names first, then the longest prefix.
func (p *FSPProcess) renamed(action string) []string {
	best := ""
	for _, r := range p.Relabel {
		if old := canonicalFSP(r[1]); under(action, old) && len(old) > len(best) {
			best = old
		}
	}
	if best == "" {
		return []string{action}
	}
	var out []string
	for _, r := range p.Relabel {
		if canonicalFSP(r[1]) == best {
			out = append(out, canonicalFSP(r[0])+action[len(best):])
		}
	}
	return out
}

func canonicalFSP(label string) string {
	return strings.ReplaceAll(strings.ReplaceAll(label, "[", "."), "]", "")
}

func (p *FSPProcess) shown(action string) string {
	if p.Hide == nil {
		return action
	}
	listed := slices.ContainsFunc(p.Hide, func(h string) bool { return under(action, canonicalFSP(h)) })
	if listed == p.Expose {
		return action
	}
	return "tau"
}

func (i *fspInterpreter) finish() (*FSPGraph, bool) {
	g := &FSPGraph{Initial: i.real(i.p.Locals[0].Name), Labels: map[string]string{}}
	if i.looped || !i.label(g) {
		return nil, false
	}
	for _, e := range i.p.Extend {
		i.alphabet[canonicalFSP(e)] = true
	}
	final := map[string]bool{}
	all := map[[3]string]bool{}
	for a := range i.alphabet {
		for _, b := range i.p.renamed(a) {
			if s := i.p.shown(b); s != "tau" {
				final[s] = true
			}
		}
	}
	for _, e := range i.edges {
		for _, b := range i.p.renamed(e[1]) {
			all[[3]string{e[0], i.p.shown(b), e[2]}] = true
		}
	}
	g.Alphabet = sortedNames(final)
	if g.Initial == "ERROR" {
		g.Initial = "START"
		all[[3]string{"START", "tau", "ERROR"}] = true
	}
	return g, i.reach(g, all)
}

// label gives each state the label of the names that stand for it.
func (i *fspInterpreter) label(g *FSPGraph) bool {
	for _, name := range sortedNames(i.bodies) {
		at := i.bodies[name]
		label := at.stateLabel()
		if label == "" {
			continue
		}
		state := i.real(name)
		if old, ok := g.Labels[state]; ok && old != label || state == "ERROR" {
			return false
		}
		g.Labels[state] = label
	}
	return true
}

// reach keeps what is reachable, completed if the process is a property.
func (i *fspInterpreter) reach(g *FSPGraph, all map[[3]string]bool) bool {
	seen := map[string]bool{g.Initial: true}
	queue := []string{g.Initial}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		g.States = append(g.States, s)
		if s == "ERROR" {
			continue
		}
		out := map[[3]string]bool{}
		targets := map[string]string{}
		for e := range all {
			if e[0] == s {
				out[e] = true
				if t, ok := targets[e[1]]; i.p.Property && (ok && t != e[2] || e[1] == "tau") {
					return false
				}
				targets[e[1]] = e[2]
			}
		}
		if i.p.Property {
			for _, a := range g.Alphabet {
				if _, ok := targets[a]; !ok {
					out[[3]string{s, a, "ERROR"}] = true
				}
			}
		}
		for e := range out {
			g.Transitions = append(g.Transitions, e)
			if !seen[e[2]] {
				seen[e[2]] = true
				queue = append(queue, e[2])
			}
		}
	}
	slices.Sort(g.States)
	slices.SortFunc(g.Transitions, func(a, b [3]string) int { return slices.Compare(a[:], b[:]) })
	return true
}

// RandomFSP makes a random process.
func RandomFSP(r *rand.Rand) *FSPProcess {
	g := &fspRandom{r}
	p := &FSPProcess{Locals: []FSPLocal{
		{Name: "P", Body: g.body(2, nil)},
		{Name: "Q", Indexed: true, Lo: -1, Hi: 1 + r.IntN(2), Body: g.body(2, []string{"i"})},
		{Name: "T", Body: g.body(1, nil)},
	}}
	for k := range p.Locals {
		if r.IntN(4) == 0 {
			p.Locals[k].Label = []string{"p", "q", "t"}[k]
		}
	}
	if r.IntN(3) == 0 {
		p.Extend = [][]string{{"d"}, {"a", "e.f"}, {"b[3]"}}[r.IntN(3)]
	}
	if r.IntN(3) == 0 {
		p.Relabel = [][][2]string{{{"x", "a"}}, {{"x", "a"}, {"y", "a"}}, {{"b[0]", "b[1]"}}, {{"z.b", "b"}, {"c", "b[1]"}}, {{"c", "a"}, {"c", "b"}}}[r.IntN(5)]
	}
	if r.IntN(3) == 0 {
		p.Hide, p.Expose = [][]string{{"c"}, {"b"}, {"a", "b[1]"}, {}}[r.IntN(4)], r.IntN(2) == 0
	}
	p.Property = r.IntN(6) == 0
	return p
}

type fspRandom struct{ r *rand.Rand }

func (g *fspRandom) expr(vars []string, depth int) *FSPExpr {
	switch k := g.r.IntN(4); {
	case k == 0 && depth > 0:
		ops := []string{"+", "-", "*", "%", "<", "==", ">=", "&&", "||", "!", "neg"}
		e := &FSPExpr{Op: ops[g.r.IntN(len(ops))], Left: g.expr(vars, depth-1), Right: g.expr(vars, depth-1)}
		if e.Op == "%" {
			e.Right = &FSPExpr{Number: 2 + g.r.IntN(2)}
		}
		return e
	case k < 3 && len(vars) > 0:
		return &FSPExpr{Op: "var", Var: vars[g.r.IntN(len(vars))]}
	}
	return &FSPExpr{Number: g.r.IntN(4) - 1}
}

func (g *fspRandom) body(depth int, vars []string) FSPBody {
	k := g.r.IntN(8)
	switch {
	case depth == 2 && k > 1 || depth > 0 && k > 5:
		var c FSPChoice
		for range 1 + g.r.IntN(3) {
			c = append(c, g.alternative(depth, vars))
		}
		return c
	case k == 5 && depth > 0:
		f := FSPIf{Cond: g.expr(vars, 2), Then: g.body(depth-1, vars)}
		if g.r.IntN(3) > 0 {
			f.Else = g.body(depth-1, vars)
		}
		return f
	case k < 3:
		return FSPRef{Name: "Q", Index: g.expr(vars, 1)}
	}
	return FSPRef{Name: []string{"P", "T", "STOP", "END", "ERROR", "NOWHERE"}[g.r.IntN(6)]}
}

func (g *fspRandom) alternative(depth int, vars []string) FSPAlternative {
	var a FSPAlternative
	if g.r.IntN(3) == 0 {
		a.Guard = g.expr(vars, 2)
	}
	for n := range 1 + g.r.IntN(2) {
		l := FSPLabel{Names: [][]string{{"a"}, {"b"}, {"c"}, {"a", "c"}}[g.r.IntN(4)]}
		switch g.r.IntN(3) {
		case 0:
			l.Index = g.expr(vars, 1)
		case 1:
			l.Var, l.Lo = fmt.Sprintf("v%d_%d", depth, n), g.r.IntN(2)
			l.Hi = l.Lo + g.r.IntN(2)
		}
		a.Actions = append(a.Actions, l)
		if l.Var != "" {
			vars = append(slices.Clip(vars), l.Var)
		}
	}
	a.Body = g.body(depth-1, vars)
	return a
}
