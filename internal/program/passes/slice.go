package passes

// slice leaves out the edges from which no path leads to an error.
func slice(in subject) *image {
	sys := in.System
	f := newFlow(sys)
	useful := make([]bool, len(sys.Locations))
	var work []int
	for l := range useful {
		if f.bad[l] {
			useful[l], work = true, append(work, l)
		}
	}
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range f.in[l] {
			if k := sys.Edges[e].From; !useful[k] {
				useful[k], work = true, append(work, k)
			}
		}
	}
	m := newImage(in)
	m.free = make([]bool, len(useful))
	for l, is := range useful {
		m.free[l] = !is
	}
	for i, e := range sys.Edges {
		if useful[e.To] {
			m.keep(i, e.Command)
		}
	}
	if len(m.to.Edges) == len(sys.Edges) {
		return nil
	}
	return m
}
