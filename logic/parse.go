package logic

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/tokens"
)

// Scope gives a meaning to the names of a text: usually a variable, or any other
// term (a named constant).
type Scope map[string]*Term

// NewScope returns the scope of some variables, by their names.
func NewScope(vars ...*Term) Scope {
	s := Scope{}
	for _, v := range vars {
		s[v.name] = v
	}
	return s
}

func (s Scope) names() []string {
	out := make([]string, 0, len(s))
	for n, t := range s {
		if t.op != OpSymbol || t.sort.kind == FunctionKind { // no sort
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// functions are the names of unknown functions.
func (s Scope) functions() []string {
	return slices.DeleteFunc(s.names(), func(n string) bool { return s[n].sort.kind != FunctionKind })
}

// MaxNesting bounds the nesting of a text's terms: people write a few levels,
// programs some hundred.
const MaxNesting = 2000

// Parse reads a whole text as one term. The error is a source.List: positions,
// unknown names with suggestions, and sorts that do not fit. The codes are
// "syntax", "unknown-variable", "sort" and "nesting".
//
// The C syntax has ! - (unary), * / %, + -, < <= > >=, == (or =) !=, &&, ||, ?:,
// -> and <->, from tight to loose, a[i] and the functions that Format prints.
// Among Ints / and % round towards 0 as in C; div and mod are functions. Where an Int is
// compared or combined with a Real, or chosen beside one by ?:, its quotients are exact:
// r == 1/2 is r == 0.5.
//
// In the Prolog syntax numbers are Reals, = := =:= are equal, a comma is "and",
// a semicolon "or".
func Parse(f *source.File, s Syntax, scope Scope) (*Term, error) {
	if s == SMTLIB {
		return parseSMT(f, scope)
	}
	r, end, errs := parsePrefix(f, 0, s, scope, true)
	if errs == nil {
		p := parser{file: f, at: end, syntax: s}
		if p.next(); p.tok != "" {
			errs.Errorf(p.span(), "syntax", "unexpected %s after the end of the formula", p.found())
		}
	}
	if errs != nil {
		return nil, errs.Err()
	}
	return r.t, nil
}

// reading is what a text means: a term and, for an Int with quotients, the Real that it is
// if these are exact. Which of the two is meant is known when the text beside it is.
type reading struct{ t, exact *Term }

// real returns the reading beside a Real.
func (r reading) real() *Term {
	if r.exact != nil {
		return r.exact
	}
	return r.t
}

// together returns how operands beside each other are read: exactly if one is a Real.
func together(operands []reading) []*Term {
	exactly := slices.ContainsFunc(operands, func(r reading) bool { return r.t.sort == Real })
	out := make([]*Term, len(operands))
	for i, r := range operands {
		if out[i] = r.t; exactly {
			out[i] = r.real()
		}
	}
	return out
}

// combined is the reading of numbers put together by make, which keeps quotients apart.
func combined(operands []reading, make func(ts []*Term) *Term) reading {
	r := reading{t: make(together(operands))}
	if r.t.sort != Int || !slices.ContainsFunc(operands, func(r reading) bool { return r.exact != nil }) {
		return r
	}
	exact := lists.Append(nil, operands, reading.real)
	r.exact = make(exact)
	return r
}

func parsePrefix(f *source.File, offset int, s Syntax, scope Scope, connectives bool) (t reading, end int, errs source.List) {
	p := &parser{file: f, at: offset, syntax: s, scope: scope}
	defer func() {
		if r := recover(); r != nil {
			failed, ok := r.(parseFailure)
			if !ok {
				panic(r)
			}
			t, errs = reading{}, source.List{source.Diagnostic(failed)}
		}
	}()
	p.next()
	p.end = offset
	prec := precIff
	if !connectives {
		prec = precCompare
	}
	t = p.term(prec)
	return t, p.end, nil
}

// parseFailure is thrown at the first error of a term and caught by parsePrefix.
type parseFailure source.Diagnostic

type parser struct {
	file   *source.File
	syntax Syntax
	scope  Scope
	at     int    // offset behind tok
	start  int    // offset of tok
	end    int    // offset behind the last token that was taken
	tok    string // "" at the end
	depth  int
}

func (p *parser) span() source.Span { return p.file.Span(p.start, p.at) }

func (p *parser) found() string {
	if p.tok == "" {
		return "end of text"
	}
	return fmt.Sprintf("%q", p.tok)
}

func (p *parser) fail(span source.Span, code, help, format string, args ...any) {
	panic(parseFailure{Code: code, Span: span, Message: fmt.Sprintf(format, args...), Help: help})
}

var operators = map[Syntax][]string{
	C:      {"<->", "->", "&&", "||", "==", "!=", "<=", ">="},
	Prolog: {"=:=", "=\\=", "=<", ">=", ":=", "\\+"},
}

// comments are what begins one that goes to the end of the line.
var comments = map[Syntax][]string{C: {"//"}, Prolog: {"%"}}

// next reads the next token.
func (p *parser) next() {
	p.end = p.at
	text := p.file.Text()
	n, open := tokens.Skip(text[p.at:], comments[p.syntax]...)
	if p.at += n; open {
		p.fail(p.file.Span(p.at, p.at+2), "syntax", "", "comment is never closed")
	}
	p.start = p.at
	if p.at >= len(text) {
		p.tok = ""
		return
	}
	rest := text[p.at:]
	r, size := utf8.DecodeRuneInString(rest)
	n = size
	switch {
	case identStart(r):
		n = strings.IndexFunc(rest, func(r rune) bool { return !p.identPart(r) })
	case r >= '0' && r <= '9':
		n = numberLength(rest)
	case r == '"':
		n = strings.IndexByte(rest[1:], '"') + 2
		if n < 2 {
			n = 1
		}
	default:
		for _, op := range operators[p.syntax] {
			if strings.HasPrefix(rest, op) {
				n = len(op)
				break
			}
		}
	}
	if n < 0 {
		n = len(rest)
	}
	p.tok = rest[:n]
	p.at += n
}

func identStart(r rune) bool { return r == '_' || unicode.IsLetter(r) }
func (p *parser) identPart(r rune) bool {
	return identStart(r) || unicode.IsDigit(r) || p.syntax == C && (r == '\'' || r == '.' || r == '@')
}

// numberLength measures 12, 1.5, 0x1f and 5bv8.
func numberLength(s string) int {
	digits := func(i int) int {
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i
	}
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X") {
		i := 2
		for i < len(s) && strings.IndexByte("0123456789abcdefABCDEF", s[i]) >= 0 {
			i++
		}
		return i
	}
	i := digits(0)
	switch {
	case i+1 < len(s) && s[i] == '.' && s[i+1] >= '0' && s[i+1] <= '9':
		return digits(i + 1)
	case strings.HasPrefix(s[i:], "bv"):
		return digits(i + 2)
	}
	return i
}

func (p *parser) take(tok string) bool {
	if p.tok == tok && tok != "" {
		p.next()
		return true
	}
	return false
}

func (p *parser) expect(tok string) {
	if !p.take(tok) {
		p.fail(p.span(), "syntax", "", "expected %q, found %s", tok, p.found())
	}
}

// binary describes an infix operator of a syntax.
type binary struct {
	prec  int
	right bool
	make  func(a, b *Term) *Term
}

func (p *parser) binary() (binary, bool) {
	switch p.syntax {
	case C:
		if b, ok := binaryC[p.tok]; ok {
			return b, true
		}
	case Prolog:
		if b, ok := binaryProlog[p.tok]; ok {
			return b, true
		}
	}
	return binary{}, false
}

var binaryC = map[string]binary{
	"<->": {precIff, false, Eq},
	"->":  {precImplies, true, Implies},
	"||":  {precOr, false, func(a, b *Term) *Term { return Or(a, b) }},
	"&&":  {precAnd, false, func(a, b *Term) *Term { return And(a, b) }},
	"==":  {precCompare, false, Eq}, "=": {precCompare, false, Eq}, "!=": {precCompare, false, Ne},
	"<": {precOrder, false, Lt}, "<=": {precOrder, false, Le},
	">": {precOrder, false, Gt}, ">=": {precOrder, false, Ge},
	"+": {precAdd, false, func(a, b *Term) *Term { return Add(a, b) }},
	"-": {precAdd, false, Sub},
	"*": {precMul, false, func(a, b *Term) *Term { return Mul(a, b) }},
	"/": {precMul, false, Div}, // of Ints see apply
	"%": {precMul, false, TruncMod},
}

var binaryProlog = map[string]binary{
	";": {precOr, true, binaryC["||"].make}, ",": {precAnd, true, binaryC["&&"].make},
	"=": {precCompare, false, Eq}, ":=": {precCompare, false, Eq}, "=:=": {precCompare, false, Eq},
	"=\\=": {precCompare, false, Ne},
	"<":    {precCompare, false, Lt}, "=<": {precCompare, false, Le},
	">": {precCompare, false, Gt}, ">=": {precCompare, false, Ge},
	"+": binaryC["+"], "-": binaryC["-"], "*": binaryC["*"], "/": {precMul, false, Div},
}

// wanted says which sorts an operator takes.
func wanted(prec int) string {
	switch prec {
	case precIff, precImplies, precOr, precAnd:
		return "formulas"
	case precAdd, precMul:
		return "numbers"
	}
	return "values of one sort"
}

// term reads a term whose outermost operator binds at least as tightly as prec.
func (p *parser) term(prec int) reading {
	if p.depth++; p.depth > MaxNesting {
		p.fail(p.span(), "nesting", "split the formula", "more than %d nested terms", MaxNesting)
	}
	defer func() { p.depth-- }()
	start := p.start
	t := p.unary()
	var operands []*Term // of a conjunction or disjunction that goes on
	for {
		if p.syntax == C && p.tok == "?" && prec <= precIte {
			t = p.ite(t, start)
			continue
		}
		b, ok := p.binary()
		if !ok || b.prec < prec {
			return t
		}
		op := p.span()
		p.next()
		right := b.prec + 1
		if b.right {
			right = b.prec
		}
		rightStart := p.start
		u := p.term(right)
		if why := misfit(b.prec, op.Text(), t.t, u.t); why != "" {
			help := wordHelp(t.t, u.t)
			if p.syntax == C && (b.prec == precCompare || b.prec == precOrder) {
				help = chainHelp(p.file.Span(start, op.Start).Text(), op.Text(), p.file.Span(rightStart, p.end).Text(), t.t.sort == Bool, help)
			}
			p.fail(op, "sort", help, "%s takes %s, not %s %q (%s) and %q (%s)", op.Text(), wanted(b.prec), why,
				strings.TrimSpace(p.file.Span(start, op.Start).Text()), t.t.sort, p.file.Span(rightStart, p.end).Text(), u.t.sort)
		}
		if b.prec == precMul && tooLarge([]*Term{t.t, u.t}) {
			p.fail(op, "too-large", "", "the product is too large")
		}
		if b.prec != precAnd && b.prec != precOr {
			t = p.apply(op.Text(), b, t, u)
			continue
		}
		// These are put together at once, which takes linear time.
		if operands == nil {
			operands = append(operands, t.t)
		}
		operands = append(operands, u.t)
		if next, ok := p.binary(); ok && next.prec == b.prec {
			continue
		}
		if b.prec == precAnd {
			t = reading{t: And(operands...)}
		} else {
			t = reading{t: Or(operands...)}
		}
		operands = nil
	}
}

// apply is the reading of an infix operator.
func (p *parser) apply(op string, b binary, x, y reading) reading {
	switch {
	case p.syntax == C && op == "/" && x.t.sort == Int && y.t.sort == Int:
		return reading{t: TruncDiv(x.t, y.t), exact: Div(x.real(), y.real())}
	case op == "%":
		return reading{t: b.make(x.t, y.t)}
	}
	return combined([]reading{x, y}, func(ts []*Term) *Term { return b.make(ts[0], ts[1]) })
}

// chained finds the last operand of a comparison that another one follows, chains the first
// one of a comparison that follows.
var (
	chained = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:==|!=|<=|>=|[<>=])\s*([\w.@' +*/%-]+?)\s*$`) })
	chains  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*([\w.@' +*/%-]+?)\s*(?:<=|>=|[<>])`) })
)

// chainHelp tells how "a <= b <= c" is written, if that is what it is: the comparison within
// is on the left, or on the right.
func chainHelp(left, op, right string, onLeft bool, other string) string {
	left = strings.TrimSpace(left)
	if m := chained().FindStringSubmatch(left); m != nil && onLeft {
		return fmt.Sprintf("comparisons are not chained: write %s && %s %s %s", left, m[1], op, right)
	}
	if m := chains().FindStringSubmatch(right); m != nil && !onLeft {
		return fmt.Sprintf("comparisons are not chained: write %s %s %s && %s", left, op, m[1], strings.TrimSpace(right))
	}
	return other
}

// wordHelp tells how bit-vectors are written where one meets an operator of numbers.
func wordHelp(a, b *Term) string {
	if a.sort.kind != BitVecKind && b.sort.kind != BitVecKind {
		return ""
	}
	return "bit-vectors have functions: bvadd(x, 1bv8), bvule(x, y), bvslt(x, y); constants are written 5bv8"
}

// misfit is not "" if the operands do not fit the operator: a word for the message.
func misfit(prec int, op string, a, b *Term) string {
	fits := false
	switch prec {
	case precIff, precImplies, precOr, precAnd:
		fits = a.sort == Bool && b.sort == Bool
	case precAdd, precMul:
		fits = a.sort.Arithmetic() && b.sort.Arithmetic() && (op != "%" || a.sort == Int && b.sort == Int)
	default:
		fits = a.sort == b.sort && (strings.Contains("== != =:= :=", op) || a.sort.Arithmetic()) || a.sort.Arithmetic() && b.sort.Arithmetic()
		fits = fits || op == "=\\=" && a.sort == b.sort
	}
	if fits {
		return ""
	}
	return "the operands"
}

func (p *parser) ite(cond reading, start int) reading {
	question := p.span()
	p.next()
	a := p.term(precIte)
	p.expect(":")
	b := p.term(precIte)
	if cond.t.sort != Bool || a.t.sort != b.t.sort && !(a.t.sort.Arithmetic() && b.t.sort.Arithmetic()) {
		p.fail(question, "sort", "", "? : takes a formula and two values of one sort, not %s, %s and %s", cond.t.sort, a.t.sort, b.t.sort)
	}
	return combined([]reading{a, b}, func(ts []*Term) *Term { return Ite(cond.t, ts[0], ts[1]) })
}

func (p *parser) unary() reading {
	if p.depth++; p.depth > MaxNesting {
		p.fail(p.span(), "nesting", "split the formula", "more than %d nested terms", MaxNesting)
	}
	defer func() { p.depth-- }()
	op := p.span()
	switch {
	case p.syntax == C && p.take("!"):
		t := p.unary().t
		p.must(op, "!", t.sort == Bool, "a formula", t)
		return reading{t: Not(t)}
	case p.syntax == Prolog && p.take("\\+"):
		t := p.term(precCompare).t
		p.must(op, "\\+", t.sort == Bool, "a constraint", t)
		return reading{t: Not(t)}
	case p.take("-"):
		t := p.unary()
		p.must(op, "-", t.t.sort.Arithmetic(), "a number", t.t)
		return combined([]reading{t}, func(ts []*Term) *Term { return Neg(ts[0]) })
	case p.take("+"):
		t := p.unary()
		p.must(op, "+", t.t.sort.Arithmetic(), "a number", t.t)
		return t
	}
	t := p.primary()
	for p.tok == "[" {
		bracket := p.span()
		p.next()
		array, r := t.t, p.term(precIff)
		i := r.t
		p.must(bracket, "[ ]", array.sort.kind == ArrayKind, "an array", array)
		p.must(bracket, "[ ]", i.sort == array.sort.index || i.sort == Int && array.sort.index == Real, "an index of sort "+array.sort.index.String(), i)
		p.expect("]")
		if array.sort.index == Real {
			i = r.real()
		}
		t = reading{t: Select(array, i)}
	}
	return t
}

func (p *parser) must(span source.Span, op string, ok bool, what string, t *Term) {
	if !ok {
		p.fail(span, "sort", "", "%s takes %s, not a term of sort %s", op, what, t.sort)
	}
}

func (p *parser) primary() reading {
	span := p.span()
	tok := p.tok
	switch r, _ := utf8.DecodeRuneInString(tok); {
	case tok == "(":
		p.next()
		t := p.term(precIff)
		p.expect(")")
		return t
	case tok != "" && r >= '0' && r <= '9':
		p.next()
		return reading{t: p.literal(span)}
	case identStart(r) && tok != "":
		p.next()
		if p.tok == "(" {
			return reading{t: p.function(span)}
		}
		return reading{t: p.name(span)}
	}
	p.fail(span, "syntax", "", "expected a variable, a number or a formula, found %s", p.found())
	return reading{}
}

// literal converts the number at span.
func (p *parser) literal(span source.Span) *Term {
	text := span.Text()
	if value, width, ok := strings.Cut(text, "bv"); ok {
		w, err := smallInt(width, MaxWidth)
		if err != nil || w == 0 {
			p.fail(span, "syntax", "write for example 5bv8", "bit-vector constants are VALUEbvWIDTH")
		}
		v, _ := new(big.Int).SetString(value, 10)
		if v.BitLen() > w {
			p.fail(span, "syntax", "", "%s does not fit %d bits", value, w)
		}
		return BVConst(v, w)
	}
	if hex, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		v, ok := new(big.Int).SetString(hex, 16)
		if !ok {
			p.fail(span, "syntax", "", "not a number: %s", text)
		}
		return Number(new(big.Rat).SetInt(v), p.numberSort(Int))
	}
	v, ok := new(big.Rat).SetString(text)
	if !ok {
		p.fail(span, "syntax", "", "not a number: %s", text)
	}
	sort := Int
	if strings.Contains(text, ".") {
		sort = Real
	}
	return Number(v, p.numberSort(sort))
}

func (p *parser) numberSort(s *Sort) *Sort {
	if p.syntax == Prolog {
		return Real
	}
	return s
}

func smallInt(s string, limit int) (int, error) {
	n := 0
	if s == "" {
		return 0, fmt.Errorf("no number")
	}
	for _, c := range s {
		if c < '0' || c > '9' || n > limit {
			return 0, fmt.Errorf("not a number up to %d", limit)
		}
		n = 10*n + int(c-'0')
	}
	if n > limit {
		return 0, fmt.Errorf("not a number up to %d", limit)
	}
	return n, nil
}

func (p *parser) name(span source.Span) *Term {
	name := span.Text()
	if t, ok := p.scope[name]; ok {
		if t.sort.kind == FunctionKind {
			p.fail(span, "sort", "", "%s is a function: write %s(...)", name, name)
		}
		return t
	}
	switch name {
	case "true":
		return trueTerm
	case "false":
		return falseTerm
	}
	p.fail(span, "unknown-variable", source.DidYouMean(name, p.scope.names()), "unknown variable %q", name)
	return nil
}

// function reads the arguments of a call of the function named at span.
func (p *parser) function(span source.Span) *Term {
	name := span.Text()
	p.expect("(")
	var params []int
	var sort *Sort
	switch name {
	case "extract", "zero_extend", "sign_extend":
		wanted := 1
		if name == "extract" {
			wanted = 2
		}
		for range wanted {
			n, err := smallInt(p.tok, MaxWidth)
			if err != nil {
				p.fail(p.span(), "syntax", "", "expected a number of bits, found %s", p.found())
			}
			params = append(params, n)
			p.next()
			p.expect(",")
		}
	case "const_array":
		sort = p.arraySort()
		p.expect(",")
	}
	operands := []reading{p.term(precIff)}
	for p.take(",") {
		operands = append(operands, p.term(precIff))
	}
	p.expect(")")
	if f := p.scope[name]; f != nil && f.sort.kind == FunctionKind {
		return p.application(span, f, operands)
	}
	args := together(operands)
	if last := len(args) - 1; name == "store" && args[0].sort.kind == ArrayKind && args[0].sort.element == Real || name == "const_array" && sort.element == Real {
		args[last] = operands[last].real()
	}
	t, why := apply(name, params, sort, args)
	if why != "" {
		help := ""
		if !reserved[name] {
			help = source.DidYouMean(name, append(p.scope.functions(), functionNames()...))
		}
		p.fail(span, "sort", help, "%s", why)
	}
	return t
}

// application applies a function of the scope: quotients of Ints are exact where it takes
// Reals.
func (p *parser) application(span source.Span, f *Term, operands []reading) *Term {
	wanted, _ := f.sort.Signature()
	args := make([]*Term, len(operands))
	for i, o := range operands {
		if args[i] = o.t; i < len(wanted) && wanted[i] == Real {
			args[i] = o.real()
		}
	}
	t, why := applied(f, args)
	if why != "" {
		p.fail(span, "sort", "", "%s", why)
	}
	return t
}

func functionNames() []string {
	var out []string
	for _, n := range functionName {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// arraySort reads a quoted SMT-LIB sort.
func (p *parser) arraySort() *Sort {
	s, err := ParseSort(strings.Trim(p.tok, `"`))
	if err != nil || s.kind != ArrayKind {
		p.fail(p.span(), "syntax", "", "expected an array sort in quotes, found %s", p.found())
	}
	p.next()
	return s
}
