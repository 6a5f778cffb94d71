package ltl

import (
	"math"
	"slices"
	"sync"
	"weak"

	"github.com/seltl/seltl/internal/lists"
)

// RegexpOp is the outermost operator of a Regexp.
type RegexpOp uint8

const (
	NoWord     RegexpOp = iota // matches nothing
	EmptyWord                  // [*0]
	OneLetter                  // a Boolean formula, true of the one letter of a word
	Concat                     // r ; s, two or more operands
	Fusion                     // r : s, the last letter of r is the first one of s
	Union                      // r | s, sorted, without duplicates
	AnyLength                  // r & s: one matches the word, the others prefixes of it
	SameLength                 // r && s: all match the word
	Star                       // r[*i..j]
	FusionStar                 // r[:*i..j], where r[:*0] is any one letter
	FirstMatch                 // first_match(r): the words of r of which no proper prefix is one
	// violation: the shortest words with one letter at least that have no continuation in r
	// and no prefix but the empty one. {r} is {violation of r}[]-> false, and !{r} is
	// {violation of r}<>-> true; nothing else has it.
	violation
)

// Unbounded is the upper bound of r[*i..].
const Unbounded = math.MaxInt

// Regexp is an immutable regular expression over letters: a set of finite words. Two
// expressions are structurally equal iff their pointers are; they are made by Parse and by
// the constructors below, which simplify what is easy to see. The operators are those of PSL
// [IEEE1850] and their meaning that of Spot's documentation.
type Regexp struct {
	op       RegexpOp
	letter   *Formula
	args     []*Regexp
	lo, hi   int
	hash     uint64
	size     int // nodes of the tree, those of letters included
	depth    int32
	nullable bool // matches the empty word
	bounded  bool // there is a longest word, as far as the syntax shows
	letters  []*Formula
}

// Op returns the outermost operator.
func (r *Regexp) Op() RegexpOp { return r.op }

// Letter returns the Boolean formula of OneLetter, nil for others.
func (r *Regexp) Letter() *Formula { return r.letter }

// Args returns the operands; the slice must not be changed.
func (r *Regexp) Args() []*Regexp { return r.args }

// Bounds returns i and j of r[*i..j] and r[:*i..j]; j may be Unbounded.
func (r *Regexp) Bounds() (lo, hi int) { return r.lo, r.hi }

// Nullable reports whether the empty word matches.
func (r *Regexp) Nullable() bool { return r.nullable }

// Bounded reports whether the syntax shows that there is a longest word.
func (r *Regexp) Bounded() bool { return r.bounded }

// internedRegexps holds every live expression, as interned does formulas.
var internedRegexps = struct {
	sync.Mutex
	byHash map[uint64][]weak.Pointer[Regexp]
	count  int
	sweep  int
}{byHash: map[uint64][]weak.Pointer[Regexp]{}, sweep: 1 << 14}

// internRegexp returns the one expression with this structure. It takes ownership of args.
func internRegexp(r Regexp) *Regexp {
	h := uint64(r.op)*0x9e3779b97f4a7c15 + uint64(r.lo)*0xc2b2ae3d27d4eb4f + uint64(r.hi)
	if r.letter != nil {
		h ^= r.letter.hash
	}
	for _, a := range r.args {
		h = (h ^ a.hash) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	t := &internedRegexps
	t.Lock()
	defer t.Unlock()
	for _, w := range t.byHash[h] {
		if s := w.Value(); s != nil && s.op == r.op && s.letter == r.letter && s.lo == r.lo && s.hi == r.hi && slices.Equal(s.args, r.args) {
			return s
		}
	}
	r.hash = h
	r.describe()
	s := &r
	t.byHash[h] = append(t.byHash[h], weak.Make(s))
	if t.count++; t.count >= t.sweep {
		live := 0
		for h, bucket := range t.byHash {
			bucket = slices.DeleteFunc(bucket, func(w weak.Pointer[Regexp]) bool { return w.Value() == nil })
			if t.byHash[h] = bucket; len(bucket) == 0 {
				delete(t.byHash, h)
			}
			live += len(bucket)
		}
		t.count, t.sweep = live, max(1<<14, 2*live)
	}
	return s
}

// describe computes what is kept with an expression from its operands.
func (r *Regexp) describe() {
	r.size, r.depth = 1, 1
	all, some := true, false // of the operands: nullable
	bounded, bound := true, false
	for _, a := range r.args {
		if r.size += a.size; r.size < 0 || a.size == math.MaxInt {
			r.size = math.MaxInt
		}
		r.depth = max(r.depth, min(a.depth, math.MaxInt32-1)+1)
		all, some = all && a.nullable, some || a.nullable
		bounded, bound = bounded && a.bounded, bound || a.bounded
		for _, l := range a.letters {
			if !slices.Contains(r.letters, l) {
				r.letters = append(r.letters, l)
			}
		}
	}
	r.bounded = bounded
	switch r.op {
	case EmptyWord:
		r.nullable = true
	case OneLetter:
		r.letters = []*Formula{r.letter}
		r.size, r.depth = r.letter.size, r.letter.depth
	case Concat, AnyLength:
		r.nullable = all
	case SameLength:
		r.nullable, r.bounded = all, bound
	case Union, FirstMatch:
		r.nullable = some
	case Star:
		r.nullable, r.bounded = all || r.lo == 0, bounded && r.hi != Unbounded
	case FusionStar:
		r.bounded = bounded && r.hi != Unbounded
	}
}

var (
	noWord    = internRegexp(Regexp{op: NoWord})
	emptyWord = internRegexp(Regexp{op: EmptyWord})
	anyLetter = internRegexp(Regexp{op: OneLetter, letter: trueFormula})
	anyWord   = internRegexp(Regexp{op: Star, args: []*Regexp{anyLetter}, hi: Unbounded})
)

// MakeEmptyWord returns [*0].
func MakeEmptyWord() *Regexp { return emptyWord }

// MakeLetter returns the expression of the words of one letter that satisfies b. It panics if
// b is not Boolean.
func MakeLetter(b *Formula) *Regexp {
	mustFormula(b)
	switch {
	case !b.class.Has(Boolean):
		panic("ltl.MakeLetter: a letter is a Boolean formula")
	case b.op == False:
		return noWord
	}
	return internRegexp(Regexp{op: OneLetter, letter: b})
}

// MakeConcat returns r ; s ; ...: flattened, without [*0]; [*0] for no operands.
func MakeConcat(rs ...*Regexp) *Regexp {
	var args []*Regexp
	for _, r := range flat(Concat, rs) {
		switch {
		case r == noWord:
			return noWord
		case r == emptyWord, r == anyWord && len(args) > 0 && args[len(args)-1] == anyWord:
		default:
			args = append(args, r)
		}
	}
	return nary(Concat, args, emptyWord)
}

// MakeFusion returns r : s : ..., flattened; letters side by side are one.
func MakeFusion(rs ...*Regexp) *Regexp {
	var args []*Regexp
	rs = flat(Fusion, rs)
	for _, r := range rs {
		last := len(args) - 1
		switch {
		case r == noWord || r == emptyWord && len(rs) > 1:
			return noWord
		case last >= 0 && r.op == OneLetter && args[last].op == OneLetter:
			if args[last] = MakeLetter(MakeAnd(args[last].letter, r.letter)); args[last] == noWord {
				return noWord
			}
		case last >= 0 && args[last] == anyLetter && !r.nullable:
			args[last] = r
		case last >= 0 && r == anyLetter && !args[last].nullable:
		default:
			args = append(args, r)
		}
	}
	return nary(Fusion, args, anyLetter)
}

// flat takes operands of op apart.
func flat(op RegexpOp, rs []*Regexp) []*Regexp {
	var args []*Regexp
	for _, r := range rs {
		if r.op == op {
			args = append(args, r.args...)
		} else {
			args = append(args, r)
		}
	}
	return args
}

// nary is op over args, of which none is unit.
func nary(op RegexpOp, args []*Regexp, unit *Regexp) *Regexp {
	switch len(args) {
	case 0:
		return unit
	case 1:
		return args[0]
	}
	return internRegexp(Regexp{op: op, args: slices.Clip(args)})
}

// regexpOperands takes the operands of an operator apart: letters, others, and whether the empty word is among them. zero is one
// that absorbs all others, unit one that adds nothing.
func regexpOperands(op RegexpOp, rs []*Regexp, zero, unit *Regexp) (args []*Regexp, letters []*Formula, empty, isZero bool) {
	for _, r := range flat(op, rs) {
		switch {
		case r == zero:
			return nil, nil, false, true
		case r == unit:
		case r == emptyWord:
			empty = true
		case r.op == OneLetter:
			letters = append(letters, r.letter)
		default:
			args = append(args, r)
		}
	}
	return args, letters, empty, false
}

// MakeUnion returns r | s | ...: letters joined to one, sorted, without duplicates.
func MakeUnion(rs ...*Regexp) *Regexp {
	args, letters, empty, all := regexpOperands(Union, rs, anyWord, noWord)
	if all {
		return anyWord
	}
	if len(letters) > 0 {
		args = append(args, MakeLetter(MakeOr(letters...)))
	}
	if empty && !slices.ContainsFunc(args, (*Regexp).Nullable) {
		args = append(args, emptyWord)
	}
	return nary(Union, sortedSet(args), noWord)
}

// MakeSameLength returns r && s && ...: letters joined to one, sorted, without duplicates. No
// operands match every word.
func MakeSameLength(rs ...*Regexp) *Regexp {
	args, letters, empty, none := regexpOperands(SameLength, rs, noWord, anyWord)
	switch {
	case none || empty && (len(letters) > 0 || slices.ContainsFunc(args, func(r *Regexp) bool { return !r.nullable })):
		return noWord
	case empty:
		return emptyWord
	}
	return together(SameLength, args, letters, anyWord)
}

// MakeAnyLength returns r & s & ...: letters joined to one, sorted, without duplicates.
func MakeAnyLength(rs ...*Regexp) *Regexp {
	args, letters, _, none := regexpOperands(AnyLength, rs, noWord, emptyWord)
	if none {
		return noWord
	}
	return together(AnyLength, args, letters, emptyWord)
}

// together is op over operands all of which match, the letters at once.
func together(op RegexpOp, args []*Regexp, letters []*Formula, unit *Regexp) *Regexp {
	if len(letters) > 0 {
		l := MakeLetter(MakeAnd(letters...))
		if l == noWord {
			return noWord
		}
		args = append(args, l)
	}
	return nary(op, sortedSet(args), unit)
}

// sortedSet sorts and leaves out duplicates.
func sortedSet(args []*Regexp) []*Regexp {
	slices.SortFunc(args, (*Regexp).compare)
	return slices.Compact(args)
}

// MakeStar returns r[*lo..hi]; it panics unless 0 <= lo <= hi.
func MakeStar(r *Regexp, lo, hi int) *Regexp {
	mustBounds(lo, hi)
	switch {
	case hi == 0, r == emptyWord, r == noWord && lo == 0:
		return emptyWord
	case r == noWord, lo == 1 && hi == 1:
		return r
	case r.nullable && r.op == Star && r.hi == Unbounded, r.op == Star && r.hi == Unbounded && r.lo == 1 && lo <= 1:
		return MakeStar(r.args[0], min(r.lo, lo), Unbounded)
	}
	if r.nullable {
		lo = 0 // some of the words may be empty
	}
	return internRegexp(Regexp{op: Star, args: []*Regexp{r}, lo: lo, hi: hi})
}

// MakeFusionStar returns r[:*lo..hi]; it panics unless 0 <= lo <= hi.
func MakeFusionStar(r *Regexp, lo, hi int) *Regexp {
	mustBounds(lo, hi)
	switch {
	case hi == 0, lo == 0 && (r == noWord || r == emptyWord || r.op == OneLetter):
		return anyLetter
	case r == noWord || r == emptyWord:
		return noWord
	case r.op == OneLetter, lo == 1 && hi == 1 && !r.nullable:
		return r
	}
	return internRegexp(Regexp{op: FusionStar, args: []*Regexp{r}, lo: lo, hi: hi})
}

func mustBounds(lo, hi int) {
	if lo < 0 || hi < lo {
		panic("ltl: the bounds of a repetition are upside down")
	}
}

// MakeFirstMatch returns first_match(r).
func MakeFirstMatch(r *Regexp) *Regexp {
	switch {
	case r.nullable:
		return emptyWord
	case r.op == OneLetter, r.op == NoWord, r.op == FirstMatch:
		return r
	}
	return internRegexp(Regexp{op: FirstMatch, args: []*Regexp{r}})
}

// makeViolation returns the violations of {r}.
func makeViolation(r *Regexp) *Regexp {
	if r == noWord || r == emptyWord {
		return anyLetter
	}
	return internRegexp(Regexp{op: violation, args: []*Regexp{r}})
}

// compare is a total order that does not depend on the history of the process: 0 iff r == s.
func (r *Regexp) compare(s *Regexp) int {
	for {
		if r == s {
			return 0
		}
		if c := int(r.op) - int(s.op); c != 0 {
			return c
		}
		if r.op == OneLetter {
			return r.letter.compare(s.letter)
		}
		i := 0
		for i < len(r.args) && i < len(s.args) && r.args[i] == s.args[i] {
			i++
		}
		switch {
		case i < len(r.args) && i < len(s.args):
			r, s = r.args[i], s.args[i]
			continue
		case len(r.args) != len(s.args):
			return len(r.args) - len(s.args)
		case r.lo != s.lo:
			return sign(r.lo < s.lo)
		}
		return sign(r.hi < s.hi)
	}
}

func sign(less bool) int {
	if less {
		return -1
	}
	return 1
}

// mapLetters returns r with every letter replaced by its image.
func (r *Regexp) mapLetters(image func(*Formula) *Formula) *Regexp {
	known := map[*Regexp]*Regexp{}
	var of func(r *Regexp) *Regexp
	of = func(r *Regexp) *Regexp {
		if s, ok := known[r]; ok {
			return s
		}
		s := r
		switch {
		case r.op == OneLetter:
			s = MakeLetter(image(r.letter))
		case len(r.args) > 0:
			args := lists.Map(r.args, func(a *Regexp) *Regexp { return of(a) })
			s = r.with(args)
		}
		known[r] = s
		return s
	}
	return of(r)
}

// with returns the expression with the operator of r and other operands.
func (r *Regexp) with(args []*Regexp) *Regexp {
	switch r.op {
	case Concat:
		return MakeConcat(args...)
	case Fusion:
		return MakeFusion(args...)
	case Union:
		return MakeUnion(args...)
	case AnyLength:
		return MakeAnyLength(args...)
	case SameLength:
		return MakeSameLength(args...)
	case Star:
		return MakeStar(args[0], r.lo, r.hi)
	case FusionStar:
		return MakeFusionStar(args[0], r.lo, r.hi)
	case FirstMatch:
		return MakeFirstMatch(args[0])
	case violation:
		return makeViolation(args[0])
	}
	return r
}
