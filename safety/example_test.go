package safety_test

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

func ExampleProgram() {
	p, err := cfront.Parse([]*source.File{source.NewFile("count.c", `
int in(void); void reach_error(void);
int main(void) { int n = in(), k = 0; while (k < n) k++; if (n > 0 && k != n) reach_error(); }`)}, cfront.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	enc, err := encode.Encode(p, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	a, err := safety.Program(context.Background(), enc, pool, safety.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Verdict, a.NoRun)
	// Output: holds false
}
