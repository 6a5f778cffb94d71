package family

import "github.com/seltl/seltl/ltl"

// arbiters give grants o1..on to requests i1..in.
var arbiters = []*Family{
	{Name: "pps-arbiter-standard", About: "an arbiter of n clients: assumptions imply guarantees", Source: piterman, Least: 1,
		build: func(n, _ int) formula { return arbiter(n, false) }},
	{Name: "pps-arbiter-strict", About: "an arbiter of n clients that keeps the rules as long as its clients do", Source: piterman, Least: 1,
		build: func(n, _ int) formula { return arbiter(n, true) }},
}

func arbiter(n int, strict bool) formula {
	i := func(k int) formula { return ap("i", k) }
	o := func(k int) formula { return ap("o", k) }
	idle := all(1, n, func(k int) formula { return not(i(k)) })
	free := all(1, n, func(k int) formula { return not(o(k)) })
	released := all(1, n, func(k int) formula { return infinitely(not(and(i(k), o(k)))) })
	// A client keeps its request until it is answered; the arbiter its answer.
	patient := all(1, n, func(k int) formula { return implies(ltl.MakeXor(i(k), o(k)), iff(i(k), next(i(k)))) })
	steady := and(exclusive(each(1, n, o)...), all(1, n, func(k int) formula { return implies(iff(i(k), o(k)), iff(o(k), next(o(k)))) }))
	answered := all(1, n, func(k int) formula { return infinitely(iff(i(k), o(k))) })
	assumed := and(released, always(patient))
	if strict {
		return implies(idle, and(free, ltl.MakeWeakUntil(steady, not(patient)), implies(assumed, answered)))
	}
	return implies(idle, and(free, implies(assumed, and(answered, always(steady)))))
}
