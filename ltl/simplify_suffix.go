package ltl

import "slices"

// suffixAnd rewrites {r}<>-> f; the comments show this reading, of which {r}[]-> f is the dual.
func (v view) suffixAnd(r *Regexp, f *Formula) *Formula {
	if !v.uses(RulesRegular) {
		return nil
	}
	then := func(r *Regexp, f *Formula) *Formula { return suffix(v.op(SuffixAnd), r, f) }
	if len(f.args) > 0 { // {r}<>-> (f & q) = ({r}<>-> f) & q
		if pulled, rest := split(v.operands(And, f), v.both); len(pulled) > 0 {
			return v.make(And, append(pulled, then(r, v.make(And, rest...)))...)
		}
	}
	switch r.op {
	case OneLetter: // {b}<>-> f = b & f
		return v.make(And, v.letter(r), f)
	case Star:
		switch b := r.args[0]; {
		case b.op != OneLetter:
		case r.lo <= 1 && r.hi == Unbounded: // {b[*]}<>-> f = f M b
			return v.make(StrongRelease, f, v.letter(b))
		case r.lo > 1 && r.lo <= maxUnrolled:
			return v.make(And, v.letter(b), MakeNext(then(oneLess(r), f)))
		}
	case FusionStar:
		if r.lo == 0 && f.op == v.op(True) { // one letter is a match
			return f
		}
	case Fusion:
		n := len(r.args) - 1
		if b := r.args[0]; b.op == OneLetter { // {b : r}<>-> f = b & {r}<>-> f
			return v.make(And, v.letter(b), then(MakeFusion(r.args[1:]...), f))
		}
		if b := r.args[n]; b.op == OneLetter { // {r : b}<>-> f = {r}<>-> (b & f)
			return then(MakeFusion(r.args[:n]...), v.make(And, v.letter(b), f))
		}
	case Concat:
		if g := v.suffixFirst(r, f, then); g != nil {
			return g
		}
		return v.suffixLast(r, f, then)
	}
	return nil
}

// maxUnrolled bounds the letters of b[*i..] that become formulas with X.
const maxUnrolled = 16

// letter is the formula of a letter, in the dual view its negation.
func (v view) letter(r *Regexp) *Formula {
	if v.dual {
		return v.negate(r.letter)
	}
	return r.letter
}

// suffixFirst takes the first operand out of {r1 ; r2}<>-> f.
func (v view) suffixFirst(r *Regexp, f *Formula, then func(*Regexp, *Formula) *Formula) *Formula {
	first, rest := r.args[0], MakeConcat(r.args[1:]...)
	switch {
	case first.op == OneLetter: // {b ; r}<>-> f = b & X({r}<>-> f), b & (f | X({r}<>-> f)) if r matches [*0]
		g := MakeNext(then(rest, f))
		if rest.nullable {
			g = v.make(Or, f, g)
		}
		return v.make(And, v.letter(first), g)
	case first.op != Star || first.args[0].op != OneLetter:
	case first.lo == 0 && first.hi == Unbounded && !rest.nullable: // {b[*] ; r}<>-> f = b U ({r}<>-> f)
		return v.make(Until, v.letter(first.args[0]), then(rest, f))
	case first.lo > 0 && first.lo <= maxUnrolled && (first.lo > 1 || !rest.nullable):
		return v.make(And, v.letter(first.args[0]), MakeNext(then(MakeConcat(oneLess(first), rest), f)))
	}
	return nil
}

// suffixLast takes the last operand out of {r1 ; r2}<>-> f.
func (v view) suffixLast(r *Regexp, f *Formula, then func(*Regexp, *Formula) *Formula) *Formula {
	n := len(r.args) - 1
	last, rest := r.args[n], MakeConcat(r.args[:n]...)
	if rest.nullable || last.op != Star || last.args[0].op != OneLetter || last.lo > 0 || last.hi != Unbounded {
		return nil
	}
	if last == anyWord { // {r ; [*]}<>-> f = {r}<>-> F f
		return then(rest, v.make(Eventually, f))
	}
	// {r ; b[*]}<>-> f = {r}<>-> (f | X(f M b))
	return then(rest, v.make(Or, f, MakeNext(v.make(StrongRelease, f, v.letter(last.args[0])))))
}

// closure rewrites {r} and, as its negation, !{r}.
func (s *Simplifier) closure(r *Regexp, positive bool) *Formula {
	if !s.uses(RulesRegular) {
		return nil
	}
	g := s.positiveClosure(r)
	if g == nil || positive {
		return g
	}
	return s.negate(g)
}

// maxEmptiness bounds the size of expressions that are asked whether they match anything.
const maxEmptiness = 200

func (s *Simplifier) positiveClosure(r *Regexp) *Formula {
	switch r.op {
	case Star: // {r[*i..j]} = {r} if i < 2
		if r.lo <= 1 {
			return MakeClosure(r.args[0])
		}
	case Union: // {b | r} = b | {r}
		if i := slices.IndexFunc(r.args, func(a *Regexp) bool { return a.op == OneLetter || a.op == EmptyWord }); i >= 0 {
			rest := append(slices.Clone(r.args[:i]), r.args[i+1:]...)
			return MakeOr(MakeClosure(r.args[i]), MakeClosure(MakeUnion(rest...)))
		}
	case Concat:
		for n := len(r.args) - 1; n > 0; n-- { // {r ; s} = {r} if s matches [*0], and r does not
			if !r.args[n].nullable {
				break
			}
			if rest := MakeConcat(r.args[:n]...); !rest.nullable {
				return MakeClosure(rest)
			}
		}
		first, rest := r.args[0], MakeConcat(r.args[1:]...)
		switch {
		case rest.nullable:
		case first.op == OneLetter: // {b ; r} = b & X {r}
			return MakeAnd(first.letter, MakeNext(MakeClosure(rest)))
		case first.op == Star && first.lo == 0 && first.hi == Unbounded && first.args[0].op == OneLetter &&
			rest.size <= maxEmptiness && !rest.Empty(): // {b[*] ; r} = b W {r} if r matches something
			return MakeWeakUntil(first.args[0].letter, MakeClosure(rest))
		}
	}
	return nil
}
