package ltl

// yesterday rewrites Y f.
func (v view) yesterday(f *Formula) *Formula {
	if !v.uses(RulesPast) || !f.HasFuture() {
		return nil
	}
	before := func(g *Formula) *Formula { return v.make(Yesterday, g) }
	later := before(v.make(True)) // there is a position before
	if v.both(f) {
		return v.make(And, later, f)
	}
	switch f.op {
	case Next:
		return v.make(And, later, f.args[0])
	case v.op(Or), v.op(And):
		ahead, rest := split(f.args, (*Formula).HasFuture)
		args := []*Formula{before(Make(f.op, rest...))}
		for _, g := range ahead {
			args = append(args, before(g))
		}
		if len(rest) == 0 {
			args = args[1:]
		}
		return Make(f.op, args...)
	case v.op(Eventually):
		return v.make(Or, before(f.args[0]), v.make(And, later, f))
	case v.op(Always):
		return v.make(And, before(f.args[0]), f)
	case v.op(Until), v.op(WeakUntil):
		return v.make(Or, before(f.args[1]), v.make(And, before(f.args[0]), f))
	case v.op(Release), v.op(StrongRelease):
		return v.make(And, before(f.args[1]), v.make(Or, before(f.args[0]), v.make(And, later, f)))
	}
	return nil
}

// once rewrites O f.
func (v view) once(f *Formula) *Formula {
	if v.universal(f) {
		return f
	}
	if !v.uses(RulesPast) {
		return nil
	}
	once := func(g *Formula) *Formula { return v.make(Once, g) }
	switch f.op {
	case v.op(Yesterday):
		return v.make(Yesterday, once(f.args[0]))
	case v.op(WeakYesterday):
		return v.make(True)
	case v.op(Since):
		return once(f.args[1])
	case v.op(And):
		if pulled, rest := split(f.args, v.both); len(pulled) > 0 {
			return v.make(And, append(pulled, once(v.make(And, rest...)))...)
		}
		if g := v.onceBesides(f.args); g != nil {
			return g
		}
	case v.op(Or):
		apart, rest := split(f.args, func(g *Formula) bool { return g.HasFuture() || v.is(g, Once) })
		if len(apart) == 0 || len(apart) == len(f.args) && len(rest) > 0 {
			return nil
		}
		args := []*Formula{}
		if len(rest) > 0 {
			args = append(args, once(v.make(Or, rest...)))
		}
		for _, g := range apart {
			args = append(args, once(g))
		}
		return v.make(Or, args...)
	}
	return v.onceFuture(f)
}

// onceBesides is O(p & F f) = O(f & O p) | (O p & F f) and O(p & G f) = (f S (p & f)) & G f, where
// only F f and G f have future operators ([Gabbay87]).
func (v view) onceBesides(args []*Formula) *Formula {
	ahead, rest := split(args, (*Formula).HasFuture)
	if len(ahead) != 1 || len(ahead[0].args) != 1 || ahead[0].args[0].HasFuture() {
		return nil
	}
	p, f := v.make(And, rest...), ahead[0].args[0]
	switch ahead[0].op {
	case v.op(Eventually):
		past := v.make(Once, p)
		return v.make(Or, v.make(Once, v.make(And, f, past)), v.make(And, past, ahead[0]))
	case v.op(Always):
		return v.make(And, v.make(Since, f, v.make(And, p, f)), ahead[0])
	}
	return nil
}

// onceFuture rewrites O f where f begins with a future operator: what is awaited has come by
// now, or is awaited still.
func (v view) onceFuture(f *Formula) *Formula {
	once := func(g *Formula) *Formula { return v.make(Once, g) }
	switch f.op {
	case Next:
		return v.make(Or, once(v.make(And, v.make(Yesterday, v.make(True)), f.args[0])), f)
	case v.op(Eventually):
		return v.make(Or, once(f.args[0]), f)
	case v.op(Until), v.op(WeakUntil):
		return v.make(Or, once(f.args[1]), f)
	case v.op(Release), v.op(StrongRelease):
		return v.make(Or, once(v.make(And, f.args...)), f)
	}
	return nil
}

// since rewrites l S r.
func (v view) since(l, r *Formula) *Formula {
	since := func(r *Formula) *Formula { return v.make(Since, l, r) }
	switch {
	case v.universal(r), v.implies(l, r):
		return r
	case v.covers(l, r):
		return v.make(Once, r)
	case v.is(r, Since) && v.implies(l, r.args[0]):
		return r
	case v.is(r, Since) && v.implies(r.args[0], l):
		return since(r.args[1])
	}
	if v.is(r, And) {
		if pulled, rest := split(r.args, v.both); len(pulled) > 0 {
			return v.make(And, append(pulled, since(v.make(And, rest...)))...)
		}
	}
	return nil
}

// mergePast merges operands of a disjunction that look back in the same way: Y f | Y g =
// Y(f | g), O f | O g = O(f | g), (f S g) | (f S h) = f S (g | h), (f T h) | (g T h) = (f | g) T h.
func (v view) mergePast(args []*Formula) *Formula {
	if !v.uses(RulesPast) {
		return nil
	}
	steps, rest := split(args, func(g *Formula) bool {
		return (g.op == Yesterday || g.op == WeakYesterday) && !g.HasFuture()
	})
	if len(steps) > 1 {
		op := v.op(Yesterday)
		inner := make([]*Formula, len(steps))
		for i, g := range steps {
			inner[i] = g.args[0]
			if v.is(g, WeakYesterday) {
				op = g.op
			}
		}
		return v.make(Or, append(rest, Make(op, v.make(Or, inner...)))...)
	}
	if g := v.mergeUnary(Once, args, func(g *Formula) bool { return v.is(g, Once) && !g.HasFuture() }); g != nil {
		return g
	}
	for i, f := range args {
		if !v.is(f, Since) && !v.is(f, Triggered) {
			continue
		}
		for j, g := range args[:i] {
			if f.op != g.op {
				continue
			}
			switch {
			case v.is(f, Since) && f.args[0] == g.args[0]:
				merged := v.make(Since, f.args[0], v.make(Or, f.args[1], g.args[1]))
				return v.make(Or, append(without(args, i, j), merged)...)
			case v.is(f, Triggered) && f.args[1] == g.args[1]:
				merged := v.make(Triggered, v.make(Or, f.args[0], g.args[0]), f.args[1])
				return v.make(Or, append(without(args, i, j), merged)...)
			}
		}
	}
	return nil
}

// impliedPast is syntactic implication where f or g looks back. That f implies g means: at every
// position of every word.
func (s *Simplifier) impliedPast(f, g *Formula) bool {
	if !isPast(f.op) && !isPast(g.op) {
		return false
	}
	return s.impliedPastLeft(f, g) || s.impliedPastRight(f, g) || s.impliedPastBoth(f, g)
}

func (s *Simplifier) impliedPastLeft(f, g *Formula) bool {
	un := g.class.Has(Universal) // then f implies g if "at some time before f1" does
	switch f.op {
	case Yesterday, Once:
		return un && s.syntactic(f.args[0], g)
	case Historically:
		return s.syntactic(f.args[0], g)
	case Since:
		return s.syntactic(f.args[1], g) && (un || s.syntactic(f.args[0], g))
	case Triggered:
		return s.syntactic(f.args[1], g)
	}
	return false
}

func (s *Simplifier) impliedPastRight(f, g *Formula) bool {
	ev := f.class.Has(Eventual) // then f implies g if it implies "always before g1"
	switch g.op {
	case Once:
		return s.syntactic(f, g.args[0])
	case WeakYesterday, Historically:
		return ev && s.syntactic(f, g.args[0])
	case Since:
		return s.syntactic(f, g.args[1])
	case Triggered:
		return s.syntactic(f, g.args[1]) && (ev || s.syntactic(f, g.args[0]))
	}
	return false
}

func (s *Simplifier) impliedPastBoth(f, g *Formula) bool {
	switch {
	case f.op == Yesterday && (g.op == Yesterday || g.op == WeakYesterday), f.op == WeakYesterday && g.op == WeakYesterday:
		return s.syntactic(f.args[0], g.args[0])
	case f.op == Since && g.op == Since:
		return s.syntactic(f.args[0], g.args[0]) && s.syntactic(f.args[1], g)
	case f.op == Triggered && g.op == Triggered:
		return s.syntactic(f.args[0], g.args[0]) && s.syntactic(f.args[1], g.args[1])
	}
	return false
}

func (v view) isStepBack(f *Formula) bool {
	return v.uses(RulesPast) && (f.op == Yesterday || f.op == WeakYesterday)
}

// stepOn returns the disjunction as of the next position, if some operand looks one step back: as
// in F G(f | Y g) = F G(X f | g).
func (v view) stepOn(args []*Formula) *Formula {
	back, rest := split(args, v.isStepBack)
	if len(back) == 0 {
		return nil
	}
	for i, g := range back {
		back[i] = g.args[0]
	}
	for _, g := range rest {
		back = append(back, MakeNext(g))
	}
	return v.make(Or, back...)
}
