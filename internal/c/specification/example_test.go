package specification_test

import (
	"fmt"

	"github.com/seltl/seltl/internal/c/specification"
)

// A definition is unfolded to the states and transitions of its machine.
func ExampleFile_Machine() {
	file, err := specification.ParseText("lock.spec", `
LOCK = (when ($1 != 0) lock -> {held := 1} -> return {$0 == 0} -> STOP
       | epsilon -> return {$0 == -1} -> STOP).
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	machine, err := file.Machine(file.Defs[0].(*specification.LKSDef), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(machine)
	fmt.Println(machine.Alphabet)
	// Output:
	// LOCK -- when ($1 != 0) lock -> 1
	// LOCK -- epsilon -> 2
	// 1 -- {held := 1} -> 3
	// 2 -- return {$0 == -1} -> STOP
	// 3 -- return {$0 == 0} -> STOP
	// [lock]
}

func ExampleFormat() {
	file, err := specification.ParseText("p.spec", "cprog p=f,g[i:0..2]{abstract a,{(1),$1==i},S;}S=(a->S|b->STOP).")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(specification.Format(file))
	// Output:
	// cprog p = f, g[i:0..2] {
	//     abstract a, {(1), $1==i}, S;
	// }
	// S = (a -> S | b -> STOP).
}

// Every mistake has its place, and what is right around it is there.
func ExampleParseText() {
	file, err := specification.ParseText("p.spec", `
cproc f {
    abstact {a, (1), S};
    inline g;
}
S = (a -> Stop).
`)
	for _, d := range err.(specification.Diagnostics) {
		fmt.Println(d.Error())
		fmt.Println("   ", d.Help)
	}
	for _, s := range file.Defs[0].(*specification.ProcDef).Statements {
		fmt.Printf("%T\n", s)
	}
	// Output:
	// p.spec:3:5: error: expected a statement of a cproc block, got "abstact"
	//     did you mean "abstract"?
	// p.spec:6:11: error: there is no state "Stop" in the definition of S
	//     did you mean "STOP"?
	// *specification.BadStatement
	// *specification.Inline
}

// Names in a C expression can be replaced without reading C.
func ExampleCExpr_Replace() {
	file, err := specification.ParseText("p.spec", "cproc f { predicate $1->next == other; }")
	if err != nil {
		fmt.Println(err)
		return
	}
	e := file.Defs[0].(*specification.ProcDef).Statements[0].(*specification.Predicate).Exprs[0]
	fmt.Println(e.Replace(func(w specification.CWord) (string, bool) {
		return fmt.Sprintf("argument%d", w.Number), w.Text == ""
	}))
	// Output:
	// argument1->next == other
}

// The values of constants may come from outside.
func ExampleFile_Constants() {
	file, err := specification.ParseText("p.spec", "const N = 3\nconst LAST = N-1\ncprog p = f[i:0..LAST] {}")
	if err != nil {
		fmt.Println(err)
		return
	}
	constants, err := file.Constants(specification.Values{"N": 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	copies, err := file.Copies(file.Defs[2].(*specification.ProgDef).Components[0], constants)
	fmt.Println(constants["LAST"], copies, err)
	// Output:
	// 4 [0 1 2 3 4] <nil>
}

// Words with a meaning of their own, for completion.
func ExampleKeywords() {
	fmt.Println(specification.Keywords())
	// Output:
	// [END STOP abstract alphabet assume const cproc cprog epsilon hide inline ltl predicate rename return tau when]
}
