// Package report holds what one run of seltl has found, as one value, and renders
// it: as text for people, as JSON for programs, as pictures. It analyses nothing:
// package check and its rooms fill a Report in, and who asked hands it to a renderer.
//
// The JSON form is versioned by Schema and described by the JSON schema in
// schema.json (docs/json.md explains it); fields are only added within a version.
//
// # Decisions
//
// A form of reports is a function of report in a file of its own (json.go, text.go, sequence.go) and, where
// it takes the place of text on standard output, a line of the table outputForms in internal/cmdline/report_io.go;
// that is where the flag comes from, and why narration gives way. The form for a browser has a room
// (report/html), because it reads languages to highlight them; pictures that engines alone can draw come to
// it as Report.Pictures, which check makes if Options.Illustrate asks.
package report

import "github.com/seltl/seltl/internal/expectation"

// Schema identifies the JSON form.
const Schema = "seltl.report/2"

// Verdict is the answer for one property.
type Verdict string

const (
	Holds    Verdict = "holds"
	Violated Verdict = "violated"
	Unknown  Verdict = "unknown"
)

// Expected is the verdict that a word of a comment "expect:" stands for, "" for others.
func Expected(word string) Verdict {
	switch word {
	case expectation.Holds, expectation.DeadlockFree:
		return Holds
	case expectation.Fails, expectation.Deadlock:
		return Violated
	}
	return ""
}

// Report is the outcome of one run of one command.
type Report struct {
	Schema  string   `json:"schema"`
	Version string   `json:"version"`
	Command string   `json:"command"`
	Model   *Model   `json:"model,omitempty"`
	Results []Result `json:"results"`
	// Cross is what `seltl cross` has found.
	Cross *Cross `json:"cross,omitempty"`
	// Formulas are those that `seltl formula` lists.
	Formulas *Formulas `json:"formulas,omitempty"`
	// Messages are warnings and errors, in the order they were found.
	Messages []Message `json:"messages,omitempty"`
	Exit     int       `json:"exit"`
	// Pictures are those that were asked for.
	Pictures []Picture `json:"-"`
	// Grave are the messages that Text prints with the results, whatever the options.
	Grave []Message `json:"-"`
	// Table asks Text for all verdicts first and the details of those that do not
	// hold behind them.
	Table bool `json:"-"`
}

// Model says what was checked.
type Model struct {
	File       string      `json:"file"`
	Process    string      `json:"process,omitempty"`
	Components []Component `json:"components"`
	Actions    int         `json:"actions"`
}

// Component is one process of the network.
type Component struct {
	Name        string `json:"name"`
	States      int    `json:"states"`
	Transitions int    `json:"transitions"`
}

// Message is a diagnostic. Line and Column count from 1, 0 is nowhere.
type Message struct {
	Severity string `json:"severity"` // "error", "warning" or "note"
	Code     string `json:"code,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Text     string `json:"text"`
	Help     string `json:"help,omitempty"`
}

// Result is the answer to one question about the model.
type Result struct {
	Kind string `json:"kind"`           // "ltl", "assert", "safety", "deadlock", "progress", "automaton", "expectation"
	Name string `json:"name,omitempty"` // declared name, "" for a formula of the command line
	// Process is what it is about, if that is not the process of Model.
	Process string `json:"process,omitempty"`
	Formula string `json:"formula,omitempty"`
	// Property is the name of the competition's property that it is about, if one was asked.
	Property string `json:"property,omitempty"`
	// File, Line and Column are where the property stands, if it is in a file; Line
	// and Column count from 1.
	File    string  `json:"file,omitempty"`
	Line    int     `json:"line,omitempty"`
	Column  int     `json:"column,omitempty"`
	ReadAs  string  `json:"read_as,omitempty"` // fully parenthesised
	Verdict Verdict `json:"verdict"`
	// Expected is the verdict that the model's author wrote beside the property, ""
	// for none; AsExpected says whether it was found.
	Expected   Verdict `json:"expected,omitempty"`
	AsExpected *bool   `json:"as_expected,omitempty"`
	// NoRun says of a proof that it rests on there being no run at all.
	NoRun bool `json:"no_run,omitempty"`
	// Vacuity says what of a formula that holds has no effect; nil if nothing was found, nor all asked.
	Vacuity *Vacuity `json:"vacuity,omitempty"`
	// Reason says why the verdict is unknown, and what to try.
	Reason string `json:"reason,omitempty"`
	Advice string `json:"advice,omitempty"`
	// Tried says what came of each method, where several were tried and none had an answer.
	Tried []string `json:"tried,omitempty"`
	// Assumptions are what the verdict rests on beside model and property.
	Assumptions []string `json:"assumptions,omitempty"`
	// Assumed are those of Assumptions that are about C, with what to do about them.
	Assumed        []Assumption    `json:"assumed,omitempty"`
	Counterexample *Counterexample `json:"counterexample,omitempty"`
	// Word is an infinite word: one that an automaton accepts or not, as `seltl automaton`
	// says, or that answers a question about formulas, of which Note says what it satisfies.
	Word string `json:"word,omitempty"`
	// Games are counterexamples to a simulation.
	Games []*Move `json:"games,omitempty"`
	// Derivation is the counterexample to a query of constraint logic having none.
	Derivation *Derivation `json:"derivation,omitempty"`
	// Note explains the verdict, "" if it speaks for itself.
	Note string `json:"note,omitempty"`
	// Invariant is the proof of a program's safety, by location; Facts are what was known
	// of locations before it was looked for.
	Invariant []Formula `json:"invariant,omitempty"`
	Facts     []Formula `json:"facts,omitempty"`
	// Never are the actions that occur in no run, where progress is asked for of all.
	Never []string `json:"never,omitempty"`
	// Abstraction is what proved or refuted a property by refinement.
	Abstraction *Abstraction `json:"abstraction,omitempty"`
	Statistics  *Statistics  `json:"statistics,omitempty"`
	// Lossy is set if the search came to its end without a violation, but may have
	// missed states; the verdict is Unknown then.
	Lossy *Lossy `json:"lossy,omitempty"`
	// Profile says where time and memory went, if asked for.
	Profile *Profile `json:"profile,omitempty"`
}

// Assumption is something that a verdict rests on.
type Assumption struct {
	Name string `json:"name,omitempty"` // for --assume; "" if it is part of the question
	Text string `json:"text"`
	// Otherwise is the option that asks without it, "" if there is none.
	Otherwise string `json:"otherwise,omitempty"`
}

// Formula holds whenever a program is at a location.
type Formula struct {
	Location string `json:"location"`
	Formula  string `json:"formula,omitempty"` // "" if it is too large to be shown
	Nodes    int    `json:"nodes,omitempty"`   // its size then
	By       string `json:"by,omitempty"`      // the domain that found a fact
}

// Lossy says how much a search with a store that can lose states has missed.
type Lossy struct {
	Store    string  `json:"store"`    // "hash" or "bitstate"
	Coverage float64 `json:"coverage"` // estimated share of states explored, of those met: 0 to 1
	Missed   float64 `json:"missed"`   // estimated number of states taken for others
}

// Profile says where the time and memory of one search went. Figures that the
// search does not have are zero.
type Profile struct {
	States          Count   `json:"states"`
	Transitions     Count   `json:"transitions"`
	Depth           int64   `json:"depth"`
	Store           string  `json:"store,omitempty"`      // how states were remembered
	Workers         int     `json:"workers,omitempty"`    // how many searched
	TableLoad       float64 `json:"table_load,omitempty"` // share of the table's slots in use, 0 to 1
	TableBytes      int64   `json:"table_bytes"`
	QueueBytes      int64   `json:"queue_bytes"` // of states yet to be explored, at most
	Seconds         float64 `json:"seconds"`
	StatesPerSecond float64 `json:"states_per_second"`
	Phases          []Phase `json:"phases"`
}

// Phase is a part of the work and the time spent on it. The phases of several
// workers are summed up: they may exceed the seconds elapsed.
type Phase struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	Share   float64 `json:"share"` // of all phases, 0 to 1
}

// Counterexample is a lasso (a stem and a loop repeated for ever) or, with an
// empty loop, a finite trace.
type Counterexample struct {
	Kind       string   `json:"kind"` // "lasso", "trace", or "program": a trace of a C program
	Components []string `json:"components"`
	Initial    State    `json:"initial"`
	Stem       []Step   `json:"stem"`
	Loop       []Step   `json:"loop,omitempty"`
	// End says what a trace leads to: "deadlock", "error", "end", or "".
	End string `json:"end,omitempty"`
	// Bad is set if the trace is a bad prefix: whatever follows, the property is
	// violated.
	Bad *Bad `json:"bad,omitempty"`
	// Fairness says for every requirement of fairness why the loop meets it.
	Fairness []Fair `json:"fairness,omitempty"`
	// Automaton says which states of an automaton that is the property the run passes.
	Automaton *Passed `json:"automaton,omitempty"`
	// Progress says what happens in the loop of a violated progress property, and
	// after the end of a trace.
	Progress *Progress `json:"progress,omitempty"`
	// Truth says why the formula fails on the run, if asked for.
	Truth *Truth `json:"truth,omitempty"`
	// Note explains the counterexample in a sentence, "" if it speaks for itself.
	Note string `json:"note,omitempty"`
	// Of a deadlock: what every component waits for, a cycle of waiting
	// components (the last waits for the first), and what each took part in.
	Waiting []Waiting `json:"waiting,omitempty"`
	Cycle   []string  `json:"cycle,omitempty"`
	// Arguments are, of a program, those of the routine that each component begins with, as
	// Step.Choices has values.
	Arguments   [][]string   `json:"arguments,omitempty"`
	Projections []Projection `json:"projections,omitempty"`
}

// Passed says which states of an automaton a run passes: before each step those that the
// automaton can be in, or, if it accepts the run, the one of an accepting run. The loop is
// repeated; it may go round that of the run several times.
type Passed struct {
	Accepted bool      `json:"accepted"`
	Stem     [][]int32 `json:"stem"`
	Loop     [][]int32 `json:"loop"`
}

// Progress says which actions occur from the end of a stem on.
type Progress struct {
	Occurring []string `json:"occurring"`
	// Missing are those that do not, of what is demanded; none where it is enough that
	// one of several occurs.
	Missing []string `json:"missing,omitempty"`
}

// Bad says where a property is lost for good.
type Bad struct {
	State int `json:"state"` // the last one of the trace: the number of steps before it
	// Why is "state" (what is true there), "event" (the one that leads there), or
	// "end" (the run ends there).
	Why string `json:"why"`
}

// Waiting is the situation of a component in a deadlock.
type Waiting struct {
	Component string  `json:"component"`
	State     string  `json:"state"`
	Ended     bool    `json:"ended,omitempty"` // it has terminated
	Offers    []Offer `json:"offers"`          // what it could do; none: nothing at all
	// Of a C program: the line where it waits, the abstracted routine in which it does, if any, and
	// the values of its variables.
	Place   string   `json:"place,omitempty"`
	Source  string   `json:"source,omitempty"`
	Routine string   `json:"routine,omitempty"`
	Values  []string `json:"values,omitempty"`
}

// Offer is an event that a component offers and others refuse.
type Offer struct {
	Event   string   `json:"event"`
	Refused []string `json:"refused_by"`
}

// Projection is a component's own part of a trace.
type Projection struct {
	Component string   `json:"component"`
	Events    []string `json:"events"`
}

// Abstraction says how far abstraction refinement had to go.
type Abstraction struct {
	Rounds     int          `json:"rounds"`
	States     int          `json:"states"` // abstract states, at most in a round
	Components []Abstracted `json:"components"`
}

// Abstracted is a component and its final abstraction.
type Abstracted struct {
	Component string `json:"component"`
	States    int    `json:"states"`
	Classes   int    `json:"classes"`
}

// State is a global state.
type State struct {
	Locals []string `json:"locals"` // local state of each component
	Props  []string `json:"props"`  // propositions that hold, sorted
}

// Step is one move and the state it leads to.
type Step struct {
	Event   string   `json:"event"`             // "" where a finished run stutters
	Source  string   `json:"source,omitempty"`  // of a program: the line
	Routine string   `json:"routine,omitempty"` // of a program: whose line it is
	Depth   int      `json:"depth,omitempty"`   // of a program: how many calls it is inside of
	Returns []string `json:"returns,omitempty"` // of a program: what routines have returned to others
	Inputs  []string `json:"inputs,omitempty"`  // values that a program is given, "n = 3"
	Action  string   `json:"action,omitempty"`  // of a program with a specification: what it performs
	With    []string `json:"with,omitempty"`    // of a program: other components that perform the action at the same time
	Movers  []string `json:"movers,omitempty"`  // components that took part
	Changed []Change `json:"changed,omitempty"` // local states that changed
	// Processes moved, where some component was made of several.
	Processes []string `json:"processes,omitempty"`
	At        []Place  `json:"at,omitempty"`     // of a model: where the movers do it
	Gained    []string `json:"gained,omitempty"` // propositions that became true
	Lost      []string `json:"lost,omitempty"`   // propositions that became false
	State     State    `json:"state"`
	// Of a program: how many moves of the component it is, and which values and ways these
	// took, in order, so that they can be done again; see package internal/c/steps.
	Moves   int      `json:"moves,omitempty"`
	Choices []string `json:"choices,omitempty"`
}

// Place is a line of a source, from 1.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// Change is a component's step from one local state to another.
type Change struct {
	Component string `json:"component"`
	From      string `json:"from"`
	To        string `json:"to"`
}

// Statistics of one search. Times are in seconds, sizes in bytes.
type Statistics struct {
	States           Count   `json:"states"`
	Transitions      Count   `json:"transitions"`
	ModelStates      Count   `json:"model_states,omitzero"`
	Depth            int64   `json:"depth,omitempty"`
	AutomatonStates  int     `json:"automaton_states,omitempty"`
	AutomatonEdges   int     `json:"automaton_edges,omitempty"`
	TranslateSeconds float64 `json:"translate_seconds"`
	SearchSeconds    float64 `json:"search_seconds"`
	StoreBytes       int64   `json:"store_bytes,omitempty"`
	Method           string  `json:"method,omitempty"`
}
