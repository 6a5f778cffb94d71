package svcomp

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
)

// Kind is a property that the competition has a name for.
type Kind string

const (
	UnreachCall    Kind = "unreach-call"
	UnreachLabel   Kind = "unreach-label"
	NoOverflow     Kind = "no-overflow"
	ValidMemsafety Kind = "valid-memsafety"
	ValidFree      Kind = "valid-free"
	ValidDeref     Kind = "valid-deref"
	ValidMemtrack  Kind = "valid-memtrack"
	ValidMemclean  Kind = "valid-memcleanup"
	Termination    Kind = "termination"
	NoDataRace     Kind = "no-data-race"
	// Other is what has the form of a property, and none of these names.
	Other Kind = ""
)

// Property is what is to hold of all runs of a program.
type Property struct {
	Kind Kind
	// Name is that of the file that it was read from, without folder and ending; else that of Kind.
	Name string
	// Entry is the routine where runs begin; "main" if the text does not say.
	Entry string
	// Target is the routine of UnreachCall, or the label of UnreachLabel.
	Target string
	// Formulas are those of its text, without blanks around them: of ValidMemsafety several.
	Formulas []string
}

// fixed are the formulas that are written one way only, up to blanks.
var fixed = map[string]Kind{
	"G ! overflow": NoOverflow, "G valid-free": ValidFree, "G valid-deref": ValidDeref, "G valid-memtrack": ValidMemtrack,
	"G valid-memcleanup": ValidMemclean, "F end": Termination, "G ! data-race": NoDataRace,
}

// Kinds are all that have a name.
func Kinds() []Kind {
	return []Kind{UnreachCall, UnreachLabel, NoOverflow, ValidMemsafety, ValidFree, ValidDeref, ValidMemtrack, ValidMemclean, Termination, NoDataRace}
}

// texts are the formulas of kinds, as one writes them.
var texts = map[Kind][]string{
	UnreachCall: {"G ! call(reach_error())"}, UnreachLabel: {"G ! label(ERROR)"}, ValidMemsafety: {"G valid-free", "G valid-deref", "G valid-memtrack"},
}

// Named is the property of a name as the competition has it; nil for another name.
func Named(name string) *Property {
	formulas := texts[Kind(name)]
	for text, kind := range fixed {
		if string(kind) == name {
			formulas = []string{text}
		}
	}
	if formulas == nil {
		return nil
	}
	return Of("main", formulas...)
}

// Of is the property that some formulas are of runs that begin in a routine.
func Of(entry string, formulas ...string) *Property {
	p := &Property{Entry: entry}
	var kinds []Kind
	for _, f := range formulas {
		kind, target := kindOf(f)
		kinds, p.Target = append(kinds, kind), target
		p.Formulas = append(p.Formulas, strings.Join(strings.Fields(f), " "))
	}
	switch safety := []Kind{ValidFree, ValidDeref, ValidMemtrack}; {
	case len(kinds) == 1:
		p.Kind = kinds[0]
	case len(kinds) > 0 && !slices.ContainsFunc(kinds, func(k Kind) bool { return !slices.Contains(safety, k) }):
		p.Kind = ValidMemsafety
	}
	p.Name = string(p.Kind)
	return p
}

var (
	call  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^G ?! ?call ?\( ?([A-Za-z_]\w*) ?(?:\( ?\))? ?\)$`) })
	label = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^G ?! ?label ?\( ?([A-Za-z_]\w*) ?\)$`) })
	not   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^G ?! ?`) })
	check = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^CHECK *\( *init *\( *([A-Za-z_]\w*) *\( *\) *\) *, *LTL *\((.*)\) *\)$`)
	})
)

func kindOf(formula string) (kind Kind, target string) {
	text := strings.Join(strings.Fields(formula), " ")
	if m := call().FindStringSubmatch(text); m != nil {
		return UnreachCall, m[1]
	}
	if m := label().FindStringSubmatch(text); m != nil {
		return UnreachLabel, m[1]
	}
	return fixed[not().ReplaceAllString(text, "G ! ")], ""
}

// String is the property as its file has it, one CHECK a line.
func (p *Property) String() string {
	lines := lists.Append(nil, p.Formulas, func(f string) string { return fmt.Sprintf("CHECK( init(%s()), LTL(%s) )", p.Entry, f) })
	return strings.Join(lines, "\n")
}

// Same reports two properties that ask the same.
func (p *Property) Same(q *Property) bool {
	return p.Kind == q.Kind && p.Target == q.Target && p.Entry == q.Entry && (p.Kind != Other || slices.Equal(p.Formulas, q.Formulas))
}

// ParseProperty reads a property file: a line CHECK( init(ENTRY()), LTL(FORMULA) ) for each formula. The error
// is a source.List.
func ParseProperty(src *source.File) (*Property, error) {
	p, err := parseProperty(src.Text(), false)
	if err != nil {
		var list source.List
		at := max(0, err.at)
		list.Errorf(src.Span(at, min(at+1, len(src.Text()))), "svcomp-property", "%s", err.text).
			Help = "as in: CHECK( init(main()), LTL(G ! call(reach_error())) )"
		return nil, list
	}
	name := path.Base(strings.ReplaceAll(src.Name(), `\`, "/"))
	p.Name = strings.TrimSuffix(name, path.Ext(name))
	return p, nil
}

type badProperty struct {
	at   int
	text string
}

// parseProperty reads a text; bare ones have a formula alone, perhaps.
func parseProperty(text string, bare bool) (*Property, *badProperty) {
	entry, formulas, at := "main", []string(nil), 0
	for line := range strings.Lines(text) {
		whole := strings.TrimSpace(line)
		begin := at + strings.Index(line, whole)
		if at += len(line); whole == "" {
			continue
		}
		m := check().FindStringSubmatch(strings.Join(strings.Fields(whole), " "))
		switch {
		case m != nil && len(formulas) > 0 && m[1] != entry:
			return nil, &badProperty{begin, fmt.Sprintf("runs begin in %s() here, and in %s() before", m[1], entry)}
		case m != nil:
			entry, formulas = m[1], append(formulas, strings.TrimSpace(m[2]))
		case bare && !strings.HasPrefix(whole, "CHECK"):
			formulas = append(formulas, whole)
		default:
			return nil, &badProperty{begin, "this is no property of programs"}
		}
	}
	if len(formulas) == 0 {
		return nil, &badProperty{0, "there is no property"}
	}
	return Of(entry, formulas...), nil
}
