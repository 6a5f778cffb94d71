// Package meet is where automata of formulas and networks meet, letter by letter: what the
// atoms of a formula mean in a network (Binding) and what is known of them (Constraints), an
// automaton as searches need it (Automaton), and which of its edges read a letter (Matcher).
package meet
