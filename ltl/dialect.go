package ltl

import (
	"regexp"
	"strings"
	"sync"

	"github.com/seltl/seltl/internal/source"
)

// ParseIn reads one formula, the whole file, in a syntax: LBT's prefix notation, Wring's, or
// the language of Parse, which those of the other tools are part of. The names of the first two
// are atoms of kind Name. Errors are as of Parse; LaTeX is not read.
func ParseIn(src *source.File, s Syntax) (*Formula, error) {
	switch s {
	case LBT, Wring:
		if err := checkUTF8(src.Span(0, len(src.Text()))); err != nil {
			return nil, err
		}
		p := &dialectParser{src: src, text: src.Text()}
		p.advance(s)
		var f *Formula
		if s == LBT {
			f = p.prefix()
		} else {
			f = p.infix(0)
		}
		if !p.failed() && p.token != "" {
			p.errorf("the formula ends before %q", p.token)
		}
		return f, p.errs.Err()
	case LaTeX:
		var errs source.List
		errs.Errorf(src.Span(0, len(src.Text())), "syntax", "LaTeX is written, not read").Help = "any other syntax can be read"
		return nil, errs.Err()
	}
	return Parse(src, ParseOptions{})
}

// lbtOps are the operators of prefix notation.
var lbtOps = map[string]Op{
	"t": True, "f": False, "!": Not, "&": And, "|": Or, "^": Xor, "i": Implies, "e": Iff,
	"X": Next, "F": Eventually, "G": Always, "U": Until, "V": Release, "R": Release, "W": WeakUntil, "M": StrongRelease,
}

var lbtAtom = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^p[0-9]+$`) })

// formatLBT writes prefix notation. Atoms other than p0, p1, ... are quoted, as Spot does; lbt
// itself has none (see Relabel).
func formatLBT(f *Formula) string {
	var letter [numOps]string
	for text, op := range lbtOps {
		if text != "R" {
			letter[op] = text
		}
	}
	var words []string
	var write func(f *Formula)
	write = func(f *Formula) {
		switch text := ""; {
		case f.op == Atomic:
			if text = plainText(f.atom); !lbtAtom().MatchString(text) {
				text = quote(text)
			}
			words = append(words, text)
		default:
			// An & of n operands is n-1 of two.
			for range max(1, len(f.args)-1) {
				words = append(words, letter[f.op])
			}
			for _, a := range f.args {
				write(a)
			}
		}
	}
	write(f)
	return strings.Join(words, " ")
}

// wringOps are the binary operators of Wring, with their levels, loosest first.
var wringOps = map[string]struct {
	op    Op
	level int
}{
	"<->": {Iff, 1}, "->": {Implies, 2}, "^": {Xor, 3}, "+": {Or, 4}, "*": {And, 5},
	"U": {Until, 6}, "R": {Release, 6}, "V": {Release, 6},
}

// formatWring writes Wring's syntax with all parentheses.
func formatWring(f *Formula) (string, error) {
	var infix [numOps]string
	for text, op := range wringOps {
		if text != "V" {
			infix[op.op] = " " + text + " "
		}
	}
	var b strings.Builder
	var err error
	var write func(f *Formula)
	write = func(f *Formula) {
		switch f.op {
		case True, False:
			b.WriteString(map[Op]string{True: "TRUE", False: "FALSE"}[f.op])
		case Atomic:
			if !identifier().MatchString(plainText(f.atom)) && err == nil {
				err = &Inexpressible{f.atom.Name, Wring}
			}
			b.WriteString("(" + plainText(f.atom) + "=1)")
		case Not:
			if g := f.args[0]; g.op == Atomic {
				b.WriteString("(" + plainText(g.atom) + "=0)")
				return
			}
			b.WriteByte('!')
			write(f.args[0])
		case Next, Eventually, Always:
			b.WriteString(f.op.String())
			if g := f.args[0]; level(g) == prefixLevel && !(g.op == Not && g.args[0].op == Atomic) || len(g.args) == 0 && g.op != Atomic {
				b.WriteByte('(') // others have parentheses of their own
				defer b.WriteByte(')')
			}
			write(f.args[0])
		default:
			b.WriteByte('(')
			for i, a := range f.args {
				if i > 0 {
					b.WriteString(infix[f.op])
				}
				write(a)
			}
			b.WriteByte(')')
		}
	}
	write(f)
	return b.String(), err
}

// dialectParser reads LBT's and Wring's notation.
type dialectParser struct {
	src        *source.File
	text       string
	start, end int    // of the token
	token      string // "" at the end
	syntax     Syntax
	depth      int
	nodes      int
	errs       source.List
}

var dialectToken = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:"(?:[^"\\\n]|\\.)*"|<->|->|[A-Za-z_][A-Za-z0-9_.\[\]]*|.)`)
})

func (p *dialectParser) failed() bool { return len(p.errs) > 0 }

// advance reads the next token, in the syntax that the first call names.
func (p *dialectParser) advance(s Syntax) {
	p.syntax = s
	p.start = p.end
	for p.start < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.start]) >= 0 {
		p.start++
	}
	p.token = dialectToken().FindString(p.text[p.start:])
	p.end = p.start + len(p.token)
}

func (p *dialectParser) next() string {
	token := p.token
	p.advance(p.syntax)
	return token
}

func (p *dialectParser) errorf(format string, args ...any) *Formula {
	if !p.failed() {
		d := p.errs.Errorf(p.src.Span(p.start, max(p.end, p.start)), "syntax", format, args...)
		if p.syntax == LBT {
			d.Help = "in prefix notation operators come first: G i p0 F p1"
		} else {
			d.Help = "in Wring's syntax atoms have values and operators parentheses: G((a=0) + F(b=1))"
		}
	}
	p.token = ""
	return falseFormula
}

// enter counts a nested formula; false where there are too many.
func (p *dialectParser) enter() bool {
	p.depth++
	p.nodes++
	if p.depth > MaxDepth || p.nodes > MaxNodes {
		p.errorf("the formula is too large: more than %d nodes, or nested more than %d deep", MaxNodes, MaxDepth)
		return false
	}
	return true
}

func (p *dialectParser) prefix() *Formula {
	if !p.enter() {
		return falseFormula
	}
	defer func() { p.depth-- }()
	op, known := lbtOps[p.token]
	switch {
	case p.token == "":
		return p.errorf("a formula is missing at the end")
	case known:
		p.next()
		args := make([]*Formula, arity(op))
		for i := range args {
			args[i] = p.prefix()
		}
		return Make(op, args...)
	case p.token[0] == '"':
		return p.quoted()
	case isUpper(p.token[0]) || isLower(p.token[0]):
		return AtomOf(Atom{Name, p.next()})
	}
	return p.errorf("%q is neither operator nor atom", p.token)
}

func (p *dialectParser) quoted() *Formula {
	if len(p.token) < 2 {
		return p.errorf("the closing quote is missing")
	}
	name, ok := unquote(p.token)
	if !ok {
		return p.errorf("%s is no name in quotes", p.token)
	}
	p.next()
	return AtomOf(Atom{Name, name})
}

// infix reads operators of Wring that bind at least as tightly as level; they group to the right.
func (p *dialectParser) infix(level int) *Formula {
	if !p.enter() {
		return falseFormula
	}
	defer func() { p.depth-- }()
	f := p.operand()
	for !p.failed() {
		op, ok := wringOps[p.token]
		if !ok || op.level < level {
			break
		}
		p.next()
		f = Make(op.op, f, p.infix(op.level))
	}
	return f
}

func (p *dialectParser) operand() *Formula {
	if !p.enter() {
		return falseFormula
	}
	defer func() { p.depth-- }()
	switch t := p.token; {
	case t == "":
		return p.errorf("a formula is missing at the end")
	case t == "(":
		p.next()
		f := p.infix(0)
		if !p.failed() && p.token != ")" {
			return p.errorf("a closing parenthesis is missing")
		}
		p.next()
		return f
	case t == "!":
		p.next()
		return MakeNot(p.operand())
	case t == "TRUE" || t == "FALSE":
		p.next()
		return Constant(t == "TRUE")
	case t == "X" || t == "F" || t == "G":
		p.next()
		return Make(map[string]Op{"X": Next, "F": Eventually, "G": Always}[t], p.operand())
	case isUpper(t[0]) || isLower(t[0]):
		return p.value()
	}
	return p.errorf("%q is neither operator nor atom", p.token)
}

// value reads name=1 or name=0.
func (p *dialectParser) value() *Formula {
	f := AtomOf(Atom{Name, p.next()})
	if p.token != "=" {
		return p.errorf("an atom has a value: %s=1 or %s=0", f.atom.Name, f.atom.Name)
	}
	p.next()
	switch p.token {
	case "1":
		p.next()
		return f
	case "0":
		p.next()
		return MakeNot(f)
	}
	return p.errorf("the value of an atom is 0 or 1")
}
