package ask

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/refine"
	"github.com/seltl/seltl/outcome"
)

// What to try, in the words of the command line: it hangs on the type of a reason, not on its text.

// adviceFor says what to try about a question of a command that stayed open.
func adviceFor(command string, reason error) string {
	var saved *check.Resumable
	var inconclusive *check.Inconclusive
	var store *check.Unsuited
	var input *check.InputError
	var outside *outcome.Outside
	switch {
	case command == "reach" && errors.As(reason, &outside) && outside.Try != "":
		return outside.Try
	case errors.As(reason, &store):
		return store.Help()
	case errors.As(reason, &input):
		return input.Help
	case errors.As(reason, &saved):
		return "the same command, with larger limits if there are any: it goes on from " + saved.Checkpoint
	case errors.As(reason, &inconclusive) && command != "reach":
		return specifiedAdvice(inconclusive)
	case errors.As(reason, &inconclusive):
		return reachAdvice(inconclusive)
	case errors.Is(reason, deadlock.ErrNotProved):
		return "--method=auto"
	case errors.Is(reason, check.ErrReached) && command == "check":
		return "repair safety first"
	case errors.Is(reason, check.ErrReached):
		return "seltl check, and repair safety first"
	}
	advice := cmdline.LimitAdvice(reason)
	if command == "clp" {
		return queryAdvice(reason)
	}
	if command == "check-certificate" {
		advice = strings.ReplaceAll(advice, ", or smaller constants (-D)", "")
	}
	return advice
}

// reachAdvice says what to try where `seltl reach` has no answer: only what can help.
func reachAdvice(reason *check.Inconclusive) string {
	var limit *budget.Exhausted
	limited := errors.As(reason, &limit)
	switch try := outcome.Try(reason); {
	case try != "":
		return try
	case !limited && reason.Method != armc.Auto:
		return "--direction=auto, which tries all of them, or another --abstraction or --refine"
	case !limited:
		return "one --direction alone: it has no limit of work; or an invariant of your own (seltl check-certificate)"
	}
	switch limit.What {
	case "states":
		return "a larger --max-states, or another --direction, --abstraction or --refine"
	case "memory":
		return "a larger --max-memory, or another --direction, --abstraction or --refine"
	case "refinements":
		return "a larger --max-rounds, or another --direction, --abstraction or --refine"
	}
	return "a longer --timeout, or another --direction, --abstraction or --refine"
}

// StoreAdvice says what to do instead about a store that does not suit a question.
func StoreAdvice(c *cli.Context, err error) error {
	var store *check.Unsuited
	if !errors.As(err, &store) {
		return err
	}
	return &cmdline.Error{Command: c.Command.Name, Text: err.Error(), Help: store.Help()}
}

// specifiedAdvice says what to try where a question about specified C programs has no answer.
func specifiedAdvice(reason *check.Inconclusive) string {
	if errors.Is(reason, context.DeadlineExceeded) {
		return "a longer --timeout, or --predicates=interpolants or branches"
	}
	return cmp.Or(outcome.Try(reason), "--predicates=interpolants or branches; --explain shows which component is refined")
}

// queryAdvice says what to try where `seltl clp` has no answer.
func queryAdvice(reason error) string {
	var limit *budget.Exhausted
	switch try := outcome.Try(reason); {
	case try != "":
		return try
	case errors.As(reason, &limit) && limit.What == "time":
		return "a longer --timeout, or another --method"
	case errors.As(reason, &limit) && limit.What == "memory":
		return "a larger --max-memory, or another --method"
	case errors.As(reason, &limit) && limit.Advice != "":
		return limit.Advice
	case refine.OutOfRounds(reason):
		return "a larger --max-rounds, or another --method"
	}
	return "another --method, or --source=cores"
}
