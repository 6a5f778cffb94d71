package unwound

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/logic"
)

const (
	mostConjuncts = 64 // of a condition without a name
	near          = 16 // states that a further one may complete
)

// state is a symbolic state. Its slices are shared.
type state struct {
	condition []*logic.Term // conjuncts, each once
	values    []*logic.Term // of the variables, in their order
}

// assume adds formulas to a condition, which stays as it is; false if they evidently contradict it.
func assume(condition []*logic.Term, fs ...*logic.Term) (all []*logic.Term, possible bool) {
	all = slices.Clip(condition)
	for _, f := range fs {
		for _, p := range logic.Conjuncts(f) {
			switch {
			case p.IsFalse() || slices.Contains(all, logic.Not(p)):
				return nil, false
			case !slices.Contains(all, p):
				all = append(all, p)
			}
		}
	}
	return all, true
}

// merge merges exclusive states, one at least. First what the branches of one condition have come to, with
// no condition then.
func (u *symbols) merge(waiting []state) state {
	var apart []state
	for _, s := range waiting {
		for i := len(apart) - 1; i >= max(0, len(apart)-near); i-- {
			if u.complementary(apart[i], s) {
				s = u.together([]state{apart[i], s})
				apart = slices.Delete(apart, i, i+1)
				i = len(apart) // it may now complete another
			}
		}
		apart = append(apart, s)
	}
	return u.together(apart)
}

// complementary reports whether states differ by a condition and its negation only. One of these is no
// conjunction.
func (u *symbols) complementary(a, b state) bool {
	_, rests := factor([]state{a, b})
	if min(len(rests[0]), len(rests[1])) != 1 {
		return false
	}
	return u.named(logic.And(rests[0]...)) == logic.Not(u.named(logic.And(rests[1]...)))
}

// together merges exclusive states: values are chosen by what only one of them assumes. That is right where one
// of them is possible, which the condition says.
func (u *symbols) together(states []state) state {
	if len(states) == 1 {
		return states[0]
	}
	common, rests := factor(states)
	when := make([]*logic.Term, len(states))
	for i, rest := range rests {
		when[i] = u.named(logic.And(rest...))
	}
	if len(when) != 2 || when[0] != logic.Not(when[1]) {
		if one := u.named(logic.Or(when...)); !one.IsTrue() {
			common = append(common, one)
		}
	}
	values := slices.Clone(states[0].values)
	for i := range values {
		values[i] = u.choose(when, states, i)
	}
	return state{common, values}
}

// choose returns the merged value of a variable: the most frequent one, unless a state is there that has another.
func (u *symbols) choose(when []*logic.Term, states []state, variable int) *logic.Term {
	value := states[0].values[variable]
	if !slices.ContainsFunc(states, func(s state) bool { return s.values[variable] != value }) {
		return value
	}
	count := map[*logic.Term]int{}
	for _, s := range states {
		count[s.values[variable]]++
	}
	for _, s := range states {
		if v := s.values[variable]; count[v] > count[value] {
			value = v
		}
	}
	usual := value
	for i, s := range states {
		if v := s.values[variable]; v != usual {
			if value = logic.Ite(when[i], v, value); v.Sort() == logic.Bool {
				value = u.named(value)
			}
		}
	}
	if value.Size() > largest {
		return u.nameOf(value)
	}
	return value
}

// factor returns the conjuncts of all states, and what is left of each.
func factor(states []state) (common []*logic.Term, rests [][]*logic.Term) {
	count := map[*logic.Term]int{}
	for _, s := range states {
		for _, p := range s.condition {
			count[p]++
		}
	}
	for i, s := range states {
		var rest []*logic.Term
		for _, p := range s.condition {
			switch {
			case count[p] < len(states):
				rest = append(rest, p)
			case i == 0:
				common = append(common, p)
			}
		}
		rests = append(rests, rest)
	}
	return common, rests
}

// kinds numbers formulas from 0, so that those of one kind evidently exclude each other.
func kinds(fs []*logic.Term) []int {
	of := make([]int, len(fs))
	var members [][]claims
	for i, f := range fs {
		c := claimsOf(f)
		k := slices.IndexFunc(members, func(all []claims) bool {
			return !slices.ContainsFunc(all, func(other claims) bool { return !c.excludes(other) })
		})
		if k < 0 {
			k = len(members)
			members = append(members, nil)
		}
		members[k] = append(members[k], c)
		of[i] = k
	}
	return of
}

// claims are the conjuncts of a formula, and which terms they say to be which number.
type claims struct {
	conjuncts map[*logic.Term]bool
	numbers   map[*logic.Term]*logic.Term
}

func claimsOf(f *logic.Term) claims {
	c := claims{map[*logic.Term]bool{}, map[*logic.Term]*logic.Term{}}
	for _, p := range logic.Conjuncts(f) {
		c.conjuncts[p] = true
		if p.Op() == logic.OpEq {
			a, b := p.Args()[0], p.Args()[1]
			if a.Op() == logic.OpNumber {
				a, b = b, a
			}
			if b.Op() == logic.OpNumber {
				c.numbers[a] = b
			}
		}
	}
	return c
}

// excludes reports whether two formulas evidently cannot both be true.
func (c claims) excludes(d claims) bool {
	if c.conjuncts[logic.False()] || d.conjuncts[logic.False()] {
		return true
	}
	for p := range c.conjuncts {
		if d.conjuncts[logic.Not(p)] {
			return true
		}
	}
	for t, n := range c.numbers {
		if m := d.numbers[t]; m != nil && m != n {
			return true
		}
	}
	return false
}

// symbols makes variables for what is not one of the system.
type symbols struct {
	taken map[string]bool
	made  int
	means map[*logic.Term]*logic.Term // of names
	names map[*logic.Term]*logic.Term // of formulas
}

func newSymbols(vars []*logic.Term) symbols {
	s := symbols{map[string]bool{}, 0, map[*logic.Term]*logic.Term{}, map[*logic.Term]*logic.Term{}}
	for _, v := range vars {
		s.taken[v.Name()] = true
	}
	return s
}

// fresh returns a variable that was not there before: the number behind the last @ tells it from the others.
func (u *symbols) fresh(name string, sort *logic.Sort) *logic.Term {
	for {
		u.made++
		if name := fmt.Sprintf("%s@%d", name, u.made); !u.taken[name] {
			return logic.Var(name, sort)
		}
	}
}

// named returns a name of a conjunction or disjunction, and other formulas as they are. One formula has one name,
// and its negation the negation of that.
func (u *symbols) named(f *logic.Term) *logic.Term {
	if f.Op() != logic.OpAnd && f.Op() != logic.OpOr {
		return f
	}
	return u.nameOf(f)
}

// largest is the size of values without a name: each question would write a larger one wherever it is used.
const largest = 100

// nameOf gives a term a name, of a formula also its negation.
func (u *symbols) nameOf(f *logic.Term) *logic.Term {
	if name := u.names[f]; name != nil {
		return name
	}
	name := u.fresh("unwound", f.Sort())
	u.means[name], u.names[f] = f, name
	if f.Sort() == logic.Bool {
		u.names[logic.Not(f)] = logic.Not(name)
	}
	return name
}

// mentioned returns the names that formulas mention, also by what names mean.
func (u *symbols) mentioned(fs []*logic.Term) (names []*logic.Term) {
	seen := map[*logic.Term]bool{}
	for todo := slices.Clone(fs); len(todo) > 0; {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[t] {
			continue
		}
		seen[t] = true
		if meaning := u.means[t]; meaning != nil {
			names, todo = append(names, t), append(todo, meaning)
		}
		todo = append(todo, t.Args()...)
	}
	return names
}

// choices returns conjuncts for each of some alternatives, of which kinds are known: a choice between the kinds
// there are, by as many symbols as a binary tree with them for leaves has inner nodes. Those of one kind exclude
// each other without.
func (u *symbols) choices(kinds []int) [][]*logic.Term {
	present := slices.Compact(slices.Sorted(slices.Values(kinds)))
	by := map[int][]*logic.Term{}
	var divide func(kinds []int, chosen []*logic.Term)
	divide = func(kinds []int, chosen []*logic.Term) {
		if len(kinds) < 2 {
			for _, k := range kinds {
				by[k] = chosen
			}
			return
		}
		c, half := u.fresh("choice", logic.Bool), len(kinds)/2
		divide(kinds[:half], append(slices.Clip(chosen), c))
		divide(kinds[half:], append(slices.Clip(chosen), logic.Not(c)))
	}
	divide(present, nil)
	all := make([][]*logic.Term, len(kinds))
	for i, k := range kinds {
		all[i] = by[k]
	}
	return all
}
