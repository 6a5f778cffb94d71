package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/internal/testing/soak"
)

// sample has every field of a report filled in.
func sample() *Report {
	return &Report{
		Version: "v1", Command: "verify",
		Model: &Model{File: "m.lks", Process: "SYS", Actions: 3, Components: []Component{{"A", 2, 3}, {"B & <C>", 1, 1}}},
		Results: []Result{{
			Kind: "ltl", Name: "P", Formula: "F p", ReadAs: "F(p)", Verdict: Violated,
			Assumptions: []string{"that runs end"},
			Counterexample: &Counterexample{
				Kind: "lasso", Components: []string{"A", "B & <C>"}, Note: "note",
				Waiting:     []Waiting{{Component: "A", State: "A1", Ended: true, Offers: []Offer{{Event: "go", Refused: []string{"B"}}}}},
				Cycle:       []string{"A"},
				Projections: []Projection{{Component: "A", Events: []string{"go"}}},
				Initial:     State{Locals: []string{"A0", "C"}, Props: []string{"q"}},
				Stem: []Step{{Event: "go", Movers: []string{"A"}, Changed: []Change{{"A", "A0", "A1"}}, Lost: []string{"q"},
					State: State{Locals: []string{"A1", "C"}, Props: []string{}}}},
				Loop: []Step{{Event: "tick", Movers: []string{"A", "B & <C>"},
					State: State{Locals: []string{"A1", "C"}, Props: []string{}}}},
				Fairness: []Fair{{Of: "set", Strong: true, Names: []string{"tick"}, Why: "taken", State: new(int), Event: "tick", Transitions: 1}},
			},
			Abstraction: &Abstraction{Rounds: 1, States: 2, Components: []Abstracted{{"A", 3, 2}}},
			Games:       []*Move{{Implementation: "A0", Props: []string{}, Answers: []*Move{{Specification: "S", Event: "go", Implementation: "A1", Props: []string{"p"}, Offers: []string{"x"}, Cut: true}}}},
			Statistics: &Statistics{States: NewCount(1234567), Transitions: NewCount(1), ModelStates: NewCount(2), Depth: 3, AutomatonStates: 2, AutomatonEdges: 3,
				TranslateSeconds: 0.5, SearchSeconds: 0.7, StoreBytes: 100, Method: "ndfs"},
		}, {Kind: "assert", Formula: "G a", Verdict: Unknown, Reason: "states limit reached (5)", Advice: "more"},
			{Kind: "ltl", Formula: "true", Verdict: Holds},
			{Kind: "deadlock", Verdict: Unknown, Lossy: &Lossy{Store: "bitstate", Coverage: 0.75, Missed: 500000},
				Profile: &Profile{States: NewCount(1500000), Transitions: NewCount(3000000), Depth: 1200, Store: "bitstate", Workers: 2, TableLoad: 0.625, TableBytes: 3 << 20,
					QueueBytes: 1 << 20, Seconds: 2, StatesPerSecond: 750000, Phases: NewPhases([]string{"successors", "none", "store"}, []float64{3, 0, 1})}}},
		Cross:    crossInJSON(),
		Messages: []Message{{Severity: "warning", Code: "c", File: "m.lks", Line: 1, Column: 2, Text: "t", Help: "h"}},
		Exit:     1,
	}
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	if err := sample().Text(&b, TextOptions{Echo: true}); err != nil {
		t.Fatal(err)
	}
	want := `FAILS   P: F p
        read as F(p)
        assuming that runs end
  state  event  {what holds}  component: from -> to
      0         {q}
      1  go     A: A0 -> A1
  loop, repeated for ever from state 1:
      1  tick   A, B & <C> take part unchanged
  the loop is fair:
    fair strong {tick}: tick occurs in state 0
  note
  the implementation starts in A0; the specification can answer with S
    with the specification in S, the implementation does go and reaches A1 {p}:
      ...
        1,234,567 product states, 1 transition; automaton of 2 states; ndfs; 1.2 s
UNKNOWN G a
        because: states limit reached (5)
        try: more
HOLDS   true
NO VIOLATION FOUND deadlock
        profile
          states        1,500,000, depth 1,200
          transitions   3,000,000, 2.00 per state
          store         bitstate, 62 % full, 2 workers
          memory        4.0 MiB: 2.1 bytes per state in the table, 0.7 in the queue
          speed         750,000 states/s in 2.0 s
          time          successors 75 %, store 25 %
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("text (-want +got):\n%s", d)
	}
	b.Reset()
	if err := sample().Text(&b, TextOptions{Quiet: true, Color: true}); err != nil {
		t.Fatal(err)
	}
	if want := "\x1b[1;31mFAILS  \x1b[0m P: F p\n\x1b[1;33mUNKNOWN\x1b[0m G a\n\x1b[1;32mHOLDS  \x1b[0m true\n\x1b[1;33mNO VIOLATION FOUND\x1b[0m deadlock\n"; b.String() != want {
		t.Errorf("quiet text = %q", b.String())
	}
}

// TestJSONFollowsSchema validates a report that uses every field, and sees the
// schema refuse one with a field too many.
func TestJSONFollowsSchema(t *testing.T) {
	schema := compileSchema(t)
	var b bytes.Buffer
	if err := sample().JSON(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if err := schema.Validate(decode(t, text)); err != nil {
		t.Error(err)
	}
	for _, wrong := range []string{
		strings.Replace(text, `"exit"`, `"exitt"`, 1),
		strings.Replace(text, `"violated"`, `"maybe"`, 1),
		strings.Replace(text, `"command"`, `"x": 1, "command"`, 1),
		strings.Replace(text, `"rounds": 1`, `"rounds": -1`, 1),
		strings.Replace(text, `"rounds": 1`, `"rounds": 1.5`, 1),
		strings.Replace(text, `"rounds": 1`, `"rounds": "1"`, 1),
		strings.Replace(text, `"event": "go"`, `"event": null`, 1),
	} {
		if schema.Validate(decode(t, wrong)) == nil {
			t.Errorf("the schema accepts %s", wrong)
		}
	}
	b.Reset()
	if err := (&Report{Version: "v", Command: "verify"}).JSON(&b); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(decode(t, b.String())); err != nil {
		t.Errorf("empty report: %v", err)
	}
}

func compileSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	var schema jsonschema.Schema
	if err := json.Unmarshal(SchemaJSON, &schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := schema.Resolve(&jsonschema.ResolveOptions{BaseURI: "file:///"})
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func decode(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestRoundTrip(t *testing.T) {
	var b bytes.Buffer
	r := sample()
	if err := r.JSON(&b); err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r, &back); d != "" {
		t.Errorf("JSON loses something (-want +got):\n%s", d)
	}
}

// TestSVG: the picture is well-formed XML and names every component and event.
func TestSVG(t *testing.T) {
	var b bytes.Buffer
	if err := sample().Results[0].Counterexample.SVG(&b, "run of <m>"); err != nil {
		t.Fatal(err)
	}
	dec := xml.NewDecoder(bytes.NewReader(b.Bytes()))
	var text strings.Builder
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if data, ok := tok.(xml.CharData); ok {
			text.Write(data)
		}
	}
	for _, want := range []string{"B & <C>", "go", "tick", "{q}", "for ever", "run of <m>", "tick occurs in state 0"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in the picture", want)
		}
	}
}

// TestTable: the verdicts of a table stand in a column, whatever their length.
func TestTable(t *testing.T) {
	r := &Report{Table: true, Results: []Result{
		{Kind: "deadlock", Verdict: Unknown, Lossy: &Lossy{Store: "hash", Coverage: 1}},
		{Kind: "safety", Verdict: Violated},
	}}
	var b bytes.Buffer
	if err := r.Text(&b, TextOptions{Quiet: true}); err != nil {
		t.Fatal(err)
	}
	if want := "NO VIOLATION FOUND deadlock\nFAILS              safety\n"; b.String() != want {
		t.Errorf("table = %q, want %q", b.String(), want)
	}
}

func TestWorst(t *testing.T) {
	for _, c := range []struct{ a, b, want int }{
		{0, 1, 1}, {1, 3, 1}, {3, 0, 3}, {2, 1, 2}, {4, 2, 4}, {4, 130, 130}, {0, 0, 0},
	} {
		if got := Worst(c.a, c.b); got != c.want || Worst(c.b, c.a) != c.want {
			t.Errorf("Worst(%d, %d) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// Texts and pictures leave the middle of very long runs out and say so; the numbers of
// states stay those of the run, and JSON has all of it.
func TestLongRun(t *testing.T) {
	steps := func(n int, event string) []Step {
		list := make([]Step, n)
		for i := range list {
			list[i] = Step{Event: event, Movers: []string{"A"}, State: State{Locals: []string{"a"}, Props: []string{}}}
		}
		return list
	}
	c := &Counterexample{Kind: "lasso", Components: []string{"A"}, Initial: State{Locals: []string{"a"}, Props: []string{}},
		Stem: steps(3000, "walk"), Loop: steps(mostShown+1, "turn")}
	r := &Report{Command: "verify", Results: []Result{{Kind: "ltl", Formula: "F p", Verdict: Violated, Counterexample: c}}}

	var text bytes.Buffer
	if err := r.Text(&text, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for want, times := range map[string]int{
		"  walk ": firstShown + lastShown, "  turn ": firstShown + lastShown,
		"2,500 steps in between": 1, "501 steps in between": 1,
		"\n    400  walk ": 1, "\n    401  walk ": 0, "\n   2900  walk ": 0, "\n   2901  walk ": 1, "\n   3000  walk ": 1,
		"for ever from state 3000": 1, "\n   3000  turn ": 1, "\n   4000  turn ": 1,
	} {
		if got := strings.Count(text.String(), want); got != times {
			t.Errorf("%q is in the text %d times, not %d", want, got, times)
		}
	}

	var picture bytes.Buffer
	if err := c.SVG(&picture, "long"); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(picture.Bytes(), new(struct{})); err != nil {
		t.Error(err)
	}
	for want, times := range map[string]int{">walk<": 500, ">turn<": 500, "2,500 steps in between": 1, "501 steps in between": 1, ">3000<": 2} {
		if got := strings.Count(picture.String(), want); got != times {
			t.Errorf("%q is in the picture %d times, not %d", want, got, times)
		}
	}

	var js bytes.Buffer
	if err := r.JSON(&js); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(js.String(), `"turn"`); got != mostShown+1 {
		t.Errorf("JSON has %d steps of the loop", got)
	}
}

// TestRepeatedSteps: of a loop of a program that is gone round often, some steps are shown.
func TestRepeatedSteps(t *testing.T) {
	var stem []Step
	for i := range 5 {
		for range 10 * i {
			stem = append(stem, Step{Event: "count", State: State{Locals: []string{"loop"}, Props: []string{}}})
		}
		stem = append(stem, Step{Event: "next", State: State{Locals: []string{"loop"}, Props: []string{}}})
	}
	c := &Counterexample{Kind: "trace", Components: []string{"P"}, Initial: State{Locals: []string{"loop"}, Props: []string{}}, Stem: stem}
	r := &Report{Command: "reach", Results: []Result{{Kind: "reach", Verdict: Violated, Counterexample: c}}}
	var text bytes.Buffer
	if err := r.Text(&text, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for want, times := range map[string]int{"  next ": 5, "  count ": 10 + 20 + 4 + 4, "...": 2, "26 steps of count in between": 1, "36 steps of count in between": 1,
		"\n     36  count ": 1, "\n     37  count ": 0, "\n     63  count ": 1} {
		if got := strings.Count(text.String(), want); got != times {
			t.Errorf("%q is in the text %d times, not %d\n%s", want, got, times, text.String())
		}
	}
}

// TestShownLines: what is left out of a program's run and what is shown are all of it, in
// order, and what is left out are the lines before it again.
func TestShownLines(t *testing.T) {
	for seed := range soak.Cases(300) {
		rng := rand.New(rand.NewSource(int64(seed)))
		var steps []Step
		for range rng.Intn(5) {
			var part []Step
			for range 1 + rng.Intn(4) {
				part = append(part, Step{Event: fmt.Sprintf("a.c:%d", rng.Intn(3)), Depth: rng.Intn(2)})
			}
			for range 1 + rng.Intn(80) {
				steps = append(steps, part...)
			}
		}
		next, lines := 0, 0
		for i, left := range shownLines(steps) {
			if i != next+left.steps {
				t.Fatalf("seed %d: step %d is shown after %d and %d that are left out", seed, i, next, left.steps)
			}
			if left.rounds > 0 {
				n := left.steps / left.rounds
				for k := next; k < i; k++ {
					if !sameLine(&steps[k], &steps[k-n]) {
						t.Fatalf("seed %d: step %d is left out, and is not that of %d steps before", seed, k, n)
					}
				}
			}
			next, lines = i+1, lines+1
		}
		if next != len(steps) || lines > mostLines {
			t.Fatalf("seed %d: %d of %d steps, %d lines", seed, next, len(steps), lines)
		}
	}
}

// TestDeadlockWords: nobody can take the verdict on deadlock for its opposite.
func TestDeadlockWords(t *testing.T) {
	yes, no := true, false
	for want, res := range map[string]Result{
		"NO DEADLOCK\n":                               {Verdict: Holds},
		"DEADLOCK\n":                                  {Verdict: Violated},
		"UNKNOWN deadlock\n":                          {Verdict: Unknown},
		"NO DEADLOCK   [expected: DEADLOCK]\n":        {Verdict: Holds, Expected: Violated, AsExpected: &no},
		"DEADLOCK   [expected: NO DEADLOCK]\n":        {Verdict: Violated, Expected: Holds, AsExpected: &no},
		"DEADLOCK   [as expected]\n":                  {Verdict: Violated, Expected: Violated, AsExpected: &yes},
		"DEADLOCK dinner\n":                           {Verdict: Violated, Name: "dinner"},
		"FAILS   dinner: a, b are free of deadlock\n": {Verdict: Violated, Name: "dinner", Formula: "a, b are free of deadlock"},
	} {
		res.Kind = "deadlock"
		var b bytes.Buffer
		if err := (&Report{Results: []Result{res}}).Text(&b, TextOptions{Quiet: true}); err != nil || b.String() != want {
			t.Errorf("%q, want %q (%v)", b.String(), want, err)
		}
	}
	r := &Report{Table: true, Results: []Result{{Kind: "deadlock", Verdict: Holds}, {Kind: "ltl", Name: "P", Formula: "F p", Verdict: Violated}, {Kind: "deadlock", Verdict: Unknown}}}
	var b bytes.Buffer
	if err := r.Text(&b, TextOptions{Quiet: true}); err != nil || b.String() != "NO DEADLOCK\nFAILS   ltl       P  F p\nUNKNOWN deadlock\n" {
		t.Errorf("%q (%v)", b.String(), err)
	}
}

// TestPassedByStep: the states of an automaton stand at the steps; where it goes round the loop
// of the run more often than the run does, those of each pass.
func TestPassedByStep(t *testing.T) {
	state := State{Locals: []string{"S"}, Props: []string{}}
	step := Step{Event: "a", State: state}
	c := &Counterexample{Kind: "lasso", Components: []string{"M"}, Initial: state, Stem: []Step{step}, Loop: []Step{step, step}}
	for _, test := range []struct {
		passed Passed
		want   []string
	}{
		{Passed{Stem: [][]int32{{0}}, Loop: [][]int32{{1}, {2, 3}}}, []string{"0", "1", "{2, 3}"}},
		{Passed{Stem: [][]int32{{0}}, Loop: [][]int32{{1}, {2}, {3}, {2}}}, []string{"0", "1/3", "2"}},
		{Passed{Stem: [][]int32{{0}, {1}, {2}}, Loop: [][]int32{{3}, {4}}}, []string{"0", "1/3", "2/4"}},
		{Passed{Stem: [][]int32{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}}, Loop: [][]int32{{9}, {10}}}, []string{"0", "1/3/5/…", "2/4/6/…"}},
		{Passed{Stem: [][]int32{{0}}, Loop: [][]int32{{}, {}}}, []string{"0", "{}", "{}"}},
	} {
		c.Automaton = &test.passed
		if d := cmp.Diff(test.want, c.PassedStates()); d != "" {
			t.Error(d)
		}
	}
	c.Truth = &Truth{Parts: []Part{{Formula: "a", Holds: "+-+"}}}
	c.Automaton = &Passed{Stem: [][]int32{{0}}, Loop: [][]int32{{1}, {2}, {3}, {2}}}
	var b bytes.Buffer
	if err := (&Report{Results: []Result{{Kind: "automaton", Verdict: Violated, Formula: "f", Counterexample: c}}}).Text(&b, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"      1  a      in S  automaton in 1/3\n", "                          0   1   2\n    a                     +   -   +\n    the automaton is in   0 1/3   2\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "why it fails") {
		t.Error("a reason without any")
	}
}

// TestTreePictures: games and derivations are drawn with a box for each move and instance, and
// say how many more there are of very many.
func TestTreePictures(t *testing.T) {
	lost := &Move{Specification: "S1", Event: "b", Implementation: "I2", Offers: []string{"a"}}
	game := &Move{Implementation: "I0", Answers: []*Move{{Specification: "S0", Event: "a", Implementation: "I1", Answers: []*Move{lost, {Specification: "S2", Event: "tau", Implementation: "I3", Cut: true}}}}}
	g := game.Diagram("title")
	if len(g.Nodes) != 4 || len(g.Edges) != 3 || g.Nodes[2].Marks != diagram.Marked || g.Nodes[3].Marks != 0 || g.Edges[1].From != 1 || g.Edges[1].Labels[0] != "answer: S1" {
		t.Errorf("%+v", g)
	}
	d := &Derivation{Fact: "p(1)", Line: 3, Values: []string{"x = 1"}, Calls: []*Derivation{{Fact: "q(<2>)"}, {Fact: "r"}}}
	if g := d.Diagram("title"); len(g.Nodes) != 3 || len(g.Edges) != 2 || !slices.Equal(g.Nodes[0].Lines, []string{"p(1)", "line 3", "with x = 1"}) {
		t.Errorf("%+v", g)
	}
	deep, moves := &Derivation{Fact: "p"}, &Move{Implementation: "I"}
	for range mostDrawn + 5 {
		deep, moves = &Derivation{Fact: "p", Calls: []*Derivation{deep}}, &Move{Implementation: "I", Answers: []*Move{moves}}
	}
	for _, g := range []*diagram.Graph{deep.Diagram(""), moves.Diagram("")} {
		if len(g.Nodes) != mostDrawn || len(g.Notes) != 1 || !strings.HasPrefix(g.Notes[0], "6 more") {
			t.Errorf("%d nodes, %q", len(g.Nodes), g.Notes)
		}
	}
	var b bytes.Buffer
	if err := diagram.WriteSVG(&b, g, d.Diagram("t")); err != nil || !strings.Contains(b.String(), "q(&lt;2&gt;)") {
		t.Errorf("%v in %s", err, b.String())
	}
}
