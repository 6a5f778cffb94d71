package fsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp/internal/eval"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// Local processes with indices are numbered by their values as digits of a mixed-radix
// number, so that COUNT[i][j] is found by arithmetic: a map entry for each of a million
// states would cost more than the states.

// localProcess is one definition NAME[i:R]... of a process, with the values of
// its indices.
type localProcess struct {
	def  *syntax.LocalDef
	dims []dimension
	base int32 // node of the first instance
}

// dimension is one index of a local process: numbers lo..hi, or labels.
type dimension struct {
	lo, hi   int32
	labels   []string // nil for numbers
	ordinal  map[string]int32
	variable string
}

func (d *dimension) size() int64 {
	if d.labels != nil {
		return int64(len(d.labels))
	}
	return int64(d.hi) - int64(d.lo) + 1
}

func (d *dimension) value(k int64) eval.Value {
	if d.labels != nil {
		return eval.LabelValue(d.labels[k])
	}
	return eval.Int(d.lo + int32(k))
}

// position returns which value of the dimension v is.
func (d *dimension) position(v eval.Value) (int64, bool) {
	switch {
	case d.labels != nil:
		k, ok := d.ordinal[v.String()]
		return int64(k), ok
	case v.IsLabel() || v.N < d.lo || v.N > d.hi:
		return 0, false
	}
	return int64(v.N) - int64(d.lo), true
}

// overlaps reports whether the two have a value in common.
func (d *dimension) overlaps(e *dimension) bool {
	if d.labels == nil && e.labels == nil {
		return d.lo <= e.hi && e.lo <= d.hi
	}
	if d.labels == nil {
		d, e = e, d
	}
	return slices.ContainsFunc(d.labels, func(l string) bool {
		_, ok := e.position(eval.LabelValue(l))
		return ok
	})
}

// declare numbers the instances of all local processes.
func (pc *processCompiler) declare() {
	total := int64(0)
	for _, def := range pc.def.Locals {
		switch def.Name.Text {
		case "STOP", "END", "ERROR":
			if def.Index == nil {
				pc.Fail(def.Name.Span, "reserved-name", "choose another name", "%s is reserved and cannot be defined", def.Name.Text)
			}
		}
		l := &localProcess{def: def, base: int32(total)}
		size := int64(1)
		if def.Index != nil {
			l.dims = pc.dimensions(def.Index)
			for i := range l.dims {
				if size *= l.dims[i].size(); size > int64(pc.c.opts.MaxStates) {
					break
				}
			}
		}
		if total += size; total > int64(pc.c.opts.MaxStates) {
			pc.c.Exceed(def.HeadSpan, "process-too-large", "make its ranges smaller", "the local processes of %s have more than %d states", pc.def.Name.Text, pc.c.opts.MaxStates)
		}
		for _, other := range pc.byName[def.Name.Text] {
			pc.checkOverlap(l, other)
		}
		pc.locals = append(pc.locals, l)
		pc.byName[def.Name.Text] = append(pc.byName[def.Name.Text], l)
	}
	if pc.locals[0].dims != nil {
		pc.Fail(pc.def.Name.Span, "indexed-process", fmt.Sprintf("write %s = %s[...], and then define %s[...]", pc.def.Name.Text, pc.def.Name.Text, pc.def.Name.Text),
			"the first definition of a process says where it starts and has no index")
	}
	pc.nodes = int32(total)
	pc.target = make([]int32, total)
}

// dimensions evaluates the indices of a local process's name.
func (pc *processCompiler) dimensions(l *syntax.Label) []dimension {
	dims := make([]dimension, len(l.Parts))
	for i := range l.Parts {
		p := pc.ResolvePart(&l.Parts[i])
		d := dimension{variable: p.Variable, labels: p.Labels}
		switch {
		case p.Text != "":
			d.labels = []string{p.Text}
		case p.Expr != nil:
			if v := pc.Eval(p.Expr); v.IsLabel() {
				d.labels = []string{v.Label}
			} else {
				d.lo, d.hi = v.N, v.N
			}
		case p.Labels == nil:
			d.lo, d.hi = p.Lo, p.Hi
		}
		for j := range dims[:i] {
			if d.variable != "" && dims[j].variable == d.variable {
				pc.Fail(p.Span, "duplicate-variable", "use another name", "index variable %q is already defined here", d.variable)
			}
		}
		if d.labels != nil {
			d.ordinal = make(map[string]int32, len(d.labels))
			for k, label := range d.labels {
				d.ordinal[label] = int32(k)
			}
		}
		dims[i] = d
	}
	return dims
}

func (pc *processCompiler) checkOverlap(l, other *localProcess) {
	if len(l.dims) != len(other.dims) {
		return
	}
	for i := range l.dims {
		if !l.dims[i].overlaps(&other.dims[i]) {
			return
		}
	}
	d := pc.c.Errorf(l.def.HeadSpan, "duplicate-local-process", "", "%s is defined twice for some index values", l.def.Name.Text)
	d.Related = []source.Related{pc.c.Related(other.def.HeadSpan, "also defined here")}
	panic(eval.Abort)
}

// instances calls f for every instance of a local process, with its index
// variables bound.
func (pc *processCompiler) instances(l *localProcess, f func(node int32)) {
	node := l.base
	var walk func(i int)
	walk = func(i int) {
		if i == len(l.dims) {
			f(node)
			node++
			return
		}
		d := &l.dims[i]
		n := len(pc.Vars)
		for k := range d.size() {
			if d.variable != "" {
				pc.Bind(d.variable, d.value(k))
			}
			walk(i + 1)
			pc.Unbind(n)
		}
	}
	walk(0)
}

func (pc *processCompiler) localState(b *syntax.Body) int32 {
	candidates := pc.byName[b.Name.Text]
	if len(b.Index) == 0 {
		for _, l := range candidates {
			if len(l.dims) == 0 {
				return l.base
			}
		}
		switch b.Name.Text {
		case "STOP":
			return nodeStop
		case "END":
			return nodeEnd
		case "ERROR":
			return nodeError
		}
	}
	var room [8]eval.Value
	values := room[:0]
	for _, e := range b.Index {
		values = append(values, pc.Eval(e))
	}
	for _, l := range candidates {
		if k, ok := l.find(values); ok {
			return l.base + int32(k)
		}
	}
	// An index that is a label of several segments counts as several indices.
	if node, ok := findFlat(candidates, values); ok {
		return node
	}
	pc.noteUndefined(b, values)
	return nodeError
}

// find returns the number of the instance with these index values.
func (l *localProcess) find(values []eval.Value) (int64, bool) {
	if len(values) != len(l.dims) {
		return 0, false
	}
	k := int64(0)
	for i := range l.dims {
		p, ok := l.dims[i].position(values[i])
		if !ok {
			return 0, false
		}
		k = k*l.dims[i].size() + p
	}
	return k, true
}

// findFlat compares names as LTSA does, as dotted strings: P['a.b] is P['a]['b].
func findFlat(candidates []*localProcess, values []eval.Value) (int32, bool) {
	if !slices.ContainsFunc(values, eval.Value.IsLabel) && !slices.ContainsFunc(candidates, func(l *localProcess) bool {
		return slices.ContainsFunc(l.dims, func(d dimension) bool { return d.labels != nil })
	}) {
		return 0, false
	}
	var segments []string
	for _, v := range values {
		segments = append(segments, strings.Split(v.String(), ".")...)
	}
	for _, l := range candidates {
		if k, ok := l.match(0, segments, 0); ok {
			return l.base + int32(k), true
		}
	}
	return 0, false
}

// match matches segments against the dimensions from number i on; k is the
// number of the instance so far.
func (l *localProcess) match(i int, segments []string, k int64) (int64, bool) {
	if i == len(l.dims) {
		return k, len(segments) == 0
	}
	d := &l.dims[i]
	for n := 1; n <= len(segments); n++ {
		if p, ok := d.position(eval.LabelValue(strings.Join(segments[:n], "."))); ok {
			if found, ok := l.match(i+1, segments[n:], k*d.size()+p); ok {
				return found, true
			}
		}
	}
	return 0, false
}

// localOf returns the definition that a local instance belongs to, and its
// number there.
func localOf(locals []*localProcess, node int32) (*localProcess, int32) {
	i, found := slices.BinarySearchFunc(locals, node, func(l *localProcess, n int32) int { return int(l.base) - int(n) })
	if !found {
		i--
	}
	return locals[i], node - locals[i].base
}

// name returns the name of instance k: COUNT[2][red].
func (l *localProcess) name(k int64) string {
	indices := make([]string, len(l.dims))
	for i := len(l.dims) - 1; i >= 0; i-- {
		d := &l.dims[i]
		indices[i] = d.value(k % d.size()).String()
		k /= d.size()
	}
	text := []byte(l.def.Name.Text)
	for _, i := range indices {
		text = append(text, '[')
		text = append(text, i...)
		text = append(text, ']')
	}
	return string(text)
}
