package cross

import (
	"context"
	"errors"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
	"github.com/seltl/seltl/report"
)

// Options of a comparison.
type Options struct {
	Seed  uint64 // of the random words, which depend on it and the formula only
	Words int    // drawn for each formula
	// Limits are those of each translation, and of each complement.
	Limits budget.Limits
	// Determinise has automata that are not deterministic complemented, too.
	Determinise bool
	// MaxFailures ends the run at so many failures; 0 is no bound.
	MaxFailures int
}

// made is what a translator has made of a formula: the automata of it and of its negation,
// nil where there is none.
type made struct {
	who     int
	auto    [2]*omega.Automaton
	err     [2]error
	seconds [2]float64
}

// finding is a failure of some translators on a formula.
type finding struct {
	check   string
	formula *ltl.Formula
	pair    []int // translators whose automata the check was about
	word    ltl.Word
	text    string
	holds   bool
	wrong   []claim
}

// claim is what a translator says that is wrong.
type claim struct {
	who     int
	negated bool
	err     error // of a translation that failed, nil if the automaton is wrong
}

// culprits are the translators that are wrong, in order.
func (f *finding) culprits() []int {
	all := lists.Append(nil, f.wrong, func(c claim) int { return c.who })
	slices.Sort(all)
	return slices.Compact(all)
}

type runner struct {
	ctx         context.Context
	translators []Translator
	o           Options
	result      *report.Cross
	was         map[ltl.Atom]ltl.Atom // what the atoms of the formula were; see plain
}

// Run compares the translators on the formulas, one after the other. The error is
// *NotRunnable of the first formula, budget.ErrInterrupted when the context ends, beside what was found until
// then, or a *bug.Error where seltl contradicts itself. Time is that of the translations and
// of products of automata of two translators each.
func Run(ctx context.Context, translators []Translator, formulas []*ltl.Formula, o Options) (*report.Cross, error) {
	r := &runner{ctx: ctx, translators: translators, o: o, result: &report.Cross{Seed: o.Seed, Failures: []report.CrossFailure{}}}
	everyone := make([]int, len(translators))
	for i, t := range translators {
		everyone[i] = i
		r.result.Translators = append(r.result.Translators, report.CrossTranslator{Name: t.Name})
	}
	for _, f := range formulas {
		var g *ltl.Formula
		g, r.was = plain(f)
		if err := r.one(g, everyone); err != nil {
			r.result.Stopped = true
			return r.result, err
		}
		if o.MaxFailures > 0 && len(r.result.Failures) >= o.MaxFailures {
			break
		}
	}
	return r.result, nil
}

// plainAtom is a name that every syntax writes, and every translator gives back, as it is, in no time.
var plainAtom = regexp.MustCompile(`^[a-z_][a-zA-Z0-9_]{0,63}$`)

// plain gives all atoms the kind Name; where one has no plain name, such as phil[0].eat, all are
// called p0, p1, ... It returns what the atoms were, too.
func plain(f *ltl.Formula) (*ltl.Formula, map[ltl.Atom]ltl.Atom) {
	atoms := ltl.Atoms(f)
	names := buchi.AtomNames(atoms)
	strange := slices.ContainsFunc(names, func(n string) bool { return !plainAtom.MatchString(n) })
	by, was := map[ltl.Atom]*ltl.Formula{}, map[ltl.Atom]ltl.Atom{}
	for i, a := range atoms {
		b := ltl.Atom{Kind: ltl.Name, Name: names[i]}
		if strange {
			b.Name = "p" + strconv.Itoa(i)
		}
		by[a], was[b] = ltl.AtomOf(b), a
	}
	return ltl.Substitute(f, by), was
}

// shown is a formula with the atoms that the formula of the user has.
func (r *runner) shown(f *ltl.Formula) string {
	return ltl.Map(f, func(a ltl.Atom) *ltl.Formula {
		if b, ok := r.was[a]; ok {
			return ltl.AtomOf(b)
		}
		return ltl.AtomOf(a)
	}).String()
}

// one translates and checks a formula, and makes each failure small.
func (r *runner) one(f *ltl.Formula, everyone []int) error {
	ms, err := r.translate(f, everyone)
	if err != nil {
		return err
	}
	r.count(f, ms)
	found, skipped, checks, err := r.check(f, ms, nil)
	r.result.Checks += checks
	r.result.Skipped += skipped
	if err != nil {
		return err
	}
	var told [][]int // culprits of what is reported already
	for _, bad := range found {
		who := bad.culprits()
		if slices.ContainsFunc(told, func(w []int) bool { return slices.Equal(w, who) }) {
			continue
		}
		told = append(told, who)
		small, err := r.small(bad)
		r.tell(f, small)
		if err != nil {
			return err
		}
	}
	return nil
}

// small makes the formula of a failure small, as long as one that was wrong still is. Errors
// are those that end the run.
func (r *runner) small(bad finding) (finding, error) {
	who := bad.wrong[0].who
	involved := slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(bad.pair), who))))
	var stop error
	shrink(bad.formula, func(g *ltl.Formula) bool {
		if stop != nil {
			return false
		}
		ms, err := r.translate(g, involved)
		var found []finding
		if err == nil {
			found, _, _, err = r.check(g, ms, []ltl.Word{bad.word})
		}
		if err != nil {
			stop = err
			return false
		}
		i := slices.IndexFunc(found, func(x finding) bool {
			return slices.Contains(x.culprits(), who) && (x.check == translation) == (bad.check == translation)
		})
		if i < 0 {
			return false
		}
		bad = found[i]
		return true
	})
	return bad, stop
}

// tell adds a failure to the report, unless it is there: other formulas, or checks, lead to the same
// small one.
func (r *runner) tell(found *ltl.Formula, f finding) {
	x := report.CrossFailure{Check: f.check, Formula: r.shown(f.formula), Found: r.shown(found), Word: f.text, Holds: f.holds}
	for _, c := range f.wrong {
		of := "the formula"
		if c.negated {
			of = "its negation"
		}
		said := "the automaton of " + of + " accepts it"
		switch {
		case c.err != nil:
			said = "no automaton of " + of + ": " + c.err.Error()
		case f.holds != c.negated:
			said = "the automaton of " + of + " does not accept it"
		}
		x.Wrong = append(x.Wrong, r.translators[c.who].Name+": "+said)
	}
	if !slices.ContainsFunc(r.result.Failures, func(y report.CrossFailure) bool { return x.Formula == y.Formula && slices.Equal(x.Wrong, y.Wrong) }) {
		r.result.Failures = append(r.result.Failures, x)
	}
}

// translate has the translators make the automata of the formula and of its negation.
func (r *runner) translate(f *ltl.Formula, who []int) ([]made, error) {
	both := [2]*ltl.Formula{f, ltl.MakeNot(f)}
	var ms []made
	for _, i := range who {
		m := made{who: i}
		for side, g := range both {
			start := time.Now()
			a, err := r.translators[i].translate(r.ctx, g, r.o.Limits)
			m.seconds[side] = time.Since(start).Seconds()
			var missing *NotRunnable
			switch {
			case r.ctx.Err() != nil:
				return nil, budget.ErrInterrupted
			case errors.As(err, &missing) && r.result.Formulas == 0: // later, it has failed
				return nil, err
			}
			m.auto[side], m.err[side] = a, err
			if err != nil {
				m.auto[side] = nil
			}
		}
		ms = append(ms, m)
	}
	return ms, nil
}

// count adds the sizes and times of one formula to the figures.
func (r *runner) count(f *ltl.Formula, ms []made) {
	r.result.Formulas++
	common := !slices.ContainsFunc(ms, func(m made) bool { return m.auto[0] == nil || m.auto[1] == nil })
	if common {
		r.result.Common++
	}
	for _, m := range ms {
		t := &r.result.Translators[m.who]
		for side, a := range m.auto {
			row := report.CrossRow{Formula: r.shown(f), Negated: side == 1, Translator: t.Name, Status: "ok", Seconds: m.seconds[side]}
			switch {
			case a != nil:
				t.Made++
				row.States, row.Edges, row.Sets, row.Deterministic = a.NumStates(), a.NumEdges(), a.NumSets(), a.Deterministic()
			case budget.Stopped(m.err[side]):
				t.Limited++
				row.Status = "limit"
			default:
				t.Failed++
				row.Status = "failed"
			}
			r.result.Rows = append(r.result.Rows, row)
			if !common {
				continue
			}
			t.States, t.Edges, t.Sets, t.Seconds = t.States+row.States, t.Edges+row.Edges, t.Sets+row.Sets, t.Seconds+row.Seconds
			if row.Deterministic {
				t.Deterministic++
			}
		}
	}
}

// words draws the random words of a formula.
func (r *runner) words(f *ltl.Formula) []ltl.Word {
	h := fnv.New64a()
	_, _ = h.Write([]byte(f.String()))
	rnd := rand.New(rand.NewPCG(r.o.Seed, h.Sum64()))
	atoms := ltl.Atoms(f)
	letters := func(n int) []ltl.Letter {
		ls := make([]ltl.Letter, n)
		for i := range ls {
			held := lists.Filter(atoms, func(a ltl.Atom) bool { return rnd.IntN(2) == 0 })
			ls[i] = ltl.LetterOf(held...)
		}
		return ls
	}
	ws := make([]ltl.Word, r.o.Words)
	for i := range ws {
		ws[i] = ltl.Word{Stem: letters(rnd.IntN(5)), Loop: letters(1 + rnd.IntN(4))}
	}
	return ws
}

// wordText is a word with the value of each of the atoms in each letter, which show writes.
func wordText(w ltl.Word, atoms []ltl.Atom, show func(*ltl.Formula) string) string {
	letters := func(ls []ltl.Letter) string {
		texts := make([]string, len(ls))
		for i, l := range ls {
			var literals []*ltl.Formula
			for _, a := range atoms {
				lit := ltl.AtomOf(a)
				if !l(a) {
					lit = ltl.MakeNot(lit)
				}
				literals = append(literals, lit)
			}
			texts[i] = show(ltl.MakeAnd(literals...))
		}
		return strings.Join(texts, "; ")
	}
	loop := "cycle{" + letters(w.Loop) + "}"
	if len(w.Stem) == 0 {
		return loop
	}
	return letters(w.Stem) + "; " + loop
}
