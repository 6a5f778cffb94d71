package family

const (
	cichon   = "Cichoń, Czubak, Jasiński 2009"
	hansen   = "Geldenhuys, Hansen 2006"
	gastin   = "Gastin, Oddoux 2001"
	tabakov  = "Tabakov, Vardi 2010"
	mueller  = "Müller, Sickert 2017"
	sickert  = "Sickert and others 2016"
	ofSpot   = "Spot"
	rozier   = "Rozier, Vardi 2007"
	kupfer   = "Kupferman, Rosenberg 2010"
	piterman = "Piterman, Pnueli, Sa'ar 2006"
)

// junctions are conjunctions and disjunctions of n formulas of one shape.
var junctions = []*Family{
	{Name: "and-f", Aliases: []string{"gh-e"}, About: "F p1 & ... & F pn", Source: hansen,
		build: func(n, _ int) formula { return all(1, n, func(i int) formula { return finally(ap("p", i)) }) }},
	{Name: "and-fg", About: "F G p1 & ... & F G pn", Source: ofSpot,
		build: func(n, _ int) formula { return all(1, n, func(i int) formula { return atLast(ap("p", i)) }) }},
	{Name: "and-gf", Aliases: []string{"ccj-phi", "gh-c2"}, About: "G F p1 & ... & G F pn", Source: cichon,
		build: func(n, _ int) formula { return all(1, n, func(i int) formula { return infinitely(ap("p", i)) }) }},
	{Name: "or-fg", Aliases: []string{"ccj-xi"}, About: "F G p1 | ... | F G pn", Source: cichon,
		build: func(n, _ int) formula { return some(1, n, func(i int) formula { return atLast(ap("p", i)) }) }},
	{Name: "or-g", Aliases: []string{"gh-s"}, About: "G p1 | ... | G pn", Source: hansen,
		build: func(n, _ int) formula { return some(1, n, func(i int) formula { return always(ap("p", i)) }) }},
	{Name: "or-gf", Aliases: []string{"gh-c1"}, About: "G F p1 | ... | G F pn", Source: hansen,
		build: func(n, _ int) formula { return some(1, n, func(i int) formula { return infinitely(ap("p", i)) }) }},
	{Name: "gh-q", About: "(F p1 | G p2) & ... & (F pn | G p(n+1))", Source: hansen,
		build: func(n, _ int) formula {
			return all(1, n, func(i int) formula { return or(finally(ap("p", i)), always(ap("p", i+1))) })
		}},
	{Name: "gh-r", About: "(G F p1 | F G p2) & ... & (G F pn | F G p(n+1))", Source: hansen,
		build: func(n, _ int) formula {
			return all(1, n, func(i int) formula { return or(infinitely(ap("p", i)), atLast(ap("p", i+1))) })
		}},
	{Name: "ms-phi-h", About: "F G(a | b) | F G(!a | X b) | F G(a | X X b) | ... up to n X", Source: mueller,
		build: func(n, _ int) formula {
			return some(0, n, func(i int) formula {
				a := ap("a")
				if i%2 == 1 {
					a = not(a)
				}
				return atLast(or(a, steps(i, ap("b"))))
			})
		}},
	{Name: "ms-phi-r", About: "(F G an & G F bn) | ((F G a(n-1) | G F b(n-1)) & (...))", Source: mueller,
		build: func(n, _ int) formula { return alternating(n, true) }},
	{Name: "ms-phi-s", About: "(F G an | G F bn) & ((F G a(n-1) & G F b(n-1)) | (...))", Source: mueller,
		build: func(n, _ int) formula { return alternating(n, false) }},
}

// alternating is ms-phi-r if both, else ms-phi-s.
func alternating(n int, both bool) formula {
	a, b := atLast(ap("a", n)), infinitely(ap("b", n))
	switch {
	case both && n == 0:
		return and(a, b)
	case both:
		return or(and(a, b), alternating(n-1, false))
	case n == 0:
		return or(a, b)
	}
	return and(or(a, b), alternating(n-1, true))
}
