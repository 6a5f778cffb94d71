package source

import (
	"path/filepath"
	"slices"
)

// Kind is what a file is, by the ending of its name.
type Kind uint8

const (
	Unknown     Kind = iota
	Processes        // a model in the modelling language
	Transitions      // a model that is one labelled transition system: Aldebaran's
	Spec             // a specification of C programs
	C                // a C program
	Header           // included by one
	Commands         // a system of guarded commands
	Terms            // a system in ARMC's Prolog terms
	Clauses          // SMT-LIB: Horn clauses, which may be a system
	Rules            // a query of constraint logic
	Automata         // over infinite words
	Formulas
)

// endings is the one table of them.
var endings = []struct {
	ending string
	kind   Kind
}{
	{".lks", Processes}, {".lts", Processes}, {".fsp", Processes}, {".aut", Transitions}, {".spec", Spec},
	{".c", C}, {".i", C}, {".pp", C}, {".h", Header},
	{".gcl", Commands}, {".pl", Terms}, {".armc", Terms}, {".smt2", Clauses}, {".clp", Rules},
	{".hoa", Automata}, {".ltl", Formulas},
}

// KindOf returns what a file is by its name.
func KindOf(name string) Kind {
	ending := filepath.Ext(name)
	for _, e := range endings {
		if e.ending == ending {
			return e.kind
		}
	}
	return Unknown
}

// Endings are the endings of files of some kinds, the usual one of each first.
func Endings(kinds ...Kind) (all []string) {
	for _, e := range endings {
		if slices.Contains(kinds, e.kind) {
			all = append(all, e.ending)
		}
	}
	return all
}

// Model: processes, or one of their transition systems.
func (k Kind) Model() bool { return k == Processes || k == Transitions }

// System: of commands, terms or clauses, which have states.
func (k Kind) System() bool { return k == Commands || k == Terms || k == Clauses }

// Query: clauses, of which a relation is asked.
func (k Kind) Query() bool { return k == Clauses || k == Rules }
