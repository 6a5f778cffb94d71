package armc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/reader"
	"github.com/seltl/seltl/smt"
)

// doublings is a chain of so many commands, each of which uses the value of x five times:
// the weakest precondition of the error, written as a tree, has 5^n parts.
func doublings(n int) string {
	var b strings.Builder
	b.WriteString("var x, y, z: bv16; locations e")
	for i := range n + 1 {
		fmt.Fprintf(&b, ", l%d", i)
	}
	b.WriteString("; init l0; error e;\n")
	for i := range n {
		fmt.Fprintf(&b, "l%d -> l%d do x := bvadd(bvmul(x, x), bvxor(x, bvor(x, y)));\n", i, i+1)
	}
	fmt.Fprintf(&b, "l%d -> e when x == 3bv16 && bvult(z, 0bv16);\n", n)
	return b.String()
}

// TestSharedCertificate: certificates whose formulas are too large for any text as trees
// are written, read, and checked by their parts.
func TestSharedCertificate(t *testing.T) {
	for _, n := range []int{2, 12, 60} {
		sys, err := reader.ParseText("chain.gcl", doublings(n))
		if err != nil {
			t.Fatal(err)
		}
		cert := &Certificate{Invariant: make([]*logic.Term, len(sys.Locations))}
		cert.Invariant[0] = logic.False() // e
		after := logic.Not(sys.Edges[n].Command.Guard)
		for i := n; i >= 0; i-- {
			cert.Invariant[sys.Edges[i].From] = after
			if i > 0 {
				after = logic.Substitute(after, sys.Edges[i-1].Command.Update)
			}
		}
		var out bytes.Buffer
		if err := cert.Write(&out, sys); err != nil {
			t.Fatal(err)
		}
		if out.Len() > 1000*(n+2) {
			t.Errorf("%d doublings: %d bytes", n, out.Len())
		}
		again, err := ReadCertificate(strings.NewReader(out.String()), sys)
		if err != nil {
			t.Fatalf("%d doublings: %v", n, err)
		}
		for i, inv := range again.Invariant {
			if inv != cert.Invariant[i] {
				t.Errorf("%d doublings: the invariant of %s is another one", n, sys.Locations[i].Name)
			}
		}
		solver, err := smt.NewZ3(smt.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer solver.Close()
		if err := CheckCertificate(context.Background(), sys, again, solver); err != nil {
			t.Errorf("%d doublings: %v", n, err)
		}
		again.Invariant[sys.Init[0].Location] = logic.False()
		if err := CheckCertificate(context.Background(), sys, again, solver); err == nil {
			t.Errorf("%d doublings: a wrong certificate is accepted", n)
		}
		if shared := strings.Contains(out.String(), sharedFormat); shared != (n > 2) {
			t.Errorf("%d doublings: definitions: %t", n, shared)
		} else if shared {
			refuseDamaged(t, out.String(), sys)
		}
	}
}

func refuseDamaged(t *testing.T, text string, sys *program.System) {
	t.Helper()
	for _, change := range [][2]string{
		{"?2", "?1"}, {sharedFormat, certificateFormat}, {sharedFormat, "seltl-armc-certificate-3"}, {"(bvmul ?1 ?1)", "(bvmul ?1 ?2)"}, {`"?1"`, `"x"`},
	} {
		damaged := strings.Replace(text, change[0], change[1], 1)
		if damaged == text {
			t.Fatalf("nothing to change: %s", change[0])
		}
		_, err := ReadCertificate(source.NewFile("c.json", damaged).Reader(), sys)
		var list source.List
		if err == nil {
			t.Errorf("%s for %s: the certificate is read", change[1], change[0])
		} else if !errors.As(err, &list) || !slices.ContainsFunc(append([]source.Related{{Span: list[0].Span}}, list[0].Related...), func(r source.Related) bool { return r.Span.Valid() && r.Span.File.Name() == "c.json" }) {
			t.Errorf("%s for %s: %v: the place is not said", change[1], change[0], err)
		}
	}
}

// TestLongCertificate: one that is longer than what is read is refused by the writer,
// which writes nothing.
func TestLongCertificate(t *testing.T) {
	sys, err := reader.ParseText("chain.gcl", doublings(1))
	if err != nil {
		t.Fatal(err)
	}
	var all []*logic.Term
	x := logic.Var("x", logic.BitVec(16))
	for i := range 1 << 13 {
		name := logic.Var(fmt.Sprintf("v%d%s", i, strings.Repeat("x", 2400)), logic.BitVec(16))
		all = append(all, logic.Eq(x, name))
	}
	cert := &Certificate{Invariant: []*logic.Term{logic.And(all...), logic.True(), logic.True()}}
	var out bytes.Buffer
	if err := cert.Write(&out, sys); err == nil || out.Len() > 0 {
		t.Errorf("%d bytes were written, error %v", out.Len(), err)
	}
}

// FuzzReadCertificate: what is read can be written, and is read again as the same.
func FuzzReadCertificate(f *testing.F) {
	sys, err := reader.ParseText("chain.gcl", doublings(1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(`{"format":"seltl-armc-certificate-1","invariant":{"e":"false","l0":"x == 3bv16","l1":"true"}}`)
	f.Add(`{"format":"seltl-armc-certificate-2","definitions":[{"name":"?1","text":"(bvmul x x)"}],"invariant":{"e":"false","l0":"(= ?1 x)","l1":"true"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ReadCertificate(strings.NewReader(text), sys)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := c.Write(&out, sys); err != nil {
			t.Skip(err) // too long
		}
		again, err := ReadCertificate(&out, sys)
		if err != nil {
			t.Fatalf("%s\nis written as\n%s\nwhich is refused: %v", text, out.String(), err)
		}
		for i, inv := range again.Invariant {
			if inv != c.Invariant[i] {
				t.Errorf("%s: the invariant of %s is read as another one", text, sys.Locations[i].Name)
			}
		}
	})
}
