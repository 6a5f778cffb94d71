package syntax_test

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/lks/fsp/syntax"
)

func ExampleFormat() {
	file, err := syntax.ParseText("p.lks", "P=(a->P|b->Q),Q=(c->P).")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(syntax.Format(file))
	// Output:
	// P = (a -> P | b -> Q),
	// Q = (c -> P).
}

// A half-typed process has a bad node where the text is missing. What follows on lines
// of its own is there as if the process were not.
func ExampleParse() {
	file, err := syntax.ParseText("p.lks", `
const N = 2
P = (a[i:0..N] ->
Q = (b -> Q).
||C = (P || Q).
`)
	fmt.Println(err)
	for _, d := range file.Defs {
		head := d.Head()
		fmt.Println(syntax.KindOf(d), head.Name.Text, head.Bad)
	}
	syntax.Inspect(file, func(n syntax.Node) bool {
		if b, ok := n.(*syntax.Body); ok && b.Kind == syntax.BodyBad {
			before := file.Place(syntax.Span{Start: b.Start - 2, End: b.Start})
			fmt.Printf("a process is missing behind %q\n", before.Text())
		}
		return true
	})
	// Output:
	// p.lks:4:3: error: expected ")", got "="
	// constant N false
	// process P true
	// process Q false
	// composite C false
	// a process is missing behind "->"
}

// What stands under the cursor is the last of the nodes around it.
func ExampleFile_Enclosing() {
	const text = "P = (a -> b[1] -> STOP)."
	file, err := syntax.ParseText("p.lks", text)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range file.Enclosing(len("P = (a -> b")) {
		fmt.Printf("%-20T %s\n", n, file.Place(n.Extent()).Text())
	}
	// Output:
	// *syntax.ProcessDef   P = (a -> b[1] -> STOP).
	// *syntax.LocalDef     = (a -> b[1] -> STOP)
	// *syntax.Body         (a -> b[1] -> STOP)
	// *syntax.Choice       a -> b[1] -> STOP
	// *syntax.Label        b[1]
	// *syntax.LabelPart    b
}

// Reserved words, for completion: no action is called so.
func ExampleKeywords() {
	for _, word := range syntax.Keywords() {
		if strings.HasPrefix(word, "i") || strings.HasPrefix(word, "w") {
			fmt.Println(word, syntax.IsActionName(word))
		}
	}
	// Output:
	// if false
	// import false
	// initially false
	// when false
}

// Comments are kept with the number of the token behind them.
func ExampleComment() {
	file, err := syntax.ParseText("p.lks", "// counts\nP = (a -> P). // for ever\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range file.Comments {
		fmt.Printf("%s | before %q\n", c.Text, file.Tokens[c.Before].Text)
	}
	// Output:
	// // counts | before "P"
	// // for ever | before ""
}
