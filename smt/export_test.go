package smt

// OptimizeRLimit is what tests lower.
var OptimizeRLimit = &optimizeRLimit

// LateBase and LookEach are what tests lower, too.
var LateBase, LookEach = &lateBase, &lookEach

// Spare says whether there is a child for the next checker beside a solver.
func Spare(z *Z3) bool { return z.spare != nil }
