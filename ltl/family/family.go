// Package family has the scalable families of formulas, and the lists of patterns, that the
// literature on LTL measures translators by. They are named as in Spot's genltl.
package family

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
)

// Family is a list of formulas with a number, or two, as arguments.
type Family struct {
	Name    string
	Aliases []string // other names in the literature
	About   string   // the formula, with dots
	Source  string   // where it comes from
	Arity   int      // 1 or 2 arguments
	Least   int      // the smallest argument
	Most    int      // the largest argument; of a list of patterns their number

	build func(n, m int) *ltl.Formula
}

// largest bounds the arguments of the families that grow, whose formulas grow at most with the
// square.
const largest = 500

// Patterns reports whether the family is a list of patterns, of which the argument names one.
func (f *Family) Patterns() bool { return f.Most != largest }

// Formula returns the formula with the arguments, as many as Arity. The error says what is
// wrong with them. The size is linear in the first argument, or quadratic.
func (f *Family) Formula(args ...int) (*ltl.Formula, error) {
	if len(args) != f.Arity {
		return nil, fmt.Errorf("family %s has %d arguments, not %d", f.Name, f.Arity, len(args))
	}
	for _, n := range args {
		if n < f.Least || n > f.Most {
			return nil, fmt.Errorf("family %s begins with %d and ends with %d: there is no %d", f.Name, f.Least, f.Most, n)
		}
	}
	return f.build(args[0], args[len(args)-1]), nil
}

// All returns the families, sorted by name.
func All() []*Family { return slices.Clone(table()) }

// Named returns the family of a name or alias. The error suggests one that is near.
func Named(name string) (*Family, error) {
	var known []string
	for _, f := range table() {
		if f.Name == name || slices.Contains(f.Aliases, name) {
			return f, nil
		}
		known = append(append(known, f.Name), f.Aliases...)
	}
	err := fmt.Sprintf("there is no family %q", name)
	if near := source.DidYouMean(name, known); near != "" {
		err += ": " + near
	}
	return nil, fmt.Errorf("%s", err)
}

//go:embed patterns/*.ltl
var patternFiles embed.FS

var table = sync.OnceValue(func() []*Family {
	all := slices.Concat(junctions, untils, fairness, counters, arbiters)
	for _, f := range all {
		if f.Arity = max(f.Arity, 1); f.Most == 0 {
			f.Most = largest
		}
	}
	for _, list := range []Family{
		{Name: "dac-patterns", Aliases: []string{"spec-patterns"}, Source: "Dwyer, Avrunin, Corbett 1998"},
		{Name: "eh-patterns", Source: "Etessami, Holzmann 2000"},
		{Name: "hkrss-patterns", Aliases: []string{"liberouter-patterns"}, Source: "Holeček and others 2004"},
		{Name: "lily-patterns", Aliases: []string{"jb-patterns"}, Source: "Jobstmann, Bloem 2006"},
		{Name: "p-patterns", Aliases: []string{"beem-patterns", "p"}, Source: "Pelánek 2007"},
		{Name: "sb-patterns", Source: "Somenzi, Bloem 2000"},
		{Name: "sejk-patterns", Source: "Sickert and others 2016"},
	} {
		all = append(all, patterns(list))
	}
	slices.SortFunc(all, func(f, g *Family) int { return strings.Compare(f.Name, g.Name) })
	return all
})

// patterns fills in a family whose formulas are a file's.
func patterns(f Family) *Family {
	name := "patterns/" + strings.TrimSuffix(f.Name, "-patterns") + ".ltl"
	text, err := patternFiles.ReadFile(name)
	if err != nil {
		panic(err)
	}
	list, err := ltl.ParseAll(source.NewFile(name, string(text)), ltl.ParseOptions{})
	if err != nil {
		panic(err)
	}
	f.About, f.Arity, f.Least, f.Most = fmt.Sprintf("%d patterns", len(list)), 1, 1, len(list)
	f.build = func(n, _ int) *ltl.Formula { return list[n-1].Formula }
	return &f
}
