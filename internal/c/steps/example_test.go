package steps_test

import (
	"fmt"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/internal/c/steps"
	"github.com/seltl/seltl/internal/source"
)

// A program line by line: each value that it leaves open is 3. A point does not change, so that
// the run can go on from any of them again.
func Example() {
	text := `int input(void);
int twice(int x) {
	return 2 * x;
}
int main(void) {
	int n = input();
	return twice(n);
}`
	p, err := cfront.Parse([]*source.File{source.NewFile("p.c", text)}, cfront.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	procedure, err := steps.OfProgram(p, "main")
	if err != nil {
		fmt.Println(err)
		return
	}
	three := func(*steps.Ask) (uint64, error) { return 3, nil }
	at, err := procedure.Begin(three)
	for err == nil && at.End() == nil {
		var line *steps.Line
		if line, err = at.Line(at.Moves()[0], three, nil, nil); err == nil {
			fmt.Println(line.Func.Name, line.Span.Pos().Line, line.Given)
			at = line.To
		}
	}
	fmt.Println(at.End().Value, err)
	// Output:
	// main 6 [input() = 3]
	// main 7 []
	// twice 3 []
	// main 7 []
	// 6 <nil>
}
