package program_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/program"
)

const counter = `var x: int; input n: int; locations a, b, c; init a when x == 0;
	add: a -> a when n > 0 && n < 3 do x := x + n;
	go: a -> b do x := x * 2; on: b -> c when x > 5;
	error c when x / 0 == 1; error c when x == 6;`

// TestTrace: a run is replayed; one that is changed anywhere is refused.
func TestTrace(t *testing.T) {
	sys := mustParse(t, counter)
	x := func(n int64) logic.Model { return logic.Model{"x": logic.IntValue(n)} }
	n := func(n int64) logic.Model { return logic.Model{"n": logic.IntValue(n)} }
	good := func() *Trace {
		return &Trace{Start: 0, Edges: []int{0, 0, 1, 2}, Execution: Execution{
			States: []logic.Model{x(0), x(1), x(3), x(6), x(6)}, Inputs: []logic.Model{n(1), n(2), {}, {}}}}
	}
	if err := good().Replay(sys); err != nil {
		t.Fatal(err)
	}
	if got := good().Explain(sys); !strings.HasPrefix(got, "a            x=0\n  add with n=1\n") || !strings.HasSuffix(got, "c            x=6\n") {
		t.Error(got)
	}
	for want, change := range map[string]func(*Trace){
		"0 states":              func(t *Trace) { *t = Trace{} },
		"not initial":           func(t *Trace) { t.States[0] = x(1) },
		"of other locations":    func(t *Trace) { t.Start = 1 },
		"leads to x=1, not x=2": func(t *Trace) { t.States[1] = x(2) },
		"step 1: the guard":     func(t *Trace) { t.Inputs[0] = n(3) },
		"leads to x=6, not x=7": func(t *Trace) { t.States[4] = x(7) },
		"5 edges":               func(t *Trace) { t.Edges = append(t.Edges, 2) },
		"step 4: the edge is":   func(t *Trace) { t.Edges[3] = 0 },
		"step 2: leads to x=2":  func(t *Trace) { t.Inputs[1] = n(1) },
		"inputs for 3 steps":    func(t *Trace) { t.Inputs = t.Inputs[1:] },
		"the last state is no ": func(t *Trace) { t.Edges, t.States, t.Inputs = t.Edges[:3], t.States[:4], t.Inputs[:3] },
	} {
		bad := good()
		change(bad)
		if err := bad.Replay(sys); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestUnfold: what happens along blocks is a run of the edges that they are made of.
func TestUnfold(t *testing.T) {
	sys := mustParse(t, counter)
	large := SplicedBlocks(sys)
	loop := slices.IndexFunc(large.All, func(b Block) bool { return b.To == b.From })
	last := slices.IndexFunc(large.All, func(b Block) bool { return b.To == 2 })
	blocks := []int{loop, loop, last}
	u := large.Path(0, blocks).Unroll()
	run, err := u.Run(logic.Model{"n@step1": logic.IntValue(2), "n@step2": logic.IntValue(1)})
	if err != nil {
		t.Fatal(err)
	}
	var edges []int
	for _, b := range large.Select(blocks) {
		edges = append(edges, b.Edges...)
	}
	trace, err := large.Unfold(0, blocks, run)
	if err != nil || trace.Replay(sys) != nil || !slices.Equal(trace.Edges, edges) || len(trace.States) != len(trace.Edges)+1 {
		t.Errorf("%+v, %v", trace, err)
	}
	if _, err := u.Run(logic.Model{}); err == nil {
		t.Error("a model of something else is replayed")
	}
	if _, err := large.Path(0, blocks).Replay(run.States[0], nil); err == nil {
		t.Error("a run without inputs is replayed")
	}
}
