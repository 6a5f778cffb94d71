package clp_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/clp"
)

// What clauses over datatypes mean, a second time: sorts, terms with their values, and least models by enumeration.

type dtField struct{ name, sort string }

type dtConstructor struct {
	name   string
	fields []dtField
}

var dtSorts = map[string][]dtConstructor{
	"E": {{"red", nil}, {"green", nil}, {"blue", nil}},
	"O": {{"none", nil}, {"some", []dtField{{"val", "Int"}}}},
	"R": {{"rec", []dtField{{"rx", "Int"}, {"ry", "Bool"}}}},
	"S": {{"left", []dtField{{"le", "E"}}}, {"right", []dtField{{"ri", "R"}}}, {"stop", nil}},
	"Q": {{"q", []dtField{{"qi", "Int"}, {"qs", "S"}}}},
	"L": {{"nil", nil}, {"cons", []dtField{{"hd", "Int"}, {"tl", "L"}}}},
	"T": {{"leaf", nil}, {"node", []dtField{{"lt", "T"}, {"el", "E"}, {"rt", "T"}}}},
	"N": {{"rose", []dtField{{"at", "Int"}, {"kids", "F"}}}}, // each contains the other
	"F": {{"empty", nil}, {"more", []dtField{{"one", "N"}, {"rest", "F"}}}},
}

// dtFields are those of each constructor.
var dtFields = func() map[string][]dtField {
	all := map[string][]dtField{}
	for _, cs := range dtSorts {
		for _, c := range cs {
			all[c.name] = c.fields
		}
	}
	return all
}()

var dtNames = []string{"E", "O", "R", "S", "Q", "L", "T", "N", "F"}

// dtGeneric are declarations of some with parameters.
const dtGeneric = `(declare-datatypes ((Opt 1) (Lst 1)) ((par (A) ((none) (some (val A)))) (par (A) ((nil) (cons (hd A) (tl (Lst A)))))))
(declare-datatypes (A) ((Tree leaf (node (lt Tree) (el A) (rt Tree)))))
(define-sort O () (Opt Int))
(define-sort L () (Lst Int))
(define-sort T () (Tree E))
`

func dtDeclarations(generic bool) string {
	var b strings.Builder
	b.WriteString("(declare-datatypes ((N 0) (F 0)) (((rose (at Int) (kids F))) ((empty) (more (one N) (rest F)))))\n")
	if generic {
		b.WriteString(dtGeneric)
	}
	for _, s := range dtNames {
		if s == "N" || s == "F" || generic && strings.Contains("OLT", s) {
			continue
		}
		fmt.Fprintf(&b, "(declare-datatypes ((%s 0)) ((", s)
		for _, c := range dtSorts[s] {
			fmt.Fprintf(&b, "(%s", c.name)
			for _, f := range c.fields {
				fmt.Fprintf(&b, " (%s %s)", f.name, f.sort)
			}
			b.WriteString(")")
		}
		b.WriteString(")))\n")
	}
	return b.String()
}

// dtValue is a number (of Bool: 0 or 1), or what a constructor built.
type dtValue struct {
	n      int
	con    string
	fields []*dtValue
}

// String has a ? for a field that is not known.
func (v *dtValue) String() string {
	if v == nil {
		return "?"
	}
	if v.con == "" {
		return fmt.Sprint(v.n)
	}
	if len(v.fields) == 0 {
		return v.con
	}
	return fmt.Sprint("(", v.con, " ", v.fields, ")")
}

func dtBool(b bool) *dtValue {
	if b {
		return &dtValue{n: 1}
	}
	return &dtValue{}
}

// dtTerm is a variable, a number, or an operator; "sel f", "is c" and constructors by their names.
type dtTerm struct {
	op   string
	args []*dtTerm
	n    int
}

func (t *dtTerm) String() string {
	op := t.op
	switch {
	case op == "number":
		if t.n < 0 {
			return fmt.Sprintf("(- %d)", -t.n)
		}
		return fmt.Sprint(t.n)
	case strings.HasPrefix(op, "is "):
		op = "(_ " + op + ")"
	case strings.HasPrefix(op, "sel "):
		op = op[4:]
	case len(t.args) == 0:
		return op
	}
	for _, a := range t.args {
		op += " " + a.String()
	}
	return "(" + op + ")"
}

// eval is the value, nil where it depends on a field that is not there.
func (t *dtTerm) eval(env map[string]*dtValue) *dtValue {
	if v := env[t.op]; v != nil {
		return v
	}
	if t.op == "number" {
		return &dtValue{n: t.n}
	}
	if t.op == "and" || t.op == "or" { // one operand may decide
		a, b := t.args[0].eval(env), t.args[1].eval(env)
		decides := func(v *dtValue) bool { return v != nil && (v.n == 1) == (t.op == "or") }
		switch {
		case decides(a):
			return a
		case decides(b) || a != nil:
			return b
		}
		return nil
	}
	if t.op == "ite" {
		switch c := t.args[0].eval(env); {
		case c == nil:
			return nil
		case c.n == 1:
			return t.args[1].eval(env)
		}
		return t.args[2].eval(env)
	}
	if t.op == "is rec" || t.op == "is q" || t.op == "is rose" { // there are no others
		return dtBool(true)
	}
	args := make([]*dtValue, len(t.args))
	for i, a := range t.args {
		args[i] = a.eval(env)
		if _, constructs := dtFields[t.op]; args[i] == nil && !constructs && t.op != "=" && t.op != "distinct" {
			return nil
		}
	}
	switch {
	case t.op == "true" || t.op == "false":
		return dtBool(t.op == "true")
	case t.op == "not":
		return dtBool(args[0].n == 0)
	case t.op == "=" || t.op == "distinct":
		same, known := dtSame(args[0], args[1])
		if !known {
			return nil
		}
		return dtBool(same == (t.op == "="))
	case t.op == "<":
		return dtBool(args[0].n < args[1].n)
	case t.op == "+":
		return &dtValue{n: args[0].n + args[1].n}
	case strings.HasPrefix(t.op, "is "):
		return dtBool(args[0].con == t.op[3:])
	case strings.HasPrefix(t.op, "sel "):
		for k, f := range dtFields[args[0].con] {
			if f.name == t.op[4:] {
				return args[0].fields[k]
			}
		}
		return nil
	}
	return &dtValue{con: t.op, fields: args}
}

// dtSame compares values that may not be known, or some fields of which.
func dtSame(a, b *dtValue) (same, known bool) {
	switch {
	case a == nil || b == nil:
		return false, false
	case a.con != b.con || a.n != b.n:
		return false, true
	}
	all := true
	for i := range a.fields {
		same, known := dtSame(a.fields[i], b.fields[i])
		if known && !same {
			return false, true
		}
		all = all && known
	}
	return all, all
}

// dtGen draws terms over variables v0, v1, ... of some sorts.
type dtGen struct {
	*rand.Rand
	vars []string // their sorts
}

func (g *dtGen) variable(sort string) *dtTerm {
	var of []int
	for i, s := range g.vars {
		if s == sort {
			of = append(of, i)
		}
	}
	if len(of) == 0 || len(of) == 1 && g.IntN(6) == 0 && len(g.vars) < 4 {
		of = []int{len(g.vars)}
		g.vars = append(g.vars, sort)
	}
	return &dtTerm{op: fmt.Sprintf("v%d", of[g.IntN(len(of))])}
}

func (g *dtGen) term(sort string, depth int) *dtTerm {
	t := func(s string) *dtTerm { return g.term(s, depth-1) }
	op := func(name string, args ...*dtTerm) *dtTerm { return &dtTerm{op: name, args: args} }
	if depth == 0 || g.IntN(3) == 0 {
		if sort == "Int" && g.IntN(3) == 0 {
			return &dtTerm{op: "number", n: g.IntN(4) - 1}
		}
		return g.variable(sort)
	}
	any := func() string { return []string{"Int", "E", "O", "R", "S", "Q", "L", "T", "N", "F"}[g.IntN(10)] }
	if sort == "Bool" {
		switch g.IntN(7) {
		case 0:
			return op("and", t("Bool"), t("Bool"))
		case 1:
			return op("or", t("Bool"), t("Bool"))
		case 2:
			return op("not", t("Bool"))
		case 3:
			return op("<", t("Int"), t("Int"))
		case 4:
			s := dtNames[g.IntN(len(dtNames))]
			cs := dtSorts[s]
			return op("is "+cs[g.IntN(len(cs))].name, t(s))
		default:
			s := any()
			return op([]string{"=", "=", "distinct"}[g.IntN(3)], t(s), t(s))
		}
	}
	if g.IntN(5) == 0 {
		for range 10 { // a field of the sort
			s := dtNames[g.IntN(len(dtNames))]
			c := dtSorts[s][g.IntN(len(dtSorts[s]))]
			for _, f := range c.fields {
				if f.sort == sort {
					return op("sel "+f.name, t(s))
				}
			}
		}
	}
	switch cs := dtSorts[sort]; {
	case g.IntN(8) == 0:
		return op("ite", t("Bool"), t(sort), t(sort))
	case cs == nil:
		return op("+", t("Int"), &dtTerm{op: "number", n: g.IntN(3) - 1})
	default:
		c := cs[g.IntN(len(cs))]
		made := op(c.name)
		for _, f := range c.fields {
			made.args = append(made.args, t(f.sort))
		}
		return made
	}
}

type dtCall struct {
	pred int
	args []*dtTerm
}

type dtClause struct {
	vars []string
	body []dtCall
	when *dtTerm
	head *dtCall
}

type dtProblem struct {
	generic bool // it is written with parameters of datatypes
	preds   [][]string
	clauses []dtClause
}

// dtRandom draws rules: of each predicate one or two without calls and one or two with, and a query.
func dtRandom(r *rand.Rand) *dtProblem {
	p := &dtProblem{generic: r.IntN(2) == 0}
	sorts := []string{"Int", "E", "O", "S", "Q", "L", "T", "L", "E", "N", "F"}
	for range 1 + r.IntN(2) {
		var params []string
		for range 1 + r.IntN(2) {
			params = append(params, sorts[r.IntN(len(sorts))])
		}
		p.preds = append(p.preds, params)
	}
	clause := func(head, calls int) {
		g := &dtGen{Rand: r}
		c := dtClause{}
		for range calls {
			call := dtCall{pred: r.IntN(len(p.preds))}
			for _, s := range p.preds[call.pred] {
				call.args = append(call.args, g.variable(s))
			}
			c.body = append(c.body, call)
		}
		c.when = g.term("Bool", 1+r.IntN(3))
		if head >= 0 {
			c.head = &dtCall{pred: head}
			for _, s := range p.preds[head] {
				c.head.args = append(c.head.args, g.term(s, r.IntN(3)))
			}
		}
		c.vars = g.vars
		p.clauses = append(p.clauses, c)
	}
	for i := range p.preds {
		clause(i, 0)
		for range 1 + r.IntN(2) {
			clause(i, 1+r.IntN(5)/4)
		}
	}
	clause(-1, 1+r.IntN(2))
	return p
}

func (p *dtProblem) String() string {
	var b strings.Builder
	b.WriteString(dtDeclarations(p.generic))
	for i, params := range p.preds {
		fmt.Fprintf(&b, "(declare-fun P%d (%s) Bool)\n", i, strings.Join(params, " "))
	}
	call := func(c dtCall) string { return (&dtTerm{op: fmt.Sprintf("P%d", c.pred), args: c.args}).String() }
	for _, c := range p.clauses {
		b.WriteString("(assert (forall ((unused Int) (o O) (l L) (t T)") // so that there are those datatypes
		for i, s := range c.vars {
			fmt.Fprintf(&b, " (v%d %s)", i, s)
		}
		b.WriteString(") (=> (and true")
		for _, a := range c.body {
			b.WriteString(" " + call(a))
		}
		b.WriteString(" " + c.when.String() + ") ")
		if c.head != nil {
			b.WriteString(call(*c.head))
		} else {
			b.WriteString("false")
		}
		b.WriteString(")))\n")
	}
	return b.String()
}

// dtUniverse are the small values of a sort.
func dtUniverse(sort string, depth int) (all []*dtValue) {
	switch {
	case sort == "Int":
		for n := -1; n < 3; n++ {
			all = append(all, &dtValue{n: n})
		}
		return all
	case sort == "Bool":
		return []*dtValue{{n: 0}, {n: 1}}
	case depth == 0:
		return nil
	}
	for _, c := range dtSorts[sort] {
		built := [][]*dtValue{nil}
		for _, f := range c.fields {
			var more [][]*dtValue
			for _, b := range built {
				for _, v := range dtUniverse(f.sort, depth-1) {
					more = append(more, append(b[:len(b):len(b)], v))
				}
			}
			built = more
		}
		for _, b := range built {
			all = append(all, &dtValue{con: c.name, fields: b})
		}
	}
	return all
}

var dtSmall = func() map[string][]*dtValue {
	all := map[string][]*dtValue{}
	for _, s := range append([]string{"Int", "Bool"}, dtNames...) {
		all[s] = dtUniverse(s, 3)
	}
	return all
}()

// least are facts of the least model that small values derive, by predicate, and whether false is one.
func (p *dtProblem) least() (facts []map[string][]*dtValue, goal bool) {
	facts = make([]map[string][]*dtValue, len(p.preds))
	for i := range facts {
		facts[i] = map[string][]*dtValue{}
	}
	const mostFacts, mostValues = 40, 3000
	for changed := true; changed; {
		changed = false
		for _, c := range p.clauses {
			steps := 0
			env := map[string]*dtValue{}
			var calls, rest func(i int)
			calls = func(i int) {
				if i == len(c.body) {
					rest(0)
					return
				}
				for _, fact := range facts[c.body[i].pred] {
					before := map[string]*dtValue{}
					fits := true
					for k, a := range c.body[i].args {
						if v := env[a.op]; v == nil {
							env[a.op], before[a.op] = fact[k], fact[k]
						} else if v.String() != fact[k].String() {
							fits = false
						}
					}
					if fits {
						calls(i + 1)
					}
					for name := range before {
						delete(env, name)
					}
				}
			}
			rest = func(i int) {
				if i == len(c.vars) {
					if steps++; steps > mostValues {
						return
					}
					if v := c.when.eval(env); v == nil || v.n == 0 {
						return
					}
					if c.head == nil {
						goal = true
						return
					}
					var args []*dtValue
					for _, a := range c.head.args {
						v := a.eval(env)
						if text := v.String(); strings.Contains(text, "?") || len(text) > 200 {
							return
						}
						args = append(args, v)
					}
					if of := facts[c.head.pred]; of[fmt.Sprint(args)] == nil && len(of) < mostFacts {
						of[fmt.Sprint(args)], changed = args, true
					}
					return
				}
				name := fmt.Sprintf("v%d", i)
				if env[name] != nil {
					rest(i + 1)
					return
				}
				for _, v := range dtSmall[c.vars[i]] {
					if env[name] = v; steps <= mostValues {
						rest(i + 1)
					}
				}
				delete(env, name)
			}
			calls(0)
		}
	}
	return facts, goal
}

// dtOf is a value of package logic as one of these.
func dtOf(v logic.Value) *dtValue {
	switch {
	case v.Sort() == logic.Bool:
		return dtBool(v.Bool())
	case v.Sort() == logic.Int:
		return &dtValue{n: int(v.Num().Num().Int64())}
	}
	con, fields := v.Built()
	made := &dtValue{con: v.Sort().Constructors()[con].Name}
	for _, f := range fields {
		made.fields = append(made.fields, dtOf(f))
	}
	return made
}

// derives checks that a derivation consists of instances of the clauses.
func (p *dtProblem) derives(problem *horn.Problem, d *Derivation) error {
	facts := make([]string, len(d.Nodes))
	for i := len(d.Nodes) - 1; i >= 0; i-- {
		c := p.clauses[d.Nodes[i].Clause]
		env := map[string]*dtValue{}
		for name, v := range d.Values[i] {
			if strings.HasPrefix(name, "v") {
				// a record is its parts
				root, _, _ := strings.Cut(name, ".")
				if root == name {
					env[name] = dtOf(v)
				}
			}
		}
		for k, s := range c.vars {
			name := fmt.Sprintf("v%d", k)
			if env[name] == nil {
				env[name] = dtSmall[s][0] // the clause does not speak of it
			}
			if s == "Q" {
				qi, qs := d.Values[i][name+".qi"], d.Values[i][name+".qs"]
				q := &dtValue{con: "q", fields: []*dtValue{{}, dtSmall["S"][0]}}
				if qi.Sort() != nil {
					q.fields[0] = dtOf(qi)
				}
				if qs.Sort() != nil {
					q.fields[1] = dtOf(qs)
				}
				env[name] = q
			}
		}
		if v := c.when.eval(env); v == nil || v.n == 0 {
			return fmt.Errorf("node %d: %v is not true of %v", i, c.when, env)
		}
		text := func(call dtCall) string {
			out := fmt.Sprint(call.pred)
			for _, a := range call.args {
				out += fmt.Sprint(" ", a.eval(env))
			}
			return out
		}
		if c.head != nil {
			facts[i] = text(*c.head)
		}
		for k, call := range c.body {
			if j := d.Nodes[i].Calls[k]; j <= i || facts[j] != text(call) || strings.Contains(facts[j], "?") {
				return fmt.Errorf("node %d: call %d is %s, not %s", i, k, facts[j], text(call))
			}
		}
	}
	if p.clauses[d.Nodes[0].Clause].head != nil {
		return fmt.Errorf("it derives %s", facts[0])
	}
	return nil
}

// inside says whether a solution has a fact; ok is false where that depends on a field that is not there.
func (p *dtProblem) inside(problem *horn.Problem, s horn.Solution, pred int, args []*dtValue) (holds, ok bool) {
	var flat []*dtValue
	for k, a := range args {
		if p.preds[pred][k] == "Q" {
			flat = append(flat, a.fields...)
		} else {
			flat = append(flat, a)
		}
	}
	m := logic.Model{}
	for k, v := range problem.Preds[pred].Params {
		m[v.Name()] = dtBack(v.Sort(), flat[k])
	}
	var sizes []*logic.Term
	for _, v := range logic.Vars(s[pred]) {
		if v.Sort().Kind() == logic.FunctionKind {
			sizes = append(sizes, v)
		}
	}
	if len(sizes) > 0 {
		m = dtSizes(s[pred], sizes, m)
	}
	holds, err := logic.Holds(s[pred], m)
	return holds, err == nil
}

// dtSizes gives functions the sizes of the values that a formula applies them to.
func dtSizes(f *logic.Term, sizes []*logic.Term, m logic.Model) logic.Model {
	for _, h := range sizes {
		var points []logic.Point
		for _, a := range logic.Applications(f) {
			if a.Args()[0] != h {
				continue
			}
			if v, err := logic.Eval(a.Args()[1], m); err == nil {
				points = append(points, logic.Point{Arguments: []logic.Value{v}, Value: logic.IntValue(dtSize(dtOf(v)))})
			}
		}
		m[h.Name()] = logic.FunctionValue(h.Sort(), points, logic.IntValue(0))
	}
	return m
}

// dtSize is the number of elements of a list, of inner nodes of a tree, and of other values that of the constructor among
// those that are not recursive.
func dtSize(v *dtValue) int64 {
	switch v.con {
	case "cons":
		return 1 + dtSize(v.fields[1])
	case "node":
		return 1 + dtSize(v.fields[0]) + dtSize(v.fields[2])
	case "rose":
		return 1 + dtSize(v.fields[1])
	case "more":
		return 1 + dtSize(v.fields[0]) + dtSize(v.fields[1])
	case "nil", "leaf", "empty":
		return 0
	}
	for _, cs := range dtSorts {
		for i, c := range cs {
			if c.name == v.con {
				return int64(i)
			}
		}
	}
	return 0
}

// dtBackTerm is a constant.
func dtBackTerm(sort *logic.Sort, v *dtValue) *logic.Term {
	switch sort {
	case logic.Bool:
		return logic.BoolConst(v.n == 1)
	case logic.Int:
		return logic.IntConst(int64(v.n))
	}
	for i, c := range sort.Constructors() {
		if c.Name == v.con {
			var fields []*logic.Term
			for k, f := range c.Fields {
				fields = append(fields, dtBackTerm(f.Sort, v.fields[k]))
			}
			return logic.Construct(sort, i, fields...)
		}
	}
	panic(v.con)
}

func dtBack(sort *logic.Sort, v *dtValue) logic.Value {
	out, err := logic.Eval(dtBackTerm(sort, v), nil)
	if err != nil {
		panic(err)
	}
	return out
}

// dtMutants changes one part of a solution: what is confirmed nevertheless has all facts.
func dtMutants(t *testing.T, seed uint64, p *dtProblem, problem *horn.Problem, s horn.Solution, facts []map[string][]*dtValue, pool *smt.Pool) {
	r := gen.Rand(seed)
	i := r.IntN(len(s))
	parts := slices.Collect(logic.Subterms(s[i]))
	part := parts[r.IntN(len(parts))]
	by := map[*logic.Term]*logic.Term{}
	switch {
	case part.Sort() == logic.Bool && r.IntN(2) == 0:
		by[part] = logic.Not(part)
	case part.Sort() == logic.Bool:
		by[part] = logic.False()
	case part.Sort() == logic.Int:
		by[part] = logic.Add(part, logic.IntConst(1))
	case part.Sort().Kind() == logic.DatatypeKind:
		for _, name := range dtNames { // another value, by a constructor of the sort
			if small := dtSmall[name]; small[0].con == part.Sort().Constructors()[0].Name {
				by[part] = dtBackTerm(part.Sort(), small[r.IntN(len(small))])
			}
		}
	default:
		return
	}
	mutant := slices.Clone(s)
	mutant[i] = logic.Substitute(s[i], by)
	z, err := pool.Acquire(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Release(z)
	err = CheckSolution(context.Background(), problem, mutant, z)
	for _, args := range facts[i] {
		if holds, ok := p.inside(problem, mutant, i, args); ok && !holds && err == nil {
			t.Errorf("seed %d: a mutant that lacks P%d of %v is confirmed: %v\n%s", seed, i, args, mutant[i], p)
		}
	}
	if c := p.violated(r, problem, mutant); c != "" && err == nil {
		t.Errorf("seed %d: a mutant is confirmed that %s: %v\n%s", seed, c, mutant, p)
	} else if c != "" {
		dtViolated++
	}
	if err != nil {
		dtRefused++
	}
}

// violated looks for small values of which a clause is not true, of a few that are drawn.
func (p *dtProblem) violated(r *rand.Rand, problem *horn.Problem, s horn.Solution) string {
	for k, c := range p.clauses {
		for range 25 {
			env := map[string]*dtValue{}
			for i, sort := range c.vars {
				env[fmt.Sprintf("v%d", i)] = dtSmall[sort][r.IntN(len(dtSmall[sort]))]
			}
			if v := c.when.eval(env); v == nil || v.n == 0 {
				continue
			}
			is := func(call dtCall, want bool) bool {
				var args []*dtValue
				for _, a := range call.args {
					v := a.eval(env)
					if strings.Contains(v.String(), "?") {
						return false
					}
					args = append(args, v)
				}
				holds, ok := p.inside(problem, s, call.pred, args)
				return ok && holds == want
			}
			if !slices.ContainsFunc(c.body, func(call dtCall) bool { return !is(call, true) }) && (c.head == nil || is(*c.head, false)) {
				return fmt.Sprintf("violates clause %d for %v", k, env)
			}
		}
	}
	return ""
}

// dtRefused counts mutants, dtViolated those that small values show to be none.
var dtRefused, dtViolated int

// TestDatatypes: what is said of random rules over enumerations, sums, records, lists and trees agrees with their
// least models: derivations are ones by the rules, and solutions have all facts that small values derive.
func TestDatatypes(t *testing.T) {
	pool := smt.Z3Pool(2, smt.Options{})
	defer pool.Close()
	answers := map[Verdict]int{}
	derivable, bySizes := 0, 0
	for seed := range soak.Long(uint64(1000)) {
		p := dtRandom(gen.Rand(seed))
		problem, err := horn.ParseText("p", p.String())
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		facts, goal := p.least()
		if goal {
			derivable++
		}
		o := Options{Rounds: 5, Turns: 1}
		switch seed % 4 {
		case 0:
			o.Without = []Method{Spacer}
		case 1:
			o.Without = []Method{CAR, ARMC, Sizes}
		case 2:
			o.Without = []Method{Spacer, CAR, ARMC}
		}
		r, err := Decide(context.Background(), OfProblem(problem), pool, o)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		answers[r.Verdict]++
		if r.Method == Sizes && r.Verdict == Underivable {
			bySizes++
		}
		switch r.Verdict {
		case Derivable:
			if err := p.derives(problem, r.Derivation); err != nil {
				t.Errorf("seed %d: %v\n%s", seed, err, p)
			}
		case Underivable:
			if goal {
				t.Errorf("seed %d: there is a derivation\n%s", seed, p)
			}
			if c := p.violated(gen.Rand(seed), problem, r.Solution); c != "" {
				t.Errorf("seed %d: the solution %s\n%v\n%s", seed, c, r.Solution, p)
			}
			dtMutants(t, seed, p, problem.With(r.Folds), r.Solution, facts, pool)
			for i := range facts {
				for _, args := range facts[i] {
					if holds, ok := p.inside(problem, r.Solution, i, args); ok && !holds {
						t.Errorf("seed %d: the solution lacks P%d of %v\n%s", seed, i, args, p)
					}
				}
			}
		}
	}
	t.Log(answers, derivable, bySizes, dtRefused, dtViolated)
	if n := soak.Least(1000); answers[Derivable] < n/5 || answers[Underivable] < n/8 || bySizes < n/100 || dtRefused < n/20 || dtViolated < n/50 {
		t.Errorf("%v, %d by sizes, %d mutants are refused, %d because of small values", answers, bySizes, dtRefused, dtViolated)
	}
}
