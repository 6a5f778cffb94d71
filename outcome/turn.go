package outcome

import (
	"fmt"
	"strconv"
)

// Turn is what one of several methods has done by the end of one of its turns.
type Turn struct {
	Lane   string // the method, for people
	Number int    // from 1
	// May is the work that the lane may have done by then, since it has begun or begun anew, in a solver's
	// units, some 300,000 a second; 0 is as much as it likes. Did is what it has done, as far as it is
	// counted: the last question counts whole.
	May, Did int64
	Verdict  Verdict
	Reason   error // why it has ended without an answer; nil of one that has an answer, or goes on
}

// String is a row of a table, without a newline.
func (t Turn) String() string {
	what := "goes on"
	switch {
	case t.Verdict != Unknown:
		what = t.Verdict.String()
	case t.Reason != nil:
		what = "ends: " + t.Reason.Error()
	}
	may := ""
	if t.May > 0 {
		may = " of " + strconv.FormatInt(t.May, 10)
	}
	return fmt.Sprintf("turn %d: %-34s %26s  %s", t.Number, t.Lane, strconv.FormatInt(t.Did, 10)+may, what)
}
