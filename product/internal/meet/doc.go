// Package meet is where automata of formulas and networks meet, letter by letter: what the
// atoms of a formula mean in a network (Binding) and what is known of them (Constraints), an
// automaton as searches need it (Automaton), which of its edges read a letter (Matcher), and the product
// of both, explored on the fly (Graph), with ways and lassos in it (BFS, Path).
package meet
