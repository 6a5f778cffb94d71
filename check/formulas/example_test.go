package formulas_test

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/formulas"
	"github.com/seltl/seltl/ltl"
)

// A question about formulas without a model: the word was evaluated on both.
func ExampleAsk() {
	f, g := ltl.MustParse("G F a"), ltl.MustParse("F G a")
	result, status, err := formulas.Ask(context.Background(), formulas.AskImplies,
		formulas.Written{Formula: f, Text: "GFa"}, formulas.Written{Formula: g, Text: "FGa"}, check.Options{})
	fmt.Println(result.Verdict, status, err)
	fmt.Println(result.Word, result.Note)
	// Output:
	// violated 1 <nil>
	// cycle{a; !a} satisfies GFa and not FGa
}
