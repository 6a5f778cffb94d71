package logic

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seltl/seltl/internal/source"
)

// Terms share parts, and written out as trees some would be larger than any memory.

// Definition names a part that several terms share.
type Definition struct{ Name, Text string }

// deepest is how deep texts of FormatShared nest: less than readers allow.
const deepest = MaxNesting / 4

// FormatShared prints terms in the SMT-LIB syntax so that every part is written once:
// those that occur several times, or are deep, have definitions, each of which may use
// the ones before it. The length is linear in the number of different parts.
func FormatShared(ts []*Term) (defs []Definition, texts []string) {
	names := map[*Term]string{}
	text := func(t *Term) string {
		p := printer{syntax: SMTLIB, names: names}
		p.smt(t)
		return p.String()
	}
	for _, part := range sharedParts(ts, deepest) {
		d := Definition{Name: fmt.Sprintf("?%d", len(defs)+1), Text: text(part)}
		defs = append(defs, d)
		names[part] = d.Name
	}
	for _, t := range ts {
		texts = append(texts, text(t))
	}
	return defs, texts
}

// WithDefinitions returns the scope with the names that FormatShared has defined. The
// error is a source.List.
func (s Scope) WithDefinitions(defs []Definition) (Scope, error) {
	all := Scope{}
	maps.Copy(all, s)
	for _, d := range defs {
		f := source.NewFile("<definition of "+d.Name+">", d.Text)
		if all[d.Name] != nil {
			var errs source.List
			errs.Errorf(f.Span(0, 0), "duplicate", "%s is defined twice", d.Name)
			return nil, errs
		}
		t, err := Parse(f, SMTLIB, all)
		if err != nil {
			return nil, err
		}
		all[d.Name] = t
	}
	return all, nil
}

// Parts counts the parts of some terms, themselves included, where each of them is written once with
// its operands: what it takes to look at all of them. As trees they may be far larger, see Term.Size.
func Parts(ts ...*Term) (n int) {
	seen := map[*Term]struct{}{}
	for next := slices.Clone(ts); len(next) > 0; n++ {
		t := next[len(next)-1]
		next = next[:len(next)-1]
		if _, ok := seen[t]; !ok {
			seen[t] = struct{}{}
			next = append(next, t.args...)
		}
	}
	return n
}

// sharedParts returns the parts of terms, operands before what uses them, that occur more
// than once and are worth a name, and so many others that, with names for all, none nests
// deeper than that.
func sharedParts(ts []*Term, depth int) []*Term {
	uses := map[*Term]int{}
	var order []*Term
	var visit func(t *Term)
	visit = func(t *Term) {
		if len(t.args) == 0 {
			return
		}
		if uses[t]++; uses[t] > 1 {
			return
		}
		for _, a := range t.args {
			visit(a)
		}
		order = append(order, t)
	}
	for _, t := range ts {
		visit(t)
	}
	var parts []*Term
	levels := map[*Term]int{} // that the text of a part has; 0 for those with names
	for _, t := range order {
		level := 1
		for _, a := range t.args {
			level = max(level, levels[a]+1)
		}
		if uses[t] > 1 && t.size >= 4 || level >= depth { // below that a name is no shorter
			parts = append(parts, t)
			level = 0
		}
		levels[t] = level
	}
	return parts
}
