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
	if f == nil {
		return nil, ltl.ErrNil
	}
	var prefixes *Automaton
	err := bdd.Guard(func() error {
		a, err := newTranslation(f, opts).run()
		if err == nil {
			prefixes = closure(a)
		}
		return err
	})
	if err != nil {
		return nil, nodeLimit(err)
	}
	return prefixes, nil
}
