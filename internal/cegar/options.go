package cegar

import (
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/program/passes"
)

// Source says where predicates come from.
type Source int

const (
	// Auto takes interpolants, and branch conditions where these learn nothing new; of
	// components to which no pass was applied, conditions first.
	Auto Source = iota
	// Branches takes conditions of branch statements and what precedes them (PredInfer,
	// [Chaki05], Procedure 4.1), of as few branches as Minimise says.
	Branches
	// Interpolants takes what refutes the component's part of the counterexample.
	Interpolants
)

var sources = names.Of[Source]("source of predicates", "auto", "branches", "interpolants")

func (s Source) String() string                   { return sources.String(s) }
func (s Source) MarshalText() ([]byte, error)     { return sources.Marshal(s) }
func (s *Source) UnmarshalText(text []byte) error { return sources.Unmarshal(text, s) }

// Names lists the texts of all values.
func (Source) Names() []string { return sources.List() }

// Minimisation says how few branches are looked for ([Chaki05], ch. 7).
type Minimisation int

const (
	// Few finds for each counterexample the sets of branches that exclude it of the first size of
	// which there are any (7.5.3), and then as few branches as suffice for all of them: no more
	// than needed for one counterexample, but perhaps for several.
	Few Minimisation = iota
	// Minimal finds for each counterexample all sets of branches that exclude it and contain no
	// other, and then a smallest set of branches that suffices for all of them (AbsRefMin,
	// Procedure 7.1). Branches are chosen one by one.
	Minimal
	// Smallest finds the first set, in the order of their sizes, that excludes all
	// counterexamples so far (AbsRefine, Procedure 6.3).
	Smallest
	// Greedy leaves branches out as long as all counterexamples stay excluded (GreedyMin,
	// Procedure 7.3).
	Greedy
	// Monotone adds, to the branches of before, the first set that excludes the
	// counterexample: no minimisation.
	Monotone
)

var minimisations = names.Of[Minimisation]("minimisation", "few", "minimal", "smallest", "greedy", "none")

func (m Minimisation) String() string                   { return minimisations.String(m) }
func (m Minimisation) MarshalText() ([]byte, error)     { return minimisations.Marshal(m) }
func (m *Minimisation) UnmarshalText(text []byte) error { return minimisations.Unmarshal(text, m) }

// Names lists the texts of all values.
func (Minimisation) Names() []string { return minimisations.List() }

// Levels says how many levels of abstraction there are ([Chaki05], ch. 9).
type Levels int

const (
	// AutoLevels is what was measured to be best.
	AutoLevels Levels = iota
	// OneLevel is predicate abstraction alone.
	OneLevel
	// TwoLevels puts quotients of the abstract models above these, and refines quotients
	// first, predicates where a counterexample is one of the abstract models themselves
	// (TwoLevelCEGAR, Procedure 9.4).
	TwoLevels
)

var levels = names.Of[Levels]("number of levels", "auto", "1", "2")

func (l Levels) String() string                   { return levels.String(l) }
func (l Levels) MarshalText() ([]byte, error)     { return levels.Marshal(l) }
func (l *Levels) UnmarshalText(text []byte) error { return levels.Unmarshal(text, l) }

// Names lists the texts of all values.
func (Levels) Names() []string { return levels.List() }

// Options of a question. The zero value is what is best known.
type Options struct {
	Predicates Source
	Minimise   Minimisation
	// Apart chooses branches one by one, as the thesis does, and not those that speak of the
	// same variable together.
	Apart bool
	// User holds predicates that are tracked from the start, by component; it may be
	// shorter, and entries may be nil.
	User   []predabs.Mapping
	Levels Levels
	// Without are passes that are left out: components are made smaller before they are
	// abstracted, as far as the question does not notice (package passes), but for those that have predicates in User, which speak of them as they are.
	Without []passes.Pass
	// Traces asks Simulates for trace containment instead of simulation.
	Traces bool
	// Trees is how many counterexamples a round of Simulates looks at; 0: 4, the best of fig. 6.4.
	Trees int
	// MaxSubsets and MaxEliminating bound the sets of branches that are tried for a
	// counterexample, and those that exclude it (MAXSUB and MAXELM of 7.5.4); 0: 1,000 and
	// 20, as in the thesis's tables, or, for Minimal, 100,000 and as many. Where one of
	// them ends the search of Minimal, Answer.Incomplete says so.
	MaxSubsets, MaxEliminating int
	// Seed is of Greedy's random orders.
	Seed uint64
	// Rounds bounds how often abstractions are refined; 0: no bound.
	Rounds int

	passes bool // for tests: there is no first look without passes

	Limits   budget.Limits
	Progress func(budget.Progress) // may be nil
	// Explain is told of every round when it is over; it may be nil.
	Explain func(Round)
}

func (o Options) trees() int {
	if o.Trees == 0 {
		return 4
	}
	return o.Trees
}

func (o Options) subsets() int { return o.bound(o.MaxSubsets, 1000) }

func (o Options) eliminating() int { return o.bound(o.MaxEliminating, 20) }

// bound is a bound on sets of branches: the one given, or else the usual one, or, where all are to be
// tried, a large one.
func (o Options) bound(given, usual int) int {
	switch {
	case given > 0:
		return given
	case o.Minimise == Minimal:
		return 100_000
	}
	return usual
}
