package logic

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/internal/source"
)

// apply builds the term of an SMT-LIB function; why says what is wrong.
func apply(name string, params []int, sort *Sort, args []*Term) (t *Term, why string) {
	f, ok := functions[name]
	if !ok {
		return nil, fmt.Sprintf("unknown function %q", name)
	}
	if len(args) < f.min || f.max >= 0 && len(args) > f.max || len(params) != f.params {
		return nil, fmt.Sprintf("wrong number of operands of %s", name)
	}
	if !f.fits(args) {
		sorts := lists.Map(args, func(a *Term) string { return a.sort.String() })
		return nil, fmt.Sprintf("%s does not take operands of sort %s", name, strings.Join(sorts, ", "))
	}
	if name == "extract" && (params[0] < params[1] || params[0] >= args[0].sort.width) {
		return nil, fmt.Sprintf("bits %d to %d of %d", params[0], params[1], args[0].sort.width)
	}
	if name == "divisible" && params[0] == 0 {
		return nil, "a number is divisible by positive numbers only"
	}
	if why := smtUnfit(name, params, args); why != "" {
		return nil, why
	}
	if w := resultWidth(name, params, args); w > MaxWidth {
		return nil, fmt.Sprintf("more than %d bits", MaxWidth)
	}
	if (name == "*" || name == "/") && tooLarge(args) {
		return nil, "the product is too large"
	}
	if (name == "const" || name == "const_array") && (sort == nil || sort.kind != ArrayKind ||
		sort.element != args[0].sort && !(sort.element == Real && args[0].sort == Int)) {
		return nil, "the element does not fit the array"
	}
	return f.make(params, sort, args), ""
}

// resultWidth is asked before a term is made: constructors panic for widths that are
// too large, and texts must not make them.
func resultWidth(name string, params []int, args []*Term) int {
	switch name {
	case "concat":
		w := 0
		for _, a := range args {
			w += a.sort.width
		}
		return w
	case "zero_extend", "sign_extend":
		return args[0].sort.width + params[0]
	case "repeat":
		return args[0].sort.width * params[0]
	}
	return 0
}

// maxFactors and maxBits bound products: names for products of names double their size with
// each line of a text.
const maxFactors, maxBits = 1000, 1 << 16

// tooLarge reports that a product would be.
func tooLarge(ts []*Term) bool {
	factors, bits := 0, 0
	for _, t := range ts {
		if !t.sort.Arithmetic() {
			continue
		}
		n := t
		if l := LinearOf(t); len(l.Terms) == 1 && l.Const.Sign() == 0 {
			n = l.Terms[0].Term
			bits += size(l.Terms[0].Coef)
		} else if len(l.Terms) == 0 {
			bits += size(l.Const)
		}
		if factors++; n.op == OpMul {
			factors += len(n.args)
		}
	}
	return len(ts) > 1 && (factors > maxFactors || bits > maxBits)
}

func size(r *big.Rat) int { return r.Num().BitLen() + r.Denom().BitLen() }

// function is a function of SMT-LIB: what it may be applied to is data, so that a text
// that gets it wrong is an error here, and never a panic of a constructor.
type function struct {
	min, max, params int // max -1: any number
	fits             func([]*Term) bool
	make             func(params []int, sort *Sort, args []*Term) *Term
}

func allBool(ts []*Term) bool { return all(ts, func(s *Sort) bool { return s == Bool }) }
func allInt(ts []*Term) bool  { return all(ts, func(s *Sort) bool { return s == Int }) }
func allArithmetic(ts []*Term) bool {
	return all(ts, (*Sort).Arithmetic)
}
func allBV(ts []*Term) bool {
	return all(ts, func(s *Sort) bool { return s.kind == BitVecKind })
}
func oneBV(ts []*Term) bool {
	return allBV(ts) && all(ts, func(s *Sort) bool { return s == ts[0].sort })
}
func comparable_(ts []*Term) bool {
	return allArithmetic(ts) || all(ts, func(s *Sort) bool { return s == ts[0].sort })
}
func all(ts []*Term, f func(*Sort) bool) bool {
	for _, t := range ts {
		if !f(t.sort) {
			return false
		}
	}
	return true
}

// chain makes "a op b op c" of a comparison.
func chain(op func(a, b *Term) *Term) func([]int, *Sort, []*Term) *Term {
	return func(_ []int, _ *Sort, ts []*Term) *Term {
		var out []*Term
		for i := 1; i < len(ts); i++ {
			out = append(out, op(ts[i-1], ts[i]))
		}
		return And(out...)
	}
}

// leftAssociative makes ((a op b) op c).
func leftAssociative(op func(a, b *Term) *Term) func([]int, *Sort, []*Term) *Term {
	return func(_ []int, _ *Sort, ts []*Term) *Term {
		t := ts[0]
		for _, u := range ts[1:] {
			t = op(t, u)
		}
		return t
	}
}

func plain(f func(ts ...*Term) *Term) func([]int, *Sort, []*Term) *Term {
	return func(_ []int, _ *Sort, ts []*Term) *Term { return f(ts...) }
}

var functions map[string]function

func init() {
	one := func(f func(*Term) *Term) func([]int, *Sort, []*Term) *Term {
		return func(_ []int, _ *Sort, ts []*Term) *Term { return f(ts[0]) }
	}
	functions = map[string]function{
		"not":      {1, 1, 0, allBool, one(Not)},
		"and":      {0, -1, 0, allBool, plain(And)},
		"or":       {0, -1, 0, allBool, plain(Or)},
		"xor":      {1, -1, 0, allBool, leftAssociative(func(a, b *Term) *Term { return Not(Eq(a, b)) })},
		"=>":       {1, -1, 0, allBool, implication},
		"=":        {2, -1, 0, comparable_, chain(Eq)},
		"distinct": {2, -1, 0, comparable_, distinct},
		"ite": {3, 3, 0, func(ts []*Term) bool { return ts[0].sort == Bool && comparable_(ts[1:]) },
			func(_ []int, _ *Sort, ts []*Term) *Term { return Ite(ts[0], ts[1], ts[2]) }},
		"<=": {2, -1, 0, allArithmetic, chain(Le)}, "<": {2, -1, 0, allArithmetic, chain(Lt)},
		">=": {2, -1, 0, allArithmetic, chain(Ge)}, ">": {2, -1, 0, allArithmetic, chain(Gt)},
		"+": {1, -1, 0, allArithmetic, plain(Add)}, "*": {1, -1, 0, allArithmetic, plain(Mul)},
		"-": {1, -1, 0, allArithmetic, func(_ []int, _ *Sort, ts []*Term) *Term {
			if len(ts) == 1 {
				return Neg(ts[0])
			}
			return Sub(ts[0], Add(ts[1:]...))
		}},
		"/":   {2, -1, 0, allArithmetic, leftAssociative(Div)},
		"div": {2, -1, 0, allInt, leftAssociative(IntDiv)}, "mod": {2, 2, 0, allInt, leftAssociative(IntMod)},
		"divisible": {1, 1, 1, allInt, func(p []int, _ *Sort, ts []*Term) *Term {
			return Eq(IntMod(ts[0], IntConst(int64(p[0]))), IntConst(0))
		}},
		"abs":     {1, 1, 0, allInt, func(_ []int, _ *Sort, ts []*Term) *Term { return Ite(Ge(ts[0], IntConst(0)), ts[0], Neg(ts[0])) }},
		"to_real": {1, 1, 0, allArithmetic, one(ToReal)}, "to_int": {1, 1, 0, allArithmetic, one(Floor)},
		"bvnot": {1, 1, 0, allBV, one(BVNot)}, "bvneg": {1, 1, 0, allBV, one(BVNeg)},
		"bvsub": {2, 2, 0, oneBV, leftAssociative(BVSub)},
		"bvule": {2, 2, 0, oneBV, chain(BVULe)}, "bvult": {2, 2, 0, oneBV, chain(BVULt)},
		"bvsle": {2, 2, 0, oneBV, chain(BVSLe)}, "bvslt": {2, 2, 0, oneBV, chain(BVSLt)},
		"bvuge":  {2, 2, 0, oneBV, chain(func(a, b *Term) *Term { return BVULe(b, a) })},
		"bvugt":  {2, 2, 0, oneBV, chain(func(a, b *Term) *Term { return BVULt(b, a) })},
		"bvsge":  {2, 2, 0, oneBV, chain(func(a, b *Term) *Term { return BVSLe(b, a) })},
		"bvsgt":  {2, 2, 0, oneBV, chain(func(a, b *Term) *Term { return BVSLt(b, a) })},
		"concat": {2, -1, 0, allBV, leftAssociative(Concat)},
		"extract": {1, 1, 2, allBV, func(p []int, _ *Sort, ts []*Term) *Term {
			return Extract(ts[0], p[0], p[1])
		}},
		"zero_extend": {1, 1, 1, allBV, func(p []int, _ *Sort, ts []*Term) *Term { return ZeroExtend(ts[0], p[0]) }},
		"sign_extend": {1, 1, 1, allBV, func(p []int, _ *Sort, ts []*Term) *Term { return SignExtend(ts[0], p[0]) }},
		"select":      {2, 2, 0, fitsArray, leftAssociative(Select)},
		"store": {3, 3, 0, fitsArray, func(_ []int, _ *Sort, ts []*Term) *Term {
			return Store(ts[0], ts[1], ts[2])
		}},
	}
	constant := function{1, 1, 0, func([]*Term) bool { return true },
		func(_ []int, s *Sort, ts []*Term) *Term { return ConstArray(s, ts[0]) }}
	functions["const"], functions["const_array"] = constant, constant
	for op := OpBVAdd; op <= OpBVAShr; op++ {
		if op != OpBVNeg && op != OpBVNot {
			functions[functionName[op]] = function{2, -1, 0, oneBV, leftAssociative(func(a, b *Term) *Term { return BVOp(op, a, b) })}
		}
	}
}

func implication(_ []int, _ *Sort, ts []*Term) *Term {
	t := ts[len(ts)-1]
	for i := len(ts) - 2; i >= 0; i-- {
		t = Implies(ts[i], t)
	}
	return t
}

// distinct is quadratic, as its meaning is; arguments of texts are few.
func distinct(_ []int, _ *Sort, ts []*Term) *Term {
	var out []*Term
	for i := range ts {
		for j := range i {
			out = append(out, Ne(ts[j], ts[i]))
		}
	}
	return And(out...)
}

func fitsArray(ts []*Term) bool {
	s := ts[0].sort
	fits := func(t *Term, want *Sort) bool { return t.sort == want || t.sort == Int && want == Real }
	return s.kind == ArrayKind && fits(ts[1], s.index) && (len(ts) < 3 || fits(ts[2], s.element))
}

// parseSMT reads one term of a text.
func parseSMT(f *source.File, scope Scope) (*Term, error) {
	var errs source.List
	nodes, err := sexp.Parse(f.Text())
	if err != nil {
		e := err.(*sexp.Error)
		errs.Errorf(f.Span(e.Offset, e.Offset+1), "syntax", "%s", e.Message)
		return nil, errs
	}
	if len(nodes) != 1 {
		errs.Errorf(f.Span(0, 0), "syntax", "expected one term, found %d", len(nodes))
		return nil, errs
	}
	t, errs := ReadSexp(f, nodes[0], scope)
	return t, errs.Err()
}

// ReadSexp is FromSexp of an expression of a text: errs say where in it something is
// wrong, nil if nothing is.
func ReadSexp(f *source.File, n sexp.Node, scope Scope) (t *Term, errs source.List) {
	t, err := FromSexp(n, scope)
	if err != nil {
		e := err.(*sexpError)
		errs.Errorf(f.Span(e.at.Start, e.at.End), e.code, "%s", e.message).Help = e.help
		return nil, errs
	}
	return t, nil
}

// sexpError knows where it is by the expression: FromSexp reads expressions of solvers,
// too, which are in no file.
type sexpError struct {
	at                  sexp.Node
	code, message, help string
}

func (e *sexpError) Error() string { return e.message + ": " + shorten(e.at.String()) }

func shorten(s string) string {
	if len(s) > 200 {
		return s[:200] + "..."
	}
	return s
}

// FromSexp converts an S-expression of SMT-LIB, which may have let, to a term.
// Quantifiers are eliminated; where that fails, they are errors, as anything unknown is.
func FromSexp(n sexp.Node, scope Scope) (*Term, error) {
	r := smtReader{scope: scope}
	return r.term(n)
}

type smtReader struct {
	scope Scope
	local []map[string]*Term // innermost let last
	depth int
	bound int // variables of quantifiers
}

func smtErr(at sexp.Node, code, format string, args ...any) error {
	return &sexpError{at: at, code: code, message: fmt.Sprintf(format, args...)}
}

func (r *smtReader) term(n sexp.Node) (*Term, error) {
	if r.depth++; r.depth > MaxNesting {
		return nil, smtErr(n, "nesting", "more than %d nested terms", MaxNesting)
	}
	defer func() { r.depth-- }()
	switch n.Kind {
	case sexp.Symbol, sexp.Quoted:
		return r.atom(n)
	case sexp.String:
		return nil, smtErr(n, "syntax", "a string is not a term")
	}
	if len(n.List) == 0 {
		return nil, smtErr(n, "syntax", "empty term")
	}
	switch n.Head() {
	case "let":
		return r.let(n)
	case "forall", "exists":
		return r.quantified(n)
	case "_":
		return bvLiteral(n)
	case "as": // a constructor without fields
		if len(n.List) == 3 && r.scope[n.List[1].Atom] != nil {
			return r.term(n.List[1])
		}
	case "!": // annotations say nothing about the value
		if len(n.List) > 1 {
			return r.term(n.List[1])
		}
	}
	name, params, sort, err := r.head(n.List[0])
	if err != nil {
		return nil, err
	}
	args := make([]*Term, len(n.List)-1)
	for i, a := range n.List[1:] {
		if args[i], err = r.term(a); err != nil {
			return nil, err
		}
	}
	var t *Term
	var why string
	if f := r.scope[name]; f != nil && f.sort.kind == FunctionKind && params == nil && (sort == nil || f.op == OpSymbol) {
		t, why = applied(f, args)
	} else {
		t, why = apply(name, params, sort, args)
	}
	if why != "" {
		return nil, smtErr(n, "sort", "%s", why)
	}
	return t, nil
}

// head reads f, (_ f 1 2), (_ is CONSTRUCTOR) or (as const SORT).
func (r *smtReader) head(n sexp.Node) (name string, params []int, sort *Sort, err error) {
	switch {
	case n.Kind == sexp.Symbol || n.Kind == sexp.Quoted:
		return n.Atom, nil, nil, nil
	case n.Head() == "_" && len(n.List) == 3 && n.List[1].Is("is"):
		return testerPrefix + n.List[2].Atom, nil, nil, nil
	case n.Head() == "_" && len(n.List) >= 2:
		for _, p := range n.List[2:] {
			v, err := smallInt(p.Atom, MaxWidth)
			if err != nil {
				return "", nil, nil, smtErr(p, "syntax", "expected a number")
			}
			params = append(params, v)
		}
		return n.List[1].Atom, params, nil, nil
	case n.Head() == "as" && len(n.List) == 3:
		sort, err = r.scope.sortOf(n.List[2])
		return n.List[1].Atom, nil, sort, err
	}
	return "", nil, nil, smtErr(n, "syntax", "expected a function")
}

// Literal reports that a symbol without quotes is a literal, or looks like one, and so no name:
// 12, 1.5, #x1f, and, as Z3 has it, -12.
func Literal(symbol string) bool {
	digits := strings.TrimPrefix(symbol, "-")
	return digits != "" && digits[0] >= '0' && digits[0] <= '9' || strings.HasPrefix(symbol, "#")
}

func (r *smtReader) atom(n sexp.Node) (*Term, error) {
	if n.Kind == sexp.Symbol && Literal(n.Atom) {
		if n.Atom[0] == '#' {
			return hexLiteral(n)
		}
		return smtNumber(n)
	}
	for i := len(r.local) - 1; i >= 0; i-- {
		if t, ok := r.local[i][n.Atom]; ok {
			return t, nil
		}
	}
	if t, ok := r.scope[n.Atom]; ok {
		if t.sort.kind == FunctionKind {
			return nil, smtErr(n, "sort", "%s is a function: it has operands", n.Atom)
		}
		return t, nil
	}
	if n.Is("true") {
		return trueTerm, nil
	}
	if n.Is("false") {
		return falseTerm, nil
	}
	e := smtErr(n, "unknown-variable", "unknown variable %q", n.Atom).(*sexpError)
	e.help = source.DidYouMean(n.Atom, r.scope.names())
	return nil, e
}

func smtNumber(n sexp.Node) (*Term, error) {
	whole, fraction, isReal := strings.Cut(strings.TrimPrefix(n.Atom, "-"), ".")
	if strings.Trim(whole, "0123456789") != "" || strings.Trim(fraction, "0123456789") != "" || isReal && fraction == "" {
		return nil, smtErr(n, "syntax", "not a number")
	}
	v, ok := new(big.Rat).SetString(n.Atom)
	if !ok {
		return nil, smtErr(n, "syntax", "not a number")
	}
	if isReal {
		return Number(v, Real), nil
	}
	return Number(v, Int), nil
}

// hexLiteral reads #x1f and #b01.
func hexLiteral(n sexp.Node) (*Term, error) {
	bits, base := 4, 16
	if strings.HasPrefix(n.Atom, "#b") {
		bits, base = 1, 2
	} else if !strings.HasPrefix(n.Atom, "#x") {
		return nil, smtErr(n, "syntax", "not a constant")
	}
	digits := n.Atom[2:]
	v, ok := new(big.Int).SetString(digits, base)
	if !ok || v.Sign() < 0 || strings.ContainsAny(digits, "+-_") || len(digits)*bits > MaxWidth {
		return nil, smtErr(n, "syntax", "not a constant")
	}
	return BVConst(v, len(digits)*bits), nil
}

// bvLiteral reads (_ bv5 8).
func bvLiteral(n sexp.Node) (*Term, error) {
	if len(n.List) == 3 {
		digits, ok := strings.CutPrefix(n.List[1].Atom, "bv")
		w, err := smallInt(n.List[2].Atom, MaxWidth)
		if ok && err == nil && w > 0 && digits != "" && strings.Trim(digits, "0123456789") == "" {
			v, _ := new(big.Int).SetString(digits, 10)
			return BVConst(v, w), nil
		}
	}
	return nil, smtErr(n, "syntax", "expected (_ bvVALUE WIDTH)")
}

// let binds all names at once: terms do not see the names beside them.
func (r *smtReader) let(n sexp.Node) (*Term, error) {
	if len(n.List) != 3 || n.List[1].Kind != sexp.List {
		return nil, smtErr(n, "syntax", "expected (let ((name term)...) term)")
	}
	bound := map[string]*Term{}
	for _, b := range n.List[1].List {
		if b.Kind != sexp.List || len(b.List) != 2 || b.List[0].Kind == sexp.List {
			return nil, smtErr(b, "syntax", "expected (name term)")
		}
		t, err := r.term(b.List[1])
		if err != nil {
			return nil, err
		}
		bound[b.List[0].Atom] = t
	}
	r.local = append(r.local, bound)
	defer func() { r.local = r.local[:len(r.local)-1] }()
	return r.term(n.List[2])
}

// quantified reads a formula with a quantifier, which is eliminated.
func (r *smtReader) quantified(n sexp.Node) (*Term, error) {
	if len(n.List) != 3 || n.List[1].Kind != sexp.List {
		return nil, smtErr(n, "syntax", "expected (%s ((name sort)...) formula)", n.Head())
	}
	bound := map[string]*Term{}
	var vars []*Term
	for _, b := range n.List[1].List {
		if b.Kind != sexp.List || len(b.List) != 2 || b.List[0].Kind == sexp.List {
			return nil, smtErr(b, "syntax", "expected (name sort)")
		}
		sort, err := r.scope.sortOf(b.List[1])
		if err != nil {
			return nil, err
		}
		r.bound++ // no other variable has a name with a bar
		v := Var(fmt.Sprintf("%s|%d", b.List[0].Atom, r.bound), sort)
		bound[b.List[0].Atom] = v
		vars = append(vars, v)
	}
	r.local = append(r.local, bound)
	defer func() { r.local = r.local[:len(r.local)-1] }()
	f, err := r.term(n.List[2])
	if err != nil {
		return nil, err
	}
	if f.sort != Bool {
		return nil, smtErr(n.List[2], "sort", "expected a formula")
	}
	all := n.Head() == "forall"
	if all {
		f = Not(f)
	}
	g, ok := Exists(vars, f)
	switch {
	case !ok:
		return nil, smtErr(n, "syntax", "quantifiers are not supported where they cannot be eliminated")
	case all:
		g = Not(g)
	}
	return g, nil
}

// ParseSort reads a sort as Sort.String prints it.
func ParseSort(text string) (*Sort, error) { return Scope(nil).ParseSort(text) }

// ParseSort reads a sort, which may be a datatype whose symbols are in the scope.
func (s Scope) ParseSort(text string) (*Sort, error) {
	nodes, err := sexp.Parse(text)
	if err != nil {
		return nil, err
	}
	if len(nodes) != 1 {
		return nil, fmt.Errorf("not one sort: %s", shorten(text))
	}
	return s.sortOf(nodes[0])
}

func (s Scope) sortOf(n sexp.Node) (*Sort, error) {
	switch {
	case n.Is("Bool"):
		return Bool, nil
	case n.Is("Int"):
		return Int, nil
	case n.Is("Real"):
		return Real, nil
	case n.Head() == "_" && len(n.List) == 3 && n.List[1].Is("BitVec"):
		if w, err := smallInt(n.List[2].Atom, MaxWidth); err == nil && w > 0 {
			return BitVec(w), nil
		}
	case n.Head() == "Array" && len(n.List) == 3:
		i, err := s.sortOf(n.List[1])
		if err != nil {
			return nil, err
		}
		e, err := s.sortOf(n.List[2])
		if err != nil {
			return nil, err
		}
		if i.kind == DatatypeKind { // of finitely many values the same map would be several tables
			return nil, smtErr(n, "unsupported", "an array whose index is a datatype with several constructors")
		}
		return ArrayOf(i, e), nil
	case n.Kind != sexp.List && s[sortKey(n.Atom)] != nil:
		return s[sortKey(n.Atom)].sort, nil
	}
	return nil, smtErr(n, "syntax", "unknown sort")
}
