package cfront_test

import (
	"fmt"
	"os"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
)

const counter = `
extern int input(void);
int main(void) {
	int n = 0;
	while (n < 3 && input() > 0) n++;
	if (n == 3) { ERROR: return 1; }
	return 0;
}
`

func ExampleParse() {
	p, err := cfront.Parse([]*source.File{source.NewFile("counter.c", counter)}, cfront.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := p.WriteC(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// void <initialisers>()
	// {
	// L0:
	//     return;
	// }
	//
	// int main()
	// {
	//     int n;
	//     int tmp;
	// L0:
	//     n = 0;                                             // 4
	// L1:
	//     if (n < 3) goto L2; else goto L4;                  // 5
	// L2:
	//     tmp = input();                                     // 5
	//     if (0 < tmp) goto L3; else goto L4;                // 5
	// L3:
	//     n = n + 1;                                         // 5
	//     goto L1;
	// L4:
	//     if (n == 3) goto ERROR; else goto L6;              // 6
	// ERROR:
	//     fail; /* label ERROR is reached */                 // 6
	// L6:
	//     return 0;                                          // 7
	// }
	// extern int input();
}

func ExampleMachine() {
	p, err := cfront.Parse([]*source.File{source.NewFile("counter.c", counter)}, cfront.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	m := machine.Machine{Program: p, MaxSteps: 1000, Choose: func(c *machine.Choice) (uint64, error) { return 5, nil }}
	out, err := m.Run(p.Func("main"), nil)
	fmt.Println(out.Ending == machine.Failed, out.What, out.Span.Pos().Line, err)
	// Output: true label ERROR is reached 6 <nil>
}
