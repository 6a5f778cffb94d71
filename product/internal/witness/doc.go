// Package witness makes evidence for people of an accepting lasso: depth-first searches find
// long detours. None of it is needed for the verdict, and what is reported is checked.
//
//	shorten     shorter lassos of the product, at little cost
//	shortest    a shortest one
//	cut         runs of the network without repetition and detours
//	shorterrun  runs that the automaton accepts only by a longer way round
//	confirm     replay of a run, and the formula evaluated on it
package witness
