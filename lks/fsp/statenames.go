package fsp

import (
	"fmt"
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
	path := pathNames{}
	for node >= s.first {
		if i, found := slices.BinarySearchFunc(s.inserts, node, func(in insert, n int32) int { return int(in.base) - int(n) }); found || i > 0 {
			if !found {
				i--
			}
			if in := s.inserts[i]; int(node-in.base) < in.lks.NumStates() {
				return path.behind(in.lks.StateName(node - in.base))
			}
		}
		b := s.between[node-s.first]
		path.add(s.actions[b.action])
		node = b.from
	}
	l, k := localOf(s.locals, node)
	return path.behind(l.name(int64(k)))
}

// mostShown bounds the actions in the name of a state: of longer sequences the first and the
// last are named, and how many are in between, so that a name is not as long as its process.
const mostShown = 40

// pathNames are the actions that lead to a state, those at the end and those at the beginning.
type pathNames struct {
	last  []string // backwards
	first [mostShown / 2]string
	n     int
}

// add adds an action in front.
func (p *pathNames) add(action string) {
	if len(p.last) < mostShown/2 {
		p.last = append(p.last, action)
	} else {
		p.first[p.n%len(p.first)] = action
	}
	p.n++
}

// behind joins the actions behind the state where they begin.
func (p *pathNames) behind(start string) string {
	path := []string{start}
	between := p.n - len(p.last)
	for i := range min(between, len(p.first)) {
		path = append(path, p.first[(p.n-1-i)%len(p.first)])
	}
	if more := between - len(p.first); more > 0 {
		path = append(path, fmt.Sprintf("(%d more)", more))
	}
	slices.Reverse(p.last)
	return strings.Join(append(path, p.last...), "->")
}
