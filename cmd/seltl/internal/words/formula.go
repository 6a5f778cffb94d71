package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check/formulas"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/ltl/family"
	"github.com/seltl/seltl/omega"
)

func FormulaCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:      "formula",
		Usage:     "change, compare, filter and generate LTL formulas",
		ArgsUsage: "[FORMULA...]",
		Description: `Formulas come from the command line, from files (-F), at random, or from the
families of the literature. Without a model every name is an atom. What is asked
for is done in this order: formulas are changed (negate, remove X, simplify,
normal form, relabel, remove operators), filtered, and printed, one a line; or a
question is answered about each.

QUESTIONS: status 0 yes, 1 no; a word shows why, as Spot writes it: valuations
   of the atoms, the loop in braces. It was evaluated before it is shown.

FILTERS: only formulas that meet all of them are printed. Status 1 if none does.

FORMAT (--format)
   %f formula, %F file or family, %L line or argument, %l number from 0,
   %s length, %b length with Boolean subformulas as one, %a number of atoms,
   %x atoms, %h class by syntax, %< %> the columns before and after in a file
   of columns, %% a percent sign

EXAMPLES
   seltl formula "G(a -> F b)" --equivalent "[](!a || <>b)"
   seltl formula "G(a -> F b)" --implies "GFa -> GFb"
   seltl formula "F(a & F(b | a))" --simplify
   seltl formula "a W (b M c)" --remove=W,M --spin
   seltl formula --random=5 --seed=3 --alphabet=a,b --tree-size=5..9
   seltl formula --family=and-gf=1..3 --lbt
   seltl formula "G(a -> X[!] F b)" --from-ltlf
   seltl formula "G(a -> F b)" --implies "F b | G !a" --finite-words
   seltl formula "G(grant -> O request)" --equivalent "!grant W request"
   seltl formula -F formulas.ltl --is-recurrence --count`,
		Flags:  cmdline.Concat(formulaSources(), formulaChanges(), formulaQuestions(), formulaFilters(), formulaOutputs(), cmdline.LimitFlags(), cmdline.OutputFlags()),
		Action: func(c *cli.Context) error { return runFormula(c, s) },
	}
}

// textList are the values of a flag that may be repeated. In contrast to those of
// cli.StringSliceFlag they may have commas in them.
type textList []string

func (l *textList) Set(text string) error { *l = append(*l, text); return nil }
func (l *textList) String() string        { return strings.Join(*l, " ") }

func texts(c *cli.Context, flag string) []string {
	if l, ok := c.Generic(flag).(*textList); ok {
		return *l
	}
	return nil
}

func formulaSources() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "formula-file", Aliases: []string{"F"}, Usage: "read formulas of `FILE`, one a line (- is standard input); FILE/2 is its second column, FILE/-2 with a first line that names columns"},
		&cli.StringFlag{Name: "separator", Value: ",", Usage: "`CHARACTER` between columns"},
		&cli.StringFlag{Name: "from", Value: "seltl", Usage: "`SYNTAX` of what is read: lbt, wring, or seltl, which reads all others"},
		&cli.IntFlag{Name: "random", Usage: "print `N` random formulas"},
		&cli.Int64Flag{Name: "seed", Usage: "`NUMBER` that the random formulas depend on"},
		&cli.StringFlag{Name: "alphabet", Value: "3", Usage: "atoms of random formulas: `NAMES` (a,b,c), or how many (p0, p1, ...)"},
		&cli.StringFlag{Name: "tree-size", Value: "15", Usage: "`RANGE` of the sizes of random formulas, before they are simplified on the way"},
		&cli.BoolFlag{Name: "psl", Usage: "random formulas have regular expressions, too"},
		&cli.StringFlag{Name: "weights", Usage: "how often operators are drawn, `LIST` such as U=3,xor=0; ap, true and false are the leaves, past every past operator (none is drawn unless asked for)"},
		&cli.GenericFlag{Name: "family", Value: new(textList), Usage: "`NAME=RANGE` of a family of formulas (NAME=RANGE,RANGE with two arguments; NAME is all patterns of a list)"},
		&cli.BoolFlag{Name: "families", Usage: "list the families"},
	}
}

func formulaChanges() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "negate", Usage: "negate"},
		&cli.StringFlag{Name: "from-ltlf", Usage: "read LTLf (finite words; X is weak, X[!] strong) and say it of infinite words, where the atom `ALIVE` holds as long as the word lasts"},
		&cli.BoolFlag{Name: "remove-x", Usage: "say stutter-invariant formulas without X"},
		&cli.StringFlag{Name: "simplify", Usage: "simplify, by groups of `RULES` (=basic,next; =-next for all others; =language for implications by automata, too)"},
		&cli.BoolFlag{Name: "nnf", Usage: "negation normal form"},
		&cli.BoolFlag{Name: "dnf", Usage: "disjunction of conjunctions of temporal formulas and literals"},
		&cli.BoolFlag{Name: "cnf", Usage: "conjunction of disjunctions of them"},
		&cli.StringFlag{Name: "relabel", Usage: "rename atoms: `HOW` pnn (p0, p1, ...) or abc (a, b, ...)"},
		&cli.StringFlag{Name: "relabel-bool", Usage: "the same for Boolean subformulas that share no atom with others, `HOW`"},
		&cli.StringFlag{Name: "remove", Usage: "say it without `OPERATORS`, such as W,M,R,->,<->,xor,F,G,U; X where that is possible"},
	}
}

func formulaQuestions() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "equivalent", Usage: "is each formula equivalent to `FORMULA`?"},
		&cli.StringFlag{Name: "implies", Usage: "does each formula imply `FORMULA`?"},
		&cli.BoolFlag{Name: "satisfiable", Usage: "is there a word that satisfies it?"},
		&cli.BoolFlag{Name: "valid", Usage: "do all words satisfy it?"},
		&cli.BoolFlag{Name: "shortest", Usage: "answer with a word of as few letters as any has"},
		&cli.BoolFlag{Name: "finite-words", Usage: "the questions are about finite words: formulas are LTLf, X is weak and X[!] strong"},
	}
}

// formulaClasses are the filters for classes of the language, and those for the form.
var formulaClasses = []struct {
	flag, usage string
	class       ltl.Class
	syntactic   bool
}{
	{"is-safety", "safety properties", ltl.Safety, false},
	{"is-guarantee", "guarantee properties", ltl.Guarantee, false},
	{"is-obligation", "obligations", ltl.Obligation, false},
	{"is-recurrence", "recurrences: a deterministic Büchi automaton exists", ltl.Recurrence, false},
	{"is-persistence", "persistences: negations of recurrences", ltl.Persistence, false},
	{"is-stutter-invariant", "properties that repeating letters does not change", ltl.StutterInvariant, false},
	{"is-boolean", "formulas without temporal operators", ltl.Boolean, true},
	{"is-eventual", "pure eventualities, by syntax", ltl.Eventual, true},
	{"is-universal", "pure universalities, by syntax", ltl.Universal, true},
	{"is-syntactic-safety", "safety by syntax", ltl.Safety, true},
	{"is-syntactic-guarantee", "guarantee by syntax", ltl.Guarantee, true},
	{"is-syntactic-obligation", "obligations by syntax", ltl.Obligation, true},
	{"is-syntactic-recurrence", "recurrences by syntax", ltl.Recurrence, true},
	{"is-syntactic-persistence", "persistences by syntax", ltl.Persistence, true},
	{"is-x-free", "formulas without X", ltl.StutterInvariant, true},
}

func formulaFilters() []cli.Flag {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "size", Usage: "formulas whose length is in `RANGE` (5, 2..9, ..9, 2..)"},
		&cli.StringFlag{Name: "atoms", Usage: "formulas with as many atoms"},
		&cli.StringFlag{Name: "nth", Usage: "the formulas that are read as number `RANGE`, from 1"},
		&cli.StringFlag{Name: "unique", Usage: "none twice, or `HOW` =language: no two that are equivalent"},
		&cli.BoolFlag{Name: "is-satisfiable", Usage: "formulas that some word satisfies"},
		&cli.BoolFlag{Name: "is-valid", Usage: "formulas that all words satisfy"},
		&cli.GenericFlag{Name: "is-equivalent-to", Value: new(textList), Usage: "formulas equivalent to `FORMULA`"},
		&cli.GenericFlag{Name: "is-implying", Value: new(textList), Usage: "formulas that imply `FORMULA`"},
		&cli.GenericFlag{Name: "is-implied-by", Value: new(textList), Usage: "formulas that `FORMULA` implies"},
		&cli.GenericFlag{Name: "accepts", Value: new(textList), Usage: "formulas that `WORD` satisfies: \"a; cycle{!a}\"; atoms that it leaves open are false"},
		&cli.GenericFlag{Name: "rejects", Value: new(textList), Usage: "formulas that `WORD` does not satisfy"},
	}
	for _, f := range formulaClasses {
		flags = append(flags, &cli.BoolFlag{Name: f.flag, Usage: f.usage})
	}
	return append(flags, &cli.BoolFlag{Name: "invert", Usage: "formulas that do not meet the conditions (but for --nth and --unique)"})
}

// formulaSyntaxes are the flags for output.
var formulaSyntaxes = []struct {
	flag   string
	syntax ltl.Syntax
}{
	{"spot", ltl.Spot}, {"spin", ltl.SPIN}, {"ltsa", ltl.LTSA}, {"ltsmin", ltl.LTSmin}, {"lbt", ltl.LBT},
	{"wring", ltl.Wring}, {"latex", ltl.LaTeX},
}

func formulaOutputs() []cli.Flag {
	flags := []cli.Flag{
		&cli.BoolFlag{Name: "count", Usage: "print how many formulas there are"},
		&cli.IntFlag{Name: "max-count", Aliases: []string{"n"}, Usage: "stop after `N` formulas"},
		&cli.StringFlag{Name: "format", Usage: "print each formula in this `FORMAT`, see above"},
		&cli.BoolFlag{Name: "csv", Usage: "put formulas in quotes where a column needs it"},
		&cli.BoolFlag{Name: "parentheses", Usage: "print all parentheses"},
	}
	for _, f := range formulaSyntaxes {
		flags = append(flags, &cli.BoolFlag{Name: f.flag, Usage: "print in the syntax of " + f.flag})
	}
	return flags
}

// formulaTask is what a command line asks for.
type formulaTask struct {
	change  formulas.Change
	filter  formulas.Filter
	unique  formulas.UniqueFilter
	nth     *formulas.Range
	filters bool // whether there is any
	asks    []formulaAsk
	output  formulaOutput
	from    ltl.Syntax
	finite  *ltl.Ending // how LTLf is read, nil for formulas about infinite words
	most    int
	random  *formulas.Random
	members []formulas.Listed // of families
	args    []formulas.Listed
}

type formulaAsk struct {
	question formulas.Question
	other    formulas.Written
}

func formulaTaskOf(c *cli.Context, s cmdline.Streams) (*formulaTask, error) {
	t := &formulaTask{most: c.Int("max-count")}
	if err := cmdline.Choose(c, "from", &t.from, "latex"); err != nil {
		return nil, err
	}
	for _, read := range []func(*cli.Context) error{t.readFinite, t.readChange, t.readFilter, t.readQuestions, t.readOutput, t.readRandom, t.readFamilies} {
		if err := read(c); err != nil {
			return nil, err
		}
	}
	if err := fileAsFormula(c); err != nil {
		return nil, err
	}
	var bad source.List
	for i, text := range c.Args().Slice() {
		name := "<formula>"
		if c.NArg() > 1 {
			name = fmt.Sprintf("<formula %d>", i+1)
		}
		f, err := ltl.ParseFinite(source.NewFile(name, text), t.from, t.finite)
		if err != nil {
			if help := ask.Misplaced(s, c.Args().Slice(), text, ltl.ParseOptions{}); help != "" {
				return nil, &cmdline.Error{Command: "formula", Text: fmt.Sprintf("%q is no formula", text), Help: help}
			}
			if err := ask.Collect(&bad, err); err != nil {
				return nil, err
			}
			continue
		}
		t.args = append(t.args, formulas.Listed{Written: formulas.Written{Formula: f, Text: text}})
	}
	if c.Bool("finite-words") && (t.filters || c.IsSet("unique")) {
		return nil, cmdline.Usagef(c, "--finite-words is for questions, and filters are about infinite words: see --from-ltlf")
	}
	return t, bad.Err()
}

// readFinite reads whether formulas are LTLf.
func (t *formulaTask) readFinite(c *cli.Context) error {
	switch {
	case c.Bool("finite-words") && c.IsSet("from-ltlf"):
		return cmdline.Usagef(c, "--finite-words and --from-ltlf: one of them; the first is for questions, the second for formulas that are printed")
	case c.Bool("finite-words"):
		t.finite = ltl.EndingAlive(ltl.AtomOf(ltl.Atom{Kind: ltl.Hidden, Name: "alive"}))
		if slices.ContainsFunc([]string{"equivalent", "implies", "satisfiable", "valid"}, c.IsSet) {
			return nil
		}
		return cmdline.Usagef(c, "--finite-words is for the questions --equivalent, --implies, --satisfiable and --valid; --from-ltlf prints")
	case c.IsSet("from-ltlf"):
		alive, err := ltl.ParseString(c.String("from-ltlf"))
		if err != nil || alive.Op() != ltl.Atomic {
			return cmdline.Usagef(c, "--from-ltlf: %q is no atom", c.String("from-ltlf"))
		}
		t.finite = ltl.EndingAlive(alive)
		t.change.Finite = t.finite
	}
	return nil
}

func (t *formulaTask) readChange(c *cli.Context) error {
	ch := &t.change
	ch.Negate, ch.RemoveNext = c.Bool("negate"), c.Bool("remove-x")
	if c.IsSet("simplify") {
		ch.Simplify, ch.Rules = true, ltl.AllRules
		if text := c.String("simplify"); text == "language" {
			ch.ByLanguage = true
		} else {
			rules, err := ltl.ParseRules(text)
			if err != nil {
				return cmdline.Usagef(c, "--simplify: %v", err)
			}
			ch.Rules = rules
		}
	}
	forms := []struct {
		flag string
		form formulas.Form
	}{{"nnf", formulas.NegationNormal}, {"dnf", formulas.DisjunctiveForm}, {"cnf", formulas.ConjunctiveForm}}
	for _, f := range forms {
		if c.Bool(f.flag) && ch.Form != formulas.AnyForm {
			return cmdline.Usagef(c, "--%s and --%s: one normal form at a time", ch.Form, f.flag)
		} else if c.Bool(f.flag) {
			ch.Form = f.form
		}
	}
	for _, flag := range []string{"relabel", "relabel-bool"} {
		if !c.IsSet(flag) {
			continue
		}
		if ch.Relabel != nil {
			return cmdline.Usagef(c, "--relabel and --relabel-bool: one of them")
		}
		abc, err := cmdline.Switched(c, flag, "pnn", "abc")
		if err != nil {
			return err
		}
		if ch.Relabel, ch.RelabelBoolean = ltl.Numbered("p"), flag == "relabel-bool"; abc {
			ch.Relabel = ltl.Lettered
		}
	}
	if text := c.String("remove"); text != "" {
		ops, err := ltl.ParseOps(text)
		if err != nil {
			return cmdline.Usagef(c, "--remove: %v", err)
		}
		if lost := ops & ltl.Ops(ltl.Not, ltl.Atomic, ltl.True, ltl.False); lost != 0 {
			return cmdline.Usagef(c, "--remove: %s has to stay", lost)
		}
		if ops.Has(ltl.Next) {
			ch.RemoveNext = true
			ops &^= ltl.Ops(ltl.Next)
		}
		ch.Remove = ops
	}
	return nil
}

func (t *formulaTask) readFilter(c *cli.Context) error {
	w := &t.filter
	w.Satisfiable, w.Valid, w.Invert = c.Bool("is-satisfiable"), c.Bool("is-valid"), c.Bool("invert")
	t.filters = w.Satisfiable || w.Valid
	for flag, to := range map[string]**formulas.Range{"size": &w.Length, "atoms": &w.Atoms, "nth": &t.nth} {
		if c.IsSet(flag) {
			r, err := formulas.ParseRange(c.String(flag), 0, 1<<40)
			if err != nil {
				return cmdline.Usagef(c, "--%s: %v", flag, err)
			}
			*to, t.filters = &r, true
		}
	}
	for _, f := range formulaClasses {
		switch {
		case !c.Bool(f.flag):
			continue
		case f.syntactic:
			w.Syntactic |= f.class
		default:
			w.Classes = append(w.Classes, f.class)
		}
		t.filters = true
	}
	for flag, to := range map[string]*[]*ltl.Formula{"is-equivalent-to": &w.EquivalentTo, "is-implying": &w.Implies, "is-implied-by": &w.Follow} {
		for _, text := range texts(c, flag) {
			f, err := ltl.ParseIn(source.NewFile("<--"+flag+">", text), t.from)
			if err != nil {
				return err
			}
			*to, t.filters = append(*to, f), true
		}
	}
	for flag, to := range map[string]*[]ltl.Word{"accepts": &w.Accepts, "rejects": &w.Rejects} {
		for _, text := range texts(c, flag) {
			word, err := omega.ParseWord("<--"+flag+">", text)
			if err != nil {
				return err
			}
			*to, t.filters = append(*to, word.LTL()), true
		}
	}
	if c.IsSet("unique") {
		return cmdline.Choose(c, "unique", &t.unique.By, "off")
	}
	return nil
}

func (t *formulaTask) readQuestions(c *cli.Context) error {
	for flag, question := range map[string]formulas.Question{"satisfiable": formulas.AskSatisfiable, "valid": formulas.AskValid} {
		if c.Bool(flag) {
			t.asks = append(t.asks, formulaAsk{question: question})
		}
	}
	for flag, question := range map[string]formulas.Question{"implies": formulas.AskImplies, "equivalent": formulas.AskEquivalent} {
		if text := c.String(flag); c.IsSet(flag) {
			f, err := ltl.ParseFinite(source.NewFile("<--"+flag+">", text), t.from, t.finite)
			if err != nil {
				return err
			}
			t.asks = append(t.asks, formulaAsk{question, formulas.Written{Formula: f, Text: text, Finite: t.finite}})
		}
	}
	if c.Bool("shortest") && len(t.asks) == 0 {
		return cmdline.Usagef(c, "--shortest is about the word of an answer: give --satisfiable, --valid, --implies F or --equivalent F, too")
	}
	slices.SortFunc(t.asks, func(a, b formulaAsk) int { return int(a.question) - int(b.question) })
	return nil
}

func (t *formulaTask) readRandom(c *cli.Context) error {
	if !c.IsSet("random") {
		for _, flag := range []string{"seed", "alphabet", "tree-size", "weights", "psl"} {
			if c.IsSet(flag) {
				return &cmdline.Error{Command: "formula", Text: fmt.Sprintf("--%s is about random formulas", flag), Help: "add --random=10"}
			}
		}
		return nil
	}
	r, err := formulas.ParseRange(c.String("tree-size"), 1, 5000)
	if err != nil {
		return cmdline.Usagef(c, "--tree-size: %v", err)
	}
	if c.Int("random") < 1 {
		return cmdline.Usagef(c, "--random %d: a positive number is needed", c.Int("random"))
	}
	t.random = &formulas.Random{Count: c.Int("random"), Seed: uint64(c.Int64("seed"))}
	t.random.MinSize, t.random.MaxSize = r.Min, r.Max
	if t.random.Weights, err = randomWeights(c); err != nil {
		return err
	}
	if t.random.Atoms, err = formulas.ParseAlphabet(c.String("alphabet")); err != nil {
		return cmdline.Usagef(c, "--alphabet: %v", err)
	}
	return nil
}

// randomWeights are how often operators are drawn, by --weights and --psl; nil is the default.
func randomWeights(c *cli.Context) (map[ltl.Op]int, error) {
	if !c.Bool("psl") && c.String("weights") == "" {
		return nil, nil
	}
	weights := ltl.DefaultWeights()
	if text := c.String("weights"); text != "" {
		var err error
		if weights, err = ltl.ParseWeights(text); err != nil {
			return nil, cmdline.Usagef(c, "--weights: %v", err)
		}
	}
	if c.Bool("psl") {
		ltl.AddRegexps(weights)
	}
	return weights, nil
}

func (t *formulaTask) readFamilies(c *cli.Context) error {
	for _, text := range texts(c, "family") {
		members, err := formulas.FamilyMembers(text)
		if err != nil {
			return &cmdline.Error{Command: "formula", Text: "--family " + text + ": " + err.Error(), Help: "--families lists them, with their arguments"}
		}
		t.members = append(t.members, members...)
	}
	return nil
}

// listFamilies prints the families.
func listFamilies(s cmdline.Streams) error {
	for _, f := range family.All() {
		arguments := fmt.Sprintf("=%d..%d", f.Least, f.Most)
		switch {
		case f.Arity == 2:
			arguments = "=N,M"
		case !f.Patterns():
			arguments = "=N"
		}
		if _, err := fmt.Fprintf(s.Out, "%-28s%s (%s)\n", f.Name+arguments, f.About, f.Source); err != nil {
			return err
		}
	}
	return nil
}
