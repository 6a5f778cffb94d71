package smt

// OptimizeRLimit is what tests lower.
var OptimizeRLimit = &optimizeRLimit
