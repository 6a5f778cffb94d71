package main

import "slices"

// figures are what one run, or the median of several, measured.
type figures struct {
	States, Transitions float64
	Store               float64 // bytes of what remembers states, and of the queue
	Wall, CPU           float64 // seconds of the whole process, but for compilers
	Peak                float64 // most bytes of memory that the process had
	Violated            bool    // what it searched for was found
	Note                string  // what else must be known
}

// row is one way to run a tool, with what came out.
type row struct {
	name    string
	peer    bool // not ours
	workers int
	reduced bool // explores less than everything
	run     func() (figures, error)
	runs    []figures
	err     error // of the first run that failed; there are no more then
}

// measure runs all rows several times, alternating, so that all see the same load.
func measure(rows []*row, times int) {
	for range times {
		for _, r := range rows {
			if r.err != nil {
				continue
			}
			f, err := r.run()
			if err != nil {
				r.err = err
				continue
			}
			r.runs = append(r.runs, f)
		}
	}
}

// median is that of each time and of the peaks; the other figures are those of the
// first run: they vary only where several workers search.
func (r *row) median() figures {
	m := r.runs[0]
	middle := func(of func(figures) float64) float64 {
		var all []float64
		for _, f := range r.runs {
			all = append(all, of(f))
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	m.Wall = middle(func(f figures) float64 { return f.Wall })
	m.CPU = middle(func(f figures) float64 { return f.CPU })
	m.Peak = middle(func(f figures) float64 { return f.Peak })
	return m
}

// seconds is what rows with that many workers are compared by: processor time, and
// elapsed time where several share the work.
func (f figures) seconds(workers int) float64 {
	if workers > 1 {
		return f.Wall
	}
	return f.CPU
}

// fastestPeer returns the seconds of the fastest other tool that did the same work
// with as many workers as a row, 0 if there is none.
func fastestPeer(rows []*row, like *row) float64 {
	best := 0.0
	for _, r := range rows {
		if r.peer && r.workers == like.workers && r.reduced == like.reduced && r.err == nil {
			if s := r.median().seconds(r.workers); best == 0 || s < best {
				best = s
			}
		}
	}
	return best
}
