package gcl_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"

	. "github.com/seltl/seltl/program/gcl"
)

// written writes a system and reads it again.
func written(t *testing.T, sys *program.System) *program.System {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, sys); err != nil {
		t.Fatal(err)
	}
	back, err := ParseText("back.gcl", b.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	return back
}

// same compares what decides about runs, term by term.
func same(a, b *program.System) bool {
	regions := func(r, s program.Region) bool { return r.Location == s.Location && r.Where == s.Where }
	edges := func(e, f program.Edge) bool {
		if e.From != f.From || e.To != f.To || e.Command.Guard != f.Command.Guard || len(e.Command.Update) != len(f.Command.Update) {
			return false
		}
		for v, t := range e.Command.Update {
			if f.Command.Update[v] != t {
				return false
			}
		}
		return true
	}
	return slices.Equal(a.Vars, b.Vars) && len(a.Locations) == len(b.Locations) && slices.EqualFunc(a.Init, b.Init, regions) &&
		slices.EqualFunc(a.Error, b.Error, regions) && slices.EqualFunc(a.Edges, b.Edges, edges)
}

// TestWrite: what is written is read as the same system.
func TestWrite(t *testing.T) {
	for seed := range soak.Cases(uint64(300)) {
		sys := gen.NewSystem(rand.New(rand.NewPCG(seed, 51)))
		if back := written(t, sys); !same(sys, back) {
			t.Fatalf("seed %d: another system", seed)
		}
	}
	sys := mustParse(t, `var x: int; var r: real; var b: bool; var w: bv8; var v: bv64; var a: array[int] of array[bv8] of bool; fun f(int, bool): real;
		input n: int; locations here, there; init here when x == 0 && r == 1/2 && f(x, b) > r; error there when bvslt(w, 3bv8); error here;
		step: here -> there when n > x && a[x][w] do x := n, a[n][1bv8] := b, w := extract(7, 0, v), r := *, b := x / 3 == div(x, 2);
		there -> here do v := sign_extend(56, w), a := *, x := (b ? -x : 2*x + 1);`)
	once := written(t, sys) // what * chooses has a name there
	if back := written(t, once); !same(once, back) || len(once.Edges) != 2 || len(once.Edges[0].Command.Update) != 5 {
		t.Error("another system")
	}
}

// TestWriteNames: what is no name here gets one, and no two get the same.
func TestWriteNames(t *testing.T) {
	x, y := logic.Var("main.x", logic.Int), logic.Var("main_x", logic.Int)
	in := logic.Var("any!0", logic.Int)
	sys := &program.System{Vars: []*logic.Term{x, y, logic.Var("when", logic.Bool)}, Locations: []program.Location{{Name: "main:1"}, {Name: "main_1"}, {Name: "init"}},
		Init: []program.Region{{Location: 0, Where: logic.Eq(x, y)}}, Error: []program.Region{{Location: 2, Where: logic.True()}},
		Edges: []program.Edge{{From: 0, To: 1, Command: &program.Command{Inputs: []*logic.Term{in}, Guard: logic.Lt(x, in), Update: map[*logic.Term]*logic.Term{y: in}}}}}
	back := written(t, sys)
	if got := show(back); got != "main_x, main_x_2, when_2; main_1, main_1_2, init_2; main_x == main_x_2; any_0 >= main_x + 1" {
		t.Error(got)
	}
	sys.Vars = append(sys.Vars, logic.Var("wide", logic.BitVec(65)))
	if err := Write(&strings.Builder{}, sys); err == nil || !strings.Contains(err.Error(), "BitVec 65") {
		t.Error(err)
	}
}

func show(sys *program.System) string {
	var places []string
	for _, l := range sys.Locations {
		places = append(places, l.Name)
	}
	return logic.Formats(sys.Vars, logic.C, ", ") + "; " + strings.Join(places, ", ") + "; " + sys.Init[0].Where.String() + "; " + sys.Edges[0].Command.Guard.String()
}
