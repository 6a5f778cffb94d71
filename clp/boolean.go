package clp

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
)

// LeastModel is the least model of a rule set of CLP(B) ([Flanagan04], sec. 3.2): all
// terms are propositional formulas over Boolean variables. It is computed in rounds, in
// which each rule is applied to what was known before the round, so that a fact is known
// after as many rounds as its least derivation is high.
type LeastModel struct {
	rules   *RuleSet
	manager *bdd.Manager
	// known is what every relation holds of after each round, over its parameters, which
	// are the variables 0, 1, ... of the diagrams.
	known  [][]bdd.Node
	scopes []map[*logic.Term]int // of each rule: variable -> variable of the diagrams
}

// maxDiagram bounds the nodes of the diagrams of one model: some hundred megabytes.
const maxDiagram = 5_000_000

// Least computes the least model. meter is asked now and then; its error, or a
// *budget.Exhausted, ends it. A rule set with other sorts is an error, too.
func Least(p *RuleSet, meter *budget.Meter) (model *LeastModel, err error) {
	m := &LeastModel{rules: p, manager: bdd.New()}
	m.manager.SetLimit(maxDiagram, func(nodes int) error { return meter.Tick(budget.Progress{Phase: "least model"}) })
	for i := range p.Relations {
		scope, err := booleanScope(&p.Relations[i])
		if err != nil {
			return nil, err
		}
		m.scopes = append(m.scopes, scope)
	}
	err = bdd.Guard(func() error { return m.compute(meter) })
	if err != nil {
		return nil, err
	}
	return m, nil
}

// booleanScope numbers the variables of a rule, parameters first.
func booleanScope(r *Relation) (map[*logic.Term]int, error) {
	scope := map[*logic.Term]int{}
	for _, v := range append(slices.Clone(r.Params), r.Vars()...) {
		if v.Sort() != logic.Bool {
			return nil, fmt.Errorf("the rule of %s is no rule of CLP(B): %s has sort %s", r.Name, v, v.Sort())
		}
		if _, ok := scope[v]; !ok {
			scope[v] = len(scope)
		}
	}
	for _, t := range r.body().terms() {
		for _, h := range logic.Atoms(t) {
			if h.Op() != logic.OpVar {
				return nil, fmt.Errorf("the rule of %s is no rule of CLP(B): it has %s", r.Name, h)
			}
		}
	}
	return scope, nil
}

func (m *LeastModel) compute(meter *budget.Meter) error {
	users := m.users()
	now := make([]bdd.Node, len(m.rules.Relations))
	due := make([]bool, len(now)) // relations whose rules may say something new
	for i := range due {
		due[i] = true
	}
	for changed := true; changed; {
		m.known = append(m.known, slices.Clone(now))
		if err := meter.Tick(budget.Progress{Phase: "least model", Depth: int64(len(m.known))}); err != nil {
			return err
		}
		before := m.known[len(m.known)-1]
		changed = false
		next := make([]bool, len(now))
		for i := range now {
			if !due[i] {
				continue
			}
			if now[i] = m.project(i, m.body(i, before)); now[i] != before[i] {
				changed = true
				for _, u := range users[i] {
					next[u] = true
				}
			}
		}
		due = next
	}
	return nil
}

// users returns for each relation those whose rules call it.
func (m *LeastModel) users() [][]int {
	users := make([][]int, len(m.rules.Relations))
	for i := range m.rules.Relations {
		m.rules.Relations[i].body().Walk(func(f *Formula) {
			if f.Op == OpCall && !slices.Contains(users[f.Relation], i) {
				users[f.Relation] = append(users[f.Relation], i)
			}
		})
	}
	return users
}

// body is a rule's body with what is known of relations put in, over the rule's variables.
func (m *LeastModel) body(rule int, known []bdd.Node) bdd.Node {
	return m.formula(rule, m.rules.Relations[rule].body(), known)
}

func (m *LeastModel) formula(rule int, f *Formula, known []bdd.Node) bdd.Node {
	switch f.Op {
	case OpConstraint:
		return m.term(rule, f.Constraint)
	case OpCall:
		args := lists.Map(f.Args, func(t *logic.Term) bdd.Node { return m.term(rule, t) })
		return m.compose(known[f.Relation], args, map[bdd.Node]bdd.Node{})
	case OpAnd:
		out := bdd.True
		for _, p := range f.Parts {
			if out = m.manager.And(out, m.formula(rule, p, known)); out == bdd.False {
				break
			}
		}
		return out
	}
	out := bdd.False
	for _, p := range f.Parts {
		out = m.manager.Or(out, m.formula(rule, p, known))
	}
	return out
}

// term is a propositional formula as a diagram.
func (m *LeastModel) term(rule int, t *logic.Term) bdd.Node {
	scope := m.scopes[rule]
	done := map[*logic.Term]bdd.Node{}
	var of func(t *logic.Term) bdd.Node
	of = func(t *logic.Term) bdd.Node {
		if n, ok := done[t]; ok {
			return n
		}
		var n bdd.Node
		switch t.Op() {
		case logic.OpFalse:
			n = bdd.False
		case logic.OpTrue:
			n = bdd.True
		case logic.OpVar:
			n = m.manager.Var(scope[t])
		case logic.OpNot:
			n = m.manager.Not(of(t.Args()[0]))
		case logic.OpEq:
			a, b := of(t.Args()[0]), of(t.Args()[1])
			n = m.manager.ITE(a, b, m.manager.Not(b))
		case logic.OpAnd:
			n = bdd.True
			for _, a := range t.Args() {
				n = m.manager.And(n, of(a))
			}
		case logic.OpOr:
			n = bdd.False
			for _, a := range t.Args() {
				n = m.manager.Or(n, of(a))
			}
		default:
			panic(fmt.Sprintf("clp: %s in a rule of CLP(B)", t))
		}
		done[t] = n
		return n
	}
	return of(t)
}

// compose puts arguments into a relation.
func (m *LeastModel) compose(f bdd.Node, args []bdd.Node, done map[bdd.Node]bdd.Node) bdd.Node {
	if f == bdd.False || f == bdd.True {
		return f
	}
	if n, ok := done[f]; ok {
		return n
	}
	n := m.manager.ITE(args[m.manager.Level(f)], m.compose(m.manager.High(f), args, done), m.compose(m.manager.Low(f), args, done))
	done[f] = n
	return n
}

// project leaves the parameters of a rule: the others come behind them in all diagrams, and
// what is not false there is true for some values.
func (m *LeastModel) project(rule int, f bdd.Node) bdd.Node {
	params := len(m.rules.Relations[rule].Params)
	done := map[bdd.Node]bdd.Node{}
	var of func(f bdd.Node) bdd.Node
	of = func(f bdd.Node) bdd.Node {
		if f == bdd.False || f == bdd.True {
			return f
		}
		if m.manager.Level(f) >= params {
			return bdd.True
		}
		n, ok := done[f]
		if !ok {
			n = m.manager.Node(m.manager.Level(f), of(m.manager.Low(f)), of(m.manager.High(f)))
			done[f] = n
		}
		return n
	}
	return of(f)
}

// Rounds returns how many rounds made new facts.
func (m *LeastModel) Rounds() int { return len(m.known) - 1 }

// Holds reports whether a relation holds of some values.
func (m *LeastModel) Holds(relation int, values ...bool) bool {
	return m.manager.Sat(m.known[len(m.known)-1][relation], func(v int) bool { return values[v] })
}

// Goal reports whether the goal has a derivation.
func (m *LeastModel) Goal() bool { return m.Holds(m.rules.Goal) }

// fact is a relation that holds of values, and the round in which it was found.
type fact struct {
	relation int
	values   string // '0' and '1'
	round    int
}

// Trace returns a derivation of the goal that is as low as possible, in terms of the
// clauses of RuleSet.Clauses, with one node for each fact; nil if there is none.
func (m *LeastModel) Trace() *Trace {
	if !m.Goal() {
		return nil
	}
	t := &Trace{}
	first := m.firstClauses()
	at := map[string]int{} // node of a fact
	var facts []fact
	queue := []fact{m.earliest(m.rules.Goal, nil)}
	// Calls have lower rounds than their callers: in the order of rounds, from above, each
	// node comes before what it calls.
	for len(queue) > 0 {
		slices.SortStableFunc(queue, func(a, b fact) int { return b.round - a.round })
		f := queue[0]
		queue = queue[1:]
		at[fmt.Sprint(f.relation, f.values)] = len(facts)
		facts = append(facts, f)
		alternative, calls := m.choose(f)
		t.Nodes = append(t.Nodes, Node{Clause: first[f.relation] + alternative})
		for _, c := range calls {
			if !slices.Contains(queue, c) {
				queue = append(queue, c)
			}
		}
	}
	for i, f := range facts {
		_, calls := m.choose(f)
		for _, c := range calls {
			t.Nodes[i].Calls = append(t.Nodes[i].Calls, at[fmt.Sprint(c.relation, c.values)])
		}
	}
	if m.rules.goalCalled() {
		t.belowGoal(first[len(first)-1] + m.rules.Relations[len(first)-1].body().count())
	}
	return t
}

// belowGoal puts a node of a clause that only calls the goal above all others.
func (t *Trace) belowGoal(clause int) {
	t.Nodes = slices.Insert(t.Nodes, 0, Node{Clause: clause, Calls: []int{0}})
	for i := range t.Nodes {
		for k := range t.Nodes[i].Calls {
			t.Nodes[i].Calls[k]++
		}
	}
}

// firstClauses returns the number of each relation's first clause, see Clauses.
func (m *LeastModel) firstClauses() []int {
	first, n := make([]int, len(m.rules.Relations)), 0
	for i := range first {
		first[i] = n
		n += m.rules.Relations[i].body().count()
	}
	return first
}

// earliest returns the fact that a relation holds of values.
func (m *LeastModel) earliest(relation int, values []bool) fact {
	text := make([]byte, len(values))
	for k, v := range values {
		text[k] = '0'
		if v {
			text[k] = '1'
		}
	}
	value := func(v int) bool { return values[v] }
	for round := range m.known {
		if m.manager.Sat(m.known[round][relation], value) {
			return fact{relation, string(text), round}
		}
	}
	panic("clp: a fact that does not hold")
}

// choose returns an alternative of a fact's rule that derives it, and the facts that it calls.
func (m *LeastModel) choose(f fact) (alternative int, calls []fact) {
	before := m.known[f.round-1]
	body := m.body(f.relation, before)
	// Values of all variables of the rule that make the body true.
	values := map[int]bool{}
	for k := range f.values {
		values[k] = f.values[k] == '1'
	}
	for n := body; n != bdd.True; {
		v := m.manager.Level(n)
		if v >= len(f.values) {
			values[v] = m.manager.Low(n) == bdd.False
		}
		if values[v] {
			n = m.manager.High(n)
		} else {
			n = m.manager.Low(n)
		}
	}
	value := func(v int) bool { return values[v] }
	number, ok := m.pick(f.relation, m.rules.Relations[f.relation].body(), before, value, &calls)
	if !ok {
		panic("clp: a fact without a derivation")
	}
	return number, calls
}

// pick returns the first alternative of a formula that is true for values, and what it calls.
func (m *LeastModel) pick(rule int, f *Formula, known []bdd.Node, value func(int) bool, calls *[]fact) (number int, ok bool) {
	switch f.Op {
	case OpConstraint:
		return 0, m.manager.Sat(m.term(rule, f.Constraint), value)
	case OpCall:
		args := lists.Map(f.Args, func(t *logic.Term) bool { return m.manager.Sat(m.term(rule, t), value) })
		if !m.manager.Sat(known[f.Relation], func(v int) bool { return args[v] }) {
			return 0, false
		}
		*calls = append(*calls, m.earliest(f.Relation, args))
		return 0, true
	case OpAnd:
		for _, p := range f.Parts {
			n, ok := m.pick(rule, p, known, value, calls)
			if !ok {
				return 0, false
			}
			number = number*p.count() + n
		}
		return number, true
	}
	for _, p := range f.Parts {
		mark := len(*calls)
		n, ok := m.pick(rule, p, known, value, calls)
		if ok {
			return number + n, true
		}
		*calls = (*calls)[:mark]
		number += p.count()
	}
	return 0, false
}
