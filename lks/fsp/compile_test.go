package fsp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/ltl"
)

// summary lists the transitions of an LKS by state number, breadth-first, with
// labels and special states: "0{p} a>1; 1 tau>END".
func summary(m *lks.LKS) string {
	m = m.Reachable()
	name := func(s int32) string {
		switch m.Kind(s) {
		case lks.End:
			return "END"
		case lks.Error:
			return "ERROR"
		}
		return fmt.Sprint(s)
	}
	var parts []string
	for s := range int32(m.NumStates()) {
		if m.Kind(s) != lks.Normal {
			continue
		}
		var b strings.Builder
		b.WriteString(name(s))
		if l := m.Label(s); len(l) > 0 {
			var props []string
			for _, p := range l {
				props = append(props, m.Props()[p])
			}
			b.WriteString("{" + strings.Join(props, ",") + "}")
		}
		for _, e := range m.Edges(s) {
			fmt.Fprintf(&b, " %s>%s", m.Alphabet()[e.Action], name(e.Target))
		}
		parts = append(parts, b.String())
	}
	return strings.Join(parts, "; ")
}

// TestMeaning has one small model per construct: the default process, built, and
// its alphabet where that is not what the transitions show.
func TestMeaning(t *testing.T) {
	for _, c := range []struct{ text, want, alphabet string }{
		// Primitive processes.
		{"P = STOP.", "0", ""},
		{"P = END.", "", ""},
		{"P = ERROR.", "0 tau>ERROR", ""},
		{"P = (a -> b -> P).", "0 a>1; 1 b>0", ""},
		{"P = (a -> P | b -> STOP).", "0 a>0 b>1; 1", ""},
		{"P = ({a, b} -> c -> P).", "0 a>1 b>2; 1 c>0; 2 c>0", ""},
		{"P = (a[i:0..1] -> b[i+1] -> P).", "0 a.0>1 a.1>2; 1 b.1>0; 2 b.2>0", ""},
		{"P = Q[1], Q[i:0..2] = (when (i < 2) up -> Q[i+1] | when (i > 0) down -> Q[i-1]).",
			"0 down>1 up>2; 1 up>0; 2 down>0", ""},
		{"P = (a -> Q), Q = (b -> P).", "0 a>1; 1 b>0", ""},
		// A variable bound twice in one label: all combinations, and then its last value, as in LTSA.
		{"P = (a[s:0..1].b[s:0..1] -> [s].c -> P).",
			"0 a.0.b.0>1 a.0.b.1>2 a.1.b.0>3 a.1.b.1>4; 1 0.c>0; 2 1.c>0; 3 0.c>0; 4 1.c>0", ""},
		{"P = (a[s:0..1][s+5][s:2..3][s] -> P).", "0 a.0.5.2.2>0 a.0.5.3.3>0 a.1.6.2.2>0 a.1.6.3.3>0", ""},
		{"P = ({a[s:0..1][s:0..1]} -> P)\\{a[s:0..0].[s:0..1]}.", "0 tau>0 a.1.0>0 a.1.1>0", "a.1.0 a.1.1"},
		{"P = (a -> P) + {b[s:0..1][s:0..1]}.", "0 a>0", "a b.0.0 b.0.1 b.1.0 b.1.1"},
		{"P = Q[0], Q[i:0..1] = if i == 0 then (a -> Q[1]) else P.", "0 a>0", ""},
		{"P = Q[0], Q[i:0..1] = (a -> if (i == 0) then Q[1]).", "0 a>1; 1 a>2; 2", ""},
		{"P = (a -> Q), Q = (b -> R), R = STOP.", "0 a>1; 1 b>2; 2", ""},
		{"P = (a -> P) +{b, c[0..1]}.", "0 a>0", "a b c.0 c.1"},
		{"P = Q, Q = (a -> Q), R = (z -> R).", "0 a>0", "a z"},
		{"P = (a -> UNKNOWN).", "0 a>ERROR", ""},
		{"P = Q[0], Q[i:0..1] = (a -> Q[i+1]).", "0 a>1; 1 a>ERROR", ""},
		{"P = (a.x -> b -> P)\\{a}.", "0 tau>1; 1 b>0", "b"},
		{"P = (a.x -> b -> P)@{a}.", "0 a.x>1; 1 tau>0", "a.x"},
		{"P = (a -> b -> P)/{c/a}.", "0 c>1; 1 b>0", ""},
		{"P = (a -> b -> P)/{{c, d}/a}.", "0 c>1 d>1; 1 b>0", ""},
		{"P = (a.x -> a.y.z -> P)/{b/a, c/a.y}.", "0 b.x>1; 1 c.z>0", ""},
		{"P = (a[0..1] -> P)/{forall [i:0..1] {b[1-i]/a[i]}}.", "0 b.0>0 b.1>0", ""},
		{"P = (a -> b -> P)/{c/{a, b}}.", "0 c>1; 1 c>0", ""},
		{"property P = (a -> b -> P).", "0 a>1 b>ERROR; 1 a>ERROR b>0", ""},
		{"property P = (a -> END).", "0 a>1; 1 a>ERROR", ""},
		{"property P = STOP +{a}.", "0 a>ERROR", ""},
		{"minimal P = (a -> h -> b -> P | a -> b -> P)\\{h}.", "0 a>1; 1 b>0", ""},
		{"minimal P = (a -> STOP | b -> LOOP | c -> h -> STOP), LOOP = (h -> LOOP)\\{h}.",
			"0 a>1 b>2 c>1; 1; 2 tau>2", ""},
		{"minimal P = (a -> STOP | b -> END | c -> ERROR | d -> h -> END)\\{h}.", "0 a>1 b>END c>ERROR d>END; 1", ""},
		{"deterministic P = (a -> b -> P | a -> c -> P).", "0 a>1; 1 b>0 c>0", ""},
		// As LTSA has it: an error that one run of a trace meets ends them all, and END is
		// kept only where nothing else can be. Checked by running LTSA, but for the last two.
		{"deterministic P = (a -> Q | a -> ERROR), Q = (b -> Q).", "0 a>ERROR", "a b"},
		{"deterministic P = (a -> h -> ERROR | c -> P)\\{h}.", "0 a>ERROR c>0", ""},
		{"deterministic P = (a -> END | a -> b -> STOP).", "0 a>1; 1 b>2; 2", ""},
		{"deterministic P = (a -> END | a -> STOP).", "0 a>1; 1", ""},
		{"deterministic P = (a -> LOOP), LOOP = (h -> LOOP)\\{h}.", "0 a>1; 1", ""},
		{"deterministic P = (a -> b -> P | a -> h -> P | a -> LOOP), LOOP = (h -> LOOP)\\{h}.", "0 a>1; 1 a>1 b>0", ""},
		{"deterministic P {p} = (a -> Q | a -> ERROR), Q {q} = (b -> Q).", "0{p} a>ERROR", "a b"},
		{"deterministic P {p} = (a -> Q | a -> R), Q {q} = (b -> Q), R {r} = (c -> R).", "0{p} a>1 a>2; 1{q} b>1; 2{r} c>2", ""},
		{"deterministic P = (h -> ERROR | b -> P)\\{h}.", "", "b"},
		{"deterministic P = (a -> END | a -> h -> END)\\{h}.", "0 a>END", ""},
		{"P = Q;R. Q = (a -> END). ||S = P.", "0 a>ERROR", ""},
		{"P(N=2) = (a[N] -> P).", "0 a.2>0", ""},
		{"P(L='red) = (a[L] -> P).", "0 a.red>0", ""},
		{"set S = {red, green} P = (a[x:S] -> b[x] -> P).", "0 a.green>1 a.red>2; 1 b.green>0; 2 b.red>0", ""},
		{"set S = {red, green} P = ({S\\{red}} -> P).", "0 green>0", ""},
		{"set S = {p[0..1]} P = Q['p[1]], Q[x:S] = (a[x] -> STOP).", "0 a.p.1>1; 1", "a.p.0 a.p.1"},
		{"P = (a[#{x, y[0..2]}] -> b[@({x, y}, 1)] -> P).", "0 a.4>1; 1 b.y>0", ""},
		{"P = (a[7/(0-2)] -> b[(0-7)%2] -> c[!0] -> d[!(0-1)] -> e[2<<3] -> f[6^3] -> P).",
			"0 a.-3>1; 1 b.-1>2; 2 c.1>3; 3 d.1>4; 4 e.16>5; 5 f.5>0", ""},
		{"P@ = (a -> P).", "0 @P>0 a>0", ""},
		// State labels.
		{"P {idle} = (a -> BUSY), BUSY {busy} = (b -> P).", "0{idle} a>1; 1{busy} b>0", ""},
		{"P = Q[0], Q[i:0..1] {level[i], when (i == 1) full} = (up -> Q[1-i]).", "0{level.0} up>1; 1{full,level.1} up>0", ""},
		{"P {p} = (a -> b -> P).", "0{p} a>1; 1 b>0", ""},
		{"P = Q, Q {p} = (a -> Q).", "0{p} a>0", ""},
		{"P = (a -> Q;P). Q {q} = (b -> END). ||S = P.", "0 a>1; 1{q} b>0", ""},
		// Composites.
		{"P = (a -> P). Q = (b -> Q). ||C = (P || Q).", "0 a>0 b>0", ""},
		{"P = (a -> b -> P). Q = (b -> c -> Q). ||C = (P || Q).", "0 a>1; 1 b>2; 2 a>3 c>0; 3 c>1", ""},
		{"P = (a -> P). ||C = (x:P || y:P).", "0 x.a>0 y.a>0", ""},
		{"P = (a -> P). ||C = (p[1..2]:P).", "0 p.1.a>0 p.2.a>0", ""},
		{"P = (a -> b -> P). ||C = {s, t}::P.", "0 s.a>1 t.a>1; 1 s.b>0 t.b>0", ""},
		{"P = (a -> P). ||C = {s, t}::k:P.", "0 s.k.a>0 t.k.a>0", ""},
		{"P {p} = (a -> P). ||C = x:P.", "0{x.p} x.a>0", ""},
		{"P {p} = (a -> P). ||C = {x}::P.", "0{p} x.a>0", ""},
		{"P {p} = (a -> P). ||C = y:(x:P)/{z/x.a}.", "0{y.x.p} y.x.a>0", ""},
		{"P = (a -> P | b -> P). ||C = (P)\\{a}.", "0 tau>0 b>0", "b"},
		{"P = (a -> P | b -> P). ||C = (P) << {a}.", "0 a>0", "a b"},
		{"P = (a -> P | b -> P). ||C = (P) >> {a}.", "0 b>0", "a b"},
		{"P(N=1) = (a[N] -> P). ||C(M=2) = if M > 0 then (P(M) || C(M-1)) else P(0).", "0 a.0>0 a.1>0 a.2>0", ""},
		{"P = (a -> P). ||C = forall [i:1..2][j:0..1] x[i][j]:P.", "0 x.1.0.a>0 x.1.1.a>0 x.2.0.a>0 x.2.1.a>0", ""},
		{"P = (a -> END). Q = (b -> END). ||C = (P || Q).", "0 a>1 b>2; 1 b>END; 2 a>END", ""},
		{"P = (a -> P1), P1 = (p -> P). Q = (b -> q -> Q). ||C = (P || Q). ||D = C/{x/a, x/b}.", "0 x>1 x>2; 1 p>0 x>3; 2 q>0 x>3; 3 p>2 q>1", ""},
		{"P = (a -> P). property Q = (b -> a -> Q). ||C = (P || Q).", "0 a>ERROR b>2; 2 a>0 b>ERROR", ""},
		{"P = (a -> b -> P | a -> c -> P). deterministic ||C = P.", "0 a>1; 1 b>0 c>0", ""},
		{"P = (a -> b -> P). property ||C = P.", "0 a>1 b>ERROR; 1 a>ERROR b>0", ""},
	} {
		built := compileText(t, c.text)
		if got := summary(built); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.text, got, c.want)
		}
		if c.alphabet != "" {
			if got := strings.Join(built.Alphabet()[1:], " "); got != c.alphabet {
				t.Errorf("%s: alphabet %s, want %s", c.text, got, c.alphabet)
			}
		}
	}
}

func mustNetwork(t testing.TB, m *fsp.Model, process string) *lks.Network {
	t.Helper()
	net, err := m.Network(process)
	if err != nil {
		t.Fatal(render(err))
	}
	return net
}

func TestDefaultProcess(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"P = (a -> P).", "P"},
		{"P = (a -> P). Q = (a -> Q).", fsp.DefaultName},
		{"||C = P. P = (a -> P). ||D = C.", "D"},
		{"const N = 1", ""},
	} {
		if got := model(t, c.text).DefaultProcess(); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
	if _, err := model(t, "const N = 1").Network(""); err == nil {
		t.Error("a file without processes has a network")
	}
	if _, err := model(t, "BUFFER = (a -> BUFFER).").Network("BUFER"); err == nil || !strings.Contains(render(err), `did you mean "BUFFER"?`) {
		t.Errorf("got %v", err)
	}
	// It is asked for each property of a file, which may have 20,000 processes.
	many := model(t, "A = (a -> A).\nB = (b -> B).\n")
	if n := testing.AllocsPerRun(10, func() { many.DefaultProcess() }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestParams(t *testing.T) {
	const text = "const K = 1 P(N=K) = (a[N][K] -> P). ||C = (P || x:P(7))."
	f, err := syntax.Parse(source.NewFile("test.lks", text))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		params map[string]int
		want   string
	}{
		{nil, "a.1.1 x.a.7.1"},
		{map[string]int{"N": 5}, "a.5.1 x.a.7.1"},
		{map[string]int{"K": 3}, "a.3.3 x.a.7.3"},
		{map[string]int{"K": 3, "N": -2}, "a.-2.3 x.a.7.3"},
	} {
		m, err := fsp.Compile(f, fsp.Options{Params: c.params})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(mustNetwork(t, m, "").Alphabet()[1:], " "); got != c.want {
			t.Errorf("%v: %s, want %s", c.params, got, c.want)
		}
	}
	if _, err := fsp.Compile(f, fsp.Options{Params: map[string]int{"M": 1}}); err == nil {
		t.Error("an unknown parameter is accepted")
	}
}

func TestWarnings(t *testing.T) {
	m := model(t, "P = Q[0], Q[i:0..3] = (a -> Q[i+2] | b -> R).")
	mustNetwork(t, m, "")
	want := `test.lks:1:29: warning: Q[4] is not defined, so it is ERROR (and 1 more time here)
    1 | P = Q[0], Q[i:0..3] = (a -> Q[i+2] | b -> R).
      |                             ^^^^^^
    help: with i=2
test.lks:1:43: warning: R is not defined, so it is ERROR (and 3 more times here)
    1 | P = Q[0], Q[i:0..3] = (a -> Q[i+2] | b -> R).
      |                                           ^
    help: did you mean "P"?
`
	if got := render(m.Warnings()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// A comma for a full stop makes B a local process of A, which nothing leads to. What a
// guard never lets happen, or the parts of one process with indices, are left alone.
func TestUnusedLocalProcess(t *testing.T) {
	m := model(t, "A = (a -> A),\nB = (b -> C),\nC = (c -> B).")
	want := `test.lks:2:1: warning: nothing in A leads to B, so it is left out
    2 | B = (b -> C),
      | ^
    help: for a process of its own, end the definition before B with a full stop
test.lks:3:1: warning: nothing in A leads to C, so it is left out
    3 | C = (c -> B).
      | ^
    help: for a process of its own, end the definition before C with a full stop
`
	if got := render(m.Warnings()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for _, text := range []string{
		"A = (a -> A | when (0) b -> B),\nB = (b -> A).",
		"A = B[0], B[0] = (a -> C), B[1] = (b -> A), C = if 0 then B[1] else A.",
	} {
		if got := model(t, text).Warnings(); len(got) > 0 {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestStateNames(t *testing.T) {
	m := compileText(t, "P = Q[2], Q[i:0..2] = (a -> b[i] -> Q[i] | c -> STOP).")
	var names []string
	for s := range int32(m.NumStates()) {
		names = append(names, m.StateName(s))
	}
	slices.Sort(names)
	if got, want := strings.Join(names, " "), "Q[2] Q[2]->a STOP"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestAssertTranslation compares assertions with SE-LTL.
func TestAssertTranslation(t *testing.T) {
	const text = `
P = (a -> b -> P | c -> P).
fluent F = <a, b>
fluent G[i:0..1] = <x[i], y[i]> initially i
set S = {a, b}
assert A1 = []<>a
assert A2 = [](a -> F)
assert A3 = (a -> b || c)
assert A4 = (!b W a)
assert A5 = [](F && G[0..1])
assert A6 = forall [i:0..1] <>G[i]
assert A7 = exists [i:0..1] X G[i]
assert A8 = (A1 && S)
assert A9(N=1) = rigid(N > 1)
assert A10 = A9(2)
assert A11 = (a U {b, c})
assert A12 = (A1 <-> A2)
`
	m := model(t, text)
	ps, err := m.Properties("")
	if err != nil {
		t.Fatal(render(err))
	}
	want := map[string]string{
		"A1": "G (deadlock | F a)", "A2": "G (a -> X F)", "A3": "(a -> b) | c", "A4": "!b W a", "A5": "G (X F & (X G.0 | X G.1))",
		"A6": "F X G.0 & F X G.1", "A7": "X X G.0 | X X G.1", "A8": "G (deadlock | F a) & (a | b)", "A9": "0", "A10": "1",
		"A11": "a U (b | c)", "A12": "G (deadlock | F a) <-> G (a -> X F)",
	}
	for _, p := range ps {
		w := strings.NewReplacer("G.0", `"G.0"`, "G.1", `"G.1"`, "X F", `X "F"`).Replace(want[p.Name])
		f := ltl.MustParse(w)
		f = ltl.Map(f, func(a ltl.Atom) *ltl.Formula {
			if a.Kind == ltl.Deadlock {
				return ltl.AtomOf(a)
			}
			a.Kind = ltl.Event
			if a.Name[0] == 'F' || a.Name[0] == 'G' {
				a.Kind = ltl.Prop
			}
			return ltl.AtomOf(a)
		})
		if p.Formula != f {
			t.Errorf("%s = %s: got %v, want %v", p.Name, p.Text, p.Formula, f)
		}
	}
	if len(ps) != len(want) {
		t.Errorf("%d properties, want %d", len(ps), len(want))
	}
}

func TestProperties(t *testing.T) {
	const text = `
LOCK {free} = (acquire -> HELD),
HELD {held} = (release -> LOCK).
||TWO = (a:LOCK || b:LOCK)\{a.release}.
fluent BUSY = <{a, b}.acquire, {a, b}.release>
ltl FREE = G (a.free | F a.free)   // expect: fails
ltl SAME = G (E.a.acquire -> X BUSY) /* expect: holds */
ltl BOTH = FREE & SAME
assert FLUENT = [](a.acquire -> BUSY)
assert GHOST = []!ghost
`
	m := model(t, text)
	ps, err := m.Properties("")
	if err != nil {
		t.Fatal(render(err))
	}
	var got []string
	for _, p := range ps {
		got = append(got, fmt.Sprintf("%s %s %d %q %v", p.Kind, p.Name, len(p.Network.Components()), m.Expected(p.Expect, ""), p.Free))
	}
	want := []string{
		`ltl FREE 2 "fails" []`, `ltl SAME 3 "holds" []`, `ltl BOTH 3 "" []`,
		`assert FLUENT 3 "" []`, `assert GHOST 3 "" [ghost]`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if ps[1].Network.Action("a.release") < 0 || ps[3].Network.Action("a.release") < 0 {
		t.Error("properties do not see the process before its hiding")
	}
	if !strings.Contains(render(m.Warnings()), "no process of TWO has the action ghost") {
		t.Errorf("no warning about ghost in\n%s", render(m.Warnings()))
	}
	for _, bad := range []struct{ text, message string }{
		{"P = (a -> P). ltl X1 = G aa", `did you mean "a"?`},
		{"P = (a -> P). assert A = [](a -> B)  assert B = A", "uses itself"},
		{"P = (a -> P). fluent F = <a, a> assert X = F", "both begins and ends"},
		{"P = (a -> P). fluent F[i:0..1] = <a, b> assert X = F[2]", "there is no fluent F.2"},
	} {
		if _, err := model(t, bad.text).Properties(""); err == nil || !strings.Contains(render(err), bad.message) {
			t.Errorf("%s: got %v", bad.text, err)
		}
	}
}

// Errors about a name that is not in the text have the file's name, too.
func TestNoSuchProcess(t *testing.T) {
	const switches = "SWITCH = OFF, OFF = (on -> ON), ON = (off -> OFF)."
	for _, c := range []struct{ text, process, message string }{
		{"", "", "test.lks:1:1: error: the file defines no process"},
		{switches, "SWICH", `did you mean "SWITCH"?`},
		{switches, "SWICH", "test.lks:1:1: error: "},
		{switches, "OFF", "OFF is a local process of SWITCH"},
	} {
		if _, err := model(t, c.text).Network(c.process); err == nil || !strings.Contains(render(err), c.message) {
			t.Errorf("%q %q: got %v, want %s", c.text, c.process, err, c.message)
		}
	}
	if _, err := model(t, switches).Property("", "P"); err == nil || !strings.Contains(render(err), "test.lks:1:1: error: ") {
		t.Errorf("got %v", err)
	}
}

// A label of a repeated or parameterised process is in vain only if it is so in
// all of them.
func TestRelabellingInVain(t *testing.T) {
	m := model(t, `
P(N=1) = (a[N] -> b -> P)/{x/a[1], z/c}.
||S = forall [i:1..2] p[i]:P(i)/{go/p[1].b, stop/p[3].b}.
`)
	if _, err := m.Network("S"); err != nil {
		t.Fatal(render(err))
	}
	got := render(m.Warnings())
	for _, want := range []string{"no action c in P", "no action p.3.b in what it relabels"} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%swithout %s", got, want)
		}
	}
	if n := strings.Count(got, "warning"); n != 2 {
		t.Errorf("%d warnings:\n%s", n, got)
	}
}

// TestOracleInVain: the textbook's models have few labels in vain.
func TestOracleInVain(t *testing.T) {
	oracleRows(t, "reference.csv")
	warned := map[string]string{}
	for path, text := range modelFiles(t) {
		f, err := syntax.Parse(source.NewFile(path, text))
		if err != nil {
			t.Fatal(render(err))
		}
		m, err := fsp.Compile(f, fsp.Options{})
		if err != nil {
			continue
		}
		for _, p := range m.Processes() {
			m.Composition(p.Name)
		}
		for _, w := range m.Warnings() {
			if w.Code == "no-such-action" {
				warned[path] += w.Render()
			}
		}
	}
	if len(warned) > 3 {
		t.Errorf("%d files", len(warned))
	}
	for path, text := range warned {
		t.Logf("%s\n%s", path, text)
	}
}

func TestProgressDefinitions(t *testing.T) {
	m := model(t, "range R = 0..1 P = (a[R] -> b -> P). progress A[i:R] = {a[i]} progress B = if {a[R]} then b")
	ps, err := m.Progress()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range ps {
		got = append(got, fmt.Sprint(p.Name, " ", p.Condition, p.Actions))
	}
	if want := []string{"A.0 [] [a.0]", "A.1 [] [a.1]", "B [a.0 a.1] [b]"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestOperatorNames(t *testing.T) {
	m := model(t, "P = (a -> b -> P).\nfluent F = <a, b>\nltl X1 = <> F")
	want := `test.lks:2:8: warning: in ltl formulas F is this fluent, not the operator
    2 | fluent F = <a, b>
      |        ^
    help: call the fluent by a longer name, or write <> for F and [] for G
`
	if got := render(m.Warnings()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestLTLExtent: an ltl formula runs to the next definition, whatever that is.
func TestLTLExtent(t *testing.T) {
	const formula = "G (a -> F b)"
	for _, next := range []string{
		"", "\n", ".", " // expect: holds\n", "\nQ = (c -> Q).", "\nQ(N=1) = (c[N] -> Q).", "\nQ {q} = (c -> Q).", "\n||C = (P).",
		"\n||C(N=1) = (P).", "\nltl Z = F a", "\nassert Z = <>a", "\nconst N = 1", "\nset S = {a}", "\nfluent FL = <a, b>",
		"\nproperty Q = (c -> Q).", "\nminimal ||C = P.", "\nprogress Z = {a}", "\nmenu Z = {a}", "\nrange R = 0..1",
	} {
		for _, eol := range []string{"\n", "\r\n"} {
			text := strings.ReplaceAll("\ufeffP = (a -> b -> P).\nltl X1 = "+formula+next, "\n", eol)
			p, err := model(t, text).Property("P", "X1")
			if err != nil {
				t.Errorf("%q: %s", text, render(err))
				continue
			}
			if p.Text != formula {
				t.Errorf("%q: formula %q", text, p.Text)
			}
		}
	}
	p, err := model(t, "P = (a -> b -> P).\nltl X1 = G ( // always\n  a -> /* then */ F b)\n").Property("", "X1")
	if err != nil {
		t.Fatal(render(err))
	}
	if got := p.Formula.String(); got != "G(a -> F b)" {
		t.Errorf("got %s", got)
	}
}

// TestWrongFluent: what is wrong with a fluent is said once, and a property that uses it is never left
// out in silence, however often it is asked for.
func TestWrongFluent(t *testing.T) {
	m := model(t, "P = (a -> P).\nfluent BUSY = <a, a>\nltl L = G BUSY\nassert M = []BUSY\nltl N = G a\n")
	for range 3 {
		if ps, err := m.Properties(""); err == nil {
			t.Fatalf("%d properties without a word", len(ps))
		} else if first := render(err); strings.Count(first, "error:") != 1 || !strings.Contains(first, "BUSY") {
			t.Errorf("the properties: %s", first)
		}
		if _, err := m.Property("", "M"); err == nil || !strings.Contains(render(err), "BUSY") {
			t.Errorf("M: %v", err)
		}
	}
	if _, err := m.Property("", "N"); err != nil {
		t.Errorf("N: %v", err)
	}
}
