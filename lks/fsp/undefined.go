package fsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp/internal/eval"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// A local process that is not defined is ERROR in LTSA, with a warning. Often it is an
// index that runs out of its range, at many places and for many values at once.

// warnUndefined warns that undefined local processes are ERROR, once for each name: one
// index that runs out of its range shows wherever a process leads back to itself.
func (pc *processCompiler) warnUndefined() {
	places := map[string][]*syntax.Body{}
	slices.SortStableFunc(pc.order, func(a, b *syntax.Body) int { return int(a.Span.Start - b.Span.Start) })
	var names []string
	for _, b := range pc.order {
		if places[b.Name.Text] == nil {
			names = append(names, b.Name.Text)
		}
		places[b.Name.Text] = append(places[b.Name.Text], b)
	}
	for _, name := range names {
		first := pc.undefined[places[name][0]]
		pc.c.Warnf(places[name][0].Span, "undefined-local-process", pc.undefinedHelp(name, first),
			"%s is not defined, so it is ERROR%s", first.example, pc.moreUndefined(places[name]))
	}
}

func (pc *processCompiler) undefinedHelp(name string, u *undefinedRef) string {
	_, isLocal := pc.byName[name]
	switch k := pc.c.Names.Kind[name]; {
	case isLocal && u.vars != "":
		return "with " + u.vars
	case isLocal:
		return ""
	case name == "SKIP":
		return "termination is called END"
	case k == syntax.Process || k == syntax.Composite || k == syntax.Import:
		return fmt.Sprintf("%s is a process of its own; local processes are separated by commas, and %s;NAME runs one to its END and goes on", name, name)
	}
	known := []string{"STOP", "END", "ERROR"}
	for _, l := range pc.def.Locals {
		known = append(known, l.Name.Text)
	}
	return source.DidYouMean(name, known)
}

// moreUndefined says how often and where else a name leads to ERROR.
func (pc *processCompiler) moreUndefined(places []*syntax.Body) string {
	count := -1
	var lines []string
	for _, b := range places {
		count += pc.undefined[b].count
		line := fmt.Sprint(pc.c.File.Place(b.Span).Pos().Line)
		if len(lines) == 0 || lines[len(lines)-1] != line {
			lines = append(lines, line)
		}
	}
	switch n := len(lines); {
	case count == 0:
		return ""
	case n == 1:
		return fmt.Sprintf(" (and %d more time%s here)", count, eval.Plural(count))
	default:
		return fmt.Sprintf(" (and %d more time%s, in lines %s and %s)", count, eval.Plural(count), strings.Join(lines[:n-1], ", "), lines[n-1])
	}
}

// undefinedRef counts the references to undefined local processes at one place.
type undefinedRef struct {
	count   int
	example string
	vars    string
}

func (pc *processCompiler) noteUndefined(b *syntax.Body, values []eval.Value) {
	u := pc.undefined[b]
	if u == nil {
		var text strings.Builder
		text.WriteString(b.Name.Text)
		for _, v := range values {
			fmt.Fprintf(&text, "[%s]", v)
		}
		vars := lists.Append(nil, pc.Vars, func(v eval.Variable) string { return v.Name + "=" + v.Value.String() })
		u = &undefinedRef{example: text.String(), vars: strings.Join(vars, ", ")}
		pc.undefined[b] = u
		pc.order = append(pc.order, b)
	}
	u.count++
}
