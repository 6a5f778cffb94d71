package family

// fairness are formulas about what happens infinitely often.
var fairness = []*Family{
	{Name: "gf-equiv", About: "(G F a1 & ... & G F an) <-> G F z", Source: ofSpot,
		build: func(n, _ int) formula { return iff(often("a", n), infinitely(ap("z"))) }},
	{Name: "gf-implies", About: "(G F a1 & ... & G F an) -> G F z", Source: ofSpot,
		build: func(n, _ int) formula { return implies(often("a", n), infinitely(ap("z"))) }},
	{Name: "gf-equiv-xn", About: "G F(a <-> X ... X a), n times X", Source: ofSpot,
		build: func(n, _ int) formula { return infinitely(iff(ap("a"), steps(n, ap("a")))) }},
	{Name: "gf-implies-xn", About: "G F(a -> X ... X a), n times X", Source: ofSpot,
		build: func(n, _ int) formula { return infinitely(implies(ap("a"), steps(n, ap("a")))) }},
	{Name: "go-theta", About: "!((G F p1 & ... & G F pn) -> G(q -> F r))", Source: gastin,
		build: func(n, _ int) formula {
			return not(implies(often("p", n), always(implies(ap("q"), finally(ap("r"))))))
		}},
	{Name: "ms-example", About: "G F(a1 & X(a2 & ... X an)) & F(b1 & F(b2 & ... F bm))", Source: mueller, Arity: 2, Least: 1,
		build: func(n, m int) formula {
			a := chain(1, n, func(i int) formula { return ap("a", i) }, func(f, rest formula) formula { return and(f, next(rest)) })
			return and(infinitely(a), inTurn("b", m))
		}},
	{Name: "sejk-f", About: "f(0,m) = G F a0 U X ... X b, f(n,m) = G F an U G f(n-1,m)", Source: sickert, Arity: 2,
		build: func(n, m int) formula {
			f := until(infinitely(ap("a", 0)), steps(m, ap("b")))
			for i := 1; i <= n; i++ {
				f = until(infinitely(ap("a", i)), always(f))
			}
			return f
		}},
	{Name: "sejk-j", About: "(G F a1 & ... & G F an) -> (G F b1 & ... & G F bn)", Source: sickert,
		build: func(n, _ int) formula { return implies(often("a", n), often("b", n)) }},
	{Name: "sejk-k", About: "(G F a1 | F G b1) & ... & (G F an | F G bn)", Source: sickert,
		build: func(n, _ int) formula {
			return all(1, n, func(i int) formula { return or(infinitely(ap("a", i)), atLast(ap("b", i))) })
		}},
}

// often is G F p1 & ... & G F pn.
func often(name string, n int) formula {
	return all(1, n, func(i int) formula { return infinitely(ap(name, i)) })
}
