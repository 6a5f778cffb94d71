package hoa

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/source"
)

// ParseNever reads a never claim of Promela: labels and, behind each, if or do with
// guarded gotos, skip, or false, as SPIN, Spot, LTL2BA and seltl write them. States
// whose label begins with "accept" are accepting; the first is initial. Guards are
// Boolean expressions; what is compared or computed in them is an atom, as its text
// without blanks. The error is a source.List.
func ParseNever(src *source.File) (*Automaton, error) {
	return parse(src, (*parser).readNever)
}

// claim is what is known of a never claim while it is read.
type claim struct {
	number  map[string]int32
	first   []token // of each state: where it was first named
	known   []bool  // of each state: it was described
	accept  []bool
	edges   [][]Edge
	atoms   map[string]int
	waiting []int32 // states whose labels stand before the next statement
}

func (p *parser) readNever() bool {
	p.promela = true
	p.advance()
	p.word("never")
	if p.tok.kind == identifier { // a name
		p.advance()
	}
	p.close("{")
	c := &claim{number: map[string]int32{}, atoms: map[string]int{}}
	for !p.isPunct("}") {
		p.claimStatement(c)
	}
	for _, s := range c.waiting {
		p.refuse(c.first[s], "unexpected-token", "nothing stands behind the label %q", c.first[s].text)
	}
	for s, known := range c.known {
		if !known {
			p.refuse(c.first[s], "unknown-state", "there is no label %q", c.first[s].text)
		}
	}
	p.advance()
	if p.tok.kind != endOfText {
		p.expected("the end of the claim")
	}
	p.finishClaim(c)
	return false
}

// finishClaim makes the automaton.
func (p *parser) finishClaim(c *claim) {
	a := p.a
	a.Sets, a.Acceptance, a.OnStates = 1, &Acceptance{Op: Inf}, true
	a.Atoms = make([]string, len(c.atoms))
	for name, i := range c.atoms {
		a.Atoms[i] = name
	}
	a.Out = make([][]Edge, max(len(c.edges), 1))
	for s, es := range c.edges {
		for _, e := range es {
			if c.accept[s] {
				e.Marks = 1
			}
			a.Out[s] = append(a.Out[s], e)
		}
		a.Out[s] = Merge(p.man, a.Out[s])
	}
}

// state returns the number of a label.
func (c *claim) state(tok token) int32 {
	s, ok := c.number[tok.text]
	if !ok {
		s = int32(len(c.first))
		c.number[tok.text] = s
		c.first = append(c.first, tok)
		c.known = append(c.known, false)
		c.accept = append(c.accept, strings.HasPrefix(tok.text, "accept"))
		c.edges = append(c.edges, nil)
	}
	return s
}

// claimStatement reads a label or the statement that describes the labels before.
func (p *parser) claimStatement(c *claim) {
	switch tok := p.tok; {
	case tok.kind == header:
		s := c.state(tok)
		if c.known[s] {
			p.refuse(tok, "duplicate", "the label %q is there twice", tok.text)
		}
		c.known[s] = true
		c.waiting = append(c.waiting, s)
		p.advance()
	case p.isWord("if"), p.isWord("do"):
		p.advance()
		var es []Edge
		for p.isPunct(":") {
			es = p.guarded(c, es)
		}
		p.word(map[string]string{"if": "fi", "do": "od"}[tok.text])
		p.describe(c, tok, func(int32) []Edge { return es })
	case p.isWord("skip"), p.isWord("true"):
		p.advance()
		p.describe(c, tok, func(s int32) []Edge { return []Edge{{Label: bdd.True, To: s}} })
	case p.isWord("false"), tok.kind == integer && tok.text == "0":
		p.advance()
		p.describe(c, tok, func(int32) []Edge { return nil })
	default:
		p.expected(`a label, "if", "do", "skip" or "false"`)
	}
	for p.isPunct(";") {
		p.advance()
	}
}

// describe gives their edges to the labels that wait for some.
func (p *parser) describe(c *claim, tok token, edges func(int32) []Edge) {
	if len(c.waiting) == 0 {
		if len(c.first) > 0 {
			p.refuse(tok, "unexpected-token", "a second statement behind a label: %s", tok.describe())
		}
		// A claim may begin without a label.
		start := tok
		start.text = "its first statement"
		s := c.state(start)
		c.known[s], c.waiting = true, []int32{s}
	}
	for _, s := range c.waiting {
		c.edges[s] = slices.Clone(edges(s))
	}
	c.waiting = nil
}

// guarded reads ":: guard -> goto label", with or without atomic { assert(...) } around,
// and the forms in which a claim ends: assert(!(guard)), which is a violation, goes to a
// state that accepts everything.
func (p *parser) guarded(c *claim, es []Edge) []Edge {
	p.close(":")
	p.close(":")
	if p.isWord("atomic") {
		p.advance()
		p.close("{")
		label := p.guard(c)
		p.arrow()
		p.word("assert")
		p.guard(c)
		for p.isPunct(";") {
			p.advance()
		}
		if p.isWord("goto") {
			es = append(es, Edge{Label: label, To: p.jump(c)})
		} else {
			es = append(es, Edge{Label: label, To: p.violation(c)})
		}
		p.close("}")
		return es
	}
	label := p.guard(c)
	p.arrow()
	if p.isWord("goto") {
		es = append(es, Edge{Label: label, To: p.jump(c)})
	} else {
		p.word("skip")
		es = append(es, Edge{Label: label, To: p.violation(c)})
	}
	for p.isPunct(";") {
		p.advance()
	}
	return es
}

// violation returns a state that accepts everything.
func (p *parser) violation(c *claim) int32 {
	s := c.state(token{text: "accept, the end of the claim"})
	c.known[s] = true
	c.edges[s] = []Edge{{Label: bdd.True, To: s}}
	return s
}

func (p *parser) jump(c *claim) int32 {
	p.word("goto")
	if p.tok.kind != identifier {
		p.expected("a label")
	}
	s := c.state(p.tok)
	p.advance()
	return s
}

func (p *parser) isWord(w string) bool { return p.tok.kind == identifier && p.tok.text == w }

func (p *parser) word(w string) {
	if !p.isWord(w) {
		p.expected(`"` + w + `"`)
	}
	p.advance()
}

func (p *parser) arrow() {
	if p.isPunct(";") {
		p.advance()
		return
	}
	p.close("-")
	p.close(">")
}

// guard reads a Boolean expression: || over && over !.
func (p *parser) guard(c *claim) bdd.Node {
	return p.boolean(true, func() bdd.Node { return p.guardAtom(c) })
}

// guardAtom reads an expression in parentheses, a constant, or an atom, whose text goes
// up to an operator of the Boolean expression.
func (p *parser) guardAtom(c *claim) bdd.Node {
	start := p.tok
	switch {
	case p.isPunct("("):
		p.enter()
		l := p.guard(c)
		p.close(")")
		p.nesting--
		if !p.guardEnds() {
			p.failAt("unexpected-token", "a computation with something in parentheses cannot be read as an atom")
		}
		return l
	case p.isWord("true"), p.isWord("skip"), start.kind == integer && start.text == "1":
		if p.advance(); p.guardEnds() {
			return bdd.True
		}
	case p.isWord("false"), start.kind == integer && start.text == "0":
		if p.advance(); p.guardEnds() {
			return bdd.False
		}
	case start.kind == identifier, start.kind == integer:
		p.advance()
	default:
		p.expected("a condition")
	}
	depth := 0
	for depth > 0 || !p.guardEnds() {
		switch {
		case p.isPunct("("), p.isPunct("["):
			depth++
		case p.isPunct(")"), p.isPunct("]"):
			depth--
		case p.tok.kind == endOfText:
			p.expected("the end of the condition")
		}
		p.advance()
	}
	name := strings.Join(strings.Fields(p.text[start.start:p.last]), "")
	i, ok := c.atoms[name]
	if !ok {
		if i = len(c.atoms); i == maxAtoms {
			p.refuse(start, "too-large", "more than %d atoms", maxAtoms)
		}
		c.atoms[name] = i
	}
	return p.man.Var(i)
}

// guardEnds reports whether an atom ends before the token: at ), && and ||, ->, and what
// else cannot go on in one.
func (p *parser) guardEnds() bool {
	next := byte(0)
	if p.pos < len(p.text) {
		next = p.text[p.pos]
	}
	switch {
	case p.tok.kind == endOfText, p.isPunct(")"), p.isPunct(";"), p.isPunct("{"), p.isPunct("}"):
		return true
	case p.isPunct("&"), p.isPunct("|"):
		return next == p.tok.text[0]
	case p.isPunct("-"):
		return next == '>'
	case p.isPunct(":"):
		return next == ':'
	}
	return p.isWord("goto")
}
