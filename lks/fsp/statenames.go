package fsp

import (
	"slices"
	"strings"
)

// Names of states are made when someone asks: most never are, and they would take most of
// the memory of a large process.

// nodeName names a state for people: COUNT[2], or COUNT[2]->a->b for the state
// that the actions a and b lead to from COUNT[2].
func (pc *processCompiler) nodeName(node int32) string {
	return (&stateNames{pc.locals, pc.between, pc.inserts, pc.names, int32(len(pc.target)), nil}).node(node)
}

// stateNames is what is kept of a processCompiler to name states on demand.
type stateNames struct {
	locals  []*localProcess
	between []between
	inserts []insert
	actions []string
	first   int32   // node of the first state between actions
	nodes   []int32 // by state of the finished LKS
}

func (s *stateNames) state(n int32) string { return s.node(s.nodes[n]) }

func (s *stateNames) node(node int32) string {
	switch node {
	case nodeError:
		return "ERROR"
	case nodeEnd:
		return "END"
	case nodeStop:
		return "STOP"
	}
	var path []string
	for node >= s.first {
		if i, found := slices.BinarySearchFunc(s.inserts, node, func(in insert, n int32) int { return int(in.base) - int(n) }); found || i > 0 {
			if !found {
				i--
			}
			if in := s.inserts[i]; int(node-in.base) < in.lks.NumStates() {
				path = append(path, in.lks.StateName(node-in.base))
				slices.Reverse(path)
				return strings.Join(path, "->")
			}
		}
		b := s.between[node-s.first]
		path = append(path, s.actions[b.action])
		node = b.from
	}
	l, k := localOf(s.locals, node)
	path = append(path, l.name(int64(k)))
	slices.Reverse(path)
	return strings.Join(path, "->")
}
