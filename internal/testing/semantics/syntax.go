package semantics

import (
	"fmt"
	"strings"
)

// Model is a model file.
type Model struct {
	Processes  []*Process
	Composites []*Composite
	Fluents    []*Fluent
	Asserts    []*Property
	LTLs       []*Property
	Progress   []*Progress
}

// Process is the definition of a primitive process. Its first local process is
// the process itself and has its name.
type Process struct {
	Name     string
	Property bool
	Locals   []*Local
	Extend   []string
	Relabel  []Pair
	Hide     *Hiding
}

// Local is a local process: NAME {Props} = Body.
type Local struct {
	Name  string
	Props []string
	Body  *Body
}

// Body is a reference to a local process (STOP, END and ERROR among them) or, if
// Ref is empty, a choice.
type Body struct {
	Ref    string
	Choice []Alternative
}

// Alternative is {Actions} -> Then.
type Alternative struct {
	Actions []string
	Then    *Body
}

// Pair is New/Old of a relabelling.
type Pair struct{ New, Old string }

// Hiding is \{Actions}, or @{Actions} if Expose is set.
type Hiding struct {
	Expose  bool
	Actions []string
}

// Composite is ||Name = Part >> {Low} << {High} \ Hide, with one priority at most.
type Composite struct {
	Name      string
	Part      *Part
	Low, High []string
	Hide      *Hiding
}

// Part is a part of a composition: a process or a group in parentheses, with
// {Share}:: or {Prefixes}: or both before it and a relabelling behind.
type Part struct {
	Share    []string
	Prefixes []string
	Ref      string
	Group    []*Part
	Relabel  []Pair
}

// Fluent is fluent Name = <On, Off> initially Initially.
type Fluent struct {
	Name      string
	On, Off   []string
	Initially bool
}

// Property is a named formula.
type Property struct {
	Name    string
	Formula *Formula
}

// Progress is progress Name = if If then Actions.
type Progress struct {
	Name    string
	If      []string // nil: no condition
	Actions []string
}

// Default is the process that is checked: the last composite, or else the last
// process.
func (m *Model) Default() string {
	if n := len(m.Composites); n > 0 {
		return m.Composites[n-1].Name
	}
	return m.Processes[len(m.Processes)-1].Name
}

// Text is the model file.
func (m *Model) Text() string {
	var b strings.Builder
	for _, p := range m.Processes {
		p.write(&b)
	}
	for _, c := range m.Composites {
		c.write(&b)
	}
	for _, f := range m.Fluents {
		fmt.Fprintf(&b, "fluent %s = <%s, %s>", f.Name, set(f.On), set(f.Off))
		if f.Initially {
			b.WriteString(" initially 1")
		}
		b.WriteByte('\n')
	}
	for _, p := range m.Progress {
		fmt.Fprintf(&b, "progress %s = ", p.Name)
		if p.If != nil {
			fmt.Fprintf(&b, "if %s then ", set(p.If))
		}
		fmt.Fprintf(&b, "%s\n", set(p.Actions))
	}
	for _, a := range m.Asserts {
		fmt.Fprintf(&b, "assert %s = (%s)\n", a.Name, a.Formula.Assert())
	}
	for _, l := range m.LTLs {
		fmt.Fprintf(&b, "ltl %s = %s\n", l.Name, l.Formula.LTL())
	}
	return b.String()
}

func set(labels []string) string { return "{" + strings.Join(labels, ", ") + "}" }

func pairs(ps []Pair) string {
	var items []string
	for _, p := range ps {
		items = append(items, p.New+"/"+p.Old)
	}
	return "/{" + strings.Join(items, ", ") + "}"
}

func (h *Hiding) text() string {
	if h.Expose {
		return "@" + set(h.Actions)
	}
	return "\\" + set(h.Actions)
}

func (p *Process) write(b *strings.Builder) {
	if p.Property {
		b.WriteString("property ")
	}
	for i, l := range p.Locals {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.WriteString(l.Name)
		if len(l.Props) > 0 {
			b.WriteString(" " + set(l.Props))
		}
		b.WriteString(" = ")
		l.Body.write(b)
	}
	if len(p.Extend) > 0 {
		b.WriteString(" + " + set(p.Extend))
	}
	if len(p.Relabel) > 0 {
		b.WriteString(pairs(p.Relabel))
	}
	if p.Hide != nil {
		b.WriteString(p.Hide.text())
	}
	b.WriteString(".\n")
}

func (body *Body) write(b *strings.Builder) {
	if body.Ref != "" {
		b.WriteString(body.Ref)
		return
	}
	b.WriteByte('(')
	for i, a := range body.Choice {
		if i > 0 {
			b.WriteString(" | ")
		}
		if len(a.Actions) == 1 {
			b.WriteString(a.Actions[0])
		} else {
			b.WriteString(set(a.Actions))
		}
		b.WriteString(" -> ")
		a.Then.write(b)
	}
	b.WriteByte(')')
}

func (c *Composite) write(b *strings.Builder) {
	fmt.Fprintf(b, "||%s = ", c.Name)
	c.Part.write(b)
	if len(c.Low) > 0 {
		b.WriteString(" >> " + set(c.Low))
	}
	if len(c.High) > 0 {
		b.WriteString(" << " + set(c.High))
	}
	if c.Hide != nil {
		b.WriteString(" " + c.Hide.text())
	}
	b.WriteString(".\n")
}

func (p *Part) write(b *strings.Builder) {
	if len(p.Share) > 0 {
		b.WriteString(set(p.Share) + "::")
	}
	switch len(p.Prefixes) {
	case 0:
	case 1:
		b.WriteString(p.Prefixes[0] + ":")
	default:
		b.WriteString(set(p.Prefixes) + ":")
	}
	if p.Ref != "" {
		b.WriteString(p.Ref)
	} else {
		b.WriteByte('(')
		for i, q := range p.Group {
			if i > 0 {
				b.WriteString(" || ")
			}
			q.write(b)
		}
		b.WriteByte(')')
	}
	if len(p.Relabel) > 0 {
		b.WriteString(pairs(p.Relabel))
	}
}
