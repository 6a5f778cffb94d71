package components

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Drawn is a random case with what is asked of it.
type Drawn struct {
	Case
	// Formulas are the texts of formulas by name, Claims the names of claims, in the specification.
	Formulas []NamedFormula
	Claims   []string
	// Constructs are what was drawn, as often.
	Constructs map[string]int
	c, spec    string   // with choices
	names      []string // of choices
}

// NamedFormula is an ltl statement.
type NamedFormula struct{ Name, Text string }

// Choices are how many there are, each by the name of its construct.
func (d *Drawn) Choices() []string { return d.names }

// Without is the case with something else in the place of a choice.
func (d *Drawn) Without(choice int) Case {
	c := d.Case
	c.C, c.Spec = resolved(d.c, choice), resolved(d.spec, choice)
	return c
}

// FormulaWithout is a formula of Without.
func (d *Drawn) FormulaWithout(n, choice int) string { return resolved(d.Formulas[n].Text, choice) }

// Formula is the text of a formula as it was drawn.
func (d *Drawn) Formula(n int) string { return resolved(d.Formulas[n].Text, -1) }

// generator draws a case.
type generator struct {
	*rand.Rand
	used  map[string]int
	names []string

	helpers   []routine
	routines  []routine // with abstractions
	globals   []cvar
	scope     []cvar
	every     []cvar // of the procedure that is being drawn
	actions   []string
	labels    []string
	loops     int
	fresh     int
	jumps     bool // labels and gotos may be drawn
	inner     bool // the body of a helper
	fails     bool
	calls     int
	result    string          // of the routine that is being drawn
	results   []string        // of the procedures
	whole     bool            // a program, not components
	begun     int             // what lies outside of the block that is being drawn: so many of scope
	performed map[string]bool // actions of the routines that are called
	events    []string        // of those, what formulas may speak of
}

// cvar is a variable that expressions may read, or only formulas.
type cvar struct {
	name, t string
	set     bool // it has a value that may be read
	place   bool // it may be assigned to
}

// routine is one that is called.
type routine struct{ name, result, param, does string }

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *generator, all ...T) T { return all[g.IntN(len(all))] }

func (g *generator) name(prefix string) string {
	g.fresh++
	return fmt.Sprint(prefix, g.fresh)
}

// Random draws a case. Every construct of the manual that is enumerated here is drawn by a method
// of the generator, which names it in choice.
func Random(r *rand.Rand) *Drawn {
	g := &generator{Rand: r, performed: map[string]bool{}, used: map[string]int{}}
	g.actions = []string{"a", "b", "c"}[:1+g.IntN(3)]
	if g.chance(15) {
		g.actions = append(g.actions, "x.0", "x.1")
	}
	var c strings.Builder
	c.WriteString("void __VERIFIER_assume(int); void reach_error(void); void exit(int); void abort(void); _Bool any(void);\n")
	c.WriteString("_Noreturn void gone(void);\nenum e { E0, E1, E2 };\nstruct s { _Bool x; unsigned char y; };\nunion u { unsigned char c; _Bool b; };\n")
	c.WriteString(g.globalVariables())
	spec := g.routineStructures(&c)
	for range g.IntN(3) {
		c.WriteString(g.helper())
	}
	procedures := []string{"p"}
	if g.chance(45) {
		procedures = append(procedures, "q")
	}
	var variables [][]cvar
	var labels [][]string
	for _, name := range procedures {
		c.WriteString(g.procedure(name))
		variables, labels = append(variables, g.every), append(labels, g.labels)
	}
	d := &Drawn{}
	spec += g.program(d, procedures, variables, labels)
	d.c, d.spec, d.names, d.Constructs = c.String(), spec, g.names, g.used
	d.Case = Case{C: resolved(d.c, -1), Spec: resolved(d.spec, -1), Process: "s"}
	return d
}

func (g *generator) globalVariables() string {
	text := ""
	for i := range g.IntN(3) {
		v := cvar{fmt.Sprint("g", i), pick(g, "_Bool", "int", "unsigned char", "enum e"), true, true}
		first := ""
		if g.chance(50) {
			first = g.choice("initialised global", fmt.Sprint(" = ", g.IntN(2)), "")
		}
		text += v.t + " " + v.name + first + ";\n"
		g.globals = append(g.globals, v)
	}
	return text
}

// helper is a routine that is inlined.
func (g *generator) helper() string {
	begun := g.begun
	defer func() { g.begun = begun }()
	g.begun = 0
	r := routine{name: g.name("h"), result: pick(g, "int", "_Bool", "void"), param: pick(g, "int", "_Bool", "")}
	g.result = r.result
	outer := g.scope
	g.scope, g.inner = nil, true
	params := "void"
	if r.param != "" {
		params = r.param + " k"
		g.scope = append(g.scope, cvar{"k", r.param, true, true})
	}
	every := g.every
	body := g.block(1+g.IntN(2), 1)
	g.every = every
	if r.result != "void" {
		body += "return " + g.choice("helper's result", g.value(r.result), "0") + ";\n"
	}
	g.scope, g.inner = outer, false
	g.helpers = append(g.helpers, r)
	return fmt.Sprintf("static %s %s(%s) {\n%s}\n", r.result, r.name, params, body)
}

// procedure is that of a component.
func (g *generator) procedure(name string) string {
	g.scope, g.every, g.labels, g.loops, g.calls = nil, nil, nil, 0, 0
	g.begun = 0
	var params []string
	result := pick(g, "int", "int", "void", "_Bool")
	g.result, g.results = result, append(g.results, result)
	for i := range g.IntN(3) {
		v := cvar{fmt.Sprint("n", i), pick(g, "_Bool", "_Bool", "int", "enum e"), true, true}
		if v.t == "enum e" {
			v.t = "_Bool"
		}
		params = append(params, v.t+" "+v.name)
		g.scope, g.every = append(g.scope, v), append(g.every, v)
	}
	if g.chance(12) {
		params = append(params, "_Bool *o")
		g.scope = append(g.scope, cvar{"*o", "_Bool", true, true})
		g.used["pointer parameter"]++
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	g.jumps = g.chance(30)
	text := ""
	if name == "q" && g.chance(30) {
		text = "rw();\n"
	}
	for range 1 + g.IntN(3) {
		text += g.local(1)
	}
	if g.jumps {
		for range 1 + g.IntN(2) {
			g.labels = append(g.labels, g.name("L"))
		}
	}
	rest := append([]string{}, g.labels...)
	text += g.block(2+g.IntN(4), 3)
	for _, l := range rest { // labels stand where every goto before them comes to
		text += l + ": "
		if g.chance(25) { // labels of one statement
			more := g.name("L")
			g.labels = append(g.labels, more)
			g.used["labels together"]++
			text += more + ": "
		}
		text += g.statement(1)
		text += g.block(1, 2)
	}
	if result != "void" && g.chance(85) {
		text += "return " + g.choice("result", g.value(result), "1") + ";\n"
	} else if result != "void" {
		g.used["no result"]++
	}
	return fmt.Sprintf("%s %s(%s) {\n%s}\n", result, name, strings.Join(params, ", "), text)
}

func (g *generator) block(n, depth int) string {
	scope, begun := len(g.scope), g.begun
	defer func() { g.begun = begun }()
	if depth < 3 { // the outermost is that of the routine
		g.begun = scope
	}
	text := ""
	for range n {
		text += g.statement(depth)
	}
	g.scope = g.scope[:min(scope, len(g.scope))]
	return text
}

// local is a declaration.
func (g *generator) local(depth int) string {
	v := cvar{g.name("v"), pick(g, "_Bool", "_Bool", "int", "int", "unsigned char", "short", "unsigned", "enum e", "long", "signed char"), true, true}
	if outer := g.scope[:g.begun]; g.chance(10) && len(outer) > 0 { // shadows
		if w := pick(g, outer...); !strings.ContainsAny(w.name, "*.[") && depth > 1 {
			v.name = w.name
			g.used["shadowed name"]++
		}
	}
	switch {
	case g.chance(14):
		return g.aggregate()
	case g.chance(map[bool]int{true: 20, false: 4}[g.loops > 0]) && !g.inner && !g.whole:
		v.t, v.name = "_Bool", g.name("kept")
		g.keep(v)
		return g.choice("static local", "static ", "") + "_Bool " + v.name + " = 0;\n"
	case g.chance(30) && !g.whole: // without a value
		if v.t != "_Bool" && !(v.t == "unsigned char" && g.chance(30)) {
			v.t = "_Bool"
		}
		g.keep(v)
		return v.t + " " + v.name + g.choice("unset local", "", " = 1") + ";\n"
	}
	first := fmt.Sprint(g.IntN(3))
	if v.t == "_Bool" {
		first = fmt.Sprint(g.IntN(2))
	}
	construct := "constant initialiser"
	if g.chance(50) {
		construct, first = "initialiser", g.value(v.t)
	}
	text := v.t + " " + v.name + " = " + g.choice(construct, first, "0") + ";\n"
	g.keep(v)
	return text
}

func (g *generator) keep(v cvar) {
	g.scope = append(g.scope, v)
	if !g.inner {
		g.every = append(g.every, v)
	}
}

func (g *generator) aggregate() string {
	name := g.name("w")
	switch g.IntN(5) {
	case 0:
		g.keep(cvar{name + ".x", "_Bool", true, true})
		g.keep(cvar{name + ".y", "unsigned char", true, true})
		return "struct s " + name + " = {" + g.choice("struct", "1, 2", "0, 1") + "};\n"
	case 1:
		g.keep(cvar{name + "[0]", "int", true, true})
		g.keep(cvar{name + "[1]", "int", true, true})
		return "int " + name + "[2] = {" + g.choice("array", "1", "0") + "};\n"
	case 2:
		g.keep(cvar{name + ".c", "unsigned char", true, true})
		return "union u " + name + "; " + name + ".c = " + g.choice("union", "1", "0") + ";\n"
	case 3:
		for _, v := range g.scope {
			if v.t == "_Bool" && v.set && !strings.Contains(v.name, "*") {
				g.scope = append(g.scope, cvar{"*" + name, "_Bool", true, true})
				return "_Bool *" + name + " = " + g.choice("pointer", "&"+v.name, "0") + ";\n"
			}
		}
	}
	g.keep(cvar{name + ".x", "_Bool", true, true})
	return "struct s " + name + " = {" + g.choice("designator", ".y = 1, .x = 1", ".x = 0") + "};\n"
}
