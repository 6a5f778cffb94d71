// Package automata works on automata without a model, one by one: what can be asked of one, what its
// figures are, and random ones. It knows no flag and prints nothing but what it is asked to write.
//
//	question.go   questions, whose answers have words that show them
//	figures.go    lines of figures in a format
//	generated.go  random automata
package automata
