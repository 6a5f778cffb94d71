package ltl

import (
	"slices"
	"strconv"
)

// This file writes regular expressions.

// String returns the expression in Seltl syntax.
func (r *Regexp) String() string {
	w := &writer{spell: spellings[Seltl]}
	w.regexp(r, 0)
	return w.b.String()
}

// suffixed writes {r}[]-> f and what is short for it.
func (w *writer) suffixed(f *Formula) {
	r, last := f.re, f.Last()
	if c, positive, ok := f.Closure(); ok {
		if !positive {
			w.b.WriteString(w.spell[Not])
		}
		w.braces(c)
		return
	}
	if f.op == SuffixAnd && last.op == True {
		w.braces(r)
		w.b.WriteByte('!')
		return
	}
	arrow := f.op.String()
	if r.op == Concat && r.args[len(r.args)-1] == anyLetter {
		arrow = arrow[:len(arrow)-2] + "=>"
		r = MakeConcat(r.args[:len(r.args)-1]...)
	}
	w.braces(r)
	w.b.WriteString(arrow + " ")
	w.operand(last, 0)
}

func (w *writer) braces(r *Regexp) {
	w.b.WriteByte('{')
	w.regexp(r, 0)
	w.b.WriteByte('}')
}

// Levels of regular expressions, as in the parser.
const (
	concatLevel = iota
	fusionLevel
	arrowLevel
	xorLevel
	unionLevel
	bothLevel
	repeatLevel
)

// infix are the operators between regular expressions.
var infix = map[RegexpOp]struct {
	level int
	text  string
}{
	Concat: {concatLevel, "; "}, Fusion: {fusionLevel, " : "}, Union: {unionLevel, " | "},
	AnyLength: {bothLevel, " & "}, SameLength: {bothLevel, " && "},
}

// regexp writes r, with braces around operators between others: few people know which of them
// bind tighter. least is the level of the operator around it, plus one.
func (w *writer) regexp(r *Regexp, least int) {
	switch r.op {
	case NoWord:
		w.b.WriteString(w.spell[False])
	case EmptyWord:
		w.b.WriteString("[*0]")
	case OneLetter:
		w.letter(r.letter, least)
	case Star, FusionStar:
		w.repeated(r)
	case FirstMatch:
		w.b.WriteString("first_match(")
		w.regexp(r.args[0], 0)
		w.b.WriteByte(')')
	case violation: // only within {}, which writes it itself
		w.b.WriteString("violation(")
		w.regexp(r.args[0], 0)
		w.b.WriteByte(')')
	default:
		op := infix[r.op]
		if least > 0 {
			w.b.WriteByte('{')
			defer w.b.WriteByte('}')
		}
		for i, a := range r.args {
			if i > 0 {
				w.b.WriteString(op.text)
			}
			w.regexp(a, op.level+1)
		}
	}
}

// letter writes a letter, in parentheses beside operators that could be taken for its own.
func (w *writer) letter(f *Formula, least int) {
	if w.strict && f.op != Atomic && (f.op != Not || f.args[0].op != Atomic) && len(f.args) > 0 || least > arrowLevel && level(f) < prefixLevel {
		w.b.WriteByte('(')
		defer w.b.WriteByte(')')
	}
	w.write(f, 0)
}

// repeated writes r[*i..j], b[->i..j] or r[:*i..j].
func (w *writer) repeated(r *Regexp) {
	what, star := r.args[0], "*"
	switch b := untilLetter(what); {
	case r.op == FusionStar:
		star = ":*"
	case b != nil:
		what, star = b, "->"
	}
	if what != anyLetter || r.op == FusionStar {
		w.regexp(what, repeatLevel)
	}
	bounds := ""
	switch {
	case star != "->" && r.lo == 0 && r.hi == Unbounded:
	case star != "->" && r.lo == 1 && r.hi == Unbounded:
		star = star[:len(star)-1] + "+"
	case r.lo == r.hi:
		bounds = strconv.Itoa(r.lo)
	case r.hi == Unbounded:
		bounds = strconv.Itoa(r.lo) + ".."
	default:
		bounds = strconv.Itoa(r.lo) + ".." + strconv.Itoa(r.hi)
	}
	w.b.WriteString("[" + star + bounds + "]")
}

// untilLetter returns b if r is !b[*]; b, what b[->] stands for, else nil.
func untilLetter(r *Regexp) *Regexp {
	if r.op != Concat || len(r.args) != 2 || r.args[1].op != OneLetter {
		return nil
	}
	b := r.args[1].letter
	if r.args[0] != MakeStar(MakeLetter(MakeNot(b)), 0, Unbounded) || slices.Contains([]Op{True, False}, b.op) {
		return nil
	}
	return r.args[1]
}
