package certificate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// format names the format of files.
const format = "seltl-components-certificate-1"

// The exported form. Predicates are SMT-LIB terms over the component's variables and over
// definitions of parts that several share.
type file struct {
	Format     string              `json:"format"`
	Question   string              `json:"question"`
	Options    map[string][]string `json:"options"`
	Components []fileComponent     `json:"components"`
}

type fileComponent struct {
	Name        string           `json:"name"`
	Variables   []fileVariable   `json:"variables"`
	Definitions []fileDefinition `json:"definitions"`
	Locations   []fileLocation   `json:"locations"`
	States      []fileState      `json:"states"`
	Measures    []fileMeasure    `json:"measures,omitempty"`
}

type fileMeasure struct {
	Constant string           `json:"constant,omitempty"`
	Summands []fileSummand    `json:"summands,omitempty"`
	Over     *fileDisjunction `json:"over,omitempty"`
}

type fileDisjunction struct {
	Measures []fileMeasure     `json:"measures"`
	Copies   map[string]string `json:"copies"`   // of variables, by name
	Relation map[string]string `json:"relation"` // by location
}

type fileSummand struct {
	Coefficient string  `json:"coefficient"`
	Reading     Reading `json:"reading"`
	Term        string  `json:"term"`
}

type fileVariable struct {
	Name string `json:"name"`
	Sort string `json:"sort"`
}

type fileDefinition struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

type fileLocation struct {
	Name       string   `json:"name"`
	Predicates []string `json:"predicates"`
}

type fileState struct {
	At      string           `json:"at"`
	Holds   string           `json:"holds"` // a digit for each predicate
	Props   []string         `json:"propositions,omitempty"`
	Initial bool             `json:"initial,omitempty"`
	Steps   map[string][]int `json:"steps"` // by action, "" if silent: numbers of states
	// by action, for each of its steps, where there are measures
	Effects map[string][]string `json:"effects,omitempty"`
}

// Write exports a certificate as JSON, a line for each location and each state; Read reads it
// back. The error is w's, or that two locations have one name, or that the certificate is
// longer than what Read reads; then nothing is written.
func (c *Certificate) Write(w io.Writer, components []*program.Component) error {
	if len(components) != len(c.Components) {
		return fmt.Errorf("%d components, not %d", len(components), len(c.Components))
	}
	var out bytes.Buffer
	line := func(indent int, comma bool, format string, args ...any) {
		fmt.Fprintf(&out, "%*s"+format, append([]any{2 * indent, ""}, args...)...)
		if comma {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	line(0, false, "{")
	line(1, true, `"format": %s`, text(format))
	line(1, true, `"question": %s`, text(c.Question.String()))
	line(1, true, `"options": %s`, text(c.Options))
	line(1, false, `"components": [`)
	for i := range c.Components {
		f, err := c.Components[i].exported(components[i])
		if err != nil {
			return err
		}
		line(1, false, "{")
		line(2, true, `"name": %s`, text(f.Name))
		lines(line, "variables", f.Variables, true)
		lines(line, "definitions", f.Definitions, true)
		lines(line, "locations", f.Locations, true)
		if len(f.Measures) > 0 {
			lines(line, "measures", f.Measures, true)
		}
		lines(line, "states", f.States, false)
		line(1, i+1 < len(c.Components), "}")
	}
	line(1, false, "]")
	line(0, false, "}")
	if out.Len() > source.MaxText {
		return fmt.Errorf("the certificate has more than %d MiB, which is the most that is read", source.MaxText>>20)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// lines writes a list, an element a line.
func lines[T any](line func(int, bool, string, ...any), name string, list []T, comma bool) {
	if len(list) == 0 {
		line(2, comma, `"%s": []`, name)
		return
	}
	line(2, false, `"%s": [`, name)
	for i, x := range list {
		line(3, i+1 < len(list), "%s", text(x))
	}
	line(2, comma, "]")
}

// text is a value as JSON.
func text(x any) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(x); err != nil {
		return "null" // no value of file's types
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func (c *Component) exported(of *program.Component) (*fileComponent, error) {
	f := &fileComponent{Name: c.Name}
	for _, v := range of.System.Vars {
		f.Variables = append(f.Variables, fileVariable{v.Name(), v.Sort().String()})
	}
	seen := map[string]bool{}
	for _, l := range of.System.Locations {
		if seen[l.Name] {
			return nil, fmt.Errorf("two locations of %s have the name %s", of.Name, l.Name)
		}
		seen[l.Name] = true
	}
	var all []*logic.Term
	for _, k := range c.Cuts {
		all = append(all, k.Predicates...)
	}
	for _, m := range c.Measures {
		all = append(all, m.terms()...)
	}
	definitions, texts := logic.FormatShared(all)
	for _, d := range definitions {
		f.Definitions = append(f.Definitions, fileDefinition(d))
	}
	for _, k := range c.Cuts {
		n := len(k.Predicates)
		f.Locations = append(f.Locations, fileLocation{of.System.Locations[k.Location].Name, append([]string{}, texts[:n]...)})
		texts = texts[n:]
	}
	for _, m := range c.Measures {
		x := m.exported(of.System, texts)
		f.Measures, texts = append(f.Measures, x), texts[len(m.terms()):]
	}
	for i, s := range c.States {
		x := fileState{At: of.System.Locations[s.Location].Name, Props: s.Props, Initial: slices.Contains(c.Initial, i), Steps: map[string][]int{}}
		for _, holds := range s.Holds {
			if holds {
				x.Holds += "1"
			} else {
				x.Holds += "0"
			}
		}
		for _, step := range s.Steps {
			x.Steps[step.Action] = append(x.Steps[step.Action], step.To)
			if len(c.Measures) > 0 {
				if x.Effects == nil {
					x.Effects = map[string][]string{}
				}
				x.Effects[step.Action] = append(x.Effects[step.Action], step.Effects)
			}
		}
		f.States = append(f.States, x)
	}
	return f, nil
}

// Header is what a certificate says about itself.
type Header struct {
	Question Question
	Options  map[string][]string
}

// ReadHeader reads what a certificate of this package is about; nil if the text is another
// format's. The error is that of a text that is no JSON, or of a question that is none.
func ReadHeader(r io.Reader) (*Header, error) {
	f, at, err := source.JSON[file]("certificate", r)
	if err != nil || f.Format != format {
		return nil, err
	}
	h := &Header{Options: f.Options}
	if err := h.Question.UnmarshalText([]byte(f.Question)); err != nil {
		return nil, at.Errorf([]any{"question"}, "certificate", "%v", err)
	}
	return h, nil
}

// Read reads a certificate for components. Errors: JSON that is none, another format,
// components, locations, variables or states that are not there, predicates that cannot be read.
func Read(r io.Reader, components []*program.Component) (*Certificate, error) {
	f, at, err := source.JSON[file]("certificate", r)
	if err != nil {
		return nil, err
	}
	if f.Format != format {
		return nil, at.Errorf([]any{"format"}, "certificate", "not a certificate of the format %s", format)
	}
	c := &Certificate{Options: f.Options}
	if err := c.Question.UnmarshalText([]byte(f.Question)); err != nil {
		return nil, at.Errorf([]any{"question"}, "certificate", "%v", err)
	}
	if len(f.Components) != len(components) {
		return nil, at.Errorf([]any{"components"}, "certificate", "the certificate is of %d components, the program has %d", len(f.Components), len(components))
	}
	for i := range f.Components {
		k, err := f.Components[i].read(components[i], &place{at, []any{"components", i}})
		if err != nil {
			return nil, err
		}
		c.Components = append(c.Components, *k)
	}
	return c, nil
}

// place is where a part of a certificate is.
type place struct {
	text *source.JSONText
	path []any
}

func (p *place) to(path ...any) *place { return &place{p.text, slices.Concat(p.path, path)} }

func (p *place) errorf(format string, args ...any) error {
	return p.text.Errorf(p.path, "certificate", format, args...)
}

// placeOf says where a state is; "" if the component was not read. Time as JSONText.At.
func (c *Component) placeOf(state int) string {
	if c.file == nil {
		return ""
	}
	return ", " + c.file.text.At(slices.Concat(c.file.path, []any{"states", state})...).Place()
}

func (p *place) within(err error) error { return p.text.Within(p.path, err) }

func (f *fileComponent) read(of *program.Component, at *place) (*Component, error) {
	if f.Name != of.Name {
		return nil, at.errorf("the certificate is of a component %s, the program has %s there", f.Name, of.Name)
	}
	if err := f.sameVariables(of, at.to("variables")); err != nil {
		return nil, err
	}
	definitions := lists.Append(nil, f.Definitions, func(d fileDefinition) logic.Definition { return logic.Definition(d) })
	scope := logic.NewScope(of.System.Vars...)
	for i, m := range f.Measures {
		if err := m.Over.copied(scope, of.System, at.to("measures", i, "over", "copies")); err != nil {
			return nil, err
		}
	}
	scope, err := scope.WithDefinitions(definitions)
	if err != nil {
		return nil, at.to("definitions").within(err)
	}
	c := &Component{Name: f.Name, file: at}
	known, size := map[string]int{}, map[string]int{}
	for i, l := range f.Locations {
		here := at.to("locations", i)
		cut := Cut{Location: of.System.Location(l.Name)}
		if cut.Location < 0 {
			return nil, here.to("name").errorf("%s: the certificate has a location %s, which these sources and their specification do not have: it is of others, or they were changed since", f.Name, l.Name)
		}
		if _, twice := known[l.Name]; twice {
			return nil, here.to("name").errorf("%s: the certificate has the location %s twice", f.Name, l.Name)
		}
		for i, text := range l.Predicates {
			p, err := logic.Parse(source.NewFile("<predicate at "+l.Name+">", text), logic.SMTLIB, scope)
			if err != nil {
				return nil, here.to("predicates", i).within(err)
			}
			if p.Sort() != logic.Bool {
				return nil, here.to("predicates", i).errorf("%s: %s is no predicate", f.Name, text)
			}
			cut.Predicates = append(cut.Predicates, p)
		}
		known[l.Name], size[l.Name] = cut.Location, len(cut.Predicates)
		c.Cuts = append(c.Cuts, cut)
	}
	for i, m := range f.Measures {
		x, err := m.read(scope, of.System, at.to("measures", i))
		if err != nil {
			return nil, err
		}
		c.Measures = append(c.Measures, *x)
	}
	for i, x := range f.States {
		location, there := known[x.At]
		if !there || len(x.Holds) != size[x.At] {
			return nil, at.to("states", i).errorf("%s: state %d needs a location, and a digit for each of its predicates", f.Name, i)
		}
		s, err := x.read(location, len(f.States), at.to("states", i))
		if err != nil {
			return nil, err
		}
		c.States = append(c.States, *s)
		if x.Initial {
			c.Initial = append(c.Initial, i)
		}
	}
	return c, nil
}

// sameVariables refuses a certificate that was written for other variables. One that names
// none, written by hand, is judged by its predicates alone.
func (f *fileComponent) sameVariables(of *program.Component, at *place) error {
	if f.Variables == nil {
		return nil
	}
	for i, v := range of.System.Vars {
		if i >= len(f.Variables) || f.Variables[i] != (fileVariable{v.Name(), v.Sort().String()}) {
			return at.errorf("the certificate is of another program: its %s has no variable %s of sort %s", f.Name, v.Name(), v.Sort())
		}
	}
	if len(f.Variables) > len(of.System.Vars) {
		return at.errorf("the certificate is of another program: %s has %d variables, not %d", f.Name, len(of.System.Vars), len(f.Variables))
	}
	return nil
}

func (x *fileState) read(location, states int, at *place) (*State, error) {
	s := &State{Location: location, Props: slices.Sorted(slices.Values(x.Props))}
	for _, digit := range x.Holds {
		if digit != '0' && digit != '1' {
			return nil, at.to("holds").errorf("%q is neither 0 nor 1", digit)
		}
		s.Holds = append(s.Holds, digit == '1')
	}
	var actions []string
	for a := range x.Steps {
		actions = append(actions, a)
	}
	slices.Sort(actions)
	for _, a := range actions {
		effects := x.Effects[a]
		if x.Effects != nil && len(effects) != len(x.Steps[a]) {
			return nil, at.to("effects", a).errorf("the steps with %q have no effects, or more", a)
		}
		for i, to := range x.Steps[a] {
			if to < 0 || to >= states {
				return nil, at.to("steps", a, i).errorf("a step leads to state %d of %d", to, states)
			}
			s.Steps = append(s.Steps, Step{Action: a, To: to})
			if effects != nil {
				s.Steps[len(s.Steps)-1].Effects = effects[i]
			}
		}
	}
	return s, nil
}
