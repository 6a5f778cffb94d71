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
package sim
