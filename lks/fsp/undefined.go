package fsp

import (
	"fmt"
	"slices"
	"strings"
)

// warnUndefined warns that undefined local processes are ERROR, once for each name: one
// index that runs out of its range shows wherever a process leads back to itself.
func (pc *processCompiler) warnUndefined() {
	places := map[string][]*body{}
	slices.SortStableFunc(pc.order, func(a, b *body) int { return int(a.pos.start - b.pos.start) })
	var names []string
	for _, b := range pc.order {
		if places[b.name.text] == nil {
			names = append(names, b.name.text)
		}
		places[b.name.text] = append(places[b.name.text], b)
	}
	for _, name := range names {
		first := pc.undefined[places[name][0]]
		pc.c.warnf(places[name][0].pos, "undefined-local-process", pc.undefinedHelp(name, first),
			"%s is not defined, so it is ERROR%s", first.example, pc.moreUndefined(places[name]))
	}
}

func (pc *processCompiler) undefinedHelp(name string, u *undefinedRef) string {
	_, isLocal := pc.byName[name]
	switch k := pc.c.names.kind[name]; {
	case isLocal && u.vars != "":
		return "with " + u.vars
	case isLocal:
		return ""
	case name == "SKIP":
		return "termination is called END"
	case k == isProcess || k == isComposite || k == isImport:
		return fmt.Sprintf("%s is a process of its own; local processes are separated by commas, and %s;NAME runs one to its END and goes on", name, name)
	}
	known := []string{"STOP", "END", "ERROR"}
	for _, l := range pc.def.locals {
		known = append(known, l.name.text)
	}
	return didYouMean(name, known)
}

// moreUndefined says how often and where else a name leads to ERROR.
func (pc *processCompiler) moreUndefined(places []*body) string {
	count := -1
	var lines []string
	for _, b := range places {
		count += pc.undefined[b].count
		line := fmt.Sprint(pc.c.file.span(b.pos).Pos().Line)
		if len(lines) == 0 || lines[len(lines)-1] != line {
			lines = append(lines, line)
		}
	}
	switch n := len(lines); {
	case count == 0:
		return ""
	case n == 1:
		return fmt.Sprintf(" (and %d more time%s here)", count, plural(count))
	default:
		return fmt.Sprintf(" (and %d more time%s, in lines %s and %s)", count, plural(count), strings.Join(lines[:n-1], ", "), lines[n-1])
	}
}
