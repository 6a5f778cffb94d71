package gcl

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
)

// What messages add for those who write as in other languages.

// foreign are words and signs of other languages, and what they are here.
var foreign = map[string]string{
	"and": "&&", "or": "||", "not": "!", "AND": "&&", "OR": "||", "NOT": "!", "&": "&&", "|": "||", "~": "!", "<>": "!=", "=/=": "!=",
	"True": "true", "False": "false", "TRUE": "true", "FALSE": "false", "mod": "mod(a, b)", "div": "div(a, b)", "if": "when", "then": "do",
}

// Expect takes a token or reports that it is missing: where it should stand, if that is
// the end of a line.
func (g *gcl) Expect(tok string) bool {
	if g.Tok == tok {
		g.Next()
		return true
	}
	between := g.File.Text()[g.Last:g.Start]
	if tok == ";" && strings.Contains(between, "\n") && foreign[g.Tok] == "" {
		d := g.Errs.Errorf(g.File.Span(g.Last, g.Last), "syntax", "expected \";\" before %s", g.Found())
		d.Help = "every declaration and every command ends in ;"
		return false
	}
	g.Errs.Errorf(g.Span(), "syntax", "expected %q, found %s", tok, g.Found()).Help = g.helpExpected(tok)
	return false
}

// helpExpected guesses what was meant where a token is missing.
func (g *gcl) helpExpected(tok string) string {
	if here := foreign[g.Tok]; here != "" {
		return fmt.Sprintf("%s is written %s", g.Tok, here)
	}
	switch {
	case tok == ":=" && (g.Tok == "=" || g.Tok == "=="):
		return "assignments are written x := 1; == compares"
	case tok == ":=" && (g.Tok == "+" || g.Tok == "-"):
		return "assignments are written x := x + 1"
	case tok == ":=" && g.Tok == "'":
		return helpPrimes
	case tok == ":" && (g.Tok == "=" || g.Tok == ":="):
		return "variables begin with any value; write for example: init a when x == 0;"
	case tok == ";" && g.Tok == ":=":
		return "assignments follow do: a -> b do x := 1"
	case tok == ";" && g.Tok == "=":
		return "variables begin with any value; write for example: init a when x == 0;"
	case tok == ";" && g.Tok == "when":
		return "the guard comes first: a -> b when x > 0 do x := 1"
	case tok == ";" && g.guards[g.Tok] != nil:
		return "guards follow when, assignments follow do: a -> b when x > 0 do x := 1"
	}
	return ""
}

// helpTerm guesses what was meant by a term that cannot be read.
func (g *gcl) helpTerm(d *source.Diagnostic, scope logic.Scope) {
	switch name := d.Span.Text(); {
	case name == ">" && strings.HasSuffix(g.File.Text()[:d.Span.Start], "="):
		d.Help = "=> is written >= for \"at least\", and -> for \"implies\""
	case strings.HasSuffix(name, "'"):
		d.Help = helpPrimes
	case foreign[name] != "":
		d.Help = fmt.Sprintf("%s is written %s", name, foreign[name])
	case scope[name] == nil && slices.ContainsFunc(g.inputs, func(in *logic.Term) bool { return in.Name() == name }):
		d.Help = fmt.Sprintf("%s is an input, which commands choose; a variable (var %s: %s;) begins with any value", name, name, sortName(g.guards[name].Sort()))
	}
}

const helpPrimes = "primes are not needed: in a command, x on the left of := is the new value, on the right and in the guard the old one"

// helpAssigned guesses what was meant by a name that cannot be assigned to.
func (g *gcl) helpAssigned(name string) string {
	switch {
	case strings.HasSuffix(name, "'"):
		return helpPrimes
	case slices.ContainsFunc(g.inputs, func(in *logic.Term) bool { return in.Name() == name }):
		return name + " is an input, which is chosen anew by every command; only variables are assigned"
	case g.scope[name] != nil:
		return name + " is a constant"
	}
	return source.DidYouMean(name, varNames(g.system.Vars))
}

// otherDeclaration reads "int x, y" as if var x, y: int stood there, which it reports.
func (g *gcl) otherDeclaration(sort *logic.Sort) bool {
	g.Errs.Errorf(g.Span(), "syntax", "declarations begin with var").Help = fmt.Sprintf("variables are declared by: var x: %s;", g.Tok)
	for g.Next(); ; g.Next() {
		if name, span, ok := g.Name("a variable"); !ok {
			return false
		} else if g.declare(name, span) {
			v := logic.Var(name, sort)
			g.scope[name], g.guards[name] = v, v
		}
		if g.Tok != "," {
			return false
		}
	}
}

// helpLocation guesses what was meant where a command should begin, or a location stand.
func (g *gcl) helpLocation(name string) string {
	switch {
	case g.guards[name] != nil && g.Tok == ":=":
		return "assignments of one command are separated by commas: a -> b do x := 1, y := 2;"
	case len(g.places) == 0:
		return "declare locations first: locations a, b;"
	}
	return source.DidYouMean(name, g.locationNames())
}

// sortName writes a sort as it is declared.
func sortName(s *logic.Sort) string {
	if s.Kind() == logic.BitVecKind {
		return fmt.Sprintf("bv%d", s.Width())
	}
	return strings.ToLower(s.String())
}

// quotient finds a quotient of two integers that are written out.
var quotient = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[^\w.])(\d+)(\s*/\s*(\d+))($|[^\w.])`) })

// warnRounded warns of quotients of integers that are rounded where they stand: with an
// exact one, the term would be another.
func (g *gcl) warnRounded(at source.Span, t *logic.Term, scope logic.Scope) {
	text := at.Text()
	for _, m := range quotient().FindAllStringSubmatchIndex(text, -1) {
		a, err := strconv.ParseInt(text[m[4]:m[5]], 10, 64)
		b, err2 := strconv.ParseInt(text[m[8]:m[9]], 10, 64)
		if err != nil || err2 != nil || b == 0 || a%b == 0 {
			continue
		}
		if before := strings.TrimRight(text[:m[4]], " \t\r\n"); strings.HasSuffix(before, "/") || strings.HasSuffix(before, "%") {
			continue // x/2/3 is (x/2)/3
		}
		exactly := source.NewFile(g.File.Name(), text[:m[5]]+".0"+text[m[5]:])
		if u, end, errs := logic.ParsePrefix(exactly, 0, logic.C, scope); errs == nil && end == len(exactly.Text()) && (u == t || u.Sort() == logic.Real && u == logic.ToReal(t)) {
			continue
		}
		written := text[m[4]:m[7]]
		g.system.Warnings.Warnf(g.File.Span(at.Start+m[4], at.Start+m[7]), "rounded", "%s is rounded here: / among integers is no fraction", written).Help =
			"write 1.0/2 for a fraction, or div(a, b) for an integer"
	}
}

// warnEntered warns of error locations that no run can be in.
func (g *gcl) warnEntered() {
	entered := make([]bool, len(g.system.Locations))
	for _, r := range g.system.Init {
		entered[r.Location] = true
	}
	for _, e := range g.system.Edges {
		entered[e.To] = entered[e.To] || e.From != e.To
	}
	for _, r := range g.system.Error {
		if name := g.system.Locations[r.Location].Name; !entered[r.Location] {
			g.system.Warnings.Warnf(r.Span, "not-entered", "no command leads to %s, where runs do not begin: no error is found there", name)
		}
	}
}
