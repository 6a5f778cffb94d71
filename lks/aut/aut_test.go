package aut_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/aut"
)

func parse(text string) (*lks.LKS, error) {
	return aut.Parse(source.NewFile("m.aut", text), "m")
}

func ExampleParse() {
	m, err := aut.ParseText("switch.aut", `des (0, 3, 2)
(0, "press", 1)
(1, release, 0)
(1, i, 0)
`, "SWITCH")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.NumStates(), "states, alphabet", m.Alphabet())
	// Output: 2 states, alphabet [tau press release]
}

func ExampleWrite() {
	b := lks.NewBuilder("SWITCH")
	off, on := b.State(), b.State()
	b.Transition(off, "press", on)
	b.Transition(on, lks.TauName, off)
	m, _ := b.Build()
	var out strings.Builder
	if err := aut.Write(&out, m); err != nil {
		fmt.Println(err)
	}
	fmt.Print(out.String())
	// Output:
	// des (0, 2, 2)
	// (0, "press", 1)
	// (1, i, 0)
}

func TestLabels(t *testing.T) {
	m, err := parse("\n des(1,7,2) \r\n (0,PUSH !1 !f(2, 3),1)\n( 1 , \"a \"\"b\" , 0 )\n(0,\"tau\",0)\n(0,i,1)\n(1,\"i\",0)\n(0, x\",1)\n(1,  \"  \" ,1)")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"tau", "  ", `PUSH !1 !f(2, 3)`, `a ""b`, `x"`}
	if got := m.Alphabet(); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("alphabet %q, want %q", got, want)
	}
	if m.Initial()[0] != 1 || m.NumTransitions() != 7 {
		t.Errorf("initial %v, %d transitions", m.Initial(), m.NumTransitions())
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "m.aut:1:1: error: the file is empty"},
		{"  \n\n", "m.aut:1:1: error: the file is empty"},
		{"(0,a,1)", "m.aut:1:1: error: expected the header"},
		{"des", "m.aut:1:4: error: expected (initial, transitions, states) after des"},
		{"des (0, 1)", "m.aut:1:5: error: expected three numbers (initial, transitions, states), found 2"},
		{"des (0, x, 1)", "m.aut:1:9: error: expected a number"},
		{"des (0, , 1)", "m.aut:1:9: error: expected a number"},
		{"des (0, 0, 0)", "m.aut:1:1: error: a model has at least one state"},
		{"des (3, 0, 3)", "m.aut:1:1: error: the initial state 3 is not one of the 3 states"},
		{"des (0, 0, 2000000000)", "m.aut:1:1: error: the header announces 2000000000 states, more than a file of this size can connect"},
		{"des (0, 0, 99999999999999999999)", "m.aut:1:12: error: the number is too large: at most 2147483646"},
		{"des (0, 1, 2)\n(0,a,2)", "m.aut:2:6: error: there is no state 2: the header announces 2, numbered from 0"},
		{"des (0, 1, 2)\n(0,a)", "m.aut:2:1: error: a transition has three parts"},
		{"des (0, 1, 2)\n0,a,1", "m.aut:2:1: error: expected a transition"},
		{"des (0, 1, 2)\n(", "m.aut:2:1: error: expected a transition"},
		{"des (0, 1, 2)\n(0,\"\",1)", "m.aut:2:4: error: the label is empty"},
		{"des (0, 2, 2)\n(0,a,1)", "m.aut:1:1: error: the header announces 2 transitions, but there are 1"},
		{"des (0, 1, 2)\n(-1,a,1)\n(0,a,x)", "m.aut:2:2: error: expected a number (and 1 more)"},
	} {
		_, err := parse(test.text)
		if err == nil || err.Error() != test.want {
			t.Errorf("%q:\n got %v\nwant %s", test.text, err, test.want)
		}
		if _, ok := errors.AsType[source.List](err); !ok {
			t.Errorf("%q: the error is a %T", test.text, err)
		}
	}
}

func TestGarbageStopsEarly(t *testing.T) {
	_, err := parse("des (0, 1, 1)\n" + strings.Repeat("x\n", 500_000))
	var list source.List
	if !errors.As(err, &list) || len(list) != 10 {
		t.Fatalf("%d errors, want 10", len(list))
	}
}

func TestRoundTrip(t *testing.T) {
	for seed := range soak.Cases(uint64(1000)) {
		shape := gen.Small
		shape.Props, shape.Special, shape.ManyInitial, shape.States = 0, 0, 0, 12
		m := gen.LKS(gen.Rand(seed), "m", shape)
		var text bytes.Buffer
		if err := aut.Write(&text, m); err != nil {
			t.Fatal(err)
		}
		again, err := parse(text.String())
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, &text)
		}
		var second bytes.Buffer
		if err := aut.Write(&second, again); err != nil {
			t.Fatal(err)
		}
		if text.String() != second.String() {
			t.Fatalf("seed %d: written\n%s\nthen\n%s", seed, &text, &second)
		}
	}
}

// TestError: -1 is ERROR, as LTSA has it, and is counted as no state.
func TestError(t *testing.T) {
	const text = `des (0, 3, 2)
(0, "a", 1)
(1, i, -1)
(1, "b", -1)
`
	m, err := aut.Parse(source.NewFile("m.aut", text), "M")
	if err != nil {
		t.Fatal(err)
	}
	if m.NumStates() != 3 || m.Kind(2) != lks.Error || m.Kind(1) != lks.Normal {
		t.Errorf("%d states", m.NumStates())
	}
	var b bytes.Buffer
	if err := aut.Write(&b, m); err != nil || b.String() != text {
		t.Errorf("%v\n%s", err, &b)
	}
	// ERROR may have any number.
	n := lks.NewBuilder("N")
	first := n.State()
	failed := n.StateID(lks.Error, nil)
	last := n.State()
	n.Transition(first, "a", last)
	n.Transition(last, "b", failed)
	n.Initial(first)
	k, err := n.Build()
	if err != nil {
		t.Fatal(err)
	}
	b.Reset()
	if err := aut.Write(&b, k); err != nil || b.String() != "des (0, 2, 2)\n(0, \"a\", 1)\n(1, \"b\", -1)\n" {
		t.Errorf("%v\n%s", err, &b)
	}
	for _, bad := range []string{"des (0, 1, 1)\n(-1, a, 0)\n", "des (-1, 0, 1)\n", "des (0, 1, 1)\n(0, a, -2)\n"} {
		if _, err := aut.Parse(source.NewFile("m.aut", bad), "M"); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	b := lks.NewBuilder("M")
	b.State()
	b.State()
	b.Initial(0, 1)
	m, _ := b.Build()
	if err := aut.Write(&bytes.Buffer{}, m); !errors.Is(err, aut.ErrInitial) {
		t.Errorf("several initial states: %v", err)
	}
	for _, name := range []string{"i", "a\nb", ""} {
		b := lks.NewBuilder("M")
		b.Transition(b.State(), name, 0)
		m, err := b.Build()
		if err == nil { // else it is refused before
			err = aut.Write(&bytes.Buffer{}, m)
		}
		if err == nil {
			t.Errorf("action %q: no error", name)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("des (0, 3, 2)\n(0, \"press\", 1)\n(1, release, 0)\n(1, i, 0)\n")
	f.Add("des(1,1,2)\n(0,PUSH !1 !f(2, 3),1)")
	f.Add("des (0,0,1)")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parse(text)
		if err != nil {
			var list source.List
			if !errors.As(err, &list) || len(list) == 0 {
				t.Fatalf("error %T: %v", err, err)
			}
			return
		}
		var first, second bytes.Buffer
		if aut.Write(&first, m) != nil {
			return
		}
		again, err := parse(first.String())
		if err != nil {
			t.Fatalf("%v\n%s", err, &first)
		}
		if err := aut.Write(&second, again); err != nil || first.String() != second.String() {
			t.Fatalf("%v: written %q, then %q", err, &first, &second)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	m, err := gen.Philosophers(8, false).Build(nil)
	if err != nil {
		b.Fatal(err)
	}
	var text bytes.Buffer
	if err := aut.Write(&text, m); err != nil {
		b.Fatal(err)
	}
	s := text.String()
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		if _, err := parse(s); err != nil {
			b.Fatal(err)
		}
	}
}
