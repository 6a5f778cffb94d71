// Package soak says how many cases a test tries: few with go test -short, which
// developers run all day, some in the full run, and SELTL_SOAK times as many in a soak
// run (make soak). Cases are numbered by their seeds, so that a longer run
// begins with the cases of a shorter one.
package soak

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/seltl/seltl/internal/heap"
)

// Twins that enumerate make garbage most of all: without this a third of the time of the
// suites is its collection.
func init() { heap.Roomy(64<<20, 200) }

// variable is the environment variable with the factor of a soak run.
const variable = "SELTL_SOAK"

// Cases returns how many cases there are of a quick test that has n in the full run: a
// fifth with -short. What a test demands of its cases in total goes through the same function.
func Cases[N int | int64 | uint64](n N) N {
	if testing.Short() {
		n = max(1, n/5)
	}
	return Seeds(n)
}

// Seeds returns how many seeds there are, in every run, for a test that passes over most
// of them by Skip.
func Seeds[N int | int64 | uint64](n N) N { return n * N(factor()) }

// Long is Cases for tests that take a second or more: half of n in the full run, which is to end
// within a quarter of an hour, and a twentieth with -short.
func Long[N int | int64 | uint64](n N) N {
	if testing.Short() {
		return Seeds(max(1, n/20))
	}
	return Seeds(max(1, n/2))
}

// Least returns what a test demands of so many Long cases in total: their share of n, and half of
// that with -short, where so few scatter.
func Least(n int) int {
	if testing.Short() {
		return Seeds(n / 40)
	}
	return Seeds((n + 1) / 2)
}

// Size returns how large a large case is: n, or a tenth of it with -short. A soak run
// has more cases, not larger ones.
func Size[N int | int32 | int64](n N) N {
	if testing.Short() {
		return max(1, n/10)
	}
	return n
}

// Skip reports whether the i-th of a list of long cases is left to the full run:
// nine of ten are, with -short.
func Skip(i int) bool { return testing.Short() && i%10 != 0 }

// Thin reports whether the i-th of a list of quick cases is left to the full run: three of four
// are, with -short.
func Thin(i int) bool { return testing.Short() && i%4 != 1 }

// On reports whether this is a soak run, for tests that try other things in it.
func On() bool { return factor() > 1 }

func factor() int {
	text := os.Getenv(variable)
	if text == "" {
		return 1
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		panic(fmt.Sprintf("%s=%s is no number of times", variable, text))
	}
	return n
}
