// Package silent decides whether formulas notice that a network moves silently: reductions
// that change how often it does are sound for those that do not.
package silent

import (
	"slices"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/frontier"
	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/meet"
)

// A letter of an SE-LTL word is a label L (what is true of the state) and an
// event, or none that the formula names. A reduction that drops, adds or moves
// steps which the formula does not see, drops and adds letters (L, no event)
// where the next letter has the same label L: the step that leaves the state by
// an unseen rule leads to a state with the same label, from which the run goes
// on, by an event or not. Call two words silently equivalent if such letters,
// finitely many at each place, turn one into the other; a property is invariant
// under silent stuttering if it does not tell such words apart.
//
// The label may have more than propositions: what enabled(a) says, if the reduction
// keeps that. The atom deadlock is no part of it. It is true from where a finite run
// has stopped, for ever; a letter (L, no event) before that may be dropped and added
// if the next letter has the label L, whether the run has stopped there or not: the
// last unseen step before a deadlock is a step like others. F deadlock is invariant
// under that, F(p & !deadlock) is not, since p may be true of the last state alone.
//
// This is neither implied by invariance under the repetition of whole letters
// nor implies it. The formula "a", an event, has no X but says that the very first
// step is a, which an unseen step before it falsifies; so do F(p & !a) and p U a.
// G(a -> X(!a W b)) has an X, but is invariant: after an event, the next letter
// starts with the same label whether or not unseen steps follow. Formulas
// without X and without events are invariant.

// silentClass is what is known of the values of a formula on silently equivalent
// words. A position is passed over if its letter has no event and is no deadlock, and
// the next one has the same label, unless the word goes on like that for ever;
// otherwise it is kept. Silently equivalent words have corresponding kept positions.
type silentClass uint8

const (
	stable     silentClass = 1 << iota // equal at corresponding kept positions
	up                                 // holds where passed over, if it holds at the next position
	down                               // holds at the next position, if it holds where passed over
	onSilence                          // holds wherever no event occurs
	offSilence                         // fails wherever no event occurs

	invariant = stable | up | down
)

// silentOf computes the class of a formula by structural rules. They are
// sufficient, not necessary. enabled is the class of atoms enabled(a): invariant if
// they are part of labels, else 0. Formulas are directed acyclic graphs: known
// remembers.
func silentOf(f *ltl.Formula, enabled silentClass, known map[*ltl.Formula]silentClass) silentClass {
	if c, ok := known[f]; ok {
		return c
	}
	args := f.Args()
	sub := make([]silentClass, len(args))
	for i, g := range args {
		sub[i] = silentOf(g, enabled, known)
	}
	c := silentRule(f, sub, enabled)
	if c&stable == 0 {
		c = 0 // the other bits build on it
	}
	known[f] = c
	return c
}

func silentRule(f *ltl.Formula, sub []silentClass, enabled silentClass) silentClass {
	switch f.Op() {
	case ltl.True:
		return invariant | onSilence
	case ltl.False:
		return invariant | offSilence
	case ltl.Atomic:
		switch f.Atom().Kind {
		case ltl.Prop:
			return invariant
		case ltl.Event:
			return stable | offSilence | down
		case ltl.Deadlock:
			return stable | down // it fails where passed over, but may hold next
		case ltl.Enabled:
			return enabled
		}
		return 0
	case ltl.Not:
		return sub[0].not()
	case ltl.And:
		c := sub[0]
		for _, d := range sub[1:] {
			c = c.and(d)
		}
		return c
	case ltl.Or:
		c := sub[0]
		for _, d := range sub[1:] {
			c = c.or(d)
		}
		return c
	case ltl.Implies:
		return sub[0].not().or(sub[1])
	case ltl.Iff, ltl.Xor:
		both := sub[0] & sub[1]
		if both&invariant == invariant {
			return invariant
		}
		return both & stable
	case ltl.Next:
		// Kept positions that correspond are followed by silently equivalent
		// suffixes. Where an unseen step changes the label, the position is kept
		// as well.
		if sub[0]&invariant == invariant {
			return stable
		}
		return 0
	case ltl.Eventually:
		return (invariant | onSilence).until(sub[0])
	case ltl.Always:
		return (invariant | onSilence).until(sub[0].not()).not()
	case ltl.Until:
		return sub[0].until(sub[1])
	case ltl.Release:
		return sub[0].not().until(sub[1].not()).not()
	case ltl.WeakUntil: // !(!g U (!f & !g))
		g := sub[1].not()
		return g.until(sub[0].not().and(g)).not()
	case ltl.StrongRelease: // g U (f & g)
		return sub[1].until(sub[0].and(sub[1]))
	}
	return 0
}

func (c silentClass) not() silentClass {
	d := c & stable
	for _, p := range [][2]silentClass{{up, down}, {down, up}, {onSilence, offSilence}, {offSilence, onSilence}} {
		if c&p[0] != 0 {
			d |= p[1]
		}
	}
	return d
}

func (c silentClass) and(d silentClass) silentClass {
	e := c & d & (stable | up | down | onSilence)
	if (c|d)&offSilence != 0 && c&d&stable != 0 {
		e |= offSilence | down
	}
	return e
}

func (c silentClass) or(d silentClass) silentClass { return c.not().and(d.not()).not() }

// until is the class of f U g for f in c, g in d. At a position s that is passed
// over before n, f U g means g(s) or f(s) and (f U g)(n). If (f U g)(n) is to
// imply that: g(n) must imply g(s) or f(s), and f(n) must imply f(s) or g(s).
// Conversely g(s) must imply g(n). Without both f U g is not even stable: its value
// at a kept position depends on that at the next, which may be passed over.
func (c silentClass) until(d silentClass) silentClass {
	forth := c&onSilence != 0 || c&d&up != 0
	if c&d&stable != 0 && forth && d&down != 0 {
		return invariant
	}
	return 0
}

// Bounds of the semantic test.
const (
	maxSilentSize     = 20      // nodes of the formula
	maxSilentLabels   = 1 << 8  // labels over the formula's propositions
	maxSilentLetters  = 1 << 9  // labels times events
	maxSilentNodes    = 1 << 13 // of the product
	maxSilentEdges    = 1 << 20 // of the product
	maxSilentAutomata = 1 << 10 // states of either automaton
)

// Invariant decides whether f does not tell silently equivalent words of
// the network apart, if enabled(a) is, or is not, a part of labels; why is "" or says
// why it may. The error is the meter's.
func Invariant(net *lks.Network, f *ltl.Formula, enabledIsLabel bool, meter *budget.Meter) (why string, err error) {
	enabled := silentClass(0)
	if enabledIsLabel {
		enabled = invariant
	} else if slices.ContainsFunc(ltl.Atoms(f), func(a ltl.Atom) bool { return a.Kind == ltl.Enabled }) {
		why = "the formula asks which actions are enabled"
	}
	if silentOf(f, enabled, map[*ltl.Formula]silentClass{})&invariant == invariant {
		return "", nil
	}
	if why != "" {
		return why, nil
	}
	all := parts(f, nil)
	for _, part := range all {
		if silentOf(part, enabled, map[*ltl.Formula]silentClass{})&invariant == invariant {
			continue
		}
		if why, err = silentByAutomata(net, part, meter); why != "" || err != nil {
			break
		}
	}
	if why == "" || err != nil || len(all) == 1 && all[0] == f {
		return why, err
	}
	return silentByAutomata(net, f, meter) // parts may notice what together they do not
}

// parts appends formulas of which f is a Boolean combination, or one with G g & G h for
// G(g & h), F g | F h for F(g | h). It is invariant if all of them are: silently equivalent words
// are so, too, over fewer atoms.
func parts(f *ltl.Formula, to []*ltl.Formula) []*ltl.Formula {
	args := f.Args()
	switch f.Op() {
	case ltl.Not, ltl.And, ltl.Or, ltl.Implies, ltl.Iff, ltl.Xor:
	case ltl.Always, ltl.Eventually:
		inner, wrap := ltl.And, ltl.MakeAlways
		if f.Op() == ltl.Eventually {
			inner, wrap = ltl.Or, ltl.MakeEventually
		}
		if args[0].Op() != inner {
			return append(to, f)
		}
		args = slices.Clone(args[0].Args())
		for i, g := range args {
			args[i] = wrap(g)
		}
	default:
		return append(to, f)
	}
	for _, g := range args {
		to = parts(g, to)
	}
	return to
}

// noticed is why a formula is not invariant that is small enough to know.
const noticed = "the formula does not ignore silent steps"

// silentByAutomata decides by automata of the formula and its negation.
func silentByAutomata(net *lks.Network, f *ltl.Formula, meter *budget.Meter) (why string, err error) {
	letters, ok := newLetters(net, ltl.Atoms(f))
	if !ok || f.Size() > maxSilentSize {
		return tooLargeToKnow, nil
	}
	opts := buchi.Options{Constraints: meet.Constraints(net, ltl.Atoms(f)), Meter: meter}
	var sides [2]*side
	for i, g := range []*ltl.Formula{f, ltl.MakeNot(f)} {
		a, err := buchi.Translate(g, opts)
		if err != nil {
			return "", err
		}
		if a.NumStates() > maxSilentAutomata {
			return tooLargeToKnow, nil
		}
		sides[i] = newSide(a, letters)
	}
	s := &silentProduct{letters: letters, sides: sides, nodes: frontier.New(silentWords)}
	switch accepts, ok := s.accepts(); {
	case !ok:
		return tooLargeToKnow, nil
	case accepts:
		return noticed, nil
	}
	return "", nil
}

// FairnessSees is why no reduction goes with fairness.
const FairnessSees = "fairness depends on steps that the formula does not see"

// tooLargeToKnow is why a formula is taken to notice silent steps.
const tooLargeToKnow = "it is not known whether the formula ignores silent steps: it is too large to find out"

// letters are those that words of a network can have: every combination of
// labels that its components have with one of the formula's events, or none. What
// enabled(a) says is taken to be independent of the rest. A label may be that of a
// deadlock.
type letters struct {
	atoms  []ltl.Atom
	labels [][]bool // by label, by atom
	alive  []int    // by label: itself, or if it is of a deadlock, the same without that
	events []int    // atoms that are events
}

// dead reports whether a label is that of a deadlock.
func (l *letters) dead(label int) bool { return l.alive[label] != label }

func newLetters(net *lks.Network, atoms []ltl.Atom) (*letters, bool) {
	l := &letters{atoms: atoms, labels: [][]bool{make([]bool, len(atoms))}}
	props := map[int32][]int{}
	deadlock := -1
	var enabled []int
	for i, a := range atoms {
		switch a.Kind {
		case ltl.Event:
			l.events = append(l.events, i)
		case ltl.Prop:
			c, _, _ := net.Prop(a.Name)
			props[c] = append(props[c], i)
		case ltl.Deadlock:
			deadlock = i
		case ltl.Enabled:
			enabled = append(enabled, i)
		default:
			return nil, false
		}
	}
	for c, m := range net.Components() {
		if len(props[int32(c)]) > 0 && !l.multiply(net, m, props[int32(c)]) {
			return nil, false
		}
	}
	if meet.HasError(net) {
		l.labels = append(l.labels, make([]bool, len(atoms)))
	}
	for _, i := range enabled {
		if len(l.labels) > maxSilentLabels {
			return nil, false
		}
		l.double(i)
	}
	for i := range l.labels {
		l.alive = append(l.alive, i)
	}
	if deadlock >= 0 {
		l.alive = append(l.alive, l.alive...)
		l.double(deadlock)
	}
	return l, len(l.labels)*(len(l.events)+1) <= maxSilentLetters
}

// double appends all labels with atom number i true.
func (l *letters) double(i int) {
	for _, label := range l.labels {
		label = slices.Clone(label)
		label[i] = true
		l.labels = append(l.labels, label)
	}
}

// multiply combines the labels so far with those of component m, which has these
// of the atoms.
func (l *letters) multiply(net *lks.Network, m *lks.LKS, props []int) bool {
	var own []ltl.Atom
	for _, i := range props {
		own = append(own, l.atoms[i])
	}
	local := meet.LabelsOf(net, m, own)
	if len(local)*len(l.labels) > maxSilentLabels {
		return false
	}
	var all [][]bool
	for _, old := range l.labels {
		for _, label := range local {
			v := append([]bool(nil), old...)
			for _, p := range label {
				v[props[p]] = true
			}
			all = append(all, v)
		}
	}
	l.labels = all
	return true
}

// side is an automaton with its edges for every letter, number
// label*(len(events)+1)+event, event 0 being none.
type side struct {
	a       *buchi.Automaton
	reads   *buchi.Matcher
	letters [][]uint64
	known   [][]buchi.Edge // by state*len(letters)+letter
	asked   []bool         // likewise
}

func newSide(a *buchi.Automaton, l *letters) *side {
	s := &side{a: a, reads: a.Matcher()}
	words := max(1, (len(a.Atoms())+63)/64)
	position := map[ltl.Atom]int{}
	for i, atom := range a.Atoms() {
		position[atom] = i
	}
	set := func(v []uint64, atom ltl.Atom) {
		if i, ok := position[atom]; ok {
			v[i/64] |= 1 << (i % 64)
		}
	}
	for _, label := range l.labels {
		for e := range len(l.events) + 1 {
			v := make([]uint64, words)
			for i, holds := range label {
				if holds {
					set(v, l.atoms[i])
				}
			}
			if e > 0 {
				set(v, l.atoms[l.events[e-1]])
			}
			s.letters = append(s.letters, v)
		}
	}
	s.known = make([][]buchi.Edge, a.NumStates()*len(s.letters))
	s.asked = make([]bool, len(s.known))
	return s
}

// edges returns the edges of state for a letter.
func (s *side) edges(state int32, letter int) []buchi.Edge {
	at := int(state)*len(s.letters) + letter
	if !s.asked[at] {
		s.asked[at] = true
		for _, i := range s.reads.Match(state, s.letters[letter], nil) {
			s.known[at] = append(s.known[at], s.a.Edges(state)[i])
		}
	}
	return s.known[at]
}

// silentProduct reads a word with two automata at once, of which one at a time
// may pass over a letter without event if the next letter has the same label, but
// not for ever. A property that accepts one and rejects another of two silently
// equivalent words does so with two that a common word comes from: the one with
// as many silent letters at every place as the larger of both. Such a word is
// accepted by the product of the automata of the property and its negation, and
// only such words are. (After [MichaudDuretLutz15], for whole letters.)
type silentProduct struct {
	letters *letters
	sides   [2]*side
	nodes   *frontier.Frontier // see silentNode.pack
	first   []int32
	to      []int32
	marks   []silentMarks
}

// silentNode is a state of both automata; pending is the label, plus 1, that the
// next letter must have but for deadlock, because one side has passed over this one;
// negative if it must be just that, because this one is of a deadlock.
type silentNode struct {
	states  [2]int32
	pending int32
}

// silentMarks are those of both sides, and whether they took a letter.
type silentMarks struct {
	sets [2]uint64
	took [2]bool
}

// accepts reports whether the product accepts a word; ok is false if it is too
// large.
func (s *silentProduct) accepts() (accepts, ok bool) {
	s.node(silentNode{states: [2]int32{s.sides[0].a.Initial(), s.sides[1].a.Initial()}})
	for n := range s.nodes.InOrder {
		s.first = append(s.first, int32(len(s.to)))
		s.expand(unpackSilent(s.nodes.State(n)))
		if s.nodes.Len() > maxSilentNodes || len(s.to) > maxSilentEdges {
			return false, false
		}
	}
	s.first = append(s.first, int32(len(s.to)))
	found, _ := scc.All(scc.Edges{First: s.first, To: s.to}, nil)
	component := found.Of
	seen := make([]silentMarks, found.Count)
	for n := range s.nodes.Len() {
		for e := s.first[n]; e < s.first[n+1]; e++ {
			if c := component[n]; c == component[s.to[e]] {
				for i := range 2 {
					seen[c].sets[i] |= s.marks[e].sets[i]
					seen[c].took[i] = seen[c].took[i] || s.marks[e].took[i]
				}
			}
		}
	}
	for _, m := range seen {
		full := true
		for i := range 2 {
			full = full && m.took[i] && m.sets[i] == s.sides[i].a.AllMarks()
		}
		if full {
			return true, true
		}
	}
	return false, true
}

func (s *silentProduct) node(n silentNode) int32 { return s.nodes.Number(n.pack())[0] }

// silentWords is the length of a packed silentNode.
const silentWords = 2

func (n silentNode) pack() []uint64 {
	return []uint64{uint64(uint32(n.states[0]))<<32 | uint64(uint32(n.states[1])), uint64(uint32(n.pending))}
}

func unpackSilent(packed []uint64) silentNode {
	return silentNode{states: [2]int32{int32(packed[0] >> 32), int32(packed[0])}, pending: int32(packed[1])}
}

// expand appends the edges of a node.
func (s *silentProduct) expand(n silentNode) {
	events := len(s.letters.events) + 1
	for label := range s.letters.labels {
		dead := s.letters.dead(label)
		if n.pending > 0 && int(n.pending) != s.letters.alive[label]+1 || n.pending < 0 && int(-n.pending) != label+1 {
			continue
		}
		next := int32(0)
		if dead {
			next = -int32(label) - 1
		}
		for event := range events {
			if dead && event > 0 {
				break
			}
			letter := label*events + event
			taken := [2][]buchi.Edge{s.sides[0].edges(n.states[0], letter), s.sides[1].edges(n.states[1], letter)}
			for _, a := range taken[0] {
				for _, b := range taken[1] {
					s.edge(silentNode{[2]int32{a.To, b.To}, next}, silentMarks{[2]uint64{a.Marks, b.Marks}, [2]bool{true, true}})
				}
			}
			if event > 0 || dead {
				continue
			}
			pending := int32(label) + 1
			for _, a := range taken[0] {
				s.edge(silentNode{[2]int32{a.To, n.states[1]}, pending}, silentMarks{[2]uint64{a.Marks, 0}, [2]bool{true, false}})
			}
			for _, b := range taken[1] {
				s.edge(silentNode{[2]int32{n.states[0], b.To}, pending}, silentMarks{[2]uint64{0, b.Marks}, [2]bool{false, true}})
			}
		}
	}
}

func (s *silentProduct) edge(to silentNode, m silentMarks) {
	s.to = append(s.to, s.node(to))
	s.marks = append(s.marks, m)
}
