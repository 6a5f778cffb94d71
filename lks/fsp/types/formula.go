package types

import (
	"sort"
	"strings"

	"github.com/seltl/seltl/lks/fsp/syntax"
)

// operatorLetters are the operators that package ltl splits off an upper-case word that
// is no name: GFa.
const operatorLetters = "XFGUWRVM"

// numeric are the symbols that stand before numbers.
var numeric = map[string]bool{
	"=": true, "==": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true,
	"+": true, "-": true, "*": true, "/": true, "%": true,
}

// formulaNames notes the names of the file that an ltl formula uses, as package ltl reads
// them: a word that is a name is taken whole, else operator letters are split off before
// one. In brackets, and where numbers are compared, stand sets, ranges and constants.
func (r *resolver) formulaNames(d *syntax.LTLDef) {
	tokens := r.env.File.Tokens
	first := sort.Search(len(tokens), func(i int) bool { return tokens[i].Start >= d.Formula.Start })
	depth := 0
	for i := first; tokens[i].Kind != syntax.EOF && tokens[i].End <= d.Formula.End; i++ {
		switch t := &tokens[i]; {
		case t.Kind == syntax.Symbol && t.Text == "[":
			depth++
		case t.Kind == syntax.Symbol && t.Text == "]":
			depth--
		case t.Kind != syntax.Upper:
		case depth > 0, i > first && numeric[tokens[i-1].Text]:
			r.global(t.Text, t.Span, syntax.Set, syntax.Range, syntax.Constant)
		default:
			r.formulaName(t)
		}
	}
}

func (r *resolver) formulaName(t *syntax.Token) {
	for n := range len(t.Text) {
		rest := syntax.Span{Start: t.Start + int32(n), End: t.End}
		if r.global(t.Text[n:], rest, syntax.Fluent, syntax.Assert, syntax.LTL, syntax.Set) || !strings.Contains(operatorLetters, t.Text[n:n+1]) {
			return
		}
	}
}
