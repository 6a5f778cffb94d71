package omega

import (
	"fmt"
	"strings"
)

// The named conditions of the Hanoi format ([Babiak15]).

// GeneralisedBuchi is the condition that each of n sets is met infinitely often.
func GeneralisedBuchi(n int) *Condition {
	var infs []*Condition
	for i := range n {
		infs = append(infs, Inf(i))
	}
	return And(infs...)
}

// Pairs are the conditions of n pairs Fin(2i), Inf(2i+1), joined.
func pairs(n int, inner, outer func(...*Condition) *Condition) *Condition {
	var list []*Condition
	for i := range n {
		list = append(list, inner(Fin(2*i), Inf(2*i+1)))
	}
	return outer(list...)
}

// Rabin is the condition with n pairs: for some i, Fin(2i) and Inf(2i+1).
func Rabin(n int) *Condition { return pairs(n, And, Or) }

// Streett is the condition with n pairs: for each i, Fin(2i) or Inf(2i+1).
func Streett(n int) *Condition { return pairs(n, Or, And) }

// Parity is the condition that the largest (max) or smallest number of a set that is met
// infinitely often is odd or even, of n sets. A run that meets none is as if that were
// one more number, beyond those that count least: -1 for max, n for min.
func Parity(maximum, odd bool, n int) *Condition {
	// From the set that counts least to the one that decides: the innermost says
	// what a run without marks is.
	c := always
	least := n
	if maximum {
		least = -1
	}
	if (least%2 != 0) != odd {
		c = never
	}
	for k := range n {
		i := n - 1 - k
		if maximum {
			i = k
		}
		if (i%2 != 0) == odd {
			c = Or(Inf(i), c)
		} else {
			c = And(Fin(i), c)
		}
	}
	return c
}

// AccName returns the name that the Hanoi format has for the condition of n sets, "" if
// there is none.
func (c *Condition) AccName(n int) string {
	key := c.canonical()
	is := func(other *Condition) bool { return key == other.canonical() }
	switch {
	case n == 0 && c.op == OpTrue:
		return "all"
	case n == 0 && c.op == OpFalse:
		return "none"
	case n == 1 && is(Inf(0)):
		return "Buchi"
	case n == 1 && is(Fin(0)):
		return "co-Buchi"
	case n > 1 && is(GeneralisedBuchi(n)):
		return fmt.Sprintf("generalized-Buchi %d", n)
	case n > 1 && is(GeneralisedBuchi(n).Dual()):
		return fmt.Sprintf("generalized-co-Buchi %d", n)
	case n > 0 && n%2 == 0 && is(Rabin(n/2)):
		return fmt.Sprintf("Rabin %d", n/2)
	case n > 0 && n%2 == 0 && is(Streett(n/2)):
		return fmt.Sprintf("Streett %d", n/2)
	}
	for _, maximum := range []bool{false, true} {
		for _, odd := range []bool{false, true} {
			if n > 1 && is(Parity(maximum, odd, n)) {
				return fmt.Sprintf("parity %s %s %d", map[bool]string{true: "max", false: "min"}[maximum], map[bool]string{true: "odd", false: "even"}[odd], n)
			}
		}
	}
	return c.generalisedRabin(n)
}

// generalisedRabin recognises pairs of one Fin and several Inf, whose sets are numbered
// one after the other.
func (c *Condition) generalisedRabin(n int) string {
	args := []*Condition{c}
	if c.op == OpOr {
		args = c.args
	}
	next := 0
	var sizes []string
	for _, arg := range args {
		if arg.op != OpAnd && arg.op != OpFin {
			return ""
		}
		terms := []*Condition{arg}
		if arg.op == OpAnd {
			terms = arg.args
		}
		for i, t := range terms {
			if want := map[bool]Op{true: OpFin, false: OpInf}[i == 0]; t.op != want || t.set != next {
				return ""
			}
			next++
		}
		sizes = append(sizes, fmt.Sprint(len(terms)-1))
	}
	if next != n {
		return ""
	}
	return fmt.Sprintf("generalized-Rabin %d %s", len(sizes), strings.Join(sizes, " "))
}
