package ltl

import "strings"

// Class is a set of syntactic properties of a formula. They are sufficient
// conditions: a formula that lacks a bit may still be equivalent to one that has
// it (F G a | G F !a is true, but looks like a reactivity).
//
// The hierarchy bits follow [ChangMannaPnueli92]; the eventuality bits
// [EtessamiHolzmann00].
type Class uint16

const (
	// Boolean: no temporal operator.
	Boolean Class = 1 << iota
	// Safety: every violation is visible in a finite prefix.
	Safety
	// Guarantee: every satisfaction is visible in a finite prefix (co-safety).
	Guarantee
	// Obligation: a Boolean combination of safety and guarantee; a weak automaton.
	Obligation
	// Recurrence: a deterministic Büchi automaton exists.
	Recurrence
	// Persistence: the negation is a recurrence.
	Persistence
	// StutterInvariant: neither X, Y and Z nor a regular expression, so that repeating letters
	// changes nothing.
	StutterInvariant
	// Eventual (pure eventuality): if the formula holds at a position of a word, it holds at
	// all before; F f is f. Without past operators: what a suffix satisfies, the word does.
	Eventual
	// Universal (pure universality): if the formula holds at a position of a word, it holds at
	// all behind; G f is f. Without past operators: what a word satisfies, its suffixes do.
	Universal
	// NegationNormal: negations only at atoms, and no ->, <-> and xor.
	NegationNormal

	allClasses = NegationNormal<<1 - 1
)

// Reactivity is the class of all formulas; it has no bit of its own.
const Reactivity Class = 0

var classNames = []string{
	"boolean", "safety", "guarantee", "obligation", "recurrence", "persistence",
	"stutter-invariant", "eventual", "universal", "negation-normal",
}

// Has reports whether c has all bits of d.
func (c Class) Has(d Class) bool { return c&d == d }

// String lists the properties, separated by blanks; "reactivity" stands for
// formulas in none of the lower classes of the hierarchy.
func (c Class) String() string {
	var words []string
	if c&(Recurrence|Persistence) == 0 {
		words = append(words, "reactivity")
	}
	for i, name := range classNames {
		if c>>i&1 != 0 {
			words = append(words, name)
		}
	}
	return strings.Join(words, " ")
}

// Classify returns the syntactic properties of f, in constant time.
func Classify(f *Formula) Class {
	mustFormula(f)
	return f.class
}

// Is reports whether f has all the given syntactic properties.
func (f *Formula) Is(c Class) bool { return f.class.Has(c) }

// dual returns the class of the negation of a formula of class c.
func (c Class) dual() Class {
	swap := func(a, b Class) (out Class) {
		if c.Has(a) {
			out |= b
		}
		if c.Has(b) {
			out |= a
		}
		return out
	}
	return c&(Boolean|Obligation|StutterInvariant) |
		swap(Safety, Guarantee) | swap(Recurrence, Persistence) | swap(Eventual, Universal)
}

// classOf computes the class of op over args from the classes of the args; re is the regular
// expression of the operators that have one.
func classOf(op Op, re *Regexp, args []*Formula) Class {
	all := allClasses
	for _, a := range args {
		all &= a.class
	}
	var l, r Class // of the operands of a unary (l) or binary operator
	if len(args) > 0 {
		l = args[0].class
	}
	if len(args) > 1 {
		r = args[1].class
	}
	var c Class
	switch op {
	case False, True:
		return allClasses
	case Atomic:
		return allClasses &^ (Eventual | Universal)
	case Not:
		c = l.dual()
		if args[0].op == Atomic {
			c |= NegationNormal
		}
		return c
	case And, Or:
		return all
	case Implies:
		return (l.dual() | NegationNormal) & r &^ NegationNormal
	case Xor, Iff:
		return all & all.dual()
	case Next:
		return l &^ (Boolean | StutterInvariant)
	case Eventually:
		c = keep(l, Guarantee, Guarantee) | keep(l, Persistence, Persistence) | keep(l, Guarantee, Obligation|Recurrence)
		c |= Eventual | l&Universal
	case Always:
		c = keep(l, Safety, Safety) | keep(l, Recurrence, Recurrence) | keep(l, Safety, Obligation|Persistence)
		c |= Universal | l&Eventual
	case Until:
		c = untilClass(l, r, all)
		c |= r & (Eventual | Universal)
	case StrongRelease: // f M g = !(!f W !g)
		c = weakClass(l.dual(), r.dual(), all.dual()).dual()
		c |= r&Eventual | all&Universal
	case WeakUntil:
		c = weakClass(l, r, all)
		c |= r&Universal | all&Eventual
	case Release: // f R g = !(!f U !g)
		c = untilClass(l.dual(), r.dual(), all.dual()).dual()
		c |= r & (Eventual | Universal)
	case SuffixAnd:
		return suffixClass(re, args[len(args)-1].class) | all&NegationNormal
	case SuffixImplies:
		return suffixClass(re, args[len(args)-1].class.dual()).dual() | all&NegationNormal
	case Yesterday, WeakYesterday, Once, Historically, Since, Triggered:
		c = pastClass(op, l, r, all)
	}
	if op == Yesterday || op == WeakYesterday {
		return c | all&NegationNormal
	}
	return c | all&(StutterInvariant|NegationNormal)
}

// pastClass is the class of a past operator. At each position it is a Boolean combination of
// its operands at finitely many positions, without negation, and so in every class of the
// hierarchy that has the operands ([MannaPnueli90]).
func pastClass(op Op, l, r, all Class) Class {
	c := all & (Safety | Guarantee | Obligation | Recurrence | Persistence)
	switch op {
	case Yesterday:
		return c | l&Universal
	case WeakYesterday:
		return c | l&Eventual
	case Once:
		c |= Universal | l&Eventual
	case Historically:
		c |= Eventual | l&Universal
	default: // Since, Triggered
		c |= r & (Eventual | Universal)
	}
	return c
}

// keep returns the bits out if c has all of need.
func keep(c, need, out Class) Class {
	if c.Has(need) {
		return out
	}
	return 0
}

// untilClass is the place of f U g in the hierarchy.
func untilClass(l, r, all Class) Class {
	c := all & (Guarantee | Persistence)
	if r.Has(Guarantee) {
		c |= l & (Obligation | Recurrence)
		c |= keep(l, Obligation, Recurrence|Persistence)
	}
	return c | keep(c, Guarantee, Obligation|Recurrence|Persistence)
}

// weakClass is the place of f W g in the hierarchy.
func weakClass(l, r, all Class) Class {
	c := all & (Safety | Recurrence)
	if l.Has(Safety) {
		c |= r & (Obligation | Persistence)
		c |= keep(r, Obligation, Recurrence|Persistence)
	}
	return c | keep(c, Safety, Obligation|Recurrence|Persistence)
}
