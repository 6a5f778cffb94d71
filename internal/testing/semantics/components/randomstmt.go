package components

import (
	"fmt"
	"strings"
)

// statement draws one, with a line of its own.
func (g *generator) statement(depth int) string {
	for {
		if s := g.one(depth); s != "" {
			return s
		}
	}
}

func (g *generator) one(depth int) string {
	n := g.IntN(100)
	switch {
	case g.whole && g.chance(30):
		return g.object()
	case g.whole && g.chance(12):
		return g.input()
	case n < 22:
		return g.callStatement()
	case n < 36:
		return g.assignment()
	case n < 40:
		if depth < 3 {
			scope, begun := len(g.scope), g.begun
			g.begun = scope
			text := "{ " + g.local(2) + g.block(1, depth-1) + "}\n"
			g.scope, g.begun = g.scope[:scope], begun
			return text
		}
		return g.local(2)
	case depth <= 1:
		return g.assignment()
	case n < 56:
		text := "if (" + g.condition() + ") {\n" + g.block(1+g.IntN(2), depth-1) + "}"
		if g.chance(45) {
			text += " else {\n" + g.choice("else", g.block(1, depth-1), "") + "}"
		}
		return text + "\n"
	case n < 68:
		return g.loop(depth)
	case n < 73:
		return g.switching(depth)
	case n < 79:
		if g.loops > 0 && !g.inner && g.chance(25) {
			return g.unreached(g.choice("break or continue before a declaration", pick(g, "break;", "continue;"), ";"))
		}
		if g.loops > 0 && !g.inner {
			return "if (" + g.boolean(1) + ") " + g.choice("break or continue", pick(g, "break;", "continue;"), ";") + "\n"
		}
	case n < 82:
		if len(g.labels) > 0 && !g.inner {
			return "if (" + g.boolean(1) + ") " + g.choice("goto", "goto "+pick(g, g.labels...)+";", ";") + "\n"
		}
	case n < 84:
		return g.choice("assume", "__VERIFIER_assume("+g.boolean(1)+");", ";") + "\n"
	case n < 87:
		return g.ending()
	case n < 89:
		if g.whole {
			return ""
		}
		if g.chance(50) {
			return g.choice("null access", "if ("+g.boolean(1)+") *(int *)0 = 1;", ";") + "\n"
		}
		return g.choice("division by what may be 0", "if ("+g.expr(1)+" / ("+g.boolean(1)+")) ;", ";") + "\n"
	case n < 91:
		return g.returning()
	case n < 93:
		return g.pointedCall()
	case n < 97:
		return g.copied()
	}
	return ""
}

func (g *generator) callStatement() string {
	if g.calls >= 5 || g.inner && g.chance(70) {
		return ""
	}
	var all []routine
	all = append(all, g.routines...)
	if g.chance(45) && !g.inner {
		all = append(all, g.helpers...)
		all = append(all, g.helpers...)
	}
	if len(all) == 0 {
		return ""
	}
	r := pick(g, all...)
	g.calls++
	call := g.callOf(r)
	if r.result != "void" && g.chance(75) {
		if v, ok := g.target(); ok {
			return v.name + " = " + g.choice("result of a call", g.cast()+call, "0") + ";\n"
		}
	}
	return g.choice("call", call+";", ";") + "\n"
}

func (g *generator) cast() string {
	if g.chance(15) {
		return g.choice("converted result", "(_Bool)", "")
	}
	return ""
}

func small(t string) bool { return t == "_Bool" || strings.HasSuffix(t, "char") }

func (g *generator) assignment() string {
	v, ok := g.target()
	if !ok {
		return ";\n"
	}
	switch {
	case g.chance(12) && v.t != "enum e":
		return g.bumped(v) + ";\n"
	case g.chance(12) && v.t != "_Bool":
		return v.name + " " + g.choice("compound assignment", pick(g, "+=", "|=", "^=", "&=", "-="), "=") + " " + fmt.Sprint(g.IntN(3)) + "; " + v.name + " &= 3;\n"
	case g.chance(8):
		if w, ok := g.target(); ok && w.name != v.name {
			return g.choice("comma", v.name+" = 1, ", "") + w.name + " = " + g.value(w.t) + ";\n"
		}
	}
	return v.name + " = " + g.choice("assignment", g.value(v.t), v.name) + ";\n"
}

// loop has few rounds, or goes on for ever.
func (g *generator) loop(depth int) string {
	g.loops++
	defer func() { g.loops-- }()
	body := func() string { return g.block(1+g.IntN(2), depth-1) }
	i := g.name("loop")
	kind := g.IntN(5)
	if g.whole && g.chance(70) { // most loops of programs have few rounds
		kind = 0
	}
	switch kind {
	case 0:
		text := "for (int " + i + " = 0; " + i + " < " + g.choice("for", fmt.Sprint(1+g.IntN(3)), "0") + "; " + i + "++) {\n"
		g.scope = append(g.scope, cvar{i, "int", true, false})
		text += body() + "}\n"
		g.scope = g.scope[:len(g.scope)-1]
		return text
	case 1:
		return "for (;;) {\n" + body() + g.choice("way out of a loop", "if ("+g.condition()+") break;\n", pick(g, "", "break;\n")) + "}\n"
	case 2:
		return "do {\n" + body() + "} while (" + g.choice("do", g.boolean(1), "0") + ");\n"
	case 3:
		if g.inner || g.whole {
			return ""
		}
		return g.choice("while", "while (1) {\n"+body()+"}\n", "while (0) ;\n")
	}
	return "while (" + g.choice("while", g.condition(), "0") + ") {\n" + body() + "}\n"
}

func (g *generator) switching(depth int) string {
	text := "switch (" + g.expr(1) + pick(g, "", " + 1") + ") {\n"
	g.loops++
	for k := range 1 + g.IntN(3) {
		text += g.caseLabel() + fmt.Sprintf("case %d: ", k) + g.caseLabel() + g.block(1, depth-1) + g.breakText() + "\n"
	}
	g.loops--
	if g.chance(50) {
		last := g.callStatement()
		if last == "" {
			last = g.assignment()
		}
		text += g.choice("default", g.caseLabel()+"default: "+last, "")
	}
	return strings.ReplaceAll(text, "continue;", ";") + "}\n"
}

// caseLabel is a label of the statement that has a case, or nothing.
func (g *generator) caseLabel() string {
	if g.inner || g.whole || g.chance(85) {
		return ""
	}
	l := g.name("L")
	g.labels = append(g.labels, l)
	g.used["label of a case"]++
	return l + ": "
}

func (g *generator) breakText() string {
	if g.chance(50) {
		return g.choice("break in a switch", "break;", "")
	}
	return g.choice("break in a switch", "", "break;")
}

// ending is what ends a component.
func (g *generator) ending() string {
	how := pick(g, "exit(0);", "abort();", "gone();", "reach_error();")
	construct := map[string]string{"exit(0);": "exit", "abort();": "abort", "gone();": "noreturn", "reach_error();": "failure"}[how]
	g.fails = g.fails || construct == "failure"
	return "if (" + g.boolean(1) + ") " + g.choice(construct, how, ";") + "\n"
}

func (g *generator) returning() string {
	value := ""
	if g.result != "void" {
		value = g.value(g.result)
	}
	if g.chance(35) {
		return g.unreached(g.choice("return before a declaration", "return "+value+";", ";"))
	}
	return "if (" + g.boolean(1) + ") " + g.choice("return inside", "return "+value+";", ";") + "\n"
}

// unreached has a declaration that nothing comes to, behind a jump.
func (g *generator) unreached(jump string) string {
	scope, begun := len(g.scope), g.begun
	g.begun = scope
	text := "if (" + g.boolean(1) + ") {\n" + jump + "\n" + g.local(2) + g.block(1, 1) + "}\n"
	g.scope, g.begun = g.scope[:scope], begun
	return text
}

// pointedCall calls a routine by a pointer.
func (g *generator) pointedCall() string {
	var all []routine
	for _, r := range append(append([]routine{}, g.routines...), g.helpers...) {
		if r.param == "" && (r.result == "void" || r.result == "_Bool") {
			all = append(all, r)
		}
	}
	if len(all) == 0 || g.inner || g.calls > 4 {
		return ""
	}
	g.calls++
	r := pick(g, all...)
	other := "0"
	for _, o := range all {
		if o.result == r.result && o.name != r.name && g.chance(50) {
			other = o.name
		}
	}
	f := g.name("f")
	return "{ " + r.result + " (*" + f + ")(void) = " + g.choice("routine by a pointer", r.name, other) + "; " + f + "(); }\n"
}

// copied copies a struct as a whole.
func (g *generator) copied() string {
	for _, v := range g.scope {
		if base, member, is := strings.Cut(v.name, "."); is && member == "x" {
			w := g.name("w")
			return "{ struct s " + w + " = {0, 1}; " + g.choice("struct copied", base+" = "+w+";", "") + " }\n"
		}
	}
	return ""
}
