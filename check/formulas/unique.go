package formulas

import (
	"context"
	"math/rand/v2"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/ltl"
)

// Uniqueness says which formulas count as the same.
type Uniqueness uint8

const (
	AllFormulas     Uniqueness = iota
	UniqueFormulas             // no formula twice
	UniqueLanguages            // no two that are equivalent
)

var uniquenesses = names.Of[Uniqueness]("uniqueness", "off", "formula", "language")

func (u Uniqueness) String() string                   { return uniquenesses.String(u) }
func (u Uniqueness) MarshalText() ([]byte, error)     { return uniquenesses.Marshal(u) }
func (u *Uniqueness) UnmarshalText(text []byte) error { return uniquenesses.Unmarshal(text, u) }

// Names lists the texts of all values.
func (Uniqueness) Names() []string { return uniquenesses.List() }

// UniqueFilter remembers formulas that it has seen.
type UniqueFilter struct {
	By     Uniqueness
	seen   map[*ltl.Formula]bool
	alike  map[uint64][]*ltl.Formula // by fingerprint
	sample []ltl.Word
}

// New reports whether a formula is none that it was asked about before, and remembers it. By
// language, only those are compared by automata that a fixed sample of words cannot tell
// apart. The error is a limit of the options; the formula is not remembered then.
func (u *UniqueFilter) New(ctx context.Context, f *ltl.Formula, opts check.Options) (bool, error) {
	if u.By == AllFormulas {
		return true, nil
	}
	if u.seen == nil {
		u.seen, u.alike = map[*ltl.Formula]bool{}, map[uint64][]*ltl.Formula{}
	}
	if u.seen[f] {
		return false, nil
	}
	if u.By == UniqueLanguages {
		print := u.fingerprint(f)
		meter := budget.New(ctx, opts.Limits, opts.Progress)
		for _, g := range u.alike[print] {
			if _, same, err := buchi.Equivalent(f, g, buchi.Options{Meter: meter}); err != nil || same {
				return false, err
			}
		}
		u.alike[print] = append(u.alike[print], f)
	}
	u.seen[f] = true
	return true, nil
}

// sampleWords is how many words a fingerprint has.
const sampleWords = 64

// fingerprint says by one bit each which words of a sample satisfy the formula: equivalent
// formulas have the same, whatever atoms they mention, since what an atom is in a word depends
// on its name only.
func (u *UniqueFilter) fingerprint(f *ltl.Formula) (bits uint64) {
	if u.sample == nil {
		for seed := range uint64(sampleWords) {
			r := rand.New(rand.NewPCG(seed, 0))
			w := ltl.Word{Stem: make([]ltl.Letter, r.IntN(4)), Loop: make([]ltl.Letter, 1+r.IntN(4))}
			for i := range w.Len() {
				letter := sampleLetter(r.Uint64())
				if i < len(w.Stem) {
					w.Stem[i] = letter
				} else {
					w.Loop[i-len(w.Stem)] = letter
				}
			}
			u.sample = append(u.sample, w)
		}
	}
	for i, w := range u.sample {
		if ltl.Eval(f, w) {
			bits |= 1 << i
		}
	}
	return bits
}

// sampleLetter decides each atom by a hash of its name (FNV-1a, mixed with the key).
func sampleLetter(key uint64) ltl.Letter {
	return func(a ltl.Atom) bool {
		h := uint64(14695981039346656037) ^ key ^ uint64(a.Kind)
		for i := range len(a.Name) {
			h = (h ^ uint64(a.Name[i])) * 1099511628211
		}
		h ^= h >> 32
		return (h*0x9e3779b97f4a7c15)>>63 == 1
	}
}
