package armc

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Method chooses how a system is checked.
type Method uint8

const (
	// Auto lets several methods search in turn, see auto.go.
	Auto Method = iota
	// Backward is Method I of [Rybalchenko02].
	Backward
	// Forward is AbstRefineLoop of [Podelski11].
	Forward
	// Bounded looks for runs to an error, of one length after the other; it is a proof where none is longer.
	Bounded
	// Spacer solves the whole system as one Horn problem; it gives no runs.
	Spacer
	// Induction is k-induction with facts.
	Induction
	// Values is explicit-value analysis: which variables are tracked is refined.
	Values
	// Enumerate visits the concrete states, where inputs have few numbers.
	Enumerate
	// Cells is Spacer with invariants about all elements of arrays.
	Cells
	// Houdini looks for invariants about all elements of arrays among what the system mentions.
	Houdini
	// Symbolic is symbolic execution that merges states, until all runs have ended; its certificates have no invariant.
	Symbolic
)

var methods = names.Of[Method]("method", "auto", "backward", "forward", "bounded", "spacer", "induction", "values", "enumerate", "cells", "houdini", "symbolic")

func (m Method) String() string                   { return methods.String(m) }
func (m Method) MarshalText() ([]byte, error)     { return methods.Marshal(m) }
func (m *Method) UnmarshalText(text []byte) error { return methods.Unmarshal(text, m) }

// Names lists the texts of all values.
func (Method) Names() []string { return methods.List() }

// technique is what a method is here: with its name and a lane of Auto (lanes), all that a new one needs beside a file of its own.
type technique struct {
	run func(r *run, w way) error
	// blocks is the encoding that it does best with; nil: Large, blocks of several paths.
	blocks func(w way) Encoding
	// fits reports that it may have more to say of a system than others; nil: of all.
	fits func(sys *program.System) bool
	// figure is what its effort is told by, and what that counts; nil: refinements, with the abstraction.
	figure func(r *Result) (count int, of string)
	// whole: a certificate has no conjuncts to leave out, and is large, or has no invariant.
	whole bool
}

var techniques = [...]technique{
	Backward: {
		run:    func(r *run, w way) error { return r.methodOne(w.abstraction) },
		blocks: func(way) Encoding { return Small },
	},
	Forward: {
		run:    func(r *run, w way) error { return r.abstRefineLoop(w.abstraction, w.refine) },
		blocks: forwardBlocks,
	},
	Bounded: {
		run:    func(r *run, _ way) error { return r.unrolled() },
		figure: func(r *Result) (int, string) { return r.Stats.Iterations, "step" },
		whole:  true,
	},
	Spacer: {
		run:    func(r *run, _ way) error { return r.wholeSystem(r.solver.Horn) },
		figure: noFigure,
	},
	Induction: {
		run:    func(r *run, _ way) error { return r.induction() },
		blocks: spliced,
		figure: noFigure,
	},
	Values: {
		run:    func(r *run, _ way) error { return r.explicitValues() },
		blocks: spliced,
		figure: func(r *Result) (int, string) { return r.Stats.Refinements, "refinement" },
		whole:  true,
	},
	Enumerate: {
		run:    func(r *run, _ way) error { return r.enumerate(r.cells) },
		blocks: spliced,
		figure: func(r *Result) (int, string) { return r.Stats.States, "state" },
		whole:  true,
	},
	Cells: {
		run:    func(r *run, _ way) error { return r.wholeSystem(r.forAll) },
		fits:   arrayed,
		figure: noFigure,
		whole:  true,
	},
	Houdini: {
		run:    func(r *run, _ way) error { return r.mentioned() },
		fits:   arrayed,
		figure: noFigure,
		whole:  true,
	},
	Symbolic: {
		run:    func(r *run, _ way) error { return r.executed() },
		blocks: func(way) Encoding { return Small },
		figure: func(r *Result) (int, string) { return r.Stats.Iterations, "visit" },
		whole:  true,
	},
}

// way is a method with its choices.
type way struct {
	method      Method
	abstraction Abstraction
	refine      Refinement
	blocks      Encoding // if the options leave it open
}

func (w way) String() string {
	switch w.method {
	case Backward:
		return fmt.Sprintf("%s %s", w.method, w.abstraction)
	case Forward:
		name := fmt.Sprintf("%s %s %s", w.method, w.abstraction, w.refine)
		if w.blocks != AutoBlocks {
			name += " " + w.blocks.String()
		}
		return name
	}
	return w.method.String()
}

// lanes are the ways of Auto, in the order in which they have their turns, with their shares
// of the work. (Spacer takes three times as long for a unit as other questions.)
var lanes = []laneOfAuto{
	{way{Forward, A3, predabs.Interpolation, AutoBlocks}, 4, starts{100_000, 100_000, 500_000}},
	{way{method: Bounded}, 4, starts{0, 250_000, 250_000}},
	{way{method: Induction}, 2, starts{}},
	{way{Backward, A2, predabs.AtomsOfPre, AutoBlocks}, 2, starts{}},
	{way{Forward, A3, predabs.UnsatCore, AutoBlocks}, 4, starts{}},
	{way{Forward, A3, predabs.Interpolation, Small}, 2, starts{}}, // where large blocks branch
	{way{Backward, A3, predabs.AtomsOfPre, AutoBlocks}, 2, starts{}},
	{way{method: Values}, 2, starts{}},
	{way{method: Enumerate}, 2, starts{}},
	{way{method: Spacer}, 1, starts{}},
	{way{method: Cells}, 2, starts{}},
	{way{method: Houdini}, 2, starts{}},
}

// Cubes of literals have no use for blocks of several paths, which in disjunctive normal form
// are the paths again: Method I, which takes its predicates from the edges as they are, too,
// the abstractions that look at the literals of post, the refinements that iterate post or
// pre, cores among them, and k-induction, which writes weakest preconditions without the inputs.
func spliced(way) Encoding { return Spliced }

func forwardBlocks(w way) Encoding {
	if w.abstraction == A1 || w.abstraction == A2 || byCubes(w.refine) {
		return Spliced
	}
	return Large
}

func arrayed(sys *program.System) bool {
	return slices.ContainsFunc(sys.Vars, func(v *logic.Term) bool { return v.Sort().Kind() == logic.ArrayKind })
}

func noFigure(*Result) (int, string) { return 0, "" }

// How says which method gave the answer, with its choices, and what its effort is told by: a number of
// refinements, steps or states. of is "" without.
func (r *Result) How() (method string, effort int, of string) {
	method = r.Method.String()
	if r.Method == Induction {
		method = fmt.Sprintf("%d-induction", r.Stats.Iterations)
	}
	if figure := techniques[r.Method].figure; figure != nil {
		effort, of = figure(r)
		return method, effort, of
	}
	method += ", " + r.Abstraction.String()
	if r.Method == Forward && r.Refine != predabs.Interpolation {
		method += ", " + r.Refine.String()
	}
	return method, r.Stats.Refinements, "refinement"
}
