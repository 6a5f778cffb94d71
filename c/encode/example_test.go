package encode_test

import (
	"fmt"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/internal/source"
)

func ExampleEncode() {
	text := "extern int any(void);\nint main(void) { int x = any(); if (x > 5 && x < 3) { ERROR: ; } return 0; }\n"
	p, err := cfront.Parse([]*source.File{source.NewFile("p.c", text)}, cfront.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := encode.Encode(p, "main")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Words.Vars[0], e.Words.Vars[0].Sort(), e.Numbers.Vars[0].Sort(), e.Externs, len(e.Lost))
	for l, what := range e.Failures {
		fmt.Println(e.Words.Locations[l].Name, what)
	}
	// Output:
	// main.x (_ BitVec 32) Int [any] 0
	// error:2 label ERROR is reached
}
