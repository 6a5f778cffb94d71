package predabs

import (
	"fmt"

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
// syntactic operator pre of the ARMC thesis, 3.2.
func (c *Command) Pre(f *logic.Term) *logic.Term { return logic.And(c.Guard, c.After(f)) }

// PreCube returns the literals of the cubes whose disjunction is pre of a cube,
// without inputs; see Project for exact. cubes is false if the guard has too
// many disjuncts.
func (c *Command) PreCube(cube []*logic.Term) (cubes [][]*logic.Term, exact, ok bool) {
	guards, ok := logic.DNF(c.Guard, maxGuardCubes)
	exact = true
	for _, g := range guards {
		all := append(append([]*logic.Term{}, g...), logic.SubstituteAll(cube, c.Update)...)
		projected, e := Project(all, c.Inputs)
		cubes = append(cubes, projected)
		exact = exact && e
	}
	return cubes, exact, ok
}

// PostCube returns cubes whose disjunction is post of a cube (lectures, eq. 1),
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
		projected, e := Project(all, append(append([]*logic.Term{}, c.Inputs...), hidden...))
		cubes = append(cubes, projected)
		exact = exact && e
	}
	return cubes, exact, ok
}

// maxGuardCubes bounds the disjunctive normal form of one guard.
const maxGuardCubes = 256

// Then returns the command that does c, then d. The inputs of d are renamed
// where c has inputs of the same names; renamed maps them.
func (c *Command) Then(d *Command) (both *Command, renamed map[*logic.Term]*logic.Term) {
	renamed = map[*logic.Term]*logic.Term{}
	taken := map[string]bool{}
	both = &Command{Update: map[*logic.Term]*logic.Term{}}
	for _, i := range c.Inputs {
		taken[i.Name()] = true
		both.Inputs = append(both.Inputs, i)
	}
	by := map[*logic.Term]*logic.Term{}
	for v, e := range c.Update {
		by[v] = e
		both.Update[v] = e
	}
	for _, i := range d.Inputs {
		fresh := i
		for n := 2; taken[fresh.Name()]; n++ {
			fresh = logic.Var(fmt.Sprintf("%s@%d", i.Name(), n), i.Sort())
		}
		taken[fresh.Name()] = true
		by[i], renamed[i] = fresh, fresh
		both.Inputs = append(both.Inputs, fresh)
	}
	both.Guard = logic.And(c.Guard, logic.Substitute(d.Guard, by))
	for v, e := range d.Update {
		both.Update[v] = logic.Substitute(e, by)
	}
	return both, renamed
}
