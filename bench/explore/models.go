package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// instance is a process of a model in specs/families, of some size.
type instance struct {
	File, Process string
	N             int
}

func (i instance) String() string { return fmt.Sprint(i.Process, " ", i.N) }

// The models, with the sizes at which others have measured them, and small ones.
var (
	phildl = instance{"philosophers.lks", "PHILDL", 12}
	philok = instance{"philosophers.lks", "PHILOK", 12}
	rw     = instance{"readers-writers.lks", "RW", 8}
	milner = instance{"milner.lks", "MILNER", 16}
	ring   = instance{"ring.lks", "RING", 16}

	instances = []instance{phildl, philok, rw, milner, ring}
	quickSize = map[string]int{"PHILDL": 6, "PHILOK": 6, "RW": 4, "MILNER": 8, "RING": 8}
)

// question is an LTL formula about an instance, and what is true. An empty formula
// asks for freedom of deadlock.
type question struct {
	instance
	formula string
	holds   bool
}

func (q question) String() string {
	if q.formula == "" {
		return "no deadlock"
	}
	return q.formula
}

var questions = []question{
	{ring, "G(s[1].try -> F s[1].crit)", true},
	{milner, "GF cell[0].run", true},
	{ring, "G !(s[0].crit & s[1].crit)", true},
	{philok, "G !(p[0].eating & p[1].eating)", true},
	{rw, "G !(writer[0].writing & writer[1].writing)", true},
	{philok, "GF p[0].eating", false},
	{rw, "GF writer[0].writing", false},
}

// sized returns the instance with N components.
func (i instance) sized(n int) instance {
	i.N = n
	return i
}

// choose returns the instances that the argument of -model names: all if it is
// empty, one PROCESS, or PROCESS:N with another size.
func choose(all []instance, only string) ([]instance, error) {
	if only == "" {
		return all, nil
	}
	process, size, sized := strings.Cut(only, ":")
	at := slices.IndexFunc(all, func(i instance) bool { return i.Process == process })
	if at < 0 {
		return nil, fmt.Errorf("-model %s: want PROCESS or PROCESS:N with a PROCESS of the table", only)
	}
	if !sized {
		return all[at : at+1], nil
	}
	n, err := strconv.Atoi(size)
	if err != nil || n < 1 {
		return nil, fmt.Errorf("-model %s: %q is not a size", only, size)
	}
	return []instance{all[at].sized(n)}, nil
}

// network compiles an instance from the folder of models.
func (i instance) network(specs string) (*lks.Network, error) {
	path := filepath.Join(specs, i.File)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := syntax.Parse(source.NewFile(path, string(text)))
	if err != nil {
		return nil, err
	}
	m, err := fsp.Compile(file, fsp.Options{Params: map[string]int{"N": i.N}})
	if err != nil {
		return nil, err
	}
	return m.Network(i.Process)
}

// parse reads a formula about a network.
func parse(net *lks.Network, formula string) (*ltl.Formula, error) {
	return ltl.Parse(source.NewFile("formula", formula), ltl.ParseOptions{Vocabulary: product.Vocabulary(net)})
}

// observed is a formula for other tools: its propositions, and the formula as SPIN
// and LTSmin write it, where proposition i is called q followed by i.
type observed struct {
	props []prop
	text  string
}

// prop is a proposition: the local states of a component in which it holds.
type prop struct {
	component int32
	states    []int32
}

// observe translates a formula over propositions of the network. The empty formula
// has none.
func observe(net *lks.Network, formula string) (observed, error) {
	var o observed
	if formula == "" {
		return o, nil
	}
	f, err := parse(net, formula)
	if err != nil {
		return o, err
	}
	names := map[ltl.Atom]*ltl.Formula{}
	for i, a := range ltl.Atoms(f) {
		c, p, ok := net.Prop(a.Name)
		if a.Kind != ltl.Prop || !ok {
			return o, fmt.Errorf("%s: only propositions can be written for other tools", formula)
		}
		m := net.Components()[c]
		q := prop{component: c}
		for s := range int32(m.NumStates()) {
			if m.HasProp(s, p) {
				q.states = append(q.states, s)
			}
		}
		o.props = append(o.props, q)
		names[a] = ltl.AtomOf(ltl.Atom{Kind: ltl.Name, Name: fmt.Sprint("q", i)})
	}
	o.text, err = ltl.Format(ltl.Substitute(f, names), ltl.SPIN)
	return o, err
}
