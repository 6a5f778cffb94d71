package values

import "slices"

// Refute asks whether a path cannot be run when more is known of variables. If so, it
// returns a precision with which it cannot, that has as few as can be found by leaving out
// one after the other of those that are added, or nil; where the path cannot be run for
// several reasons that have no variable in common, as many as are wanted. A variable that is added beside
// Relative ones that it is related to is Relative, too, if that is enough. Each of the runs
// is linear in the path.
func (a *Analysis) Refute(start int, blocks []int, precision []Precision, reasons int) []Precision {
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
		if finer := a.reasons(start, blocks, precision, most, more, reasons); finer != nil {
			return finer
		}
	}
	return nil
}

// reasons joins what is least for several reasons.
func (a *Analysis) reasons(start int, blocks []int, precision, most []Precision, more []int, wanted int) (finer []Precision) {
	for ; wanted > 0 && !a.possible(start, blocks, most); wanted-- {
		least := a.least(start, blocks, precision, most, slices.Clone(more))
		if finer == nil {
			finer = slices.Clone(precision)
		}
		most = slices.Clone(most)
		more = slices.DeleteFunc(more, func(v int) bool {
			if least[v] == precision[v] {
				return false
			}
			finer[v], most[v] = least[v], precision[v]
			return true
		})
	}
	return finer
}

// least leaves out halves of what is more, then quarters, and so on.
func (a *Analysis) least(start int, blocks []int, precision, most []Precision, more []int) []Precision {
	for size := (len(more) + 1) / 2; size > 0; size /= 2 {
		for from := 0; from < len(more); {
			to := min(from+size, len(more))
			less := slices.Clone(most)
			for _, v := range more[from:to] {
				less[v] = precision[v]
			}
			if a.possible(start, blocks, less) {
				from = to
			} else {
				most, more = less, slices.Delete(more, from, to)
			}
		}
	}
	return most
}

// possible runs a path with a precision.
func (a *Analysis) possible(start int, blocks []int, precision []Precision) bool {
	for _, init := range a.init {
		if init.location == start && a.begin(&init) && a.follow(start, blocks, precision) {
			return true
		}
	}
	return false
}

// follow runs a path from the values of the slots.
func (a *Analysis) follow(at int, blocks []int, precision []Precision) bool {
	enc := encoder{precision: precision}
	for _, b := range blocks {
		list := a.list(at, precision)
		a.env.load(enc.encode(&a.env, list), list, a.edges[b].uses)
		if !a.env.do(&a.edges[b]) {
			return false
		}
		at = a.blocks.All[b].To
	}
	list := a.list(at, precision)
	return a.errs(at, enc.encode(&a.env, list), list)
}
