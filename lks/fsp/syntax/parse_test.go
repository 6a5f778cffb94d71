package syntax_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sort"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// badness returns what a node lacks, "" for nothing.
func badness(n syntax.Node) string {
	switch n := n.(type) {
	case *syntax.BadDef:
		return "definition"
	case *syntax.Body:
		if n.Kind == syntax.BodyBad {
			return "process"
		}
	case *syntax.Composition:
		if n.Kind == syntax.CompBad {
			return "component"
		}
	case *syntax.Expr:
		if n.Op == syntax.OpBad {
			return "expression"
		}
	case *syntax.LabelPart:
		if n.Kind == syntax.PartBad {
			return "label"
		}
	case *syntax.LabelSet:
		if n.Bad {
			return "set"
		}
	case *syntax.Assertion:
		if n.Op == syntax.AssertBad {
			return "formula"
		}
	}
	return ""
}

// checkTree returns what is wrong with the tree of a text: nodes lie in their parents,
// in the order of the text, where not several are missing in one gap; every token belongs to a definition, and every definition
// with a bad node says so; without an error there is none.
func checkTree(f *syntax.File) (wrong string) {
	complain := func(n syntax.Node, what string) {
		if wrong == "" {
			wrong = fmt.Sprintf("%s: %T %v %q", what, n, n.Extent(), f.Place(n.Extent()).Text())
		}
	}
	var check func(parent, n syntax.Node, head *syntax.DefHead)
	check = func(parent, n syntax.Node, head *syntax.DefHead) {
		s, outer := n.Extent(), parent.Extent()
		if s.Start > s.End || s.Start < outer.Start || s.End > outer.End {
			complain(n, "not in its parent")
		}
		if reflect.ValueOf(n).IsNil() {
			complain(n, "nil")
		}
		if badness(n) != "" && !head.Bad {
			complain(n, "bad in a definition that is not")
		}
		at := s.Start
		children(n, func(child syntax.Node) {
			if child.Extent().Start < at && !empty(f, child.Extent()) {
				complain(child, "before what precedes it")
			}
			at = child.Extent().End
			check(n, child, head)
		})
	}
	errors := f.Diagnostics.HasErrors()
	token := 0
	at := int32(0)
	for _, d := range f.Defs {
		head := d.Head()
		if head.Bad && !errors {
			complain(d, "bad without an error")
		}
		if head.Start < at {
			complain(d, "overlaps the definition before it")
		}
		at = head.End
		for ; f.Tokens[token].Kind != syntax.EOF && f.Tokens[token].Start < head.End; token++ {
			if f.Tokens[token].Start < head.Start {
				complain(d, fmt.Sprintf("the token %q stands before it", f.Tokens[token].Text))
			}
		}
		check(f, d, head)
	}
	if f.Tokens[token].Kind != syntax.EOF && !hasCode(f, "bad-encoding") {
		return fmt.Sprintf("the token %q is in no definition: %s", f.Tokens[token].Text, wrong)
	}
	return wrong
}

// empty reports whether a span has no token: something is missing there.
func empty(f *syntax.File, s syntax.Span) bool {
	i := sort.Search(len(f.Tokens), func(i int) bool { return f.Tokens[i].End > s.Start })
	return f.Tokens[i].Kind == syntax.EOF || f.Tokens[i].Start >= s.End
}

func hasCode(f *syntax.File, code string) bool {
	for _, d := range f.Diagnostics {
		if d.Code == code {
			return true
		}
	}
	return false
}

// children calls yield for what a node is made of.
func children(n syntax.Node, yield func(syntax.Node)) {
	syntax.Inspect(n, func(child syntax.Node) bool {
		if child == n {
			return true
		}
		yield(child)
		return false
	})
}

// TestTree checks the trees of the models at hand and of what is left of them when
// something is missing or too much.
func TestTree(t *testing.T) {
	seed, broken := uint64(0), 0
	try := func(name, text string) {
		f, err := syntax.ParseText(name, text)
		if err != nil {
			broken++
		}
		if wrong := checkTree(f); wrong != "" {
			t.Fatalf("%s: %s\n%s", name, wrong, text)
		}
		if err == nil != !f.Diagnostics.HasErrors() {
			t.Fatalf("%s: the error %v, the diagnostics %v", name, err, f.Diagnostics)
		}
	}
	mutate := func(name, text string) {
		try(name, text)
		for range soak.Cases(20) {
			seed++
			r := rand.New(rand.NewPCG(seed, 3))
			at := r.IntN(len(text) + 1)
			what := fmt.Sprintf("%s, seed %d", name, seed)
			switch r.IntN(4) {
			case 0:
				try(what, text[:at])
			case 1:
				try(what, text[:at]+text[min(len(text), at+1+r.IntN(8)):])
			case 2:
				insert := []string{"(", ")", "->", ".", ",", "{", "}", "[", "]", "=", "|", "\n", " X ", "if ", "when (", "const "}
				try(what, text[:at]+insert[r.IntN(len(insert))]+text[at:])
			default:
				lines := strings.SplitAfter(text, "\n")
				i := r.IntN(len(lines))
				try(what, strings.Join(append(lines[:i:i], lines[i+1:]...), ""))
			}
		}
	}
	for path, text := range modelFiles(t) {
		mutate(path, text)
	}
	for _, text := range gen.FSPFragments {
		mutate("fragment", text)
	}
	for i := range uint64(60) {
		mutate("random", gen.FSP(rand.New(rand.NewPCG(i, 8)), 2, true))
	}
	if broken < soak.Cases(500) {
		t.Errorf("only %d texts have mistakes", broken)
	}
}

// TestHalfTyped: a definition that is being typed takes nothing of the others, whatever
// of it is there.
func TestHalfTyped(t *testing.T) {
	const before, behind = "const N = 2\nset S = {x, y}\n", "\nQ = (b -> R),\nR = (c -> Q).\n||C = (Q || Q).\nltl L = G !deadlock\nassert A = []!b\n"
	for _, typed := range []string{
		"P(M=N) = (when (M > 1) a[i:0..N] -> {b, c}.d -> (e -> P | f -> L[i+1])), L[i:0..N] {p[i]} = if i == 0 then STOP else (g -> END) + {h} / {n/o, forall [k:0..1] {q[k]/r[k]}} \\ {a}.",
		"||D(M=1) = (x:Q || {a, b}::y:Q/{n/o} || if M > 0 then (Q || Q) else Q || forall [i:0..N] z[i]:Q) >> {low} @ {b}.",
		"fluent F[i:0..N] = <{a, b}, c[i]> initially 1", "assert E(K=2) = forall [i:0..N] (a[i] -> <>(b U (c && !d))) + {z}",
		"progress G = if {a} then {b, c}", "range T = N+1..2*(N-1)", "menu U = {a, b[0..N]}", "fair strong forall [i:0..N] {a[i]}",
	} {
		whole, err := syntax.ParseText("whole", before+typed+behind)
		if err != nil {
			t.Fatal(render(err))
		}
		if len(whole.Defs) != 8-1 {
			t.Fatalf("%s: %d definitions", typed, len(whole.Defs))
		}
		for _, end := range whole.Tokens {
			n := int(end.End) - len(before)
			if n <= 0 || n >= len(typed) {
				continue
			}
			f, err := syntax.ParseText("half", before+typed[:n]+behind)
			if err == nil { // P = (a -> B), and Q is another local process of P
				continue
			}
			var names []string
			bad := 0
			for _, d := range f.Defs {
				if d.Head().Bad {
					bad++
				} else if place := f.Place(d.Extent()); int(place.Start) < len(before) || int(place.Start) >= len(before)+n {
					names = append(names, d.Head().Name.Text)
				}
			}
			if got := strings.Join(names, " "); got != "N S Q C L A" {
				t.Errorf("%q leaves %s: %v", typed[:n], got, err)
			}
			if bad == 0 && !hasCode(f, "missing-full-stop") {
				t.Errorf("%q: an error but no bad definition: %s", typed[:n], render(err))
			}
			if wrong := checkTree(f); wrong != "" {
				t.Errorf("%q: %s", typed[:n], wrong)
			}
		}
	}
}

// FuzzParse: parsing never panics, the tree of any text is whole, and what parses is
// formatted stably.
func FuzzParse(f *testing.F) {
	for _, s := range gen.FSPFragments {
		f.Add(s)
	}
	for _, text := range modelFiles(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, err := syntax.Parse(source.NewFile("fuzz", text))
		if wrong := checkTree(file); wrong != "" {
			t.Fatal(wrong)
		}
		once := syntax.Format(file)
		if err != nil {
			render(err)
			if once != text {
				t.Fatal("a text with mistakes is formatted")
			}
			return
		}
		again, err := syntax.Parse(source.NewFile("fuzz", once))
		if err != nil {
			t.Fatalf("formatted text does not parse: %s\n%s", render(err), once)
		}
		if twice := syntax.Format(again); twice != once {
			t.Fatalf("formatting is not stable:\n%q\n%q", once, twice)
		}
	})
}
