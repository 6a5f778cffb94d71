package logic

// What eliminating one part of a formula for Weakened may take.
const (
	maxWeakened     = 100
	maxWeakenedSize = 2000
)

// Weakened returns a formula without the variables that follows from f: what Exists says where that is
// found at once, and elsewhere what remains without literals of variables that no equation gives.
func Weakened(vars []*Term, f *Term) *Term {
	if vars = occurring(vars, f); len(vars) == 0 {
		return f
	}
	if f.op == OpOr {
		out := make([]*Term, len(f.args))
		for i, d := range f.args {
			out[i] = Weakened(vars, d)
		}
		return Or(out...)
	}
	parts, out := separate(vars, Conjuncts(f))
	for _, p := range parts {
		if values := determined(vars, p); len(values) > 0 {
			out = append(out, Weakened(vars, Substitute(And(p...), values)))
			continue
		}
		e := eliminator{left: maxWeakened}
		if g, ok := e.conjunction(occurring(vars, p...), p); ok && g.Size() <= maxWeakenedSize {
			out = append(out, g)
			continue
		}
		for _, c := range p {
			if c.op == OpOr {
				out = append(out, Weakened(vars, c))
			}
		}
	}
	return And(out...)
}
