package relations

import "slices"

// path is a sequence of edges of one routine, from a location to another; fail is one that
// ends inside of the routine that its last edge calls.
type path struct {
	from, to int
	edges    []int
	fail     bool
}

// failed is where paths lead that fail in a routine that they call.
const failed = -2

// paths are those of a routine between its beginning, its end, failures, and the locations
// that are not eliminated: those with a path to themselves, and where eliminating them makes
// more paths.
func (f *flow) paths(r int, errors map[int]bool) (all []path) {
	var work []path
	for i, e := range f.enc.Words.Edges {
		if f.of[e.From] != r {
			continue
		}
		g := f.enc.CallOf(i)
		work = append(work, path{from: e.From, to: e.To, edges: []int{i}})
		if g >= 0 && f.fails[g] {
			work = append(work, path{from: e.From, to: failed, edges: []int{i}, fail: true})
		}
	}
	work = slices.DeleteFunc(work, func(p path) bool { return p.to >= 0 && f.of[p.to] != r }) // never
	fixed := func(l int) bool {
		return l == f.routines[r].Begin || l == f.routines[r].End || errors[l] || l == failed
	}
	for {
		in, out, self := map[int]int{}, map[int]int{}, map[int]bool{}
		for _, p := range work {
			in[p.to]++
			out[p.from]++
			self[p.from] = self[p.from] || p.from == p.to
		}
		best := -1
		for l := range f.of {
			if f.of[l] != r || fixed(l) || self[l] || in[l]+out[l] == 0 {
				continue
			}
			n, m := in[l], out[l]
			if n <= 1 || m <= 1 || n*m <= n+m {
				best = l
				break
			}
		}
		if best < 0 {
			return work
		}
		work = without(work, best)
	}
}

// without joins the paths that end at a location with those that begin there.
func without(work []path, l int) (all []path) {
	var into, from []path
	for _, p := range work {
		switch {
		case p.to == l:
			into = append(into, p)
		case p.from == l:
			from = append(from, p)
		default:
			all = append(all, p)
		}
	}
	for _, p := range into {
		for _, q := range from {
			all = append(all, path{from: p.from, to: q.to, edges: slices.Concat(p.edges, q.edges), fail: q.fail})
		}
	}
	return all
}
