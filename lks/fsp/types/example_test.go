package types_test

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/lks/fsp/types"
)

const buffer = `const N = 2
range R = 0..N
BUFF = COUNT[0],
COUNT[i:R] = (when (i < N) put -> COUNT[i+1] | when (i > 0) get -> COUNT[i-1]).
fluent FULL = <put, get>
ltl L = G (FULL -> F get)
`

func check(text string) *types.Info {
	file, err := syntax.ParseText("buffer.lks", text)
	if err != nil {
		fmt.Println(err)
	}
	return types.Check(file, types.Options{})
}

// Go to the definition of what stands under the cursor, and show what it is.
func ExampleInfo_At() {
	info := check(buffer)
	for _, use := range []string{"N) put", "i > 0", "COUNT[i-1]", "R] =", "FULL -> F"} {
		o := info.At(strings.Index(buffer, use))
		p := info.File.Place(o.Defs[0]).Pos()
		fmt.Printf("%s %s %s defined in line %d, column %d\n", o.Kind, o.Name, info.Value(o), p.Line, p.Column)
	}
	// Output:
	// constant N 2 defined in line 1, column 7
	// index variable i  defined in line 4, column 7
	// local process COUNT  defined in line 4, column 1
	// range R 0..2 defined in line 2, column 7
	// fluent FULL  defined in line 5, column 8
}

// All uses of a name, and what the text is with another one.
func ExampleObject() {
	info := check(buffer)
	o := info.Lookup(syntax.Constant, "N")
	for _, use := range o.Uses {
		p := info.File.Place(use).Pos()
		fmt.Printf("line %d, column %d\n", p.Line, p.Column)
	}
	places := append(o.Defs, o.Uses...)
	renamed := buffer
	for i := len(places) - 1; i >= 0; i-- {
		renamed = renamed[:places[i].Start] + "SIZE" + renamed[places[i].End:]
	}
	fmt.Println(strings.Join(strings.Split(renamed, "\n")[:2], "\n"))
	// Output:
	// line 2, column 14
	// line 4, column 25
	// const SIZE = 2
	// range R = 0..SIZE
}

// What can be written at a place of a file that is being typed.
func ExampleInfo_Visible() {
	text := "const N = 2\nP(M=N) = (a[i:0..M] -> b[ \nQ = (c -> Q).\n"
	info := check(text)
	for _, o := range info.Visible(strings.Index(text, "b[") + len("b[")) {
		fmt.Println(o.Kind, o.Name)
	}
	fmt.Println(len(info.Diagnostics), "message, that of the parser")
	// Output:
	// buffer.lks:3:3: error: there is no operator "=" in expressions
	// constant N
	// process P
	// parameter M
	// index variable i
	// process Q
	// 1 message, that of the parser
}

func ExampleInfo_Eval() {
	info := check("const N = 3\nP = (when (N % 2 == 1) a[i:0..1] -> b[i+1] -> P).\n")
	syntax.Inspect(info.File, func(n syntax.Node) bool {
		e, ok := n.(*syntax.Expr)
		if ok && e.Right != nil {
			value, constant := info.Eval(e)
			fmt.Println(info.File.Place(e.Span).Text(), value, constant)
		}
		return true
	})
	// Output:
	// (N % 2 == 1) 1 true
	// N % 2 1 true
	// i+1 0 false
}
