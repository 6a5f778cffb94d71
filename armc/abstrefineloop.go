package armc

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
)

// AbstRefineLoop of [Podelski11]: a forward abstract reachability graph
// (AbstReach, [TUMLectures], fig. 2) whose error paths (MakePath) are tried (FeasiblePath) and
// excluded by new predicates (RefinePath).
//
// Beyond it: predicates are tracked only at the locations for which
// they were found, and after a refinement only what lies behind the pivot, the
// first state of the path that gained predicates, is abstracted anew (lazy
// abstraction, [Henzinger02]).
type abstRefineLoop struct {
	*run
	abstraction Abstraction
	how         predabs.Refinement
	predicates  [][]*logic.Term // by location, only ever appended to
	nodes       []*node
	at          [][]*node // nodes by location, oldest first
	worklist    []*node   // first in, first out
	live        int
	made        int            // nodes ever made, which number them
	bad         *node          // overlaps with error states in the last round
	spurious    []spuriousPath // if they are wanted, see minimize.go
	vain        int            // how often Spacer had nothing new of a path with leaps
}

// node is an abstract state of the graph.
type node struct {
	id        int
	location  int
	cube      []*logic.Term
	set       map[*logic.Term]bool
	precision int // how many predicates of the location it was made with
	parent    *node
	block     int // from the parent, -1 for a root
	children  []*node
	depth     int
	coveredBy *node
	covers    []*node
	removed   bool
}

func (r *run) abstRefineLoop(a Abstraction, how predabs.Refinement) error {
	n := len(r.sys.Locations)
	l := &abstRefineLoop{run: r, abstraction: a, how: how, predicates: make([][]*logic.Term, n), at: make([][]*node, n)}
	for i := range l.predicates {
		l.predicates[i] = addTerms(nil, r.options.Seed)
	}
	defer l.draw()
	r.plain = nil
	if err := l.roots(); err != nil {
		return err
	}
	safe, err := refineWith(r, l)
	if safe {
		return l.safe(l.invariant())
	}
	return err
}

// errorPath is a path of the graph to a node that overlaps with error states.
type errorPath struct {
	start  int
	blocks []int
	nodes  []*node
	*accelerated
}

// Check is ABSTREACH, and MAKEPATH where that ends in an error state.
func (l *abstRefineLoop) Check(round int, info *Round) (*errorPath, bool, error) {
	bad, err := l.reach()
	if err != nil {
		return nil, false, err
	}
	l.bad = bad
	if bad == nil && l.options.Minimize {
		if err := l.minimizeProof(); err != nil {
			return nil, false, err
		}
	}
	*info = Round{Method: Forward, Abstraction: l.abstraction, Number: round, States: l.live, Iterations: l.deepest(), Predicates: l.counts(), Refinement: l.how}
	l.statistics(round)
	if bad == nil {
		return nil, false, nil
	}
	e := &errorPath{}
	e.start, e.blocks, e.nodes = makePath(bad)
	return e, true, nil
}

// Validate is FEASIBLEPATH.
func (l *abstRefineLoop) Validate(e *errorPath, info *Round) (bool, error) {
	if done, err := l.tryPath(e.start, e.blocks, info); done || err != nil {
		return done, err
	}
	return l.accelerate(e, info)
}

// Refine is REFINEPATH.
func (l *abstRefineLoop) Refine(e *errorPath, info *Round) (bool, error) {
	path := l.path(e.start, e.blocks)
	if l.options.Minimize {
		l.spurious = append(l.spurious, spuriousPath{path, locationsOf(e.nodes), e.blocks})
	}
	var known []*logic.Term
	for _, ps := range l.predicates {
		known = addTerms(known, ps)
	}
	if e.accelerated != nil {
		if progress, err := l.refineAccelerated(e, known, info); progress || err != nil {
			return progress, err
		}
	}
	return l.refinePath(path, e.nodes, known, info)
}

// makePath returns the path of blocks to a node, and the nodes on it.
func makePath(n *node) (start int, blocks []int, nodes []*node) {
	for ; n.parent != nil; n = n.parent {
		blocks, nodes = append(blocks, n.block), append(nodes, n)
	}
	nodes = append(nodes, n)
	slices.Reverse(blocks)
	slices.Reverse(nodes)
	return n.location, blocks, nodes
}

// roots makes the nodes of the initial states.
func (l *abstRefineLoop) roots() error {
	for loc, init := range l.blocks.Init {
		if init.IsFalse() {
			continue
		}
		if err := l.abstract(nil, -1, loc, init, &program.Command{Guard: logic.True()}); err != nil {
			return err
		}
	}
	return nil
}

// abstract adds the abstract successors of a formula by a command.
func (l *abstRefineLoop) abstract(parent *node, block, to int, from *logic.Term, c *program.Command) error {
	predicates := l.predicates[to]
	var cubes [][]*logic.Term
	switch l.abstraction {
	case Boolean:
		if len(predicates) > predabs.MaxBooleanPredicates {
			return &outcome.Stuck{What: fmt.Sprintf("more than %d predicates are too many for the boolean abstraction", predabs.MaxBooleanPredicates)}
		}
		var err error
		if cubes, err = l.prover.Boolean(l.ctx, from, c, predicates); err != nil {
			return err
		}
	case A1, A2:
		var err error
		if cubes, err = l.conjunctwise(from, c, predicates); err != nil {
			return err
		}
	default:
		cube, none, err := l.prover.Cartesian(l.ctx, from, c, predicates)
		if err != nil || none {
			return err
		}
		cubes = [][]*logic.Term{cube}
	}
	for _, cube := range cubes {
		l.newNode(parent, block, to, cube)
	}
	return nil
}

// conjunctwise abstracts with α1 or α2, which look at the literals of post.
func (l *abstRefineLoop) conjunctwise(from *logic.Term, c *program.Command, predicates []*logic.Term) (out [][]*logic.Term, err error) {
	starts, ok := logic.DNF(from, 1000)
	if !ok {
		return nil, &outcome.Stuck{What: "a region has too many disjuncts"}
	}
	for _, s := range starts {
		posts, _, ok := c.PostCube(s, l.sys.Vars)
		if !ok {
			return nil, &outcome.Stuck{What: "a guard has too many disjuncts"}
		}
		for _, post := range posts {
			f := logic.And(post...)
			may, err := l.prover.MaySat(l.ctx, f)
			if err != nil {
				return nil, err
			}
			if !may {
				continue
			}
			cube, err := l.prover.Alpha(l.ctx, l.abstraction.order(), logic.Conjuncts(f), predicates)
			if err != nil {
				return nil, err
			}
			out = append(out, cube)
		}
	}
	return out, nil
}

func (l *abstRefineLoop) newNode(parent *node, block, location int, cube []*logic.Term) {
	n := &node{id: l.made, location: location, cube: cube, set: make(map[*logic.Term]bool, len(cube)),
		precision: len(l.predicates[location]), parent: parent, block: block}
	for _, p := range cube {
		n.set[p] = true
	}
	if parent != nil {
		n.depth = parent.depth + 1
		parent.children = append(parent.children, n)
	}
	l.made++
	l.nodes = append(l.nodes, n)
	l.at[location] = append(l.at[location], n)
	l.worklist = append(l.worklist, n)
	l.live++
}

// reach explores until the worklist is empty or a node overlaps with error
// states, which it returns (and leaves in the worklist).
func (l *abstRefineLoop) reach() (*node, error) {
	for len(l.worklist) > 0 {
		n := l.worklist[0]
		if n.removed || n.coveredBy != nil {
			l.worklist = l.worklist[1:]
			continue
		}
		if err := l.tick("forward", l.live); err != nil {
			return nil, err
		}
		if l.cover(n) {
			l.worklist = l.worklist[1:]
			continue
		}
		if bad := l.blocks.Error[n.location]; !bad.IsFalse() {
			may, err := l.prover.MaySat(l.ctx, logic.And(bad, l.known.with(n.location, n.cube)))
			if err != nil {
				return nil, err
			}
			if may {
				return n, nil
			}
		}
		l.worklist = l.worklist[1:]
		from := l.known.with(n.location, n.cube)
		for _, b := range l.blocks.Out[n.location] {
			if err := l.ctx.Err(); err != nil {
				return nil, err // of very many blocks, of which none may need the solver
			}
			block := &l.blocks.All[b]
			if err := l.abstract(n, b, block.To, from, block.Command); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

// cover looks for an older node at the location that contains n.
func (l *abstRefineLoop) cover(n *node) bool {
	for _, m := range l.at[n.location] {
		if m == n || m.removed || m.coveredBy != nil || len(m.cube) > len(n.cube) || m.id > n.id {
			continue
		}
		if !slices.ContainsFunc(m.cube, func(p *logic.Term) bool { return !n.set[p] }) {
			n.coveredBy = m
			m.covers = append(m.covers, n)
			return true
		}
	}
	return false
}

// refinePath finds predicates that exclude the path and removes what has to be
// abstracted anew. If a method finds nothing new, others are asked.
func (l *abstRefineLoop) refinePath(p *program.Path, nodes []*node, known []*logic.Term, info *Round) (progress bool, err error) {
	methods := []predabs.Refinement{l.how, predabs.UnsatCore, predabs.Greatest, predabs.Least, predabs.AtomsOfPre}
	for i, h := range methods {
		if i > 0 && h == l.how {
			continue
		}
		l.refined(len(p.Steps))
		found, err := predabs.Refine(l.ctx, l.solver, p, h, known)
		if err != nil {
			return false, err
		}
		if progress, err = l.track(nodes, found, info); progress || err != nil {
			return progress, err
		}
	}
	return false, nil
}

// track adds predicates to the locations of the path, and removes what has to be
// abstracted anew; false if that is nothing.
func (l *abstRefineLoop) track(nodes []*node, found *predabs.Predicates, info *Round) (progress bool, err error) {
	info.New = append(info.New, l.learn(nodes, found)...)
	pivot := l.pivot(nodes, found)
	if pivot < 0 {
		return false, nil
	}
	info.Refinement = found.Method
	if l.options.Restart {
		return true, l.restart()
	}
	return true, l.redo(nodes[pivot])
}

// learn adds predicates to the locations of the path.
func (l *abstRefineLoop) learn(nodes []*node, found *predabs.Predicates) (fresh []LocatedPredicate) {
	for i, ps := range found.At {
		for _, p := range ps {
			if p.IsTrue() || p.IsFalse() {
				continue
			}
			for loc := range l.predicates {
				if (l.options.Global || loc == nodes[i].location) && !l.known.set[loc][p] && !slices.Contains(l.predicates[loc], p) {
					l.predicates[loc] = append(l.predicates[loc], p)
					fresh = append(fresh, LocatedPredicate{loc, p})
				}
			}
		}
	}
	return fresh
}

// pivot is the first node of the path that was made without one of the
// predicates found for it, or -1.
func (l *abstRefineLoop) pivot(nodes []*node, found *predabs.Predicates) int {
	for i, ps := range found.At {
		for _, p := range ps {
			if slices.Index(l.predicates[nodes[i].location], p) >= nodes[i].precision {
				return i
			}
		}
	}
	return -1
}

func (l *abstRefineLoop) restart() error {
	l.nodes, l.worklist, l.live = nil, nil, 0
	l.at = make([][]*node, len(l.at))
	return l.roots()
}

// redo removes a node with everything below it, and its siblings by the same
// block, and abstracts that step again.
func (l *abstRefineLoop) redo(n *node) error {
	if n.parent == nil {
		// The root of a location; the boolean abstraction may have several.
		for _, m := range slices.Clone(l.at[n.location]) {
			if m.parent == nil {
				l.removeTree(m)
			}
		}
		l.compact()
		return l.abstract(nil, -1, n.location, l.blocks.Init[n.location], &program.Command{Guard: logic.True()})
	}
	parent, b := n.parent, n.block
	for _, m := range slices.Clone(parent.children) {
		if m.block == b {
			l.removeTree(m)
		}
	}
	parent.children = slices.DeleteFunc(parent.children, func(m *node) bool { return m.removed })
	l.compact()
	block := &l.blocks.All[b]
	return l.abstract(parent, b, block.To, l.known.with(parent.location, parent.cube), block.Command)
}

// removeTree removes a node and its descendants. Nodes that they covered wait
// for exploration again.
func (l *abstRefineLoop) removeTree(root *node) {
	stack := []*node{root}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n.removed {
			continue
		}
		n.removed = true
		l.live--
		stack = append(stack, n.children...)
		for _, c := range n.covers {
			if c.coveredBy == n {
				c.coveredBy = nil
				l.worklist = append(l.worklist, c)
			}
		}
		n.covers = nil
	}
}

// compact forgets removed nodes.
func (l *abstRefineLoop) compact() {
	gone := func(n *node) bool { return n.removed }
	for i := range l.at {
		l.at[i] = slices.DeleteFunc(l.at[i], gone)
	}
	l.worklist = slices.DeleteFunc(slices.Clone(l.worklist), gone)
	l.nodes = slices.DeleteFunc(l.nodes, gone)
}

func (l *abstRefineLoop) deepest() int {
	d := 0
	for _, ns := range l.at {
		for _, n := range ns {
			d = max(d, n.depth)
		}
	}
	return d
}

func (l *abstRefineLoop) counts() []int {
	return lists.Map(l.predicates, func(ps []*logic.Term) int { return len(ps) })
}

func (l *abstRefineLoop) statistics(round int) {
	generated, used := map[*logic.Term]bool{}, map[*logic.Term]bool{}
	for _, ps := range l.predicates {
		for _, p := range ps {
			generated[p] = true
		}
	}
	for _, n := range l.nodes {
		for _, p := range n.cube {
			used[p] = true
		}
	}
	l.result.Stats.Refinements, l.result.Stats.Iterations = round, l.deepest()
	l.result.Stats.Generated, l.result.Stats.Used = len(generated), len(used)
	l.result.Stats.States = l.live
}

// draw keeps the graph for the result.
func (l *abstRefineLoop) draw() {
	g := &Graph{}
	number := map[*node]int{}
	for i, n := range l.nodes {
		number[n] = i
		g.Nodes = append(g.Nodes, GraphNode{Location: n.location, Cube: n.cube, Initial: n.parent == nil, Error: n == l.bad})
	}
	for _, n := range l.nodes {
		if n.parent != nil {
			g.Edges = append(g.Edges, GraphEdge{From: number[n.parent], To: number[n], Block: l.blocks.All[n.block]})
		}
		if n.coveredBy != nil {
			g.Edges = append(g.Edges, GraphEdge{From: number[n], To: number[n.coveredBy], Covered: true})
		}
	}
	l.result.Graph = g
}

// invariant returns the abstract states at each location.
func (l *abstRefineLoop) invariant() []*logic.Term {
	invariant := make([]*logic.Term, len(l.sys.Locations))
	for loc := range invariant {
		var parts []*logic.Term
		for _, n := range l.at[loc] {
			if n.coveredBy == nil {
				parts = append(parts, logic.And(n.cube...))
			}
		}
		invariant[loc] = logic.Or(parts...)
	}
	return invariant
}
