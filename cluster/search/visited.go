package search

import (
	"slices"

	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/internal/wordfile"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

// visited are the states that a worker has, and the level of the search that it explores.
type visited interface {
	// add adds those of the states that are new to the next level.
	add(states []uint64)
	// advance makes the next level that to explore, and returns its size.
	advance() int64
	// take returns some states of the level that were not taken yet, none at the end. The
	// slice is valid until the next call of take.
	take() []uint64
	len() int
	bytes() int64
	// full reports whether no more states can be numbered.
	full() bool
	// save writes all of it where a level begins, load reads that into an empty one.
	save(w *wordfile.Writer)
	load(r *wordfile.Reader) error
}

func newVisited(n *lks.Network, words int, store explore.Store) (visited, error) {
	if store == explore.Numbered {
		return newNumbered(words), nil
	}
	set, err := explore.NewStates(n, store)
	return &unnumbered{set: set, words: words}, err
}

// takeStates is about how many states are taken at once.
const takeStates = 1024

// numbered keeps states in the order in which they came, so that a level is those from one
// number to another.
type numbered struct {
	table  *statetable.Table
	starts []int32 // by level, where it begins; the last is the one being explored
	end    int32   // of that
	next   int32   // state to be taken
	scrap  []int32
}

func newNumbered(words int) *numbered { return &numbered{table: statetable.New(words)} }

func (v *numbered) add(states []uint64) { v.numbers(states) }

// numbers returns the numbers of states, and adds those that have none. The slice is valid
// until the next call.
func (v *numbered) numbers(states []uint64) []int32 {
	n := len(states) / v.table.Words()
	v.scrap = slices.Grow(v.scrap[:0], n)[:n]
	v.table.InsertAll(states, v.scrap)
	return v.scrap
}

func (v *numbered) advance() int64 {
	v.starts = append(v.starts, v.end)
	v.next = v.end
	v.end = int32(v.table.Len())
	return int64(v.end - v.next)
}

func (v *numbered) take() []uint64 {
	some := v.table.Stretch(v.next, min(v.end, v.next+takeStates))
	v.next += int32(len(some) / v.table.Words())
	return some
}

// level returns the first number of a level, and that behind its last.
func (v *numbered) level(l int) (from, to int32) {
	if l == len(v.starts)-1 {
		return v.starts[l], v.end
	}
	return v.starts[l], v.starts[l+1]
}

// levelOf returns the level of a state.
func (v *numbered) levelOf(number int32) int {
	at, _ := slices.BinarySearch(v.starts, number+1) // of equal starts the last
	return at - 1
}

func (v *numbered) len() int     { return v.table.Len() }
func (v *numbered) bytes() int64 { return v.table.Bytes() + int64(cap(v.starts))*4 }
func (v *numbered) full() bool   { return v.table.Full() }

const savedWords = 1 << 14

func (v *numbered) save(w *wordfile.Writer) {
	starts := make([]uint64, len(v.starts))
	for i, s := range v.starts {
		starts[i] = uint64(s)
	}
	w.List(starts)
	w.Words(uint64(v.end))
	for from, to := int32(0), int32(v.table.Len()); from < to; {
		some := v.table.Stretch(from, min(to, from+savedWords))
		w.List(some)
		from += int32(len(some) / v.table.Words())
	}
	w.List(nil)
}

func (v *numbered) load(r *wordfile.Reader) error {
	for _, s := range r.List() {
		v.starts = append(v.starts, int32(s))
	}
	v.end = int32(r.Word())
	for list := r.List(); len(list) > 0; list = r.List() {
		if len(list)%v.table.Words() != 0 || v.table.Full() {
			return wordfile.ErrDamaged
		}
		v.add(list)
	}
	if len(v.starts) == 0 || !slices.IsSorted(v.starts) || v.end != int32(v.table.Len()) || v.end < v.starts[len(v.starts)-1] {
		r.Fail(wordfile.ErrDamaged)
	} else {
		v.next = v.starts[len(v.starts)-1]
	}
	return r.Err()
}

// unnumbered keeps states in a set, and those that are to be explored in blocks beside it.
type unnumbered struct {
	set         *explore.States
	words       int
	fresh       []uint64
	level, next blocks
	taken       []uint64 // the block that was taken last
	spare       [][]uint64
	queued      int64 // bytes of all blocks
}

// blocks are states in slices of the same capacity.
type blocks struct {
	full  [][]uint64
	words int // in all of them
}

const blockWords = 1 << 14

func (v *unnumbered) add(states []uint64) {
	v.fresh = v.set.AddAll(states, v.fresh[:0])
	for fresh := v.fresh; len(fresh) > 0; {
		last := len(v.next.full) - 1
		if last < 0 || len(v.next.full[last]) == cap(v.next.full[last]) {
			v.next.full = append(v.next.full, v.block())
			last++
		}
		b := v.next.full[last]
		k := min(len(fresh), cap(b)-len(b))
		v.next.full[last] = append(b, fresh[:k]...)
		v.next.words += k
		fresh = fresh[k:]
	}
}

// block returns an empty block.
func (v *unnumbered) block() []uint64 {
	if n := len(v.spare) - 1; n >= 0 {
		b := v.spare[n]
		v.spare = v.spare[:n]
		return b
	}
	b := make([]uint64, 0, max(1, min(takeStates, blockWords/v.words))*v.words)
	v.queued += int64(cap(b)) * 8
	return b
}

func (v *unnumbered) advance() int64 {
	v.level, v.next = v.next, blocks{full: v.level.full[:0]}
	return int64(v.level.words / v.words)
}

func (v *unnumbered) take() []uint64 {
	if v.taken != nil {
		v.spare = append(v.spare, v.taken[:0])
		v.taken = nil
	}
	if last := len(v.level.full) - 1; last >= 0 {
		// From the end, which costs nothing: the order within a level is of no account.
		v.taken = v.level.full[last]
		v.level.full = v.level.full[:last]
		v.level.words -= len(v.taken)
	}
	return v.taken
}

func (v *unnumbered) len() int     { return v.set.Len() }
func (v *unnumbered) bytes() int64 { return v.set.Bytes() + v.queued }
func (v *unnumbered) full() bool   { return v.set.Full() }

func (v *unnumbered) save(w *wordfile.Writer) {
	w.Words(uint64(len(v.level.full)))
	for _, b := range v.level.full {
		w.List(b)
	}
	w.Words(uint64(v.set.Len()))
	v.set.Save(w.List)
	w.List(nil)
}

func (v *unnumbered) load(r *wordfile.Reader) error {
	for n := r.Word(); n > 0 && r.Err() == nil; n-- {
		b := slices.Clip(r.List())
		if len(b)%v.words != 0 {
			r.Fail(wordfile.ErrDamaged)
		}
		v.queued += int64(cap(b)) * 8
		v.level.full, v.level.words = append(v.level.full, b), v.level.words+len(b)
	}
	states := r.Word()
	if states > 1<<40 {
		r.Fail(wordfile.ErrDamaged)
	}
	if r.Err() != nil {
		return r.Err()
	}
	if err := v.set.Prepare(int(states), nil); err != nil {
		return err
	}
	for list := r.List(); len(list) > 0 && r.Err() == nil; list = r.List() {
		v.set.Load(list)
	}
	if r.Err() == nil && v.set.Len() != int(states) {
		r.Fail(wordfile.ErrDamaged)
	}
	return r.Err()
}
