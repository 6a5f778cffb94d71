package program

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
)

// Diagnostics is the error of texts that cannot be read: messages with positions, which
// Render prints with the lines they are about.
type Diagnostics = source.List

// System is a transition system: a location and values of Vars make a state.
type System struct {
	Name      string
	Vars      []*logic.Term // of any sort, in the order of declaration; unknown functions keep their value (Rigid)
	Locations []Location
	Init      []Region
	Error     []Region
	Edges     []Edge
	Warnings  source.List // of the reader
	Checked   bool        // divisions by zero are errors: see WithDivisions

	// Properties are formulas of SE-LTL that the text declares; what they mean is not known here.
	// Constants are names of the text that they may use beside variables.
	Properties []Property
	Constants  map[string]*logic.Term
}

// Property is a formula that a text declares about its system.
type Property struct {
	Name     string
	Span     source.Span // of the declaration
	Formula  source.Span // its text
	Expected string      // what a comment behind it expects: "holds", "fails", or ""
}

// Location is a place that control can be at.
type Location struct {
	Name string
	Span source.Span // where it is declared, or first named
}

// Region is the set of states at a location that satisfy a formula over Vars.
type Region struct {
	Location int // index into Locations
	Where    *logic.Term
	Name     string // for people; may be ""
	Span     source.Span
}

// Edge is a guarded command from one location to another.
type Edge struct {
	Name     string // for people: "rho1", or the number of an ARMC rule
	From, To int
	Command  *Command
	Span     source.Span
}

// Loops reports whether edges lead from a location back to it.
func (s *System) Loops() bool {
	next := make([][]int32, len(s.Locations))
	for _, e := range s.Edges {
		next[e.From] = append(next[e.From], int32(e.To))
	}
	return scc.Cyclic(scc.EdgesOf(next))
}

// Rigid reports whether a variable has one value in a whole run, because no command can
// assign to it: an unknown function.
func Rigid(v *logic.Term) bool { return v.Sort().Kind() == logic.FunctionKind }

// union returns the union of the regions at each location, false where there is none.
func (s *System) union(regions []Region) []*logic.Term {
	out := make([]*logic.Term, len(s.Locations))
	for i := range out {
		out[i] = logic.False()
	}
	for _, r := range regions {
		out[r.Location] = logic.Or(out[r.Location], r.Where)
	}
	return out
}

// Location returns the index of a location by name, or -1.
func (s *System) Location(name string) int {
	return slices.IndexFunc(s.Locations, func(l Location) bool { return l.Name == name })
}

// MayDivideByZero reports whether a formula or assignment divides integers or reals
// by something else than a number that is not 0. Z3 gives such a quotient some value,
// always the same for the same operands, and the proofs rest on that; runs with one
// cannot be replayed. (Division of machine words is defined for all operands.) It is false
// of what WithDivisions returns.
func (s *System) MayDivideByZero() bool {
	if s.Checked {
		return false
	}
	all := lists.Append(nil, slices.Concat(s.Init, s.Error), func(r Region) *logic.Term { return r.Where })
	for _, r := range s.Edges {
		all = append(all, r.Command.Guard)
		for _, e := range r.Command.Update {
			all = append(all, e)
		}
	}
	for t := range logic.Subterms(all...) {
		if divides(t) {
			return true
		}
	}
	return false
}

// Validate reports the first inconsistency of a system that was built by hand:
// locations out of range, formulas over other variables, sorts that do not fit,
// or names that are used twice.
func (s *System) Validate() error {
	names := map[string]bool{}
	for _, v := range s.Vars {
		if v.Op() != logic.OpVar || names[v.Name()] {
			return fmt.Errorf("variable %s is not a variable or declared twice", v)
		}
		names[v.Name()] = true
	}
	for _, r := range append(slices.Clone(s.Init), s.Error...) {
		if err := s.over(r.Where, nil); err != nil {
			return err
		}
		if r.Location < 0 || r.Location >= len(s.Locations) {
			return fmt.Errorf("region at location %d of %d", r.Location, len(s.Locations))
		}
	}
	for _, r := range s.Edges {
		if min(r.From, r.To) < 0 || max(r.From, r.To) >= len(s.Locations) {
			return fmt.Errorf("edge %s: no such location", r.Name)
		}
		for _, in := range r.Command.Inputs {
			if names[in.Name()] || Rigid(in) {
				return fmt.Errorf("edge %s: input %s is a variable or a function", r.Name, in)
			}
		}
		if err := s.over(r.Command.Guard, r.Command.Inputs); err != nil {
			return fmt.Errorf("edge %s: %w", r.Name, err)
		}
		for v, e := range r.Command.Update {
			if !slices.Contains(s.Vars, v) || Rigid(v) || v.Sort() != e.Sort() {
				return fmt.Errorf("edge %s: assignment of %s to %s", r.Name, e, v)
			}
			if err := s.known(e, r.Command.Inputs); err != nil {
				return fmt.Errorf("edge %s: %w", r.Name, err)
			}
		}
	}
	return nil
}

func (s *System) over(f *logic.Term, inputs []*logic.Term) error {
	if f.Sort() != logic.Bool {
		return fmt.Errorf("%s is not a formula", f)
	}
	return s.known(f, inputs)
}

func (s *System) known(t *logic.Term, inputs []*logic.Term) error {
	for _, v := range logic.Vars(t) {
		if !slices.Contains(s.Vars, v) && !slices.Contains(inputs, v) {
			return fmt.Errorf("unknown variable %s in %s", v, t)
		}
	}
	return nil
}
