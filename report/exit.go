package report

// Exit statuses of a run: the meaning of Report.Exit.
const (
	ExitHolds       = 0 // all questions were answered as they should be
	ExitViolated    = 1
	ExitInput       = 2 // model or question is wrong: nothing was checked
	ExitUnknown     = 3 // a limit was reached, or no method had an answer
	ExitInternal    = 4 // seltl contradicts itself
	ExitInterrupted = 130
)

// severity has the exit statuses of finished runs, worst first.
var severity = [...]int{ExitInternal, ExitInput, ExitViolated, ExitUnknown, ExitHolds}

// Worst returns the worse of two exit statuses. An interrupted run is worse than all.
func Worst(a, b int) int {
	if a == ExitInterrupted || b == ExitInterrupted {
		return ExitInterrupted
	}
	for _, s := range severity {
		if a == s || b == s {
			return s
		}
	}
	return max(a, b)
}

// Exit returns the exit status of a verdict.
func (v Verdict) Exit() int {
	switch v {
	case Holds:
		return ExitHolds
	case Violated:
		return ExitViolated
	}
	return ExitUnknown
}
