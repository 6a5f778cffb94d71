package ltl

// This file says what is known of formulas with regular expressions, and why they hold.

// knownAhead fills in what a beginning of a word says of {r}<>-> f or {r}[]-> f: the matches that
// end in it decide, and all of them do if what is left of r matches nothing.
func knownAhead(g *Formula, row []Truth, letters []func(Atom) Truth, last []Truth) {
	decides := truthOf(g.op == SuffixAnd)
	for i := range row {
		row[i] = Open
		v := decides.not()
		r := g.re
		for j := i; j < len(row) && r != noWord; j++ {
			known := true
			r = r.Derivative(func(a Atom) bool {
				t := letters[j](a)
				known = known && t != Open
				return t == Holds
			})
			if !known {
				v = Open
				break
			}
			if r.nullable {
				if v = knownOr(v, last[j], decides); v == decides {
					break
				}
			}
		}
		if v == decides || r == noWord {
			row[i] = v
		}
	}
}

// knownOr is what is known of a disjunction, or dually of a conjunction: decides is what one operand is
// enough for.
func knownOr(v, w, decides Truth) Truth {
	if decides == Holds {
		return v.or(w)
	}
	return v.and(w)
}

// match explains {r}<>-> f that holds and {r}[]-> f that fails: by the end of the first match with
// such an f.
func (e *explanation) match(f *Formula, i int, now Truth) {
	if now != truthOf(f.op == SuffixAnd) {
		return
	}
	type point struct {
		rest *Regexp
		at   int
	}
	seen := map[point]bool{}
	for r := f.re; i >= 0 && !seen[point{r, i}]; i = e.Next[i] {
		seen[point{r, i}] = true
		r = r.Derivative(func(a Atom) bool { return e.row[AtomOf(a)][i] == Holds })
		if r.nullable && e.row[f.Last()][i] == now {
			if len(f.Last().args) > 0 || f.Last().op == Atomic {
				e.because(f.Last(), i)
			}
			return
		}
	}
}
