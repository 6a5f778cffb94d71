package search

import (
	"math"
	"slices"

	"github.com/seltl/seltl/internal/numset"
	"github.com/seltl/seltl/internal/wordfile"
)

// One way catch them young ([CernaPelanek03], algorithm 5, for the emptiness of the set of
// states that cycles with an accepting state lead to): of all states that were reached, those
// are kept that accepting states among them reach, and then no state without
// predecessors among these, until nothing changes. What is left is reached from accepting
// states, and each has a predecessor that is left: so going back one comes to a cycle with an
// accepting state. Nothing is left if there is none. All that needs no order of the search, so
// that every owner works on its own states.
//
// States at which the automaton is in a component without accepting cycles are left out from
// the start: no accepting cycle meets them.
//
// While accepting states are followed, edges between states that are kept are counted at
// their targets. A state that is eliminated takes its edges with it.

// step is what a round of OWCTY does.
type step uint64

const (
	stepReach     step = iota // from accepting states
	stepEliminate             // states without predecessors
)

// owcty is that part of the search on one worker. States are those of the exploration, by
// number.
type owcty struct {
	*levels
	product *productSpace
	table   *numbered

	step    step
	kept    numset.Bits // may be on a cycle, or behind one
	reached numset.Bits // by this pass, among those
	preds   []uint32    // edges from kept states, counted by this pass
	queue   []int32     // states to be expanded in this round
	next    []int32
	before  int64 // kept when the pass began, on all workers
	mine    int64 // kept on this one
	left    int64 // kept on all, at the end

	parents parents
}

// newOWCTY begins with all states of an exploration that has come to its end.
func newOWCTY(l *levels) *owcty {
	v := l.vis.(*numbered)
	n := v.table.Len()
	o := &owcty{levels: l, product: l.space.(*productSpace), table: v, kept: numset.NewBits(n), reached: numset.NewBits(n), preds: make([]uint32, n), before: -1}
	for i := range int32(n) {
		if o.product.space.Recurrent(v.table.State(i)) {
			o.kept.Add(i)
			o.mine++
		}
	}
	l.memory, l.sent = o.memory, nil // edges are sent as often as there are
	o.beginPass()
	return o
}

func (o *owcty) memory() int64 {
	return o.table.bytes() + int64(cap(o.kept)+cap(o.reached)+cap(o.parents.states))*8 +
		int64(cap(o.preds)+cap(o.queue)+cap(o.next)+cap(o.parents.of))*4
}

// beginPass has the accepting states that are kept followed.
func (o *owcty) beginPass() {
	o.step = stepReach
	clear(o.reached)
	clear(o.preds)
	o.queue = o.queue[:0]
	for i := range int32(o.table.len()) {
		if o.kept.Has(i) && o.product.space.Accepting(o.table.table.State(i)) {
			o.reached.Add(i)
			o.queue = append(o.queue, i)
		}
	}
}

// run works until nothing changes any more. left says on all workers what remains.
func (o *owcty) run() error {
	for {
		o.doing = "accepting runs"
		if o.step == stepEliminate {
			o.doing = "eliminating"
		}
		all, err := o.pass()
		if err != nil {
			return err
		}
		if o.reason = stopped(all); o.reason != "" {
			return nil
		}
		work, kept := int64(0), int64(0)
		for _, t := range all {
			work += t.Work
			kept += t.States
		}
		switch {
		case work > 0:
		case o.step == stepReach:
			o.keepReached()
		case kept == 0 || kept == o.before:
			o.left = kept
			return nil
		default:
			o.before = kept
			o.beginPass()
		}
		if err := o.checkpoint(stageAccept, o.save); err != nil {
			return err
		}
	}
}

// pass is one round: the states of the queue are expanded.
func (o *owcty) pass() ([]tally, error) {
	o.begin(kindEdges, o.packing, o.take)
	work, kept := int64(len(o.queue)), o.mine
	if err := o.expandQueue(func(successors []uint64) error { return o.toOwners(successors, o.take) }); err != nil {
		return nil, err
	}
	all, err := o.finish(&tally{Work: work, States: kept})
	o.queue, o.next = o.next, o.queue[:0]
	o.round++
	return all, err
}

// expandQueue calls follow with the targets that matter of the states of the queue, some
// states at once.
func (o *owcty) expandQueue(follow func(successors []uint64) error) error {
	words := o.space.words()
	var states []uint64
	for i := 0; i < len(o.queue) && o.stop == nil; {
		states = states[:0]
		for ; i < len(o.queue) && len(states) < batchStates*words; i++ {
			states = append(states, o.table.table.State(o.queue[i])...)
		}
		for rest := states; len(rest) > 0; {
			var successors []uint64
			o.lap(&o.stats.Phases.Store)
			successors, rest = o.space.expand(rest)
			successors = o.recurrent(successors)
			o.lap(&o.stats.Phases.Expand)
			if err := follow(successors); err != nil {
				return err
			}
		}
		if i%takeStates < batchStates {
			if err := o.poll(); err != nil {
				return err
			}
		}
	}
	return nil
}

// recurrent returns, in their place, those of the states that accepting cycles can meet.
func (o *owcty) recurrent(states []uint64) []uint64 {
	words := o.space.words()
	kept := states[:0]
	for ; len(states) > 0; states = states[words:] {
		if o.product.space.Recurrent(states[:words]) {
			kept = append(kept, states[:words]...)
		}
	}
	return kept
}

// toOwners gives states to who owns them: take for the worker's own.
func (o *owcty) toOwners(states []uint64, take func([]uint64)) error {
	o.stats.Routed += int64(len(states) / o.space.words())
	o.owners.route(states, o.parts)
	o.lap(&o.stats.Phases.Route)
	for to, part := range o.parts {
		if to == o.rank {
			take(part)
			o.lap(&o.stats.Phases.Store)
		} else if len(part) > 0 {
			if err := o.send(to, part); err != nil {
				return err
			}
			o.lap(&o.stats.Phases.Encode)
		}
		o.parts[to] = part[:0]
	}
	return nil
}

// take follows edges to states of the worker.
func (o *owcty) take(states []uint64) {
	for _, i := range o.table.numbers(states) {
		switch {
		case int(i) >= len(o.preds):
			o.strange()
			return
		case !o.kept.Has(i):
		case o.step == stepReach:
			o.preds[i]++
			if !o.reached.Has(i) {
				o.reached.Add(i)
				o.next = append(o.next, i)
			}
		default:
			if o.preds[i]--; o.preds[i] == 0 {
				o.eliminate(i)
			}
		}
	}
}

// strange ends the search: a state came that exploring has not met.
func (o *owcty) strange() { o.end("internal error: a state came that was not explored") }

func (o *owcty) eliminate(i int32) {
	o.kept.Remove(i)
	o.mine--
	o.next = append(o.next, i)
}

// keepReached keeps what accepting states reach, and begins to eliminate.
func (o *owcty) keepReached() {
	o.step = stepEliminate
	o.next, o.mine = o.next[:0], 0
	for i := range int32(o.table.len()) {
		if !o.kept.Has(i) {
			continue
		}
		if !o.reached.Has(i) {
			o.kept.Remove(i)
			continue
		}
		if o.mine++; o.preds[i] == 0 {
			o.eliminate(i)
		}
	}
	o.queue, o.next = o.next, o.queue[:0]
}

// parents are, of states that are left, predecessors that are left.
type parents struct {
	of      []int32  // by number: place of the predecessor's state in states, plus 1; 0: none
	states  []uint64 // one after the other
	settled []int32  // by place: whose it is; those below done come from an earlier round
	done    int32
}

// cycle returns the states of an accepting cycle, with the first at both ends; nil with a
// reason if a limit was reached.
//
// From all accepting states that are left the others are explored once more, breadth-first.
// Of every state the predecessor is kept by which it was met first: for a state that does not
// accept it is nearer to an accepting one, so that who goes back comes to accepting ones again
// and again, and ends in a cycle. Of several it is the least, whatever the order of messages.
func (o *owcty) cycle() ([]uint64, error) {
	o.doing = "tracing"
	o.parents.of = make([]int32, o.table.len())
	words := o.space.words()
	pairs := newCodec(2*words, &ranges{words: slices.Concat(o.packing.valid.words, o.packing.valid.words)})
	o.beginPass()
	for work := int64(1); work > 0; {
		o.begin(kindPairs, pairs, o.adopt)
		mine := int64(len(o.queue))
		if err := o.sendPairs(); err != nil {
			return nil, err
		}
		all, err := o.finish(&tally{Work: mine})
		if err != nil {
			return nil, err
		}
		if o.reason = stopped(all); o.reason != "" {
			return nil, nil
		}
		work = 0
		for _, t := range all {
			work += t.Work
		}
		o.queue, o.next = o.next, o.queue[:0]
		o.parents.done = int32(len(o.parents.settled))
		o.round++
	}
	return o.back()
}

// sendPairs sends the successors of the queue, each with its source.
func (o *owcty) sendPairs() error {
	words := o.space.words()
	outs := make([][]uint64, o.size)
	for at, i := range o.queue {
		source := o.table.table.State(i)
		for states := source; len(states) > 0; {
			successors, _ := o.space.expand(states)
			states = states[words:]
			for s := range slices.Chunk(o.recurrent(successors), words) {
				to := o.owners.of(s)
				outs[to] = append(append(outs[to], s...), source...)
			}
		}
		for to, pairs := range outs {
			if to == o.rank {
				o.adopt(pairs)
			} else if err := o.send(to, pairs); err != nil {
				return err
			}
			outs[to] = pairs[:0]
		}
		if at%takeStates == 0 {
			if err := o.poll(); err != nil {
				return err
			}
		}
		if o.stop != nil {
			break
		}
	}
	return nil
}

// adopt takes pairs of states and predecessors.
func (o *owcty) adopt(pairs []uint64) {
	words := o.space.words()
	p := &o.parents
	for ; len(pairs) > 0; pairs = pairs[2*words:] {
		state, parent := pairs[:words], pairs[words:2*words]
		i := o.table.table.Find(state)
		switch {
		case i < 0 || int(i) >= len(p.of):
			o.strange()
			return
		case !o.kept.Has(i):
			continue
		case p.of[i] == 0:
			p.settled = append(p.settled, i)
			p.of[i] = int32(len(p.settled))
			p.states = append(p.states, parent...)
		case p.of[i] > p.done && slices.Compare(parent, p.parent(i, words)) < 0:
			copy(p.parent(i, words), parent)
		}
		if !o.reached.Has(i) {
			o.reached.Add(i)
			o.next = append(o.next, i)
		}
	}
}

// parent returns the predecessor of a state that has one.
func (p *parents) parent(i int32, words int) []uint64 {
	at := (int(p.of[i]) - 1) * words
	return p.states[at : at+words]
}

// back goes from the least accepting state to its predecessor, and so on, until it comes to a
// state again.
func (o *owcty) back() ([]uint64, error) {
	var least []uint64
	for i := range int32(o.table.len()) {
		if state := o.table.table.State(i); o.kept.Has(i) && o.product.space.Accepting(state) && (least == nil || slices.Compare(state, least) < 0) {
			least = state
		}
	}
	all, err := o.agree(&tally{Found: [][]uint64{least}})
	if err != nil {
		return nil, err
	}
	state := leastFound(all)
	var way [][]uint64
	seen := map[string]int{}
	for state != nil && len(way) < math.MaxInt32 {
		key := keyOf(state)
		if first, ok := seen[key]; ok {
			way = append(way[first:], state)
			slices.Reverse(way)
			return slices.Concat(way...), nil
		}
		seen[key] = len(way)
		way = append(way, state)
		if state, err = o.parentOf(state); err != nil {
			return nil, err
		}
	}
	return nil, inconsistent("a state that is left has no predecessor")
}

// parentOf asks the owner of a state.
func (o *owcty) parentOf(state []uint64) ([]uint64, error) {
	t := &tally{}
	if words := o.space.words(); o.owners.of(state) == o.rank {
		if i := o.table.table.Find(state); i >= 0 && o.parents.of[i] > 0 {
			t.Found = [][]uint64{o.parents.parent(i, words)}
		}
	}
	all, err := o.agree(t)
	return leastFound(all), err
}

func keyOf(state []uint64) string {
	key := make([]byte, 0, 8*len(state))
	for _, x := range state {
		for s := 0; s < 64; s += 8 {
			key = append(key, byte(x>>s))
		}
	}
	return string(key)
}

// save writes where a round begins, after the states; load reads that.
func (o *owcty) save(w *wordfile.Writer) {
	now := o.space.noted()
	later := *now
	*now = o.total
	o.levels.save(w)
	*now = later
	w.Words(uint64(o.step), uint64(o.before), uint64(o.mine))
	w.List(o.kept)
	w.List(o.reached)
	preds := make([]uint64, 0, savedWords)
	for part := range slices.Chunk(o.preds, savedWords) {
		preds = preds[:0]
		for _, p := range part {
			preds = append(preds, uint64(p))
		}
		w.List(preds)
	}
	queue := preds[:0]
	for _, i := range o.queue {
		queue = append(queue, uint64(i))
	}
	w.List(queue)
}

func (o *owcty) load(r *wordfile.Reader) error {
	o.step, o.before, o.mine = step(r.Word()), int64(r.Word()), int64(r.Word())
	kept, reached := r.List(), r.List()
	if r.Err() == nil && (len(kept) != len(o.kept) || len(reached) != len(o.reached) || o.step > stepEliminate) {
		r.Fail(wordfile.ErrDamaged)
	}
	copy(o.kept, kept)
	copy(o.reached, reached)
	for part := range slices.Chunk(o.preds, savedWords) {
		preds := r.List()
		if len(preds) != len(part) {
			r.Fail(wordfile.ErrDamaged)
			break
		}
		for i, p := range preds {
			part[i] = uint32(p)
		}
	}
	o.queue = o.queue[:0]
	for _, i := range r.List() {
		if i >= uint64(len(o.preds)) {
			r.Fail(wordfile.ErrDamaged)
			break
		}
		o.queue = append(o.queue, int32(i))
	}
	return r.Err()
}
