package bind_test

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/smt"
)

func ExampleBind() {
	program := source.NewFile("door.c", "int read_key(void); int door(int tries) { while (tries-- > 0) if (read_key() == 7) return 1; return 0; }")
	spec, err := specification.ParseText("door.spec", `
		KEY  = (key -> return {} -> STOP).
		cproc read_key { abstract {keys, 1, KEY}; }
		OPEN = (key -> OPEN | return {$0 == 0} -> STOP | return {$0 == 1} -> STOP).
		cprog main = door { abstract opens, {($1 <= 3)}, OPEN; }`)
	if err != nil {
		fmt.Println(err)
		return
	}
	z3, err := smt.NewZ3(smt.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer z3.Close()
	q, err := bind.Bind(context.Background(), &bind.Task{Sources: []*source.File{program}, Spec: spec}, z3)
	if err != nil {
		fmt.Println(err)
		return
	}
	door := q.Components[0]
	fmt.Println(door.Name, "takes part in", door.Encoding.Component(door.Encoding.Words).Alphabet)
	fmt.Println(q.Spec.Name(), "speaks of", q.Spec.Alphabet()[1:])
	for _, a := range q.Assumed {
		fmt.Println("assuming", a.Routine, "does what", a.Name, "says")
	}
	// Output:
	// door takes part in [key return {$0 == 0} return {$0 == 1} return.other]
	// OPEN speaks of [key return {$0 == 0} return {$0 == 1} return.other]
	// assuming read_key does what keys says
}
