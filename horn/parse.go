package horn

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
)

// ParseText is Parse of a text; name is what messages call it.
func ParseText(name, text string) (*Problem, error) { return Parse(source.NewFile(name, text)) }

// Parse reads an SMT-LIB script of the logic HORN: predicates by declare-fun (or declare-const), clauses by
// assert; or, as Z3's fixedpoint engine has them, declare-rel, declare-var, rule and query,
// which asks whether a predicate is empty. A clause is made of predicates and formulas by
// and, or, not, => and ite, behind forall (or not exists), and let may name its parts; as a
// disjunction of literals it has one predicate that is not negated at most. What is several
// such disjunctions becomes as many clauses. define-fun, not recursive, names terms without
// predicates. One check-sat or query is at the end: what follows it was not asked about. Commands
// about the solver are passed over. The error is a source.List.
func Parse(src *source.File) (*Problem, error) {
	if len(src.Text()) > source.MaxText {
		return nil, source.TooLarge(src.Name(), source.MaxText)
	}
	r := &reader{file: src, problem: &Problem{}, preds: map[string]int{}, vars: logic.Scope{}, defined: definitions{}, unknown: map[string]bool{}}
	nodes, generics, errs := monomorphic(src, r.nodes())
	nodes, records, more := flatten(src, nodes)
	r.errs = append(append(r.errs, errs...), more...)
	r.problem.generics, r.problem.records = generics, records
	for _, n := range nodes {
		if n.Head() == "exit" {
			break
		}
		r.command(n)
		if len(r.errs) >= 50 {
			break
		}
	}
	if generics != nil && len(generics.opaque) > 0 && !r.errs.HasErrors() {
		r.checkOpaque(generics.opaque)
	}
	if r.errs.HasErrors() {
		return nil, r.errs.Err()
	}
	if generics == nil && records == nil {
		r.problem.script = script(src, nodes)
	}
	return r.problem, nil
}

// script is the text of the declarations and assertions, "" where there are other commands than these and such as
// say nothing about them.
func script(src *source.File, nodes []sexp.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		switch n.Head() {
		case "declare-fun", "declare-datatype", "declare-datatypes", "define-fun", "assert":
			b.WriteString(src.Text()[n.Start:n.End] + "\n")
		case "exit":
			return b.String()
		case "set-logic", "set-info", "set-option", "check-sat", "get-model", "get-info", "get-proof":
		default:
			return ""
		}
	}
	return b.String()
}

type reader struct {
	file    *source.File
	problem *Problem
	preds   map[string]int
	vars    logic.Scope // of declare-var and define-fun
	defined definitions
	errs    source.List
	asked   string          // the command that asked the question, once it was
	unknown map[string]bool // functions of the text that are no predicates

	// of the clause that is read
	clauses []draft // what it has become until now
	scope   logic.Scope
	shared  map[string]shared // names of parts with predicates, which no term has
	uses    int               // of those
	bound   map[string]bool
	depth   int
}

// shared is a part of a clause that let has named, to be read where the name is used: which
// side of the implication it is on shows there.
type shared struct {
	part   sexp.Node
	scope  logic.Scope
	shared map[string]shared
}

// maxUses bounds the parts that a clause can be made of by names for names.
const maxUses = 10_000

func (r *reader) nodes() []sexp.Node {
	nodes, err := sexp.Parse(r.file.Text())
	if wrong, ok := errors.AsType[*sexp.Error](err); ok {
		r.errs.Errorf(r.file.Span(wrong.Offset, wrong.Offset+1), "syntax", "%s", wrong.Message)
	}
	return nodes
}

// fail reports an error at a place; false for callers to pass on.
func (r *reader) fail(at sexp.Node, code, format string, args ...any) bool {
	r.errs.Errorf(r.file.Span(at.Start, at.End), code, format, args...)
	return false
}

// unsupported says that a command changes what others mean.
func unsupported(command string) bool {
	return strings.HasPrefix(command, "declare-") || strings.HasPrefix(command, "define-") || slices.Contains([]string{"push", "pop", "reset"}, command)
}

var passedOver = []string{"set-logic", "set-info", "set-option", "check-sat", "get-model", "get-value", "get-info", "get-option",
	"get-proof", "get-unsat-core", "get-assertions", "get-assignment", "echo"}

// asks are the commands that ask a question, of the clauses before them; z3's check-sat-using says how as well.
var asks = []string{"check-sat", "check-sat-using", "query"}

func (r *reader) command(n sexp.Node) {
	name := n.Head()
	ask := slices.Contains(asks, name)
	if r.asked != "" && (ask || name == "assert" || name == "rule") {
		what := "another question"
		if !ask {
			what = "a clause"
		}
		r.fail(n, "unsupported", "%s behind (%s ...) is not supported", what, r.asked)
		r.errs[len(r.errs)-1].Help = "a file asks one question about all its clauses: write one file for each"
		return
	}
	if ask {
		r.asked = name
	}
	switch {
	case name == "declare-fun" || name == "declare-rel":
		r.declare(n)
	case name == "declare-const" && len(n.List) == 3:
		r.declare(list(n, word(n, "declare-fun"), n.List[1], list(n), n.List[2]))
	case name == "declare-var":
		r.declareVar(n)
	case (name == "assert" || name == "rule") && len(n.List) >= 2:
		r.begin(n)
		if name == "rule" && len(n.List) == 3 && n.List[2].Kind != sexp.List { // its name
			r.clauses[0].Name = n.List[2].Atom
		} else if len(n.List) > 2 {
			r.fail(n, "syntax", "expected (%s CLAUSE)", name)
			return
		}
		if r.read(n.List[1]) {
			r.keep()
		}
	case name == "query" && len(n.List) >= 2:
		r.begin(n)
		if r.asks(n.List[1]) {
			r.keep()
		}
	case name == "define-fun":
		r.define(n)
	case name == "declare-datatypes" || name == "declare-datatype":
		r.datatypes(n)
	case unsupported(name):
		r.fail(n.List[0], "unsupported", "%s is not supported", name)
	case name == "set-logic" && len(n.List) == 2 && !n.List[1].Is("HORN"):
		r.fail(n.List[1], "logic", "the logic is to be HORN")
	case name == "check-sat-assuming" || name == "declare-heap":
		r.fail(n, "unsupported", "%s is not supported", name)
	case !slices.Contains(passedOver, name) && !ask:
		r.fail(n, "syntax", "expected declare-fun or assert")
	}
}

// asks reads what a query is about: a predicate by its name is to be empty.
func (r *reader) asks(n sexp.Node) bool {
	i, ok := r.pred(n)
	if !ok {
		return r.assume(n)
	}
	a := &App{Pred: i}
	for _, v := range r.problem.Preds[i].Params {
		a.Args = append(a.Args, logic.Var(r.unbound(v.Name()), v.Sort()))
	}
	r.clauses[0].Body = []App{*a}
	return true
}

// begin begins a clause.
func (r *reader) begin(n sexp.Node) {
	r.clauses = []draft{{Clause: Clause{Span: r.file.Span(n.Start, n.End)}}}
	r.scope, r.bound, r.shared, r.uses = maps.Clone(r.vars), map[string]bool{}, nil, 0
	for name := range r.vars {
		r.bound[name] = true
	}
}

// declareVar reads (declare-var x Int): a variable that clauses need not bind.
func (r *reader) declareVar(n sexp.Node) {
	if len(n.List) != 3 || n.List[1].Kind == sexp.List {
		r.fail(n, "syntax", "expected (declare-var NAME SORT)")
		return
	}
	sort, ok := r.sortIn(r.vars, n.List[2])
	switch name := n.List[1].Atom; {
	case !ok:
	case !r.free(n.List[1]):
	case r.vars[name] != nil:
		r.fail(n.List[1], "duplicate", "%q is declared twice", name)
	default:
		r.vars[name] = logic.Var(name, sort)
	}
}

// declare reads (declare-fun P (Int Bool) Bool) or (declare-rel P (Int Bool)).
func (r *reader) declare(n sexp.Node) {
	if rel := n.Head() == "declare-rel"; rel && (len(n.List) != 3 || n.List[1].Kind == sexp.List || n.List[2].Kind != sexp.List) {
		r.fail(n, "syntax", "expected (declare-rel NAME (SORT ...))")
		return
	} else if !rel && len(n.List) != 4 || n.List[1].Kind == sexp.List || n.List[2].Kind != sexp.List {
		r.fail(n, "syntax", "expected (declare-fun NAME (SORT ...) Bool)")
		return
	}
	name := n.List[1].Atom
	if !r.free(n.List[1]) {
		return
	}
	if r.vars[name] != nil {
		r.fail(n.List[1], "duplicate", "%q is declared twice", name)
		return
	}
	p := Pred{Name: name, Span: r.file.Span(n.List[1].Start, n.List[1].End)}
	for i, s := range n.List[2].List {
		sort, ok := r.sortIn(r.vars, s)
		if !ok {
			return
		}
		p.Params = append(p.Params, logic.Var(fmt.Sprintf("%s!%d", name, i), sort))
	}
	if len(n.List) == 4 && !n.List[3].Is("Bool") {
		if _, ok := r.sortIn(r.vars, n.List[3]); ok {
			r.unknown[name] = true // clauses must not have it
		}
		return
	}
	r.preds[name] = len(r.problem.Preds)
	r.problem.Preds = append(r.problem.Preds, p)
}

// free says that a name can be declared.
func (r *reader) free(n sexp.Node) bool {
	if !r.usable(n) {
		return false
	}
	if _, ok := r.preds[n.Atom]; ok {
		return r.fail(n, "duplicate", "%q is a predicate", n.Atom)
	}
	if r.unknown[n.Atom] {
		return r.fail(n, "duplicate", "%q is declared twice", n.Atom)
	}
	if t := r.vars[n.Atom]; t != nil && t.Op() != logic.OpVar || r.defined[t] != nil {
		return r.fail(n, "duplicate", "%q is defined", n.Atom)
	}
	return true
}

// usable says that a name can be bound, whatever it means outside.
func (r *reader) usable(n sexp.Node) bool {
	if n.Kind != sexp.Symbol && n.Kind != sexp.Quoted || badName(n.Atom) || n.Kind == sexp.Symbol && logic.Literal(n.Atom) {
		return r.fail(n, "name", "expected a name that has no meaning of its own")
	}
	return true
}

// deeper guards a recursion.
func (r *reader) deeper(n sexp.Node, read func(sexp.Node) bool) bool {
	if r.depth++; r.depth > logic.MaxNesting {
		r.depth--
		return r.fail(n, "nesting", "more than %d nested terms", logic.MaxNesting)
	}
	defer func() { r.depth-- }()
	return read(n)
}

// sharedPart returns what a name stands for.
func (r *reader) sharedPart(n sexp.Node) (part shared, ok bool) {
	if n.Kind == sexp.Symbol || n.Kind == sexp.Quoted {
		part, ok = r.shared[n.Atom]
	}
	return part, ok
}

// use reads a part where its name n is used.
func (r *reader) use(n sexp.Node, part shared, read func(sexp.Node) bool) bool {
	if r.uses++; r.uses > maxUses {
		return r.fail(n, "nesting", "more than %d uses of names for parts with predicates", maxUses)
	}
	scope, names := r.scope, r.shared
	r.scope, r.shared = part.scope, part.shared
	defer func() { r.scope, r.shared = scope, names }()
	return read(part.part)
}

// mentions reports what is clausal, or has a quantifier, which may be one of the clause.
func (r *reader) mentions(n sexp.Node) bool { return hasQuantifier(n) || r.clausal(n) }

// clausal reports that a predicate occurs in an expression, or the name of a part with one: terms have neither.
func (r *reader) clausal(n sexp.Node) bool {
	if _, ok := r.sharedPart(n); ok {
		return true
	}
	if _, ok := r.pred(n); ok {
		return true
	}
	return slices.ContainsFunc(n.List, r.clausal)
}

// pred returns the predicate that a name means, unless a variable hides it.
func (r *reader) pred(n sexp.Node) (number int, ok bool) {
	if n.Kind != sexp.Symbol && n.Kind != sexp.Quoted || r.scope[n.Atom] != nil {
		return 0, false
	}
	number, ok = r.preds[n.Atom]
	return number, ok
}

// application reads P or (P term ...); ok says that it is one, nil that it is wrong.
func (r *reader) application(n sexp.Node) (a *App, ok bool) {
	name, args := n, []sexp.Node(nil)
	if n.Kind == sexp.List && len(n.List) > 1 {
		name, args = n.List[0], n.List[1:]
	}
	i, ok := r.pred(name)
	if !ok {
		return nil, false
	}
	params := r.problem.Preds[i].Params
	if len(args) != len(params) {
		r.fail(n, "arity", "%s has %d parameters, not %d", name.Atom, len(params), len(args))
		return nil, true
	}
	a = &App{Pred: i}
	for k, arg := range args {
		t, ok := r.term(arg)
		if !ok {
			return nil, true
		}
		if t.Sort() == logic.Int && params[k].Sort() == logic.Real {
			t = logic.ToReal(t)
		}
		if t.Sort() != params[k].Sort() {
			r.fail(arg, "sort", "expected a term of sort %s, found one of sort %s", params[k].Sort(), t.Sort())
			return nil, true
		}
		a.Args = append(a.Args, t)
	}
	return a, true
}

func (r *reader) term(n sexp.Node) (*logic.Term, bool) {
	if n = extensional(n); r.clausal(n) {
		return nil, r.notHorn(n)
	}
	t, errs := logic.ReadSexp(r.file, n, r.scope)
	if errs != nil && r.hasUnknown(n) {
		return nil, false
	}
	if r.errs = append(r.errs, errs...); errs != nil {
		return nil, false
	}
	return r.defined.unfold(t), true
}

// hasUnknown reports the unknown function that a term has, if it has one. The clauses have a solution if they have one for some value
// of it, which is not what a clause says of its variables.
func (r *reader) hasUnknown(n sexp.Node) bool {
	if isName(n) && r.unknown[n.Atom] && r.scope[n.Atom] == nil {
		r.fail(n, "unsupported", "a clause with the unknown function %q is not supported", n.Atom)
		r.errs[len(r.errs)-1].Help = "a variable of the clause is bound by forall; the unknown functions are predicates: of sort Bool"
		return true
	}
	return slices.ContainsFunc(n.List, r.hasUnknown)
}

func (r *reader) formula(n sexp.Node) (*logic.Term, bool) {
	t, ok := r.term(n)
	if ok && t.Sort() != logic.Bool {
		return nil, r.fail(n, "sort", "expected a formula, found a term of sort %s", t.Sort())
	}
	return t, ok
}

// named reads (! x :named n).
func (r *reader) named(n sexp.Node) bool {
	if len(n.List) < 2 || len(n.List)%2 != 0 {
		return r.fail(n, "syntax", "expected (! TERM :named NAME)")
	}
	for i := 2; i < len(n.List); i += 2 {
		if n.List[i].Is(":named") {
			if m := n.List[i+1]; m.Kind == sexp.List || badName(m.Atom) {
				return r.fail(m, "name", "expected a name")
			}
			for k := range r.clauses {
				r.clauses[k].Name = n.List[i+1].Atom
			}
		}
	}
	return true
}

// bind reads (forall ((x Int) ...) what).
func (r *reader) bind(n sexp.Node, what func(sexp.Node) bool) bool {
	if len(n.List) != 3 || n.List[1].Kind != sexp.List {
		return r.fail(n, "syntax", "expected (%s ((NAME SORT) ...) FORMULA)", n.Head())
	}
	outer, outerShared := r.scope, r.shared
	r.scope, r.shared = maps.Clone(outer), maps.Clone(outerShared)
	defer func() { r.scope, r.shared = outer, outerShared }()
	here := map[string]bool{}
	for _, v := range n.List[1].List {
		if v.Kind != sexp.List || len(v.List) != 2 {
			return r.fail(v, "syntax", "expected (NAME SORT)")
		}
		sort, ok := r.sortIn(r.vars, v.List[1])
		switch name := v.List[0].Atom; {
		case !ok:
			return false
		case !r.usable(v.List[0]):
			return false
		case here[name]:
			return r.fail(v.List[0], "duplicate", "%q is bound twice", name)
		default:
			here[name] = true
			r.scope[name] = logic.Var(r.unbound(name), sort)
			delete(r.shared, name)
		}
	}
	return what(n.List[2])
}

// unbound returns the name that a variable has in the clause: another if there is one of
// its name already, in another quantifier.
func (r *reader) unbound(name string) string {
	free := name
	for n := 2; r.bound[free] || r.hasPred(free) || n > 2 && badName(free); n++ {
		free = fmt.Sprintf("%s!%d", name, n)
	}
	r.bound[free] = true
	return free
}

func (r *reader) hasPred(name string) bool {
	_, ok := r.preds[name]
	return ok
}

// let reads (let ((x term) ...) what).
func (r *reader) let(n sexp.Node, what func(sexp.Node) bool) bool {
	if len(n.List) != 3 || n.List[1].Kind != sexp.List {
		return r.fail(n, "syntax", "expected (let ((NAME TERM) ...) FORMULA)")
	}
	outer, outerShared := r.scope, r.shared
	inner, innerShared := maps.Clone(outer), maps.Clone(outerShared)
	for _, b := range n.List[1].List {
		if b.Kind != sexp.List || len(b.List) != 2 || !r.usable(b.List[0]) {
			return r.fail(b, "syntax", "expected (NAME TERM)")
		}
		name := b.List[0].Atom
		delete(inner, name)
		delete(innerShared, name)
		if r.mentions(b.List[1]) {
			if innerShared == nil {
				innerShared = map[string]shared{}
			}
			innerShared[name] = shared{b.List[1], outer, outerShared}
			continue
		}
		t, ok := r.term(b.List[1])
		if !ok {
			return false
		}
		inner[name] = t
	}
	r.scope, r.shared = inner, innerShared
	defer func() { r.scope, r.shared = outer, outerShared }()
	return what(n.List[2])
}

// ParseSolutionText reads a solution as WriteSolution prints it, or as solvers print
// models; name is what messages call the text. It is not checked. The error is a source.List.
func (p *Problem) ParseSolutionText(name, text string) (Solution, error) {
	_, s, err := p.ParseCertificate(name, text)
	return s, err
}

// SolutionOf takes a solution from a solver's answer: (define-fun P ((x Int) ...) Bool f)
// for every predicate, alone or in lists.
func (p *Problem) SolutionOf(answer []sexp.Node) (Solution, error) {
	return p.unquantified(p.QuantifiedOf(answer))
}

func (p *Problem) unquantified(s Solution, err error) (Solution, error) {
	if err == nil && p.Quantified(s) {
		return nil, errors.New("the solution has quantifiers")
	}
	return s, err
}

// QuantifiedOf is SolutionOf where formulas may begin with forall, or have it below and, or and => alone.
func (p *Problem) QuantifiedOf(answer []sexp.Node) (Solution, error) {
	return p.solutionOf(answer, func(int, sexp.Node) *logic.Term { return nil })
}

// solutionOf is QuantifiedOf that takes other formulas in place of some predicates' definitions; nil is none.
func (p *Problem) solutionOf(answer []sexp.Node, instead func(pred int, f sexp.Node) *logic.Term) (Solution, error) {
	number := map[string]int{}
	for i := range p.Preds {
		number[p.PredName(i)] = i
	}
	s, symbols := make(Solution, len(p.Preds)), p.symbols()
	for _, n := range answer {
		definitions := []sexp.Node{n}
		if n.Head() != "define-fun" {
			definitions = n.List
		}
		for _, d := range definitions {
			if d.Head() != "define-fun" || len(d.List) != 5 {
				continue
			}
			i, ok := number[d.List[1].Atom]
			if !ok {
				continue
			}
			if s[i] = instead(i, d.List[4]); s[i] != nil {
				continue
			}
			var err error
			if s[i], err = definition(d, p.Preds[i].Params, symbols); err != nil {
				return nil, err
			}
		}
	}
	for i, f := range s {
		if f == nil {
			return nil, fmt.Errorf("the solution lacks predicate %s", p.PredName(i))
		}
	}
	return s, nil
}

// definition reads the formula of (define-fun P ((x Int) ...) Bool f) in terms of params.
func definition(d sexp.Node, params []*logic.Term, symbols logic.Scope) (*logic.Term, error) {
	if len(d.List[2].List) != len(params) {
		return nil, errors.New("a predicate of the solution has other parameters")
	}
	scope := logic.Scope{}
	maps.Copy(scope, symbols)
	for k, v := range d.List[2].List {
		if len(v.List) != 2 {
			return nil, errors.New("a parameter of the solution is not understood")
		}
		scope[v.List[0].Atom] = params[k]
	}
	q := &prenex{taken: map[string]bool{}}
	for _, v := range params {
		q.taken[v.Name()] = true
	}
	for name := range symbols {
		q.taken[name] = true
	}
	f, err := q.read(d.List[4], scope, map[string]quantified{}, map[*logic.Sort]int{})
	if err != nil {
		return nil, fmt.Errorf("the solution is not understood: %w", err)
	}
	if f.Sort() != logic.Bool {
		return nil, errors.New("the solution is not a formula")
	}
	return f, nil
}
