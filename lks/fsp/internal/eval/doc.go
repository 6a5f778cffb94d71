// Package eval evaluates the constant parts of a model file: constants, ranges and sets,
// and, under bindings of parameters and index variables, expressions and labels.
package eval
