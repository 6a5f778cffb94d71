package relations_test

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/internal/c/relations"
	"github.com/seltl/seltl/internal/source"
)

func ExampleOf() {
	text := "int sum(int n) { if (n <= 0) return 0; return n + sum(n - 1); }\nint main(void) { if (sum(3) < 0) { ERROR: ; } return 0; }\n"
	p, err := cfront.Parse([]*source.File{source.NewFile("p.c", text)}, cfront.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := encode.EncodeApart(context.Background(), p, "main", false)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := relations.Of(context.Background(), e, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, k := range r.Kinds {
		fmt.Println(r.Numbers.PredName(i), r.Numbers.Preds[i].Params, k.Title())
	}
	fmt.Println(len(r.Numbers.Clauses), "clauses")
	// Output:
	// T!sum [sum:n sum:result!out] sum() returns
	// 3 clauses
}
