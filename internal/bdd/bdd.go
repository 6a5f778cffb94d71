// Package bdd is a small package for reduced ordered binary decision diagrams,
// made for the labels of automata: many short-lived managers, tens to thousands
// of nodes each, no garbage collection.
//
// A Manager owns nodes; a Node is its number, so equal functions have equal
// numbers. Variables are ordered by their index and exist as soon as they are
// used. Nodes are never freed: when a manager has served, drop it or Copy what
// is still needed into a new one. Negation is a cached operation, not a
// complement bit: labels are small and the code stays short.
//
// Why not github.com/dalzilio/rudd: it was measured, and
// BenchmarkTranslationLoad repeats it. For the diagrams of one translation (a
// fresh manager, 14 variables, 30 functions of four cubes, 900 comparisons) this
// package takes 0.06 ms and rudd v1.1.1 takes 11 ms, whatever table sizes it is
// given: its tables are large and its nodes are pointers with finalizers, made
// for one long-lived manager. The 330 pattern formulas of the translation
// benchmark are to take 500 ms in total.
//
// When a limit set by SetLimit is reached, the operation under way panics with
// an *Overflow; callers that set a limit recover it with Guard.
//
// # Decisions
//
// BDDs of automata labels are our own (internal/bdd), not github.com/dalzilio/rudd: the measurement is in
// its package comment.
package bdd

import (
	"fmt"
	"math"
	"math/big"
)

// Node is a Boolean function of a Manager.
type Node int32

// The constant functions, the same in every Manager.
const (
	False Node = 0
	True  Node = 1
)

// terminalLevel is the level of the constants, below every variable.
const terminalLevel = math.MaxInt32

// vertex is one decision node; next chains the vertices of one hash bucket.
type vertex struct {
	level, low, high, next int32
}

// cacheLine remembers one operation: op and two operands, and its result.
type cacheLine struct {
	op, f, g, result int32
}

// Manager owns a set of shared, reduced, ordered decision diagrams. It is not
// safe for concurrent use, except for methods that make no nodes (Sat, Low,
// High, Level).
type Manager struct {
	vertices []vertex
	buckets  []int32 // power of two; -1 is empty
	cache    []cacheLine
	outer    []cacheLine // the cache of outside, within a scope; else nil
	scratch  []cacheLine // that of scopes
	scope    int         // nodes made before the scope, or 0
	maxNodes int
	check    func(nodes int) error
	steps    int
}

// Overflow is what an operation panics with when a limit is reached.
type Overflow struct{ Err error }

func (o *Overflow) Error() string { return o.Err.Error() }

// NodeLimit is the error of a manager that would need more nodes than its limit.
type NodeLimit struct{ Nodes int }

func (e *NodeLimit) Error() string {
	return fmt.Sprintf("decision diagrams need more than %d nodes", e.Nodes)
}

// leastCache is the number of lines of a new cache.
const leastCache = 512

// New makes a manager.
func New() *Manager {
	m := &Manager{
		vertices: make([]vertex, 2, 256),
		buckets:  make([]int32, 256),
		cache:    make([]cacheLine, leastCache),
	}
	m.vertices[0] = vertex{level: terminalLevel, low: 0, high: 0, next: -1}
	m.vertices[1] = vertex{level: terminalLevel, low: 1, high: 1, next: -1}
	for i := range m.buckets {
		m.buckets[i] = -1
	}
	return m
}

// checkEvery is the number of uncached steps between two calls of the check.
const checkEvery = 1 << 13

// SetLimit bounds the manager to a number of nodes (0: none) and has check
// called every few thousand steps (nil: never); an error of either makes the
// operation under way panic with *Overflow.
func (m *Manager) SetLimit(nodes int, check func(nodes int) error) {
	m.maxNodes, m.check = nodes, check
}

// InheritLimit gives m the limit and check of another manager.
func (m *Manager) InheritLimit(from *Manager) { m.maxNodes, m.check = from.maxNodes, from.check }

// Guard runs work and turns a panic with *Overflow into its error.
func Guard(work func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Overflow:
			err = r.Err
		default:
			panic(r)
		}
	}()
	return work()
}

// Size returns the number of nodes ever made, constants included.
func (m *Manager) Size() int { return len(m.vertices) }

// Level returns the variable tested first in f; a number larger than every
// variable for the constants.
func (m *Manager) Level(f Node) int { return int(m.vertices[f].level) }

// Low returns f with its first variable false.
func (m *Manager) Low(f Node) Node { return Node(m.vertices[f].low) }

// High returns f with its first variable true.
func (m *Manager) High(f Node) Node { return Node(m.vertices[f].high) }

func mix(a, b, c int32) uint32 {
	h := uint64(uint32(a))*0x9e3779b97f4a7c15 ^ uint64(uint32(b))*0xc2b2ae3d27d4eb4f ^ uint64(uint32(c))*0x165667b19e3779f9
	return uint32(h>>32) ^ uint32(h>>11)
}

// make returns the node that tests level and goes to low or high.
func (m *Manager) make(level, low, high int32) int32 {
	if low == high {
		return low
	}
	h := mix(level, low, high) & uint32(len(m.buckets)-1)
	for i := m.buckets[h]; i >= 0; i = m.vertices[i].next {
		v := &m.vertices[i]
		if v.level == level && v.low == low && v.high == high {
			return i
		}
	}
	if m.maxNodes > 0 && len(m.vertices) >= m.maxNodes {
		panic(&Overflow{&NodeLimit{m.maxNodes}})
	}
	n := int32(len(m.vertices))
	m.vertices = append(m.vertices, vertex{level, low, high, m.buckets[h]})
	m.buckets[h] = n
	if len(m.vertices) > len(m.buckets) {
		m.growTable()
	}
	if 2*(len(m.vertices)-m.scope) > len(m.cache) && len(m.cache) < maxCache {
		m.growCache()
	}
	return n
}

// growTable doubles the hash table.
func (m *Manager) growTable() {
	m.buckets = make([]int32, 2*len(m.buckets))
	for i := range m.buckets {
		m.buckets[i] = -1
	}
	for i := 2; i < len(m.vertices); i++ {
		v := &m.vertices[i]
		h := mix(v.level, v.low, v.high) & uint32(len(m.buckets)-1)
		v.next = m.buckets[h]
		m.buckets[h] = int32(i)
	}
}

// maxCache is the number of lines from which on the cache grows no more.
const maxCache = 1 << 20

// growCache doubles the operation cache.
func (m *Manager) growCache() {
	old := m.cache
	m.cache = make([]cacheLine, 2*len(old))
	for _, c := range old {
		if c.op != 0 {
			m.cache[mix(c.op, c.f, c.g)&uint32(len(m.cache)-1)] = c
		}
	}
}

// Scope makes the nodes that work makes temporary: in the end they are forgotten, and with
// them what the cache knows of them, so that they take neither room nor time later. Scopes
// do not nest.
func (m *Manager) Scope(work func()) {
	if m.outer != nil {
		panic("bdd: nested scope")
	}
	if m.scratch == nil {
		m.scratch = make([]cacheLine, leastCache)
	}
	m.outer, m.cache, m.scope = m.cache, m.scratch, len(m.vertices)
	defer m.leave()
	work()
}

// leave ends a scope: new nodes are the first in their buckets, the newest first of all.
func (m *Manager) leave() {
	for i := len(m.vertices) - 1; i >= m.scope; i-- {
		v := m.vertices[i]
		m.buckets[mix(v.level, v.low, v.high)&uint32(len(m.buckets)-1)] = v.next
	}
	m.vertices = m.vertices[:m.scope]
	clear(m.cache)
	m.cache, m.scratch, m.outer, m.scope = m.outer, m.cache, nil, 0
}

// Var returns the function that is variable v.
func (m *Manager) Var(v int) Node { return Node(m.make(int32(v), 0, 1)) }

// NotVar returns the negation of variable v.
func (m *Manager) NotVar(v int) Node { return Node(m.make(int32(v), 1, 0)) }

// Node returns the function that is high where variable v is true and low where
// it is false; both must depend on variables behind v only.
func (m *Manager) Node(v int, low, high Node) Node {
	return Node(m.make(int32(v), int32(low), int32(high)))
}

// Operations of the cache; 0 marks an empty line.
const (
	_ int32 = iota
	opAnd
	opOr
	opDiff
	opImplies
	opDisjoint
	opNot
)

func (m *Manager) lookup(op, f, g int32) (*cacheLine, bool) {
	line := &m.cache[mix(op, f, g)&uint32(len(m.cache)-1)]
	if line.op == op && line.f == f && line.g == g {
		return line, true
	}
	if m.steps++; m.steps >= checkEvery {
		m.steps = 0
		if m.check != nil {
			if err := m.check(len(m.vertices)); err != nil {
				panic(&Overflow{err})
			}
		}
	}
	return nil, false
}

func (m *Manager) remember(op, f, g, result int32) int32 {
	m.cache[mix(op, f, g)&uint32(len(m.cache)-1)] = cacheLine{op, f, g, result}
	return result
}

// split returns the cofactors of f and g by the first variable of either.
func (m *Manager) split(f, g int32) (level, f0, f1, g0, g1 int32) {
	vf, vg := &m.vertices[f], &m.vertices[g]
	level = min(vf.level, vg.level)
	f0, f1, g0, g1 = f, f, g, g
	if vf.level == level {
		f0, f1 = vf.low, vf.high
	}
	if vg.level == level {
		g0, g1 = vg.low, vg.high
	}
	return level, f0, f1, g0, g1
}

// And returns f & g.
func (m *Manager) And(f, g Node) Node { return Node(m.apply(opAnd, int32(f), int32(g))) }

// Or returns f | g.
func (m *Manager) Or(f, g Node) Node { return Node(m.apply(opOr, int32(f), int32(g))) }

// Diff returns f & !g.
func (m *Manager) Diff(f, g Node) Node { return Node(m.apply(opDiff, int32(f), int32(g))) }

// Not returns !f.
func (m *Manager) Not(f Node) Node { return Node(m.not(int32(f))) }

func (m *Manager) not(f int32) int32 {
	if f < 2 {
		return 1 - f
	}
	if line, ok := m.lookup(opNot, f, 0); ok {
		return line.result
	}
	v := m.vertices[f]
	return m.remember(opNot, f, 0, m.make(v.level, m.not(v.low), m.not(v.high)))
}

// trivial returns the result of op where it is known without looking below the
// first nodes.
func (m *Manager) trivial(op, f, g int32) (int32, bool) {
	switch op {
	case opAnd:
		switch {
		case f == 0 || g == 0:
			return 0, true
		case f == 1 || f == g:
			return g, true
		case g == 1:
			return f, true
		}
	case opOr:
		switch {
		case f == 1 || g == 1:
			return 1, true
		case f == 0 || f == g:
			return g, true
		case g == 0:
			return f, true
		}
	case opDiff:
		switch {
		case f == 0 || g == 1 || f == g:
			return 0, true
		case g == 0:
			return f, true
		case f == 1:
			return m.not(g), true
		}
	}
	return 0, false
}

func (m *Manager) apply(op, f, g int32) int32 {
	if r, ok := m.trivial(op, f, g); ok {
		return r
	}
	if op != opDiff && f > g {
		f, g = g, f
	}
	if line, ok := m.lookup(op, f, g); ok {
		return line.result
	}
	level, f0, f1, g0, g1 := m.split(f, g)
	low := m.apply(op, f0, g0)
	high := m.apply(op, f1, g1)
	return m.remember(op, f, g, m.make(level, low, high))
}

// Implies reports whether f -> g is valid. It makes no nodes.
func (m *Manager) Implies(f, g Node) bool { return m.implies(int32(f), int32(g)) }

func (m *Manager) implies(f, g int32) bool {
	switch {
	case f == 0 || g == 1 || f == g:
		return true
	case f == 1 || g == 0:
		return false // the other is not constant, or is the wrong constant
	}
	if line, ok := m.lookup(opImplies, f, g); ok {
		return line.result == 1
	}
	_, f0, f1, g0, g1 := m.split(f, g)
	r := int32(0)
	if m.implies(f0, g0) && m.implies(f1, g1) {
		r = 1
	}
	return m.remember(opImplies, f, g, r) == 1
}

// Disjoint reports whether f & g is false. It makes no nodes.
func (m *Manager) Disjoint(f, g Node) bool { return m.disjoint(int32(f), int32(g)) }

func (m *Manager) disjoint(f, g int32) bool {
	switch {
	case f == 0 || g == 0:
		return true
	case f == 1 || g == 1 || f == g:
		return false
	}
	if f > g {
		f, g = g, f
	}
	if line, ok := m.lookup(opDisjoint, f, g); ok {
		return line.result == 1
	}
	_, f0, f1, g0, g1 := m.split(f, g)
	r := int32(0)
	if m.disjoint(f0, g0) && m.disjoint(f1, g1) {
		r = 1
	}
	return m.remember(opDisjoint, f, g, r) == 1
}

// ITE returns (f & g) | (!f & h).
func (m *Manager) ITE(f, g, h Node) Node {
	return m.Or(m.And(f, g), m.Diff(h, f))
}

// Support returns the variables that f depends on, in increasing order.
func (m *Manager) Support(fs ...Node) []int {
	seen := map[int32]bool{}
	vars := map[int32]bool{}
	stack := make([]int32, 0, len(fs))
	for _, f := range fs {
		stack = append(stack, int32(f))
	}
	top := int32(-1)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n < 2 || seen[n] {
			continue
		}
		seen[n] = true
		v := m.vertices[n]
		vars[v.level] = true
		top = max(top, v.level)
		stack = append(stack, v.low, v.high)
	}
	var sorted []int
	for v := int32(0); v <= top; v++ {
		if vars[v] {
			sorted = append(sorted, int(v))
		}
	}
	return sorted
}

// Sat reports whether f holds under the valuation. It makes no nodes.
func (m *Manager) Sat(f Node, value func(variable int) bool) bool {
	for f > 1 {
		v := &m.vertices[f]
		if value(int(v.level)) {
			f = Node(v.high)
		} else {
			f = Node(v.low)
		}
	}
	return f == True
}

// Count returns the number of valuations of the variables 0..vars-1 under which
// f, which depends on no others, holds.
func (m *Manager) Count(f Node, vars int) *big.Int {
	memo := map[Node]*big.Int{}
	// below counts the valuations of the variables from the level of f on.
	var below func(f Node) *big.Int
	level := func(f Node) int { return min(m.Level(f), vars) }
	shifted := func(f, child Node) *big.Int {
		return new(big.Int).Lsh(below(child), uint(level(child)-level(f)-1))
	}
	below = func(f Node) *big.Int {
		if f < 2 {
			return big.NewInt(int64(f))
		}
		if n, ok := memo[f]; ok {
			return n
		}
		n := shifted(f, m.Low(f))
		n.Add(n, shifted(f, m.High(f)))
		memo[f] = n
		return n
	}
	return new(big.Int).Lsh(below(f), uint(level(f)))
}

// Copy returns f of manager m as a node of dst, with every variable v renamed to
// rename[v] (nil: not renamed). memo carries results between calls with the same
// arguments; it must be made by the caller.
func (m *Manager) Copy(dst *Manager, f Node, rename []int, memo map[Node]Node) Node {
	if f < 2 {
		return f
	}
	if r, ok := memo[f]; ok {
		return r
	}
	v := m.vertices[f]
	low := m.Copy(dst, Node(v.low), rename, memo)
	high := m.Copy(dst, Node(v.high), rename, memo)
	level := int(v.level)
	if rename != nil {
		level = rename[level]
	}
	var r Node
	if level < dst.Level(low) && level < dst.Level(high) {
		r = Node(dst.make(int32(level), int32(low), int32(high)))
	} else {
		r = dst.ITE(dst.Var(level), high, low)
	}
	memo[f] = r
	return r
}
