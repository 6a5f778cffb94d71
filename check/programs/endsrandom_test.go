package programs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

// endsOf asks whether the runs of a program end.
func endsOf(t *testing.T, text string, engine cegar.Options, limits budget.Limits) *report.Result {
	t.Helper()
	spec, err := PlainSpec("main")
	if err != nil {
		t.Fatal(err)
	}
	task := bind.Task{Plain: true, Spec: spec, Sources: []*source.File{source.NewFile("random.c", text)}}
	r, err := EndsC(context.Background(), task, Common, check.Options{Limits: limits}, engine)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return &r.Results[0]
}

// TestEndsRandom compares verdicts about small random programs with a search through all that they can do: by an
// interpreter of its own, which notices that a state comes again. Values have eight bits.
func TestEndsRandom(t *testing.T) {
	counts := map[string]int{}
	asked, decided := 0, 0
	for seed := uint64(0); asked < soak.Long(150); seed++ {
		g := &endsMaker{Rand: rand.New(rand.NewPCG(seed, 45))}
		text := g.program()
		endless, small := g.endless()
		if !small {
			continue
		}
		asked++
		want := report.Holds
		if endless {
			want = report.Violated
		}
		got := endsOf(t, text, cegar.Options{Rounds: 12}, budget.Limits{Time: 10 * time.Second})
		kind := fmt.Sprint("recursive ", g.recursive, ", ", want, ": ", got.Verdict)
		if counts[kind]++; got.Verdict != report.Unknown {
			decided++
		}
		if got.Verdict != report.Unknown && got.Verdict != want {
			t.Errorf("seed %d: the verdict is %s, and should be %s\n%s", seed, got.Verdict, want, text)
		} else if got.Verdict == report.Unknown && testing.Verbose() {
			t.Logf("seed %d: %s: %s", seed, want, got.Reason)
		}
	}
	t.Logf("%d of %d decided: %v", decided, asked, counts)
	if decided*3 < asked {
		t.Errorf("only %d of %d are decided", decided, asked)
	}
}

// endsOp is what an instruction does.
type endsOp uint8

const (
	endsAssign endsOp = iota // a variable gets an expression
	endsAny                  // a variable gets any number from 0 to most
	endsBranch               // to an instruction if the condition is 0
	endsGuess                // there, or on
	endsJump
	endsCall   // of the routine with two expressions; a variable gets the result
	endsReturn // with an expression
)

type endsInstr struct {
	op       endsOp
	to, most int // to: a variable, or an instruction
	e, f     endsExpr
}

// endsExpr is an expression, as text and as its value.
type endsExpr struct {
	text string
	of   func(v [2]int) int
}

// endsMaker makes a program, as text and as instructions of its routines: main, and one that calls itself.
type endsMaker struct {
	*rand.Rand
	signed, recursive bool
	code              [2][]endsInstr
	routine           int
	text              strings.Builder
	loops             []endsLoop
}

// endsLoop is one that statements are made in: where it begins, and which jumps leave it.
type endsLoop struct {
	begin  int
	leaves []int
}

func (g *endsMaker) emit(i endsInstr) int {
	g.code[g.routine] = append(g.code[g.routine], i)
	return len(g.code[g.routine]) - 1
}

func (g *endsMaker) here() int { return len(g.code[g.routine]) }

func (g *endsMaker) program() string {
	g.signed, g.recursive = g.IntN(2) == 0, g.IntN(3) == 0
	fmt.Fprintf(&g.text, "int input(void);\ntypedef %s char T;\n", map[bool]string{true: "signed", false: "unsigned"}[g.signed])
	if g.recursive {
		g.routine = 1
		g.text.WriteString("T f(T x, T y) {\n")
		g.conditional(func() { g.returns() })
		g.block(2, 1)
		g.call()
		if g.IntN(3) == 0 {
			g.call()
		}
		g.returns()
		g.text.WriteString("}\n")
	}
	g.routine = 0
	g.text.WriteString("int main(void) {\nT x, y;\n")
	for v := range 2 {
		most := []int{0, 3, 7}[g.IntN(3)]
		fmt.Fprintf(&g.text, "%c = input() & %d;\n", "xy"[v], most)
		g.emit(endsInstr{op: endsAny, to: v, most: most})
	}
	if g.recursive {
		g.call()
	}
	if !g.recursive || g.IntN(3) == 0 {
		g.while(2)
	}
	g.returns()
	g.text.WriteString("}\n")
	return g.text.String()
}

func (g *endsMaker) block(most, depth int) {
	for range 1 + g.IntN(most) {
		g.statement(depth)
	}
}

func (g *endsMaker) statement(depth int) {
	switch k := g.IntN(12); {
	case k < 7:
		v, e := g.IntN(2), g.expr()
		fmt.Fprintf(&g.text, "%c = %s;\n", "xy"[v], e.text)
		g.emit(endsInstr{op: endsAssign, to: v, e: e})
	case k < 9 && depth > 0:
		g.conditional(func() { g.block(2, depth-1) })
	case k < 10 && depth > 0:
		g.while(depth - 1)
	case k < 11 && len(g.loops) > 0:
		g.conditional(func() {
			l := &g.loops[len(g.loops)-1]
			if g.IntN(2) == 0 {
				g.text.WriteString("break;\n")
				l.leaves = append(l.leaves, g.emit(endsInstr{op: endsJump}))
			} else {
				g.text.WriteString("continue;\n")
				g.emit(endsInstr{op: endsJump, to: l.begin})
			}
		})
	default:
		g.decrease()
	}
}

func (g *endsMaker) decrease() {
	v := g.IntN(2)
	fmt.Fprintf(&g.text, "%c--;\n", "xy"[v])
	g.emit(endsInstr{op: endsAssign, to: v, e: endsExpr{of: func(w [2]int) int { return w[v] - 1 }}})
}

// condition makes a branch; to is to be filled in with where it goes if it is false.
func (g *endsMaker) condition() (text string, branch int) {
	if g.IntN(7) == 0 {
		return "input() & 1", g.emit(endsInstr{op: endsGuess})
	}
	v, w, c := g.IntN(2), g.IntN(2), g.IntN(9)-2
	truth := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	name := "xy"[v : v+1]
	e := []endsExpr{
		{fmt.Sprintf("%s > %d", name, c), func(x [2]int) int { return truth(x[v] > c) }},
		{fmt.Sprintf("%s < %d", name, c+4), func(x [2]int) int { return truth(x[v] < c+4) }},
		{fmt.Sprintf("%s != %d", name, c), func(x [2]int) int { return truth(x[v] != c) }},
		{"x > y", func(x [2]int) int { return truth(x[0] > x[1]) }},
		{"x != y", func(x [2]int) int { return truth(x[0] != x[1]) }},
		{fmt.Sprintf("(%s & 1) == 0", name), func(x [2]int) int { return truth(x[v]&1 == 0) }},
		{fmt.Sprintf("%s > 0 && %s < 9", name, "xy"[w:w+1]), func(x [2]int) int { return truth(x[v] > 0 && x[w] < 9) }},
	}[g.IntN(7)]
	return e.text, g.emit(endsInstr{op: endsBranch, e: e})
}

func (g *endsMaker) conditional(do func()) {
	text, branch := g.condition()
	fmt.Fprintf(&g.text, "if (%s) {\n", text)
	do()
	if g.IntN(3) == 0 {
		g.text.WriteString("} else {\n")
		jump := g.emit(endsInstr{op: endsJump})
		g.code[g.routine][branch].to = g.here()
		g.statement(0)
		g.code[g.routine][jump].to = g.here()
	} else {
		g.code[g.routine][branch].to = g.here()
	}
	g.text.WriteString("}\n")
}

func (g *endsMaker) while(depth int) {
	begin := g.here()
	text, branch := g.condition()
	fmt.Fprintf(&g.text, "while (%s) {\n", text)
	g.loops = append(g.loops, endsLoop{begin: begin, leaves: []int{branch}})
	g.block(2, depth)
	if g.IntN(3) > 0 { // so that more of them end
		g.decrease()
	}
	g.text.WriteString("}\n")
	g.emit(endsInstr{op: endsJump, to: begin})
	last := len(g.loops) - 1
	for _, i := range g.loops[last].leaves {
		g.code[g.routine][i].to = g.here()
	}
	g.loops = g.loops[:last]
}

func (g *endsMaker) call() {
	v, e, f := g.IntN(2), g.expr(), g.expr()
	fmt.Fprintf(&g.text, "%c = f(%s, %s);\n", "xy"[v], e.text, f.text)
	g.emit(endsInstr{op: endsCall, to: v, e: e, f: f})
}

func (g *endsMaker) returns() {
	e := g.expr()
	fmt.Fprintf(&g.text, "return %s;\n", e.text)
	g.emit(endsInstr{op: endsReturn, e: e})
}

func (g *endsMaker) expr() endsExpr {
	v, c := g.IntN(2), 1+g.IntN(3)
	name := "xy"[v : v+1]
	return []endsExpr{
		{fmt.Sprintf("%s + %d", name, c), func(x [2]int) int { return x[v] + c }},
		{fmt.Sprintf("%s - %d", name, c), func(x [2]int) int { return x[v] - c }},
		{fmt.Sprintf("%s - %d", name, c), func(x [2]int) int { return x[v] - c }},
		{name, func(x [2]int) int { return x[v] }},
		{fmt.Sprint(c), func([2]int) int { return c }},
		{"x + y", func(x [2]int) int { return x[0] + x[1] }},
		{"x - y", func(x [2]int) int { return x[0] - x[1] }},
		{name + " / 2", func(x [2]int) int { return x[v] / 2 }},
		{name + " * 2", func(x [2]int) int { return x[v] * 2 }},
		{fmt.Sprintf("%s ^ %d", name, c), func(x [2]int) int { return x[v] ^ c }},
		{name + " & 6", func(x [2]int) int { return x[v] & 6 }},
	}[g.IntN(11)]
}

// endsState is where an activation of a routine is, which began with some arguments.
type endsState struct {
	routine int
	args    [2]int
	at      int
	v       [2]int
}

// mostEndsStates bounds how many there are of a program that is looked at.
const mostEndsStates = 60_000

// endless reports that a run does not end: states of activations form a cycle, where a call leads into the
// routine, or, if the routine can return some result, behind the call. small is false if there are too many states.
func (g *endsMaker) endless() (endless, small bool) {
	results := map[endsState]map[int]bool{} // of an activation, by its first state
	next := map[endsState][]endsState{}
	for again := true; again; {
		again, next = false, map[endsState][]endsState{}
		work := []endsState{{}}
		for len(work) > 0 {
			s := work[len(work)-1]
			work = work[:len(work)-1]
			if _, known := next[s]; known {
				continue
			}
			if len(next) > mostEndsStates {
				return false, false
			}
			out, result := g.step(s, results)
			if next[s] = out; result != nil {
				first := endsState{routine: s.routine, args: s.args, v: s.args}
				if results[first] == nil {
					results[first] = map[int]bool{}
				}
				again = again || !results[first][*result]
				results[first][*result] = true
			}
			work = append(work, out...)
		}
	}
	return endsCycle(next), true
}

// step are the states behind one, or the result of the activation.
func (g *endsMaker) step(s endsState, results map[endsState]map[int]bool) (out []endsState, result *int) {
	value := func(e endsExpr) int { return g.wrap(e.of(s.v)) }
	on := s
	on.at++
	i := g.code[s.routine][s.at]
	there := s
	there.at = i.to
	switch i.op {
	case endsAssign:
		on.v[i.to] = value(i.e)
		return []endsState{on}, nil
	case endsAny:
		for n := 0; n <= i.most; n++ {
			on.v[i.to] = n
			out = append(out, on)
		}
		return out, nil
	case endsBranch:
		if i.e.of(s.v) != 0 {
			return []endsState{on}, nil
		}
		return []endsState{there}, nil
	case endsGuess:
		return []endsState{on, there}, nil
	case endsJump:
		return []endsState{there}, nil
	case endsCall:
		args := [2]int{value(i.e), value(i.f)}
		inner := endsState{routine: 1, args: args, v: args}
		out = []endsState{inner}
		for r := range results[inner] {
			on.v[i.to] = r
			out = append(out, on)
		}
		return out, nil
	}
	r := value(i.e)
	return nil, &r
}

func (g *endsMaker) wrap(n int) int {
	if g.signed {
		return int(int8(n))
	}
	return int(uint8(n))
}

// endsCycle reports that a graph has a cycle: states from which all ways end are taken away, until none is left.
func endsCycle(next map[endsState][]endsState) bool {
	open, before := map[endsState]int{}, map[endsState][]endsState{}
	var ended []endsState
	for s, out := range next {
		if open[s] = len(out); len(out) == 0 {
			ended = append(ended, s)
		}
		for _, to := range out {
			before[to] = append(before[to], s)
		}
	}
	left := len(next)
	for len(ended) > 0 {
		s := ended[len(ended)-1]
		ended = ended[:len(ended)-1]
		left--
		for _, from := range before[s] {
			if open[from]--; open[from] == 0 {
				ended = append(ended, from)
			}
		}
	}
	return left > 0
}
