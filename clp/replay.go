package clp

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
)

// Derivation is a trace with values: why the clauses have no solution.
type Derivation struct {
	Trace
	Values    []logic.Model // of each node: the clause's variables, by name
	Functions logic.Model   // of unknown functions, the same for all nodes
}

// environment returns the values that node i is evaluated with.
func (d *Derivation) environment(i int) logic.Model {
	if len(d.Functions) == 0 {
		return d.Values[i]
	}
	all := maps.Clone(d.Functions)
	maps.Copy(all, d.Values[i])
	return all
}

// Replay checks a derivation by evaluation: every node is an instance of a clause whose
// constraint is true, and what it calls are instances with just the values of the
// arguments. Nothing that searches is used. The error says which node is wrong.
func (d *Derivation) Replay(p *horn.Problem) error {
	if err := d.Valid(p); err != nil {
		return err
	}
	if len(d.Values) != len(d.Nodes) {
		return fmt.Errorf("values for %d of %d nodes", len(d.Values), len(d.Nodes))
	}
	for i, n := range d.Nodes {
		c := &p.Clauses[n.Clause]
		own := d.environment(i)
		if ok, err := logic.Holds(c.Constraint, own); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		} else if !ok {
			return fmt.Errorf("node %d: the constraint of its clause is false", i)
		}
		for k, j := range n.Calls {
			actual, err := evalAll(c.Body[k].Args, own)
			if err != nil {
				return fmt.Errorf("node %d: %w", i, err)
			}
			formal, err := evalAll(p.Clauses[d.Nodes[j].Clause].Head.Args, d.environment(j))
			if err != nil {
				return fmt.Errorf("node %d: %w", j, err)
			}
			for a := range actual {
				if actual[a].Compare(formal[a]) != 0 {
					return fmt.Errorf("node %d: argument %d of call %d is %s, the call has %s", i, a+1, k+1, actual[a], formal[a])
				}
			}
		}
	}
	return nil
}

func evalAll(ts []*logic.Term, m logic.Model) ([]logic.Value, error) {
	out := make([]logic.Value, len(ts))
	for i, t := range ts {
		v, err := logic.Eval(t, m)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// Arguments returns the values of the arguments that node i's predicate has, nil of the
// first node. The derivation is to be one that Replay accepts.
func (d *Derivation) Arguments(p *horn.Problem, i int) []logic.Value {
	head := p.Clauses[d.Nodes[i].Clause].Head
	if head == nil {
		return nil
	}
	out, err := evalAll(head.Args, d.environment(i))
	if err != nil {
		panic(fmt.Sprintf("clp: a derivation that was not replayed: %v", err))
	}
	return out
}

// WriteSMTLIB writes a derivation as an S-expression that scripts read: (derivation step ...), where a step is
// (step NUMBER FACT :clause CLAUSE :values ((NAME VALUE) ...) :from (NUMBER ...)). Clauses are counted from 0.
func (d *Derivation) WriteSMTLIB(w io.Writer, p *horn.Problem) error {
	var b strings.Builder
	b.WriteString("(derivation\n")
	for i, n := range d.Nodes {
		fact := "false"
		if head := p.Clauses[n.Clause].Head; head != nil {
			fact = logic.Symbol(p.PredName(head.Pred))
			if args := d.Arguments(p, i); len(args) > 0 {
				fact = "(" + fact
				for _, v := range args {
					fact += " " + v.Term().Format(logic.SMTLIB)
				}
				fact += ")"
			}
		}
		fmt.Fprintf(&b, " (step %d %s :clause %d :values (", i, fact, n.Clause)
		for k, name := range slices.Sorted(maps.Keys(d.Values[i])) {
			if k > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "(%s %s)", logic.Symbol(name), d.Values[i][name].Term().Format(logic.SMTLIB))
		}
		fmt.Fprintf(&b, ") :from (%s))\n", strings.Trim(fmt.Sprint(n.Calls), "[]"))
	}
	b.WriteString(")\n")
	_, err := io.WriteString(w, b.String())
	return err
}
