package buchi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
)

// Limits of the reader, far beyond what tools write.
const (
	maxHOAStates  = 1 << 20
	maxHOAAtoms   = 1 << 12
	maxHOANesting = 1 << 10
	maxHOANodes   = 1 << 22 // of the diagrams of the labels of one automaton
)

// Diagnostics is the error of texts that cannot be read: messages with positions, which
// Render prints with the lines they are about.
type Diagnostics = source.List

// ReadHOAText reads all automata of a text in the Hanoi Omega-Automata format,
// version 1: with acceptance on states or edges, with labels on edges, on states
// or implicit, with aliases, with several initial states. Automata that end in
// --ABORT-- are left out. Atoms get the kind ltl.Name. name is what messages call the
// text, such as the file's name.
//
// Acceptance must be a conjunction of Inf terms, t, or f; alternating automata
// are refused. Errors are a source.List, at most one for each automaton; the
// automata without errors are returned with it.
func ReadHOAText(name, text string) ([]*Automaton, error) {
	src := source.NewFile(name, text)
	p := &hoaParser{hoaScanner: hoaScanner{src: src, text: src.Text()}}
	var automata []*Automaton
	if p.try(p.advance) {
		for p.tok.kind != hoaEnd {
			if a := p.automaton(); a != nil {
				automata = append(automata, a)
			}
		}
	}
	return automata, p.errs.Err()
}

// hoaParser reads one automaton after the other.
type hoaParser struct {
	hoaScanner
	man        *bdd.Manager
	a          *Automaton
	haveStates bool
	states     int // declared, if haveStates
	starts     []int32
	startSpans []hoaToken
	haveAP     bool
	apToken    hoaToken
	aliases    map[string]Label
	acceptance bool // seen
	declared   int  // acceptance sets
	mapped     []uint64
	inverted   uint64
	never      bool // acceptance f
	defined    []bool
	nesting    int
	edgeMarks  bool
}

// try runs work and reports whether it did not fail.
func (p *hoaParser) try(work func()) (ok bool) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case hoaFailure:
			ok = false
		default:
			panic(r)
		}
	}()
	work()
	return true
}

// automaton reads one automaton; nil if it has an error or is aborted. It always
// gets further in the text.
func (p *hoaParser) automaton() *Automaton {
	p.man = bdd.New()
	p.man.SetLimit(maxHOANodes, nil)
	p.a = &Automaton{man: p.man, care: AnyLetter}
	*p = hoaParser{hoaScanner: p.hoaScanner, man: p.man, a: p.a, aliases: map[string]Label{}}
	start := p.tok
	aborted := false
	var ok bool
	err := bdd.Guard(func() error {
		ok = p.try(func() { aborted = p.readAutomaton() })
		return nil
	})
	if err != nil {
		p.fail(start.start, start.end, "too-large", "the labels of this automaton are too complex: %v", err)
		ok = false
	}
	if !ok {
		p.recover(start)
		return nil
	}
	if aborted {
		return nil
	}
	p.man.SetLimit(0, nil)
	return p.a
}

// recover skips to behind the next end of an automaton, or to its start.
func (p *hoaParser) recover(start hoaToken) {
	for first := true; ; first = false {
		ok := p.try(func() {
			if first && p.tok == start {
				p.advance()
			}
			for p.tok.kind != hoaEnd && !(p.tok.kind == hoaMarker && p.tok.text != "--BODY--") &&
				!(p.tok.kind == hoaHeader && p.tok.text == "HOA") {
				p.advance()
			}
			if p.tok.kind == hoaMarker {
				p.advance()
			}
		})
		if ok {
			return
		}
		if p.pos >= len(p.text) {
			p.tok = hoaToken{kind: hoaEnd, start: len(p.text), end: len(p.text)}
			return
		}
	}
}

func (p *hoaParser) readAutomaton() (aborted bool) {
	p.readHeader()
	if p.abort() {
		return true
	}
	p.advance() // --BODY--
	if !p.acceptance {
		p.failAt("no-acceptance", "the header has no Acceptance: line")
	}
	for p.tok.kind == hoaHeader && p.tok.text == "State" {
		p.readState()
	}
	if p.abort() {
		return true
	}
	if p.tok.kind != hoaMarker || p.tok.text != "--END--" {
		p.expected("State: or --END--")
	}
	p.complete()
	p.advance()
	return false
}

// abort skips --ABORT--.
func (p *hoaParser) abort() bool {
	if p.tok.kind == hoaMarker && p.tok.text == "--ABORT--" {
		p.advance()
		return true
	}
	return false
}

func (p *hoaParser) readHeader() {
	if p.tok.kind != hoaHeader || p.tok.text != "HOA" {
		p.expected(`"HOA:"`)
	}
	p.advance()
	if p.tok.kind != hoaIdentifier || p.tok.text != "v1" && !strings.HasPrefix(p.tok.text, "v1") {
		p.failAt("version", "only version v1 of the format can be read, found %s", p.tok.describe())
	}
	p.advance()
	for {
		if p.tok.kind == hoaMarker && p.tok.text != "--END--" {
			return
		}
		if p.tok.kind != hoaHeader {
			p.expected("a header item or --BODY--")
		}
		p.headerItem()
	}
}

func (p *hoaParser) headerItem() {
	item := p.tok
	p.advance()
	switch item.text {
	case "HOA":
		p.fail(item.start, item.end, "unexpected-token", "a new automaton starts before the body of this one")
		panic(hoaFailure{})
	case "States":
		if p.haveStates {
			p.again(item)
		}
		p.haveStates = true
		p.states = p.integer("the number of states", maxHOAStates)
	case "Start":
		p.startSpans = append(p.startSpans, p.tok)
		p.starts = append(p.starts, int32(p.integer("an initial state", maxHOAStates)))
		if p.isPunct("&") {
			p.failAt("alternation", "conjunctive initial states are not supported: the automaton is alternating")
		}
	case "AP":
		p.readAtoms(item)
	case "Alias":
		p.readAlias()
	case "Acceptance":
		p.readAcceptance(item)
	case "name":
		if p.tok.kind != hoaString {
			p.expected("a string")
		}
		p.a.name = p.tok.text
		p.advance()
	default:
		// Lower-case items that we do not know change nothing; others could.
		if c := item.text[0]; c >= 'A' && c <= 'Z' {
			p.fail(item.start, item.end, "unknown-header", "header item %q is not known and may change the meaning", item.text+":")
			panic(hoaFailure{})
		}
		for p.tok.kind != hoaHeader && p.tok.kind != hoaMarker && p.tok.kind != hoaEnd {
			p.advance()
		}
	}
}

func (p *hoaParser) again(item hoaToken) {
	p.fail(item.start, item.end, "duplicate", "second %q item", item.text+":")
	panic(hoaFailure{})
}

func (p *hoaParser) isPunct(s string) bool { return p.tok.kind == hoaPunct && p.tok.text == s }

// integer reads an integer of at most limit.
func (p *hoaParser) integer(what string, limit int) int {
	if p.tok.kind != hoaInt {
		p.expected(what)
	}
	n, err := strconv.Atoi(p.tok.text)
	if err != nil || n > limit {
		p.failAt("too-large", "%s is %s, the limit is %d", what, p.tok.text, limit)
	}
	p.advance()
	return n
}

func (p *hoaParser) readAtoms(item hoaToken) {
	if p.haveAP {
		p.again(item)
	}
	p.haveAP, p.apToken = true, item
	n := p.integer("the number of atoms", maxHOAAtoms)
	seen := map[string]bool{}
	for range n {
		if p.tok.kind != hoaString {
			p.expected(fmt.Sprintf("the names of %d atoms", n))
		}
		if seen[p.tok.text] {
			p.failAt("duplicate", "atom %q is listed twice", p.tok.text)
		}
		seen[p.tok.text] = true
		p.a.atoms = append(p.a.atoms, ltl.Atom{Kind: ltl.Name, Name: p.tok.text})
		p.advance()
	}
	if p.tok.kind == hoaString {
		p.failAt("unexpected-token", "more atoms than the %d announced", n)
	}
}

func (p *hoaParser) readAlias() {
	if p.tok.kind != hoaAlias {
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
func (p *hoaParser) label() Label {
	l := p.labelAnd()
	for p.isPunct("|") {
		p.advance()
		l = p.man.Or(l, p.labelAnd())
	}
	return l
}

func (p *hoaParser) labelAnd() Label {
	l := p.labelNot()
	for p.isPunct("&") {
		p.advance()
		l = p.man.And(l, p.labelNot())
	}
	return l
}

func (p *hoaParser) labelNot() Label {
	negate := false
	for p.isPunct("!") {
		negate = !negate
		p.advance()
	}
	l := p.labelAtom()
	if negate {
		l = p.man.Not(l)
	}
	return l
}

func (p *hoaParser) labelAtom() Label {
	tok := p.tok
	switch {
	case tok.kind == hoaInt:
		n := p.integer("the number of an atom", maxHOAAtoms)
		if n >= len(p.a.atoms) {
			p.fail(tok.start, tok.end, "unknown-atom", "there is no atom %d, the header lists %d", n, len(p.a.atoms))
			panic(hoaFailure{})
		}
		return p.man.Var(n)
	case tok.kind == hoaAlias:
		l, ok := p.aliases[tok.text]
		if !ok {
			d := p.fail(tok.start, tok.end, "unknown-alias", "alias @%s is not defined before this", tok.text)
			var names []string
			for name := range p.aliases {
				names = append(names, name)
			}
			slices.Sort(names)
			d.Help = source.DidYouMean(tok.text, names)
			panic(hoaFailure{})
		}
		p.advance()
		return l
	case tok.kind == hoaIdentifier && tok.text == "t":
		p.advance()
		return AnyLetter
	case tok.kind == hoaIdentifier && tok.text == "f":
		p.advance()
		return NoLetter
	case p.isPunct("("):
		if p.nesting++; p.nesting > maxHOANesting {
			p.failAt("too-deep", "more than %d nested parentheses", maxHOANesting)
		}
		p.advance()
		l := p.label()
		p.close(")")
		p.nesting--
		return l
	}
	p.expected("a label")
	return NoLetter
}

func (p *hoaParser) close(s string) {
	if !p.isPunct(s) {
		p.expected(strconv.Quote(s))
	}
	p.advance()
}

// readAcceptance reads the number of sets and a conjunction of Inf terms.
func (p *hoaParser) readAcceptance(item hoaToken) {
	if p.acceptance {
		p.again(item)
	}
	p.acceptance = true
	p.declared = p.integer("the number of acceptance sets", MaxSets)
	p.mapped = make([]uint64, p.declared)
	start := p.tok.start
	p.acceptanceTerms()
	if p.isPunct("|") {
		d := p.fail(start, p.tok.end, "acceptance", "only generalised Büchi acceptance (a conjunction of Inf terms, t, or f) can be read")
		d.Help = "convert the automaton to (generalised) Büchi acceptance first"
		panic(hoaFailure{})
	}
	if p.never {
		p.a.sets, p.mapped = 1, make([]uint64, p.declared)
		p.inverted = 0
	}
}

func (p *hoaParser) acceptanceTerms() {
	for {
		p.acceptanceTerm()
		if !p.isPunct("&") {
			return
		}
		p.advance()
	}
}

func (p *hoaParser) acceptanceTerm() {
	tok := p.tok
	switch {
	case tok.kind == hoaIdentifier && tok.text == "t":
		p.advance()
	case tok.kind == hoaIdentifier && tok.text == "f":
		p.advance()
		p.never = true
	case tok.kind == hoaIdentifier && tok.text == "Inf":
		p.advance()
		p.close("(")
		negated := p.isPunct("!")
		if negated {
			p.advance()
		}
		set := p.setNumber()
		p.close(")")
		if p.a.sets == MaxSets {
			p.failAt("too-large", "more than %d Inf terms", MaxSets)
		}
		p.mapped[set] |= 1 << p.a.sets
		if negated {
			p.inverted |= 1 << p.a.sets
		}
		p.a.sets++
	case p.isPunct("("):
		if p.nesting++; p.nesting > maxHOANesting {
			p.failAt("too-deep", "more than %d nested parentheses", maxHOANesting)
		}
		p.advance()
		p.acceptanceTerms()
		p.close(")")
		p.nesting--
	default:
		d := p.fail(tok.start, tok.end, "acceptance", "expected Inf(...), t or f, found %s: only generalised Büchi acceptance can be read", tok.describe())
		d.Help = "convert the automaton to (generalised) Büchi acceptance first"
		panic(hoaFailure{})
	}
}

func (p *hoaParser) setNumber() int {
	tok := p.tok
	n := p.integer("the number of an acceptance set", MaxSets)
	if n >= p.declared {
		p.fail(tok.start, tok.end, "unknown-set", "there is no acceptance set %d, %d are declared", n, p.declared)
		panic(hoaFailure{})
	}
	return n
}

// marks reads {0 2}, or nothing, and translates the sets.
func (p *hoaParser) marks() (marks uint64, given bool) {
	if !p.isPunct("{") {
		return 0, false
	}
	p.advance()
	for p.tok.kind == hoaInt {
		marks |= p.mapped[p.setNumber()]
	}
	p.close("}")
	return marks, true
}

// state returns a state number and makes room for it.
func (p *hoaParser) state(what string) int32 {
	tok := p.tok
	n := p.integer(what, maxHOAStates)
	if p.haveStates && n >= p.states {
		p.fail(tok.start, tok.end, "unknown-state", "state %d is not below the number of states, %d", n, p.states)
		panic(hoaFailure{})
	}
	for n >= len(p.a.out) {
		p.a.out = append(p.a.out, nil)
		p.defined = append(p.defined, false)
	}
	return int32(n)
}

func (p *hoaParser) readState() {
	header := p.tok
	p.advance()
	stateLabel, haveLabel := AnyLetter, false
	if p.isPunct("[") {
		p.advance()
		stateLabel, haveLabel = p.label(), true
		p.close("]")
	}
	tok := p.tok
	s := p.state("the number of the state")
	if p.defined[s] {
		p.fail(tok.start, tok.end, "duplicate", "state %d is described twice", s)
		panic(hoaFailure{})
	}
	p.defined[s] = true
	if p.tok.kind == hoaString {
		p.advance()
	}
	marks, _ := p.marks()
	implicit := 0
	var es []Edge
	for p.tok.kind == hoaInt || p.isPunct("[") {
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
		to := p.state("the target of an edge")
		if p.isPunct("&") {
			p.failAt("alternation", "an edge to several states at once is not supported: the automaton is alternating")
		}
		edgeMarks, given := p.marks()
		p.edgeMarks = p.edgeMarks || given
		es = append(es, Edge{l, to, (marks | edgeMarks) ^ p.inverted})
	}
	if implicit > 0 && implicit != 1<<len(p.a.atoms) {
		p.fail(header.start, header.end, "labels", "state %d has %d edges without labels, %d atoms need %d", s, implicit, len(p.a.atoms), 1<<len(p.a.atoms))
		panic(hoaFailure{})
	}
	p.a.out[s] = p.a.mergeEdges(es)
}

// implicitLabel is the letter of the i-th edge of a state without labels: bit j
// of i is the value of atom j.
func (p *hoaParser) implicitLabel(i int) Label {
	n := len(p.a.atoms)
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
func (p *hoaParser) complete() {
	a := p.a
	for i, s := range p.starts {
		if p.haveStates && int(s) >= p.states || !p.haveStates && int(s) >= len(a.out) {
			tok := p.startSpans[i]
			p.fail(tok.start, tok.end, "unknown-state", "there is no state %d", s)
			panic(hoaFailure{})
		}
	}
	if p.haveStates {
		a.out = append(a.out, make([][]Edge, p.states-len(a.out))...)
	}
	a.stateBased = !p.edgeMarks
	slices.Sort(p.starts)
	if p.starts = slices.Compact(p.starts); len(p.starts) == 1 {
		a.initial = p.starts[0]
		return
	}
	// Several initial states (or none): a new one that does what they do. Nothing
	// leads back to it, so its marks mean nothing.
	var es []Edge
	for _, s := range p.starts {
		for _, e := range a.out[s] {
			es = append(es, Edge{e.Label, e.To, 0})
		}
	}
	a.initial = int32(len(a.out))
	a.out = append(a.out, a.mergeEdges(es))
}
