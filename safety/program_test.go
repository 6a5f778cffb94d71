package safety_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

const prelude = "int in(void); void reach_error(void); void __VERIFIER_assume(int);\n"

func parsed(t *testing.T, text string) *ir.Program {
	t.Helper()
	p, err := cfront.Parse([]*source.File{source.NewFile("a.c", prelude+text)}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestProgram: verdicts come with their evidence, and unknown ones with a reason that has a type.
func TestProgram(t *testing.T) {
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	for _, c := range []struct {
		name, text string
		how        safety.Integers
		queries    int
		want       outcome.Verdict
	}{
		{"a proof over words", "int main(void) { unsigned char c = in(); if (c > 255) reach_error(); }", safety.MachineIntegers, 0, outcome.Holds},
		{"a proof over numbers", "int main(void) { int n = in(), k = 0; while (k < n) k++; if (n > 0 && k != n) reach_error(); }", safety.AutoIntegers, 0, outcome.Holds},
		{"a failure", "int main(void) { int n = in(); if (n * 3 == 21) reach_error(); }", safety.AutoIntegers, 0, outcome.Violated},
		{"no run", "int main(void) { __VERIFIER_assume(0); reach_error(); }", safety.AutoIntegers, 0, outcome.Holds},
		{"few questions", "int main(void) { int a = in(), b = 0, c = 0; while (b < a) { b++; c += 2; } if (a > 0 && c != 2 * a) reach_error(); }", safety.AutoIntegers, 1, outcome.Unknown},
	} {
		enc, err := encode.Encode(parsed(t, c.text), "")
		if err != nil {
			t.Fatal(c.name, err)
		}
		a, err := safety.Program(context.Background(), enc, pool, safety.Options{Integers: c.how, Engine: armc.Options{MaxQueries: c.queries}})
		if err != nil {
			t.Fatal(c.name, err)
		}
		if a.Verdict != c.want || (a.Run != nil) != (c.want == outcome.Violated) || (a.Reason != nil) != (c.want == outcome.Unknown) || a.NoRun != (c.name == "no run") {
			t.Errorf("%s: %+v", c.name, a)
		}
		if c.want == outcome.Holds && a.Result.Certificate == nil {
			t.Errorf("%s: no certificate", c.name)
		}
		var tried *outcome.Tried
		if c.want == outcome.Unknown && !errors.As(a.Reason, &tried) {
			t.Errorf("%s: %v", c.name, a.Reason)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	enc, err := encode.Encode(parsed(t, "int main(void) { int n = in(); while (n) n--; }"), "")
	if err != nil {
		t.Fatal(err)
	}
	if a, err := safety.Program(ctx, enc, pool, safety.Options{}); err != nil || !errors.Is(a.Reason, budget.ErrInterrupted) {
		t.Errorf("interrupted: %+v, %v", a, err)
	}
}

// TestShallow decides the programs of specs/c/shallow as their comments say, and with BAD.
func TestShallow(t *testing.T) { decidesAll(t, "shallow", 6, safety.Options{}) }

// TestMany decides those of specs/c/many, whose runs are many but short, which symbolic execution does.
func TestMany(t *testing.T) { decidesAll(t, "many", 4, safety.Options{}) }

func decidesAll(t *testing.T, folder string, least int, options safety.Options) {
	files, _ := filepath.Glob("../specs/c/" + folder + "/*.c")
	if len(files) < least {
		t.Fatalf("only %d programs", len(files))
	}
	pool := smt.Z3Pool(2, smt.Options{})
	defer pool.Close()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []bool{false, true} {
			want, o := outcome.Holds, cfront.Options{}
			if bad {
				want, o.Defines = outcome.Violated, []string{"BAD"}
			}
			if name := filepath.Base(file); testing.Short() && (want == outcome.Holds && (name == "popcount.c" || name == "gray.c") || name == "digits.c" || name == "steps.c") {
				continue // some seconds
			}
			p, err := cfront.Parse([]*source.File{source.NewFile(file, string(text))}, o)
			if err != nil {
				t.Fatal(err)
			}
			enc, err := encode.Encode(p, "")
			if err != nil {
				t.Fatal(err)
			}
			a, err := safety.Program(context.Background(), enc, pool, options)
			if err != nil || a.Verdict != want || (a.Run != nil) != (want == outcome.Violated) {
				t.Errorf("%s, BAD: %v: %v, %v, %v", file, bad, a.Verdict, a.Reason, err)
			}
		}
	}
}

// TestArrays decides the programs of specs/c/arrays: by invariants about all elements over unbounded integers, which machine
// words confirm, and by a run with BAD. Two are left open without BAD.
func TestArrays(t *testing.T) {
	files, _ := filepath.Glob("../specs/c/arrays/*.c")
	if len(files) < 10 {
		t.Fatalf("only %d programs", len(files))
	}
	pool := smt.Z3Pool(2, smt.Options{})
	defer pool.Close()
	open, mentioned := []string{"reverse.c", "prefix.c"}, []string{"two.c", "partition.c", "front.c"}
	for _, file := range files {
		name := filepath.Base(file)
		if testing.Short() && name != "find.c" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []bool{false, true} {
			want, o := outcome.Holds, cfront.Options{}
			options := safety.Options{Engine: armc.Options{Method: armc.Cells}}
			if slices.Contains(mentioned, name) {
				options.Engine.Method = armc.Houdini
			}
			if bad {
				want, o.Defines, options = outcome.Violated, []string{"BAD"}, safety.Options{}
			} else if slices.Contains(open, name) {
				continue
			}
			p, err := cfront.Parse([]*source.File{source.NewFile(file, string(text))}, o)
			if err != nil {
				t.Fatal(err)
			}
			enc, err := encode.Encode(p, "")
			if err != nil {
				t.Fatal(err)
			}
			a, err := safety.Program(context.Background(), enc, pool, options)
			if err != nil || a.Verdict != want || (a.Run != nil) != (want == outcome.Violated) {
				t.Errorf("%s, BAD: %v: %v, %v, %v", file, bad, a.Verdict, a.Reason, err)
				continue
			}
			if !bad {
				certified(t, name, enc, a.Result.Certificate, pool)
			}
		}
	}
}

// certified writes a certificate, reads it again and checks it; a changed one is refused.
func certified(t *testing.T, name string, enc *encode.Encoding, c *armc.Certificate, pool *smt.Pool) {
	t.Helper()
	s, err := pool.Another()
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Release(s)
	var b strings.Builder
	if err := c.Write(&b, enc.Words); err != nil {
		t.Fatal(err)
	}
	again, err := armc.ReadCertificate(strings.NewReader(b.String()), enc.Words)
	if err == nil {
		err = armc.CheckCertificate(context.Background(), enc.Words, again, s)
	}
	if err != nil {
		t.Errorf("%s: what is written is not accepted: %v", name, err)
		return
	}
	universal := slices.DeleteFunc(logic.Vars(again.Invariant...), func(v *logic.Term) bool { return slices.Contains(enc.Words.Vars, v) })
	if len(universal) == 0 {
		t.Errorf("%s: the certificate is not about all elements", name)
		return
	}
	for i, inv := range again.Invariant { // of one element, and not of all
		zero := map[*logic.Term]*logic.Term{}
		for _, v := range universal {
			zero[v] = logic.Zero(v.Sort()).Term()
		}
		again.Invariant[i] = logic.Substitute(inv, zero)
	}
	var refused *armc.Refused
	if err := armc.CheckCertificate(context.Background(), enc.Words, again, s); !errors.As(err, &refused) {
		t.Errorf("%s: a certificate about one element is accepted: %v", name, err)
	}
}

// TestRoutines: so it is with routines that are relations.
func TestRoutines(t *testing.T) {
	pool := smt.Z3Pool(2, smt.Options{})
	defer pool.Close()
	for text, want := range map[string]outcome.Verdict{
		"int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); } int main(void) { int n = in(); if (n >= 0 && n < 9 && f(n) > n) reach_error(); }":  outcome.Holds,
		"int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); } int main(void) { int n = in(); if (n >= 0 && n < 4 && f(n) == 3) reach_error(); }": outcome.Violated,
	} {
		enc, err := encode.EncodeApart(context.Background(), parsed(t, text), "", true)
		if err != nil {
			t.Fatal(err)
		}
		a, err := safety.Routines(context.Background(), enc, pool, clp.Options{}, safety.AutoIntegers)
		if err != nil || a.Verdict != want || (a.Run != nil) != (want == outcome.Violated) || (a.Summaries != nil) != (want == outcome.Holds) {
			t.Errorf("%s: %+v, %v", text, a, err)
		}
	}
}

// TestRoutinesEnd: a program that no method decides is given up, without any limit, with what came of both
// encodings: methods that have come to their ends are not asked again with more work. Spacer has none for words.
func TestRoutinesEnd(t *testing.T) {
	text, err := os.ReadFile("../specs/c/recursive/fib.c")
	if err != nil {
		t.Fatal(err)
	}
	enc, err := encode.EncodeApart(context.Background(), parsed(t, string(text)), "", false)
	if err != nil {
		t.Fatal(err)
	}
	pool := smt.Z3Pool(2, smt.Options{})
	defer pool.Close()
	a, err := safety.Routines(context.Background(), enc, pool, clp.Options{Without: []clp.Method{clp.Spacer}, Rounds: 1}, safety.AutoIntegers)
	if err != nil || a.Verdict != outcome.Unknown {
		t.Fatalf("%+v, %v: another program is needed here, if it is decided now", a, err)
	}
	if why := a.Reason.Error(); !strings.Contains(why, "unbounded integers") || !strings.Contains(why, "machine words") {
		t.Error(why)
	}
}
