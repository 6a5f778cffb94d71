package fsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/source"
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

// rawEdge is a transition between nodes by a provisional action number.
type rawEdge struct{ from, action, to int32 }

// insert is a copy of another process's states, glued in for a sequence P;Q.
type insert struct {
	base int32 // node of its state 0
	lks  *lks.LKS
}

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

// between says how a state between two actions is reached, for its name.
type between struct{ from, action int32 }

// undefinedRef counts the references to undefined local processes at one place.
type undefinedRef struct {
	count   int
	example string
	vars    string
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

// define gives a local instance its behaviour.
func (pc *processCompiler) define(node int32, b *syntax.Body, accept bool) {
	for b.Kind == syntax.BodyIf {
		next := b.No
		if pc.Truth(b.Cond) {
			next = b.Yes
		}
		if next == nil {
			pc.target[node] = nodeStop
			return
		}
		b = next
	}
	pc.target[node] = node
	if b.Kind == syntax.BodyChoice {
		pc.choices(node, b)
		if accept {
			// LTSA marks a state as accepting by a step to itself.
			pc.edge(node, pc.action([]byte("@"+pc.instance)), node)
		}
		return
	}
	if pc.target[node] = pc.reference(b); pc.target[node] == node {
		pc.unguarded(node)
	}
}

// unguarded reports a process like P = P.
func (pc *processCompiler) unguarded(node int32) {
	l, _ := pc.localOf(node)
	pc.Fail(l.def.Body.Span, "unguarded-recursion", "put an action before it: P = (a -> P)", "%s is defined as itself, without any action", pc.nodeName(node))
}

// state returns the node of a body behind an action, which from reaches by it.
func (pc *processCompiler) state(b *syntax.Body, from, action int32) int32 {
	switch b.Kind {
	case syntax.BodyIf:
		switch {
		case pc.Truth(b.Cond):
			return pc.state(b.Yes, from, action)
		case b.No == nil:
			return nodeStop
		}
		return pc.state(b.No, from, action)
	case syntax.BodyRef:
		return pc.reference(b)
	}
	node := pc.newNode(from, action)
	pc.choices(node, b)
	return node
}

func (pc *processCompiler) newNode(from, action int32) int32 {
	node := pc.grow(1)
	pc.between = append(pc.between, between{from, action})
	return node
}

// grow adds n nodes and returns the first.
func (pc *processCompiler) grow(n int) int32 {
	node := pc.nodes
	if int64(node)+int64(n) > int64(pc.c.opts.MaxStates) {
		pc.c.Exceed(pc.def.Name.Span, "process-too-large", "make its ranges smaller", "the process %s has more than %d states", pc.instance, pc.c.opts.MaxStates)
	}
	pc.nodes += int32(n)
	if node>>12 != pc.nodes>>12 {
		pc.c.tick("compiling", int(pc.nodes), len(pc.edges))
	}
	return node
}

func (pc *processCompiler) choices(from int32, b *syntax.Body) {
	for _, ch := range b.Choices {
		if ch.Guard == nil || pc.Truth(ch.Guard) {
			pc.sequence(from, ch, 0)
		}
	}
}

// sequence adds the transitions for the actions of ch from number i on. Each
// label of a set has its own continuation, as in LTSA.
func (pc *processCompiler) sequence(from int32, ch *syntax.Choice, i int) {
	pc.Expand(ch.Actions[i], func(label []byte) {
		a := pc.action(label)
		if i+1 == len(ch.Actions) {
			pc.edge(from, a, pc.state(ch.Body, from, a))
			return
		}
		to := pc.newNode(from, a)
		pc.edge(from, a, to)
		pc.sequence(to, ch, i+1)
	})
}

func (pc *processCompiler) edge(from, action, to int32) {
	if len(pc.edges) >= 8*pc.c.opts.MaxStates {
		pc.c.Exceed(pc.def.Name.Span, "process-too-large", "make its ranges smaller", "the process %s has more than %d transitions", pc.instance, len(pc.edges))
	}
	pc.edges = append(pc.edges, rawEdge{from, action, to})
	if len(pc.edges)%4096 == 0 {
		pc.c.tick("compiling", int(pc.nodes), len(pc.edges))
	}
}

// action returns the provisional number of an action.
func (pc *processCompiler) action(label []byte) int32 {
	a, ok := pc.actions[string(label)]
	if !ok {
		a = int32(len(pc.names))
		name := string(label)
		pc.actions[name] = a
		pc.names = append(pc.names, name)
	}
	return a
}

// reference returns the node of P;Q;NAME[i]...
func (pc *processCompiler) reference(b *syntax.Body) int32 {
	to := pc.localState(b)
	for i := len(b.Sequence) - 1; i >= 0; i-- {
		to = pc.insert(&b.Sequence[i], to)
	}
	return to
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

func (pc *processCompiler) noteUndefined(b *syntax.Body, values []eval.Value) {
	u := pc.undefined[b]
	if u == nil {
		var text strings.Builder
		text.WriteString(b.Name.Text)
		for _, v := range values {
			fmt.Fprintf(&text, "[%s]", v)
		}
		var vars []string
		for _, v := range pc.Vars {
			vars = append(vars, v.Name+"="+v.Value.String())
		}
		u = &undefinedRef{example: text.String(), vars: strings.Join(vars, ", ")}
		pc.undefined[b] = u
		pc.order = append(pc.order, b)
	}
	u.count++
}

// insert glues a copy of the states of a process in front of node next: the END
// of the copy is next. It returns the node of the copy's initial state.
func (pc *processCompiler) insert(ref *syntax.ProcessRef, next int32) int32 {
	m := pc.sequential(ref)
	initial := m.Initial()[0]
	if m.Kind(initial) == lks.End {
		return next
	}
	base := pc.grow(m.NumStates())
	pc.between = append(pc.between, make([]between, m.NumStates())...)
	pc.inserts = append(pc.inserts, insert{base, m})
	pc.insertLabels(pc.inserts[len(pc.inserts)-1])
	actions := make([]int32, len(m.Alphabet()))
	for i, a := range m.Alphabet()[1:] {
		actions[i+1] = pc.action([]byte(a))
	}
	node := func(s int32) int32 {
		switch m.Kind(s) {
		case lks.End:
			if len(m.Label(s)) > 0 {
				pc.Fail(ref.Span, "label-lost", "label the state that follows, or use a process whose END has no labels",
					"the END of %s has state labels, but in a sequence what follows stands in its place", ref.Name.Text)
			}
			return next
		case lks.Error:
			return nodeError
		}
		return base + s
	}
	for s := range int32(m.NumStates()) {
		for _, e := range m.Edges(s) {
			pc.edge(base+s, actions[e.Action], node(e.Target))
		}
	}
	return node(initial)
}

// sequential returns the LKS of a process that is used in a sequence: it must be
// able to END.
func (pc *processCompiler) sequential(ref *syntax.ProcessRef) *lks.LKS {
	if ref.Name.Text == "END" && ref.Args == nil {
		pc.Fail(ref.Span, "not-sequential", "", "END is no process that can be followed by another")
	}
	m := pc.c.reference(ref, pc.scope)
	if len(m.Initial()) > 1 {
		pc.Fail(ref.Span, "not-sequential", "", "%s has several initial states and cannot be part of a sequence", ref.Name.Text)
	}
	for s := range int32(m.NumStates()) {
		if m.Kind(s) == lks.End {
			return m
		}
	}
	pc.Fail(ref.Span, "not-sequential", "let it lead to END", "%s never reaches END, so nothing can follow it", ref.Name.Text)
	return nil
}

// resolveTargets follows definitions like P = Q to states of their own.
func (pc *processCompiler) resolveTargets() {
	const busy = -100
	for k := range pc.target {
		var chain []int32
		at := int32(k)
		for at >= 0 && int(at) < len(pc.target) && pc.target[at] != at && pc.target[at] != busy {
			chain = append(chain, at)
			next := pc.target[at]
			pc.target[at] = busy
			at = next
		}
		if at >= 0 && int(at) < len(pc.target) && pc.target[at] == busy {
			pc.unguarded(at)
		}
		for _, c := range chain {
			pc.target[c] = at
		}
	}
}

// resolve returns the state that a node stands for.
func (pc *processCompiler) resolve(node int32) int32 {
	if node >= 0 && int(node) < len(pc.target) {
		return pc.target[node]
	}
	return node
}

// localOf returns the definition that a local instance belongs to, and its
// number there.
func (pc *processCompiler) localOf(node int32) (*localProcess, int32) {
	i, found := slices.BinarySearchFunc(pc.locals, node, func(l *localProcess, n int32) int { return int(l.base) - int(n) })
	if !found {
		i--
	}
	return pc.locals[i], node - pc.locals[i].base
}

// nodeName names a state for people: COUNT[2], or COUNT[2].a.b for the state
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
	pc := processCompiler{locals: s.locals}
	l, k := pc.localOf(node)
	path = append(path, l.name(int64(k)))
	slices.Reverse(path)
	return strings.Join(path, "->")
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

// build makes the LKS of the nodes and edges.
func (pc *processCompiler) build() *lks.LKS {
	relation := pc.relation(pc.def.Relabel)
	hidden := pc.hiddenActions(pc.def.Hide)
	pc.checkRelabels(pc.def.Relabel, pc.def.Name.Text, pc.names)
	pc.checkHiding(pc.def.Hide, pc.def.Name.Text, newAlphabet(pc.names, relation, nil).names)
	alphabet := newAlphabet(pc.names, relation, hidden)

	first := pc.adjacency()
	initial := pc.resolve(0)
	b := lks.NewBuilder(pc.instance)
	ids := make([]int32, len(alphabet.names))
	for i, a := range alphabet.names {
		ids[i] = b.Action(a)
	}
	props := make([]int32, len(pc.propList))
	for i, p := range pc.propList {
		props[i] = b.Prop(p)
	}
	for i, set := range pc.classSet {
		pc.classSet[i] = mapProps(set, props)
	}
	x := &extraction{pc: pc, b: b, first: first, alphabet: alphabet, ids: ids, number: make([]int32, pc.nodes), special: [3]int32{-1, -1, -1}}
	x.run(initial)
	names := &stateNames{pc.locals, pc.between, pc.inserts, pc.names, int32(len(pc.target)), x.nodes}
	b.Describe(names.state)
	m, err := b.Build()
	if err != nil {
		pc.c.stop(err)
	}
	return pc.c.reduce(m, pc.def.Marks)
}

func mapProps(set, number []int32) []int32 {
	out := make([]int32, len(set))
	for i, p := range set {
		out[i] = number[p]
	}
	return out
}

// adjacency sorts the edges by source node, keeping their order, and returns
// where those of each node begin.
func (pc *processCompiler) adjacency() []int32 {
	first := make([]int32, pc.nodes+1)
	for _, e := range pc.edges {
		first[e.from+1]++
	}
	for i := range pc.nodes {
		first[i+1] += first[i]
	}
	sorted := make([]rawEdge, len(pc.edges))
	next := slices.Clone(first[:pc.nodes])
	for _, e := range pc.edges {
		sorted[next[e.from]] = rawEdge{e.from, e.action, pc.resolve(e.to)}
		next[e.from]++
	}
	pc.edges = sorted
	return first
}

// extraction copies the reachable nodes into a builder, numbered breadth-first.
type extraction struct {
	pc       *processCompiler
	b        *lks.Builder
	first    []int32
	alphabet *alphabet
	ids      []int32
	number   []int32 // state+1 by node
	special  [3]int32
	nodes    []int32 // by state
}

func (x *extraction) run(initial int32) {
	property := x.pc.def.Marks.Property
	if initial == nodeError {
		// P = ERROR: a silent step leads to the error.
		start := x.add(nodeStop, lks.Normal, nil)
		x.b.TransitionID(start, lks.TauID, x.state(nodeError))
		if property {
			x.notDeterministic(lks.TauName, start)
		}
		return
	}
	x.state(initial)
	for s := 0; s < len(x.nodes); s++ {
		node := x.nodes[s]
		if node == nodeError {
			continue
		}
		var missing []bool
		if property {
			missing = make([]bool, len(x.alphabet.names))
			for i := range missing {
				missing[i] = i != 0
			}
		}
		if node >= 0 {
			x.edges(int32(s), node, missing)
		}
		for a, m := range missing {
			if m {
				x.b.TransitionID(int32(s), x.ids[a], x.state(nodeError))
			}
		}
	}
}

func (x *extraction) edges(s, node int32, missing []bool) {
	edges := x.pc.edges[x.first[node]:x.first[node+1]]
	for _, e := range edges {
		to := x.state(e.to)
		for _, a := range x.alphabet.renamed[e.action] {
			x.b.TransitionID(s, x.ids[a], to)
			if missing == nil {
				continue
			}
			if !missing[a] && !x.again(edges, e, a) {
				x.notDeterministic(x.alphabet.names[a], s)
			}
			missing[a] = false
		}
	}
}

// again reports whether an edge with action a (renamed) was met before, but only
// ever to the same target: then it is the same transition written twice.
func (x *extraction) again(edges []rawEdge, e rawEdge, a int32) bool {
	if a == 0 {
		return false
	}
	for _, f := range edges {
		if f.to != e.to && slices.Contains(x.alphabet.renamed[f.action], a) {
			return false
		}
	}
	return true
}

func (x *extraction) notDeterministic(action string, s int32) {
	why := fmt.Sprintf("%s leads to different states", action)
	if action == lks.TauName {
		why = "it moves silently"
	}
	name := "its first state"
	if len(x.nodes) > 0 && s > 0 {
		name = x.pc.nodeName(x.nodes[s])
	}
	x.pc.Fail(x.pc.def.Name.Span, "property-not-deterministic", "a property must be deterministic and have no silent actions",
		"the property %s is not deterministic: in %s, %s", x.pc.def.Name.Text, name, why)
}

// state returns the number of a node's state, adding it if it is new.
func (x *extraction) state(node int32) int32 {
	if node < 0 {
		if n := x.special[-1-node]; n >= 0 {
			return n
		}
		kind := lks.Normal
		switch {
		case node == nodeError:
			kind = lks.Error
		case node == nodeEnd && !x.pc.def.Marks.Property:
			kind = lks.End // a property may end anywhere: its END is a state like others
		}
		n := x.add(node, kind, nil)
		x.special[-1-node] = n
		return n
	}
	if n := x.number[node]; n > 0 {
		return n - 1
	}
	kind := lks.Normal
	if x.pc.endings[node] == nodeEnd && !x.pc.def.Marks.Property {
		kind = lks.End
	}
	n := x.add(node, kind, x.pc.labelOf(node))
	x.number[node] = n + 1
	return n
}

func (x *extraction) add(node int32, kind lks.Kind, props []int32) int32 {
	n := x.b.StateID(kind, props)
	x.nodes = append(x.nodes, node)
	if n%4096 == 0 {
		x.pc.c.tick("compiling", int(n), 0)
	}
	return n
}

// alphabet maps provisional actions to final ones.
type alphabet struct {
	names   []string  // final, [0] is tau
	renamed [][]int32 // by provisional action: indices into names
}

// newAlphabet relabels and then hides the actions names[1:]; relation and hidden
// may be nil.
func newAlphabet(names []string, relation relabelling, hidden func(string) bool) *alphabet {
	a := &alphabet{names: []string{lks.TauName}, renamed: make([][]int32, len(names))}
	number := map[string]int32{}
	a.renamed[0] = []int32{0}
	for i, old := range names[1:] {
		targets := []string{old}
		if relation != nil {
			targets = relation.apply(old)
		}
		for _, n := range targets {
			id, ok := number[n]
			if !ok {
				if hidden == nil || !hidden(n) {
					id = int32(len(a.names))
					a.names = append(a.names, n)
				}
				number[n] = id
			}
			if !slices.Contains(a.renamed[i+1], id) {
				a.renamed[i+1] = append(a.renamed[i+1], id)
			}
		}
	}
	return a
}
