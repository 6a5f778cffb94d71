package family

import "math/bits"

// counters count, and so have large automata.
var counters = []*Family{
	{Name: "rv-counter", About: "a counter of n bits", Source: rozier, Least: 1,
		build: func(n, _ int) formula { return counter(n, flatStart) }},
	{Name: "rv-counter-linear", About: "a counter of n bits, of linear size", Source: rozier, Least: 1,
		build: func(n, _ int) formula { return counter(n, nestedStart) }},
	{Name: "rv-counter-carry", About: "a counter of n bits with a carry", Source: rozier, Least: 1,
		build: func(n, _ int) formula { return carryCounter(n, flatStart) }},
	{Name: "rv-counter-carry-linear", About: "a counter of n bits with a carry, of linear size", Source: rozier, Least: 1,
		build: func(n, _ int) formula { return carryCounter(n, nestedStart) }},
	{Name: "kr-n", About: "linear size, deterministic automata doubly exponential", Source: kupfer, Least: 1, build: krLinear},
	{Name: "kr-nlogn", About: "size n log n, deterministic automata doubly exponential", Source: kupfer, Least: 1, build: krQuasilinear},
	{Name: "kv-psi", Aliases: []string{"kr-n2"}, About: "quadratic size, deterministic automata doubly exponential", Source: "Kupferman, Vardi 2005", Least: 1, build: kvPsi},
}

// start is how a counter says things about the n positions between two markers: all at once,
// each with its own X, or nested.
type start struct {
	// say is f at positions from to n-1, and last at position n (nothing if nil).
	say func(from, n int, f, last formula) formula
	// after is X(now & rest), or X now & X rest.
	after func(n int, now, rest formula) formula
	// linear says that nested X are shared.
	linear bool
}

var flatStart = start{
	say: func(from, n int, f, last formula) formula {
		parts := each(from, n-1, func(i int) formula { return steps(i, f) })
		if last != nil {
			parts = append(parts, steps(n, last))
		}
		return and(parts...)
	},
	after: func(n int, now, rest formula) formula { return and(steps(n, now), next(rest)) },
}

var nestedStart = start{
	say: func(from, n int, f, last formula) formula {
		if last == nil {
			if n--; n < from {
				return and()
			}
			last = f
		}
		return steps(from, chain(from, n, func(i int) formula {
			if i == n {
				return last
			}
			return f
		}, func(f, rest formula) formula { return and(f, next(rest)) }))
	},
	after:  func(n int, now, rest formula) formula { return next(and(steps(n-1, now), rest)) },
	linear: true,
}

// marked says that the marker comes every n positions, and that the first number is 0.
func marked(n int, s start) formula {
	b, m := ap("b"), ap("m")
	return and(m, not(b), always(implies(m, s.say(1, n, not(m), m))), s.say(1, n, not(b), nil))
}

// counter adds one to the number of n bits, least significant first, between two markers m.
func counter(n int, s start) formula {
	b, m := ap("b"), ap("m")
	same := until(and(not(m), iff(b, steps(n, b))), m)
	one := s.after(n, b, same) // this bit becomes 1, and the rest stays
	carried := until(and(b, not(m), steps(n, not(b))), or(m, and(not(b), not(m), one)))
	return and(marked(n, s), always(implies(and(m, not(b)), one)), always(implies(and(m, b), s.after(n, not(b), carried))))
}

// carryCounter is counter with a carry bit c.
func carryCounter(n int, s start) formula {
	b, m, c := ap("b"), ap("m"), ap("c")
	x := func(f formula) formula { // f at the next position; apart where nothing is shared
		if s.linear {
			return f
		}
		return next(f)
	}
	later := func(f formula) formula {
		if s.linear {
			return steps(n, f)
		}
		return steps(n+1, f)
	}
	whole := func(f formula) formula {
		if s.linear {
			return next(f)
		}
		return f
	}
	return and(marked(n, s),
		always(implies(and(m, not(b)), and(not(c), steps(n, b)))),
		always(implies(and(m, b), and(c, steps(n, not(b))))),
		always(implies(and(not(c), next(not(m))), whole(and(x(not(c)), iff(x(b), later(b)))))),
		always(implies(c, whole(and(
			implies(x(not(b)), and(x(not(c)), later(b))),
			implies(x(b), and(x(c), later(not(b)))))))))
}

// kvPsi says of words over a, b, c, d that what stands behind d, n letters a and b, stands
// somewhere before it, too.
func kvPsi(n, _ int) formula {
	a, b, c, d := ap("a"), ap("b"), ap("c"), ap("d")
	tail := next(always(c))
	for range n {
		tail = next(and(or(a, b), tail))
	}
	found := all(1, n, func(i int) formula {
		agrees := func(f formula) formula { return and(steps(i, f), always(implies(d, steps(i, f)))) }
		return or(agrees(a), agrees(b))
	})
	return and(until(not(d), and(d, tail)), finally(and(c, found, steps(n+1, c))), always(exclusive(a, b, c, d)))
}

// krLinear has letters of their own for each of the n places.
func krLinear(n, _ int) formula {
	c, d := ap("c"), ap("d")
	letter := func(i int) formula { return or(ap("a", i), ap("b", i)) }
	begin := or(letter(1), d)
	agrees := func(f formula) formula { return and(f, finally(and(d, finally(f)))) }
	return and(c, next(begin),
		always(all(1, n-1, func(i int) formula { return implies(letter(i), next(letter(i+1))) })),
		always(implies(letter(n), next(and(c, next(or(begin, always(c))))))),
		until(not(d), and(d, next(and(letter(1), steps(n, always(c)))))),
		finally(and(c, next(and(not(c), until(some(1, n, func(i int) formula { return or(agrees(ap("a", i)), agrees(ap("b", i))) }), c))))),
		always(implies(or(c, d), not(some(1, n, letter)))),
		always(implies(c, not(d))),
		always(all(1, n, func(i int) formula { return implies(ap("a", i), not(ap("b", i))) })))
}

// krQuasilinear writes the number of each place before its letter, in digits y (0) and z (1),
// least significant first.
func krQuasilinear(n, _ int) formula {
	a, b, c, d, y, z := ap("a"), ap("b"), ap("c"), ap("d"), ap("y"), ap("z")
	digits := max(1, bits.Len(uint(n-1)))
	number := func(i int) formula { // the digits of i-1
		return chain(0, digits-1, func(j int) formula {
			if (i-1)>>j&1 == 1 {
				return z
			}
			return y
		}, func(f, rest formula) formula { return and(f, next(rest)) })
	}
	begin := or(number(1), d)
	agrees := func(i int, f formula) formula {
		return and(f, finally(and(d, finally(and(number(i), steps(digits, f))))))
	}
	letters := []formula{a, b, c, d, y}
	if n > 1 {
		letters = append(letters, z)
	}
	return and(c, next(begin),
		always(all(1, n-1, func(i int) formula {
			return implies(number(i), steps(digits, and(or(a, b), next(number(i+1)))))
		})),
		always(implies(number(n), steps(digits, and(or(a, b), next(and(c, next(or(begin, always(c))))))))),
		until(not(d), and(d, next(and(number(1), steps(n*(digits+1), always(c)))))),
		finally(and(c, next(and(not(c), until(all(1, n, func(i int) formula {
			return implies(number(i), steps(digits, or(agrees(i, a), agrees(i, b))))
		}), c))))),
		always(exclusive(letters...)))
}
