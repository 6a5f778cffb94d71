package ltl

import (
	"slices"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/lists"
)

// Derivative returns the expression of the words that make a word of r when the letter is put
// before them ([Brzozowski64], extended to PSL's operators). Only finitely many expressions
// arise from one by further letters.
func (r *Regexp) Derivative(letter Letter) *Regexp {
	d := &derivation{letter: letter, known: map[*Regexp]*Regexp{}}
	return d.of(r)
}

// derivation computes derivatives by one letter, once for each part.
type derivation struct {
	letter Letter
	known  map[*Regexp]*Regexp
}

func (d *derivation) of(r *Regexp) *Regexp {
	s, ok := d.known[r]
	if !ok {
		s = d.derive(r)
		d.known[r] = s
	}
	return s
}

func (d *derivation) derive(r *Regexp) *Regexp {
	switch r.op {
	case OneLetter:
		if EvalBoolean(r.letter, d.letter) {
			return emptyWord
		}
	case Concat:
		first, rest := r.args[0], MakeConcat(r.args[1:]...)
		s := MakeConcat(d.of(first), rest)
		if first.nullable {
			s = MakeUnion(s, d.of(rest))
		}
		return s
	case Fusion:
		return d.fused(r.args[0], func() *Regexp { return MakeFusion(r.args[1:]...) })
	case Union, SameLength:
		args := lists.Map(r.args, d.of)
		return r.with(args)
	case AnyLength:
		s, nullable := emptyWord, true // of the operands so far
		for i, a := range r.args {
			t := d.of(a)
			parts := []*Regexp{MakeAnyLength(s, t)}
			if i == 0 {
				parts[0] = t
			} else {
				if nullable {
					parts = append(parts, t)
				}
				if a.nullable {
					parts = append(parts, s)
				}
			}
			s, nullable = MakeUnion(parts...), nullable && a.nullable
		}
		return s
	case Star:
		return MakeConcat(d.of(r.args[0]), oneLess(r))
	case FusionStar:
		if r.lo > 0 {
			return d.fused(r.args[0], func() *Regexp { return oneLess(r) })
		}
		// That the first copies are single letters adds nothing: less copies do.
		return MakeUnion(emptyWord, MakeFusion(d.of(r.args[0]), oneLess(r)))
	case FirstMatch:
		return MakeFirstMatch(d.of(r.args[0]))
	case violation:
		s := d.of(r.args[0])
		switch {
		case s.nullable:
			return noWord
		case s.Empty():
			return emptyWord
		}
		return makeViolation(s)
	}
	return noWord
}

// fused is the derivative of first : rest.
func (d *derivation) fused(first *Regexp, rest func() *Regexp) *Regexp {
	s := d.of(first)
	if s == noWord {
		return noWord
	}
	t := rest()
	if s.nullable {
		return MakeUnion(MakeFusion(s, t), d.of(t))
	}
	return MakeFusion(s, t)
}

// oneLess is r, a repetition, behind its first copy.
func oneLess(r *Regexp) *Regexp {
	lo, hi := max(r.lo-1, 0), r.hi
	if hi != Unbounded {
		hi--
	}
	if r.op == Star {
		return MakeStar(r.args[0], lo, hi)
	}
	return MakeFusionStar(r.args[0], lo, hi)
}

// EvalBoolean evaluates a Boolean formula on a letter; others are false.
func EvalBoolean(f *Formula, letter Letter) bool {
	switch f.op {
	case True:
		return true
	case Atomic:
		return letter(f.atom)
	case Not:
		return !EvalBoolean(f.args[0], letter)
	case And:
		return !slices.ContainsFunc(f.args, func(g *Formula) bool { return !EvalBoolean(g, letter) })
	case Or:
		return slices.ContainsFunc(f.args, func(g *Formula) bool { return EvalBoolean(g, letter) })
	case Xor:
		return EvalBoolean(f.args[0], letter) != EvalBoolean(f.args[1], letter)
	case Iff:
		return EvalBoolean(f.args[0], letter) == EvalBoolean(f.args[1], letter)
	case Implies:
		return !EvalBoolean(f.args[0], letter) || EvalBoolean(f.args[1], letter)
	}
	return false
}

// Empty reports whether no word matches, whatever its letters are. Time is exponential in the
// size of r in the worst case.
func (r *Regexp) Empty() bool { return NewLinearForms(nil).empty(r) }

// Step is a monomial of a linear form: after a letter that satisfies Label, the words of Rest.
type Step struct {
	Label bdd.Node
	Rest  *Regexp
}

// LinearForms computes linear forms [Antimirov96]: the words of r with at least one letter are
// those that begin with a letter of a step and go on with a word of its rest. Labels are
// diagrams over variables of the caller's. It remembers what it has computed, and is not safe
// for concurrent use.
type LinearForms struct {
	man    *bdd.Manager
	letter func(*Formula) bdd.Node
	forms  map[*Regexp][]Step
	dead   map[*Regexp]bool // known to be empty, or not
}

// NewLinearForms returns linear forms whose letters are diagrams of a manager; nil is a manager
// of its own.
func NewLinearForms(man *bdd.Manager, variables ...Atom) *LinearForms {
	if man == nil {
		man = bdd.New()
	}
	l := &LinearForms{man: man, forms: map[*Regexp][]Step{}, dead: map[*Regexp]bool{}}
	number := map[Atom]int{}
	for i, a := range variables {
		number[a] = i
	}
	known := map[*Formula]bdd.Node{}
	l.letter = func(f *Formula) bdd.Node {
		for _, g := range Subformulas(f) {
			if _, ok := known[g]; !ok {
				known[g] = diagram(man, g, known, number)
			}
		}
		return known[f]
	}
	return l
}

// diagram is the diagram of a Boolean formula; atoms without a number get the next one.
func diagram(m *bdd.Manager, f *Formula, known map[*Formula]bdd.Node, number map[Atom]int) bdd.Node {
	switch f.op {
	case True:
		return bdd.True
	case False:
		return bdd.False
	case Atomic:
		i, ok := number[f.atom]
		if !ok {
			i = len(number)
			number[f.atom] = i
		}
		return m.Var(i)
	case Not:
		return m.Not(known[f.args[0]])
	}
	n := known[f.args[0]]
	for _, g := range f.args[1:] {
		switch h := known[g]; f.op {
		case And:
			n = m.And(n, h)
		case Or:
			n = m.Or(n, h)
		case Xor:
			n = m.ITE(n, m.Not(h), h)
		case Iff:
			n = m.ITE(n, h, m.Not(h))
		case Implies:
			n = m.Or(m.Not(n), h)
		}
	}
	return n
}

// Steps returns the linear form of r: labels are not false, rests different and not Empty by
// their syntax, in an order that depends on r only. It must not be changed.
func (l *LinearForms) Steps(r *Regexp) []Step {
	form, ok := l.forms[r]
	if !ok {
		form = l.joined(l.form(r))
		l.forms[r] = form
	}
	return form
}

// joined joins the labels of equal rests.
func (l *LinearForms) joined(form []Step) []Step {
	slices.SortStableFunc(form, func(s, t Step) int { return s.Rest.compare(t.Rest) })
	var out []Step
	for _, s := range form {
		switch last := len(out) - 1; {
		case s.Label == bdd.False || s.Rest == noWord:
		case last >= 0 && out[last].Rest == s.Rest:
			out[last].Label = l.man.Or(out[last].Label, s.Label)
		default:
			out = append(out, s)
		}
	}
	return out
}

func (l *LinearForms) form(r *Regexp) []Step {
	switch r.op {
	case OneLetter:
		return []Step{{l.letter(r.letter), emptyWord}}
	case Concat:
		rest := MakeConcat(r.args[1:]...)
		form := l.each(r.args[0], func(s *Regexp) *Regexp { return MakeConcat(s, rest) })
		if r.args[0].nullable {
			form = append(form, l.Steps(rest)...)
		}
		return form
	case Fusion:
		return l.fused(r.args[0], MakeFusion(r.args[1:]...))
	case Union:
		var form []Step
		for _, a := range r.args {
			form = append(form, l.Steps(a)...)
		}
		return form
	case SameLength:
		form := l.Steps(r.args[0])
		for _, a := range r.args[1:] {
			form = l.joined(l.product(form, l.Steps(a), MakeSameLength))
		}
		return slices.Clone(form)
	case AnyLength:
		form, nullable := l.Steps(r.args[0]), r.args[0].nullable
		for _, a := range r.args[1:] {
			other := l.Steps(a)
			both := l.product(form, other, MakeAnyLength)
			if nullable {
				both = append(both, other...)
			}
			if a.nullable {
				both = append(both, form...)
			}
			form, nullable = l.joined(both), nullable && a.nullable
		}
		return slices.Clone(form)
	case Star:
		rest := oneLess(r)
		return l.each(r.args[0], func(s *Regexp) *Regexp { return MakeConcat(s, rest) })
	case FusionStar:
		rest := oneLess(r)
		if r.lo > 0 {
			return l.fused(r.args[0], rest)
		}
		form := l.each(r.args[0], func(s *Regexp) *Regexp { return MakeFusion(s, rest) })
		return append(form, Step{bdd.True, emptyWord})
	case FirstMatch:
		return l.classes(r.args[0], MakeFirstMatch)
	case violation:
		return l.classes(r.args[0], func(s *Regexp) *Regexp {
			switch {
			case s.nullable:
				return noWord
			case l.empty(s):
				return emptyWord
			}
			return makeViolation(s)
		})
	}
	return nil
}

// each is the linear form of r with other rests.
func (l *LinearForms) each(r *Regexp, rest func(*Regexp) *Regexp) []Step {
	return lists.Append(nil, l.Steps(r), func(s Step) Step { return Step{s.Label, rest(s.Rest)} })
}

// fused is the linear form of first : rest.
func (l *LinearForms) fused(first, rest *Regexp) []Step {
	var form []Step
	for _, s := range l.Steps(first) {
		form = append(form, Step{s.Label, MakeFusion(s.Rest, rest)})
		if s.Rest.nullable {
			for _, t := range l.Steps(rest) {
				form = append(form, Step{l.man.And(s.Label, t.Label), t.Rest})
			}
		}
	}
	return form
}

// product combines two linear forms step by step.
func (l *LinearForms) product(form, other []Step, join func(...*Regexp) *Regexp) []Step {
	var out []Step
	for _, s := range form {
		for _, t := range other {
			if label := l.man.And(s.Label, t.Label); label != bdd.False {
				out = append(out, Step{label, join(s.Rest, t.Rest)})
			}
		}
	}
	return out
}

// classes is a deterministic linear form: letters with the same derivative of r are one step,
// with a rest made of that derivative.
func (l *LinearForms) classes(r *Regexp, rest func(*Regexp) *Regexp) []Step {
	return lists.Append(nil, l.Deterministic(r), func(s Step) Step { return Step{s.Label, rest(s.Rest)} })
}

// Deterministic is Steps with labels that exclude each other and cover all letters: the rests are
// derivatives, and may match nothing.
func (l *LinearForms) Deterministic(r *Regexp) []Step {
	form := []Step{{bdd.True, noWord}}
	for _, s := range l.Steps(r) {
		var next []Step
		for _, t := range form {
			if in := l.man.And(t.Label, s.Label); in != bdd.False {
				next = append(next, Step{in, MakeUnion(t.Rest, s.Rest)})
			}
			if out := l.man.Diff(t.Label, s.Label); out != bdd.False {
				next = append(next, Step{out, t.Rest})
			}
		}
		form = next
	}
	slices.SortStableFunc(form, func(s, t Step) int { return s.Rest.compare(t.Rest) })
	var out []Step
	for _, s := range form {
		if last := len(out) - 1; last >= 0 && out[last].Rest == s.Rest {
			out[last].Label = l.man.Or(out[last].Label, s.Label)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// empty is Empty: no expression that can be reached by steps matches the empty word.
func (l *LinearForms) empty(r *Regexp) bool {
	seen := map[*Regexp]bool{r: true}
	stack := []*Regexp{r}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if dead, known := l.dead[s]; s.nullable || known && !dead {
			l.dead[r] = false
			return false
		} else if known {
			continue
		}
		for _, step := range l.Steps(s) {
			if !seen[step.Rest] {
				seen[step.Rest] = true
				stack = append(stack, step.Rest)
			}
		}
	}
	for s := range seen {
		l.dead[s] = true
	}
	return true
}
