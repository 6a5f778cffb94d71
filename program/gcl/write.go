package gcl

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// keywords begin statements or their parts, and name nothing.
var keywords = []string{"var", "input", "fun", "const", "locations", "location", "init", "error", "assert", "when", "do"}

// Write prints a system in this language; Parse reads it as the same one, but for names
// that it cannot spell and for spans, which become comments. The error is w's, or says
// which sort the language does not have.
func Write(w io.Writer, sys *program.System) error {
	p := &writer{taken: map[string]bool{}, names: map[*logic.Term]*logic.Term{}}
	for _, k := range keywords {
		p.taken[k] = true
	}
	for _, v := range sys.Vars {
		p.declare("var", v)
	}
	for _, e := range sys.Edges {
		for _, in := range e.Command.Inputs {
			if p.names[in] == nil {
				p.declare("input", in)
			}
		}
	}
	if p.err != nil {
		return p.err
	}
	places := map[string]bool{}
	for _, k := range keywords {
		places[k] = true
	}
	for i, l := range sys.Locations {
		p.places = append(p.places, logic.UnusedName(places, logic.PlainName(l.Name)))
		p.WriteString(map[bool]string{true: "locations ", false: ", "}[i == 0] + p.places[i])
	}
	p.WriteString(";\n")
	p.regions("init", sys.Init)
	for i := range sys.Edges {
		p.edge(sys, &sys.Edges[i])
	}
	p.regions("error", sys.Error)
	_, err := io.WriteString(w, p.String())
	return err
}

type writer struct {
	strings.Builder
	taken  map[string]bool
	names  map[*logic.Term]*logic.Term // what variables and inputs are called
	places []string
	err    error
}

// declare writes a variable's or an input's declaration.
func (p *writer) declare(word string, v *logic.Term) {
	name := logic.UnusedName(p.taken, logic.PlainName(v.Name()))
	p.names[v] = logic.Var(name, v.Sort())
	if program.Rigid(v) {
		arguments, result := v.Sort().Signature()
		params := lists.Append(nil, arguments, p.sort)
		fmt.Fprintf(p, "fun %s(%s): %s;\n", name, strings.Join(params, ", "), p.sort(result))
		return
	}
	fmt.Fprintf(p, "%s %s: %s;\n", word, name, p.sort(v.Sort()))
}

func (p *writer) sort(s *logic.Sort) string {
	switch {
	case s == logic.Int:
		return "int"
	case s == logic.Real:
		return "real"
	case s == logic.Bool:
		return "bool"
	case s.Kind() == logic.ArrayKind:
		return "array[" + p.sort(s.Index()) + "] of " + p.sort(s.Element())
	case s.Kind() == logic.BitVecKind && s.Width() <= maxWidth:
		return fmt.Sprintf("bv%d", s.Width())
	}
	p.err = fmt.Errorf("this language has no sort %s", s)
	return ""
}

func (p *writer) text(t *logic.Term) string { return logic.Substitute(t, p.names).String() }

// comment says where something comes from.
func comment(at source.Span) string {
	if !at.Valid() {
		return ""
	}
	return fmt.Sprintf("  // %s:%d", strings.ReplaceAll(at.File.Name(), "\n", " "), at.Pos().Line)
}

func (p *writer) regions(word string, all []program.Region) {
	for _, r := range all {
		fmt.Fprintf(p, "%s %s", word, p.places[r.Location])
		if !r.Where.IsTrue() {
			p.WriteString(" when " + p.text(r.Where))
		}
		p.WriteString(";" + comment(r.Span))
		if r.Name != "" && r.Span.Valid() {
			p.WriteString(": " + strings.ReplaceAll(r.Name, "\n", " "))
		}
		p.WriteByte('\n')
	}
}

func (p *writer) edge(sys *program.System, e *program.Edge) {
	fmt.Fprintf(p, "%s -> %s", p.places[e.From], p.places[e.To])
	if !e.Command.Guard.IsTrue() {
		p.WriteString(" when " + p.text(e.Command.Guard))
	}
	word := " do "
	for _, v := range sys.Vars {
		if t := e.Command.Update[v]; t != nil {
			p.WriteString(word + p.names[v].Name() + " := " + p.text(t))
			word = ", "
		}
	}
	p.WriteString(";" + comment(e.Span) + "\n")
}

// reservedWord reports a name that cannot be declared.
func reservedWord(name string) bool { return logic.Reserved(name) || slices.Contains(keywords, name) }
