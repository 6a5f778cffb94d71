package cells

import (
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/unionfind"
	"github.com/seltl/seltl/logic"
)

// Arrays that are members of structs, or are otherwise looked at with a distance (a[i] beside b[i+1]), share an index best
// at this distance: what one cell says is of one struct then.

// member is a parameter of a relation that is an array, or an array variable of a clause.
type member struct {
	of    int // the relation, or -1 less the clause
	place int
	v     *logic.Term
}

// place of an index without its number, in one clause.
type spot struct {
	clause int
	rest   *logic.Term
}

// spots are where arrays are looked at: the numbers that are added, by what they are added to.
type spots struct {
	same  unionfind.Sets[member] // arrays that are handed on
	at    map[member]map[spot][]int64
	order []member
}

// distances returns, by relation and parameter, what is added to the index of an array with integers for indices.
func distances(p *horn.Problem) [][]int64 {
	s := &spots{at: map[member]map[spot][]int64{}}
	for i := range p.Clauses {
		s.clause(i, &p.Clauses[i])
	}
	merged := map[member]map[spot][]int64{}
	var groups []member
	for _, m := range s.order {
		l := s.same.Of(m)
		if merged[l] == nil {
			merged[l] = map[spot][]int64{}
			groups = append(groups, l)
		}
		for at, all := range s.at[m] {
			merged[l][at] = append(merged[l][at], all...)
		}
	}
	moved, first := map[member]int64{}, map[member]member{}
	for i, g := range groups {
		first[g] = g
		for _, other := range groups[:i] {
			if d, ok := between(merged[other], merged[g]); ok {
				moved[g], first[g] = moved[other]+d, first[other]
				break
			}
		}
	}
	least := map[member]int64{}
	for _, g := range groups {
		least[first[g]] = min(least[first[g]], moved[g])
	}
	out := make([][]int64, len(p.Preds))
	for i, d := range p.Preds {
		out[i] = make([]int64, len(d.Params))
		for k := range d.Params {
			g := s.same.Of(member{of: i, place: k})
			out[i][k] = moved[g] - least[first[g]]
		}
	}
	return out
}

// clause notes the arrays that a clause hands on, and where it looks at them.
func (s *spots) clause(i int, c *horn.Clause) {
	apps := c.Body
	if c.Head != nil {
		apps = append(slices.Clone(apps), *c.Head)
	}
	for _, a := range apps {
		for k, t := range a.Args {
			if celled(t.Sort()) && t.Sort().Index() == logic.Int {
				for _, v := range variables(t) {
					s.same.Join(member{of: a.Pred, place: k}, member{of: -1 - i, v: v})
				}
			}
		}
	}
	for t := range logic.Subterms(c.Terms()...) {
		if op := t.Op(); op != logic.OpSelect && op != logic.OpStore || t.Args()[1].Sort() != logic.Int {
			continue
		}
		sum := logic.LinearOf(t.Args()[1])
		if !sum.Const.IsInt() || !sum.Const.Num().IsInt64() {
			continue
		}
		at := spot{i, logic.Sub(t.Args()[1], logic.Number(sum.Const, logic.Int))}
		for _, v := range variables(t.Args()[0]) {
			m := member{of: -1 - i, v: v}
			if s.at[m] == nil {
				s.at[m] = map[spot][]int64{}
				s.order = append(s.order, m)
			}
			s.at[m][at] = append(s.at[m][at], sum.Const.Num().Int64())
		}
	}
}

// variables are the arrays that an array is made of.
func variables(a *logic.Term) []*logic.Term {
	switch a.Op() {
	case logic.OpVar:
		return []*logic.Term{a}
	case logic.OpStore:
		return variables(a.Args()[0])
	case logic.OpIte:
		return append(variables(a.Args()[1]), variables(a.Args()[2])...)
	}
	return nil
}

// between is the distance at which two arrays are looked at most often, the least of several.
func between(a, b map[spot][]int64) (most int64, ok bool) {
	votes := map[int64]int{}
	for at, from := range a {
		for _, x := range from {
			for _, y := range b[at] {
				votes[y-x]++
			}
		}
	}
	size := func(d int64) int64 { return max(d, -d) }
	for d, n := range votes {
		best := votes[most]
		if !ok || n > best || n == best && (size(d) < size(most) || size(d) == size(most) && d > most) {
			most, ok = d, true
		}
	}
	return most, ok
}
