package clp

import "github.com/seltl/seltl/internal/names"

// Method is how a query is decided.
type Method uint8

const (
	Auto   Method = iota // several, see Decide
	CAR                  // abstraction refinement of constraint logic queries
	ARMC                 // the methods of package armc, for linear clauses
	Spacer               // z3's Spacer, whose solution is checked here
	Sizes                // Spacer on sizes of lists and trees; it finds solutions only
	Cells                // Spacer on single elements of arrays; it finds solutions only
)

var methods = names.Of[Method]("method", "auto", "car", "armc", "spacer", "sizes", "cells")

func (m Method) String() string                   { return methods.String(m) }
func (m Method) MarshalText() ([]byte, error)     { return methods.Marshal(m) }
func (m *Method) UnmarshalText(text []byte) error { return methods.Unmarshal(text, m) }

// Names lists the texts of all values.
func (Method) Names() []string { return methods.List() }

// Explication is how much of the theory the abstraction knows.
type Explication uint8

const (
	// Complete: all that is true of the predicates, asked of the solver where it matters.
	Complete Explication = iota
	// Lazy: only clauses that explained a trace, as [Flanagan04] has it.
	Lazy
)

var explications = names.Of[Explication]("explication", "complete", "lazy")

func (e Explication) String() string                   { return explications.String(e) }
func (e Explication) MarshalText() ([]byte, error)     { return explications.Marshal(e) }
func (e *Explication) UnmarshalText(text []byte) error { return explications.Unmarshal(text, e) }

// Names lists the texts of all values.
func (Explication) Names() []string { return explications.List() }

// Source says where explanations come from, see the package comment.
type Source uint8

const (
	Interpolants Source = iota // tree interpolants
	Cores                      // localised cores
)

var sources = names.Of[Source]("source", "interpolants", "cores")

func (s Source) String() string                   { return sources.String(s) }
func (s Source) MarshalText() ([]byte, error)     { return sources.Marshal(s) }
func (s *Source) UnmarshalText(text []byte) error { return sources.Unmarshal(text, s) }

// Names lists the texts of all values.
func (Source) Names() []string { return sources.List() }
