package ltl

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"sync"
	"weak"
)

// Op is the outermost operator of a Formula.
type Op uint8

const (
	False Op = iota
	True
	Atomic // an Atom
	Not
	And // two or more operands, sorted by Compare, without duplicates
	Or  // likewise
	Xor
	Implies
	Iff
	Next          // X
	Eventually    // F
	Always        // G
	Until         // U
	Release       // R
	WeakUntil     // W
	StrongRelease // M
	// Past operators look at the positions from the first one to this one.
	Yesterday     // Y, false at the first position
	WeakYesterday // Z, true there
	Once          // O
	Historically  // H
	Since         // S
	Triggered     // T, dual to S
	SuffixImplies // {r}[]-> f: f holds at the last letter of every match of r from here on
	SuffixAnd     // {r}<>-> f: f holds at the last letter of some match of r from here on

	numOps
)

// AtomKind says what an Atom stands for.
type AtomKind uint8

const (
	// Name is a label that was read without a model: it may turn out to be a
	// proposition or an event.
	Name AtomKind = iota
	// Prop is a proposition: true iff it labels the current state.
	Prop
	// Event is true iff it is the action of the step that leaves the current
	// state ([Chaki05], 8.3).
	Event
	// Deadlock is true iff the current state has no successor. Its Name is "".
	Deadlock
	// Enabled is true iff the named action is possible in the current state.
	Enabled
	// Hidden is an atom of Foretold, of which no word knows.
	Hidden
)

// Atom is an atomic formula. Atoms are compared with ==.
type Atom struct {
	Kind AtomKind
	Name string // canonical: indices as dotted segments ("phil.0.eat"); "tau" for the silent event
}

// AtomError says that an atom of a formula means nothing in the model that the formula is
// checked on.
type AtomError struct {
	Atom Atom
	Why  string // goes on after the name: "is no event of P"
}

func (e *AtomError) Error() string { return fmt.Sprintf("%q %s", e.Atom.Name, e.Why) }

// Compare orders atoms by name, then kind.
func (a Atom) Compare(b Atom) int {
	if c := strings.Compare(a.Name, b.Name); c != 0 {
		return c
	}
	return int(a.Kind) - int(b.Kind)
}

// ErrNil is what is wrong with a nil *Formula. Functions of this module that
// take a formula and return an error return it; others panic with it.
var ErrNil = errors.New("a nil *ltl.Formula is no formula: make one with ltl.Parse or a constructor of package ltl")

func mustFormula(f *Formula) {
	if f == nil {
		panic(ErrNil)
	}
}

// Formula is an immutable SE-LTL formula. Two formulas are structurally equal
// iff their pointers are. Formulas are made by Parse and by the constructors
// below, and are safe for concurrent use. Nil is none, see ErrNil.
type Formula struct {
	op    Op
	atom  Atom
	re    *Regexp // of SuffixImplies and SuffixAnd
	args  []*Formula
	hash  uint64
	size  int
	depth int32
	class Class
	tense tense
}

// Op returns the outermost operator.
func (f *Formula) Op() Op { return f.op }

// Atom returns the atom of an Atomic formula, and the zero Atom for others.
func (f *Formula) Atom() Atom { return f.atom }

// Args returns the operands: none for constants and atoms, one for unary
// operators, two for binary ones, two or more for And and Or; of SuffixImplies and SuffixAnd
// the letters of the regular expression, in the order in which they occur first, and last
// what holds at the end of a match. The slice must not be changed.
func (f *Formula) Args() []*Formula { return f.args }

// Regexp returns the regular expression of SuffixImplies and SuffixAnd, nil for others.
func (f *Formula) Regexp() *Regexp { return f.re }

// Last returns the last operand: what {r}[]-> f and {r}<>-> f say about the end of a match.
func (f *Formula) Last() *Formula { return f.args[len(f.args)-1] }

// Left returns the first operand.
func (f *Formula) Left() *Formula { return f.args[0] }

// Right returns the second operand.
func (f *Formula) Right() *Formula { return f.args[1] }

// Size returns the number of nodes of the formula as a tree (an And of n
// operands counts as one node); it saturates at the largest int.
func (f *Formula) Size() int { return f.size }

// interned holds every live formula by structural hash. Weak pointers let
// unused formulas go; their empty entries are swept when the table has doubled.
var interned = struct {
	sync.Mutex
	byHash map[uint64][]weak.Pointer[Formula]
	count  int // entries, dead ones included
	sweep  int // sweep when count reaches this
}{byHash: map[uint64][]weak.Pointer[Formula]{}, sweep: 1 << 14}

var seed = maphash.MakeSeed()

func hashOf(op Op, atom Atom, re *Regexp, args []*Formula) uint64 {
	h := uint64(op)*0x9e3779b97f4a7c15 + 0x85ebca6b
	if re != nil {
		h ^= re.hash
	}
	if op == Atomic {
		h ^= maphash.String(seed, atom.Name) + uint64(atom.Kind)*0xc2b2ae3d27d4eb4f
	}
	for _, a := range args {
		h = (h ^ a.hash) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

// intern returns the one formula with this structure. It takes ownership of args.
func intern(op Op, atom Atom, args []*Formula) *Formula { return internSuffix(op, atom, nil, args) }

// internSuffix is intern for operators that have a regular expression, whose letters are
// operands before the others.
func internSuffix(op Op, atom Atom, re *Regexp, args []*Formula) *Formula {
	h := hashOf(op, atom, re, args)
	interned.Lock()
	defer interned.Unlock()
	bucket := interned.byHash[h]
	for _, w := range bucket {
		if f := w.Value(); f != nil && f.op == op && f.atom == atom && f.re == re && slices.Equal(f.args, args) {
			return f
		}
	}
	f := &Formula{op: op, atom: atom, re: re, args: args, hash: h, size: 1, depth: 1, class: classOf(op, re, args), tense: tenseOf(op, args)}
	if re != nil {
		f.size, f.depth = re.size+1, re.depth+1
		args = args[len(args)-1:] // the letters have been counted
	}
	for _, a := range args {
		f.depth = max(f.depth, min(a.depth, math.MaxInt32-1)+1)
		if f.size += a.size; f.size < 0 || a.size == math.MaxInt {
			f.size = math.MaxInt
		}
	}
	interned.byHash[h] = append(bucket, weak.Make(f))
	if interned.count++; interned.count >= interned.sweep {
		sweepInterned()
	}
	return f
}

func sweepInterned() {
	live := 0
	for h, bucket := range interned.byHash {
		bucket = slices.DeleteFunc(bucket, func(w weak.Pointer[Formula]) bool { return w.Value() == nil })
		if len(bucket) == 0 {
			delete(interned.byHash, h)
			continue
		}
		interned.byHash[h] = bucket
		live += len(bucket)
	}
	interned.count = live
	interned.sweep = max(1<<14, 2*live)
}

var (
	trueFormula  = intern(True, Atom{}, nil)
	falseFormula = intern(False, Atom{}, nil)
)

// T is the formula true.
func T() *Formula { return trueFormula }

// Ff is the formula false.
func Ff() *Formula { return falseFormula }

// Constant returns T() or Ff().
func Constant(b bool) *Formula {
	if b {
		return trueFormula
	}
	return falseFormula
}

// AtomOf returns the atomic formula of a.
func AtomOf(a Atom) *Formula { return intern(Atomic, a, nil) }

// MakeNot returns !f, without double negation or negated constants.
func MakeNot(f *Formula) *Formula {
	mustFormula(f)
	switch f.op {
	case True:
		return falseFormula
	case False:
		return trueFormula
	case Not:
		return f.args[0]
	}
	if _, _, closure := f.Closure(); closure {
		return suffix(dualOp[f.op], f.re, MakeNot(f.Last()))
	}
	return intern(Not, Atom{}, []*Formula{f})
}

// MakeAnd returns the conjunction: flattened, sorted, without duplicates; true
// for no operands, false if one is false or two are each other's negation.
func MakeAnd(fs ...*Formula) *Formula { return junction(And, fs) }

// MakeOr returns the disjunction, dual to MakeAnd.
func MakeOr(fs ...*Formula) *Formula { return junction(Or, fs) }

func junction(op Op, fs []*Formula) *Formula {
	unit, zero := trueFormula, falseFormula
	if op == Or {
		unit, zero = zero, unit
	}
	args := make([]*Formula, 0, len(fs))
	for _, f := range fs {
		mustFormula(f)
	}
	for _, f := range fs {
		switch {
		case f == zero:
			return zero
		case f == unit:
		case f.op == op:
			args = append(args, f.args...)
		default:
			args = append(args, f)
		}
	}
	slices.SortFunc(args, (*Formula).compare)
	args = slices.Compact(args)
	// Compare puts a formula and its negation side by side.
	for i := 1; i < len(args); i++ {
		if args[i].op == Not && args[i].args[0] == args[i-1] {
			return zero
		}
	}
	switch len(args) {
	case 0:
		return unit
	case 1:
		return args[0]
	}
	return intern(op, Atom{}, slices.Clip(args))
}

// MakeXor returns f xor g; constants and equal operands are evaluated.
func MakeXor(f, g *Formula) *Formula { return parity(Xor, falseFormula, f, g) }

// MakeIff returns f <-> g; constants and equal operands are evaluated.
func MakeIff(f, g *Formula) *Formula { return parity(Iff, trueFormula, f, g) }

// parity makes f op g, which is the constant same where f is g.
func parity(op Op, same, f, g *Formula) *Formula {
	mustFormula(f)
	mustFormula(g)
	if f.compare(g) > 0 {
		f, g = g, f
	}
	switch other := MakeNot(same); {
	case f == g:
		return same
	case f == same:
		return g
	case f == other:
		return MakeNot(g)
	case MakeNot(f) == g:
		return other
	}
	return intern(op, Atom{}, []*Formula{f, g})
}

// MakeImplies returns f -> g; constants and equal operands are evaluated.
func MakeImplies(f, g *Formula) *Formula {
	mustFormula(f)
	mustFormula(g)
	switch {
	case f.op == False, g.op == True, f == g:
		return trueFormula
	case f.op == True:
		return g
	case g.op == False:
		return MakeNot(f)
	}
	return intern(Implies, Atom{}, []*Formula{f, g})
}

// MakeNext returns X f; X of a constant is the constant (runs are infinite).
func MakeNext(f *Formula) *Formula {
	mustFormula(f)
	if f.op == True || f.op == False {
		return f
	}
	return intern(Next, Atom{}, []*Formula{f})
}

// MakeEventually returns F f, with F F f = F f.
func MakeEventually(f *Formula) *Formula {
	return idempotent(Eventually, f)
}

// MakeAlways returns G f, with G G f = G f.
func MakeAlways(f *Formula) *Formula {
	return idempotent(Always, f)
}

// MakeUntil returns f U g (g must come), with f U f = f and constants evaluated.
func MakeUntil(f, g *Formula) *Formula {
	return until(Until, Eventually, f, g)
}

// idempotent makes a formula with an operator that does nothing to constants, and nothing twice.
func idempotent(op Op, f *Formula) *Formula {
	mustFormula(f)
	if f.op == True || f.op == False || f.op == op {
		return f
	}
	return intern(op, Atom{}, []*Formula{f})
}

// until makes f U g, or f S g, where the formula some(g) is true U g, or true S g.
func until(op, some Op, f, g *Formula) *Formula {
	mustFormula(f)
	mustFormula(g)
	switch {
	case g.op == True, g.op == False, f.op == False, f == g:
		return g
	case f.op == True:
		return idempotent(some, g)
	}
	return intern(op, Atom{}, []*Formula{f, g})
}

// MakeWeakUntil returns f W g = (f U g) | G f.
func MakeWeakUntil(f, g *Formula) *Formula {
	mustFormula(f)
	mustFormula(g)
	switch {
	case f.op == True, g.op == True:
		return trueFormula
	case f.op == False, f == g:
		return g
	case g.op == False:
		return MakeAlways(f)
	}
	return intern(WeakUntil, Atom{}, []*Formula{f, g})
}

// MakeRelease returns f R g: g holds up to and including the first f, or forever.
func MakeRelease(f, g *Formula) *Formula {
	mustFormula(f)
	mustFormula(g)
	switch {
	case g.op == True, g.op == False, f.op == True, f == g:
		return g
	case f.op == False:
		return MakeAlways(g)
	}
	return intern(Release, Atom{}, []*Formula{f, g})
}

// MakeStrongRelease returns f M g = (f R g) & F f.
func MakeStrongRelease(f, g *Formula) *Formula {
	mustFormula(f)
	mustFormula(g)
	switch {
	case f.op == False, g.op == False:
		return falseFormula
	case f.op == True, f == g:
		return g
	case g.op == True:
		return MakeEventually(f)
	}
	return intern(StrongRelease, Atom{}, []*Formula{f, g})
}

// Make returns the formula with the given operator and operands (as many as the
// operator takes), by the constructor above.
func Make(op Op, args ...*Formula) *Formula {
	switch op {
	case True:
		return trueFormula
	case False:
		return falseFormula
	case Not:
		return MakeNot(args[0])
	case And:
		return MakeAnd(args...)
	case Or:
		return MakeOr(args...)
	case Xor:
		return MakeXor(args[0], args[1])
	case Implies:
		return MakeImplies(args[0], args[1])
	case Iff:
		return MakeIff(args[0], args[1])
	case Next:
		return MakeNext(args[0])
	case Eventually:
		return MakeEventually(args[0])
	case Always:
		return MakeAlways(args[0])
	case Until:
		return MakeUntil(args[0], args[1])
	case Release:
		return MakeRelease(args[0], args[1])
	case WeakUntil:
		return MakeWeakUntil(args[0], args[1])
	case StrongRelease:
		return MakeStrongRelease(args[0], args[1])
	case Atomic:
		panic("ltl.Make: an atom has no operands")
	}
	if isPast(op) {
		return makePast(op, args)
	}
	panic("ltl.Make: " + op.String() + " has a regular expression")
}

// With returns the formula with the operator of f, and its atom or regular expression, over
// other operands: as many as Args gives, letters where those are. It panics if a letter is
// not Boolean.
func (f *Formula) With(args ...*Formula) *Formula {
	switch f.op {
	case Atomic:
		return f
	case SuffixImplies, SuffixAnd:
		re := f.re.mapLetters(func(letter *Formula) *Formula { return args[slices.Index(f.re.letters, letter)] })
		return suffix(f.op, re, args[len(args)-1])
	}
	return Make(f.op, args...)
}

// compare is a total order that does not depend on the history of the process:
// literals by atom first, then by operator and operands. A formula and its
// negation are neighbours. It returns 0 iff f == g.
func (f *Formula) compare(g *Formula) int {
	for {
		if f == g {
			return 0
		}
		// A negation sorts right behind what it negates.
		fp, fn := f.positive()
		gp, gn := g.positive()
		if fp == gp {
			return fn - gn
		}
		f, g = fp, gp
		if c := int(f.op) - int(g.op); c != 0 {
			return c
		}
		if f.op == Atomic {
			return f.atom.Compare(g.atom)
		}
		// Distinct formulas with the same operator differ in the regular expression, in
		// the number of operands or in one of them: descend into the first that differs.
		if f.re != g.re {
			return f.re.compare(g.re)
		}
		i := 0
		for i < len(f.args) && i < len(g.args) && f.args[i] == g.args[i] {
			i++
		}
		if i == len(f.args) || i == len(g.args) {
			return len(f.args) - len(g.args)
		}
		f, g = f.args[i], g.args[i]
	}
}

func (f *Formula) positive() (*Formula, int) {
	if f.op == Not {
		return f.args[0], 1
	}
	return f, 0
}

// Atoms returns the atoms of the formulas, sorted, without duplicates.
func Atoms(fs ...*Formula) []Atom {
	var atoms []Atom
	seen := map[*Formula]bool{}
	stack := slices.Clone(fs)
	for len(stack) > 0 {
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		mustFormula(f)
		if seen[f] {
			continue
		}
		seen[f] = true
		if f.op == Atomic {
			atoms = append(atoms, f.atom)
		}
		stack = append(stack, f.args...)
	}
	slices.SortFunc(atoms, Atom.Compare)
	return atoms
}
