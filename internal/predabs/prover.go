package predabs

import (
	"context"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// Prover answers questions with a solver behind a cache. It is not safe for
// concurrent use.
type Prover struct {
	// NoCache and NoSyntactic switch off what saves queries, for measurements.
	NoCache, NoSyntactic bool
	// MaxValuations bounds the questions of one call of Boolean; 0: 65,536.
	MaxValuations int

	solver    smt.Checker
	sat       map[*logic.Term]bool    // false: proved unsatisfiable
	known     map[[2]*logic.Term]bool // entailments: hypothesis, goal
	updated   map[update]*logic.Term
	literals  literals
	witnesses witnesses
	stats     ProverStats
}

// ProverStats counts questions by what answered them.
type ProverStats struct {
	Questions int // satisfiability and single entailments asked of the Prover
	Syntactic int // answered by looking at the formulas
	Cached    int // answered by the cache
	ByModel   int // answered by a model that an earlier query gave
	Queries   int // sent to the solver
	Unknown   int // that the solver could not answer
}

// maxCached bounds the caches, which are dropped when full.
const maxCached = 1 << 20

// NewProver returns a Prover that uses the solver, whose assertions it leaves as
// they are. The caller still owns the solver.
func NewProver(solver smt.Checker) *Prover {
	return &Prover{solver: solver, sat: map[*logic.Term]bool{}, known: map[[2]*logic.Term]bool{},
		updated: map[update]*logic.Term{}, literals: literals{}, witnesses: witnesses{slots: map[variable]int{}}}
}

// Stats returns what was asked so far.
func (p *Prover) Stats() ProverStats { return p.stats }

func (p *Prover) count(s smt.Status) {
	p.stats.Queries++
	if s == smt.Unknown {
		p.stats.Unknown++
	}
}

// MaySat returns false only if the formula is proved unsatisfiable.
func (p *Prover) MaySat(ctx context.Context, f *logic.Term) (bool, error) {
	p.stats.Questions++
	if f.IsFalse() || f.IsTrue() {
		p.stats.Syntactic++
		return f.IsTrue(), nil
	}
	if may, ok := p.sat[f]; ok && !p.NoCache {
		p.stats.Cached++
		return may, nil
	}
	if !p.NoCache && p.remembered(f) {
		p.stats.ByModel++
		return true, nil
	}
	status, m, err := smt.ModelOf(ctx, p.solver, f)
	if err != nil {
		return true, err
	}
	if m != nil {
		p.witnesses.add(m)
	}
	p.count(status)
	p.remember(f, status)
	return status != smt.Unsat, nil
}

func (p *Prover) remember(f *logic.Term, status smt.Status) {
	if len(p.sat) >= maxCached {
		clear(p.sat)
	}
	p.sat[f] = status != smt.Unsat
}

// Entails returns true only if it is proved that the hypothesis entails the goal.
func (p *Prover) Entails(ctx context.Context, hypothesis, goal *logic.Term) (bool, error) {
	_, yes, err := p.entailed(ctx, hypothesis, []*logic.Term{goal})
	if err != nil {
		return false, err
	}
	return yes[0], nil
}

// entailed returns, for each goal, whether it is proved that the hypothesis
// entails it, and whether the hypothesis may be satisfiable (if it is proved not
// to be, every goal is entailed).
//
// It asks for a counterexample to any of the open goals at once: a model answers
// all goals that are false in it, no model proves all that are left.
func (p *Prover) entailed(ctx context.Context, hypothesis *logic.Term, goals []*logic.Term) (maySat bool, yes []bool, err error) {
	yes = make([]bool, len(goals))
	maySat, err = p.MaySat(ctx, hypothesis)
	if err != nil {
		return true, nil, err
	}
	if !maySat {
		for i := range yes {
			yes[i] = true
		}
		return false, yes, nil
	}
	p.stats.Questions += len(goals)
	open := p.cheap(hypothesis, goals, yes)
	if len(open) > 0 {
		err = p.refute(ctx, hypothesis, goals, yes, open)
	}
	return true, yes, err
}

// cheap answers what needs no solver and returns the other goals.
func (p *Prover) cheap(hypothesis *logic.Term, goals []*logic.Term, yes []bool) (open []int) {
	conjuncts := p.literalsOf(logic.Conjuncts(hypothesis))
	for i, g := range goals {
		if g.IsFalse() {
			p.stats.Syntactic++
			continue // the hypothesis may be satisfiable
		}
		if answer, ok := p.known[[2]*logic.Term{hypothesis, g}]; ok && !p.NoCache {
			p.stats.Cached++
			yes[i] = answer
			continue
		}
		if !p.NoSyntactic && p.visible(conjuncts, g) {
			p.stats.Syntactic++
			yes[i] = true
			continue
		}
		open = append(open, i)
	}
	if !p.NoCache && len(open) > 0 {
		open = p.refuted(hypothesis, goals, open)
	}
	return open
}

// refute settles the open goals with the solver.
func (p *Prover) refute(ctx context.Context, hypothesis *logic.Term, goals []*logic.Term, yes []bool, open []int) error {
	s := p.solver
	s.Push()
	defer s.Pop()
	s.Assert(hypothesis)
	for len(open) > 0 {
		negated := lists.Map(open, func(i int) *logic.Term { return logic.Not(goals[i]) })
		status, m, err := smt.ModelOf(ctx, s, logic.Or(negated...))
		if err != nil {
			return err
		}
		p.count(status)
		left := open[:0:0]
		switch status {
		case smt.Unsat:
			for _, i := range open {
				p.learn(hypothesis, goals[i], true)
				yes[i] = true
			}
			return nil
		case smt.Sat:
			p.stats.ByModel--
			for _, i := range open {
				if holds, err := logic.Holds(goals[i], m); err == nil && !holds {
					p.learn(hypothesis, goals[i], false)
					p.stats.ByModel++
				} else {
					left = append(left, i)
				}
			}
			if w := p.witnesses.add(m); !p.NoCache && len(left) < len(open) {
				left = p.walkAbout(w, p.evaluatorsOf(logic.Conjuncts(hypothesis)), p.goals(goals, left), left)
			}
		}
		if len(left) == len(open) || status == smt.Unknown {
			return p.oneByOne(ctx, hypothesis, goals, yes, open)
		}
		open = left
	}
	return nil
}

// oneByOne asks about each goal by itself, within the solver's scope of the
// hypothesis.
func (p *Prover) oneByOne(ctx context.Context, hypothesis *logic.Term, goals []*logic.Term, yes []bool, open []int) error {
	for _, i := range open {
		status, err := smt.CheckAll(ctx, p.solver, logic.Not(goals[i]))
		if err != nil {
			return err
		}
		p.count(status)
		yes[i] = status == smt.Unsat
		p.learn(hypothesis, goals[i], yes[i])
	}
	return nil
}

func (p *Prover) learn(hypothesis, goal *logic.Term, yes bool) {
	if len(p.known) >= maxCached {
		clear(p.known)
	}
	p.known[[2]*logic.Term{hypothesis, goal}] = yes
}
