package program

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
)

// Command is a guarded command over program variables:
//
//	choose Inputs; if Guard holds, assign all of Update at once
//
// Every transition relation that is a formula can be written so: what is not
// determined by an update is an input.
type Command struct {
	Inputs []*logic.Term               // variables chosen anew by every step
	Guard  *logic.Term                 // over program variables and inputs
	Update map[*logic.Term]*logic.Term // of the variables that change
}

// After returns f, a formula over program variables, as it will be after the
// update: a formula over program variables and inputs.
func (c *Command) After(f *logic.Term) *logic.Term { return logic.Substitute(f, c.Update) }

// Pre returns the states (with inputs) from which a step leads to f: the
// syntactic operator pre of [Rybalchenko02], 3.2.
func (c *Command) Pre(f *logic.Term) *logic.Term { return logic.And(c.Guard, c.After(f)) }

// PreCube returns the literals of the cubes whose disjunction is pre of a cube,
// without inputs; see logic.Project for exact. ok is false if the guard has too
// many disjuncts.
func (c *Command) PreCube(cube []*logic.Term) (cubes [][]*logic.Term, exact, ok bool) {
	guards, ok := logic.DNF(c.Guard, maxGuardCubes)
	exact = true
	for _, g := range guards {
		all := append(append([]*logic.Term{}, g...), logic.SubstituteAll(cube, c.Update)...)
		projected, e := logic.Project(all, c.Inputs)
		cubes = append(cubes, projected)
		exact = exact && e
	}
	return cubes, exact, ok
}

// Able returns where the command is possible, with some inputs: a formula over program variables. It
// is weaker than that if exact is false.
func (c *Command) Able() (where *logic.Term, exact bool) {
	cubes, exact, ok := c.PreCube(nil)
	if !ok {
		return logic.True(), false
	}
	where = logic.False()
	for _, cube := range cubes {
		where = logic.Or(where, logic.And(cube...))
	}
	return where, exact
}

// PostCube returns cubes whose disjunction is post of a cube ([TUMLectures], eq. 1),
// or weaker if not exact. vars are all program variables.
func (c *Command) PostCube(cube, vars []*logic.Term) (cubes [][]*logic.Term, exact, ok bool) {
	guards, ok := logic.DNF(c.Guard, maxGuardCubes)
	exact = true
	old := map[*logic.Term]*logic.Term{}
	var hidden []*logic.Term
	for _, v := range vars {
		if c.Update[v] != nil {
			before := logic.Var("seltl!old!"+v.Name(), v.Sort())
			old[v] = before
			hidden = append(hidden, before)
		}
	}
	for _, g := range guards {
		all := logic.SubstituteAll(append(append([]*logic.Term{}, cube...), g...), old)
		for _, v := range vars {
			if e := c.Update[v]; e != nil {
				all = append(all, logic.Eq(v, logic.Substitute(e, old)))
			}
		}
		projected, e := logic.Project(all, append(append([]*logic.Term{}, c.Inputs...), hidden...))
		cubes = append(cubes, projected)
		exact = exact && e
	}
	return cubes, exact, ok
}

// maxGuardCubes bounds the disjunctive normal form of one guard.
const maxGuardCubes = 256

// Step does the command in a state by evaluation. The state has values for all
// program variables, inputs for those of the command. What is returned must not be changed.
func (c *Command) Step(state, inputs logic.Model) (logic.Model, error) {
	all, err := c.enabled(state, inputs)
	if err != nil || len(c.Update) == 0 {
		return state, err
	}
	next := maps.Clone(state)
	for v, e := range c.Update {
		if next[v.Name()], err = logic.Eval(e, all); err != nil {
			return nil, err
		}
	}
	return next, nil
}

// enabled returns the values of variables and inputs where the guard holds.
func (c *Command) enabled(state, inputs logic.Model) (all logic.Model, err error) {
	all = state
	if len(inputs) > 0 {
		all = maps.Clone(state)
		maps.Copy(all, inputs)
	}
	ok, err := logic.Holds(c.Guard, all)
	if err == nil && !ok {
		err = fmt.Errorf("the guard %s does not hold", c.Guard)
	}
	return all, err
}

// leads checks that Step leads to a state; nil if it does.
func (c *Command) leads(state, inputs, next logic.Model) error {
	all, err := c.enabled(state, inputs)
	if err != nil {
		return err
	}
	size, same := len(state), true
	for v, e := range c.Update {
		value, err := logic.Eval(e, all)
		if err != nil {
			return err
		}
		same = same && sameValue(value, next[v.Name()])
		if _, known := state[v.Name()]; !known {
			size++
		}
	}
	if len(c.Update) < size { // else all are assigned to
		for name, value := range state {
			same = same && (sameValue(value, next[name]) || c.assigns(name))
		}
	}
	if !same || size != len(next) {
		after, err := c.Step(state, inputs)
		return fmt.Errorf("leads to %s, not %s (%v)", after, next, err)
	}
	return nil
}

// assigns reports whether a variable is assigned to.
func (c *Command) assigns(name string) bool {
	for v := range c.Update {
		if v.Name() == name {
			return true
		}
	}
	return false
}

// Join returns the command that does the commands one after the other. An input
// whose name an earlier command has for one of its own gets another: n@2, n@3.
// Linear in the sizes of the commands, and of the values that they pass on.
func Join(commands ...*Command) *Command {
	var s sequence
	for _, c := range commands {
		s.add(c.Inputs, logic.Conjuncts(c.Guard), c.Update)
	}
	return s.command()
}

// FreshInput is the name that Join gives to an input if earlier ones have taken these.
func FreshInput(name string, taken map[string]bool) string {
	fresh := name
	for n := 2; taken[fresh]; n++ {
		fresh = fmt.Sprintf("%s@%d", name, n)
	}
	return fresh
}

// sequence is a command that grows at its end: what Join and Blocks build without
// making a formula for each length. The zero value does nothing.
type sequence struct {
	inputs    []*logic.Term
	conjuncts []*logic.Term
	known     map[*logic.Term]bool // the conjuncts
	taken     map[string]bool      // names of the inputs
	update    map[*logic.Term]*logic.Term
	never     bool // the guard is false: by its look, as logic.And sees it
}

// add puts a command at the end.
func (s *sequence) add(inputs, conjuncts []*logic.Term, update map[*logic.Term]*logic.Term) {
	if s.known == nil {
		s.known, s.taken, s.update = map[*logic.Term]bool{}, map[string]bool{}, map[*logic.Term]*logic.Term{}
	}
	for _, in := range inputs {
		fresh := logic.Var(FreshInput(in.Name(), s.taken), in.Sort())
		s.taken[fresh.Name()] = true
		s.inputs = append(s.inputs, fresh)
		s.update[in] = fresh // until the values are known
	}
	for _, c := range logic.SubstituteAll(conjuncts, s.update) {
		for _, p := range logic.Conjuncts(c) {
			s.assume(p)
		}
	}
	vars := slices.Collect(maps.Keys(update))
	after := lists.Map(vars, func(v *logic.Term) *logic.Term { return update[v] })
	after = logic.SubstituteAll(after, s.update)
	for _, in := range inputs {
		delete(s.update, in)
	}
	for i, v := range vars {
		s.update[v] = after[i]
	}
}

// assume adds a conjunct of the guard.
func (s *sequence) assume(p *logic.Term) {
	if p.IsFalse() {
		s.never = true
	}
	if s.known[p] {
		return
	}
	if op := p.Op(); op != logic.OpAnd && op != logic.OpOr && s.known[logic.Not(p)] {
		s.never = true
	}
	s.known[p] = true
	s.conjuncts = append(s.conjuncts, p)
}

// clone returns a sequence that grows by itself.
func (s *sequence) clone() *sequence {
	return &sequence{slices.Clone(s.inputs), slices.Clone(s.conjuncts), maps.Clone(s.known), maps.Clone(s.taken), maps.Clone(s.update), s.never}
}

func (s *sequence) command() *Command {
	return &Command{Inputs: s.inputs, Guard: logic.And(s.conjuncts...), Update: s.update}
}
