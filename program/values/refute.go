package values

// Refute asks whether a path cannot be run when all variables are tracked. If so, it
// returns more variables than those of tracked that are enough for this, as few as can be
// found by leaving out one after the other; those that first come first are kept first
// (a loop's counter is used for long). Each of the runs is linear in the path.
func (a *Analysis) Refute(start int, blocks []int, tracked []bool) (more []int, refuted bool) {
	var extra []int
	for v := range a.vars {
		if !tracked[v] && a.Trackable(v) {
			extra = append(extra, v)
		}
	}
	if a.possible(start, blocks, tracked, extra) {
		return nil, false
	}
	return a.least(start, blocks, tracked, extra), true
}

// least leaves out halves, then quarters, and so on, of what is not needed.
func (a *Analysis) least(start int, blocks []int, tracked []bool, extra []int) []int {
	for size := (len(extra) + 1) / 2; size > 0; size /= 2 {
		for from := 0; from < len(extra); {
			to := min(from+size, len(extra))
			rest := append(append([]int{}, extra[:from]...), extra[to:]...)
			if a.possible(start, blocks, tracked, rest) {
				from = to
			} else {
				extra = rest
			}
		}
	}
	return extra
}

// possible runs a path with some variables tracked.
func (a *Analysis) possible(start int, blocks []int, tracked []bool, extra []int) bool {
	all := append([]bool{}, tracked...)
	for _, v := range extra {
		all[v] = true
	}
	lists := a.lists(all)
	for _, init := range a.init {
		if init.location == start && a.begin(&init) && a.follow(start, blocks, lists) {
			return true
		}
	}
	return false
}

// follow runs a path from the values of the slots.
func (a *Analysis) follow(at int, blocks []int, lists [][]int32) bool {
	var enc encoder
	for _, e := range blocks {
		a.env.load(enc.encode(&a.env, lists[at]), lists[at], a.edges[e].uses)
		if !a.env.do(&a.edges[e]) {
			return false
		}
		at = a.blocks.All[e].To
	}
	return a.errs(at, enc.encode(&a.env, lists[at]), lists[at])
}
