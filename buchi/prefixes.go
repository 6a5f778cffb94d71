package buchi

import (
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/ltl"
)

// Prefixes returns an automaton without acceptance sets whose finite runs read the
// finite words that begin some word which satisfies f (and whose letters satisfy the
// constraints). So a finite word after which it has no state left is a bad prefix of
// f: however it goes on, f is violated. The initial state is also there if nothing
// satisfies f; it has no edges then. Options and errors are those of Translate.
func Prefixes(f *ltl.Formula, opts Options) (*Automaton, error) {
	a, err := Live(f, opts)
	if err != nil {
		return nil, err
	}
	return dropMarks(a), nil
}

// Live is Translate without states from which nothing is accepted, the initial one apart: a
// finite word after which no state is left is a bad prefix of f.
func Live(f *ltl.Formula, opts Options) (*Automaton, error) {
	if f == nil {
		return nil, ltl.ErrNil
	}
	var live *Automaton
	err := bdd.Guard(func() error {
		a, err := newTranslation(f, opts).run()
		if err == nil {
			live = trim(a.clone())
		}
		return err
	})
	if err != nil {
		return nil, nodeLimit(err)
	}
	return live, nil
}
