package ltl

// StepsLeft is how far the last simplification was from its limit.
func (s *Simplifier) StepsLeft() int { return s.steps }

// MaxSteps is the limit.
const MaxSteps = maxSteps
