package lks

import (
	"cmp"
	"math/bits"
	"slices"
)

// program is a network compiled for its Explorers: bit-parallel synchronisation.
//
// For every local state of every component there is a bitset over the live rules:
// the bits of rules in which the component can do its part there, or has no
// part. The enabled rules of a global state are the AND of its local states'
// bitsets. Neighbouring small fields of a packed state are looked up together
// (groups), which saves most of the look-ups. In networks with many rules a
// component has a part in few of them: of its bitsets only those words are kept
// that are not full everywhere. Firing a rule flips bits: what a part changes in
// the packed state is local XOR target, known in advance per local state, and
// constant for a part that is possible in one local state only.
//
// Networks with very many rules or huge components have no such tables (sparse).
type program struct {
	layout   *layout
	words    int  // of a packed state
	rowWords int  // of a bitset over rules
	maxParts int  // of a rule
	fast     bool // see Explorer.successors1

	live         []int32 // the rules whose parts are all possible somewhere
	alternatives bool    // two live rules show the same action

	always []uint64 // AND of the bitsets of components with one state
	groups []group
	rows   []uint64
	kept   []int32  // see group
	cells  [][]cell // by word of the bitset over all rules
	errors bool     // the bitsets do not rule out states in error
	plans  []plan   // by index in live, as the bits of bitsets
	steps  []step
	flips  []uint32
	low    [][]uint64

	sparse *sparse
}

// group is a run of fields of one word looked up together: the bitset is
// rows[base+value*n:][:n] for value = state[word]>>shift&mask, where n is
// last-first. Its words are those that kept[first:last] names, in order; the
// others are full for all values.
type group struct {
	mask        uint64
	base        uint32
	first, last uint32
	word        int32
	shift       uint8
}

// cell says that a word of the bitset over all rules has to be ANDed with the
// word at the given offset of a group's bitset.
type cell struct{ group, offset uint32 }

type planKind uint8

const (
	planFlip    planKind = iota // the successor is state with flip applied
	planSteps                   // and with the steps applied, and made canonical if special
	planGeneral                 // several targets: see expand
)

// plan says how a rule changes a state in which it is enabled.
type plan struct {
	flip        uint64
	first, last int32 // steps
	word        int32 // that flip changes
	rule        int32
	kind        planKind
	special     bool // the successor may be in error or terminated
}

// step flips state[word] by flips[base+local]<<shift, where local is
// state[word]>>shift&mask.
type step struct {
	mask  uint64
	base  uint32
	word  int32
	shift uint8
}

// Limits of the tables; beyond them a network is explored sparsely.
const (
	maxDenseRules = 1 << 14
	maxDenseWords = 1 << 20 // bitsets: 8 MiB; flips: 4 MiB
)

// groupWidths are the widths of groups, in bits, in the order in which they are
// tried until the bitsets are small enough. With the last no field has company.
var groupWidths = []int{8, 5, 0}

// newProgram compiles n, with tables if it has at most maxRules rules; widths as
// groupWidths.
func newProgram(n *Network, maxRules int, widths []int) *program {
	p := &program{layout: n.packing(), words: n.Words()}
	moves := map[*LKS][]move{}
	for _, m := range n.components {
		if moves[m] == nil {
			moves[m] = m.moves()
		}
	}
	for r, rule := range n.rules {
		p.maxParts = max(p.maxParts, len(rule.Parts))
		never := func(part Part) bool { return moves[n.components[part.Component]][part.Action].sources == 0 }
		if slices.ContainsFunc(rule.Parts, never) {
			continue
		}
		if k := len(p.live); k > 0 && n.rules[p.live[k-1]].Action == rule.Action {
			p.alternatives = true
		}
		p.live = append(p.live, int32(r))
	}
	if len(p.live) > maxRules || !p.compileDense(n, moves, widths) {
		p.compileSparse(n, moves)
	}
	return p
}

// compileDense makes the tables, or reports that they would be too large.
func (p *program) compileDense(n *Network, moves map[*LKS][]move, widths []int) bool {
	p.rowWords = max(1, (len(p.live)+63)/64)
	p.always = make([]uint64, p.rowWords)
	for i := range p.live {
		p.always[i/64] |= 1 << (i % 64)
	}
	if !p.addGroups(n, widths) || !p.addPlans(n, moves) {
		*p = program{layout: p.layout, words: p.words, maxParts: p.maxParts, live: p.live, alternatives: p.alternatives}
		return false
	}
	p.compilePriorities(n)
	p.fast = p.words == 1 && p.rowWords == 1 && p.low == nil
	p.errors = p.rowWords > 1 && p.layout.errors != nil
	p.addCells()
	return true
}

// addGroups makes the bitsets of all components, or reports that they would be
// too large.
func (p *program) addGroups(n *Network, widths []int) bool {
	partsOf := p.partsByComponent(n)
	for _, width := range widths {
		groups := p.layout.groups(width)
		total := 0
		for _, g := range groups {
			values := 1 << p.layout.span(g).Width
			if values > maxDenseWords {
				return false
			}
			if total += values * len(p.wordsOf(g, partsOf)); total > maxDenseWords {
				break
			}
		}
		if total <= maxDenseWords {
			for _, g := range groups {
				p.addGroup(n, g, partsOf)
			}
			return true
		}
	}
	return false
}

// rulePart is a rule, or the index of one in program.live, together with one of
// its parts' action.
type rulePart struct{ rule, action int32 }

// partsByComponent returns the live rules that each component has a part in.
func (p *program) partsByComponent(n *Network) [][]rulePart {
	parts := make([][]rulePart, len(n.components))
	for i, r := range p.live {
		for _, part := range n.rules[r].Parts {
			parts[part.Component] = append(parts[part.Component], rulePart{int32(i), part.Action})
		}
	}
	return parts
}

// wordsOf returns the words of bitsets in which components have parts, sorted.
func (p *program) wordsOf(members []int32, partsOf [][]rulePart) []int32 {
	if p.rowWords == 1 {
		return []int32{0} // which states in error must clear
	}
	var words []int32
	for _, c := range members {
		for _, part := range partsOf[c] {
			if w := part.rule / 64; len(words) == 0 || words[len(words)-1] != w {
				words = append(words, w)
			}
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// addGroup makes the bitsets of one group.
func (p *program) addGroup(n *Network, members []int32, partsOf [][]rulePart) {
	place := p.layout.span(members)
	kept := p.wordsOf(members, partsOf)
	if place.Width == 0 {
		for _, c := range members {
			for i, set := range n.bitsets(c, kept, partsOf[c]) {
				p.always[kept[i]] &= set
			}
		}
		return
	}
	if len(kept) == 0 {
		return
	}
	g := group{word: place.Word, shift: place.Shift, mask: place.Mask, base: uint32(len(p.rows)), first: uint32(len(p.kept))}
	p.kept = append(p.kept, kept...)
	g.last = uint32(len(p.kept))
	values := 1 << place.Width
	p.rows = append(p.rows, make([]uint64, values*len(kept))...)
	rows := p.rows[g.base:]
	for i := range rows {
		rows[i] = ^uint64(0)
	}
	for _, c := range members {
		f := p.layout.fields[c]
		m := n.components[c]
		sets := n.bitsets(c, kept, partsOf[c])
		for v := range values {
			local := 0
			if f.Width > 0 {
				local = int(uint64(v) >> (f.Shift - place.Shift) & f.Mask)
			}
			if row := rows[v*len(kept):][:len(kept)]; local < m.NumStates() {
				and(row, sets[local*len(kept):])
			} else {
				clear(row)
			}
		}
	}
	p.groups = append(p.groups, g)
}

func and(to, set []uint64) {
	for w := range to {
		to[w] &= set[w]
	}
}

// bitsets returns, for every local state of component c one after the other, the
// rules that c does not prevent there, none if that is an Error state: those
// words that are kept. parts are those of c, sorted by rule.
func (n *Network) bitsets(c int32, kept []int32, parts []rulePart) []uint64 {
	m := n.components[c]
	first, rules := byAction(slices.Clone(parts), len(m.alphabet))
	place := map[int32]int{} // where a word is among those kept
	full := make([]uint64, len(kept))
	for i, w := range kept {
		place[w] = i
		full[i] = ^uint64(0)
	}
	for _, part := range parts {
		full[place[part.rule/64]] &^= 1 << (part.rule % 64)
	}
	offset := make([]int32, len(rules)) // place of each rule's word
	for i, r := range rules {
		offset[i] = int32(place[r/64])
	}
	sets := make([]uint64, m.NumStates()*len(kept))
	for s := range int32(m.NumStates()) {
		if m.Kind(s) == Error {
			continue
		}
		set := sets[int(s)*len(kept):][:len(kept)]
		copy(set, full)
		for _, e := range m.Edges(s) {
			for i := first[e.Action]; i < first[e.Action+1]; i++ {
				set[offset[i]] |= 1 << (rules[i] % 64)
			}
		}
	}
	return sets
}

// addCells lists for every word the groups to look at, those first that have the
// fewest rules enabled, so that most words are soon known to be empty.
func (p *program) addCells() {
	p.cells = make([][]cell, p.rowWords)
	emptiness := map[cell]float64{}
	for i := range p.groups {
		g := &p.groups[i]
		kept := p.kept[g.first:g.last]
		values := int(g.mask) + 1
		for k, w := range kept {
			c := cell{uint32(i), uint32(k)}
			p.cells[w] = append(p.cells[w], c)
			ones := 0
			for v := range values {
				ones += bits.OnesCount64(p.rows[int(g.base)+v*len(kept)+k])
			}
			emptiness[c] = -float64(ones) / float64(values)
		}
	}
	for _, cells := range p.cells {
		slices.SortStableFunc(cells, func(a, b cell) int { return cmp.Compare(emptiness[b], emptiness[a]) })
	}
}

// flipKey identifies a table of flips: those of an action of a component.
type flipKey struct {
	m      *LKS
	action int32
}

// flipTables says where tables of flips are, as they are planned: memory is taken
// when the size is known.
type flipTables struct {
	base map[flipKey]uint32
	// of parts that are possible in one state: where the flip is, and what
	constants []struct{ at, flip uint32 }
	size      int
}

// addPlans makes the plans of all rules, or reports that tables grow too large.
func (p *program) addPlans(n *Network, moves map[*LKS][]move) bool {
	tables := &flipTables{base: map[flipKey]uint32{}}
	p.plans = make([]plan, len(p.live))
	for i := range p.live {
		p.addPlan(n, i, moves, tables)
		if tables.size > maxDenseWords {
			return false
		}
	}
	p.flips = make([]uint32, tables.size)
	p.fillFlips(tables)
	return true
}

func (p *program) addPlan(n *Network, i int, moves map[*LKS][]move, tables *flipTables) {
	plan := &p.plans[i]
	plan.rule = p.live[i]
	plan.word = -1
	plan.first = int32(len(p.steps))
	for _, part := range n.rules[plan.rule].Parts {
		m := n.components[part.Component]
		move := moves[m][part.Action]
		plan.special = plan.special || p.special(plan.rule, part.Component, move)
		if move.mostTargets > 1 {
			plan.kind = planGeneral
		}
		f := p.layout.fields[part.Component]
		flip := uint32(move.source ^ move.target)
		switch {
		case !move.changes:
		case move.sources != 1:
			p.steps = append(p.steps, step{word: f.Word, shift: f.Shift, mask: f.Mask, base: tables.table(m, part.Action)})
		case plan.word < 0 || plan.word == f.Word:
			plan.word = f.Word
			plan.flip ^= uint64(flip) << f.Shift
		default:
			p.steps = append(p.steps, step{word: f.Word, shift: f.Shift, base: tables.constant(flip)})
		}
	}
	plan.word = max(0, plan.word)
	plan.last = int32(len(p.steps))
	if plan.kind == planFlip && (plan.first < plan.last || plan.special) {
		plan.kind = planSteps
	}
}

// special reports whether a rule can lead the network to a special state by that
// move of a component.
func (p *program) special(rule, component int32, m move) bool {
	ends := &p.layout.ends
	return m.toError || m.toEnd && has(ends.Deciders, component) || has(ends.Silent, rule)
}

func has(sorted []int32, x int32) bool {
	_, ok := slices.BinarySearch(sorted, x)
	return ok
}

// constant returns the place for one flip.
func (t *flipTables) constant(flip uint32) uint32 {
	at := uint32(t.size)
	t.size++
	t.constants = append(t.constants, struct{ at, flip uint32 }{at, flip})
	return at
}

// table returns where the flips of (m, action) begin: local XOR target for each
// local state with one transition by action.
func (t *flipTables) table(m *LKS, action int32) uint32 {
	key := flipKey{m, action}
	base, ok := t.base[key]
	if !ok {
		base = uint32(t.size)
		t.base[key] = base
		t.size += m.NumStates()
	}
	return base
}

// fillFlips goes through the transitions of every component with tables once.
func (p *program) fillFlips(t *flipTables) {
	for _, c := range t.constants {
		p.flips[c.at] = c.flip
	}
	byAction := map[*LKS][]int64{} // where the table of each action begins, or -1
	for key, base := range t.base {
		if byAction[key.m] == nil {
			byAction[key.m] = slices.Repeat([]int64{-1}, len(key.m.alphabet))
		}
		byAction[key.m][key.action] = int64(base)
	}
	for m, tables := range byAction {
		for s := range int32(m.NumStates()) {
			edges := m.Edges(s)
			for i, e := range edges {
				if i > 0 && edges[i-1].Action == e.Action || i+1 < len(edges) && edges[i+1].Action == e.Action {
					continue
				}
				if base := tables[e.Action]; base >= 0 {
					p.flips[base+int64(s)] = uint32(s ^ e.Target)
				}
			}
		}
	}
}

// move sums up the transitions of one component by one action.
type move struct {
	sources        int32 // states with such a transition
	mostTargets    int32 // of one state
	source, target int32 // of the last such transition
	changes        bool  // not all are loops
	toError, toEnd bool
}

// moves returns the moves of m by action.
func (m *LKS) moves() []move {
	moves := make([]move, len(m.alphabet))
	for s := range int32(m.NumStates()) {
		edges := m.Edges(s)
		for i := 0; i < len(edges); {
			from := i
			mv := &moves[edges[i].Action]
			for ; i < len(edges) && edges[i].Action == edges[from].Action; i++ {
				mv.changes = mv.changes || edges[i].Target != s
				mv.toError = mv.toError || m.Kind(edges[i].Target) == Error
				mv.toEnd = mv.toEnd || m.Kind(edges[i].Target) == End
			}
			mv.sources++
			mv.mostTargets = max(mv.mostTargets, int32(i-from))
			mv.source, mv.target = s, edges[from].Target
		}
	}
	return moves
}

func (p *program) compilePriorities(n *Network) {
	for _, low := range n.low {
		set := make([]uint64, p.rowWords)
		for i, r := range p.live {
			if low[r] {
				set[i/64] |= 1 << (i % 64)
			}
		}
		p.low = append(p.low, set)
	}
}

// sparse is the program of a network without tables. Each rule belongs to one
// of its components, the owner: the one whose local states offer its action
// least often. Only the rules that the owner offers are looked at.
type sparse struct {
	owners  []int32   // components that own rules
	first   [][]int32 // by component, if it owns rules: of action a are rules[first[a]:first[a+1]]
	rules   [][]int32
	special []bool // by rule: the successor may be in error or terminated
}

func (s *sparse) owned(component, action int32) []int32 {
	first := s.first[component]
	return s.rules[component][first[action]:first[action+1]]
}

func (p *program) compileSparse(n *Network, moves map[*LKS][]move) {
	s := &sparse{
		first:   make([][]int32, len(n.components)),
		rules:   make([][]int32, len(n.components)),
		special: make([]bool, len(n.rules)),
	}
	owned := make([][]rulePart, len(n.components))
	for _, r := range p.live {
		parts := n.rules[r].Parts
		owner, rarest := parts[0], 2.0
		for _, part := range parts {
			m := n.components[part.Component]
			mv := moves[m][part.Action]
			s.special[r] = s.special[r] || p.special(r, part.Component, mv)
			if often := float64(mv.sources) / float64(m.NumStates()); often < rarest {
				owner, rarest = part, often
			}
		}
		owned[owner.Component] = append(owned[owner.Component], rulePart{r, owner.Action})
	}
	for c, parts := range owned {
		if len(parts) > 0 {
			s.owners = append(s.owners, int32(c))
			s.first[c], s.rules[c] = byAction(parts, len(n.components[c].alphabet))
		}
	}
	p.sparse = s
}

// byAction sorts the rules by action into one array with an index.
func byAction(parts []rulePart, actions int) (first, rules []int32) {
	first = make([]int32, actions+1)
	slices.SortStableFunc(parts, func(a, b rulePart) int { return int(a.action) - int(b.action) })
	for _, p := range parts {
		first[p.action+1]++
		rules = append(rules, p.rule)
	}
	for a := range actions {
		first[a+1] += first[a]
	}
	return first, rules
}
