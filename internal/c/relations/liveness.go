package relations

import (
	"context"
	"maps"
	"slices"

	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// set is a set of names of variables.
type set map[string]bool

// add puts names into a set, and reports that it did not have them all.
func (s set) add(names set) bool {
	before := len(s)
	maps.Copy(s, names)
	return len(s) > before
}

func namesOf(ts ...*logic.Term) set {
	out := set{}
	for _, v := range logic.Vars(ts...) {
		out[v.Name()] = true
	}
	return out
}

// flow is what the edges of both systems read and write, by names.
type flow struct {
	enc      *encode.Encoding
	routines []encode.Routine // with the entry routine as the last one
	of       []int            // the routine that a location belongs to, -1: none
	guards   []set            // of each edge
	writes   []map[string]set // of each edge: what a variable that it assigns to is made of
	changes  []set            // of each routine: what it and what it calls may assign to, of what others know
	live     []set            // at each location
	fails    []bool           // of each routine: a failure is reachable in it, or in what it calls
}

func newFlow(ctx context.Context, enc *encode.Encoding, errors map[int]bool) *flow {
	sys := enc.Words
	f := &flow{enc: enc, routines: append(slices.Clone(enc.Routines), encode.Routine{Func: enc.Entry, Begin: sys.Init[0].Location, End: -1})}
	vars := namesOf(sys.Vars...)
	vars.add(namesOf(enc.Numbers.Vars...))
	for i := range sys.Edges {
		guard, writes := set{}, map[string]set{}
		for _, s := range []*program.System{sys, enc.Numbers} {
			c := s.Edges[i].Command
			guard.add(namesOf(c.Guard))
			for v, t := range c.Update {
				if writes[v.Name()] == nil {
					writes[v.Name()] = set{}
				}
				writes[v.Name()].add(namesOf(t))
			}
		}
		only := func(s set) {
			maps.DeleteFunc(s, func(name string, _ bool) bool { return !vars[name] }) // no inputs
		}
		only(guard)
		for _, s := range writes {
			only(s)
		}
		f.guards, f.writes = append(f.guards, guard), append(f.writes, writes)
	}
	f.divide()
	f.effects(errors)
	f.liveness(ctx)
	return f
}

// divide finds the routine that each location belongs to.
func (f *flow) divide() {
	out := make([][]int, len(f.enc.Words.Locations))
	for _, e := range f.enc.Words.Edges {
		out[e.From] = append(out[e.From], e.To)
	}
	f.of = make([]int, len(out))
	for l := range f.of {
		f.of[l] = -1
	}
	for r := range f.routines {
		work := []int{f.routines[r].Begin}
		for len(work) > 0 {
			l := work[len(work)-1]
			work = work[:len(work)-1]
			if f.of[l] < 0 {
				f.of[l] = r
				work = append(work, out[l]...)
			}
		}
	}
}

// effects finds what routines change, and in which a failure is reachable.
func (f *flow) effects(errors map[int]bool) {
	f.changes, f.fails = make([]set, len(f.routines)), make([]bool, len(f.routines))
	for r := range f.changes {
		f.changes[r] = set{}
	}
	for again := true; again; {
		again = false
		for i, e := range f.enc.Words.Edges {
			r := f.of[e.From]
			if r < 0 {
				continue
			}
			if errors[e.To] && !f.fails[r] {
				f.fails[r], again = true, true
			}
			if g := f.enc.CallOf(i); g >= 0 {
				again = f.changes[r].add(f.changes[g]) || again
				if f.fails[g] && !f.fails[r] {
					f.fails[r], again = true, true
				}
			}
			for name := range f.writes[i] {
				if !f.enc.Own(name) && !f.enc.Kept(name) && !f.changes[r][name] {
					f.changes[r][name], again = true, true
				}
			}
		}
	}
}

// liveness finds, backwards, which variables matter at each location. What matters where a
// routine returns is what it changes and some caller needs afterwards.
func (f *flow) liveness(ctx context.Context) {
	f.live = make([]set, len(f.of))
	for l := range f.live {
		f.live[l] = set{}
	}
	for again := true; again; {
		again = false
		for i := len(f.enc.Words.Edges) - 1; i >= 0; i-- {
			if i%64 == 0 && ctx.Err() != nil {
				return
			}
			e := f.enc.Words.Edges[i]
			before := set{}
			before.add(f.guards[i])
			g := f.enc.CallOf(i)
			for name := range f.live[e.To] {
				switch {
				case g >= 0 && f.changes[g][name]:
					again = f.live[f.routines[g].End].add(set{name: true}) || again
				case f.writes[i][name] != nil:
					before.add(f.writes[i][name])
				default:
					before[name] = true
				}
			}
			if g >= 0 {
				for name := range f.live[f.routines[g].Begin] {
					before[name] = before[name] || !f.enc.Own(name)
				}
				maps.DeleteFunc(before, func(_ string, in bool) bool { return !in })
			}
			again = f.live[e.From].add(before) || again
		}
	}
}

// inputs are the variables of others that a routine needs, sorted; outputs those that it
// gives back.
func (f *flow) inputs(r int) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(f.live[f.routines[r].Begin])) {
		if !f.enc.Own(name) {
			names = append(names, name)
		}
	}
	return names
}

func (f *flow) outputs(r int) []string {
	return slices.Sorted(maps.Keys(f.live[f.routines[r].End]))
}
