package ltl

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/seltl/seltl/internal/names"
)

// Syntax is a way to write formulas.
type Syntax uint8

const (
	// Seltl is the language of Parse: G(a -> F b), phil[0].eat.
	Seltl Syntax = iota
	// Spot is the syntax of the Spot tools: names other than identifiers are
	// quoted.
	Spot
	// LTSA is the syntax of FSP's assert: [](a -> <>b). It has no R, M and xor,
	// which are rewritten; only the writing is LTSA's, not the meaning of events.
	LTSA
	// SPIN is the syntax of spin -f: [](a -> <>b), with V for R. It has no W, M
	// and xor, which are rewritten.
	SPIN
	// LaTeX is for papers, in math mode. It is not meant to be read back.
	LaTeX
	// LBT is the prefix notation of lbt, ltl2dstar and lbtt: G i p0 F p1. ParseIn reads it.
	LBT
	// Wring is the syntax of Wring and of Lily: G(((a=0) + (F(b=1)))). It has no W and M,
	// which are rewritten. ParseIn reads it.
	Wring
	// LTSmin is the syntax of LTSmin's --ltl: [] (a -> <>b), with names of the model, and
	// comparisons x == 1. It has no M and xor, which are rewritten.
	LTSmin
)

var syntaxes = names.Of[Syntax]("syntax", "seltl", "spot", "ltsa", "spin", "latex", "lbt", "wring", "ltsmin")

// lacking are the operators that a syntax does not have, and Format therefore removes: for
// Without, g R (f | g) stands for f W g, g W (f & g) for f R g, and g U (f & g) for f M g.
var lacking = map[Syntax]OpSet{
	LTSA:   Ops(Xor, Release, StrongRelease),
	SPIN:   Ops(Xor, WeakUntil, StrongRelease),
	Wring:  Ops(WeakUntil, StrongRelease),
	LTSmin: Ops(Xor, StrongRelease),
}

func (s Syntax) String() string                   { return syntaxes.String(s) }
func (s Syntax) MarshalText() ([]byte, error)     { return syntaxes.Marshal(s) }
func (s *Syntax) UnmarshalText(text []byte) error { return syntaxes.Unmarshal(text, s) }

// Names lists the texts of all values.
func (Syntax) Names() []string { return syntaxes.List() }

// printer writes formulas.
type printer struct {
	Syntax Syntax
	// Parentheses puts all parentheses, so that nobody has to know which
	// operator binds tighter.
	Parentheses bool
	// Qualify writes S.name for propositions and E.name for events. Without it
	// this is done only where a formula has two atoms with the same name.
	// Seltl syntax only.
	Qualify bool
}

// MaxPrinted bounds the size (as a tree) of formulas that are printed.
const MaxPrinted = 2_000_000

// TooLarge is the error of printing a formula that is larger than MaxPrinted.
type TooLarge struct{ Size int }

func (e *TooLarge) Error() string {
	if e.Size == math.MaxInt {
		return "the formula is too large to be written out"
	}
	return fmt.Sprintf("the formula is too large to be written out (%d nodes)", e.Size)
}

// Inexpressible is the error of printing a name that a syntax cannot write.
type Inexpressible struct {
	Name   string
	Syntax Syntax
}

func (e *Inexpressible) Error() string {
	return fmt.Sprintf("the name %q cannot be written in %s syntax", e.Name, e.Syntax)
}

// NoOperator is the error of printing an operator that a syntax neither has nor can say.
type NoOperator struct {
	Op     Op
	Syntax Syntax
}

func (e *NoOperator) Error() string {
	if !isPast(e.Op) {
		return fmt.Sprintf("%s syntax has no regular expressions, as %s needs one", e.Syntax, e.Op)
	}
	return fmt.Sprintf("%s syntax has no past operators, and %s (%s) is one", e.Syntax, e.Op, pastWords[e.Op])
}

var pastWords = map[Op]string{
	Yesterday: "yesterday", WeakYesterday: "weak yesterday", Once: "once", Historically: "historically",
	Since: "since", Triggered: "triggered",
}

// unwritten returns the first operator of f that a syntax cannot write.
func unwritten(f *Formula, s Syntax) (Op, bool) {
	if s == Seltl {
		return 0, false
	}
	for _, g := range Subformulas(f) {
		if g.re != nil && s != Spot || g.IsPast() && s != LaTeX {
			return g.op, true
		}
	}
	return 0, false
}

// String returns the formula in Seltl syntax with few parentheses, or a
// placeholder if it is too large to be written out (see MaxPrinted). If all
// atoms are of kind Name, ParseString returns the same formula.
func (f *Formula) String() string {
	if f == nil {
		return "<nil>"
	}
	text, err := printer{}.Format(f)
	if err != nil {
		return "<" + err.Error() + ">"
	}
	return text
}

// Format returns the formula in the given syntax. The error is *TooLarge,
// *Inexpressible or *NoOperator.
func Format(f *Formula, s Syntax) (string, error) { return printer{Syntax: s}.Format(f) }

// Echo returns the formula as it was understood: all parentheses, and S. or E.
// before resolved names. Parsing it without a vocabulary gives the same formula.
func Echo(f *Formula) (string, error) {
	return printer{Parentheses: true, Qualify: true}.Format(f)
}

// Format returns the formula as text. The error is *TooLarge, *Inexpressible or *NoOperator.
// Parse, for LBT and Wring ParseIn, reads the text as the same formula, or as the
// rewritten one where the syntax lacks an operator; nothing reads LaTeX.
func (p printer) Format(f *Formula) (string, error) {
	if f == nil {
		return "", ErrNil
	}
	if op, ok := unwritten(f, p.Syntax); ok {
		return "", &NoOperator{op, p.Syntax}
	}
	if ops := lacking[p.Syntax]; ops != 0 {
		var err error
		if f, err = Without(f, ops); err != nil {
			return "", err
		}
	}
	if f.Size() > MaxPrinted {
		return "", &TooLarge{f.Size()}
	}
	switch p.Syntax {
	case LBT:
		return formatLBT(f), nil
	case Wring:
		return formatWring(f)
	}
	w := &writer{printer: p, spell: spellings[p.Syntax], twice: sharedNames(f)}
	w.strict = p.Parentheses || p.Syntax == LTSA || p.Syntax == SPIN || p.Syntax == LTSmin
	top := 0
	if p.Syntax == LTSA {
		top = prefixLevel // a binary formula needs parentheses even at the top
	}
	w.write(f, top)
	return w.b.String(), w.err
}

// sharedNames returns the names that several atoms of f have.
func sharedNames(f *Formula) map[string]bool {
	twice := map[string]bool{}
	atoms := Atoms(f) // sorted by name
	for i := 1; i < len(atoms); i++ {
		if atoms[i].Name == atoms[i-1].Name {
			twice[atoms[i].Name] = true
		}
	}
	return twice
}

// spellings of the operators, by syntax.
var spellings = [...]map[Op]string{
	Seltl: {
		False: "false", True: "true", Not: "!", And: " & ", Or: " | ", Xor: " xor ", Implies: " -> ", Iff: " <-> ",
		Next: "X", Eventually: "F", Always: "G", Until: " U ", Release: " R ", WeakUntil: " W ", StrongRelease: " M ",
		Yesterday: "Y", WeakYesterday: "Z", Once: "O", Historically: "H", Since: " S ", Triggered: " T ",
	},
	Spot: {
		False: "0", True: "1", Not: "!", And: " & ", Or: " | ", Xor: " xor ", Implies: " -> ", Iff: " <-> ",
		Next: "X", Eventually: "F", Always: "G", Until: " U ", Release: " R ", WeakUntil: " W ", StrongRelease: " M ",
	},
	LTSA: {
		False: "rigid(0)", True: "rigid(1)", Not: "!", And: " && ", Or: " || ", Implies: " -> ", Iff: " <-> ",
		Next: "X", Eventually: "<>", Always: "[]", Until: " U ", WeakUntil: " W ",
	},
	SPIN: {
		False: "false", True: "true", Not: "!", And: " && ", Or: " || ", Implies: " -> ", Iff: " <-> ",
		Next: "X", Eventually: "<>", Always: "[]", Until: " U ", Release: " V ",
	},
	LaTeX: {
		False: `\bot`, True: `\top`, Not: `\lnot `, And: ` \land `, Or: ` \lor `, Xor: ` \oplus `,
		Implies: ` \rightarrow `, Iff: ` \leftrightarrow `,
		Next: `\mathsf{X}`, Eventually: `\mathsf{F}`, Always: `\mathsf{G}`,
		Until: ` \mathbin{\mathsf{U}} `, Release: ` \mathbin{\mathsf{R}} `,
		WeakUntil: ` \mathbin{\mathsf{W}} `, StrongRelease: ` \mathbin{\mathsf{M}} `,
		Yesterday: `\mathsf{Y}`, WeakYesterday: `\mathsf{Z}`, Once: `\mathsf{O}`, Historically: `\mathsf{H}`,
		Since: ` \mathbin{\mathsf{S}} `, Triggered: ` \mathbin{\mathsf{T}} `,
	},
	LTSmin: {
		False: "false", True: "true", Not: "!", And: " && ", Or: " || ", Implies: " -> ", Iff: " <-> ",
		Next: "X", Eventually: "<>", Always: "[]", Until: " U ", Release: " R ", WeakUntil: " W ",
	},
}

// Levels of operators as in the parser's binaryOps.
const (
	suffixLevel = 0 // {r}[]-> f goes on as far as it can
	untilLevel  = 5
	prefixLevel = 6
	atomLevel   = 7
)

func level(f *Formula) int {
	switch f.op {
	case Implies, Iff:
		return 1
	case Or:
		return 2
	case Xor:
		return 3
	case And:
		return 4
	case Until, Release, WeakUntil, StrongRelease, Since, Triggered:
		return untilLevel
	case Not, Next, Eventually, Always, Yesterday, WeakYesterday, Once, Historically:
		return prefixLevel
	case SuffixImplies, SuffixAnd:
		switch _, positive, ok := f.Closure(); {
		case ok && !positive:
			return prefixLevel // !{r}
		case !ok && (f.op == SuffixImplies || f.Last().op != True):
			return suffixLevel
		}
	}
	return atomLevel
}

// writer writes one formula. With strict, every compound operand is put in
// parentheses.
type writer struct {
	printer
	b      strings.Builder
	spell  map[Op]string
	twice  map[string]bool
	strict bool
	err    error
}

// write writes f, in parentheses if it binds looser than least.
func (w *writer) write(f *Formula, least int) {
	own := level(f)
	if own < least {
		w.b.WriteByte('(')
		defer w.b.WriteByte(')')
	}
	switch {
	case f.op == Atomic:
		w.atom(f.atom)
	case f.re != nil:
		w.suffixed(f)
	case own == atomLevel:
		w.b.WriteString(w.spell[f.op])
	case own == prefixLevel:
		w.prefix(f)
	default:
		for i, a := range f.args {
			if i > 0 {
				w.b.WriteString(w.spell[f.op])
			}
			w.operand(a, w.least(f.op, own, i))
		}
	}
}

// least is how tightly operand i of an operator must bind to need no
// parentheses. U, W, R, M and the arrows group to the right, but few people know:
// operands of the same level are put in parentheses.
func (w *writer) least(op Op, own, i int) int {
	if op == Xor && i == 0 {
		return own
	}
	return own + 1
}

func (w *writer) operand(f *Formula, least int) {
	if w.strict {
		least = atomLevel
		if f.op == Not && f.args[0].op == Atomic || !w.Parentheses && level(f) == prefixLevel {
			least = 0
		}
	}
	w.write(f, least)
}

func (w *writer) prefix(f *Formula) {
	op := w.spell[f.op]
	w.b.WriteString(op)
	a := f.args[0]
	parenthesised := level(a) < prefixLevel || w.Parentheses && level(a) == prefixLevel && !(a.op == Not && a.args[0].op == Atomic)
	lastLetter := op[len(op)-1]
	switch {
	case f.op == Not || parenthesised || lastLetter == ']' || lastLetter == '>':
	case w.Syntax == LaTeX:
		w.b.WriteString(`\,`)
	case level(a) == prefixLevel && a.op != Not && a.re == nil:
	default:
		w.b.WriteByte(' ')
	}
	w.operand(a, prefixLevel)
}

func (w *writer) atom(a Atom) {
	switch w.Syntax {
	case Seltl:
		w.b.WriteString(seltlAtom(a, w.Qualify || w.twice[a.Name]))
	case Spot:
		w.b.WriteString(spotAtom(a))
	case LaTeX:
		w.b.WriteString(latexAtom(a))
	default:
		w.toolAtom(a)
	}
}

// String returns the atom in Seltl syntax, without S. or E.
func (a Atom) String() string { return seltlAtom(a, false) }

func seltlAtom(a Atom, qualify bool) string {
	switch {
	case a.Kind == Deadlock:
		return "deadlock"
	case a.Kind == Event && a.Name == "tau":
		return "tau"
	}
	text, bare := typedName(a.Name)
	if a.Kind == Enabled {
		// Any label will do between parentheses, even a reserved word.
		return "enabled(" + text + ")"
	}
	prefix := ""
	if qualify && a.Kind == Prop {
		prefix = "S."
	} else if qualify && a.Kind == Event {
		prefix = "E."
	}
	switch {
	case !bare && a.Kind == Name && isComparison(a.Name):
		label, rest := splitComparison(a.Name)
		text, _ = typedName(label)
		return text + rest
	case !bare || prefix == "" && needsQuotes(a):
		text = quote(a.Name)
	}
	return prefix + text
}

// needsQuotes reports whether a label would not be read as an atom without
// quotes: reserved words, and upper-case names if no model is known to have them.
func needsQuotes(a Atom) bool {
	head, _, _ := strings.Cut(a.Name, ".")
	return words[head] != 0 || isUpper(head[0]) && a.Kind == Name
}

var (
	identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })
	segment    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_]+$`) })
	plainName  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z_][A-Za-z0-9_]*$`) })
	comparison = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([^=<>!"]+)([=<>]|<=|>=)(-?[0-9]+)$`) })
)

// typedName returns how a name is typed as a label, with indices in brackets;
// bare is false, and the text quoted, if it cannot be typed as a label.
func typedName(name string) (text string, bare bool) {
	segments := strings.Split(name, ".")
	if !identifier().MatchString(segments[0]) {
		return quote(name), false
	}
	var b strings.Builder
	b.WriteString(segments[0])
	for _, s := range segments[1:] {
		n, err := strconv.ParseInt(s, 10, 32)
		switch {
		case err == nil && strconv.FormatInt(n, 10) == s && n > math.MinInt32:
			b.WriteString("[" + s + "]")
		case segment().MatchString(s):
			b.WriteString("." + s)
		default:
			return quote(name), false
		}
	}
	return b.String(), true
}

// isComparison reports whether Parse reads the name as a comparison such as m=2.
func isComparison(name string) bool {
	label, rest := splitComparison(name)
	if label == "" {
		return false
	}
	_, bare := typedName(label)
	digits := strings.TrimLeft(rest, "=<>")
	n, err := strconv.ParseInt(digits, 10, 32)
	return bare && !needsQuotes(Atom{Name, label}) && err == nil && n > math.MinInt32 &&
		digits == strconv.FormatInt(n, 10)
}

func splitComparison(name string) (label, rest string) {
	m := comparison().FindStringSubmatch(name)
	if m == nil {
		return "", ""
	}
	return m[1], m[2] + m[3]
}

// plainText is the name of the atom where only one kind of name exists.
func plainText(a Atom) string {
	switch a.Kind {
	case Deadlock:
		return "deadlock"
	case Enabled:
		return "enabled(" + a.Name + ")"
	}
	return a.Name
}

func spotAtom(a Atom) string {
	text := plainText(a)
	if plainName().MatchString(text) && (words[text] == 0 || a.Kind == Deadlock || text == "tau" && a.Kind == Event) {
		return text
	}
	return quote(text)
}

// toolAtom writes a label for LTSA, SPIN or LTSmin, which have no quotes. SPIN and LTSmin
// read indexed names as expressions, which need parentheses.
func (w *writer) toolAtom(a Atom) {
	text := seltlAtom(a, false)
	upper, bare := typedName(a.Name)
	switch {
	case text[0] == '"' && bare && w.Syntax == LTSA && isUpper(a.Name[0]):
		text = upper
	case text[0] == '"' || a.Kind == Name && isComparison(a.Name) && w.Syntax == LTSA:
		if w.err == nil {
			w.err = &Inexpressible{a.Name, w.Syntax}
		}
	case w.Syntax != LTSA && a.Kind == Name && isComparison(a.Name):
		label, rest := splitComparison(a.Name)
		if rest[0] == '=' {
			rest = "=" + rest
		}
		label, _ = typedName(label)
		text = "(" + label + rest + ")"
	case w.Syntax != LTSA && !plainName().MatchString(text):
		text = "(" + text + ")"
	}
	w.b.WriteString(text)
}

func latexAtom(a Atom) string {
	text, _ := typedName(a.Name)
	if text[0] == '"' {
		text = a.Name
	}
	switch a.Kind {
	case Deadlock:
		return `\mathit{deadlock}`
	case Enabled:
		return `\mathit{enabled}(` + latexName(text) + ")"
	}
	if a.Kind == Event && a.Name == "tau" {
		return `\tau`
	}
	return latexName(text)
}

var latexEscapes = strings.NewReplacer(`\`, `\backslash `, `_`, `\_`, `&`, `\&`, `%`, `\%`, `#`, `\#`, `$`, `\$`,
	`{`, `\{`, `}`, `\}`, `^`, `\hat{\ }`, `~`, `\sim `, ` `, `\ `, "\n", `\ `)

func latexName(text string) string { return `\mathit{` + latexEscapes.Replace(text) + "}" }
