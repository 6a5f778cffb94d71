// Package sim steps through a model, or a C program: a session knows the run so far, what is possible
// next, and how the properties of the model stand. It knows no terminal and prints
// nothing; command line, report and browser share it.
//
//	stepper     what people see of a session: of a model (Session), of a C program (Program)
//	history     the run, back and forth, of both
//	session     a model's run
//	choices     what is possible, and a choice by number or by name
//	walk        many steps at once: at random, or as long as there is no choice
//	goal        the shortest way to a state, an event, a deadlock or a violation
//	properties  how formulas and safety properties stand
//	graph       all states as a picture, and where in it the session is
//	trace       counterexamples of other commands loaded, the run saved
//	program     a C program's run: components, lines that they do, actions together;
//	            programvalues what is asked for, programgoal goals by runs at random,
//	            programwatch formulas, programtrace counterexamples
//
// A run that was loaded, or that was gone back on, lies ahead: Redo follows it, and another
// choice branches off.
//
// # Decisions
//
// A session of steps (check/sim) is a network with observers for all fluents, a list of visits (local
// states, not packed ones, so that they can be described and replayed), and for each question a
// product.Watch: the residual formula, for people, and sets of automaton states, for the verdict. What lies
// ahead after an undo and what was loaded are the same thing. A trace is found again by names, step by
// step, as a set of states where names do not tell which; so a report needs no numbers of states. Commands
// are read in check/sim, too, since lines, screen and browser share them; files are the caller's.
package sim
