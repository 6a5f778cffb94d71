package check_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/testing/semantics"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// The twin of vacuity: formulas of package semantics, in which constants take places as [Beer01]
// has it, evaluated by that package.

type form = semantics.Formula

func form1(op string, args ...*form) *form { return &form{Op: op, Args: args} }

// free is a proposition that holds or does not, as one likes, at each position.
const free = "free"

// spot is a place in a formula, and the formula with the strongest constant there.
type spot struct {
	part     *form
	constant string
	parent   int
	strong   *form
}

// spotsOf lists the places of f, which stands in a whole formula as put makes it.
func spotsOf(f *form, negative, mixed bool, parent int, put func(*form) *form, all []spot) []spot {
	constant := map[bool]string{false: "false", true: "true"}[negative]
	stands := form1(constant)
	if mixed {
		constant, stands = "anything", &form{Op: "prop", Names: []string{free}}
	}
	all = append(all, spot{f, constant, parent, put(stands)})
	self := len(all) - 1
	for i, g := range f.Args {
		flips := f.Op == "!" || f.Op == "->" && i == 0
		all = spotsOf(g, negative != flips, mixed || f.Op == "<->" || f.Op == "xor", self, func(h *form) *form {
			args := slices.Clone(f.Args)
			args[i] = h
			return put(form1(f.Op, args...))
		}, all)
	}
	return all
}

// twin compares what is said about one model.
type twin struct {
	t     *testing.T
	m     *check.Model
	text  string
	opts  ltl.ParseOptions
	naive func(*form) bool
	// whatever is naive about formulas with free in them.
	whatever func(*form) bool
	finite   product.FiniteRuns
	counts   map[string]int
}

func (w *twin) read(f *form) *ltl.Formula {
	g, err := ltl.ParseText(f.LTL(), w.opts)
	if err != nil {
		w.t.Fatalf("%s: %s", f.LTL(), render(err))
	}
	return g
}

// compare compares what is said of a formula.
func (w *twin) compare(f *form) {
	opts := check.Verification{Finite: w.finite}
	cheap := vacuityOf(w.t, w.m, f.LTL(), opts)
	if cheap.Verdict != report.Holds {
		return
	}
	w.counts["hold"]++
	opts.Vacuity = true
	full := vacuityOf(w.t, w.m, f.LTL(), opts)
	if none := w.naive(form1("false")); none || cheap.Vacuity != nil && cheap.Vacuity.NoRun {
		if w.counts["no run"]++; !none || cheap.Vacuity == nil || !cheap.Vacuity.NoRun || !full.Vacuity.NoRun {
			w.t.Errorf("%s: there is no run: %v\n%s", f.LTL(), none, w.text)
		}
		return
	}
	spots := spotsOf(f, false, false, -1, func(g *form) *form { return g }, nil)
	silent := make([]bool, len(spots))
	for i, s := range spots {
		if silent[i] = s.constant == "anything" && w.whatever(s.strong) || s.constant != "anything" && w.naive(s.strong); silent[i] && s.constant == "anything" {
			w.counts["anything"]++
		}
	}
	for _, v := range []*report.Vacuity{cheap.Vacuity, full.Vacuity} {
		if v != nil {
			w.never(f, v, spots, silent)
		}
	}
	w.noEffect(f, full.Vacuity, spots, silent)
	if f.Op == "G" && f.Args[0].Op == "->" && full.Vacuity.Asked > 1 {
		// Where the consequent speaks of the antecedent, too, that says nothing.
		if ant := f.Args[0].Args[0]; len(ant.Args) == 0 && !strings.Contains(f.Args[0].Args[1].LTL(), ant.LTL()) && w.finite == product.StutterRuns && w.naive(form1("G", form1("!", ant))) {
			w.counts["antecedents"]++
			if cheap.Vacuity == nil || !cheap.Vacuity.Whole {
				w.t.Errorf("%s: nothing is said of the antecedent\n%s", f.LTL(), w.text)
			}
		}
	}
}

// never: what is said never to happen does not, and something else has no effect.
func (w *twin) never(f *form, v *report.Vacuity, spots []spot, silent []bool) {
	for _, p := range v.Never {
		w.counts["never"]++
		part, err := ltl.ParseText(p.Formula, w.opts)
		if err != nil {
			w.t.Fatalf("%s: %s", p.Formula, render(err))
		}
		i := slices.IndexFunc(spots, func(s spot) bool { return w.read(s.part) == part })
		if i < 0 {
			w.t.Errorf("%s: %q is no part of it", f.LTL(), p.Formula)
			continue
		}
		not := form1("!", spots[i].part)
		if !strings.Contains(p.Says, "beginning") {
			not = form1("G", not)
		}
		other := false
		for k, s := range spots {
			other = other || silent[k] && w.read(s.part) != part
		}
		if !w.naive(not) || !other {
			w.t.Errorf("%s: %q %s: %v; another part without effect: %v\n%s", f.LTL(), p.Formula, p.Says, w.naive(not), other, w.text)
		}
	}
}

// noEffect: the largest places without effect are those of the twin. Where constructors make a formula
// smaller, each is one of the twin's.
func (w *twin) noEffect(f *form, v *report.Vacuity, spots []spot, silent []bool) {
	var got, want []string
	for _, p := range v.NoEffect {
		w.counts["no effect"]++
		part, err := ltl.ParseText(p.Formula, w.opts)
		if err != nil {
			w.t.Fatalf("%s: %s", p.Formula, render(err))
		}
		got = append(got, part.String()+" "+p.With)
	}
	var parts, read []string
	for _, o := range ltl.OccurrencesIn(w.read(f), 1000) {
		parts = append(parts, o.Formula.String())
	}
	for _, s := range spots {
		read = append(read, w.read(s.part).String())
	}
	slices.Sort(parts)
	slices.Sort(read)
	same := slices.Equal(parts, read)
	for i, s := range spots {
		if i > 0 && silent[i] && (!same || !silent[s.parent]) {
			want = append(want, w.read(s.part).String()+" "+s.constant)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	switch {
	case same:
		w.counts["compared in full"]++
	case slices.ContainsFunc(spots, func(s spot) bool { return s.constant == "anything" }):
		return // without the operator that is left out, places have a polarity
	default:
		want = slices.DeleteFunc(want, func(text string) bool { return !slices.Contains(got, text) })
		want, got = slices.Compact(want), slices.Compact(got)
	}
	if !slices.Equal(got, want) {
		w.t.Errorf("%s (finite=%v): without effect %q, want %q\n%s", f.LTL(), w.finite, got, want, w.text)
	}
}

// randomForm is a formula that often holds.
func randomForm(r *rand.Rand, atoms []*form) *form {
	atom := func() *form { return atoms[r.IntN(len(atoms))] }
	boolean := func() *form {
		switch r.IntN(6) {
		case 0:
			return form1("&", atom(), atom())
		case 1:
			return form1("!", atom())
		case 2:
			return form1("|", atom(), form1("!", atom()))
		case 3:
			return form1([]string{"<->", "xor"}[r.IntN(2)], atom(), atom())
		}
		return atom()
	}
	temporal := func() *form {
		op := []string{"X", "F", "G", "U", "W", "R", "M"}[r.IntN(7)]
		if strings.Contains("XFG", op) {
			return form1(op, boolean())
		}
		return form1(op, boolean(), boolean())
	}
	switch r.IntN(8) {
	case 0, 1:
		return form1("G", form1("->", boolean(), temporal()))
	case 2:
		return form1("->", boolean(), temporal())
	case 3:
		return form1("G", form1("->", temporal(), temporal()))
	case 4:
		return form1("|", temporal(), form1("G", form1("->", atom(), boolean())))
	case 5:
		return form1("&", form1("G", form1("->", atom(), temporal())), form1("G", form1("|", boolean(), temporal())))
	}
	if r.IntN(2) == 0 {
		return form1("|", form1("G", form1("<->", boolean(), temporal())), temporal())
	}
	return form1("->", temporal(), form1("|", boolean(), temporal()))
}

// TestVacuityTwin compares what is said of random formulas about random models with what the second
// meaning of both says. SELTL_SOAK makes it longer.
func TestVacuityTwin(t *testing.T) {
	counts := map[string]int{}
	shape := semantics.Small
	shape.MaxStates = 20
	for seed := range uint64(soak.Cases(40)) {
		r := rand.New(rand.NewPCG(seed, 9))
		model, meaning := semantics.Random(r, shape)
		asked, hidden, err := meaning.Asked(model.Default())
		if err != nil {
			t.Fatal(err)
		}
		w := &twin{t: t, m: modelText(t, model.Text()), text: fmt.Sprintf("seed %d\n%s", seed, model.Text()), counts: counts}
		if w.opts, err = w.m.ParseOptions(); err != nil {
			t.Fatal(err)
		}
		runs := semantics.Stutter
		if seed%3 == 0 {
			runs, w.finite = semantics.Ignore, product.IgnoreRuns
		}
		positions := (&semantics.Query{Graph: asked, Silent: hidden, Fluents: model.Fluents}).Runs(runs)
		either := positions.Free(free)
		w.naive = func(f *form) bool { return positions.Satisfies(f, nil) }
		w.whatever = func(f *form) bool { return either.Satisfies(f, nil) }
		atoms := []*form{{Op: "deadlock"}}
		for _, name := range slices.Sorted(maps.Keys(asked.Alphabet)) {
			atoms = append(atoms, &form{Op: "event", Names: []string{name}})
		}
		for _, name := range slices.Sorted(maps.Keys(asked.Props)) {
			atoms = append(atoms, &form{Op: "prop", Names: []string{name}})
		}
		for range 25 {
			w.compare(randomForm(r, atoms))
		}
		if t.Failed() {
			break
		}
	}
	t.Log(counts)
	if n := counts["hold"]; n < 100 || counts["never"] < n/4 || counts["antecedents"] == 0 || counts["anything"] == 0 || counts["compared in full"] < n/4 {
		t.Error("too few")
	}
}
