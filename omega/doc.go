// Package omega holds automata over infinite words with any acceptance condition,
// and answers questions about them.
//
// An Automaton reads one letter per step, as in package buchi: labels of edges are
// Boolean functions over the atoms. Edges carry marks, and a Condition, a Boolean
// formula over Inf(i) (mark i comes infinitely often) and Fin(i) (it does not), says
// which runs accept (Emerson and Lei). Büchi, co-Büchi, parity, Rabin and Streett are
// forms of conditions; acceptance on states is the case that all edges of each state
// have the same marks. There is one initial state. Universal branching is removed where
// automata are read.
//
//	r := omega.NewReader("a.hoa", file)
//	a, err := r.Next() // HOA or a never claim, one after the other
//
// What there is, each in a file of its own:
//
//	condition    conditions: evaluation, duals, normal forms; names: those of the format
//	read, write  the Hanoi format and never claims; buchi: automata of package buchi
//	alternation  universal branching removed
//	words        lasso words: as text, and whether an automaton accepts one
//	emptiness    an accepting lasso for any condition
//	trim         useless states, marks and sets go; completion; quotient
//	product      intersection, union, projection
//	forms        Büchi, co-Büchi, parity, Rabin, Streett; finremoval, cycles, zielonka, priorities
//	statebased   marks on states
//	safra        determinisation
//	complement   by determinisation and duals, or by ranks
//	forklift     inclusion without complement, with a word that refutes it; shortest
//	classify     the class of a language, stuttering; closure: safety and liveness parts
//
// Operations return new automata and leave their operands as they are, but make nodes
// in the diagrams of their operands: they must not run concurrently on automata that
// were made from one another. A Meter bounds those that can take long.
//
// Every operation is compared in tests with definitions: internal/testing/naive evaluates words
// by what cycles are, without any of the algorithms here.
package omega
