package values

import "github.com/seltl/seltl/logic"

// assume makes the values those for which a formula is true, or false, as far as that can
// be told by values; it returns false if there are none.
func (e *env) assume(n *node, want bool) bool {
	if v := e.eval(n); v.sym == 0 {
		return (v.n == 1) == want
	}
	if n.kind == opaque {
		return true
	}
	switch n.op {
	case logic.OpSelect:
		return e.force(n, truth(want).n)
	case logic.OpVar:
		return e.force(n, truth(want).n)
	case logic.OpNot:
		return e.assume(n.args[0], !want)
	case logic.OpAnd, logic.OpOr:
		if (n.op == logic.OpAnd) == want {
			return e.assumeAll(n.args, want)
		}
		return e.assumeLast(n.args, want)
	case logic.OpEq:
		return e.equate(n.args[0], n.args[1], want)
	case logic.OpBVULe, logic.OpBVULt:
		a, b := n.args[0], n.args[1]
		if a.kind == opaque {
			return true
		}
		if v, w := e.eval(a), e.eval(b); w.sym == 0 {
			if _, _, equal, ok := zero(n, v, w); ok {
				return e.settle(a, equal == want)
			}
		} else if _, _, equal, ok := zero(n, v, w); ok {
			return e.settle(b, equal == want)
		}
	}
	return true
}

// settle makes a word 0, or another number.
func (e *env) settle(n *node, zero bool) bool {
	if zero {
		return e.force(n, 0)
	}
	return e.forbid(n, 0)
}

// assumeAll assumes all formulas, and again what came before others that were learnt from.
func (e *env) assumeAll(all []*node, want bool) bool {
	for range 3 {
		before := e.stamp
		for _, a := range all {
			if !e.assume(a, want) {
				return false
			}
		}
		if e.stamp == before {
			break
		}
	}
	return true
}

// assumeLast assumes that one of some formulas holds, which tells something if there is
// only one that can.
func (e *env) assumeLast(all []*node, want bool) bool {
	var last *node
	for _, a := range all {
		if e.eval(a).sym == 0 {
			continue // does not: otherwise the whole would be known
		}
		if last != nil {
			return true
		}
		last = a
	}
	return last == nil || e.assume(last, want)
}

// equate makes two terms equal, or different.
func (e *env) equate(a, b *node, want bool) bool {
	if a.kind == opaque || b.kind == opaque {
		return true
	}
	if a.kind == arrays {
		return !want || e.same(a, b) && e.same(b, a)
	}
	v, w := e.eval(a), e.eval(b)
	if v.sym == 0 {
		a, b, v, w = b, a, w, v
	}
	switch {
	case w.sym == 0 && a.kind == boolean:
		return e.assume(a, (w.n == 1) == want)
	case w.sym == 0 && want:
		return e.force(a, w.n)
	case w.sym == 0:
		return e.forbid(a, w.n)
	case !want || a.kind == boolean:
		return true // no two symbols are known to differ
	}
	return e.solve(a, b)
}

// solve makes two terms equal by binding a symbol of their difference.
func (e *env) solve(a, b *node) bool {
	s, ok := e.difference(a, b)
	if !ok {
		return true
	}
	k, x, y := s.kind, s.terms[0], s.terms[1]
	minus := k.cut(minusOne)
	switch {
	case s.length == 1 && (x.factor == 1 || x.factor == minus):
		n, ok := k.mul(s.n, k.cut(-x.factor))
		if ok {
			return e.bind(k, x.sym, constant(n))
		}
	case s.length == 1 && k == integer:
		if int64(s.n)%int64(x.factor) != 0 {
			return false
		}
		return e.bind(k, x.sym, constant(uint64(-(int64(s.n) / int64(x.factor)))))
	case s.length == 2 && x.factor == 1 && y.factor == minus:
		if n, ok := k.mul(s.n, minus); ok {
			return e.bind(k, x.sym, value{y.sym, n})
		}
	case s.length == 2 && x.factor == minus && y.factor == 1:
		if n, ok := k.mul(s.n, minus); ok {
			return e.bind(k, y.sym, value{x.sym, n})
		}
	}
	return true
}

// force makes a term a number.
func (e *env) force(n *node, c uint64) bool {
	v := e.eval(n)
	switch {
	case v.sym == 0:
		return v.n == c
	case v.sym != unknown:
		if d, ok := n.kind.sub(c, v.n); ok {
			return e.bind(n.kind, v.sym, constant(d))
		}
		return true
	}
	switch n.op {
	case logic.OpIte:
		if x := e.eval(n.args[1]); x.sym == 0 && x.n != c {
			return e.assume(n.args[0], false) && e.force(n.args[2], c)
		}
		if x := e.eval(n.args[2]); x.sym == 0 && x.n != c {
			return e.assume(n.args[0], true) && e.force(n.args[1], c)
		}
	case logic.OpZeroExtend, logic.OpSignExtend:
		arg := n.args[0]
		if arg.kind == opaque {
			return true
		}
		return extended(n, c) && e.force(arg, arg.kind.cut(c))
	case logic.OpConcat:
		hi, lo := n.args[0], n.args[1]
		if hi.kind == opaque || lo.kind == opaque {
			return true
		}
		return e.force(hi, c>>lo.kind) && e.force(lo, lo.kind.cut(c))
	case logic.OpSelect:
		e.learn(n, c)
	case logic.OpAdd, logic.OpBVAdd, logic.OpMul, logic.OpBVNeg:
		return e.solve(n, &node{op: logic.OpNumber, kind: n.kind, n: c})
	}
	return true
}

// extended reports that a number is one of a shorter term, extended.
func extended(n *node, c uint64) bool {
	k := n.args[0].kind
	if n.op == logic.OpZeroExtend {
		return k.cut(c) == c
	}
	return n.kind.cut(uint64(k.signed(k.cut(c)))) == c
}

// forbid makes a term another number than c.
func (e *env) forbid(n *node, c uint64) bool {
	v := e.eval(n)
	switch {
	case v.sym == 0:
		return v.n != c
	case n.kind == 1:
		return e.force(n, 1-c)
	case v.sym != unknown:
		if d, ok := n.kind.sub(c, v.n); ok {
			e.exclude(v.sym, d)
		}
		return true
	}
	switch n.op {
	case logic.OpIte:
		if x := e.eval(n.args[1]); x.sym == 0 && x.n == c {
			return e.assume(n.args[0], false) && e.forbid(n.args[2], c)
		}
		if x := e.eval(n.args[2]); x.sym == 0 && x.n == c {
			return e.assume(n.args[0], true) && e.forbid(n.args[1], c)
		}
	case logic.OpZeroExtend, logic.OpSignExtend:
		if arg := n.args[0]; arg.kind != opaque && extended(n, c) {
			return e.forbid(arg, arg.kind.cut(c))
		}
	}
	return true
}
