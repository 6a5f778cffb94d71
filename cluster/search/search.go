// Package search explores the states of a network by several workers, each of which has a
// part of them: those that a hash gives it ([SternDill97]). Every worker runs Run, with an
// exchange that connects it with the others.
//
// A search goes level by level, breadth-first, in phases of the exchange: a worker expands
// the states that it got in the phase before, keeps the successors that it owns, and sends
// the others to their owners. Nothing of what is answered depends on the order of messages
// within a level, or on how many workers there are: counts and verdicts are those of one
// process, counterexamples the same for any number.
//
//	task       what is asked; the network that it is about, the same on all workers
//	search     what a search may use, and what it answers
//	run        Run: stages, and what workers agree on before and after
//	space      the states of a network, or of its product with an automaton
//	owners     who owns a state
//	sample     a thin search, by which owners are chosen
//	shares     which components owners depend on, and how
//	codec      states as payloads, and what is refused of those
//	worker     phases: what is sent and taken, limits, progress
//	visited    the states that a worker has
//	levels     exploring level by level
//	trace      shortest runs, asked of the owners backwards
//	owcty      SE-LTL: cycles that accept, by elimination
//	checkpoint what a worker needs to go on
package search

import (
	"time"

	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// Options of Run. All workers must be given the same Store and CheckpointEvery.
type Options struct {
	// Memory is what a worker may use for states, queues and buffers, in bytes; 0: no limit.
	Memory int64
	// Store is explore.Numbered, which is the default (explore.Auto) and what LTL has also for
	// explore.Exact, explore.Exact or, not for LTL, explore.Compact. The last two have no runs at hand: to show what they
	// found, the search is done once more as far as that, with Numbered.
	Store explore.Store
	// CheckpointEvery is the number of rounds from one checkpoint to the next; 0: none.
	CheckpointEvery int
	// Interrupt ends the search on all workers, once it is closed on one, at the end of the
	// round: with what was explored. It may be nil.
	Interrupt <-chan struct{}
	// Progress is called about once a second; it may be nil.
	Progress func(Progress)
}

// Progress is how far a worker has come.
type Progress struct {
	Phase  string // "exploring", "accepting runs", "eliminating", "tracing"
	Round  int64
	Worker Worker // this worker
	// States and Transitions are those of all workers, at the end of the round before.
	States, Transitions int64
}

// Worker is what one worker did.
type Worker struct {
	States      int64         `json:"states"`      // that it owns
	Expanded    int64         `json:"expanded"`    // how often it expanded one
	Transitions int64         `json:"transitions"` // that it followed
	Routed      int64         `json:"routed"`      // successors that its cache of recent ones let pass
	Sent        int64         `json:"sent"`        // states sent to others
	Received    int64         `json:"received"`    // states taken from others
	SentBytes   int64         `json:"sent_bytes"`  // payloads
	Payloads    int64         `json:"payloads"`    // sent
	Refused     int64         `json:"refused"`     // payloads
	Memory      int64         `json:"memory"`      // bytes of states, queues and buffers, at most
	Phases      Phases        `json:"phases"`
	Elapsed     time.Duration `json:"elapsed"`
}

// Phases says where the time of a worker went.
type Phases struct {
	Expand     time.Duration `json:"expand"`     // computing successors
	Route      time.Duration `json:"route"`      // leaving out recent ones, finding owners
	Store      time.Duration `json:"store"`      // adding states
	Encode     time.Duration `json:"encode"`     // making payloads
	Take       time.Duration `json:"take"`       // reading payloads
	Wait       time.Duration `json:"wait"`       // in calls of the exchange, without reading and storing
	Checkpoint time.Duration `json:"checkpoint"` // writing and reading them
}

// Result is the answer, the same on all workers.
type Result struct {
	// Verdict is Holds if what is asked about cannot be, Violated if Run shows that it can,
	// Unknown for a Reason. Of Count it is Holds if all was explored.
	Verdict report.Verdict `json:"verdict"`
	Reason  string         `json:"reason,omitempty"`
	// What was explored: states (those in error apart), transitions and levels as
	// explore.Reached has them; of LTL of the product with an automaton.
	States      int64 `json:"states"`
	Transitions int64 `json:"transitions"`
	Depth       int64 `json:"depth"`
	Deadlocks   int64 `json:"deadlocks"`
	Ends        int64 `json:"ends"`
	Errors      int64 `json:"errors"`
	// Complete: everything was explored.
	Complete bool `json:"complete"`
	// Run is a shortest one to a state that was asked about, or one that violates the
	// formula. It was replayed on the components, and the formula evaluated on it.
	Run *run.Run `json:"run,omitempty"`
	// Prefix is a finite run after which the formula is violated, whatever follows, if Run has
	// one, see product.Result.
	Prefix *product.BadPrefix `json:"prefix,omitempty"`
	// FiniteMet says whether the reading of finite runs mattered to LTL.
	FiniteMet bool     `json:"finite_met"`
	Reduced   bool     `json:"reduced"` // partial-order reduction was used
	Rounds    int64    `json:"rounds"`
	Resumed   int      `json:"resumed"` // the round of the checkpoint it went on from, -1 without one
	Workers   []Worker `json:"workers"` // by rank
}
