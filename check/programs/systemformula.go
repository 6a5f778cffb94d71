package programs

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/program"
)

// errorProposition holds in the states of error regions.
const errorProposition = "error"

var atLocation = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*at\s*\(\s*(.*?)\s*\)\s*$`) })

// systemNames are the names of a system, for formulas about it: those of commands are events,
// at(LOCATION), error, and expressions over variables are propositions, which are noted as they
// are read.
type systemNames struct {
	sys    *program.System
	scope  logic.Scope
	events map[string]bool
	props  []cegar.Proposition
	wrong  map[string]string // why a text is no proposition
}

func newSystemNames(sys *program.System) *systemNames {
	v := &systemNames{sys: sys, scope: logic.Scope{}, events: map[string]bool{}, wrong: map[string]string{}}
	for name, c := range sys.Constants {
		v.scope[name] = c
	}
	for _, x := range sys.Vars {
		v.scope[x.Name()] = x
	}
	for _, e := range sys.Edges {
		v.events[e.Name] = e.Name != ""
	}
	return v
}

func (v *systemNames) Event(name string) bool { return v.events[name] && name != errorProposition }

// Prop reads a proposition and notes it.
func (v *systemNames) Prop(name string) bool {
	if slices.ContainsFunc(v.props, func(p cegar.Proposition) bool { return p.Name == name }) {
		return true
	}
	p := cegar.Proposition{Prop: predabs.Prop{Name: name}}
	at := atLocation().FindStringSubmatch(name)
	switch {
	case name == errorProposition:
		p.Local, p.Undefined = v.errors()
	case v.Event(name):
		return false
	case at != nil:
		l := v.sys.Location(at[1])
		if l < 0 {
			v.wrong[name] = strings.TrimSpace(fmt.Sprintf("there is no location %q. %s", at[1], source.DidYouMean(at[1], v.locations())))
			return false
		}
		p.At = []int{l}
	default:
		f, err := logic.Parse(source.NewFile(name, name), logic.C, v.scope)
		if err != nil {
			v.wrong[name] = firstMessage(err)
			return false
		}
		if f.Sort() != logic.Bool {
			v.wrong[name] = fmt.Sprintf("a formula is needed, and %s is of sort %s: compare it with something, in quotes", name, f.Sort())
			return false
		}
		p.Formula, p.Undefined = program.Total(f)[0], program.Undefined(f)
	}
	v.props = append(v.props, p)
	return true
}

// firstMessage is the first of some messages, with its help.
func firstMessage(err error) string {
	list, ok := err.(source.List)
	if !ok || len(list) == 0 {
		return err.Error()
	}
	return strings.TrimSpace(list[0].Message + ". " + list[0].Help)
}

// errors are the states of error regions by location, and those where that is not known.
func (v *systemNames) errors() (local []*logic.Term, undefined *logic.Term) {
	local = make([]*logic.Term, len(v.sys.Locations))
	undefined = logic.False()
	for _, r := range v.sys.Error {
		where := r.Where
		if local[r.Location] != nil {
			where = logic.Or(local[r.Location], where)
		}
		local[r.Location], undefined = program.Total(where)[0], logic.Or(undefined, program.Undefined(r.Where))
	}
	return local, undefined
}

func (v *systemNames) locations() (all []string) {
	return lists.Append(nil, v.sys.Locations, func(l program.Location) string { return l.Name })
}

func (v *systemNames) Indexed(string) []int                  { return nil }
func (v *systemNames) Range(string) (lo, hi int, ok bool)    { return 0, 0, false }
func (v *systemNames) Set(string) (labels []string, ok bool) { return nil, false }
func (v *systemNames) Const(name string) (value int, ok bool) {
	if c := v.sys.Constants[name]; c != nil && c.Sort() == logic.Int && c.Num() != nil && c.Num().Num().IsInt64() {
		return int(c.Num().Num().Int64()), true
	}
	return 0, false
}

func (v *systemNames) Names() (all []string) {
	for name := range v.events {
		all = append(all, name)
	}
	for _, l := range v.locations() {
		all = append(all, "at("+l+")")
	}
	for name, t := range v.scope {
		if t.Sort() == logic.Bool {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return slices.Compact(append(all, errorProposition))
}

// Hint says what is wrong with a text that reads like a proposition.
func (v *systemNames) Hint(text string) string {
	switch why := v.wrong[text]; {
	case why != "" && (strings.ContainsAny(text, " ()<>=!&|") || v.scope[text] != nil):
		return why
	case strings.ContainsAny(text, "=<>"):
		return "conditions on variables are expressions in quotes: " + strconv.Quote(text)
	case v.sys.Location(text) >= 0:
		return "to be at a location is written " + strconv.Quote("at("+text+")")
	}
	return ""
}

// systemFormula is a formula about a system that was read.
type systemFormula struct {
	formula *ltl.Formula
	text    check.Words
	props   []cegar.Proposition
	named   map[string]bool // the commands that it names
}

// systemFormulaOf reads a formula. The error is a source.List.
func systemFormulaOf(at source.Span, sys *program.System) (*systemFormula, error) {
	v := newSystemNames(sys)
	opts := ltl.ParseOptions{Vocabulary: v}
	f, err := ltl.ParseSpan(at, opts)
	if err != nil {
		return nil, err
	}
	out := &systemFormula{formula: f, text: check.Words{Text: check.OneLine(at.Text())}, named: map[string]bool{}}
	if same, places, err := ltl.ParsePlaces(out.text.Text, opts); err == nil && same == f {
		out.text.Places = places
	}
	for _, a := range ltl.Atoms(f) {
		switch a.Kind {
		case ltl.Event, ltl.Enabled:
			out.named[a.Name] = true
		case ltl.Prop:
			i := slices.IndexFunc(v.props, func(p cegar.Proposition) bool { return p.Name == a.Name })
			out.props = append(out.props, v.props[i])
		}
	}
	return out, nil
}
