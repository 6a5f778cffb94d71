package passes

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// constants is conditional constant propagation ([WegmanZadeck91]) over the edges: a
// location has values of variables that are the same on all paths to it along edges whose
// guards are not false by them.
func constants(in subject) *image {
	return propagate(in, func(t *logic.Term) bool { return constant(t) }, true)
}

// maxCells bounds locations times variables of an analysis that looks at all.
const maxCells = 8_000_000

// available finds, for each location, variables and what they are known to be: a must
// analysis, that takes nothing reached for granted at first. Terms are tracked that keep
// says, over variables that do not change since.
type available struct {
	*flow
	keep  func(t *logic.Term) bool
	learn bool            // equations of guards count
	env   [][]*logic.Term // by location and variable, nil where not known; nil: not reached
	reads []reads
	need  []map[int]bool // by location: variables whose value was used
	work  []place        // those that were added last
	never []bool         // by location: it was used that no run comes to it
}

type place struct{ location, variable int }

// reads are the variables that an edge reads.
type reads struct {
	guard, values []int
	assigned      []*logic.Term
}

// propagate reads what variables are known to be in place of them.
func propagate(in subject, keep func(*logic.Term) bool, learn bool) *image {
	if a := analyse(in.System, keep, learn); a != nil {
		return a.image(in)
	}
	return nil
}

// analyse finds what is known; nil if that is too much to look at.
func analyse(sys *program.System, keep func(*logic.Term) bool, learn bool) *available {
	n := len(sys.Locations)
	if n*len(sys.Vars) > maxCells {
		return nil
	}
	a := &available{flow: newFlow(sys), keep: keep, learn: learn, env: make([][]*logic.Term, n), need: make([]map[int]bool, n)}
	a.reads = make([]reads, len(sys.Edges))
	for i, e := range sys.Edges {
		r := reads{guard: a.numbers(e.Command.Guard), assigned: assigned(e.Command)}
		values := lists.Append(nil, r.assigned, func(v *logic.Term) *logic.Term { return e.Command.Update[v] })
		r.values = a.numbers(values...)
		a.reads[i] = r
	}
	a.solve()
	return a
}

// numbers are the indices of the variables in terms.
func (a *available) numbers(ts ...*logic.Term) (all []int) {
	for _, v := range logic.Vars(ts...) {
		if i, ok := a.index[v]; ok {
			all = append(all, i)
		}
	}
	return all
}

func (a *available) solve() {
	for _, r := range a.sys.Init {
		env := make([]*logic.Term, len(a.sys.Vars))
		if a.learn {
			for v, c := range bindings(r.Where) {
				env[a.index[v]] = c
			}
		}
		a.meet(r.Location, env)
	}
	order := a.order()
	again := make([]bool, len(a.env))
	for _, l := range order {
		again[l] = a.env[l] != nil
	}
	for changed := true; changed; {
		changed = false
		for _, l := range order {
			if !again[l] {
				continue
			}
			again[l] = false
			for _, e := range a.out[l] {
				if next := a.step(e); next != nil && a.meet(a.sys.Edges[e].To, next) {
					again[a.sys.Edges[e].To], changed = true, true
				}
			}
		}
	}
}

// meet keeps what both ways to a location say, and reports a change.
func (a *available) meet(l int, env []*logic.Term) bool {
	if a.env[l] == nil {
		a.env[l] = env
		return true
	}
	changed := false
	for i, t := range a.env[l] {
		if t != nil && env[i] != t {
			a.env[l][i], changed = nil, true
		}
	}
	return changed
}

// known is what is known at a location of some variables.
func (a *available) known(l int, vars ...[]int) map[*logic.Term]*logic.Term {
	by := map[*logic.Term]*logic.Term{}
	for _, some := range vars {
		for _, i := range some {
			if t := a.env[l][i]; t != nil {
				by[a.sys.Vars[i]] = t
			}
		}
	}
	return by
}

// fold is an edge with what is known where it begins. What its guard says is known of its
// values, too, and learned.
func (a *available) fold(e int) (guard *logic.Term, values []*logic.Term, learned map[*logic.Term]*logic.Term) {
	edge, r := &a.sys.Edges[e], &a.reads[e]
	by := a.known(edge.From, r.guard, r.values)
	if guard = logic.Substitute(edge.Command.Guard, by); guard != edge.Command.Guard {
		guard = decided(guard)
	}
	if a.learn {
		guard = less(guard)
		learned = bindings(guard)
		maps.Copy(by, learned)
	}
	for _, v := range r.assigned {
		values = append(values, logic.Substitute(edge.Command.Update[v], by))
	}
	return guard, values, learned
}

// step is what is known behind an edge, nil if it cannot be taken.
func (a *available) step(e int) []*logic.Term {
	edge, r := &a.sys.Edges[e], &a.reads[e]
	guard, values, learned := a.fold(e)
	if guard.IsFalse() {
		return nil
	}
	next := slices.Clone(a.env[edge.From])
	for v, c := range learned {
		if i, ok := a.index[v]; ok {
			next[i] = c
		}
	}
	changed := map[*logic.Term]bool{}
	for k, v := range r.assigned {
		if values[k] != v {
			changed[v] = true
		}
	}
	if len(changed) == 0 {
		return next
	}
	for i, t := range next {
		if t != nil && (changed[a.sys.Vars[i]] || !constant(t) && mentions(t, changed)) {
			next[i] = nil
		}
	}
	first := map[*logic.Term]*logic.Term{} // variable by the value that it gets
	for k, v := range r.assigned {
		t := values[k]
		switch i := a.index[v]; {
		case !changed[v] || !plain(v):
		case a.keep(t) && a.over(t) && !mentions(t, changed):
			next[i] = t
		case first[t] != nil && a.keep(first[t]):
			next[i] = first[t]
		default:
			first[t] = v
		}
	}
	return next
}

// over reports that a term has no inputs.
func (a *available) over(t *logic.Term) bool {
	return constant(t) || !slices.ContainsFunc(logic.Vars(t), func(v *logic.Term) bool { _, ok := a.index[v]; return !ok })
}

func mentions(t *logic.Term, vars map[*logic.Term]bool) bool {
	return slices.ContainsFunc(logic.Vars(t), func(v *logic.Term) bool { return vars[v] })
}

// use notes that what is known of some variables matters.
func (a *available) use(l int, vars ...[]int) {
	for _, some := range vars {
		for _, i := range some {
			if a.env[l][i] == nil || a.need[l][i] {
				continue
			}
			if a.need[l] == nil {
				a.need[l] = map[int]bool{}
			}
			a.need[l][i] = true
			a.work = append(a.work, place{l, i})
		}
	}
}

// image writes the edges with what is known, and notes what has to hold for that.
func (a *available) image(in subject) *image {
	m := newImage(in)
	same := true
	for i, edge := range a.sys.Edges {
		if a.env[edge.From] == nil {
			same = false
			continue
		}
		c, changed := a.command(i)
		if c == nil || changed {
			a.use(edge.From, a.reads[i].guard, a.reads[i].values)
			for _, v := range a.reads[i].assigned { // what is dropped since it is so already
				if c != nil && c.Update[v] == nil {
					a.use(edge.From, []int{a.index[v]})
				}
			}
			same = false
		}
		if c != nil {
			m.keep(i, c)
		}
	}
	var changed bool
	m.to.Error, changed = a.regions(a.sys.Error)
	same = same && !changed
	m.watched, changed = a.regions(in.watched)
	if same && !changed {
		return nil
	}
	for l, env := range a.env {
		if env == nil {
			a.unreached(l)
		}
	}
	a.justify()
	m.holds = a.needed()
	return m
}

// regions are some with what is known, without those of no state.
func (a *available) regions(all []program.Region) (out []program.Region, changed bool) {
	for _, r := range all {
		if a.env[r.Location] == nil {
			changed = true
			continue
		}
		vars := a.numbers(r.Where)
		where := logic.Substitute(r.Where, a.known(r.Location, vars))
		if where != r.Where {
			a.use(r.Location, vars)
			changed = true
		}
		if r.Where = where; !where.IsFalse() {
			out = append(out, r)
		}
	}
	return out, changed
}

// unreached notes that it matters that no run comes to a location, and what that rests on.
func (a *available) unreached(l int) {
	if a.never == nil {
		a.never = make([]bool, len(a.env))
	}
	for work := []int{l}; len(work) > 0; {
		l, work = work[len(work)-1], work[:len(work)-1]
		if a.never[l] {
			continue
		}
		a.never[l] = true
		for _, e := range a.in[l] {
			if k := a.sys.Edges[e].From; a.env[k] == nil {
				work = append(work, k)
			} else {
				a.use(k, a.reads[e].guard)
			}
		}
	}
}

// needed is what was used of what is known, by location; false where it matters that no run
// comes to it.
func (a *available) needed() []*logic.Term {
	holds := make([]*logic.Term, len(a.env))
	for l := range a.env {
		if a.never != nil && a.never[l] {
			holds[l] = logic.False()
			continue
		}
		var all []*logic.Term
		for i := range a.sys.Vars {
			if a.need[l][i] {
				all = append(all, logic.Eq(a.sys.Vars[i], a.env[l][i]))
			}
		}
		if len(all) > 0 {
			holds[l] = logic.And(all...)
		}
	}
	return holds
}

// command is an edge with what is known; nil if it cannot be taken.
func (a *available) command(e int) (c *program.Command, changed bool) {
	edge, r := &a.sys.Edges[e], &a.reads[e]
	guard, values, _ := a.fold(e)
	if guard.IsFalse() {
		return nil, true
	}
	update := map[*logic.Term]*logic.Term{}
	for k, v := range r.assigned {
		if t := values[k]; t != v && t != a.env[edge.From][a.index[v]] {
			update[v] = t
		}
	}
	if guard == edge.Command.Guard && maps.Equal(update, edge.Command.Update) {
		return edge.Command, false
	}
	return &program.Command{Inputs: edge.Command.Inputs, Guard: guard, Update: update}, true
}

// justify adds what the values that were used rest on, back to where variables get them.
func (a *available) justify() {
	for len(a.work) > 0 {
		p := a.work[len(a.work)-1]
		a.work = a.work[:len(a.work)-1]
		v := a.sys.Vars[p.variable]
		for _, e := range a.in[p.location] {
			k := a.sys.Edges[e].From
			if a.env[k] == nil {
				a.unreached(k)
				continue
			}
			r := &a.reads[e]
			if guard, _, _ := a.fold(e); guard.IsFalse() {
				a.use(k, r.guard)
				continue
			}
			if slices.Contains(r.assigned, v) || a.env[k][p.variable] != a.env[p.location][p.variable] {
				a.use(k, r.guard, r.values)
			}
			if a.env[k][p.variable] == a.env[p.location][p.variable] {
				a.use(k, []int{p.variable})
			}
		}
	}
}
