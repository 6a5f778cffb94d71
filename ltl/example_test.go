package ltl_test

import (
	"errors"
	"fmt"
	"os"

	"github.com/seltl/seltl/ltl"
)

func ExampleParseString() {
	f, err := ltl.ParseString("G(request -> F reply)")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f)
	fmt.Println(f.Op() == ltl.Always, f.Left().Op() == ltl.Implies, ltl.Atoms(f))
	// Output:
	// G(request -> F reply)
	// true true [reply request]
}

// A vocabulary tells propositions and events apart, and wrong names are found.
func ExampleParse() {
	model := vocabulary{
		props:  []string{"level.0", "level.1", "level.2", "full"},
		events: []string{"put", "get"},
	}
	f, err := ltl.ParseText("G(level >= 1 & put -> X full)", ltl.ParseOptions{Vocabulary: model})
	if err != nil {
		fmt.Println(err)
		return
	}
	echo, _ := ltl.Echo(f)
	fmt.Println(echo)

	_, err = ltl.ParseText("G(putt -> X full)", ltl.ParseOptions{Vocabulary: model})
	if list, ok := errors.AsType[ltl.Diagnostics](err); ok {
		list.Render(os.Stdout)
	}
	// Output:
	// G((E.put & (S.level[1] | S.level[2])) -> (X S.full))
	// <formula>:1:3: error: unknown name "putt"
	//     1 | G(putt -> X full)
	//       |   ^^^^
	//     help: did you mean "put"?
}

func ExampleEval() {
	a, b := ltl.Atom{Name: "a"}, ltl.Atom{Name: "b"}
	// a a b a b a b ...
	w := ltl.Word{
		Stem: []ltl.Letter{ltl.LetterOf(a), ltl.LetterOf(a)},
		Loop: []ltl.Letter{ltl.LetterOf(b), ltl.LetterOf(a)},
	}
	for _, text := range []string{"a U b", "G F a", "F G a"} {
		fmt.Println(text, ltl.Eval(ltl.MustParse(text), w))
	}
	// Output:
	// a U b true
	// G F a true
	// F G a false
}

func ExampleSimplify() {
	f := ltl.MustParse("F(a U (b & F(a | b))) | G F X b")
	fmt.Println(ltl.Simplify(f, ltl.SimplifyOptions{}))
	fmt.Println(ltl.Simplify(f, ltl.SimplifyOptions{Skip: ltl.AllRules}))
	// Output:
	// F b
	// F(a U (b & F(a | b))) | GFX b
}

// Of two events at most one occurs in a step.
func ExampleSimplify_exclusive() {
	put, get := ltl.Atom{Kind: ltl.Event, Name: "put"}, ltl.Atom{Kind: ltl.Event, Name: "get"}
	f := ltl.MustParse("G(E.put -> !E.get & F p)")
	fmt.Println(ltl.Simplify(f, ltl.SimplifyOptions{Exclusive: [][]ltl.Atom{{put, get}}}))
	// Output:
	// G(!put | F p)
}

func ExampleFormat() {
	f := ltl.MustParse("G(phil[0].hungry -> phil[0].eat R !done)")
	for _, s := range []ltl.Syntax{ltl.Seltl, ltl.Spot, ltl.LTSA, ltl.SPIN} {
		text, err := ltl.Format(f, s)
		fmt.Println(text, err)
	}
	// Output:
	// G(phil[0].hungry -> phil[0].eat R !done) <nil>
	// G("phil.0.hungry" -> "phil.0.eat" R !done) <nil>
	// [](phil[0].hungry -> (!done W (!done && phil[0].eat))) <nil>
	// []((phil[0].hungry) -> ((phil[0].eat) V !done)) <nil>
}

func ExampleClassify() {
	for _, text := range []string{"G(a -> X b)", "a U b", "G F a", "F G a", "G F a -> G F b"} {
		fmt.Printf("%-14s %v\n", text, ltl.Classify(ltl.NNF(ltl.MustParse(text))))
	}
	// Output:
	// G(a -> X b)    safety obligation recurrence persistence universal negation-normal
	// a U b          guarantee obligation recurrence persistence stutter-invariant negation-normal
	// G F a          recurrence stutter-invariant eventual universal negation-normal
	// F G a          persistence stutter-invariant eventual universal negation-normal
	// G F a -> G F b reactivity stutter-invariant eventual universal negation-normal
}

func ExampleNNF() {
	f := ltl.MustParse("!(a U b) <-> c")
	fmt.Println(ltl.NNF(f))
	fmt.Println(ltl.Negate(ltl.MustParse("G(a -> F b)")))
	// Output:
	// c & !a R !b | !c & a U b
	// F(a & G !b)
}

func ExampleSubstitute() {
	f := ltl.MustParse("G(busy -> F idle)")
	fmt.Println(ltl.Substitute(f, map[ltl.Atom]*ltl.Formula{{Name: "idle"}: ltl.MustParse("!busy")}))
	// Output:
	// G(busy -> F !busy)
}

func ExampleMakeSuffixImplies() {
	a, b := ltl.MakeLetter(ltl.MustParse("a")), ltl.MakeLetter(ltl.MustParse("b"))
	r := ltl.MakeConcat(a, ltl.MakeStar(b, 0, 2), ltl.MakeUnion(ltl.MakeEmptyWord(), a))
	fmt.Println(ltl.MakeSuffixImplies(r, ltl.MustParse("X c")))
	fmt.Println(ltl.MakeSuffixAnd(r, ltl.T()), ltl.MakeClosure(r), ltl.MakeNot(ltl.MakeClosure(r)))
	// Output:
	// {a; b[*0..2]; {[*0] | a}}[]-> X c
	// {a; b[*0..2]; {[*0] | a}}! {a; b[*0..2]; {[*0] | a}} !{a; b[*0..2]; {[*0] | a}}
}
