package logic

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/lists"
)

// Syntax is a way to write terms.
type Syntax uint8

const (
	// C is what people read: x + 1 <= y && !(z == 3). Bit-vector operations are
	// written as functions with SMT-LIB's names.
	C Syntax = iota
	// Prolog is that of ARMC's input: X + 1 =< Y, Z =\= 3.
	Prolog
	// SMTLIB is that of SMT-LIB 2.
	SMTLIB
)

// String prints the term in the C syntax.
func (t *Term) String() string { return t.Format(C) }

// Format prints the term. Parse of the same syntax reads it back as the same
// term, given its variables; in the Prolog syntax this is so for terms without
// bit-vectors, arrays and Int division, whose variables are of sort Real and
// start with an upper-case letter or an underscore.
func (t *Term) Format(s Syntax) string {
	p := printer{syntax: s}
	switch {
	case s == SMTLIB:
		p.smtShared(t)
	case t.size > maxInfix:
		fmt.Fprintf(&p, "(a term of %d nodes)", t.size)
	default:
		p.infix(t, 0)
	}
	return p.String()
}

// maxInfix is the largest term that is printed for people. Terms share parts: as
// text, some would be larger than any memory.
const maxInfix = 1 << 20

// Formats is Format of every term of a list, joined by sep.
func Formats(ts []*Term, s Syntax, sep string) string {
	out := lists.Map(ts, func(t *Term) string { return t.Format(s) })
	return strings.Join(out, sep)
}

type printer struct {
	strings.Builder
	syntax Syntax
	names  map[*Term]string // of the parts that let has named
}

// minShared is the size from which SMT-LIB's let is used for shared parts.
const minShared = 1000

// smtShared prints a term, a large one with (let ((?1 part)) ...) for every part
// that occurs more than once.
func (p *printer) smtShared(t *Term) {
	if t.size < minShared {
		p.smt(t)
		return
	}
	p.names = map[*Term]string{}
	lets := 0
	for _, u := range sharedParts([]*Term{t}, math.MaxInt) {
		lets++
		name := fmt.Sprintf("?%d", lets)
		fmt.Fprintf(p, "(let ((%s ", name)
		p.smt(u)
		p.WriteString(")) ")
		p.names[u] = name
	}
	p.smt(t)
	p.WriteString(strings.Repeat(")", lets))
}

// Precedences of the infix syntaxes, loosest first.
const (
	precTop = iota
	precIff
	precImplies
	precIte
	precOr
	precAnd
	precNot // Prolog's prefix \+
	precCompare
	precOrder // of <, <=, > and >= where they bind tighter than ==, as in C
	precAdd
	precMul
	precUnary
	precPostfix
)

type infixNames struct{ and, or, not, eq, ne, le string }

var infixSyntax = map[Syntax]infixNames{
	C:      {" && ", " || ", "!", " == ", " != ", " <= "},
	Prolog: {", ", "; ", "\\+ ", " =:= ", " =\\= ", " =< "},
}

func (p *printer) infix(t *Term, context int) {
	names := infixSyntax[p.syntax]
	switch t.op {
	case OpAnd:
		p.join(t.args, names.and, precAnd, context)
	case OpOr:
		p.join(t.args, names.or, precOr, context)
	case OpNot:
		if a := t.args[0]; a.op == OpEq {
			p.comparison(a, names.ne, context)
			return
		}
		prec := precUnary
		if p.syntax == Prolog {
			prec = precNot
		}
		p.open(prec, context)
		p.WriteString(names.not)
		p.infix(t.args[0], prec+1)
		p.close(prec, context)
	case OpEq:
		p.comparison(t, names.eq, context)
	case OpLe:
		p.comparison(t, names.le, context)
	case OpLt:
		p.comparison(t, " < ", context)
	case OpIte:
		if p.syntax == Prolog {
			p.call("ite", t.args)
			return
		}
		p.open(precIte, context)
		p.infix(t.args[0], precIte+1)
		p.WriteString(" ? ")
		p.infix(t.args[1], precIte+1)
		p.WriteString(" : ")
		p.infix(t.args[2], precIte+1)
		p.close(precIte, context)
	default:
		p.value(t, context)
	}
}

func (p *printer) open(prec, context int) {
	if context > prec {
		p.WriteByte('(')
	}
}

func (p *printer) close(prec, context int) {
	if context > prec {
		p.WriteByte(')')
	}
}

func (p *printer) join(args []*Term, sep string, prec, context int) {
	p.open(prec, context)
	for i, a := range args {
		if i > 0 {
			p.WriteString(sep)
		}
		p.infix(a, prec+1)
	}
	p.close(prec, context)
}

// comparison prints linear atoms with positive coefficients on both sides and
// the first variable on the left: x - y <= -1 as x + 1 <= y, -x <= -3 as x >= 3.
func (p *printer) comparison(t *Term, op string, context int) {
	p.open(precCompare, context)
	defer p.close(precCompare, context)
	if !t.args[0].sort.Arithmetic() {
		p.infix(t.args[0], precCompare+1)
		p.WriteString(op)
		p.infix(t.args[1], precCompare+1)
		return
	}
	sort := t.args[0].sort
	left, right := Linear{Const: ratZero}, Linear{Const: ratZero}
	for _, m := range LinearOf(t.args[0]).Terms {
		if m.Coef.Sign() > 0 {
			left.Terms = append(left.Terms, m)
		} else {
			right.Terms = append(right.Terms, Monomial{new(big.Rat).Neg(m.Coef), m.Term})
		}
	}
	bound := t.args[1].num
	flip := len(left.Terms) == 0 || len(right.Terms) > 0 && right.Terms[0].Term.Compare(left.Terms[0].Term) < 0
	switch {
	case len(left.Terms) == 0:
		left.Const = new(big.Rat).Neg(bound)
	case len(right.Terms) == 0 || bound.Sign() >= 0:
		right.Const = bound
	default:
		left.Const = new(big.Rat).Neg(bound)
	}
	a, b := left.Of(sort), right.Of(sort)
	if flip {
		a, b = b, a
		switch t.op {
		case OpLe:
			op = " >= "
		case OpLt:
			op = " > "
		}
	}
	p.infix(a, precCompare+1)
	p.WriteString(op)
	p.infix(b, precCompare+1)
}

// value prints what is not a connective or comparison of numbers.
func (p *printer) value(t *Term, context int) {
	switch t.op {
	case OpFalse:
		p.WriteString("false")
	case OpTrue:
		p.WriteString("true")
	case OpVar:
		p.WriteString(t.name)
	case OpNumber:
		p.number(t, context)
	case OpAdd:
		p.sum(t, context)
	case OpMul:
		p.product(t, context)
	case OpDiv:
		p.join(t.args, " / ", precMul, context)
	case OpSelect:
		p.infix(t.args[0], precPostfix)
		p.WriteByte('[')
		p.infix(t.args[1], 0)
		p.WriteByte(']')
	case OpExtract:
		fmt.Fprintf(p, "extract(%d, %d, ", t.hi, t.lo)
		p.infix(t.args[0], 0)
		p.WriteByte(')')
	case OpZeroExtend, OpSignExtend:
		fmt.Fprintf(p, "%s(%d, ", functionName[t.op], t.lo)
		p.infix(t.args[0], 0)
		p.WriteByte(')')
	case OpConstArray:
		fmt.Fprintf(p, "const_array(%q, ", t.sort)
		p.infix(t.args[0], 0)
		p.WriteByte(')')
	case OpApply:
		p.call(t.args[0].name, t.args[1:])
	case OpFloat:
		p.call(floatName(t.FloatOp(), t.sort.width), t.args)
	case OpConstruct, OpField, OpBuiltBy:
		p.datatype(t)
	default:
		p.call(functionName[t.op], t.args)
	}
}

// product prints -x for -1*x, and keeps a coefficient apart from sums, over which
// reading it back would distribute it.
func (p *printer) product(t *Term, context int) {
	args := t.args
	if args[0].op != OpNumber {
		p.join(args, "*", precMul, context)
		return
	}
	rest := monomialOf(t).Term
	p.open(precMul, context)
	if args[0].num.Cmp(ratMinusOne) == 0 {
		p.WriteByte('-')
		p.infix(rest, precUnary+1)
	} else {
		p.infix(args[0], precMul+1)
		p.WriteByte('*')
		p.infix(rest, precMul+1)
	}
	p.close(precMul, context)
}

func (p *printer) call(name string, args []*Term) {
	p.WriteString(name)
	p.WriteByte('(')
	for i, a := range args {
		if i > 0 {
			p.WriteString(", ")
		}
		p.infix(a, 0)
	}
	p.WriteByte(')')
}

// datatype prints cons(x, nil), head(l) and is-cons(l).
func (p *printer) datatype(t *Term) {
	switch c := t.constructor(); {
	case t.op == OpField:
		p.call(c.Fields[t.hi].Name, t.args)
	case t.op == OpBuiltBy:
		p.call(testerPrefix+c.Name, t.args)
	case len(t.args) == 0:
		p.WriteString(c.Name)
	default:
		p.call(c.Name, t.args)
	}
}

func (p *printer) number(t *Term, context int) {
	switch {
	case t.sort.kind == BitVecKind:
		p.WriteString(decimal(t.num.Num()))
		p.WriteString("bv")
		p.WriteString(strconv.Itoa(t.sort.width))
		return
	case t.num.Sign() < 0:
		p.open(precUnary, context)
		defer p.close(precUnary, context)
	}
	text := decimal(t.num.Num())
	if t.sort == Real && p.syntax == C {
		text += ".0"
	}
	if t.num.IsInt() {
		p.WriteString(text)
		return
	}
	p.open(precMul, context)
	fmt.Fprintf(p, "%s / %s", text, t.num.Denom())
	p.close(precMul, context)
}

// decimal is n.String(), faster for what fits into a machine word.
func decimal(n *big.Int) string {
	if n.IsInt64() {
		return strconv.FormatInt(n.Int64(), 10)
	}
	return n.String()
}

func (p *printer) sum(t *Term, context int) {
	p.open(precAdd, context)
	for i, a := range t.args {
		m := monomialOf(a)
		coef, rest := m.Coef, m.Term
		if a.op == OpNumber {
			coef, rest = a.num, nil
		}
		switch {
		case i > 0 && coef.Sign() < 0:
			p.WriteString(" - ")
			coef = new(big.Rat).Neg(coef)
		case i > 0:
			p.WriteString(" + ")
		}
		if rest == nil {
			p.infix(Number(coef, t.sort), precAdd+1)
		} else {
			p.infix(monomial(coef, rest), precAdd+1)
		}
	}
	p.close(precAdd, context)
}

// functionName are SMT-LIB's names, which the C syntax calls as functions.
var functionName = map[Op]string{
	OpFalse: "false", OpTrue: "true", OpNot: "not", OpAnd: "and", OpOr: "or", OpEq: "=", OpIte: "ite",
	OpLe: "<=", OpLt: "<", OpAdd: "+", OpMul: "*", OpDiv: "/", OpIntDiv: "div", OpIntMod: "mod",
	OpToReal: "to_real", OpFloor: "to_int",
	OpBVAdd: "bvadd", OpBVMul: "bvmul", OpBVNeg: "bvneg", OpBVUDiv: "bvudiv", OpBVURem: "bvurem",
	OpBVSDiv: "bvsdiv", OpBVSRem: "bvsrem", OpBVAnd: "bvand", OpBVOr: "bvor", OpBVXor: "bvxor",
	OpBVNot: "bvnot", OpBVShl: "bvshl", OpBVLShr: "bvlshr", OpBVAShr: "bvashr",
	OpBVULe: "bvule", OpBVULt: "bvult", OpBVSLe: "bvsle", OpBVSLt: "bvslt",
	OpConcat: "concat", OpExtract: "extract", OpZeroExtend: "zero_extend", OpSignExtend: "sign_extend",
	OpSelect: "select", OpStore: "store", OpConstArray: "const",
}

func (p *printer) smt(t *Term) {
	if name, ok := p.names[t]; ok {
		p.WriteString(name)
		return
	}
	switch t.op {
	case OpFalse, OpTrue:
		p.WriteString(functionName[t.op])
		return
	case OpVar:
		p.WriteString(Symbol(t.name))
		return
	case OpNumber:
		p.smtNumber(t)
		return
	case OpConstruct:
		if len(t.args) == 0 {
			p.WriteString(Symbol(t.constructor().Name))
			return
		}
	}
	p.WriteByte('(')
	args := t.args
	switch t.op {
	case OpApply:
		p.smt(args[0])
		args = args[1:]
	case OpExtract:
		fmt.Fprintf(p, "(_ extract %d %d)", t.hi, t.lo)
	case OpZeroExtend, OpSignExtend:
		fmt.Fprintf(p, "(_ %s %d)", functionName[t.op], t.lo)
	case OpFloat:
		p.WriteString(floatName(t.FloatOp(), t.sort.width))
	case OpConstArray:
		fmt.Fprintf(p, "(as const %s)", t.sort)
	case OpConstruct:
		p.WriteString(Symbol(t.constructor().Name))
	case OpField:
		p.WriteString(Symbol(t.constructor().Fields[t.hi].Name))
	case OpBuiltBy:
		p.WriteString(Symbol(testerPrefix + t.constructor().Name)) // z3 4.8 reads no (_ is C) in the logic HORN
	default:
		p.WriteString(functionName[t.op])
	}
	for _, a := range args {
		p.WriteByte(' ')
		p.smt(a)
	}
	p.WriteByte(')')
}

func (p *printer) smtNumber(t *Term) {
	if t.sort.kind == BitVecKind {
		p.WriteString("(_ bv")
		p.WriteString(decimal(t.num.Num()))
		p.WriteByte(' ')
		p.WriteString(strconv.Itoa(t.sort.width))
		p.WriteByte(')')
		return
	}
	if n, ok := word(t.num); ok && n >= 0 {
		p.WriteString(strconv.FormatInt(n, 10))
		if t.sort == Real {
			p.WriteString(".0")
		}
		return
	}
	num, suffix := new(big.Int).Abs(t.num.Num()).String(), ""
	if t.sort == Real {
		suffix = ".0"
	}
	num += suffix
	if !t.num.IsInt() {
		num = fmt.Sprintf("(/ %s %s%s)", num, t.num.Denom(), suffix)
	}
	if t.num.Sign() < 0 {
		num = "(- " + num + ")"
	}
	p.WriteString(num)
}

var unquotable = strings.NewReplacer("|", "#7c#", "\\", "#5c#")

// Symbol writes a name as an SMT-LIB symbol, quoted where needed. SMT-LIB has no
// symbols with | or \; they are written as code points, which no name that the
// parsers here accept collides with.
func Symbol(name string) string {
	plain := name != "" && !reserved[name] && !smtWords[name] && !Literal(name)
	for i := 0; i < len(name) && plain; i++ {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("_!$.@~&^+-*/<>=?%", c) >= 0
		plain = letter || i > 0 && c >= '0' && c <= '9'
	}
	if plain {
		return name
	}
	return "|" + unquotable.Replace(name) + "|"
}

// reserved are words and built-in names that must be quoted as variables. Quoting
// does not tell a variable from a built-in name, so parsers refuse these.
var reserved = map[string]bool{
	"let": true, "forall": true, "exists": true, "as": true, "par": true, "_": true, "!": true,
	"assert": true, "true": true, "false": true, "-": true, "=>": true, "xor": true, "distinct": true, ">": true, ">=": true,
}

// smtWords are reserved words of SMT-LIB and Z3 that are fine as quoted names.
var smtWords = map[string]bool{
	"BINARY": true, "DECIMAL": true, "HEXADECIMAL": true, "NUMERAL": true, "STRING": true,
	"match": true, "lambda": true, "choice": true, "if": true, "implies": true, "iff": true,
}

func init() {
	for _, n := range functionName {
		reserved[n] = true
	}
}

// Reserved reports whether name has a meaning of its own in SMT-LIB or the
// syntaxes here, so that no variable may have it.
func Reserved(name string) bool { return reserved[name] }
