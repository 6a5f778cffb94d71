package armc

import (
	"slices"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
)

// beside is the Cartesian abstraction with predicates that runs along with values
// (values.Beside): the solver is asked about the predicates of paths that are spurious for
// other reasons than values, with what the values say of the variables in question.
type beside struct {
	*run
	predicates []*logic.Term // tracked wherever their variables are, in the order of their discovery
	cubes      []*logic.Term // by number; the first is true
	number     map[*logic.Term]uint64
	steps      map[besideStep]besideResult
	vars       map[*logic.Term]map[*logic.Term]bool // of terms
}

type besideStep struct {
	block  int
	before *logic.Term
}

type besideResult struct {
	holds    []*logic.Term // of the literals that are asked about
	possible bool
}

// Where values need more predicates, or harder questions, other methods do better.
const (
	mostBeside = 60
	besideWork = 100_000 // of a question, which is answered by "perhaps" then
)

func (r *run) newBeside() *beside {
	return &beside{run: r, cubes: []*logic.Term{logic.True()}, number: map[*logic.Term]uint64{logic.True(): 0},
		steps: map[besideStep]besideResult{}, vars: map[*logic.Term]map[*logic.Term]bool{}}
}

// Formula is a cube.
func (d *beside) Formula(known uint64) *logic.Term { return d.cubes[known] }

// of returns the variables of a term.
func (d *beside) of(t *logic.Term) map[*logic.Term]bool {
	vs := d.vars[t]
	if vs == nil {
		vs = map[*logic.Term]bool{}
		for _, v := range logic.Vars(t) {
			vs[v] = true
		}
		d.vars[t] = vs
	}
	return vs
}

// speaks reports that a term has one of some variables.
func (d *beside) speaks(t *logic.Term, about map[*logic.Term]bool) bool {
	a, b := d.of(t), about
	if len(a) > len(b) {
		a, b = b, a
	}
	for v := range a {
		if b[v] {
			return true
		}
	}
	return false
}

// Step is the strongest cube behind a block. Literals whose variables are not assigned stay,
// and predicates that the block has nothing to do with are not asked about.
func (d *beside) Step(block int, known uint64, values func(about func(v *logic.Term) bool) *logic.Term) (after uint64, possible bool, err error) {
	if len(d.predicates) == 0 {
		return 0, true, nil
	}
	c, literals := d.blocks.All[block].Command, logic.Conjuncts(d.cubes[known])
	var keep, ask []*logic.Term
	for _, p := range d.predicates {
		for _, l := range []*logic.Term{p, logic.Not(p)} {
			switch {
			case d.assigned(c, l):
				ask = append(ask, l)
			case slices.Contains(literals, l):
				keep = append(keep, l)
			case d.speaks(l, d.of(c.Guard)) && !slices.Contains(literals, logic.Not(l)):
				ask = append(ask, l)
			}
		}
	}
	before, touches := d.context(c, literals, ask, values)
	if len(ask) > 0 || touches {
		key := besideStep{block, before}
		r, cached := d.steps[key]
		if !cached {
			d.solver.Limit(besideWork)
			holds, none, err := d.prover.Cartesian(d.ctx, before, c, ask)
			d.solver.Limit(d.each)
			if err != nil {
				return 0, false, err
			}
			r = besideResult{holds, !none}
			d.steps[key] = r
		}
		if !r.possible {
			return 0, false, nil
		}
		keep = append(keep, r.holds...)
	}
	return d.numbered(logic.And(keep...)), true, nil
}

// context is what is known of the variables that a step has to do with: literals that speak
// of them, or of what such literals speak of, and values. touches says that literals have to
// do with the guard.
func (d *beside) context(c *program.Command, literals, ask []*logic.Term, values func(about func(v *logic.Term) bool) *logic.Term) (before *logic.Term, touches bool) {
	about := map[*logic.Term]bool{}
	for _, t := range append(logic.SubstituteAll(ask, c.Update), c.Guard) {
		for v := range d.of(t) {
			about[v] = true
		}
	}
	var some []*logic.Term
	for rest := literals; ; {
		var apart []*logic.Term
		for _, l := range rest {
			if !d.speaks(l, about) {
				apart = append(apart, l)
				continue
			}
			some, touches = append(some, l), true
			for v := range d.of(l) {
				about[v] = true
			}
		}
		if len(apart) == len(rest) {
			break
		}
		rest = apart
	}
	return logic.And(append(some, values(func(v *logic.Term) bool { return about[v] }))...), touches
}

// assigned reports that a block changes a variable of a literal.
func (d *beside) assigned(c *program.Command, l *logic.Term) bool {
	for v := range d.of(l) {
		if c.Update[v] != nil {
			return true
		}
	}
	return false
}

func (d *beside) numbered(cube *logic.Term) uint64 {
	n, known := d.number[cube]
	if !known {
		n = uint64(len(d.cubes))
		d.number[cube] = n
		d.cubes = append(d.cubes, cube)
	}
	return n
}

// Meets asks whether states of a cube may be errors.
func (d *beside) Meets(where *logic.Term, known uint64, values func(about func(v *logic.Term) bool) *logic.Term) (bool, error) {
	if known == 0 || where.IsTrue() {
		return true, nil
	}
	return d.prover.MaySat(d.ctx, logic.And(where, d.cubes[known], values(func(*logic.Term) bool { return true })))
}

// learn adds the predicates of a spurious path.
func (d *beside) learn(path *program.Path, at []int, info *Round) error {
	how := predabs.UnsatCore
	if !overWords(d.sys) {
		how = d.options.Refine
	}
	found, err := predabs.Refine(d.ctx, d.solver, path, how, d.predicates)
	if err != nil {
		return err
	}
	info.Refinement = found.Method
	for i, ps := range found.At {
		for _, p := range ps {
			if p.IsTrue() || p.IsFalse() || slices.Contains(d.predicates, p) || slices.Contains(d.predicates, logic.Not(p)) {
				continue
			}
			d.predicates = append(d.predicates, p)
			info.New = append(info.New, LocatedPredicate{at[i], p})
		}
	}
	clear(d.steps)
	switch {
	case len(info.New) == 0:
		return &outcome.Stuck{What: "a path is spurious for other reasons than values of variables, and refinement finds no new predicates"}
	case len(d.predicates) > mostBeside:
		return &outcome.Stuck{What: "values need too many predicates beside them"}
	}
	return nil
}
