package smt

// OptimizeRLimit is what tests lower.
var OptimizeRLimit = &optimizeRLimit

// LateBase is what tests lower, too.
var LateBase = &lateBase
