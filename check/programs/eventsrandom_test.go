package programs_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks"
)

// Random programs whose calls are events, and what they mean once more: each statement is written as C, and
// becomes instructions that a small interpreter does for all values of the environment. Events are told by the
// routine that is called here, where the front end puts them around calls. Variables have two bits.

// evOp is what an instruction does.
type evOp uint8

const (
	evAssign  evOp = iota // a variable gets an expression
	evBranch              // to if the expression is 0
	evJump                // to
	evCall                // routine, with the expression; the result goes to a variable
	evPointer             // the routine of a table, by another expression
	evReturn              // with the expression
)

type evInstr struct {
	op      evOp
	to      int // variable or instruction, -1 for none
	e       evExpr
	which   evExpr
	routine int
	masked  bool // the result is taken modulo 4
}

// evExpr is an expression, as text and as its value in a state.
type evExpr struct {
	text string
	of   func(*evFrame, *[2]int) int
}

// evRoutine is a routine; one without code has no body.
type evRoutine struct {
	name  string
	code  []evInstr
	value bool // it returns something, and has an argument
	ends  bool // a call of it is the end of the program
}

// evFrame is an activation: x, y and two temporaries.
type evFrame struct {
	routine, pc int
	vars        [4]int
	target      int // of the call that is told
}

type evState struct {
	globals [2]int
	stack   []evFrame
	told    bool // the call that is next was told
	back    int  // a result that is to be told, and then given to the caller
	returns bool
	ended   bool
}

func (s *evState) key() string { return fmt.Sprint(*s) }

func (s *evState) clone() *evState {
	c := *s
	c.stack = slices.Clone(s.stack)
	return &c
}

// evProgram is a program: main is the last of its routines.
type evProgram struct {
	routines []evRoutine
	text     string
	table    []int
}

// evVar is a variable by its number: those of the frame first, then globals.
var evVars = []string{"x", "y", "t0", "t1", "g0", "g1"}

func evLoad(v int) evExpr {
	return evExpr{evVars[v], func(f *evFrame, g *[2]int) int {
		if v >= 4 {
			return g[v-4]
		}
		return f.vars[v]
	}}
}

// evWriter makes the body of one routine.
type evWriter struct {
	rng   *rand.Rand
	p     *evProgram
	may   []int // routines that it may call
	code  []evInstr
	text  strings.Builder
	loops []evLoop
	depth int
	main  bool
}

type evLoop struct{ again, breaks int } // breaks: a jump that leads to its end

func (w *evWriter) variable() int { return []int{0, 1, 4, 5}[w.rng.IntN(4)] }

func (w *evWriter) expr() evExpr {
	v, k := evLoad(w.variable()), w.rng.IntN(4)
	switch w.rng.IntN(4) {
	case 0:
		return evExpr{fmt.Sprint(k), func(*evFrame, *[2]int) int { return k }}
	case 1:
		return v
	case 2:
		o := evLoad(w.variable())
		return evExpr{fmt.Sprintf("(%s + %s & 3)", v.text, o.text), func(f *evFrame, g *[2]int) int { return (v.of(f, g) + o.of(f, g)) & 3 }}
	}
	return evExpr{fmt.Sprintf("(%s + %d & 3)", v.text, k), func(f *evFrame, g *[2]int) int { return (v.of(f, g) + k) & 3 }}
}

func (w *evWriter) emit(i evInstr) int {
	w.code = append(w.code, i)
	return len(w.code) - 1
}

func (w *evWriter) line(format string, args ...any) {
	w.text.WriteString(strings.Repeat("    ", w.depth) + fmt.Sprintf(format, args...) + "\n")
}

// called is a routine that gives a value, or none.
func (w *evWriter) called(value bool) (int, bool) {
	all := slices.DeleteFunc(slices.Clone(w.may), func(r int) bool {
		return w.p.routines[r].value != value || w.p.routines[r].ends && w.rng.IntN(3) > 0
	})
	if len(all) == 0 {
		return 0, false
	}
	return all[w.rng.IntN(len(all))], true
}

// call is a call with its result in a variable, as a text.
func (w *evWriter) call(to int, masked bool) string {
	r, ok := w.called(true)
	if !ok {
		e := w.expr()
		w.emit(evInstr{op: evAssign, to: to, e: e})
		return e.text
	}
	e := w.expr()
	if len(w.p.table) > 0 && w.main && w.rng.IntN(2) == 0 {
		which := w.expr()
		w.emit(evInstr{op: evPointer, to: to, e: e, which: which, masked: masked})
		return fmt.Sprintf("table[%s & 1](%s)", which.text, e.text)
	}
	w.emit(evInstr{op: evCall, to: to, e: e, routine: r, masked: masked})
	return fmt.Sprintf("%s(%s)", w.p.routines[r].name, e.text)
}

// condition emits a condition, and a branch that is taken where it does not hold.
func (w *evWriter) condition() (text string, branches []int) {
	v, k := evLoad(w.variable()), w.rng.IntN(4)
	plain := evExpr{fmt.Sprintf("%s == %d", v.text, k), func(f *evFrame, g *[2]int) int { return b2i(v.of(f, g) == k) }}
	low := evExpr{"", func(f *evFrame, _ *[2]int) int { return f.vars[2] & 1 }}
	switch w.rng.IntN(4) {
	case 0:
		text := w.call(2, true)
		return text + " & 1", []int{w.emit(evInstr{op: evBranch, e: low})}
	case 1: // a short circuit
		first := w.emit(evInstr{op: evBranch, e: plain})
		text := w.call(2, true)
		return fmt.Sprintf("%s && (%s & 1)", plain.text, text), []int{first, w.emit(evInstr{op: evBranch, e: low})}
	case 2:
		return plain.text, []int{w.emit(evInstr{op: evBranch, e: plain})}
	}
	o := evLoad(w.variable())
	return fmt.Sprintf("%s < %s", v.text, o.text), []int{w.emit(evInstr{op: evBranch, e: evExpr{"", func(f *evFrame, g *[2]int) int { return b2i(v.of(f, g) < o.of(f, g)) }}})}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (w *evWriter) statements(n int) {
	w.depth++
	for range n {
		w.statement()
	}
	w.depth--
}

func (w *evWriter) statement() {
	deep := w.depth > 3
	switch k := w.rng.IntN(13); {
	case k < 2:
		v, e := w.variable(), w.expr()
		w.emit(evInstr{op: evAssign, to: v, e: e})
		w.line("%s = %s;", evVars[v], e.text)
	case k < 4:
		v := w.variable()
		w.line("%s = %s & 3;", evVars[v], w.call(v, true))
	case k == 4: // two calls, from left to right
		v := w.variable()
		left := w.call(2, true)
		right := w.call(3, true)
		w.emit(evInstr{op: evAssign, to: v, e: evExpr{"", func(f *evFrame, _ *[2]int) int { return (f.vars[2] + f.vars[3]) & 3 }}})
		w.line("%s = (%s & 3) + (%s & 3) & 3;", evVars[v], left, right)
	case k < 7:
		if r, ok := w.called(false); ok {
			w.emit(evInstr{op: evCall, to: -1, routine: r, e: evExpr{"", func(*evFrame, *[2]int) int { return 0 }}})
			w.line("%s();", w.p.routines[r].name)
		}
	case k == 7:
		w.line("%s;", w.call(-1, true))
	case k < 10 && !deep:
		text, branches := w.condition()
		w.line("if (%s) {", text)
		w.statements(1 + w.rng.IntN(2))
		over := -1
		if w.rng.IntN(2) == 0 {
			over = w.emit(evInstr{op: evJump})
		}
		w.patch(branches)
		if over >= 0 {
			w.line("} else {")
			w.statements(1 + w.rng.IntN(2))
			w.patch([]int{over})
		}
		w.line("}")
	case k < 12 && !deep:
		again := len(w.code)
		text, branches := w.condition()
		w.line("while (%s) {", text)
		w.loops = append(w.loops, evLoop{again, -1})
		w.statements(1 + w.rng.IntN(3))
		w.emit(evInstr{op: evJump, to: again})
		w.patch(branches)
		w.loops = w.loops[:len(w.loops)-1]
		w.line("}")
	case w.rng.IntN(4) == 0:
		e := w.expr()
		w.emit(evInstr{op: evCall, to: -1, routine: 4, e: e})
		w.line("exit(%s);", e.text)
	case w.rng.IntN(4) == 0 && len(w.loops) > 0:
		w.emit(evInstr{op: evJump, to: w.loops[len(w.loops)-1].again})
		w.line("continue;")
	case w.rng.IntN(4) == 0:
		e := w.expr()
		w.emit(evInstr{op: evReturn, e: e})
		w.line("return %s;", e.text)
	}
}

// patch has jumps lead to what is written next.
func (w *evWriter) patch(jumps []int) {
	for _, j := range jumps {
		w.code[j].to = len(w.code)
	}
}

// randomEvents is a random program with events.
func randomEvents(rng *rand.Rand) *evProgram {
	p := &evProgram{routines: []evRoutine{{name: "a"}, {name: "b"}, {name: "c", value: true}, {name: "get", value: true}, {name: "exit", value: true, ends: true}, {name: "die", ends: true}}}
	var text strings.Builder
	text.WriteString("void exit(int);\nvoid a(void);\nvoid b(void);\nint c(int);\nint get(int);\nvoid die(void) __attribute__((noreturn));\nint g0, g1;\n")
	may := []int{0, 1, 2, 3, 5}
	for _, name := range []string{"f", "h"}[:rng.IntN(3)] {
		p.routine(rng, &text, name, may)
		may = append(may, len(p.routines)-1)
	}
	if n := len(p.routines); n > 6 && rng.IntN(3) > 0 {
		p.table = []int{n - 1, []int{2, 6}[rng.IntN(2)]}
		fmt.Fprintf(&text, "static int (*table[2])(int) = {%s, %s};\n", p.routines[p.table[0]].name, p.routines[p.table[1]].name)
	}
	p.routine(rng, &text, "main", may)
	p.text = text.String()
	return p
}

func (p *evProgram) routine(rng *rand.Rand, text *strings.Builder, name string, may []int) {
	w := &evWriter{rng: rng, p: p, may: may, main: name == "main"}
	if w.main && rng.IntN(3) > 0 { // so that conditions are not decided
		w.depth = 1
		for _, v := range []int{0, 4} {
			w.emit(evInstr{op: evCall, to: v, e: evExpr{"0", func(*evFrame, *[2]int) int { return 0 }}, routine: 3, masked: true})
			w.line("%s = get(0) & 3;", evVars[v])
		}
		w.depth = 0
	}
	w.statements(1 + rng.IntN(4))
	e := w.expr()
	w.emit(evInstr{op: evReturn, e: e})
	if w.main {
		fmt.Fprintf(text, "int main(void) {\n    int x = 0, y = 0;\n%s    return %s;\n}\n", w.text.String(), e.text)
	} else {
		fmt.Fprintf(text, "int %s(int x) {\n    int y = 0;\n%s    return %s;\n}\n", name, w.text.String(), e.text)
	}
	p.routines = append(p.routines, evRoutine{name: name, code: w.code, value: true})
}

// evResults are values that a routine without a body gives: each condition on them that is asked has one for which
// it holds and one for which it does not, whatever the last two bits are.
var evResults = []int{-4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7}

// evActions are the actions of a model: what a step is, by name.
type evAction struct {
	routine string
	back    bool // its return
	value   int
}

// network is the program as a model: each step of the interpreter is a transition. nil if it is too large.
func (p *evProgram) network(most int) (*lks.LKS, map[string]evAction) {
	b := lks.NewBuilder("main")
	actions := map[string]evAction{}
	numbers := map[string]int32{}
	var states []*evState
	number := func(s *evState) int32 {
		k := s.key()
		if n, known := numbers[k]; known {
			return n
		}
		props := []string{fmt.Sprintf("p_g0_%d", s.globals[0]), fmt.Sprintf("p_g1_%d", s.globals[1])}
		numbers[k] = b.State(props...)
		states = append(states, s)
		return numbers[k]
	}
	for k := range 4 {
		b.Prop(fmt.Sprintf("p_g0_%d", k))
		b.Prop(fmt.Sprintf("p_g1_%d", k))
	}
	number(&evState{stack: []evFrame{{routine: len(p.routines) - 1}}})
	for at := 0; at < len(states); at++ {
		if len(states) > most {
			return nil, nil
		}
		p.successors(states[at], func(a *evAction, s *evState) {
			name := lks.TauName
			if a != nil {
				name = fmt.Sprintf("%s_%v_%d", a.routine, a.back, a.value+8)
				actions[name] = *a
			}
			b.Transition(int32(at), name, number(s))
		})
	}
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return m, actions
}

// successors are the steps of a state: silent ones have no action.
func (p *evProgram) successors(s *evState, step func(*evAction, *evState)) {
	if s.ended {
		return
	}
	n := s.clone()
	f := &n.stack[len(n.stack)-1]
	i := &p.routines[f.routine].code[f.pc]
	if s.returns { // in f, whose call is instruction i
		n.returns, n.told, n.back = false, false, 0
		v := s.back
		if i.masked {
			v &= 3
		}
		n.set(i.to, v)
		f.pc++
		step(&evAction{p.routines[f.target].name, true, s.back}, n)
		return
	}
	switch i.op {
	case evAssign:
		n.set(i.to, i.e.of(f, &n.globals))
		f.pc++
		step(nil, n)
	case evJump:
		f.pc = i.to
		step(nil, n)
	case evBranch:
		if i.e.of(f, &n.globals) == 0 {
			f.pc = i.to
		} else {
			f.pc++
		}
		step(nil, n)
	case evReturn:
		v := i.e.of(f, &n.globals)
		if n.stack = n.stack[:len(n.stack)-1]; len(n.stack) == 0 {
			n.ended = true
			step(&evAction{"main", true, v}, n)
			return
		}
		n.returns, n.back = true, v
		step(nil, n)
	case evCall, evPointer:
		p.calls(s, n, i, step)
	}
}

// calls are the steps of a call: first it is told, then a body is entered, or any value comes back.
func (p *evProgram) calls(s, n *evState, i *evInstr, step func(*evAction, *evState)) {
	f := &n.stack[len(n.stack)-1]
	if !s.told {
		if f.target = i.routine; i.op == evPointer {
			f.target = p.table[i.which.of(f, &n.globals)&1]
		}
	}
	arg, r := i.e.of(f, &n.globals), f.target
	routine := &p.routines[r]
	switch {
	case !s.told:
		n.told = true
		n.ended = routine.ends
		step(&evAction{routine.name, false, arg}, n)
	case routine.code != nil:
		n.told = false
		n.stack = append(n.stack, evFrame{routine: r, vars: [4]int{arg}})
		step(nil, n)
	case !routine.value:
		n.returns = true
		step(nil, n)
	default:
		for _, v := range evResults {
			m := n.clone()
			m.returns, m.back = true, v
			step(nil, m)
		}
	}
}

func (s *evState) set(to, v int) {
	switch {
	case to >= 4:
		s.globals[to-4] = v
	case to >= 0:
		s.stack[len(s.stack)-1].vars[to] = v
	}
}
