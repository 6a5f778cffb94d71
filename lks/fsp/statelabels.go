package fsp

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp/internal/eval"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// label evaluates the state labels of all local processes. A label set is kept
// once (a class) and referred to by number.
func (pc *processCompiler) label() {
	if !slices.ContainsFunc(pc.locals, func(l *localProcess) bool { return l.def.Labelled }) {
		return
	}
	pc.class = make([]int32, pc.nodes)
	for _, l := range pc.locals {
		pc.instances(l, func(node int32) {
			if !l.def.Labelled {
				pc.class[node] = -1
				return
			}
			pc.class[node] = pc.classOf(l.def.Labels)
		})
	}
}

// classOf evaluates a set of state labels under the current bindings.
func (pc *processCompiler) classOf(items []syntax.StateLabel) int32 {
	var set []int32
	for _, item := range items {
		if item.Guard != nil && !pc.Truth(item.Guard) {
			continue
		}
		pc.Expand(item.Label, func(name []byte) { set = append(set, pc.prop(name, item.Span)) })
	}
	slices.Sort(set)
	return pc.addClass(slices.Compact(set))
}

func (pc *processCompiler) addClass(set []int32) int32 {
	var key strings.Builder
	for _, p := range set {
		key.Write([]byte{byte(p), byte(p >> 8), byte(p >> 16), byte(p >> 24)})
	}
	id, ok := pc.classes[key.String()]
	if !ok {
		id = int32(len(pc.classSet))
		pc.classes[key.String()] = id
		pc.classSet = append(pc.classSet, set)
	}
	return id
}

func (pc *processCompiler) prop(name []byte, at syntax.Span) int32 {
	id, ok := pc.props[string(name)]
	if !ok {
		n := string(name)
		if n == "deadlock" || n == "enabled" {
			pc.Fail(at, "reserved-proposition", "formulas know deadlock and enabled(a) without any declaration", "%s cannot be declared as a state label", n)
		}
		id = int32(len(pc.propList))
		pc.props[n] = id
		pc.propList = append(pc.propList, n)
	}
	return id
}

// checkLabels gives every state the labels of the names that stand for it: all
// names that have labels must have the same.
func (pc *processCompiler) checkLabels() {
	if pc.class == nil {
		return
	}
	namedBy := map[int32]int32{} // state to the name that labelled it
	for k, state := range pc.target {
		node, class := int32(k), pc.class[k]
		if state == node || class < 0 {
			continue
		}
		if state < 0 {
			if len(pc.classSet[class]) > 0 {
				l, _ := localOf(pc.locals, node)
				pc.Fail(l.def.LabelsSpan, "label-on-error", "no proposition of a process holds in ERROR; label the state before it",
					"%s is ERROR, which has no state labels", pc.nodeName(node))
			}
			continue
		}
		switch own := pc.classAt(state); {
		case own < 0:
			pc.setClass(state, class)
			namedBy[state] = node
		case own != class:
			other, ok := namedBy[state]
			if !ok {
				other = state
			}
			pc.labelConflict(node, other)
		}
	}
}

// nameEndings gives a state of its own to every local process with labels that is
// STOP or END: one for all with the same labels.
func (pc *processCompiler) nameEndings() {
	type ending struct{ special, class int32 }
	pc.endings = map[int32]int32{}
	first := map[ending]int32{}
	if pc.class == nil {
		return
	}
	for k := range pc.target {
		node := int32(k)
		special := pc.specialBehind(node)
		if special != nodeStop && special != nodeEnd {
			continue
		}
		e := ending{special, pc.class[k]}
		if _, ok := first[e]; !ok {
			first[e] = node
			pc.endings[node] = special
		}
		pc.target[k] = first[e]
	}
}

// specialBehind returns the special state that a node with labels leads to without
// passing another one with labels, or 0.
func (pc *processCompiler) specialBehind(node int32) int32 {
	labelled := func(k int32) bool { return pc.class[k] >= 0 && len(pc.classSet[pc.class[k]]) > 0 }
	if !labelled(node) {
		return 0
	}
	at := pc.target[node]
	for range pc.target {
		if at < 0 {
			return at
		}
		if int(at) >= len(pc.target) || labelled(at) || pc.target[at] == at {
			return 0
		}
		at = pc.target[at]
	}
	return 0 // a circle, which resolveTargets reports
}

// classAt returns the label class of a node, or -1.
func (pc *processCompiler) classAt(node int32) int32 {
	if int(node) >= len(pc.class) {
		return -1
	}
	return pc.class[node]
}

// setClass labels a state that had no labels of its own.
func (pc *processCompiler) setClass(state, class int32) {
	for int(state) >= len(pc.class) {
		pc.class = append(pc.class, -1)
	}
	pc.class[state] = class
}

func (pc *processCompiler) labelConflict(a, b int32) {
	la, _ := localOf(pc.locals, a)
	d := pc.c.Errorf(la.def.HeadSpan, "label-conflict", "label the state under one of its names only",
		"one state has two names with different labels: %s and %s", pc.nodeName(a), pc.nodeName(b))
	if int(b) < len(pc.target) {
		lb, _ := localOf(pc.locals, b)
		d.Related = []source.Related{pc.c.Related(lb.def.HeadSpan, "the other name")}
	}
	panic(eval.Abort)
}

// labelOf returns the propositions of a node, or nil.
func (pc *processCompiler) labelOf(node int32) []int32 {
	if class := pc.classAt(node); class >= 0 {
		return pc.classSet[class]
	}
	return nil
}

// insertLabels takes over the labels of a process that is used in a sequence.
func (pc *processCompiler) insertLabels(in insert) {
	m := in.lks
	if len(m.Props()) == 0 {
		return
	}
	ids := lists.Map(m.Props(), func(p string) int32 { return pc.prop([]byte(p), pc.def.Name.Span) })
	for s := range int32(m.NumStates()) {
		if label := m.Label(s); len(label) > 0 {
			set := mapProps(label, ids)
			slices.Sort(set)
			pc.setClass(in.base+s, pc.addClass(set))
		}
	}
}
