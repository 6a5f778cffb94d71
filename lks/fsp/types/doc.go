// Package types finds out what the names of a model file stand for: the definition of
// every use, the uses of every definition, where a name can be used, and the values of
// what is constant. It reports names that are not defined, and the like.
//
// Check takes any file, also one that is being typed: names in what could be read of a
// definition are resolved, but nothing is reported about a definition with mistakes,
// about which the parser has spoken.
package types
