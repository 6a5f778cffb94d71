package ltl

// Truth is what is known of a formula at a position of a word.
type Truth uint8

const (
	Open Truth = iota // it depends on what follows
	Fails
	Holds
)

func truthOf(b bool) Truth {
	if b {
		return Holds
	}
	return Fails
}

func (t Truth) not() Truth {
	switch t {
	case Holds:
		return Fails
	case Fails:
		return Holds
	}
	return Open
}

// and and or are Kleene's.
func (t Truth) and(u Truth) Truth {
	switch {
	case t == Fails || u == Fails:
		return Fails
	case t == Holds && u == Holds:
		return Holds
	}
	return Open
}

func (t Truth) or(u Truth) Truth { return t.not().and(u.not()).not() }

// same is Kleene's equivalence.
func (t Truth) same(u Truth) Truth {
	if t == Open || u == Open {
		return Open
	}
	return truthOf(t == u)
}

// Positions says which subformulas of a formula hold at which positions of a word.
type Positions struct {
	Formulas []*Formula // as Subformulas: operands first, the formula itself last
	Truth    [][]Truth  // of each formula, at each position
	// Next is the position behind each; -1 behind the last one of a prefix.
	Next []int
	// Written is how many positions are those of the word as it was given: the others are later
	// passes through its loop, in which past operators may say something else.
	Written int
}

// OnWord returns the truth of all subformulas of f at each position of a word, stem first,
// by the semantics of Eval. Where f has past operators the first positions are those of the word,
// and more passes through its loop follow, until what they say no longer changes. Time and memory
// are as for Eval.
func OnWord(f *Formula, w Word) *Positions {
	written := w.Len()
	w = w.settled(f)
	p := &Positions{Written: written, Formulas: Subformulas(f), Next: make([]int, w.Len())}
	for i := range p.Next {
		p.Next[i] = w.Next(i)
	}
	values := map[*Formula][]bool{}
	for _, g := range p.Formulas {
		values[g] = evalOne(g, w, values)
		row := make([]Truth, w.Len())
		for i, v := range values[g] {
			row[i] = truthOf(v)
		}
		p.Truth = append(p.Truth, row)
	}
	return p
}

// OnPrefix returns what is known of all subformulas of f at each position of a beginning of a
// word, whatever follows. It is what Kleene's logic says, and so less than could be known: an
// open formula may have the same truth on all words that begin so. letters say of an atom
// what is known of it at their position. Time and memory are as for Eval.
func OnPrefix(f *Formula, letters []func(Atom) Truth) *Positions {
	p := &Positions{Formulas: Subformulas(f), Next: make([]int, len(letters)), Written: len(letters)}
	for i := range p.Next {
		p.Next[i] = i + 1
	}
	if len(letters) > 0 {
		p.Next[len(letters)-1] = -1
	}
	known := map[*Formula][]Truth{}
	for _, g := range p.Formulas {
		row := make([]Truth, len(letters))
		if isPast(g.op) {
			knownBefore(g, row, known)
			known[g] = row
			p.Truth = append(p.Truth, row)
			continue
		}
		if g.re != nil {
			knownAhead(g, row, letters, known[g.Last()])
			known[g] = row
			p.Truth = append(p.Truth, row)
			continue
		}
		next := Open
		for i := len(row) - 1; i >= 0; i-- {
			row[i] = knownNow(g, letters[i], func(k int) Truth { return known[g.args[k]][i] }, func() Truth {
				if p.Next[i] < 0 {
					return Open
				}
				return known[g.args[0]][i+1]
			}, next)
			next = row[i]
		}
		known[g] = row
		p.Truth = append(p.Truth, row)
	}
	return p
}

// knownNow is what is known of g at a position, given its operands there, its first operand at
// the next position, and itself at the next position. What it does not know is open.
func knownNow(g *Formula, letter func(Atom) Truth, arg func(int) Truth, after func() Truth, next Truth) Truth {
	switch g.op {
	case True:
		return Holds
	case False:
		return Fails
	case Atomic:
		return letter(g.atom)
	case Not:
		return arg(0).not()
	case And, Or:
		v := arg(0)
		for k := range g.args[1:] {
			if g.op == And {
				v = v.and(arg(k + 1))
			} else {
				v = v.or(arg(k + 1))
			}
		}
		return v
	case Implies:
		return arg(0).not().or(arg(1))
	case Iff:
		return arg(0).same(arg(1))
	case Xor:
		return arg(0).same(arg(1)).not()
	case Next:
		return after()
	case Eventually:
		return arg(0).or(next)
	case Always:
		return arg(0).and(next)
	case Until, WeakUntil:
		return arg(1).or(arg(0).and(next))
	case Release, StrongRelease:
		return arg(1).and(arg(0).or(next))
	}
	return Open
}

// knownBefore fills in what is known of a formula with a past operator outermost.
func knownBefore(g *Formula, row []Truth, known map[*Formula][]Truth) {
	last := truthOf(g.op == WeakYesterday || g.op == Historically || g.op == Triggered)
	left := known[g.args[0]]
	for i := range row {
		switch g.op {
		case Yesterday, WeakYesterday:
			row[i], last = last, left[i]
			continue
		case Once:
			last = left[i].or(last)
		case Historically:
			last = left[i].and(last)
		case Since:
			last = known[g.args[1]][i].or(left[i].and(last))
		case Triggered:
			last = known[g.args[1]][i].and(left[i].or(last))
		}
		row[i] = last
	}
}

// Reason is a step of the explanation why a formula fails, or holds: a subformula of it that
// does so at a position.
type Reason struct {
	Formula *Formula
	At      int
	Holds   bool
	// Ever says that it is so at all positions from At on.
	Ever bool
}

// mostReasons bounds an explanation.
const mostReasons = 24

// Why explains the truth of the formula at the first position: the formula itself, and then
// what that rests on, each with what it rests on behind it. It takes one reason of several,
// the first, and ends with atoms, with what is the same at all positions from one on, and with
// what only all that may follow decides. At most 24 reasons are given.
func (p *Positions) Why() []Reason {
	row := map[*Formula][]Truth{}
	for i, f := range p.Formulas {
		row[f] = p.Truth[i]
	}
	e := &explanation{Positions: p, row: row}
	if len(p.Next) > 0 {
		e.because(p.Formulas[len(p.Formulas)-1], 0)
	}
	return e.reasons
}

type explanation struct {
	*Positions
	row     map[*Formula][]Truth
	reasons []Reason
}

// from lists the positions from i on, each once.
func (e *explanation) from(i int) (all []int) {
	seen := make([]bool, len(e.Next))
	for ; i >= 0 && !seen[i]; i = e.Next[i] {
		seen[i] = true
		all = append(all, i)
	}
	return all
}

// because says what truth f has at i, and explains it.
func (e *explanation) because(f *Formula, i int) {
	now := e.row[f][i]
	if now == Open || len(e.reasons) >= mostReasons {
		return
	}
	if f.op == Not && f.args[0].op == Atomic {
		f, now = f.args[0], now.not()
	}
	e.reasons = append(e.reasons, Reason{Formula: f, At: i, Holds: now == Holds})
	for f.op == Not { // its operand goes without saying
		f, now = f.args[0], now.not()
	}
	e.explain(f, i, now)
}

// explain explains the truth of f at i.
func (e *explanation) explain(f *Formula, i int, now Truth) {
	switch f.op {
	case And, Or:
		e.junction(f, i, now)
	case Implies:
		left := e.row[f.args[0]][i]
		if now == Fails || left == Fails {
			e.because(f.args[0], i)
		}
		if now == Fails || left != Fails {
			e.because(f.args[1], i)
		}
	case Iff, Xor:
		e.because(f.args[0], i)
		e.because(f.args[1], i)
	case Next:
		if j := e.Next[i]; j >= 0 {
			e.because(f.args[0], j)
		}
	case Always, Eventually:
		e.along(f, i, now)
	case Until, WeakUntil, Release, StrongRelease:
		e.until(f, i, now)
	case SuffixImplies, SuffixAnd:
		e.match(f, i, now)
	case Yesterday, WeakYesterday:
		if i > 0 {
			e.because(f.args[0], i-1)
		}
	case Once, Historically:
		e.back(f.args[0], nil, i, now, truthOf(f.op == Once))
	case Since, Triggered:
		e.back(f.args[1], f.args[0], i, now, truthOf(f.op == Since))
	}
}

// back explains the past operators: the last position at which right has the truth that decides,
// or left the other one before that, or else all positions up to i.
func (e *explanation) back(right, left *Formula, i int, now, decides Truth) {
	for j := i; j >= 0; j-- {
		switch {
		case e.row[right][j] == decides && now == decides:
			e.because(right, j)
			return
		case left != nil && now != decides && e.row[left][j] == decides.not():
			e.because(left, j)
			e.because(right, j)
			return
		}
	}
	if now != decides {
		e.because(right, i)
	}
}

// junction explains a conjunction or a disjunction: by one operand if that is enough.
func (e *explanation) junction(f *Formula, i int, now Truth) {
	enough := map[Op]Truth{And: Fails, Or: Holds}[f.op]
	for _, g := range f.args {
		if now != enough || e.row[g][i] == now {
			e.because(g, i)
			if now == enough {
				return
			}
		}
	}
}

// along explains G and F: by the first position that decides, or by all.
func (e *explanation) along(f *Formula, i int, now Truth) {
	enough := map[Op]Truth{Always: Fails, Eventually: Holds}[f.op]
	if now != enough {
		e.lasting(f.args[0], i, now)
		return
	}
	for _, j := range e.from(i) {
		if e.row[f.args[0]][j] == now {
			e.because(f.args[0], j)
			return
		}
	}
}

// until explains the binary temporal operators: U and W by where the second operand holds, or
// the first no longer does; R and M are dual.
func (e *explanation) until(f *Formula, i int, now Truth) {
	decides := Holds // what the second operand has where it decides, and the first before that
	if f.op == Release || f.op == StrongRelease {
		decides = Fails
	}
	left, right := f.args[0], f.args[1]
	for _, j := range e.from(i) {
		switch {
		case e.row[right][j] == decides:
			e.because(right, j)
			return
		case e.row[left][j] == decides.not():
			e.because(left, j)
			e.because(right, j)
			return
		}
	}
	if f.op == WeakUntil || f.op == StrongRelease { // the greatest and the least solution
		e.lasting(left, i, now)
	} else {
		e.lasting(right, i, now)
	}
}

// lasting says that f has a truth at all positions from i on, of which a prefix knows nothing.
func (e *explanation) lasting(f *Formula, i int, truth Truth) {
	if e.Next[len(e.Next)-1] >= 0 {
		e.reasons = append(e.reasons, Reason{Formula: f, At: i, Holds: truth == Holds, Ever: true})
	}
}
