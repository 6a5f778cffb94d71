package omega

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
)

// Word is an infinite word that repeats its loop for ever. Each letter is a Boolean
// function over atoms, of which the word has any valuation that satisfies it: where all
// atoms are settled it is one word, else a set of words. The loop is not empty.
type Word struct {
	atoms      []ltl.Atom
	man        *bdd.Manager
	stem, loop []Label
}

// Len returns the number of letters that are written down.
func (w Word) Len() int { return len(w.stem) + len(w.loop) }

// StemLen returns the number of letters before the loop.
func (w Word) StemLen() int { return len(w.stem) }

// AcceptedWord returns a word that the automaton accepts, with one valuation of all atoms at
// each letter, false if there is none. See AcceptingRun.
func (a *Automaton) AcceptedWord() (Word, bool) {
	run, ok := a.AcceptingRun()
	if !ok {
		return Word{}, false
	}
	return a.wordOf(run), true
}

func (a *Automaton) wordOf(run Run) Word {
	w := Word{atoms: a.atoms, man: a.man}
	for _, t := range run.Stem {
		w.stem = append(w.stem, a.oneLetter(t.Edge.Label))
	}
	for _, t := range run.Loop {
		w.loop = append(w.loop, a.oneLetter(t.Edge.Label))
	}
	return w.shortened()
}

// oneLetter returns a single letter of the label; atoms that it leaves open are false.
func (a *Automaton) oneLetter(l Label) Label {
	cube := make(bdd.Cube, len(a.atoms))
	for v := range cube {
		high := false
		if a.man.Level(l) == v {
			if high = a.man.Low(l) == NoLetter; high {
				l = a.man.High(l)
			} else {
				l = a.man.Low(l)
			}
		}
		cube[v] = bdd.Lit(v, !high)
	}
	return a.man.CubeNode(cube)
}

// shortened rolls the word up: a loop that repeats itself becomes one of its rounds, and
// letters of the stem that the loop ends with belong to it.
func (w Word) shortened() Word {
	for n := 1; n < len(w.loop); n++ {
		if len(w.loop)%n == 0 && slices.Equal(w.loop[n:], w.loop[:len(w.loop)-n]) {
			w.loop = w.loop[:n]
			break
		}
	}
	w.loop = slices.Clone(w.loop)
	for len(w.stem) > 0 && w.stem[len(w.stem)-1] == w.loop[len(w.loop)-1] {
		last := len(w.loop) - 1
		w.stem = w.stem[:len(w.stem)-1]
		w.loop = append([]Label{w.loop[last]}, w.loop[:last]...)
	}
	return w
}

// automaton returns an automaton that accepts the word only: state i reads letter i.
func (w Word) automaton() *Automaton {
	b := &Automaton{atoms: w.atoms, man: w.man, condition: always}
	letters := slices.Concat(w.stem, w.loop)
	for i, l := range letters {
		next := i + 1
		if next == len(letters) {
			next = len(w.stem)
		}
		b.out = append(b.out, b.merge([]Edge{{Label: l, To: int32(next)}}))
	}
	return b
}

// Accepts reports whether the automaton accepts the word, or one of its words. Atoms that
// the word does not speak of may have any value. It costs as much as Empty of an automaton
// that is Len times as large.
func (a *Automaton) Accepts(w Word) bool {
	p, err := Product(a, w.automaton())
	if err != nil {
		panic(err) // the word has no sets
	}
	return !p.Empty()
}

// LTL returns the word for the semantics of formulas; atoms that a letter leaves open are
// false where they can be.
func (w Word) LTL() ltl.Word {
	a := &Automaton{atoms: w.atoms, man: w.man}
	letters := func(ls []Label) []ltl.Letter {
		out := make([]ltl.Letter, len(ls))
		for i, l := range ls {
			one := a.oneLetter(l)
			var held []ltl.Atom
			for v, at := range w.atoms {
				if w.man.Implies(one, w.man.Var(v)) {
					held = append(held, at)
				}
			}
			out[i] = ltl.LetterOf(held...)
		}
		return out
	}
	return ltl.Word{Stem: letters(w.stem), Loop: letters(w.loop)}
}

// String writes the word as Spot does: letters with semicolons between them, the loop in
// braces: "p & !q; cycle{q}".
func (w Word) String() string {
	a := &Automaton{atoms: w.atoms, man: w.man}
	texts := func(ls []Label) string {
		out := make([]string, len(ls))
		for i, l := range ls {
			out[i] = a.LabelFormula(l).String()
			if out[i] == "true" {
				out[i] = "1"
			}
		}
		return strings.Join(out, "; ")
	}
	loop := "cycle{" + texts(w.loop) + "}"
	if len(w.stem) == 0 {
		return loop
	}
	return texts(w.stem) + "; " + loop
}

// LabelFormula returns the label as a formula in disjunctive form.
func (a *Automaton) LabelFormula(l Label) *ltl.Formula {
	var cubes []*ltl.Formula
	for _, cube := range a.man.ISOP(l, l) {
		literals := make([]*ltl.Formula, len(cube))
		for i, lit := range cube {
			literals[i] = ltl.AtomOf(a.atoms[lit.Var()])
			if lit.Negated() {
				literals[i] = ltl.MakeNot(literals[i])
			}
		}
		cubes = append(cubes, ltl.MakeAnd(literals...))
	}
	return ltl.MakeOr(cubes...)
}

// ParseWord reads a word as String writes it. Letters are formulas without temporal
// operators. The error is Diagnostics.
func ParseWord(name, text string) (Word, error) {
	src := source.NewFile(name, text)
	p := &wordParser{src: src, text: text}
	stem, loop := p.letters()
	if err := p.errs.Err(); err != nil {
		return Word{}, err
	}
	w := Word{man: bdd.New()}
	for _, f := range slices.Concat(stem, loop) {
		for _, at := range ltl.Atoms(f) {
			if !slices.Contains(w.atoms, at) {
				w.atoms = append(w.atoms, at)
			}
		}
	}
	slices.SortFunc(w.atoms, ltl.Atom.Compare)
	err := bdd.Guard(func() error {
		w.man.SetLimit(1<<20, nil)
		for i, f := range slices.Concat(stem, loop) {
			l := w.label(f)
			if l == NoLetter {
				p.errs.Errorf(p.spans[i], "no-letter", "no letter is like this: it contradicts itself")
				return p.errs
			}
			if i < len(stem) {
				w.stem = append(w.stem, l)
			} else {
				w.loop = append(w.loop, l)
			}
		}
		w.man.SetLimit(0, nil)
		return nil
	})
	return w, err
}

// label makes a diagram of a formula without temporal operators.
func (w Word) label(f *ltl.Formula) Label {
	value := map[*ltl.Formula]Label{}
	for _, g := range ltl.Subformulas(f) {
		args := lists.Map(g.Args(), func(arg *ltl.Formula) Label { return value[arg] })
		value[g] = w.operator(g, args)
	}
	return value[f]
}

func (w Word) operator(g *ltl.Formula, args []Label) Label {
	m := w.man
	switch g.Op() {
	case ltl.True:
		return AnyLetter
	case ltl.Atomic:
		return m.Var(slices.Index(w.atoms, g.Atom()))
	case ltl.Not:
		return m.Not(args[0])
	case ltl.And:
		l := AnyLetter
		for _, arg := range args {
			l = m.And(l, arg)
		}
		return l
	case ltl.Or:
		l := NoLetter
		for _, arg := range args {
			l = m.Or(l, arg)
		}
		return l
	case ltl.Implies:
		return m.Or(m.Not(args[0]), args[1])
	case ltl.Iff:
		return m.ITE(args[0], args[1], m.Not(args[1]))
	case ltl.Xor:
		return m.ITE(args[0], m.Not(args[1]), args[1])
	}
	return NoLetter // false
}

// wordParser splits the text of a word.
type wordParser struct {
	src   *source.File
	text  string
	pos   int
	errs  source.List
	spans []source.Span // of the letters
}

// letters reads all letters.
func (p *wordParser) letters() (stem, loop []*ltl.Formula) {
	const help = "a word is written like this: p & !q; cycle{q}"
	for {
		p.blanks()
		rest := p.text[p.pos:]
		if strings.HasPrefix(rest, "cycle") && strings.HasPrefix(strings.TrimLeft(rest[len("cycle"):], " \t\n\r"), "{") {
			p.pos += strings.IndexByte(rest, '{') + 1
			break
		}
		if rest == "" {
			p.errs.Errorf(p.src.Span(p.pos, p.pos), "no-loop", "the word has no loop, cycle{...}").Help = help
			return nil, nil
		}
		f, end := p.letter(";")
		if stem = append(stem, f); end == 0 {
			p.errs.Errorf(p.src.Span(p.pos, p.pos), "no-loop", "the word has no loop, cycle{...}").Help = help
			return nil, nil
		}
	}
	for {
		f, end := p.letter(";}")
		loop = append(loop, f)
		if end == 0 {
			p.errs.Errorf(p.src.Span(p.pos, p.pos), "open-loop", "the loop is not closed").Help = help
			return nil, nil
		}
		if end == '}' {
			break
		}
	}
	if p.blanks(); p.pos < len(p.text) {
		p.errs.Errorf(p.src.Span(p.pos, len(p.text)), "unexpected-token", "the word ends with its loop").Help = help
	}
	return stem, loop
}

func (p *wordParser) blanks() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// letter reads a formula up to one of the characters, and returns it, or 0 at the end.
func (p *wordParser) letter(until string) (*ltl.Formula, byte) {
	start, quoted := p.pos, false
	for p.pos < len(p.text) && (quoted || strings.IndexByte(until, p.text[p.pos]) < 0) {
		if p.text[p.pos] == '"' {
			quoted = !quoted
		}
		p.pos++
	}
	text, end := p.text[start:p.pos], byte(0)
	if p.pos < len(p.text) {
		end = p.text[p.pos]
		p.pos++
	}
	span := p.src.Span(start+len(text)-len(strings.TrimLeft(text, " \t\r\n")), start+len(strings.TrimRight(text, " \t\r\n")))
	p.spans = append(p.spans, span)
	f, err := ltl.Parse(source.NewFile(p.src.Name(), text), ltl.ParseOptions{})
	switch {
	case strings.TrimSpace(text) == "":
		p.errs.Errorf(span, "no-letter", "a letter is missing here; 1 is any letter")
	case err != nil:
		p.errs.Errorf(span, "bad-letter", "%q is no letter: %s", strings.TrimSpace(text), reason(err))
	case !Boolean(f):
		p.errs.Errorf(span, "bad-letter", "%q is no letter: it has temporal operators", strings.TrimSpace(text))
	}
	return f, end
}

// reason is the message of the first diagnostic, without its position.
func reason(err error) string {
	if list, ok := err.(source.List); ok && len(list) > 0 {
		return list[0].Message
	}
	return fmt.Sprint(err)
}

// Boolean reports whether a formula has no temporal operators, so that it can stand for letters.
func Boolean(f *ltl.Formula) bool {
	return !slices.ContainsFunc(ltl.Subformulas(f), func(g *ltl.Formula) bool {
		return !slices.Contains([]ltl.Op{ltl.True, ltl.False, ltl.Atomic, ltl.Not, ltl.And, ltl.Or, ltl.Xor, ltl.Iff, ltl.Implies}, g.Op())
	})
}
