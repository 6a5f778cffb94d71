package programs

import (
	"context"
	"io"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/c/relations"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/clauses"
	"github.com/seltl/seltl/program/gcl"
	"github.com/seltl/seltl/safety"
)

// ExportedC is the system of a C program that others are to decide: over unbounded
// integers, or with safety.MachineIntegers over machine words; an edge is a step of the encoding,
// or one of its blocks. Its errors are the failures and the ways out of what is modelled.
func ExportedC(enc *encode.Encoding, how safety.Integers, blocks armc.Encoding) *program.System {
	sys := enc.Numbers
	if how == safety.MachineIntegers {
		sys = enc.Words
	}
	switch blocks {
	case armc.Small:
		return sys
	case armc.Spliced:
		sys, _ = program.SplicedBlocks(sys).Reduced(nil)
	default:
		sys, _ = program.LargeBlocks(sys).Reduced(nil)
	}
	return sys
}

// ExportedRoutines are the clauses of a C program whose routines are not all inlined, over
// unbounded integers, or with safety.MachineIntegers over machine words. Its errors are the failures
// and the ways out of what is modelled. The error is that of the context.
func ExportedRoutines(ctx context.Context, enc *encode.Encoding, how safety.Integers) (*horn.Problem, error) {
	r, err := relations.Of(ctx, enc, true)
	if err != nil {
		return nil, err
	}
	if how == safety.MachineIntegers {
		return r.Words, nil
	}
	return r.Numbers, nil
}

// WriteClauses writes a system as linear Horn clauses in SMT-LIB. They have a solution
// (sat) if and only if no error is reachable. The error is w's.
func WriteClauses(w io.Writer, sys *program.System) error { return clauses.Problem(sys).Write(w) }

// WriteGCL writes a system in the language of guarded commands.
func WriteGCL(w io.Writer, sys *program.System) error { return gcl.Write(w, sys) }
