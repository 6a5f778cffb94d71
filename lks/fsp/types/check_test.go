package types_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/lks/fsp/types"
)

func modelFiles(t testing.TB) map[string]string {
	files, err := gen.FSPFiles("../../../specs", "../../../../shared/oracle/ltsa")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// checkInfo returns what is wrong with what was found out about a text: the places of a
// name have its text, lie in its scope if they are uses, and are found by At.
func checkInfo(info *types.Info) string {
	for _, o := range info.Objects {
		if len(o.Defs) == 0 {
			return fmt.Sprintf("%s %s is defined nowhere", o.Kind, o.Name)
		}
		for k, s := range append(append([]syntax.Span{}, o.Defs...), o.Uses...) {
			if text := info.File.Place(s).Text(); text != o.Name {
				return fmt.Sprintf("%s %s has the place %v: %q", o.Kind, o.Name, s, text)
			}
			if k >= len(o.Defs) && (s.Start < o.Scope.Start || s.End > o.Scope.End) {
				return fmt.Sprintf("%s %s is used at %v, out of its scope %v", o.Kind, o.Name, s, o.Scope)
			}
			for _, offset := range []int32{s.Start, s.End - 1} {
				if info.At(int(offset)) != o {
					return fmt.Sprintf("%s %s is not at %d", o.Kind, o.Name, offset)
				}
			}
		}
		info.Value(o)
	}
	return ""
}

// names calls yield for every place of a tree where a name stands that is defined in the
// file, or should be.
func names(f *syntax.File, yield func(text string, at syntax.Span)) {
	syntax.Inspect(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssertDef: // may have variables of the place where it is used
			return false
		case *syntax.Expr:
			if n.Op == syntax.OpVariable || n.Op == syntax.OpName {
				yield(n.Text, n.Span)
			}
		case *syntax.LabelSet:
			if n.Name != "" {
				yield(n.Name, n.Span)
			}
		case *syntax.ProcessRef:
			if n.Name.Text != "END" {
				yield(n.Name.Text, n.Name.Span)
			}
		case *syntax.Index:
			if n.Variable.Text != "" {
				yield(n.Variable.Text, n.Variable.Span)
			}
		}
		return true
	})
}

// TestResolved: every name of the models at hand is resolved, in parentheses or not.
func TestResolved(t *testing.T) {
	all := 0
	try := func(name, text string) {
		f, err := syntax.ParseText(name, text)
		if err != nil {
			t.Fatal(name, err)
		}
		info := types.Check(f, types.Options{})
		if wrong := checkInfo(info); wrong != "" {
			t.Errorf("%s: %s", name, wrong)
		}
		if info.Diagnostics.HasErrors() || strings.HasSuffix(name, "badbound.lts") { // which shows what variables are not seen
			return
		}
		names(f, func(text string, at syntax.Span) {
			all++
			end := at.Start + int32(len(text))
			for ; f.Source.Text()[at.Start] == '('; at.Start++ {
				end++
			}
			if o := info.At(int(at.Start)); o == nil || o.Name != text {
				t.Errorf("%s:%d: %s is not resolved", name, f.Place(at).Pos().Line, text)
			}
		})
	}
	for path, text := range modelFiles(t) {
		try(path, text)
	}
	for seed := range uint64(200) {
		try(fmt.Sprintf("seed %d", seed), gen.FSP(rand.New(rand.NewPCG(seed, 9)), 2, true))
	}
	if all < 3000 {
		t.Errorf("only %d names", all)
	}
}

// TestHalfTyped: what is reported about a file that is being typed is what the parser
// says, and what is wrong in other definitions.
func TestHalfTyped(t *testing.T) {
	const before, behind = "const N = 2\nset S = {x, y}\n", "\nQ = (b[k:0..N] -> R[k]),\nR[k:0..N] = (c[k+UNKNOWN] -> Q).\n||C = (Q || P).\n"
	const typed = "P(M=N) = (when (M > 1) a[i:0..N] -> {S, c}.d[i] -> (e -> P | f -> L[i+1])), L[i:0..N] {p[i]} = if i == 0 then STOP else (g -> END) + S / {n/o, forall [k:0..1] {q[k]/r[k]}} \\ {a}."
	for end := 1; end < len(typed); end++ {
		f, err := syntax.ParseText("half", before+typed[:end]+behind)
		info := types.Check(f, types.Options{})
		if wrong := checkInfo(info); wrong != "" {
			t.Errorf("%q: %s", typed[:end], wrong)
		}
		if strings.HasSuffix(strings.TrimSpace(typed[:end]), ")),") {
			continue // Q is another local process of P
		}
		for _, d := range info.Diagnostics {
			if d.Code == "unknown-name" && !strings.Contains(d.Message, "UNKNOWN") {
				t.Errorf("%q: %v", typed[:end], d)
			}
		}
		if err == nil {
			continue
		}
		o := info.Lookup(syntax.Process, "Q")
		if o == nil || len(o.Uses) != 2 { // the arrow of R, and the composite
			t.Errorf("%q: Q is used at %v", typed[:end], o)
		}
	}
}

// TestAt: places between names, and names that touch others.
func TestAt(t *testing.T) {
	const text = "const N = 2\nP(M=1) = (a[i:0..N][i+M] -> P).\n"
	info := check(text)
	for _, c := range []struct {
		before, want string
	}{
		{"const", ""}, {"const ", "N"}, {"const N", "N"}, {"const N ", ""}, {"const N = 2\nP", "P"}, {"const N = 2\nP(", "M"},
		{"const N = 2\nP(M=1) = (a[", "i"}, {"const N = 2\nP(M=1) = (a[i", "i"}, {"const N = 2\nP(M=1) = (a[i:0..N][i+", "M"}, {text, ""},
	} {
		got := ""
		if o := info.At(len(c.before)); o != nil {
			got = o.Name
		}
		if got != c.want || !strings.HasPrefix(text, c.before) {
			t.Errorf("behind %q stands %q, not %q", c.before, got, c.want)
		}
	}
}

// TestFormulaNames: names in ltl formulas are found as package ltl reads them.
func TestFormulaNames(t *testing.T) {
	const text = "const N = 1\nset S = {a}\nfluent FULL = <a, b>\nfluent G1 = <a, b>\nP = (a[i:0..N] -> b -> P).\nltl L = GFULL & F!FULL & X[N] S & m <= N -> !G1 U \"FULL\"\nltl M = L | G N\n"
	info := check(text)
	for name, want := range map[string]int{"N": 3, "S": 1, "FULL": 2, "G1": 1, "L": 1} {
		n := 0
		for _, o := range info.Objects {
			if o.Name == name {
				n += len(o.Uses)
			}
		}
		if n != want {
			t.Errorf("%s has %d uses, not %d", name, n, want)
		}
	}
}

// FuzzCheck: nothing panics on any text, also one with mistakes.
func FuzzCheck(f *testing.F) {
	for _, s := range gen.FSPFragments {
		f.Add(s)
	}
	for _, text := range modelFiles(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, _ := syntax.Parse(source.NewFile("fuzz", text))
		info := types.Check(file, types.Options{MaxLabels: 1000})
		if wrong := checkInfo(info); wrong != "" {
			t.Fatal(wrong)
		}
		for offset := range min(len(text), 200) {
			info.Visible(offset)
			file.Enclosing(offset)
		}
	})
}
