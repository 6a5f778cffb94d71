package decide

import (
	"fmt"
	"io"
)

// Wrong counts answers that contradict others.
type Wrong int

// Compare writes and counts the answers to a problem that are not what is expected of it, or,
// if expect is "", not what the first solved one says. column names who gave answer i.
func (n *Wrong) Compare(w io.Writer, problem, expect string, answers []Answer, column func(i int) string) {
	for i, a := range answers {
		if !a.Solved() {
			continue
		}
		if expect == "" {
			expect = a.Verdict
		}
		if a.Verdict != expect {
			*n++
			fmt.Fprintf(w, "\nDISAGREEMENT: %s: %s says %s, not %s\n", problem, column(i), a.Verdict, expect)
		}
	}
}

// Err is an error if there were any, and says so if there were none.
func (n Wrong) Err(w io.Writer) error {
	if n > 0 {
		return fmt.Errorf("%d answers disagree", n)
	}
	fmt.Fprintf(w, "\nNo answers disagree.\n")
	return nil
}
