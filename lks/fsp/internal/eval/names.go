package eval

import (
	"fmt"
	"sort"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// Names knows what each capitalised name is. A name can be a process and
// something else at once only where FSP tells them apart by place; seltl keeps
// one table and reports a name that is defined twice in the same role.
type Names struct {
	Kind map[string]syntax.Kind
	Defs map[syntax.Kind]map[string]syntax.Definition
	All  map[syntax.Kind][]string // in order of definition
}

// Of returns the names of some kinds, each kind in the order of its definitions.
func (t *Names) Of(kinds ...syntax.Kind) []string {
	var names []string
	for _, k := range kinds {
		names = append(names, t.All[k]...)
	}
	return names
}

// rivals groups the roles in which a name may be defined only once.
var rivals = map[syntax.Kind][]syntax.Kind{
	syntax.Constant: {syntax.Constant, syntax.Range, syntax.Set}, syntax.Range: {syntax.Constant, syntax.Range, syntax.Set}, syntax.Set: {syntax.Constant, syntax.Range, syntax.Set},
	syntax.Process: {syntax.Process, syntax.Composite, syntax.Import}, syntax.Composite: {syntax.Process, syntax.Composite, syntax.Import},
	syntax.Import:   {syntax.Process, syntax.Composite, syntax.Import},
	syntax.Progress: {syntax.Progress}, syntax.Menu: {syntax.Menu},
	syntax.Fluent: {syntax.Fluent, syntax.Assert, syntax.LTL}, syntax.Assert: {syntax.Fluent, syntax.Assert, syntax.LTL}, syntax.LTL: {syntax.Fluent, syntax.Assert, syntax.LTL},
}

// Unknown reports a name that is not defined.
func (c *Env) Unknown(n string, at syntax.Span, what string, known []string) {
	help := ""
	switch k := c.Names.Kind[n]; {
	case k != 0:
		help = fmt.Sprintf("%s is a %s", n, k)
	default:
		sort.Strings(known)
		help = source.DidYouMean(n, known)
	}
	c.Fail(at, "unknown-name", help, "unknown %s %q", what, n)
}

// collect fills the table of names.
func (c *Env) collect() {
	for _, d := range c.File.Defs {
		k, n := syntax.KindOf(d), d.Head().Name
		if k == 0 || n.Text == "" {
			continue
		}
		for _, rival := range rivals[k] {
			if first, ok := c.Names.Defs[rival][n.Text]; ok {
				e := c.Errorf(n.Span, "duplicate-definition", "", "%s is defined twice", n.Text)
				e.Related = []source.Related{{Span: c.File.Place(first.Head().Name.Span), Message: "first defined here, as a " + rival.String()}}
			}
		}
		if c.Names.Defs[k] == nil {
			c.Names.Defs[k] = map[string]syntax.Definition{}
		}
		if _, ok := c.Names.Defs[k][n.Text]; !ok {
			c.Names.Defs[k][n.Text] = d
			c.Names.All[k] = append(c.Names.All[k], n.Text)
		}
		if c.Names.Kind[n.Text] == 0 {
			c.Names.Kind[n.Text] = k
		}
	}
}

// ProcessHelp says what may have been meant by the name of an unknown process.
func (c *Env) ProcessHelp(name string) string {
	for _, d := range c.File.Defs {
		p, ok := d.(*syntax.ProcessDef)
		if !ok {
			continue
		}
		for _, l := range p.Locals[1:] {
			if l.Name.Text == name {
				return fmt.Sprintf("%s is a local process of %s, and local processes are not visible from outside", name, p.Name.Text)
			}
		}
	}
	known := c.Names.Of(syntax.Process, syntax.Composite, syntax.Import)
	if len(name) > 1 { // any other letter would do
		if help := source.DidYouMean(name, known); help != "" {
			return help
		}
	}
	return Listed("processes", known)
}

// Listed says which names there are, the first few of them.
func Listed(what string, names []string) string {
	const most = 10
	switch more := len(names) - most; {
	case len(names) == 0:
		return ""
	case more > 0:
		return fmt.Sprintf("%s of the file: %s, and %d more", what, strings.Join(names[:most], ", "), more)
	}
	return fmt.Sprintf("%s of the file: %s", what, strings.Join(names, ", "))
}

// Process finds the definition of a process, composite or import.
func (c *Env) Process(n syntax.Name) syntax.Definition {
	for _, k := range []syntax.Kind{syntax.Process, syntax.Composite, syntax.Import} {
		if d, ok := c.Names.Defs[k][n.Text]; ok {
			return d
		}
	}
	if d, ok := c.Names.Defs[syntax.Assert][n.Text].(*syntax.AssertDef); ok && d.Constraint {
		c.Fail(n.Span, "constraint", "write the process that the constraint describes",
			"the constraint %s cannot be used as a process: seltl does not turn formulas into processes", n.Text)
	}
	if c.Names.Kind[n.Text] == 0 {
		c.Fail(n.Span, "unknown-name", c.ProcessHelp(n.Text), "unknown process %q", n.Text)
	}
	c.Unknown(n.Text, n.Span, "process", nil)
	return nil
}

// CheckAssertName aborts if an assertion uses a capital name that is not defined.
func (c *Env) CheckAssertName(n syntax.Name) {
	for _, k := range []syntax.Kind{syntax.Fluent, syntax.Assert, syntax.Set} {
		if _, ok := c.Names.Defs[k][n.Text]; ok {
			return
		}
	}
	c.UnknownInAssertion(n)
}

// UnknownInAssertion reports such a name.
func (c *Env) UnknownInAssertion(n syntax.Name) {
	help := source.DidYouMean(n.Text, c.Names.Of(syntax.Fluent, syntax.Assert, syntax.Set))
	letters := strings.TrimLeft(n.Text, "GFX")
	switch k := c.Names.Kind[n.Text]; {
	case k == 0 && len(help) < len("did you mean ABC?") && letters != n.Text && letters == strings.ToLower(letters):
		help = syntax.HelpLTSA
	case k != 0 && help == "":
		help = fmt.Sprintf("%s is a %s", n.Text, k)
	}
	c.Fail(n.Span, "unknown-name", help, "unknown fluent, assertion or set %q", n.Text)
}
