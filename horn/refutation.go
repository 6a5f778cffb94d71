package horn

import (
	"errors"
	"fmt"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// Refutation is why a problem has no solution: facts, each of which follows by a clause from others, all with
// larger numbers. Fact 0 is false. Nothing about it was checked.
type Refutation []Fact

// Fact is a predicate with values.
type Fact struct {
	Pred int // -1 of false
	Args []logic.Value
	From []int // in no order, each once
}

// RefutationOf takes a refutation from the proof of a solver that makes steps of hyper-resolution whose
// conclusions have no variables, as z3's Spacer does: ((_ hyper-res ...) clause premise ... conclusion).
// A predicate that the problem does not have is one of the solver's own for false.
func (p *Problem) RefutationOf(answer sexp.Node) (Refutation, error) {
	r := &refutation{problem: p, preds: map[string]int{}, names: map[string]sexp.Node{}, known: map[string]int{}, symbols: p.symbols()}
	for i := range p.Preds {
		r.preds[p.PredName(i)] = i
	}
	if answer.Head() == "proof" || len(answer.List) > 0 && answer.List[0].Kind == sexp.List {
		for _, n := range answer.List {
			if n.Head() == "proof" && len(n.List) == 2 {
				answer = n.List[1]
			}
		}
		if answer.Head() == "proof" && len(answer.List) == 2 {
			answer = answer.List[1]
		}
	}
	root, err := r.fact(answer, 0)
	switch {
	case err != nil:
		return nil, err
	case r.facts[root].Pred >= 0:
		return nil, errors.New("the proof is not one of false")
	}
	return r.numbered(root), nil
}

// refutation reads a proof.
type refutation struct {
	problem *Problem
	preds   map[string]int
	names   map[string]sexp.Node // what let binds, each name once
	known   map[string]int       // facts by the names of their proofs
	facts   []Fact               // premises first
	symbols logic.Scope
}

// mostDeep bounds how deep the steps of a proof are nested.
const mostDeep = 100_000

// named looks up what a name stands for; name is the last one on the way.
func (r *refutation) named(n sexp.Node) (_ sexp.Node, name string, err error) {
	for range mostDeep {
		switch {
		case n.Head() == "let" && len(n.List) == 3:
			for _, b := range n.List[1].List {
				if len(b.List) != 2 || b.List[0].Kind != sexp.Symbol {
					return n, "", errors.New("a let of the proof is not understood")
				}
				if old, twice := r.names[b.List[0].Atom]; twice && old.String() != b.List[1].String() {
					return n, "", fmt.Errorf("the proof has two meanings of %s", b.List[0].Atom)
				}
				r.names[b.List[0].Atom] = b.List[1]
			}
			n = n.List[2]
		default:
			bound, is := r.names[n.Atom]
			if !is || n.Kind != sexp.Symbol {
				return n, name, nil
			}
			n, name = bound, n.Atom
		}
	}
	return n, "", errors.New("a name of the proof stands for itself")
}

// fact reads the proof of a fact, and returns its number.
func (r *refutation) fact(n sexp.Node, depth int) (int, error) {
	n, name, err := r.named(n)
	if err != nil {
		return 0, err
	}
	if i, ok := r.known[name]; ok && name != "" {
		return i, nil
	}
	if depth > mostDeep || n.Kind != sexp.List || len(n.List) < 2 {
		return 0, errors.New("a step of the proof is not understood")
	}
	premises, rule := n.List[1:len(n.List)-1], n.Head()
	if h := n.List[0]; h.Kind == sexp.List && len(h.List) > 1 && h.List[0].Is("_") {
		rule = h.List[1].Atom
	}
	switch {
	case rule == "asserted" && len(premises) == 0:
	case rule == "mp" && len(premises) == 2:
		premises = premises[:1] // the other one says what it implies
	case rule == "hyper-res" && len(premises) > 0:
		premises = premises[1:] // the first one is the clause
	default:
		return 0, fmt.Errorf("a step %q of the proof is not understood", rule)
	}
	f, err := r.conclusion(n.List[len(n.List)-1])
	if err != nil {
		return 0, err
	}
	seen := map[int]bool{}
	for _, q := range premises {
		i, err := r.fact(q, depth+1)
		if err != nil {
			return 0, err
		}
		from := []int{i}
		if f.Pred < 0 && r.facts[i].Pred < 0 {
			from = r.facts[i].From // false by another name
		}
		for _, i := range from {
			if !seen[i] {
				seen[i], f.From = true, append(f.From, i)
			}
		}
	}
	r.facts = append(r.facts, f)
	if name != "" {
		r.known[name] = len(r.facts) - 1
	}
	return len(r.facts) - 1, nil
}

// conclusion reads a fact without what it follows from.
func (r *refutation) conclusion(n sexp.Node) (Fact, error) {
	n, _, err := r.named(n)
	if err != nil {
		return Fact{}, err
	}
	name, args := n.Atom, []sexp.Node(nil)
	if n.Kind == sexp.List && len(n.List) > 0 {
		name, args = n.List[0].Atom, n.List[1:]
	}
	pred, ok := r.preds[name]
	if !ok {
		return Fact{Pred: -1}, nil
	}
	params := r.problem.Preds[pred].Params
	if len(args) != len(params) {
		return Fact{}, fmt.Errorf("the proof has %d arguments of %s", len(args), name)
	}
	f := Fact{Pred: pred}
	for k, a := range args {
		a, err := r.unfolded(a, 0)
		if err != nil {
			return Fact{}, err
		}
		t, err := logic.FromSexp(a, r.symbols)
		if err != nil {
			return Fact{}, err
		}
		if t.Sort() == logic.Int && params[k].Sort() == logic.Real {
			t = logic.ToReal(t)
		}
		if t.Sort() != params[k].Sort() {
			return Fact{}, fmt.Errorf("an argument of %s in the proof has sort %s", name, t.Sort())
		}
		v, err := logic.Eval(t, nil)
		if err != nil {
			return Fact{}, err
		}
		f.Args = append(f.Args, v)
	}
	return f, nil
}

// unfolded has no names that let binds.
func (r *refutation) unfolded(n sexp.Node, depth int) (sexp.Node, error) {
	n, _, err := r.named(n)
	if err != nil || n.Kind != sexp.List {
		return n, err
	}
	if depth > mostDeep {
		return n, errors.New("a term of the proof is too deep")
	}
	out := sexp.Node{Kind: sexp.List, Start: n.Start, End: n.End}
	for _, a := range n.List {
		if a, err = r.unfolded(a, depth+1); err != nil {
			return n, err
		}
		out.List = append(out.List, a)
	}
	return out, nil
}

// numbered is what the root needs, the root first.
func (r *refutation) numbered(root int) Refutation {
	needed := make([]bool, len(r.facts))
	needed[root] = true
	number := make([]int, len(r.facts))
	next := 0
	for i := root; i >= 0; i-- {
		if !needed[i] {
			continue
		}
		number[i] = next
		next++
		for _, j := range r.facts[i].From {
			needed[j] = true
		}
	}
	var out Refutation
	for i := root; i >= 0; i-- {
		if !needed[i] {
			continue
		}
		f := r.facts[i]
		from := lists.Append(nil, f.From, func(j int) int { return number[j] })
		f.From = from
		out = append(out, f)
	}
	return out
}
