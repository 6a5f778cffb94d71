package ltl

import "strconv"

// label is a label in FSP notation: segments, indices and sets.
type label struct {
	parts      []*labelPart
	start, end int
}

// labelPart is one piece of a label. Exactly one of the groups is set.
type labelPart struct {
	start, end int
	name       string    // a segment as written
	set        *labelSet // {a, b}, or an upper-case name of a set; also as an index
	index      *expr     // [e], or the lower bound
	hi         *expr     // [e..hi]
	variable   string    // [i: ...]
}

// labelSet is a set of labels, {a,b} \ {c}, or the name of one.
type labelSet struct {
	name     string
	elements []*label
	minus    *labelSet
}

// expr is an integer expression of FSP, or a label constant.
type expr struct {
	op         string // "" for the leaves
	start, end int
	args       []*expr
	number     int
	name       string // a variable, constant or range
	quoted     bool   // 'name: a label constant
	depth      int
}

// parseLabel parses part { '.' part | index }. The first token was read in either mode.
func (p *parser) parseLabel() *label {
	l := &label{start: p.tok.start}
	first := true
	for !p.failed {
		switch {
		case !first && p.tok.kind == tLBracket:
			l.parts = append(l.parts, p.index())
		case first || p.tok.kind == tDot:
			if !first {
				p.advanceIndex()
			}
			p.segment(l)
		default:
			l.end = p.last
			return l
		}
		first = false
	}
	return l
}

// segment parses a name, a number (as in phil.0.eat), or a set.
func (p *parser) segment(l *label) {
	part := &labelPart{start: p.tok.start, end: p.tok.end}
	switch k := p.tok.kind; {
	case k == tLBrace:
		part.set = p.labelSet()
	case k == tLBracket && len(l.parts) > 0: // a.[1]
		l.parts = append(l.parts, p.index())
		return
	case k == tName || k == tNumber && len(l.parts) > 0:
		p.wordSegment(part)
	case k == tUpper || words[p.lexeme()] != 0 || letters[firstByte(p.lexeme())] != 0:
		p.wordSegment(part)
	case len(l.parts) > 0 && (k == tEOF || k == tRParen):
		p.expected("a label behind \".\"", "a formula ends without a full stop")
		return
	default:
		p.expected("a label", "labels start with a lower-case letter; quote other names: \"any text\"")
		return
	}
	part.end = p.last
	l.parts = append(l.parts, part)
}

// wordSegment takes the current word as a segment, or as a set from which
// something is taken away.
func (p *parser) wordSegment(part *labelPart) {
	part.name = p.lexeme()
	p.advance()
	if isUpper(firstByte(part.name)) && p.tok.kind == tBackslash {
		part.set, part.name = p.minus(&labelSet{name: part.name}), ""
	}
}

func firstByte(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

// labelSet parses {a, b[0..2]} and what is taken away from it.
func (p *parser) labelSet() *labelSet {
	open := p.tok
	s := &labelSet{}
	if !p.enter(open) {
		return s
	}
	defer p.leave()
	for {
		p.advanceIndex()
		if p.tok.kind == tRBrace && len(s.elements) == 0 {
			break
		}
		s.elements = append(s.elements, p.parseLabel())
		if p.failed {
			return s
		}
		if p.tok.kind != tComma {
			break
		}
	}
	if len(s.elements) == 0 {
		p.fail(open.start, p.tok.end, "empty-set", "the set of events is empty").
			Help = "write false if no event is meant"
		return s
	}
	p.closing(tRBrace, "}", open)
	return p.minus(s)
}

// minus parses what is taken away from a set, if anything.
func (p *parser) minus(s *labelSet) *labelSet {
	if p.tok.kind != tBackslash {
		return s
	}
	p.advanceIndex()
	switch p.tok.kind {
	case tLBrace:
		s.minus = p.labelSet()
	case tUpper:
		s.minus = &labelSet{name: p.lexeme()}
		p.advance()
	default:
		p.expected("a set", "write for example {a, b} \\ {b}")
	}
	return s
}

// index parses one bracket: [e], [lo..hi], [RANGE], [{a,b}], or one of these
// behind "i:".
func (p *parser) index() *labelPart {
	open := p.tok
	part := &labelPart{start: open.start}
	p.advanceIndex()
	if p.tok.kind == tName {
		name := p.tok
		if next := p.indexToken(name.end); next.kind == tColon {
			part.variable = p.text[name.start:name.end]
			p.advanceIndex()
			p.advanceIndex()
		}
	}
	if p.tok.kind == tLBrace {
		part.set = p.labelSet()
	} else {
		part.index = p.expression(0)
		if p.tok.kind == tDots {
			p.advanceIndex()
			part.hi = p.expression(0)
		}
	}
	p.closing(tRBracket, "]", open)
	part.end = p.last
	return part
}

// exprLevels are the binary operators of FSP expressions, loosest first.
var exprLevels = map[string]int{
	"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7,
	"<<": 8, ">>": 8, "+": sumLevel, "-": sumLevel, "*": 10, "/": 10, "%": 10,
}

// sumLevel is the level of + and -, where expressions outside brackets stop.
const sumLevel = 9

// expression parses left-associative operators that bind at least as tightly as
// level. The token behind it has been read as part of an index expression.
func (p *parser) expression(level int) *expr {
	left := p.exprOperand()
	for p.tok.kind == tIndexOp && !p.failed {
		op := p.lexeme()
		l, ok := exprLevels[op]
		if !ok || l < level {
			break
		}
		if !p.enter(p.tok) {
			break
		}
		p.advanceIndex()
		right := p.expression(l + 1)
		p.leave()
		left = &expr{op: op, start: left.start, end: p.last, args: []*expr{left, right}, depth: max(left.depth, right.depth) + 1}
		if left.depth > MaxDepth {
			p.fail(left.start, left.end, "too-deep", "the expression is nested more than %d deep", MaxDepth)
		}
	}
	return left
}

func (p *parser) exprOperand() *expr {
	at := p.tok
	e := &expr{start: at.start, end: at.end, depth: 1}
	if !p.enter(at) {
		return e
	}
	defer p.leave()
	switch text := p.lexeme(); {
	case at.kind == tNumber:
		n, err := strconv.ParseInt(text, 0, 32)
		if err != nil {
			p.fail(at.start, at.end, "bad-number", "%q is no 32-bit number", text)
		}
		e.number = int(n)
		p.advanceIndex()
	case at.kind == tName || at.kind == tUpper:
		e.name = text
		p.advanceIndex()
	case at.kind == tLParen:
		p.advanceIndex()
		e = p.expression(0)
		if p.tok.kind != tRParen {
			p.closing(tRParen, ")", at)
			return e
		}
		p.advanceIndex()
	case text == "-" || text == "+" || text == "!" || text == "#":
		p.advanceIndex()
		arg := p.exprOperand()
		e.op, e.args, e.depth = "unary "+text, []*expr{arg}, arg.depth+1
		e.end = p.last
	case text == "'":
		p.advanceIndex()
		e.name, e.quoted = p.lexeme(), true
		if p.tok.kind != tName && p.tok.kind != tUpper {
			p.expected("a label behind '", "")
		}
		p.advanceIndex()
	default:
		p.expected("a number or an index", "")
	}
	return e
}
