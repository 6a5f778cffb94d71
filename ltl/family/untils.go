package family

// untils nest operators.
var untils = []*Family{
	{Name: "u-left", Aliases: []string{"gh-u"}, About: "((p1 U p2) U p3) ... U pn", Source: hansen, Least: 1,
		build: func(n, _ int) formula { return leftwards(n, until) }},
	{Name: "u-right", Aliases: []string{"gh-u2", "go-phi"}, About: "p1 U (p2 U (... U pn))", Source: gastin, Least: 1,
		build: func(n, _ int) formula { return chain(1, n, func(i int) formula { return ap("p", i) }, until) }},
	{Name: "r-left", About: "((p1 R p2) R p3) ... R pn", Source: ofSpot, Least: 1,
		build: func(n, _ int) formula { return leftwards(n, release) }},
	{Name: "r-right", About: "p1 R (p2 R (... R pn))", Source: ofSpot, Least: 1,
		build: func(n, _ int) formula { return chain(1, n, func(i int) formula { return ap("p", i) }, release) }},
	{Name: "ccj-alpha", About: "F(p1 & F(p2 & ... F pn)) & F(q1 & F(q2 & ... F qn))", Source: cichon, Least: 1,
		build: func(n, _ int) formula { return and(inTurn("p", n), inTurn("q", n)) }},
	{Name: "ccj-beta", About: "F(p & X(p & ... X p)) & F(q & X(q & ... X q)), n of each", Source: cichon, Least: 1,
		build: func(n, _ int) formula { return and(finally(nested(n, ap("p"), and)), finally(nested(n, ap("q"), and))) }},
	{Name: "ccj-beta-prime", About: "F(p & X p & X X p ...) & F(q & X q & X X q ...), n of each", Source: cichon, Least: 1,
		build: func(n, _ int) formula { return and(finally(flat(n, ap("p"), and)), finally(flat(n, ap("q"), and))) }},
	{Name: "tv-f1", About: "G(p -> (q | X q | ... )), n times q", Source: tabakov, Least: 1,
		build: func(n, _ int) formula { return always(implies(ap("p"), flat(n, ap("q"), or))) }},
	{Name: "tv-f2", About: "G(p -> (q | X(q | X(...)))), n times q", Source: tabakov, Least: 1,
		build: func(n, _ int) formula { return always(implies(ap("p"), nested(n, ap("q"), or))) }},
	{Name: "tv-g1", About: "G(p -> (q & X q & ... )), n times q", Source: tabakov, Least: 1,
		build: func(n, _ int) formula { return always(implies(ap("p"), flat(n, ap("q"), and))) }},
	{Name: "tv-g2", About: "G(p -> (q & X(q & X(...)))), n times q", Source: tabakov, Least: 1,
		build: func(n, _ int) formula { return always(implies(ap("p"), nested(n, ap("q"), and))) }},
	{Name: "tv-uu", About: "G(p1 -> (p1 U (p2 & (p2 U (... p(n+1))))))", Source: tabakov, Least: 1,
		build: func(n, _ int) formula {
			f := ap("p", n+1)
			for i := n; i >= 1; i-- {
				if f = until(ap("p", i), f); i > 1 {
					f = and(ap("p", i), f)
				}
			}
			return always(implies(ap("p", 1), f))
		}},
	{Name: "fxg-or", About: "F(p0 | X G(p1 | X G(p2 | ... X G pn)))", Source: ofSpot,
		build: func(n, _ int) formula {
			return finally(chain(0, n, func(i int) formula { return ap("p", i) }, func(f, rest formula) formula { return or(f, next(always(rest))) }))
		}},
	{Name: "gxf-and", About: "G(p0 & X F(p1 & X F(p2 & ... X F pn)))", Source: ofSpot,
		build: func(n, _ int) formula {
			return always(chain(0, n, func(i int) formula { return ap("p", i) }, func(f, rest formula) formula { return and(f, next(finally(rest))) }))
		}},
	{Name: "eil-gsi", About: "a since b, n steps back, implies c, moved to the future", Source: ofSpot,
		build: func(n, _ int) formula {
			since := ap("b")
			for i := 1; i <= n; i++ {
				since = or(steps(i, ap("b")), and(steps(i, ap("a")), since))
			}
			return implies(since, steps(n, ap("c")))
		}},
}

func leftwards(n int, join func(f, g formula) formula) formula {
	f := ap("p", 1)
	for i := 2; i <= n; i++ {
		f = join(f, ap("p", i))
	}
	return f
}

// inTurn is F(p1 & F(p2 & ... F pn)).
func inTurn(name string, n int) formula {
	return finally(chain(1, n, func(i int) formula { return ap(name, i) }, func(f, rest formula) formula { return and(f, finally(rest)) }))
}

// nested is f & X(f & X(... f)) with n times f, or the same with |.
func nested(n int, f formula, join func(...formula) formula) formula {
	return chain(1, n, func(int) formula { return f }, func(f, rest formula) formula { return join(f, next(rest)) })
}

// flat is f & X f & X X f ... with n times f, or the same with |.
func flat(n int, f formula, join func(...formula) formula) formula {
	return join(each(0, n-1, func(i int) formula { return steps(i, f) })...)
}
