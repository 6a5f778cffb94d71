// Package ask is what all commands share that ask something: the model is loaded, flags become options,
// formulas are read from arguments and files, pictures are drawn, and what to try about an unknown
// verdict is said in the words of the command line.
package ask
