package hoa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/source"
)

// Limits of the reader, far beyond what tools write.
const (
	maxStates  = 1 << 20
	maxAtoms   = 1 << 12
	maxNesting = 1 << 10
	maxNodes   = 1 << 22 // of the diagrams of the labels of one automaton
)

// parser reads one automaton.
type parser struct {
	scanner
	man        *bdd.Manager
	a          *Automaton
	haveStates bool
	states     int       // declared, if haveStates
	starts     [][]int32 // of each initial state, or of several at once
	startSpans []token
	joints     map[string]int32 // by their texts
	haveAP     bool
	aliases    map[string]bdd.Node
	declared   int    // acceptance sets
	positive   uint64 // sets that the condition speaks of
	negative   uint64 // sets whose complements the condition speaks of
	complement [MaxSets]int
	defined    []bool
	nesting    int
	edgeMarks  bool // some edge has marks of its own
}

// Parse reads the automaton of a text that holds one, in the Hanoi format. It
// is nil if the automaton ends in --ABORT--; the error is a source.List.
//
// Labels may be on edges, on states, or implicit, and use aliases; marks may be
// on edges and states. Edges may lead to several states at once.
func Parse(src *source.File) (*Automaton, error) {
	return parse(src, (*parser).readAutomaton)
}

// parse has an automaton read with limits.
func parse(src *source.File, read func(*parser) (aborted bool)) (*Automaton, error) {
	man := bdd.New()
	man.SetLimit(maxNodes, nil)
	p := &parser{scanner: scanner{src: src, text: src.Text()}, man: man,
		a: &Automaton{Man: man, Care: bdd.True}, aliases: map[string]bdd.Node{}, joints: map[string]int32{}}
	aborted := false
	err := bdd.Guard(func() error {
		p.try(func() { aborted = read(p) })
		return nil
	})
	if err != nil {
		p.fail(0, 0, "too-large", "the labels of this automaton are too complex: %v", err)
	}
	man.SetLimit(0, nil)
	if err := p.errs.Err(); err != nil || aborted {
		return nil, err
	}
	return p.a, nil
}

// try runs work until it is done or fails.
func (p *parser) try(work func()) {
	defer func() {
		switch r := recover().(type) {
		case nil, failure:
		default:
			panic(r)
		}
	}()
	work()
}

func (p *parser) readAutomaton() (aborted bool) {
	p.advance()
	p.readHeader()
	if p.abort() {
		return true
	}
	p.advance() // --BODY--
	if p.a.Acceptance == nil {
		p.failAt("no-acceptance", "the header has no Acceptance: line")
	}
	for p.tok.kind == header && p.tok.text == "State" {
		p.readState()
	}
	if p.abort() {
		return true
	}
	if p.tok.kind != marker || p.tok.text != "--END--" {
		p.expected("State: or --END--")
	}
	p.complete()
	p.advance()
	if p.tok.kind != endOfText {
		p.expected("the next automaton (HOA: or never)")
	}
	return false
}

// abort skips --ABORT--.
func (p *parser) abort() bool {
	if p.tok.kind == marker && p.tok.text == "--ABORT--" {
		p.advance()
		return true
	}
	return false
}

func (p *parser) readHeader() {
	if p.tok.kind != header || p.tok.text != "HOA" {
		p.expected(`"HOA:"`)
	}
	p.advance()
	if p.tok.kind != identifier || p.tok.text != "v1" && !strings.HasPrefix(p.tok.text, "v1.") {
		p.failAt("version", "only version v1 of the format can be read, found %s", p.tok.describe())
	}
	p.advance()
	for {
		if p.tok.kind == marker && p.tok.text != "--END--" {
			return
		}
		if p.tok.kind != header {
			p.expected("a header item or --BODY--")
		}
		p.headerItem()
	}
}

func (p *parser) headerItem() {
	item := p.tok
	p.advance()
	switch item.text {
	case "HOA":
		p.refuse(item, "unexpected-token", "a new automaton starts before the body of this one")
	case "States":
		if p.haveStates {
			p.again(item)
		}
		p.haveStates = true
		p.states = p.number("the number of states", maxStates)
	case "Start":
		p.startSpans = append(p.startSpans, p.tok)
		p.starts = append(p.starts, p.conjunct(func() int32 { return int32(p.number("an initial state", maxStates)) }))
	case "AP":
		p.readAtoms(item)
	case "Alias":
		p.readAlias()
	case "Acceptance":
		p.readAcceptance(item)
	case "name":
		if p.tok.kind != quoted {
			p.expected("a string")
		}
		p.a.Name = p.tok.text
		p.advance()
	default:
		// Lower-case items that we do not know change nothing; others could.
		if c := item.text[0]; c >= 'A' && c <= 'Z' {
			p.refuse(item, "unknown-header", "header item %q is not known and may change the meaning", item.text+":")
		}
		for p.tok.kind != header && p.tok.kind != marker && p.tok.kind != endOfText {
			p.advance()
		}
	}
}

// conjunct reads states with & between them, and returns the set of them.
func (p *parser) conjunct(state func() int32) []int32 {
	set := []int32{state()}
	for p.isPunct("&") {
		if p.a.Branches == (source.Span{}) {
			p.a.Branches = p.src.Span(p.tok.start, p.tok.end)
		}
		p.advance()
		set = append(set, state())
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// target is what stands for a set of states in an edge: the state, or the number of a joint.
func (p *parser) target(set []int32) int32 {
	if len(set) == 1 {
		return set[0]
	}
	key := fmt.Sprint(set)
	n, ok := p.joints[key]
	if !ok {
		n = int32(-len(p.a.Joints) - 1)
		p.joints[key] = n
		p.a.Joints = append(p.a.Joints, set)
	}
	return n
}

func (p *parser) again(item token) {
	p.refuse(item, "duplicate", "second %q item", item.text+":")
}

func (p *parser) isPunct(s string) bool { return p.tok.kind == punct && p.tok.text == s }

// number reads an integer of at most limit.
func (p *parser) number(what string, limit int) int {
	if p.tok.kind != integer {
		p.expected(what)
	}
	n, err := strconv.Atoi(p.tok.text)
	if err != nil || n > limit {
		p.failAt("too-large", "%s is %s, the limit is %d", what, p.tok.text, limit)
	}
	p.advance()
	return n
}

func (p *parser) readAtoms(item token) {
	if p.haveAP {
		p.again(item)
	}
	p.haveAP = true
	n := p.number("the number of atoms", maxAtoms)
	seen := map[string]bool{}
	for range n {
		if p.tok.kind != quoted {
			p.expected(fmt.Sprintf("the names of %d atoms", n))
		}
		if seen[p.tok.text] {
			p.failAt("duplicate", "atom %q is listed twice", p.tok.text)
		}
		seen[p.tok.text] = true
		p.a.Atoms = append(p.a.Atoms, p.tok.text)
		p.advance()
	}
	if p.tok.kind == quoted {
		p.failAt("unexpected-token", "more atoms than the %d announced", n)
	}
}

func (p *parser) readAlias() {
	if p.tok.kind != alias {
		p.expected("an alias like @a")
	}
	name := p.tok.text
	if _, ok := p.aliases[name]; ok {
		p.failAt("duplicate", "alias @%s is defined twice", name)
	}
	p.advance()
	p.aliases[name] = p.label()
}

// label reads a Boolean expression: | over & over !.
func (p *parser) label() bdd.Node { return p.boolean(false, p.labelAtom) }

// boolean reads a Boolean expression, whose | and & are doubled or not.
func (p *parser) boolean(doubled bool, atom func() bdd.Node) bdd.Node {
	operator := func(symbol string) bool {
		if !p.isPunct(symbol) {
			return false
		}
		if p.advance(); doubled {
			p.close(symbol)
		}
		return true
	}
	literal := func() bdd.Node {
		negate := false
		for p.isPunct("!") {
			negate = !negate
			p.advance()
		}
		l := atom()
		if negate {
			l = p.man.Not(l)
		}
		return l
	}
	conjunction := func() bdd.Node {
		l := literal()
		for operator("&") {
			l = p.man.And(l, literal())
		}
		return l
	}
	l := conjunction()
	for operator("|") {
		l = p.man.Or(l, conjunction())
	}
	return l
}

func (p *parser) labelAtom() bdd.Node {
	tok := p.tok
	switch {
	case tok.kind == integer:
		n := p.number("the number of an atom", maxAtoms)
		if n >= len(p.a.Atoms) {
			p.refuse(tok, "unknown-atom", "there is no atom %d, the header lists %d", n, len(p.a.Atoms))
		}
		return p.man.Var(n)
	case tok.kind == alias:
		l, ok := p.aliases[tok.text]
		if !ok {
			d := p.fail(tok.start, tok.end, "unknown-alias", "alias @%s is not defined before this", tok.text)
			var names []string
			for name := range p.aliases {
				names = append(names, name)
			}
			slices.Sort(names)
			d.Help = source.DidYouMean(tok.text, names)
			panic(failure{})
		}
		p.advance()
		return l
	case tok.kind == identifier && tok.text == "t":
		p.advance()
		return bdd.True
	case tok.kind == identifier && tok.text == "f":
		p.advance()
		return bdd.False
	case p.isPunct("("):
		p.enter()
		l := p.label()
		p.close(")")
		p.nesting--
		return l
	}
	p.expected("a label")
	return bdd.False
}

func (p *parser) close(s string) {
	if !p.isPunct(s) {
		p.expected(strconv.Quote(s))
	}
	p.advance()
}

// readAcceptance reads the number of sets and the condition.
func (p *parser) readAcceptance(item token) {
	if p.a.Acceptance != nil {
		p.again(item)
	}
	p.declared = p.number("the number of acceptance sets", MaxSets)
	p.a.Sets = p.declared
	start := p.tok.start
	acceptance := p.disjunction()
	p.a.At = p.src.Span(start, p.last)
	// A set of which only the complement matters becomes that complement, others
	// get one beside them.
	for set := range p.declared {
		if p.negative>>set&1 == 0 {
			continue
		}
		p.complement[set] = set
		if p.positive>>set&1 != 0 {
			if p.a.Sets == MaxSets {
				p.fail(start, p.last, "too-large", "more than %d acceptance sets, with the complements of some", MaxSets)
				panic(failure{})
			}
			p.complement[set] = p.a.Sets
			p.a.Sets++
		}
	}
	p.a.Acceptance = p.resolve(acceptance)
}

// resolve replaces the complements, which have negative numbers, by sets.
func (p *parser) resolve(a *Acceptance) *Acceptance {
	if a.Set < 0 {
		return &Acceptance{Op: a.Op, Set: p.complement[-a.Set-1]}
	}
	for i := range a.Args {
		a.Args[i] = p.resolve(a.Args[i])
	}
	return a
}

func (p *parser) disjunction() *Acceptance { return p.junction("|", Or, p.conjunction) }

func (p *parser) conjunction() *Acceptance { return p.junction("&", And, p.term) }

// junction reads operands with an operator between them.
func (p *parser) junction(sign string, op Op, operand func() *Acceptance) *Acceptance {
	args := []*Acceptance{operand()}
	for p.isPunct(sign) {
		p.advance()
		args = append(args, operand())
	}
	if len(args) == 1 {
		return args[0]
	}
	return &Acceptance{Op: op, Args: args}
}

// acceptanceWords are the words of conditions.
var acceptanceWords = map[string]Op{"t": True, "f": False, "Inf": Inf, "Fin": Fin}

// term reads t, f, Inf(0), Fin(!1), or a condition in parentheses. The complement
// of set i is written as the number -i-1 until all is read.
func (p *parser) term() *Acceptance {
	if p.isPunct("(") {
		p.enter()
		a := p.disjunction()
		p.close(")")
		p.nesting--
		return a
	}
	op, known := acceptanceWords[p.tok.text]
	if p.tok.kind != identifier || !known {
		p.expected("an acceptance condition: Inf(SET), Fin(SET), t, f, or one in parentheses")
	}
	p.advance()
	if op == True || op == False {
		return &Acceptance{Op: op}
	}
	p.close("(")
	negated := p.isPunct("!")
	if negated {
		p.advance()
	}
	set := p.setNumber()
	p.close(")")
	if negated {
		p.negative |= 1 << set
		return &Acceptance{Op: op, Set: -set - 1}
	}
	p.positive |= 1 << set
	return &Acceptance{Op: op, Set: set}
}

// enter goes behind an opening parenthesis.
func (p *parser) enter() {
	if p.nesting++; p.nesting > maxNesting {
		p.failAt("too-deep", "more than %d nested parentheses", maxNesting)
	}
	p.advance()
}

func (p *parser) setNumber() int {
	tok := p.tok
	n := p.number("the number of an acceptance set", MaxSets)
	if n >= p.declared {
		p.refuse(tok, "unknown-set", "there is no acceptance set %d, %d are declared", n, p.declared)
	}
	return n
}

// marks reads {0 2}, or nothing.
func (p *parser) marks() (marks uint64) {
	if !p.isPunct("{") {
		return 0
	}
	p.advance()
	for p.tok.kind == integer {
		marks |= 1 << p.setNumber()
	}
	p.close("}")
	return marks
}

// withComplements turns marks as they are written into those of the automaton.
func (p *parser) withComplements(marks uint64) uint64 {
	out := marks
	for set := range p.declared {
		if p.negative>>set&1 != 0 {
			bit := uint64(1) << p.complement[set]
			if out &^= bit; marks>>set&1 == 0 {
				out |= bit
			}
		}
	}
	return out
}

// state returns a state number and makes room for it.
func (p *parser) state(what string) int32 {
	tok := p.tok
	n := p.number(what, maxStates)
	if p.haveStates && n >= p.states {
		p.refuse(tok, "unknown-state", "state %d is not below the number of states, %d", n, p.states)
	}
	for n >= len(p.a.Out) {
		p.a.Out = append(p.a.Out, nil)
		p.defined = append(p.defined, false)
	}
	return int32(n)
}

func (p *parser) readState() {
	header := p.tok
	p.advance()
	stateLabel, haveLabel := bdd.True, false
	if p.isPunct("[") {
		p.advance()
		stateLabel, haveLabel = p.label(), true
		p.close("]")
	}
	tok := p.tok
	s := p.state("the number of the state")
	if p.defined[s] {
		p.refuse(tok, "duplicate", "state %d is described twice", s)
	}
	p.defined[s] = true
	if p.tok.kind == quoted {
		p.advance()
	}
	marks := p.marks()
	implicit := 0
	var es []Edge
	for p.tok.kind == integer || p.isPunct("[") {
		l := stateLabel
		if p.isPunct("[") {
			if haveLabel || implicit > 0 {
				p.failAt("labels", "this state has labels of another kind already")
			}
			p.advance()
			l = p.label()
			p.close("]")
		} else if !haveLabel {
			l = p.implicitLabel(implicit)
			implicit++
		}
		to := p.target(p.conjunct(func() int32 { return p.state("the target of an edge") }))
		own := p.marks()
		p.edgeMarks = p.edgeMarks || own != 0
		es = append(es, Edge{l, to, p.withComplements(marks | own)})
	}
	if implicit > 0 && implicit != 1<<len(p.a.Atoms) {
		p.refuse(header, "labels", "state %d has %d edges without labels, %d atoms need %d", s, implicit, len(p.a.Atoms), 1<<len(p.a.Atoms))
	}
	p.a.Out[s] = Merge(p.man, es)
}

// implicitLabel is the letter of the i-th edge of a state without labels: bit j
// of i is the value of atom j.
func (p *parser) implicitLabel(i int) bdd.Node {
	n := len(p.a.Atoms)
	if n >= 31 || i >= 1<<n {
		p.failAt("labels", "more edges without labels than letters over %d atoms", n)
	}
	cube := make(bdd.Cube, n)
	for j := range cube {
		cube[j] = bdd.Lit(j, i>>j&1 == 0)
	}
	return p.man.CubeNode(cube)
}

// complete adds states without description and the initial state.
func (p *parser) complete() {
	a := p.a
	for i, set := range p.starts {
		last := set[len(set)-1]
		if p.haveStates && int(last) >= p.states {
			p.refuse(p.startSpans[i], "unknown-state", "there is no state %d", last)
		}
		for int(last) >= len(a.Out) {
			a.Out = append(a.Out, nil)
		}
	}
	if p.haveStates {
		a.Out = append(a.Out, make([][]Edge, p.states-len(a.Out))...)
	}
	a.OnStates = !p.edgeMarks
	slices.SortFunc(p.starts, slices.Compare)
	if p.starts = slices.CompactFunc(p.starts, slices.Equal); len(p.starts) == 1 && len(p.starts[0]) == 1 {
		a.Initial = p.starts[0][0]
		return
	}
	// Several initial states (or none): a new one that does what they do. Nothing
	// leads back to it, so its marks mean nothing.
	var es []Edge
	for _, set := range p.starts {
		es = append(es, p.together(p.startSpans[0], set)...)
	}
	a.Initial = int32(len(a.Out))
	a.Out = append(a.Out, Merge(p.man, es))
}

// maxTogether bounds the edges of an initial state that stands for several at once.
const maxTogether = 1 << 16

// together returns edges of a state that does what several do at once: one edge for each
// choice of theirs.
func (p *parser) together(at token, set []int32) []Edge {
	type choice struct {
		label bdd.Node
		to    []int32
	}
	choices := []choice{{label: bdd.True}}
	for _, s := range set {
		var next []choice
		for _, c := range choices {
			for _, e := range p.a.Out[s] {
				if l := p.man.And(c.label, e.Label); l != bdd.False {
					next = append(next, choice{l, append(slices.Clone(c.to), p.a.Targets(e)...)})
				}
			}
			if len(next) > maxTogether {
				p.refuse(at, "too-large", "more than %d choices in the initial states", maxTogether)
			}
		}
		choices = next
	}
	es := make([]Edge, len(choices))
	for i, c := range choices {
		slices.Sort(c.to)
		es[i] = Edge{Label: c.label, To: p.target(slices.Compact(c.to))}
	}
	return es
}

// Targets returns the states that an edge leads to at once.
func (a *Automaton) Targets(e Edge) []int32 {
	if e.To >= 0 {
		return []int32{e.To}
	}
	return a.Joints[-e.To-1]
}
