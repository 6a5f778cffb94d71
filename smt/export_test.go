package smt

// OptimizeRLimit is what tests lower.
var OptimizeRLimit = &optimizeRLimit

// LateBase and LookEach are what tests lower, too.
var LateBase, LookEach = &lateBase, &lookEach
