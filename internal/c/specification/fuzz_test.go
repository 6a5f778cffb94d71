package specification_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/testing/soak"
)

// checkLayout checks that a file printed in the standard layout is the same file: the same
// tokens and comments, the same tree, and nothing to lay out again.
func checkLayout(t testing.TB, f *specification.File) {
	t.Helper()
	text := specification.Format(f)
	g, err := specification.ParseText(f.Source.Name(), text)
	if err != nil {
		t.Fatalf("the layout cannot be read: %s\n%s\nof\n%s", render(err), text, f.Source.Text())
	}
	if a, b := outline(f), outline(g); a != b {
		t.Fatalf("the layout means something else:\n%s\nwant\n%s\n%s", b, a, text)
	}
	if again := specification.Format(g); again != text {
		t.Fatalf("laid out again:\n%s\nbefore\n%s\nof\n%s", again, text, f.Source.Text())
	}
}

// outline returns the tokens and comments of a file, and all of its tree but places.
func outline(f *specification.File) string {
	var b strings.Builder
	for _, t := range f.Tokens {
		b.WriteString(t.Text + "\n")
	}
	for _, c := range f.Comments {
		for line := range strings.Lines(c.Text) {
			b.WriteString(strings.TrimRight(line, " \t\r\n") + "\n")
		}
	}
	b.WriteString(tree(f))
	return b.String()
}

func FuzzParse(f *testing.F) {
	for _, text := range specs(f) {
		f.Add(text)
	}
	for _, text := range seeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkText(t, text) })
}

// checkText reads a text, and checks all that is promised of what comes of it.
func checkText(t testing.TB, text string) *specification.File {
	t.Helper()
	file, err := specification.ParseText("fuzz", text)
	if file == nil {
		t.Fatal("no file")
	}
	checkTree(t, file)
	if err != nil {
		if got := specification.Format(file); got != text {
			t.Errorf("a file with errors is laid out: %q", got)
		}
		_ = render(err)
		return file
	}
	checkLayout(t, file)
	constants, err := file.Constants(specification.Values{"N": 2})
	if err != nil {
		return file
	}
	for _, d := range file.Defs {
		if d, ok := d.(*specification.LKSDef); ok {
			if m, err := file.Machine(d, constants); err == nil {
				checkMachine(t, m)
			}
		}
	}
	return file
}

// seeds have everything that there is in the language.
var seeds = []string{
	"const N = 3\ncproc a::b { abstract {x, ($1 == f(\"s\", ',')), S}; predicate (x < 10), y[1]; inline f, g; alphabet {a, b[0..N]}; }",
	"cprog p = a, b[i:0..N-1] { abstract x, {(1), $1 == i}, S; /* c */ rename b {left.get/fork[i].get}; hide {x}; } // expect: deadlock",
	"S = (when ($1 > 0) a -> {v := 1} -> (epsilon -> T | return {} -> STOP) | x[i:0..N].y[i] -> return {$0 == i} -> END),\nT = S\n+{error}.",
	"cprog p = f { assume {($1 == f(1, 2))}; ltl A = G(\"x == ';'\" -> F {a, b[0..2]}\\{a} /\\ ! \"f::y\"); // expect: holds\n ltl B = a\n W b; }",
	"S = (a -> ",
	"\xef\xbb\xbfS=T,T=S.",
}

// checkMachine checks what is promised of machines.
func checkMachine(t testing.TB, m *specification.Machine) {
	t.Helper()
	inside := func(s int) bool { return s == specification.Stop || s >= 0 && s < len(m.States) }
	if !inside(m.Initial) {
		t.Errorf("initial state %d of %d", m.Initial, len(m.States))
	}
	from := 0
	for _, x := range m.Transitions {
		if !inside(x.To) || x.From < from || x.From >= len(m.States) || (x.Kind == specification.StepAction) != (x.Action != "") || x.Kind == specification.StepBad {
			t.Fatalf("transition %+v", x)
		}
		from = x.From
	}
}

// TestMutations reads texts that are almost right: parts of others stand in them.
func TestMutations(t *testing.T) {
	texts := slices.Clone(seeds)
	for _, text := range specs(t) {
		texts = append(texts, text)
	}
	slices.Sort(texts)
	right, cases := 0, soak.Long(2000)
	for seed := range uint64(cases) {
		r := rand.New(rand.NewPCG(seed, 0))
		b := texts[r.IntN(len(texts))]
		for range 1 + r.IntN(3) {
			other := texts[r.IntN(len(texts))]
			from := r.IntN(len(other))
			to, at := min(len(other), from+r.IntN(12)), r.IntN(len(b)+1)
			b = b[:at] + other[from:to] + b[min(len(b), at+r.IntN(8)):]
		}
		if file := checkText(t, b); !file.Diagnostics.HasErrors() {
			right++
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, b)
		}
	}
	if right < cases/100 {
		t.Errorf("only %d of %d texts are right", right, cases)
	}
}
