package values

import "slices"

// Path is a sequence of blocks from initial states.
type Path struct {
	Start  int   // location
	Blocks []int // indices into program.Blocks.All
}

// Refute asks whether a path cannot be run when more is known of variables. If so, it
// returns a precision with which it cannot, that has as few as can be found by leaving out
// one after the other of those that are added, or nil; where the path cannot be run for
// several reasons that have no variable in common, as many as are wanted. A variable that
// is added beside Relative ones that it is related to is Relative, too, if that is enough.
// Each of the runs is linear in the path; proceed is asked before each, and its error ends
// the search.
func (a *Analysis) Refute(path Path, precision []Precision, reasons int, proceed func() error) (finer []Precision, err error) {
	r := &refutation{a, path, precision, proceed}
	relative := map[int]bool{}
	for v, p := range precision {
		if p == Relative {
			relative[a.related[v]] = true
		}
	}
	for _, careful := range []bool{true, false} {
		if careful && len(relative) == 0 {
			continue
		}
		most := slices.Clone(precision)
		var more []int
		for v, p := range precision {
			if p == Exact || !a.Trackable(v) || careful && p == Relative {
				continue
			}
			more = append(more, v)
			if most[v] = Exact; careful && relative[a.related[v]] {
				most[v] = Relative
			}
		}
		if finer, err = r.reasons(most, more, reasons); finer != nil || err != nil {
			break
		}
	}
	return finer, err
}

// refutation is a call of Refute.
type refutation struct {
	*Analysis
	path      Path
	precision []Precision
	proceed   func() error
}

// reasons joins what is least for several reasons, of what is most; more are the variables
// whose precision that changes.
func (r *refutation) reasons(most []Precision, more []int, wanted int) (finer []Precision, err error) {
	for ; wanted > 0 && !r.possible(r.path, most); wanted-- {
		least, err := r.least(most, slices.Clone(more))
		if err != nil {
			return nil, err
		}
		if finer == nil {
			finer = slices.Clone(r.precision)
		}
		most = slices.Clone(most)
		more = slices.DeleteFunc(more, func(v int) bool {
			if least[v] == r.precision[v] {
				return false
			}
			finer[v], most[v] = least[v], r.precision[v]
			return true
		})
	}
	return finer, nil
}

// least leaves out halves of what is more, then quarters, and so on.
func (r *refutation) least(most []Precision, more []int) ([]Precision, error) {
	for size := (len(more) + 1) / 2; size > 0; size /= 2 {
		for from := 0; from < len(more); {
			to := min(from+size, len(more))
			less := slices.Clone(most)
			for _, v := range more[from:to] {
				less[v] = r.precision[v]
			}
			if err := r.proceed(); err != nil {
				return nil, err
			}
			if r.possible(r.path, less) {
				from = to
			} else {
				most, more = less, slices.Delete(more, from, to)
			}
		}
	}
	return most, nil
}

// possible runs a path with a precision.
func (a *Analysis) possible(path Path, precision []Precision) bool {
	for _, init := range a.init {
		if init.location == path.Start && a.begin(&init) && a.follow(path, precision) {
			return true
		}
	}
	return false
}

// follow runs a path from the values of the slots.
func (a *Analysis) follow(path Path, precision []Precision) bool {
	enc, at := encoder{precision: precision}, path.Start
	for _, b := range path.Blocks {
		list := a.list(at, precision)
		a.env.load(enc.encode(&a.env, list), list, a.edges[b].uses)
		if !a.env.do(&a.edges[b]) {
			return false
		}
		at = a.blocks.All[b].To
	}
	list := a.list(at, precision)
	words := enc.encode(&a.env, list)
	return slices.ContainsFunc(a.bad[at], func(f failure) bool { return a.may(f, words, list) })
}
