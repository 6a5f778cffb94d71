package programs

import (
	"strconv"

	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/c/steps"
	"github.com/seltl/seltl/report"
)

// again says of the lines of a run that was recorded how they can be done again: by package
// internal/c/steps. What is not told of the run is part of the next line that is.
type again struct {
	run  *machine.Recording
	done int // nodes that were told
	upTo int // nodes that were done
	// way says of a node, counted from 1, that it is none of the program, and which; it may be nil.
	way func(node int) (way int, ok bool)
}

// step makes a line that was told one that can be done again.
func (a *again) step(s *report.Step) {
	s.Moves, s.Choices = s.Moves+a.upTo-a.done, append(s.Choices, a.choices(a.done+1, a.upTo)...)
	a.done = a.upTo
}

func (a *again) choices(from, to int) (all []string) {
	for node := from; node <= to; node++ {
		if a.way != nil {
			if way, ok := a.way(node); ok {
				all = append(all, steps.WayText(way))
			}
		}
		for _, bits := range a.run.Chosen(node, node) {
			all = append(all, strconv.FormatUint(bits, 10))
		}
	}
	return all
}

// argumentsOf are the arguments of a recorded run that steps.Procedure.Begin asks for.
func argumentsOf(enc *encode.Encoding, run *machine.Recording) []string {
	all := []string{}
	for i, p := range enc.Entry.Params {
		if p.Type.Scalar() && enc.Given(p, 0) == nil && i < len(run.Args()) {
			all = append(all, strconv.FormatUint(ir.Canonical(p.Type, run.Args()[i]), 10))
		}
	}
	for _, bits := range run.Chosen(0, 0) { // of memory that conditions on the first state read
		all = append(all, strconv.FormatUint(bits, 10))
	}
	return all
}
