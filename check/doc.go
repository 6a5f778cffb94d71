// Package check asks the questions that people have about a model, and puts the answers
// into a [report.Report]: it loads models ([Load]), finds the properties
// that a file declares ([Model.Declared]), and decides them with the engines of the floor
// below ([Verify], [All], [Progress], [Deadlock], [Conform], [Equivalent],
// [Stats], [Compose]). What is asked about C programs, systems with data and Horn clauses stands in
// check/programs, about formulas and automata in check/formulas and check/automata. Command line, browser and editors share it: it
// knows no flag and no terminal, and prints nothing. What there is to tell on the way
// goes to the callbacks of [Options].
//
// Every question takes a context, which bounds it together with Options.Limits: a limit
// or an interruption is a result of verdict unknown, with its reason, and no error. An
// error says that model or question is wrong, or is a [bug.Error].
//
// A report lacks only its Version, which is that of the program that asks.
//
// Options that change what a verdict means are named in its assumptions as everywhere
// in the manual: --fair=choice.
//
// # Decisions
//
// check has one function a question (Verify, All, Deadlock, Conform, ...), which takes a loaded model and
// options and returns a report.Report. What is not in the report (a certificate, an abstract graph) comes
// as the engine's result beside it. A limit is a result, an error means that model or question is wrong.
// report.Worst and Verdict.Exit turn verdicts into exit statuses. What to try about an unknown verdict is
// the caller's to say (Options.Advise): only it knows what its users can change; the reason is an error to
// look at (*Resumable, *Inconclusive, ErrReached, a limit). Assumptions name options as the manual does,
// --fair=choice, whoever asks. Files are opened by a function (Open), so that an editor's text need not be
// on the disk.
package check
