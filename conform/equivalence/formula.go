package equivalence

import (
	"fmt"
	"strings"
)

// Op is the operator of a Formula.
type Op int

const (
	// OpTrue holds everywhere.
	OpTrue Op = iota
	// OpProp holds where the proposition Name does.
	OpProp
	// OpKind holds in states of the kind Name, END or ERROR (strong
	// bisimulation only; elsewhere they are actions).
	OpKind
	OpNot // of Args[0]
	OpAnd // of Args
	OpOr  // of Args
	// OpDiamond, <a>f: some step by the action Name leads to where Args[0]
	// holds.
	OpDiamond
	// OpWeak, <<a>>f: some step by Name, with any number of silent steps
	// before and after it, leads to where Args[0] holds; for tau, any number of
	// silent steps, perhaps none.
	OpWeak
	// OpUntil, f <a> g: some number of silent steps leads through states
	// where Args[0] holds, the first and the last included, and then a step by
	// Name to where Args[1] holds; if Name is tau, that step may also be left out.
	OpUntil
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
	Op   Op
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
	loose := f.Op == OpAnd || f.Op == OpOr || f.Op == OpUntil
	if loose && tight {
		p.out.WriteString("(")
		defer p.out.WriteString(")")
	}
	switch f.Op {
	case OpTrue:
		p.out.WriteString("true")
	case OpProp, OpKind:
		p.out.WriteString(f.Name)
	case OpNot:
		p.out.WriteString("!")
		p.print(f.Args[0], true)
	case OpAnd, OpOr:
		for i, a := range f.Args {
			if i > 0 {
				p.out.WriteString(map[Op]string{OpAnd: " & ", OpOr: " | "}[f.Op])
			}
			p.print(a, true)
		}
	case OpDiamond:
		fmt.Fprintf(&p.out, "<%s>", f.Name)
		p.print(f.Args[0], true)
	case OpWeak:
		fmt.Fprintf(&p.out, "<<%s>>", f.Name)
		p.print(f.Args[0], true)
	case OpUntil:
		p.print(f.Args[0], true)
		fmt.Fprintf(&p.out, " <%s> ", f.Name)
		p.print(f.Args[1], true)
	}
}
