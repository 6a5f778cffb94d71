package certificate

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
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
		{`"name":"B"`, `"name":"Z"`, "a location Z, which these sources and their specification do not have"},
		{`"name":"B"`, `"name":"A"`, "has the location A twice"},
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
		damaged := source.NewFile("c.json", strings.Replace(text, change.from, change.to, 1))
		_, err := Read(damaged.Reader(), []*program.Component{c})
		if err == nil || !strings.Contains(err.Error(), change.wanted) {
			t.Errorf("%s: %v; wanted %s", change.to, err, change.wanted)
		}
		var list source.List
		if !errors.As(err, &list) || !placed(list, damaged.Name(), 1+strings.Count(text[:strings.Index(text, change.from)], "\n")) {
			t.Errorf("%s: %v: the place is not said", change.to, err)
		}
	}
	if _, err := Read(strings.NewReader(text+"{}"), []*program.Component{c}); err == nil || !strings.Contains(err.Error(), "more text") {
		t.Error(err)
	}
	if _, err := Read(strings.NewReader(text), nil); err == nil {
		t.Error("it is of one component")
	}
}

// placed reports that a place in a line of a file is said, or in the part that has it.
func placed(errs source.List, file string, line int) bool {
	for _, e := range errs {
		for _, at := range append([]source.Related{{Span: e.Span}}, e.Related...) {
			if p := at.Span.Pos(); at.Span.Valid() && at.Span.File.Name() == file && p.Line <= line && p.Line > 0 {
				return true
			}
		}
	}
	return false
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

// believer says of everything that it cannot be.
type believer struct{}

func (believer) Push()                                                     {}
func (believer) Pop()                                                      {}
func (believer) Reset()                                                    {}
func (believer) Clear()                                                    {}
func (believer) Limit(uint64)                                              {}
func (believer) Assert(*logic.Term)                                        {}
func (believer) Check(context.Context, ...*logic.Term) (smt.Status, error) { return smt.Unsat, nil }
func (believer) Model(context.Context) (logic.Model, error)                { return nil, nil }
func (believer) Core(context.Context) ([]int, error)                       { return nil, nil }
func (believer) Reason() string                                            { return "" }

// FuzzRead: no text makes the reader panic, nor the checker of what was read, whatever the
// solver says; what was read is written as it was.
func FuzzRead(f *testing.F) {
	c, text := unlocked(f)
	f.Add(text)
	f.Add(strings.Replace(text, `"initial":true`, `"initial":false`, 1))
	f.Add(strings.Replace(text, `"deadlock"`, `"conformance"`, 1))
	f.Add(strings.Replace(text, `"deadlock"`, `"satisfaction"`, 1))
	f.Add(strings.Replace(text, `"definitions": []`, `"definitions": [{"name":"?1","text":"(= x 1)"}]`, 1))
	f.Add(`{"format":"` + format + `","question":"deadlock","components":[{"name":"p"}]}`)
	f.Add("null")
	all := []*program.Component{c}
	b := lks.NewBuilder("spec")
	b.Initial(b.State())
	spec, err := b.Build()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ReadHeader(strings.NewReader(text)); err != nil {
			return
		}
		cert, err := Read(strings.NewReader(text), all)
		if err != nil {
			return
		}
		task := &Task{Question: cert.Question, Components: all, Spec: spec, Formula: ltl.MakeAlways(ltl.MakeNot(ltl.AtomOf(ltl.Atom{Kind: ltl.Event, Name: "b"})))}
		meter := budget.New(context.Background(), budget.Limits{States: 1000}, nil)
		var refused *Refused
		if err := Check(context.Background(), task, cert, believer{}, meter); err != nil && !errors.As(err, &refused) && !budget.Stopped(err) {
			t.Errorf("%v by\n%s", err, text)
		}
		var once, twice bytes.Buffer
		if err := cert.Write(&once, all); err != nil {
			t.Fatal(err)
		}
		again, err := Read(bytes.NewReader(once.Bytes()), all)
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Write(&twice, all); err != nil || once.String() != twice.String() {
			t.Errorf("%v; written and read again:\n%s\n%s", err, &once, &twice)
		}
	})
}
