// Package relations makes constrained Horn clauses of C programs whose routines are not all
// inlined ([Flanagan04], section 2): programs with recursion, and those that are too large.
//
// Each routine m that is encoded apart has a transfer relation Tm and, if a failure is
// reachable in it, an error relation Em:
//
//	Tm(inputs, outputs)  an activation of m that begins with these inputs can return with
//	                     these outputs
//	Em(inputs)           an activation of m that begins with these inputs can fail
//
// Inputs are what m and the routines that it calls may read of what its callers know, before
// they write it: arguments, globals, memory. Outputs are what they may write, and callers may
// read afterwards: the result, globals, memory. Arguments and results are passed in globals
// of their own (package encode). Between, a routine is cut at loops: a relation for a place l
// in m,
//
//	Pl(inputs, now)
//
// says that an activation with these inputs can be there while variables have the values
// now; an input that m never changes stands for both. Paths between cut points are clauses,
// with an application of Tg for each call that is passed, and of Eg for one that fails:
//
//	Tm(in, out)   :-  Pl(in, now), path, Tg(args, results), ...
//	Em(in)        :-  Pl(in, now), path, Eg(args)
//	false         :-  Pl(now), path                   in the entry routine, to a failure
//
// Memory is as package encode has it. Scalars whose address is not taken are arguments of
// their own. Where a local of a recursive routine has its address taken, there is one for
// each activation, and all of them together are a heap map: an array of the logic from
// addresses to values, one for each scalar of the object. An activation takes the next
// address, and gives it back by returning: how many there are is an input of a routine, and
// never an output. The same maps are used for what malloc allocates.
package relations
