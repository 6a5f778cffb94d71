package values

import (
	"math"

	"github.com/seltl/seltl/internal/statetable"
)

// Bounds of finding an order: locations with fewer states have small diagrams in any order,
// and of the others a sample is enough.
const (
	orderFrom = 64
	orderWork = 20_000_000 // pairs of values that are looked at
)

// ranks are places of the variables in an order in which diagrams of the states are small,
// the same at all locations, so that these share parts: variables whose values depend on each
// other are close together. How much two depend on
// each other is how many of the pairs that their values could make there are.
func (r *Reached) ranks() []int {
	n := r.a.vars
	rank := make([]int, n)
	for v := range rank {
		rank[v] = v
	}
	near := r.dependence()
	if near == nil {
		return rank
	}
	// The next variable is the one closest to those before, of which the last counts most.
	pull, placed := make([]float64, n), make([]bool, n)
	for next := range n {
		best := -1
		for v := range n {
			if !placed[v] && (best < 0 || pull[v] > pull[best]) {
				best = v
			}
		}
		rank[best], placed[best] = next, true
		for v := range n {
			pull[v] = pull[v]/2 + near[best*n+v]
		}
	}
	return rank
}

// dependence is, for pairs of variables, the logarithm of the part of the pairs of their
// values that there are, negated and added up for locations; nil if no location has many
// states.
func (r *Reached) dependence() (near []float64) {
	n, states := r.a.vars, 0
	for _, t := range r.tables {
		if t != nil && t.Len() >= orderFrom {
			states += t.Len()
		}
	}
	if states == 0 {
		return nil
	}
	near = make([]float64, n*n)
	every := states/max(1, orderWork/(n*n)) + 1
	for l, t := range r.tables {
		if t == nil || t.Len() < orderFrom || t.Len() < every {
			continue
		}
		vars := r.vars[l]
		columns := r.columns(t, vars, every)
		different := make([]int, len(vars))
		for i := range vars {
			different[i] = distinct(columns[i], columns[i])
		}
		for i, v := range vars {
			for j, w := range vars[:i] {
				d := math.Log(float64(different[i])*float64(different[j])) - math.Log(float64(distinct(columns[i], columns[j])))
				near[int(v)*n+int(w)] += d
				near[int(w)*n+int(v)] += d
			}
		}
	}
	return near
}

// columns numbers the values of the variables in a sample of states.
func (r *Reached) columns(t *statetable.Table, vars []int32, every int) [][]uint32 {
	type key struct {
		source int
		n      uint64
	}
	columns, numbers := make([][]uint32, len(vars)), make([]map[key]uint32, len(vars))
	for i := range numbers {
		numbers[i] = map[key]uint32{}
	}
	for s := 0; s < t.Len(); s += every {
		words := t.State(int32(s))
		for i := range vars {
			k := key{sourceOf(words, len(vars), i), words[i]}
			number, known := numbers[i][k]
			if !known {
				number = uint32(len(numbers[i]))
				numbers[i][k] = number
			}
			columns[i] = append(columns[i], number)
		}
	}
	return columns
}

// distinct counts the pairs of values in two columns.
func distinct(a, b []uint32) int {
	seen := map[uint64]bool{}
	for i := range a {
		seen[uint64(a[i])<<32|uint64(b[i])] = true
	}
	return len(seen)
}
