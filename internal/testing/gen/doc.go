// Package gen makes inputs for tests: random models, networks and formulas from
// a seed, and the families of scalable models that others have measured. Only
// test files import it.
package gen
