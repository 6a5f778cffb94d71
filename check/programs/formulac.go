package programs

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/program"
)

// anyName is a vocabulary in which all names are known: what reads like an action is one, and
// all else a proposition, until the program is known.
type anyName struct{ constants specification.Values }

func (anyName) Prop(name string) bool {
	s, is := bind.ParseProposition(name)
	return is && !s.Returns
}

func (v anyName) Event(name string) bool              { return !v.Prop(name) }
func (anyName) Indexed(string) []int                  { return nil }
func (anyName) Range(string) (lo, hi int, ok bool)    { return 0, 0, false }
func (anyName) Set(string) (labels []string, ok bool) { return nil, false }
func (anyName) Names() []string                       { return nil }

func (v anyName) Const(name string) (int, bool) {
	n, ok := v.constants[name]
	return int(n), ok
}

// Hint says of a comparison how it is written.
func (anyName) Hint(text string) string {
	if strings.ContainsAny(text, "=<>") {
		return "conditions on variables are C expressions in quotes: " + strconv.Quote(text)
	}
	return ""
}

// asking is anyName, and notes the names that a program has to be asked about: also those that
// the formula turns out not to depend on, since it is read again with the program's names.
type asking struct {
	anyName
	about *[]string
}

func (v asking) Prop(name string) bool {
	v.note(name)
	return v.anyName.Prop(name)
}

func (v asking) Event(name string) bool {
	v.note(name)
	return v.anyName.Event(name)
}

func (v asking) note(name string) {
	if name != "" && !slices.Contains(*v.about, name) {
		*v.about = append(*v.about, name)
	}
}

// propositionsOf are the atoms of a formula that a program has to be asked about, as
// bind.Task has them. The error is a source.List.
func propositionsOf(at source.Span, constants specification.Values) (all []string, err error) {
	_, err = ltl.ParseSpan(at, ltl.ParseOptions{Vocabulary: asking{anyName{constants}, &all}})
	return all, err
}

// programNames are the names of a bound program.
type programNames struct {
	anyName
	events, props, returns map[string]bool
	program                *ir.Program
	variables              []string // that propositions may be about
}

func (v programNames) Prop(name string) bool  { return v.props[name] }
func (v programNames) Event(name string) bool { return v.events[name] || v.returns[name] }

func (v programNames) Indexed(base string) (all []int) {
	for p := range v.props {
		if rest, ok := strings.CutPrefix(p, base+"."); ok {
			if n, err := strconv.Atoi(rest); err == nil {
				all = append(all, n)
			}
		}
	}
	slices.Sort(all)
	return all
}

func (v programNames) Names() (all []string) {
	for _, names := range []map[string]bool{v.events, v.props, v.returns} {
		for name := range names {
			all = append(all, name)
		}
	}
	all = append(all, bind.RoutinesOf(v.program)...)
	slices.Sort(all)
	return slices.Compact(all)
}

// Hint lists the actions of the program, if they are few.
func (v programNames) Hint(text string) string {
	const most = 12
	switch help := v.anyName.Hint(text); {
	case help != "":
		return help
	case slices.Contains(v.variables, text):
		return "conditions on variables are C expressions in quotes: " + strconv.Quote(text+" != 0")
	case len(v.events) == 0 || len(v.events) > most:
		return ""
	}
	return "actions of the program are " + strings.Join(slices.Sorted(maps.Keys(v.events)), ", ")
}

// formulaOf reads a formula about a bound program: events are actions of its components, a
// return stands for each action of returning that it covers, and error for none where no component
// can fail; with its text. The error is a source.List.
func formulaOf(at source.Span, constants specification.Values, q *bind.Question, components []*program.Component) (*ltl.Formula, check.Words, error) {
	v := programNames{anyName: anyName{constants}, events: map[string]bool{}, props: map[string]bool{}, returns: map[string]bool{}, program: q.Program}
	fails := false
	for i, c := range components {
		for _, a := range c.Alphabet {
			v.events[a] = true
		}
		k := q.Components[i]
		for _, x := range slices.Concat(q.Program.Globals, k.Encoding.Entry.Params, k.Encoding.Entry.Locals) {
			v.variables = append(v.variables, x.Name)
		}
		fails = fails || len(k.Encoding.Failures) > 0 && !slices.Equal(k.Context.Failures, []string{""})
		for _, p := range q.Components[i].Propositions {
			v.props[p.Name] = true
		}
	}
	actionsOf := map[string][]string{}
	maps.Copy(actionsOf, q.Returns)
	if !fails && !v.events[bind.Failure] {
		actionsOf[bind.Failure] = nil
	}
	for name := range actionsOf {
		v.returns[name] = true
	}
	opts := ltl.ParseOptions{Vocabulary: v}
	f, err := ltl.ParseSpan(at, opts)
	if err != nil {
		return nil, check.Words{}, err
	}
	performed := func(a ltl.Atom) *ltl.Formula {
		actions, returns := actionsOf[a.Name]
		if !returns || a.Kind != ltl.Event && a.Kind != ltl.Enabled {
			return ltl.AtomOf(a)
		}
		any := lists.Append(nil, actions, func(name string) *ltl.Formula { return ltl.AtomOf(ltl.Atom{Kind: a.Kind, Name: name}) })
		return ltl.MakeOr(any...)
	}
	text := check.Words{Text: check.OneLine(at.Text()), Places: map[*ltl.Formula]ltl.Place{}}
	if same, places, err := ltl.ParsePlaces(text.Text, opts); err == nil && same == f {
		for g, place := range places {
			text.Places[ltl.Map(g, performed)] = place
		}
	}
	return ltl.Map(f, performed), text, nil
}

// propositionsIn are those of a question by component, as the engine has them.
func propositionsIn(q *bind.Question) (all [][]cegar.Proposition) {
	for _, k := range q.Components {
		var own []cegar.Proposition
		for _, p := range k.Propositions {
			to := cegar.Proposition{Prop: predabs.Prop{Name: p.Name, Formula: p.Formula}, Undefined: p.Undefined}
			if p.Label {
				to.At = p.At
			}
			own = append(own, to)
		}
		all = append(all, own)
	}
	return all
}
