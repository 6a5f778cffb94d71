package components

import (
	"fmt"
	"slices"
	"strings"
)

// routineStructures draws routines with abstractions: declarations for the source, and their part
// of the specification.
func (g *generator) routineStructures(c *strings.Builder) string {
	spec := ""
	for i := range 1 + g.IntN(4) {
		r := routine{name: fmt.Sprint("r", i), result: pick(g, "void", "void", "_Bool", "int", "unsigned char"), param: pick(g, "", "", "_Bool", "int")}
		param := "void"
		if r.param != "" {
			param = r.param + " k"
		}
		fmt.Fprintf(c, "%s %s(%s)", r.result, r.name, param)
		if g.chance(12) { // the body does not count
			fmt.Fprintf(c, " { %s }\n", map[bool]string{true: "", false: "return 0;"}[r.result == "void"])
			g.used["abstracted routine with a body"]++
			if g.chance(60) {
				spec += "cproc p { " + g.choice("inline", "inline "+r.name+";", "") + " }\n"
			}
		} else {
			c.WriteString(";\n")
		}
		guards := []string{"1"}
		if r.param != "" && g.chance(35) {
			guards = pick(g, []string{"$1", "!$1"}, []string{"$1 > 0", "$1 <= 0"}, []string{"$1 == 1", "$1 != 1"})
			g.used["several abstractions"]++
		}
		block := fmt.Sprintf("cproc %s {\n", r.name)
		for k, guard := range guards {
			name := fmt.Sprintf("R%d%c", i, 'A'+k)
			structure := g.structureText(name, r)
			r.does += structure
			spec += structure
			block += fmt.Sprintf("    abstract {%s_%d, %s, %s};\n", r.name, k, guard, name)
		}
		spec += block + "}\n"
		g.routines = append(g.routines, r)
	}
	if len(g.globals) > 0 && g.chance(15) { // where abstraction begins makes no difference
		spec += "cproc p { predicate (" + pick(g, g.globals...).name + " == 1); }\n"
		g.used["predicate"]++
	}
	c.WriteString("void rw(void);\n")
	spec += "W = (w -> return {} -> STOP).\ncproc rw { abstract {rw_0, 1, W}; }\n"
	if g.chance(10) {
		r := pick(g, g.routines...)
		r.does = ""
		spec += fmt.Sprintf("SCOPED = (%s -> return {} -> STOP).\n", g.action())
		name := g.choice("routine of one caller", "p::"+r.name, "nobody::"+r.name)
		spec += "cproc " + name + " { abstract {scoped, 1, SCOPED}; }\n"
	}
	if g.chance(25) {
		spec += "cproc p { " + g.choice("alphabet", "alphabet {"+pick(g, "w", "error", g.action())+"};", "") + " }\n"
	}
	return spec
}

func (g *generator) action() string { return indexed(pick(g, g.actions...)) }

func (g *generator) event() string { return indexed(pick(g, g.events...)) }

// indexed is the name of an action as one writes it.
func indexed(a string) string {
	if strings.HasPrefix(a, "x.") {
		return "x[" + a[2:] + "]"
	}
	return a
}

// structureText is a structure of a routine: a tree of few steps, with loops now and then.
func (g *generator) structureText(name string, r routine) string {
	n := 1 + g.IntN(3)
	var equations []string
	state := func(i int) string {
		if i == 0 {
			return name
		}
		return fmt.Sprintf("%sS%d", name, i)
	}
	for i := range n {
		var alts []string
		for range 1 + g.IntN(3) {
			to := "STOP"
			if i+1 < n && g.chance(60) {
				to = state(i + 1)
			} else if g.chance(6) {
				to = state(g.IntN(n))
			}
			step := g.stepText(r, to)
			if !strings.Contains(step, "when (") {
				step = g.guardText(r) + step
			}
			alts = append(alts, step)
		}
		if i+1 < n && !strings.Contains(strings.Join(alts, ""), state(i+1)) {
			alts = append(alts, "epsilon -> "+state(i+1))
		}
		equations = append(equations, state(i)+" = ("+strings.Join(alts, " | ")+")")
	}
	end := "."
	if g.chance(20) {
		end = g.choice("extended alphabet", " +{"+pick(g, "w", g.action())+"}", "") + "."
	}
	return strings.Join(equations, ",\n") + end + "\n"
}

// guardText is a guard, as a rule none: over the argument, or over globals.
func (g *generator) guardText(r routine) string {
	if !g.chance(40) {
		return ""
	}
	return g.choice("guard", "when ("+pick(g, g.conditions(r)...)+") ", "")
}

// conditions are some over the argument of a routine and over globals.
func (g *generator) conditions(r routine) (conditions []string) {
	if r.param != "" {
		conditions = append(conditions, "$1", "!$1", "$1 == 1", "$1 > 1")
	}
	for _, v := range g.globals {
		conditions = append(conditions, v.name+" == 1", v.name+" == 0", v.name+" > 1")
	}
	if len(conditions) == 0 {
		conditions = []string{"0", "1"}
	}
	return conditions
}

func (g *generator) stepText(r routine, to string) string {
	back := to
	if to == "STOP" && r.result != "void" && (r.result != "_Bool" || g.chance(25)) && g.chance(95) {
		back = g.returnText(r) + " -> STOP"
	}
	n := g.IntN(100)
	switch {
	case n < 40:
		return g.choice("action", g.action(), "epsilon") + " -> " + back
	case n < 52:
		return g.choice("epsilon", "epsilon", g.action()) + " -> " + back
	case n < 62 && len(g.globals) > 0:
		v := pick(g, g.globals...)
		value := fmt.Sprint(g.IntN(2))
		if r.param != "" && g.chance(40) {
			value = "$1 & 1"
		}
		return "{" + v.name + " := " + g.choice("assignment of a structure", value, "0") + "} -> " + back
	case n < 68 && slices.Contains(g.actions, "x.0"):
		if r.param != "" {
			return g.choice("guard of an index", "when ($1 == i) x[i:0..1] -> "+back, "x[0] -> "+back)
		}
		return g.choice("range of an index", "x[0..1] -> "+back, "x[1] -> "+back)
	}
	return g.returnText(r) + " -> STOP"
}

// returnText is a return, with few values where it is of a wide type.
func (g *generator) returnText(r routine) string {
	if r.result == "void" {
		if g.chance(25) {
			return g.choice("condition without a result", "return {"+pick(g, append(g.conditions(r), "0", "0")...)+"}", "return {}")
		}
		return "return {}"
	}
	conditions := []string{"$0 == 0", "$0 == 1", "$0 == 1 || $0 == 2", "$0 >= 0 && $0 < 2"}
	if r.param != "" {
		conditions = append(conditions, "$0 == $1", "$0 == !$1")
	}
	for _, v := range g.globals {
		conditions = append(conditions, "$0 == "+v.name)
	}
	if g.chance(15) {
		return g.choice("unsatisfiable result", "return {"+pick(g, "$0 == 1 && $0 == 2", "$0 == 0 && $0 != 0", "$0 == 300 && $0 == 44")+"}", "return {$0 == 1}")
	}
	if small(r.result) && g.chance(10) {
		return g.choice("too large a result", "return {$0 == 300}", "return {$0 == 0}")
	}
	if r.result == "_Bool" && g.chance(30) {
		return g.choice("any result", "return {}", "return {$0 == 0 && $0 == 1}")
	}
	return g.choice("condition on a result", "return {"+pick(g, conditions...)+"}", "return {$0 == 1}")
}

// program draws the cprog block.
func (g *generator) program(d *Drawn, procedures []string, variables [][]cvar, labels [][]string) string {
	refs, index := strings.Join(procedures, ", "), ""
	members, of := slices.Clone(procedures), make([]int, len(procedures))
	for i := range of {
		of[i] = i
	}
	if len(procedures) == 1 && g.chance(25) {
		if g.chance(50) {
			refs, members = "p, p", []string{"p", "p#2"}
			g.used["a procedure twice"]++
		} else {
			index = "i"
			if vars := variables[0]; len(vars) > 0 && g.chance(60) {
				index = vars[g.IntN(len(vars))].name
				g.used["index called like a variable"]++
			}
			refs, members = "p["+index+":0..1]", []string{"p[0]", "p[1]"}
			g.used["copies with an index"]++
		}
		of = []int{0, 0}
	}
	var text strings.Builder
	var guards []string
	given := false
	count := len(procedures)
	if refs == "p, p" {
		count = 2
	}
	for i := range count {
		p := min(i, len(procedures)-1)
		guards = append(guards, g.startText(variables[p], index))
		given = given || guards[i] != "(1)"
	}
	if given {
		fmt.Fprintf(&text, "    assume {%s};\n", strings.Join(guards, ", "))
	}
	text.WriteString(g.namesText(procedures))
	for i := range 1 + g.IntN(2) {
		name := fmt.Sprint("F", i)
		f := g.formulaText(2+g.IntN(2), members, of, variables, labels)
		d.Formulas = append(d.Formulas, NamedFormula{name, f})
		fmt.Fprintf(&text, "    ltl %s = %s;\n", name, f)
	}
	f := g.dataText(members, of, variables, labels)
	d.Formulas = append(d.Formulas, NamedFormula{"DATA", f})
	fmt.Fprintf(&text, "    ltl DATA = %s;\n", f)
	before := ""
	for i := range 1 + g.IntN(2) {
		name := fmt.Sprint("K", i)
		before += g.claimText(name)
		d.Claims = append(d.Claims, "claim"+name)
		var ones []string
		for range count {
			ones = append(ones, "(1)")
		}
		fmt.Fprintf(&text, "    abstract claim%s, {%s}, %s;\n", name, strings.Join(ones, ", "), name)
	}
	return before + "cprog s = " + refs + " {\n" + text.String() + "}\n"
}

// startText is a guard on arguments that leaves few values of wide types; index is the variable of
// copies, or "".
func (g *generator) startText(vars []cvar, index string) string {
	var all []string
	n := 0
	for _, v := range vars {
		if !strings.HasPrefix(v.name, "n") || len(v.name) != 2 || v.name[1] > '2' || n > int(v.name[1]-'0') {
			continue
		}
		n++
		switch {
		case v.t == "int":
			all = append(all, fmt.Sprintf("$%d >= 0 && $%d < %d", n, n, 2+g.IntN(2)))
		case index != "" && g.chance(50):
			all = append(all, g.choice("guard with a copy's number", fmt.Sprintf("$%d == %s", n, index), "1"))
		case g.chance(20):
			all = append(all, g.choice("guard on arguments", fmt.Sprintf("$%d", n), "1"))
		}
	}
	if len(all) == 0 {
		return "(1)"
	}
	return "(" + strings.Join(all, " && ") + ")"
}

// namesText renames and hides: what formulas speak of then is in g.events.
func (g *generator) namesText(procedures []string) string {
	text := ""
	g.events = nil
	for _, a := range g.actions {
		if g.performed[a] {
			g.events = append(g.events, a)
		}
	}
	where := pick(g, append([]string{""}, procedures...)...)
	if g.fails && g.chance(30) {
		text = "    " + g.choice("hidden failure", "hide "+where+" {error};", "") + "\n"
	}
	if len(g.events) == 0 {
		return text
	}
	a := pick(g, g.events...)
	switch {
	case strings.Contains(a, "."):
	case g.chance(18):
		text += "    " + g.choice("hide", "hide "+where+" {"+a+"};", "") + "\n"
		g.events = slices.DeleteFunc(g.events, func(b string) bool { return a == b })
	case g.chance(18):
		text += "    " + g.choice("rename", "rename {"+a+"/"+pick(g, "z", "z", "b")+"};", "") + "\n"
		g.events = slices.DeleteFunc(g.events, func(b string) bool { return a == b })
	}
	return text
}

// claimText is a structure for a claim: one that allows much, as a rule.
func (g *generator) claimText(name string) string {
	if g.chance(60) {
		var alts []string
		for _, a := range g.actions {
			a = indexed(a)
			if g.chance(85) {
				alts = append(alts, g.choice("alternative of a claim", a+" -> "+name, "epsilon -> "+name))
			}
		}
		if g.fails && g.chance(70) {
			alts = append(alts, "error -> "+name)
		}
		if g.chance(85) {
			alts = append(alts, g.choice("stop of a claim", "epsilon -> STOP", "epsilon -> "+name))
		}
		if g.chance(40) {
			alts = append(alts, g.choice("return of a claim", pick(g, "return {} -> STOP", "return {} -> STOP", "return {} -> "+name), "epsilon -> "+name))
		}
		if len(alts) == 0 {
			alts = []string{"epsilon -> STOP"}
		}
		return name + " = (" + strings.Join(alts, " | ") + ").\n"
	}
	n := 1 + g.IntN(4)
	state := func(i int) string {
		if i == 0 {
			return name
		}
		return fmt.Sprintf("%sS%d", name, i)
	}
	var equations []string
	for i := range n {
		var alts []string
		for range 1 + g.IntN(3) {
			to := pick(g, "STOP", state(g.IntN(n)), state(min(i+1, n-1)))
			alts = append(alts, g.choice("step of a claim", pick(g, g.action(), g.action(), "epsilon"), "epsilon")+" -> "+to)
		}
		alts = append(alts, "epsilon -> "+state(min(i+1, n-1)))
		equations = append(equations, state(i)+" = ("+strings.Join(alts, " | ")+")")
	}
	return strings.Join(equations, ",\n") + ".\n"
}

// formulaText draws a formula.
func (g *generator) formulaText(depth int, members []string, of []int, variables [][]cvar, labels [][]string) string {
	sub := func() string { return g.formulaText(depth-1, members, of, variables, labels) }
	if depth <= 0 {
		return g.atomText(members, of, variables, labels)
	}
	switch g.IntN(12) {
	case 0, 1, 2:
		return g.choice("temporal operator", pick(g, "G", "F"), "X") + "(" + sub() + ")"
	case 3:
		return "X(" + sub() + ")"
	case 4, 5:
		return "(" + sub() + " " + g.choice("connective", pick(g, "->", "&", "|"), "<->") + " " + sub() + ")"
	case 6:
		return "(" + sub() + " " + g.choice("until", pick(g, "U", "W", "R", "M"), "&") + " " + sub() + ")"
	case 7:
		return "!(" + sub() + ")"
	case 8:
		return g.choice("response", "G("+g.atomText(members, of, variables, labels)+" -> F "+g.atomText(members, of, variables, labels)+")", "true")
	}
	return "G(" + g.atomText(members, of, variables, labels) + " -> " + sub() + ")"
}

// dataText is a formula about what a variable holds.
func (g *generator) dataText(members []string, of []int, variables [][]cvar, labels [][]string) string {
	i := g.IntN(len(members))
	about := ""
	if len(members) > 1 {
		about = members[i] + "::"
	}
	all := append(slices.Clone(variables[of[i]]), g.globals...)
	all = slices.DeleteFunc(all, func(v cvar) bool { return strings.HasPrefix(v.name, "*") })
	if len(all) == 0 {
		return "true"
	}
	if ls := labels[of[i]]; len(ls) > 0 && g.chance(20) {
		at := func() string { return `"` + about + `at(` + pick(g, ls...) + `)"` }
		switch g.IntN(4) {
		case 0:
			return g.choice("label", pick(g, "F (", "G !(")+at()+" & "+at()+")", "false")
		case 1:
			return g.choice("label", "G ("+at()+" -> "+at()+" U "+g.atomText(members, of, variables, labels)+")", "false")
		}
		return pick(g, "F ", "G !") + g.choice("label", `"`+about+`at(`+pick(g, ls...)+`)"`, "false")
	}
	if g.fails && g.chance(20) {
		return pick(g, "F ", "G !") + g.choice("error event", "error", "false")
	}
	if g.results[of[i]] != "void" && g.chance(20) {
		return pick(g, "F", "G !") + `"` + about + fmt.Sprintf("return {$0 == %d}", g.IntN(3)) + `"`
	}
	v := pick(g, all...)
	for _, w := range all {
		if (strings.ContainsAny(w.name, ".[") || strings.HasPrefix(w.name, "kept")) && g.chance(25) {
			v = w
		}
	}
	atom := `"` + about + g.choice("proposition", fmt.Sprintf("%s %s %d", v.name, pick(g, "==", "!=", ">"), g.IntN(3)), v.name+" == 1") + `"`
	when := "return"
	if len(g.events) > 0 && g.chance(40) {
		when = g.event()
	}
	if g.chance(8) { // what it has at the first position it keeps
		return pick(g, atom+" -> G "+atom, atom+" -> G("+when+" -> "+atom+")")
	}
	return pick(g, "F("+atom+")", "G("+atom+")", "G("+when+" -> "+atom+")", "F("+when+" & "+atom+")", "G("+when+" -> "+atom+")")
}

func (g *generator) atomText(members []string, of []int, variables [][]cvar, labels [][]string) string {
	i := g.IntN(len(members))
	about := ""
	if len(members) > 1 {
		about = members[i] + "::"
	}
	if all := slices.Concat(g.helpers, g.routines); len(all) > 0 && g.chance(12) {
		return g.calledText(about, pick(g, all...))
	}
	switch n := g.IntN(100); {
	case g.fails && g.chance(20):
		return g.choice("error event", "error", "false")
	case n < 32 && len(g.events) > 0:
		return g.choice("event", g.event(), "false")
	case n < 62:
		all := slices.Clone(variables[of[i]])
		all = append(all, g.globals...)
		all = slices.DeleteFunc(all, func(v cvar) bool { return strings.HasPrefix(v.name, "*") })
		if len(all) == 0 {
			return "true"
		}
		v := pick(g, all...)
		return `"` + about + g.choice("proposition", fmt.Sprintf("%s %s %d", v.name, pick(g, "==", "!=", ">"), g.IntN(3)), v.name+" == 1") + `"`
	case n < 72:
		return g.choice("return event", "return", "false")
	case n < 78 && g.results[of[i]] != "void":
		return `"` + about + g.choice("return with a condition", fmt.Sprintf("return {$0 == %d}", g.IntN(3)), "return") + `"`
	case n < 82:
		return g.choice("deadlock", "deadlock", "false")
	case n < 86 && len(g.events) > 0:
		return g.choice("enabled", "enabled("+g.event()+")", "false")
	case n < 90:
		if ls := labels[of[i]]; len(ls) > 0 {
			return g.choice("label", `"`+about+`at(`+pick(g, ls...)+`)"`, "false")
		}
	case n < 96:
		return g.choice("tautology", pick(g, "true", "(return | !return)"), "false")
	}
	return g.choice("constant formula", "false", "true")
}

// calledText is an event of a routine, or of its return, perhaps with a condition.
func (g *generator) calledText(about string, r routine) string {
	if about != "" && g.chance(40) {
		about = ""
	}
	name := about + r.name
	back := g.chance(50)
	switch {
	case back:
		name += ".return"
		if g.chance(40) && r.result != "void" && !strings.ContainsAny(r.result, "* ") {
			name += fmt.Sprintf(" {$0 %s %d}", pick(g, "==", ">"), g.IntN(3))
		}
	case g.chance(40) && r.param != "" && r.param != "void" && !strings.ContainsAny(r.param, "*[ "):
		name += fmt.Sprintf(" {$1 %s %d}", pick(g, "==", ">"), g.IntN(3))
	}
	return g.choice("event of a routine", `"`+name+`"`, "false")
}
