package product

import (
	"errors"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/omega"
	"github.com/seltl/seltl/product/internal/meet"
)

// maxWhole bounds the states of a deterministic automaton that is made whole, whatever the network
// does, so that it can be complemented.
const maxWhole = 300

// errWhole says that there are more.
var errWhole = errors.New("product: the whole complement is too large")

// complement returns an automaton that accepts those words of the network's runs that the
// automaton refuses: its complement, if that is small, else one that is made along the runs.
func (s *search) complement(a *omega.Automaton) (*omega.Automaton, error) {
	if a.Deterministic() {
		return a.Complement(s.meter)
	}
	bounded := budget.Watch(func(p budget.Progress) error {
		if p.States > s.whole {
			return errWhole
		}
		return s.meter.Tick(p)
	})
	n, err := a.Complement(bounded)
	if errors.Is(err, errWhole) {
		return s.refused(a)
	}
	return n, err
}

// walking follows all runs of a network, and what the automaton does on them.
type walking struct {
	*search
	walk  *omega.Walk
	bind  *meet.Binding
	ex    *lks.Explorer
	succ  lks.Successors
	pairs *statetable.Table // of packed states, and the state of the walk
	next  map[walked]int32
	value []uint64 // scratch: a letter
}

// walked is a state of the walk and a letter: what is true in a state, and a class of events.
type walked struct{ from, letter, class int32 }

// refused determinises the automaton along the runs of the network: all pairs of a state of the
// network and one of the deterministic automaton are visited, and of that nothing else is made.
func (s *search) refused(a *omega.Automaton) (*omega.Automaton, error) {
	bind, err := meet.NewBinding(s.on, a.Atoms())
	if err != nil {
		return nil, err
	}
	walk, err := a.NewWalk(s.meter)
	if err != nil {
		return nil, err
	}
	w := &walking{search: s, walk: walk, bind: bind, ex: s.on.Explorer(), pairs: statetable.New(s.on.Words() + 1),
		next: map[walked]int32{}, value: make([]uint64, bind.Words)}
	if err := bdd.Guard(w.run); err != nil {
		return nil, err
	}
	s.walked = int64(w.pairs.Len())
	return walk.Refused()
}

// run visits the pairs.
func (w *walking) run() error {
	words := w.on.Words()
	add := func(state []uint64, at int32) {
		if at != omega.Dead {
			w.pairs.Insert(append(slices.Clone(state), uint64(at)))
		}
	}
	w.ex.Initial(&w.succ)
	for i := range w.succ.Len() {
		add(w.succ.States[i*words:(i+1)*words], 0)
	}
	for n := int32(0); int(n) < w.pairs.Len(); n++ {
		if n%256 == 0 {
			p := budget.Progress{Phase: "complementing the automaton along the runs", States: int64(w.pairs.Len())}
			if w.pairs.Full() {
				return budget.Full("states", w.pairs.Len(), p)
			}
			if err := w.meter.Tick(p); err != nil {
				return err
			}
		}
		pair := slices.Clone(w.pairs.State(n))
		state, at := pair[:words], int32(pair[words])
		w.ex.Successors(state, &w.succ)
		letter := w.bind.LetterOf(state, &w.succ)
		if w.succ.Len() == 0 && w.opts.Finite == StutterRuns {
			add(state, w.step(walked{at, letter, 0}))
		}
		for i, rule := range w.succ.Rules {
			add(w.succ.States[i*words:(i+1)*words], w.step(walked{at, letter, w.bind.Class[rule]}))
		}
	}
	return nil
}

// step is the state of the walk after a letter.
func (w *walking) step(k walked) int32 {
	to, ok := w.next[k]
	if !ok {
		n := w.bind.Words
		copy(w.value, w.bind.Letter[int(k.letter)*n:int(k.letter+1)*n])
		meet.Or(w.value, w.bind.Events[k.class])
		to = w.walk.Next(k.from, func(atom int) bool { return w.value[atom/64]>>(atom%64)&1 != 0 })
		w.next[k] = to
	}
	return to
}
