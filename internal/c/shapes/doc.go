// Package shapes proves that C programs with lists do not fail, by abstract interpretation of package ir's
// form over symbolic memory graphs: the memory of all runs that come to a place is a set of graphs, whose nodes are objects
// and segments of lists of any length.
//
// The idea is that of Predator ([Dudka13]). A graph says, for each scalar of an object, what it holds: a number, the
// address of a place in an object, or a symbol, which is a number of a range, the same wherever the symbol stands, or
// any bits. A segment stands for nodes one after the other, each with the same scalars but for the one that leads to the
// next, and to the one before it, each of its own memory. At the heads of loops nodes that only their predecessor leads to become one
// segment; where one is looked at, it becomes a node and what is left.
//
// It is strict: where a run might do what is not modelled (use what has ended, leave an object, divide by zero,
// call what is not known), where an address is needed that is not known, or where there is no end to the graphs,
// it gives up, and has said nothing about the program. It finds no failures. So a proof rests on nothing but what it
// rests on with package machine that malloc does not fail, and that a run which accesses null ends.
//
// Numbers are machine words. Floating-point numbers are any values. Recursion is followed to a depth.
package shapes
