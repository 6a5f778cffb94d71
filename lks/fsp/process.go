package fsp

import (
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp/internal/eval"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// Nodes are the states of a process while it is made. The instances of local
// processes come first: instance k of a local process with indices is node
// base+k, k being the mixed-radix number of its index values, so that no name or
// map entry is kept for a state. The states between the actions of a sequence
// follow in the order in which they are made. Negative numbers are FSP's special
// states.
const (
	nodeError = -1 - iota
	nodeEnd
	nodeStop
)

// processCompiler makes the LKS of one primitive process.
type processCompiler struct {
	*scope
	def      *syntax.ProcessDef
	instance string
	locals   []*localProcess
	byName   map[string][]*localProcess

	// target[k] is where local instance k leads if its body is no choice but
	// another state, else k.
	target  []int32
	nodes   int32
	between []between // by node - len(target)
	inserts []insert
	edges   []rawEdge
	actions map[string]int32
	names   []string // of actions, [0] is tau

	undefined map[*syntax.Body]*undefinedRef
	order     []*syntax.Body // keys of undefined, in order of appearance

	props    map[string]int32
	propList []string
	classes  map[string]int32
	classSet [][]int32       // propositions of a class
	class    []int32         // by local instance; -1: none written
	endings  map[int32]int32 // nodes that stand for a STOP or END with labels: nodeStop, nodeEnd
}

// primitive returns the LKS of a primitive process, compiled once for each list
// of arguments (nil: the defaults).
func (c *compiler) primitive(d *syntax.ProcessDef, actual []eval.Value, at syntax.Span) *lks.LKS {
	instance := instanceName(d.Name.Text, actual)
	if m, ok := c.primitives[instance]; ok {
		return m
	}
	c.begin(instance, at)
	defer c.end()
	pc := &processCompiler{
		scope:    c.scope(c.Arguments(d.Name.Text, d.Params, actual, at)),
		def:      d,
		instance: instance,
		byName:   map[string][]*localProcess{},
		actions:  map[string]int32{lks.TauName: 0}, names: []string{lks.TauName},
		undefined: map[*syntax.Body]*undefinedRef{},
		props:     map[string]int32{}, classes: map[string]int32{},
	}
	m := pc.compile()
	c.primitives[instance] = m
	return m
}

// compile follows LTSA's order: all states and their transitions, reachable or
// not; alphabet extension; relabelling; hiding; property; then only what is
// reachable; minimal; deterministic.
func (pc *processCompiler) compile() *lks.LKS {
	pc.declare()
	pc.label()
	for _, l := range pc.locals {
		pc.instances(l, func(node int32) { pc.define(node, l.def.Body, l.def.Accept) })
	}
	pc.warnUndefined()
	pc.nameEndings()
	pc.resolveTargets()
	pc.checkLabels()
	if pc.def.Extension != nil {
		for _, a := range pc.Set(pc.def.Extension) {
			pc.action([]byte(a))
		}
	}
	return pc.build()
}
