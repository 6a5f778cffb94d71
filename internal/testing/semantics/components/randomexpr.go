package components

import (
	"fmt"
	"strings"
)

// readable are variables with a value.
func (g *generator) readable() (all []cvar) {
	for _, v := range append(append([]cvar{}, g.scope...), g.globals...) {
		if v.set && !g.hidden(v) {
			all = append(all, v)
		}
	}
	return all
}

// hidden reports a variable whose name means another one here: several of the same are drawn.
func (g *generator) hidden(v cvar) bool {
	for i := len(g.scope) - 1; i >= 0; i-- {
		if w := g.scope[i]; w.name == v.name {
			return w != v
		}
	}
	return false
}

// value is an expression for a variable of a type: of wide types, of few values.
func (g *generator) value(t string) string {
	switch {
	case t == "_Bool":
		return g.boolean(2)
	case g.chance(35):
		return fmt.Sprint(g.IntN(4))
	case g.chance(50):
		return "(" + g.expr(2) + ") & " + pick(g, "1", "3")
	case t == "unsigned char" || t == "signed char" || t == "short":
		return g.expr(1)
	}
	return "(" + g.expr(2) + ") & 3"
}

// expr is an expression without side effects.
func (g *generator) expr(depth int) string {
	if all := g.readable(); depth <= 0 || g.chance(25) {
		if len(all) > 0 && g.chance(75) {
			return pick(g, all...).name
		}
		return fmt.Sprint(g.IntN(4))
	}
	sub := func() string { return g.expr(depth - 1) }
	switch g.IntN(14) {
	case 0, 1:
		op := pick(g, "+", "-", "*")
		return "(" + sub() + " " + g.choice("arithmetic", op, "|") + " " + sub() + ")"
	case 2:
		return "(" + sub() + " " + g.choice("bits", pick(g, "&", "|", "^"), "+") + " " + sub() + ")"
	case 3:
		return "(" + g.boolean(depth-1) + ")"
	case 4:
		return g.choice("unary operator", pick(g, "-", "~", "!"), "+") + "(" + sub() + ")"
	case 5:
		return "(" + g.choice("cast", pick(g, "(unsigned char)", "(_Bool)", "(unsigned)", "(_Bool)"), "") + pick(g, "(", "(-", "(1 + ") + sub() + "))"
	case 6:
		return "(" + g.boolean(depth-1) + " ? " + g.choice("?:", sub(), "7") + " : " + sub() + ")"
	case 7:
		return "(" + sub() + " " + g.choice("shift", pick(g, "<<", ">>"), "+") + " " + fmt.Sprint(g.IntN(3)) + ")"
	case 8:
		return "(" + sub() + " " + g.choice("division", pick(g, "/", "%"), "+") + " " + fmt.Sprint(1+g.IntN(3)) + ")"
	case 9:
		return fmt.Sprintf("(int)sizeof(%s)", g.choice("sizeof", pick(g, "int", "struct s", "char", "long"), "short"))
	case 10:
		return "(-(" + sub() + ") < " + g.choice("mixed signs", "1u", "1") + ")"
	case 11:
		return g.choice("enumerator", pick(g, "E1", "E2"), "E0")
	}
	return sub()
}

// boolean is 0 or 1.
func (g *generator) boolean(depth int) string {
	sub := func() string { return g.expr(depth - 1) }
	switch g.IntN(8) {
	case 0, 1, 2:
		return "(" + sub() + " " + g.choice("comparison", pick(g, "==", "!=", "<", ">", "<=", ">="), "==") + " " + sub() + ")"
	case 3:
		if depth > 0 {
			op := pick(g, "&&", "||")
			return "(" + g.boolean(depth-1) + " " + g.choice(op, op, map[string]string{"&&": "||", "||": "&&"}[op]) + " " + g.boolean(depth-1) + ")"
		}
	case 4:
		return g.choice("negation", "!", "!!") + "(" + sub() + ")"
	}
	for _, v := range g.readable() {
		if v.t == "_Bool" && g.chance(50) {
			return v.name
		}
	}
	return "(" + sub() + " == " + fmt.Sprint(g.IntN(2)) + ")"
}

// condition is one that may have a side effect: at most one, so that its order is defined.
func (g *generator) condition() string {
	if v, ok := g.target(); ok && g.chance(12) {
		return "(" + g.choice("assignment as a value", v.name+" = "+g.value(v.t), v.name) + ") == " + fmt.Sprint(g.IntN(2))
	}
	if v, ok := g.target(); ok && g.chance(8) && v.t != "enum e" {
		return "(" + g.bumped(v) + ") == " + fmt.Sprint(g.IntN(2))
	}
	if len(g.routines) > 0 && g.chance(12) && g.calls < 4 && !g.inner {
		if r := pick(g, g.routines...); r.result != "void" {
			g.calls++
			return g.boolean(1) + " && " + g.choice("call in a condition", g.callOf(r), "1")
		}
	}
	if g.chance(10) {
		return g.choice("unknown result", "any()", "1")
	}
	return g.boolean(2)
}

func (g *generator) bumped(v cvar) string {
	name := v.name
	if strings.HasPrefix(name, "*") {
		name = "(" + name + ")"
	}
	op := pick(g, "++", "--")
	return g.choice("++ or --", pick(g, name+op, op+name), name)
}

// target is a variable that can be assigned to.
func (g *generator) target() (cvar, bool) {
	var all []cvar
	for _, v := range append(append([]cvar{}, g.scope...), g.globals...) {
		if v.place && !g.hidden(v) && !strings.HasPrefix(v.name, "loop") {
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return cvar{}, false
	}
	return pick(g, all...), true
}

// callOf is a call of a routine.
func (g *generator) callOf(r routine) string {
	for _, a := range g.actions {
		if strings.Contains(r.does, indexed(a)) || strings.HasPrefix(a, "x.") && strings.Contains(r.does, "x[") {
			g.performed[a] = true
		}
	}
	if r.param == "" {
		return r.name + "()"
	}
	return r.name + "(" + g.choice("argument", g.value(r.param), "0") + ")"
}
