package relations

import (
	"container/heap"
	"slices"
	"sort"
)

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
// more paths. The first location goes first, whenever another one went.
func (f *flow) paths(r int, errors map[int]bool) (all []path) {
	w := newJoining()
	for i, e := range f.enc.Words.Edges {
		if f.of[e.From] != r {
			continue
		}
		if f.of[e.To] == r {
			w.add(path{from: e.From, to: e.To, edges: []int{i}})
		}
		if g := f.enc.CallOf(i); g >= 0 && f.fails[g] {
			w.add(path{from: e.From, to: failed, edges: []int{i}, fail: true})
		}
	}
	return w.join(len(f.of), func(l int) bool {
		return f.of[l] != r || l == f.routines[r].Begin || l == f.routines[r].End || errors[l]
	})
}

// joining is a set of paths, in the order in which they were made.
type joining struct {
	all        []path // without edges: it is gone
	into, from map[int][]int
	self       map[int]bool // locations with a path to themselves, which stay
	next       locations    // those around which something has changed
}

func newJoining() *joining {
	return &joining{into: map[int][]int{}, from: map[int][]int{}, self: map[int]bool{}}
}

// join eliminates locations below n, but for some.
func (w *joining) join(n int, stays func(l int) bool) []path {
	for l := range n {
		w.next.IntSlice = append(w.next.IntSlice, l) // a heap: they are sorted
	}
	for w.next.Len() > 0 {
		l := heap.Pop(&w.next).(int)
		if stays(l) || w.self[l] {
			continue
		}
		if n, m := len(w.into[l]), len(w.from[l]); n+m > 0 && (n <= 1 || m <= 1 || n*m <= n+m) {
			w.without(l)
		}
	}
	return slices.DeleteFunc(w.all, func(p path) bool { return p.edges == nil })
}

func (w *joining) add(p path) {
	w.into[p.to] = append(w.into[p.to], len(w.all))
	w.from[p.from] = append(w.from[p.from], len(w.all))
	w.self[p.from] = w.self[p.from] || p.from == p.to
	w.all = append(w.all, p)
}

// without joins the paths that end at a location with those that begin there.
func (w *joining) without(l int) {
	into, from := w.into[l], w.from[l]
	delete(w.into, l)
	delete(w.from, l)
	for _, i := range into {
		p := w.all[i]
		w.from[p.from] = slices.DeleteFunc(w.from[p.from], func(k int) bool { return k == i })
		heap.Push(&w.next, p.from)
	}
	for _, j := range from {
		if q := w.all[j]; q.to >= 0 {
			w.into[q.to] = slices.DeleteFunc(w.into[q.to], func(k int) bool { return k == j })
			heap.Push(&w.next, q.to)
		}
	}
	for _, i := range into {
		for _, j := range from {
			p, q := w.all[i], w.all[j]
			w.add(path{from: p.from, to: q.to, edges: slices.Concat(p.edges, q.edges), fail: q.fail})
		}
	}
	for _, i := range slices.Concat(into, from) {
		w.all[i] = path{}
	}
}

// locations are a heap.
type locations struct{ sort.IntSlice }

func (h *locations) Push(l any) { h.IntSlice = append(h.IntSlice, l.(int)) }

func (h *locations) Pop() any {
	last := h.Len() - 1
	l := h.IntSlice[last]
	h.IntSlice = h.IntSlice[:last]
	return l
}
