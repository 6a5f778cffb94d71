package chart

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// scale maps values to pixels.
type scale struct {
	Axis
	low, high float64 // values
	from, to  float64 // pixels
}

// newScale makes a scale for the values, which the axis can show, between two
// pixels. Logarithmic scales end at 1, 2 or 5 times a power of ten.
func newScale(a Axis, values []float64, from, to float64) scale {
	s := scale{Axis: a, low: 1, high: 10, from: from, to: to}
	if len(values) > 0 {
		s.low, s.high = slices.Min(values), slices.Max(values)
	}
	if a.Log {
		s.low, s.high = floor125(s.low), ceil125(s.high)
		if s.low == s.high {
			s.high *= 10
		}
		return s
	}
	if a.Zero {
		s.low = min(0, s.low)
	}
	if s.low == s.high {
		s.high++
	}
	pad := (s.high - s.low) / 25
	s.high += pad
	if !a.Zero {
		s.low -= pad
	}
	return s
}

func (s scale) at(v float64) float64 {
	low, high := s.low, s.high
	if s.Log {
		low, high, v = math.Log(low), math.Log(high), math.Log(v)
	}
	return s.from + (s.to-s.from)*(v-low)/(high-low)
}

// ticks returns the values that get a label and a line, in ascending order.
func (s scale) ticks() []float64 {
	if s.Log {
		return s.logTicks()
	}
	step := ceil125((s.high - s.low) / 8)
	var ticks []float64
	for k := math.Ceil(s.low / step); k*step <= s.high; k++ {
		ticks = append(ticks, k*step)
	}
	return ticks
}

// logTicks are powers of ten, and their multiples by 2 and 5 where there are few.
func (s scale) logTicks() []float64 {
	var tens, all []float64
	for e := math.Floor(math.Log10(s.low)); ; e++ {
		for _, m := range []float64{1, 2, 5} {
			v := m * math.Pow(10, e)
			if v > s.high*1.0001 {
				if len(tens) < 3 {
					return all
				}
				return tens
			}
			if v < s.low*0.9999 {
				continue
			}
			all = append(all, v)
			if m == 1 {
				tens = append(tens, v)
			}
		}
	}
}

// ceil125 returns the least of 1, 2 and 5 times a power of ten that is not less
// than v > 0, floor125 the greatest that is not greater.
func ceil125(v float64) float64 {
	for e := math.Floor(math.Log10(v)) - 1; ; e++ {
		for _, m := range []float64{1, 2, 5} {
			if w := m * math.Pow(10, e); w >= v*0.9999 {
				return w
			}
		}
	}
}

func floor125(v float64) float64 {
	best := 0.0
	for e := math.Floor(math.Log10(v)) - 1; ; e++ {
		for _, m := range []float64{1, 2, 5} {
			w := m * math.Pow(10, e)
			if w > v*1.0001 {
				return best
			}
			best = w
		}
	}
}

// label writes a tick: 0.01, 500, 20k, 3M, 1e+12.
func label(v float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e4, "k"}} {
		if size := unit.size; v >= size*0.9999 && v < 1e12 {
			if unit.name == "k" {
				size = 1e3
			}
			return trimmed(v/size) + unit.name
		}
	}
	return trimmed(v)
}

func trimmed(v float64) string {
	if v != 0 && (math.Abs(v) < 1e-3 || math.Abs(v) >= 1e12) {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	s := fmt.Sprintf("%.3f", v)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
