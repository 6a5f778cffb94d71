package conform

import (
	"fmt"
	"strings"
)

// FormulaOp is the operator of a Formula.
type FormulaOp int

const (
	// FormulaTrue holds everywhere.
	FormulaTrue FormulaOp = iota
	// FormulaProp holds where the proposition Name does.
	FormulaProp
	// FormulaKind holds in states of the kind Name, END or ERROR (strong
	// bisimulation only; elsewhere they are actions).
	FormulaKind
	FormulaNot // of Args[0]
	FormulaAnd // of Args
	FormulaOr  // of Args
	// FormulaDiamond, <a>f: some step by the action Name leads to where Args[0]
	// holds.
	FormulaDiamond
	// FormulaWeak, <<a>>f: some step by Name, with any number of silent steps
	// before and after it, leads to where Args[0] holds; for tau, any number of
	// silent steps, perhaps none.
	FormulaWeak
	// FormulaUntil, f <a> g: some number of silent steps leads through states
	// where Args[0] holds, the first and the last included, and then a step by
	// Name to where Args[1] holds; if Name is tau, that step may also be left out.
	FormulaUntil
)

// Pseudo-actions of formulas for weak and branching equivalences: loops at END and
// ERROR states, and, for divergence-preserving equivalence, on silent circles.
const (
	ActionEnd     = "END"
	ActionError   = "ERROR"
	ActionDiverge = "DIVERGE"
)

// Formula is a formula of Hennessy-Milner logic, or of its relatives for weak and
// branching equivalences, that tells two processes apart. Subformulas may be
// shared.
type Formula struct {
	Op   FormulaOp
	Name string
	Args []*Formula
}

// String prints the formula as far as that takes no more than some thousand
// characters.
func (f *Formula) String() string {
	p := &formulaPrinter{limit: 10_000}
	p.print(f, false)
	return p.out.String()
}

type formulaPrinter struct {
	out   strings.Builder
	limit int
}

func (p *formulaPrinter) print(f *Formula, tight bool) {
	if p.out.Len() > p.limit {
		if !strings.HasSuffix(p.out.String(), "...") {
			p.out.WriteString("...")
		}
		return
	}
	loose := f.Op == FormulaAnd || f.Op == FormulaOr || f.Op == FormulaUntil
	if loose && tight {
		p.out.WriteString("(")
		defer p.out.WriteString(")")
	}
	switch f.Op {
	case FormulaTrue:
		p.out.WriteString("true")
	case FormulaProp, FormulaKind:
		p.out.WriteString(f.Name)
	case FormulaNot:
		p.out.WriteString("!")
		p.print(f.Args[0], true)
	case FormulaAnd, FormulaOr:
		for i, a := range f.Args {
			if i > 0 {
				p.out.WriteString(map[FormulaOp]string{FormulaAnd: " & ", FormulaOr: " | "}[f.Op])
			}
			p.print(a, true)
		}
	case FormulaDiamond:
		fmt.Fprintf(&p.out, "<%s>", f.Name)
		p.print(f.Args[0], true)
	case FormulaWeak:
		fmt.Fprintf(&p.out, "<<%s>>", f.Name)
		p.print(f.Args[0], true)
	case FormulaUntil:
		p.print(f.Args[0], true)
		fmt.Fprintf(&p.out, " <%s> ", f.Name)
		p.print(f.Args[1], true)
	}
}

// evaluator finds the states of a system where formulas hold, straight from the
// meaning of the operators.
type evaluator struct {
	sys  *system
	sets map[*Formula]bitset
	into [][]step // transitions backwards: target holds the source
}

func newEvaluator(sys *system) *evaluator {
	v := &evaluator{sys: sys, sets: map[*Formula]bitset{}, into: make([][]step, sys.len())}
	for s, steps := range sys.out {
		for _, e := range steps {
			v.into[e.to] = append(v.into[e.to], step{e.action, int32(s)})
		}
	}
	return v
}

// holds returns the states where f holds. Formulas are evaluated in the order of
// their construction, so the recursion is as deep as the part that is new.
func (v *evaluator) holds(f *Formula) bitset {
	set, ok := v.sets[f]
	if ok {
		return set
	}
	args := make([]bitset, len(f.Args))
	for i, a := range f.Args {
		args[i] = v.holds(a)
	}
	set = v.apply(f, args)
	v.sets[f] = set
	return set
}

func (v *evaluator) apply(f *Formula, args []bitset) bitset {
	set := newBitset(v.sys.len())
	switch f.Op {
	case FormulaWeak:
		after := v.silentlyInto(args[0], nil)
		if f.Name == v.sys.actions[0] {
			return after
		}
		return v.silentlyInto(v.stepInto(f.Name, after), nil)
	case FormulaDiamond:
		return v.stepInto(f.Name, args[0])
	case FormulaUntil:
		last := v.stepInto(f.Name, args[1])
		for w := range last {
			if f.Name == v.sys.actions[0] {
				last[w] |= args[1][w]
			}
			last[w] &= args[0][w]
		}
		return v.silentlyInto(last, args[0])
	}
	for s := range int32(v.sys.len()) {
		ok := false
		switch f.Op {
		case FormulaTrue:
			ok = true
		case FormulaProp:
			ok = v.sys.hasProp(s, f.Name)
		case FormulaKind:
			ok = v.sys.kindName(s) == f.Name
		case FormulaNot:
			ok = !args[0].has(s)
		case FormulaAnd:
			ok = true
			for _, a := range args {
				ok = ok && a.has(s)
			}
		case FormulaOr:
			for _, a := range args {
				ok = ok || a.has(s)
			}
		}
		if ok {
			set.add(s)
		}
	}
	return set
}

// stepInto returns the states with a step by the named action into the set.
func (v *evaluator) stepInto(action string, set bitset) bitset {
	result := newBitset(v.sys.len())
	for t := range v.into {
		if !set.has(int32(t)) {
			continue
		}
		for _, e := range v.into[t] {
			if v.sys.actions[e.action] == action {
				result.add(e.to)
			}
		}
	}
	return result
}

// silentlyInto returns the states that reach the set by silent steps, through
// states of through only unless that is nil.
func (v *evaluator) silentlyInto(set, through bitset) bitset {
	result := newBitset(v.sys.len())
	var todo []int32
	for s := range int32(v.sys.len()) {
		if set.has(s) {
			result.add(s)
			todo = append(todo, s)
		}
	}
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range v.into[t] {
			if e.action == 0 && !result.has(e.to) && (through == nil || through.has(e.to)) {
				result.add(e.to)
				todo = append(todo, e.to)
			}
		}
	}
	return result
}
