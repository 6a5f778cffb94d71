package clp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/tokens"
	"github.com/seltl/seltl/logic"
)

// ParseText is Parse of a text; name is what messages call it.
func ParseText(name, text string) (*RuleSet, error) { return Parse(source.NewFile(name, text)) }

// Parse reads a rule set in the .clp language:
//
//	var x, y: int;                   // what variables of rules are, in all rules
//	var d: array[int] of int;        // int, real, bool, and arrays of them
//	const N = 10;
//	query Emain;                     // the goal
//	Eloop(x, d) :- x < N && (Etrunc(d) || Eloop(x + 1, d));
//
// A body is made of constraints of package logic (in its C syntax) and calls by && and ||.
// Each relation has one rule; the order of declarations and rules is free. The error is a
// source.List.
func Parse(file *source.File) (*RuleSet, error) {
	if len(file.Text()) > source.MaxText {
		return nil, source.TooLarge(file.Name(), source.MaxText)
	}
	l := scan(file)
	p := &parser{file: file, tokens: l.Tokens, errs: l.Errs, rules: &RuleSet{Goal: -1}, scope: logic.Scope{}, declared: map[string]source.Span{}, heads: map[string]int{}}
	p.statements(p.declaration)
	if len(p.errs) == 0 {
		p.at = 0
		p.statements(p.rule)
	}
	if len(p.errs) == 0 {
		p.findGoal()
	}
	if p.errs.HasErrors() {
		return nil, p.errs.Err()
	}
	return p.rules, nil
}

// maxErrors is how many mistakes of a text are reported.
const maxErrors = 50

type parser struct {
	file     *source.File
	tokens   []tokens.Token // the last one stands for the end
	errs     source.List
	at       int // the token
	rules    *RuleSet
	scope    logic.Scope // variables and constants
	declared map[string]source.Span
	heads    map[string]int // relations
	goal     string
	goalAt   source.Span
	depth    int
}

// statements calls read at the start of every statement, and goes on behind its end.
func (p *parser) statements(read func() bool) {
	for p.tok() != "" && len(p.errs) < maxErrors {
		ok := read()
		if ok && p.tok() != ";" {
			p.missingEnd()
		}
		for p.tok() != "" && p.tok() != ";" {
			p.at++
		}
		if p.tok() == ";" {
			p.at++
		}
	}
}

func (p *parser) tok() string { return p.tokens[p.at].Text }

func (p *parser) span() source.Span { return p.spanOf(p.tokens[p.at]) }

func (p *parser) spanOf(t tokens.Token) source.Span { return p.file.Span(int(t.Start), int(t.End)) }

func (p *parser) found() string {
	if p.tok() == "" {
		return "end of text"
	}
	return strconv.Quote(p.tok())
}

// fail reports a mistake at the token; false for callers to pass on.
func (p *parser) fail(code, help, format string, args ...any) bool {
	p.errs.Errorf(p.span(), code, format, args...).Help = help
	return false
}

// foreign are signs of other languages, and what they are here.
var foreign = map[string]string{"and": "&&", "or": "||", "not": "!", "&": "&&", "|": "||", "~": "!", "<>": "!=", "=<": "<=", "False": "false", "True": "true"}

func (p *parser) missingEnd() {
	if here := foreign[p.tok()]; here != "" {
		p.fail("syntax", fmt.Sprintf("%s is written %s", p.tok(), here), "expected \";\", found %s", p.found())
		return
	}
	if p.tok() == "" && p.at > 0 && p.tokens[p.at-1].Text == "." {
		p.at--
	}
	if p.at > 0 && p.tokens[p.at].Newlines > 0 {
		end := int(p.tokens[p.at-1].End)
		p.errs.Errorf(p.file.Span(end, end), "syntax", "expected \";\" before %s", p.found()).Help = "every declaration and every rule ends in ;"
		return
	}
	help := ""
	if p.tok() == "." {
		help = "a rule ends in ;"
	} else if p.tok() == "," {
		help = "parts of a body are joined by && and ||"
	}
	p.fail("syntax", help, "expected \";\", found %s", p.found())
}

func (p *parser) expect(tok string) bool {
	if p.tok() != tok {
		return p.fail("syntax", "", "expected %q, found %s", tok, p.found())
	}
	p.at++
	return true
}

func (p *parser) take(tok string) bool {
	if p.tok() != tok {
		return false
	}
	p.at++
	return true
}

// name takes a name.
func (p *parser) name(what string) (string, source.Span, bool) {
	span := p.span()
	if r, _ := utf8.DecodeRuneInString(p.tok()); p.tok() == "" || !letter(r) {
		return "", span, p.fail("syntax", "", "expected %s, found %s", what, p.found())
	}
	p.at++
	return p.tokens[p.at-1].Text, span, true
}

// keywords begin statements.
var keywords = []string{"var", "const", "query"}

// declare takes down that a name has a meaning.
func (p *parser) declare(name string, span source.Span) bool {
	if first, ok := p.declared[name]; ok {
		d := p.errs.Errorf(span, "duplicate", "%q is declared twice", name)
		d.Related = append(d.Related, source.Related{Span: first, Message: "first declared here"})
		return false
	}
	if logic.Reserved(name) || slices.Contains(keywords, name) {
		p.errs.Errorf(span, "reserved", "%q has a meaning of its own and cannot be declared", name)
		return false
	}
	p.declared[name] = span
	return true
}

// declaration reads a declaration, and the name of a rule's head: what bodies refer to.
func (p *parser) declaration() bool {
	switch p.tok() {
	case "var":
		p.at++
		return p.variables()
	case "const":
		p.at++
		return p.constant()
	case "query":
		p.at++
		return p.query()
	}
	name, span, ok := p.name("a rule, var, const or query")
	if !ok {
		return false
	}
	if p.tok() != "(" {
		help := source.DidYouMean(name, keywords)
		if help == "" {
			help = "a rule begins with a relation and its parameters in parentheses: " + name + "() :- ..."
		}
		return p.fail("syntax", help, "expected \"(\", found %s", p.found())
	}
	if _, ok := p.heads[name]; ok { // a further rule
		p.skip()
		return true
	}
	if !p.declare(name, span) {
		return false
	}
	p.heads[name] = len(p.rules.Relations)
	p.rules.Relations = append(p.rules.Relations, Relation{Name: name, Span: span})
	p.skip()
	return true
}

// skip goes to the end of the statement.
func (p *parser) skip() {
	for p.tok() != "" && p.tok() != ";" {
		p.at++
	}
}

func (p *parser) variables() bool {
	var names []string
	var spans []source.Span
	for {
		name, span, ok := p.name("a variable")
		if !ok {
			return false
		}
		names, spans = append(names, name), append(spans, span)
		if !p.take(",") {
			break
		}
	}
	if !p.expect(":") {
		return false
	}
	sort, ok := p.sort()
	if !ok {
		return false
	}
	for i, name := range names {
		if p.declare(name, spans[i]) {
			p.scope[name] = logic.Var(name, sort)
		}
	}
	return true
}

// sort reads int, real, bool, or array[SORT] of SORT.
func (p *parser) sort() (*logic.Sort, bool) {
	if p.depth++; p.depth > 20 {
		p.depth--
		return nil, p.fail("nesting", "", "arrays of arrays are nested too deep")
	}
	defer func() { p.depth-- }()
	if p.take("array") {
		if !p.expect("[") {
			return nil, false
		}
		index, ok := p.sort()
		if !ok || !p.expect("]") || !p.expect("of") {
			return nil, false
		}
		element, ok := p.sort()
		if !ok {
			return nil, false
		}
		return logic.ArrayOf(index, element), true
	}
	sorts := map[string]*logic.Sort{"int": logic.Int, "real": logic.Real, "bool": logic.Bool}
	sort := sorts[p.tok()]
	if sort == nil {
		help := source.DidYouMean(p.tok(), []string{"int", "real", "bool", "array"})
		if help == "" {
			help = "sorts are int, real, bool, and array[int] of bool"
		}
		return nil, p.fail("sort", help, "unknown sort %s", p.found())
	}
	p.at++
	return sort, true
}

func (p *parser) constant() bool {
	name, span, ok := p.name("a constant")
	if !ok || !p.expect("=") {
		return false
	}
	t, ok := p.term(logic.ParsePrefix)
	if !ok {
		return false
	}
	if len(logic.Vars(t)) > 0 {
		p.errs.Errorf(span, "not-constant", "the value of a constant cannot depend on variables")
		return false
	}
	if p.declare(name, span) {
		p.scope[name] = t
	}
	return true
}

func (p *parser) query() bool {
	name, span, ok := p.name("a relation")
	if !ok {
		return false
	}
	if p.take("(") && !p.expect(")") {
		return false
	}
	if p.goal != "" {
		d := p.errs.Errorf(span, "duplicate", "the query is given twice")
		d.Related = append(d.Related, source.Related{Span: p.goalAt, Message: "first given here"})
		return false
	}
	p.goal, p.goalAt = name, span
	return true
}

// findGoal is told when all relations are known.
func (p *parser) findGoal() {
	if p.goal == "" {
		p.errs.Errorf(p.file.Span(0, 0), "no-query", "there is no query").Help = "write for example: query Emain;"
		return
	}
	goal, ok := p.heads[p.goal]
	switch {
	case !ok:
		p.errs.Errorf(p.goalAt, "unknown-relation", "unknown relation %q", p.goal).Help = source.DidYouMean(p.goal, p.relations())
	case len(p.rules.Relations[goal].Params) > 0:
		p.errs.Errorf(p.goalAt, "arity", "%s has parameters, and a query asks for a relation without", p.goal).Help =
			fmt.Sprintf("write a rule for it: goal() :- %s(...); query goal;", p.goal)
	}
	p.rules.Goal = goal
}

func (p *parser) relations() (names []string) {
	return lists.Append(nil, p.rules.Relations, func(r Relation) string { return r.Name })
}

// term reads a term of package logic at the token.
func (p *parser) term(parse func(*source.File, int, logic.Syntax, logic.Scope) (*logic.Term, int, source.List)) (*logic.Term, bool) {
	t, end, errs := parse(p.file, int(p.tokens[p.at].Start), logic.C, p.scope)
	if errs != nil {
		for i := range errs {
			if here := foreign[errs[i].Span.Text()]; here != "" && errs[i].Help == "" {
				errs[i].Help = errs[i].Span.Text() + " is written " + here
			}
		}
		p.errs = append(p.errs, errs...)
		return nil, false
	}
	for p.tok() != "" && int(p.tokens[p.at].Start) < end {
		p.at++
	}
	return t, true
}

// rule reads NAME(x, y) :- BODY, and passes over declarations.
func (p *parser) rule() bool {
	if slices.Contains(keywords, p.tok()) {
		p.skip()
		return true
	}
	relation, span := &p.rules.Relations[p.heads[p.tok()]], p.span()
	r := Relation{Name: relation.Name}
	p.at += 2
	if !p.parameters(&r) {
		return false
	}
	if p.tok() == "," || p.tok() == "||" || p.tok() == "&&" {
		return p.fail("two-heads", "write a rule for each relation", "a rule defines one relation, and this one has two heads")
	}
	if !p.take(":-") {
		help := ""
		if p.tok() == ";" {
			help = "a relation that holds of all values has the rule ... :- true;"
		}
		return p.fail("syntax", help, "expected \":-\", found %s", p.found())
	}
	body, ok := p.disjunction()
	if !ok {
		return false
	}
	if relation.Body == nil {
		relation.Params, relation.Body = r.Params, body
		return true
	}
	return p.further(relation, r.Params, body, span)
}

// further joins a further rule to those of a relation: its parameters get the names that
// they have in the first rule, and its own variables of these names get others.
func (p *parser) further(relation *Relation, params []*logic.Term, body *Formula, span source.Span) bool {
	wrong := func(format string, args ...any) bool {
		d := p.errs.Errorf(span, "arity", format, args...)
		d.Related = append(d.Related, source.Related{Span: relation.Span, Message: "first defined here"})
		return false
	}
	if len(params) != len(relation.Params) {
		return wrong("%s has %s here, and %d in its first rule", relation.Name, names.Counted(len(params), "parameter"), len(relation.Params))
	}
	by := map[*logic.Term]*logic.Term{}
	for i, first := range relation.Params {
		if params[i].Sort() != first.Sort() {
			return wrong("parameter %s of %s is of sort %s here, and of sort %s in its first rule", params[i], relation.Name, params[i].Sort(), first.Sort())
		}
		if !slices.Contains(params, first) {
			name := first.Name() + "'"
			for p.declared[name].Valid() {
				name += "'"
			}
			by[first] = logic.Var(name, first.Sort())
		}
	}
	for i, v := range params {
		by[v] = relation.Params[i]
	}
	relation.Body = Or(relation.Body, renamed(body, by))
	return true
}

// renamed substitutes in the constraints and arguments of a formula.
func renamed(f *Formula, by map[*logic.Term]*logic.Term) *Formula {
	out := *f
	if f.Constraint != nil {
		out.Constraint = logic.Substitute(f.Constraint, by)
	}
	out.Args = logic.SubstituteAll(f.Args, by)
	out.Parts = make([]*Formula, len(f.Parts))
	for i, part := range f.Parts {
		out.Parts[i] = renamed(part, by)
	}
	return &out
}

// parameters reads x, y).
func (p *parser) parameters(relation *Relation) bool {
	if p.take(")") {
		return true
	}
	for {
		v := p.scope[p.tok()]
		r, _ := utf8.DecodeRuneInString(p.tok())
		switch next := p.tokens[p.at+1].Text; {
		case v == nil && p.tok() != "" && !letter(r) || v == nil && next != "," && next != ")", v != nil && (v.Op() != logic.OpVar || next != "," && next != ")"):
			return p.fail("parameter", fmt.Sprintf("write %s(x) :- x == TERM && ...", relation.Name), "the parameters of a rule are variables")
		case v == nil:
			help := source.DidYouMean(p.tok(), p.variablesKnown())
			if help == "" {
				help = "declare it: var " + p.tok() + ": int;"
			}
			return p.fail("unknown-variable", help, "unknown variable %s", p.found())
		case slices.Contains(relation.Params, v):
			return p.fail("duplicate", "write a variable of its own, and that it is equal in the body", "%s is a parameter twice", p.found())
		}
		relation.Params = append(relation.Params, v)
		p.at++
		if !p.take(",") {
			return p.expect(")")
		}
	}
}

func (p *parser) variablesKnown() (names []string) {
	for n := range p.scope {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

func (p *parser) disjunction() (*Formula, bool) { return p.joined("||", OpOr, p.conjunction) }

func (p *parser) conjunction() (*Formula, bool) { return p.joined("&&", OpAnd, p.part) }

// joined reads parts with an operator between them.
func (p *parser) joined(operator string, op Op, part func() (*Formula, bool)) (*Formula, bool) {
	start := p.tokens[p.at].Start
	var parts []*Formula
	for {
		f, ok := part()
		if !ok {
			return nil, false
		}
		parts = append(parts, f)
		if !p.take(operator) {
			break
		}
	}
	if len(parts) == 1 {
		return parts[0], true
	}
	return &Formula{Op: op, Parts: parts, Span: p.file.Span(int(start), int(p.tokens[p.at-1].End))}, true
}

// part reads a call, a constraint, or a formula in parentheses.
func (p *parser) part() (*Formula, bool) {
	if p.depth++; p.depth > logic.MaxNesting/4 {
		p.depth--
		return nil, p.fail("nesting", "", "formulas are nested too deep")
	}
	defer func() { p.depth-- }()
	start := p.tokens[p.at].Start
	r, _ := utf8.DecodeRuneInString(p.tok())
	switch {
	case p.tok() == "(" && p.callsInside():
		p.at++
		f, ok := p.disjunction()
		return f, ok && p.expect(")")
	case p.tok() != "" && letter(r) && p.tokens[p.at+1].Text == "(" && !logic.Reserved(p.tok()):
		return p.call()
	case p.tok() == "!" && p.tokens[p.at+1].Text != "" && p.callsAt(p.at+1):
		return nil, p.fail("negated", "relations stand in positive positions only", "a call cannot be negated")
	}
	if q := p.tok(); (q == "forall" || q == "exists") && p.scope[q] == nil {
		return nil, p.fail("quantifier", "a variable that is no parameter stands for some value", "quantifiers are not supported")
	}
	t, ok := p.term(logic.ParseLiteral)
	if !ok {
		return nil, false
	}
	f := Constraint(t)
	f.Span = p.file.Span(int(start), int(p.tokens[p.at-1].End))
	if t.Sort() != logic.Bool {
		p.errs.Errorf(f.Span, "sort", "expected a formula, found a term of sort %s", t.Sort())
		return nil, false
	}
	return f, true
}

// callsAt reports that a call begins at a token, perhaps in parentheses.
func (p *parser) callsAt(i int) bool {
	for p.tokens[i].Text == "(" {
		i++
	}
	_, ok := p.heads[p.tokens[i].Text]
	return ok && p.tokens[i+1].Text == "("
}

// callsInside reports that there is a call within the parentheses at the token.
func (p *parser) callsInside() bool {
	depth := 0
	for i := p.at; i < len(p.tokens)-1; i++ {
		switch t := p.tokens[i].Text; {
		case t == "(":
			depth++
		case t == ")":
			if depth--; depth == 0 {
				return false
			}
		case t == ";":
			return false
		default:
			if _, ok := p.heads[t]; ok && p.tokens[i+1].Text == "(" {
				return true
			}
		}
	}
	return false
}

// call reads NAME(TERM, ...).
func (p *parser) call() (*Formula, bool) {
	start := p.tokens[p.at]
	i, ok := p.heads[p.tok()]
	if !ok {
		help := source.DidYouMean(p.tok(), p.relations())
		return nil, p.fail("unknown-relation", help, "unknown relation %s", p.found())
	}
	p.at += 2
	f := Call(i)
	var spans []source.Span
	if !p.take(")") {
		for {
			from := p.tokens[p.at].Start
			t, ok := p.term(logic.ParsePrefix)
			if !ok {
				return nil, false
			}
			f.Args, spans = append(f.Args, t), append(spans, p.file.Span(int(from), int(p.tokens[p.at-1].End)))
			if !p.take(",") {
				break
			}
		}
		if !p.expect(")") {
			return nil, false
		}
	}
	f.Span = p.file.Span(int(start.Start), int(p.tokens[p.at-1].End))
	return f, p.fits(f, start.Text, spans)
}

// fits checks the arguments of a call, by the head of the rule that it calls, which may
// come later in the text.
func (p *parser) fits(f *Formula, name string, spans []source.Span) bool {
	params, ok := p.headSorts(name)
	if !ok {
		return true // its own mistakes are reported there
	}
	if len(params) != len(f.Args) {
		p.errs.Errorf(f.Span, "arity", "%s has %s, not %d", name, strings.Replace(fmt.Sprintf("%d parameters", len(params)), "1 parameters", "1 parameter", 1), len(f.Args))
		return false
	}
	for k, t := range f.Args {
		if t.Sort() == logic.Int && params[k] == logic.Real {
			f.Args[k] = logic.ToReal(t)
			continue
		}
		if t.Sort() != params[k] {
			p.errs.Errorf(spans[k], "sort", "parameter %d of %s has sort %s, not %s", k+1, name, params[k], t.Sort())
			return false
		}
	}
	return true
}

// headSorts looks up the sorts of a relation's parameters in the text of its head.
func (p *parser) headSorts(name string) (sorts []*logic.Sort, ok bool) {
	at := p.rules.Relations[p.heads[name]].Span
	i, _ := slices.BinarySearchFunc(p.tokens, int32(at.Start), func(t tokens.Token, start int32) int { return int(t.Start - start) })
	for i += 2; p.tokens[i].Text != ")"; i++ {
		v := p.scope[p.tokens[i].Text]
		if v == nil || v.Op() != logic.OpVar {
			return nil, false
		}
		sorts = append(sorts, v.Sort())
		if p.tokens[i+1].Text == "," {
			i++
		}
	}
	return sorts, true
}
