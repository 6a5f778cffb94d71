package certificate

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// unlocked is a component with predicates, and its certificate.
func unlocked(t testing.TB) (*program.Component, string) {
	c := component("p", 3, []string{"a", "b"}, []int{2}, edge{from: 0, to: 1, action: "a", x: logic.IntConst(1)}, edge{from: 1, to: 2, action: "b", guard: logic.Eq(x, logic.IntConst(1))})
	one := plain(c, []int{0, 1, 2}, []Step{step("a", 1)}, []Step{step("b", 2)})
	one.Cuts[1].Predicates, one.States[1].Holds = []*logic.Term{logic.Eq(x, logic.IntConst(1)), logic.Lt(x, logic.IntConst(0))}, []bool{true, false}
	var text bytes.Buffer
	cert := &Certificate{Question: Deadlock, Options: map[string][]string{"D": {"N=3"}}, Components: []Component{one}}
	if err := cert.Write(&text, []*program.Component{c}); err != nil {
		t.Fatal(err)
	}
	return c, text.String()
}

// TestReadErrors: what is wrong with a text is said.
func TestReadErrors(t *testing.T) {
	c, text := unlocked(t)
	if h, err := ReadHeader(strings.NewReader(text)); err != nil || h == nil || h.Question != Deadlock || h.Options["D"][0] != "N=3" {
		t.Errorf("%v, %v", h, err)
	}
	for _, change := range []struct{ from, to, wanted string }{
		{format, "seltl-armc-certificate-1", "not a certificate of the format"},
		{`"deadlock"`, `"reach"`, "one of conformance, deadlock, satisfaction"},
		{`"name": "p"`, `"name": "q"`, "component q"},
		{`"name":"x"`, `"name":"y"`, "another program"},
		{`"name":"B"`, `"name":"Z"`, "no location Z"},
		{`"name":"B"`, `"name":"A"`, "has it twice"},
		{`"(= x 1)"`, `"(+ x 1)"`, "is no predicate"},
		{`"(= x 1)"`, `"(= z 1)"`, "z"},
		{`"holds":"10"`, `"holds":"1"`, "a digit for each"},
		{`"holds":"10"`, `"holds":"1x"`, "neither 0 nor 1"},
		{`"b":[2]`, `"b":[3]`, "a step leads to state 3 of 3"},
		{`"b":[2]`, `"b":[-1]`, "a step leads to state -1 of 3"},
	} {
		if !strings.Contains(text, change.from) {
			t.Fatalf("there is no %s in\n%s", change.from, text)
		}
		if _, err := Read(strings.NewReader(strings.Replace(text, change.from, change.to, 1)), []*program.Component{c}); err == nil || !strings.Contains(err.Error(), change.wanted) {
			t.Errorf("%s: %v; wanted %s", change.to, err, change.wanted)
		}
	}
	if _, err := Read(strings.NewReader(text+"{}"), []*program.Component{c}); err == nil || !strings.Contains(err.Error(), "more text") {
		t.Error(err)
	}
	if _, err := Read(strings.NewReader(text), nil); err == nil {
		t.Error("it is of one component")
	}
}

// TestWriteNames: two locations with one name could not be told apart.
func TestWriteNames(t *testing.T) {
	c, _ := unlocked(t)
	c.System.Locations[1].Name = "A"
	cert := &Certificate{Components: []Component{plain(c, []int{0})}}
	if err := cert.Write(&bytes.Buffer{}, []*program.Component{c}); err == nil || !strings.Contains(err.Error(), "have the name A") {
		t.Error(err)
	}
}

// FuzzRead: no text makes the reader, or the checker, panic; and what is accepted of a program
// that gets stuck is nothing.
func FuzzRead(f *testing.F) {
	c, text := unlocked(f)
	f.Add(text)
	f.Add(strings.Replace(text, `"initial":true`, `"initial":false`, 1))
	f.Add(strings.Replace(text, `"definitions": []`, `"definitions": [{"name":"?1","text":"(= x 1)"}]`, 1))
	f.Add(`{"format":"` + format + `","question":"deadlock","components":[{"name":"p"}]}`)
	f.Add("null")
	stuck := component("p", 3, []string{"a", "b"}, nil, edge{from: 0, to: 1, action: "a"}, edge{from: 1, to: 2, action: "b"})
	s, err := smt.NewZ3(smt.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { s.Close() })
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ReadHeader(strings.NewReader(text)); err != nil {
			return
		}
		for _, p := range []*program.Component{c, stuck} {
			all := []*program.Component{p}
			cert, err := Read(strings.NewReader(text), all)
			if err != nil {
				continue
			}
			s.Reset()
			s.Limit(100_000)
			if Check(context.Background(), &Task{Question: Deadlock, Components: all}, cert, s, budget.New(context.Background(), budget.Limits{}, nil)) == nil && p == stuck {
				t.Errorf("a program that gets stuck does not, by\n%s", text)
			}
		}
	})
}
