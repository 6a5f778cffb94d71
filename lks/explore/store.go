package explore

import (
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"

	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
)

// Store is a way to remember the states that an exploration has seen.
type Store int

const (
	// Auto begins as Numbered, with traces at hand, and begins again as Exact, with
	// all Workers, when states become many. With a Disk or a Checkpoint it is
	// Exact, with Options.Traces Numbered.
	Auto Store = iota
	// Numbered: exact; states have numbers, and traces can be kept. 13 to 18 bytes
	// per state of one word, 8 per further word.
	Numbered
	// Exact: 10 to 13 bytes per state of one word (up to 20 if there are less than two
	// million), 12 on average, and its queue. Longer states are compressed, to little
	// more than that, as far as the same parts come together again and again.
	Exact
	// Compact: exact; 4 to 5 bytes per state if there are hundreds of thousands and
	// the components have about 2^47 combinations of local states, a byte less or
	// more for every factor of 2^8 that they have fewer or more of those.
	// Networks with more than 2^64 are refused.
	Compact
	// HashCompact remembers 56 bits of a hash of every state, in 5 to 6 bytes. It
	// may take a new state for one that it has seen, and so miss states:
	// Reached.Missed estimates how many. See [WolperLeroy93].
	HashCompact
	// BitstateHash sets two bits for every state, in an array whose size
	// Options.StoreBytes gives. It misses states as HashCompact does, more.
	BitstateHash
)

var stores = names.Of[Store]("store", "auto", "numbered", "exact", "compact", "hash", "bitstate")

func (s Store) String() string                   { return stores.String(s) }
func (s Store) MarshalText() ([]byte, error)     { return stores.Marshal(s) }
func (s *Store) UnmarshalText(text []byte) error { return stores.Unmarshal(text, s) }

// Names lists the texts of all values.
func (Store) Names() []string { return stores.List() }

// Lossy reports whether the store can take a new state for one that it has seen,
// so that an exploration that found nothing proves nothing.
func (s Store) Lossy() bool { return s == HashCompact || s == BitstateHash }

// defaultBitstate is the size of the array if Options.StoreBytes is 0.
const defaultBitstate = 256 << 20

// newStateStore returns the i-th of so many stores.
func newStateStore(n *lks.Network, opts Options, i, stores int) (stateStore, error) {
	switch opts.Store {
	case Exact:
		if opts.Disk != "" {
			memory := opts.DiskMemory
			if memory <= 0 {
				memory = defaultDiskMemory
			}
			dir := filepath.Join(opts.Disk, strconv.Itoa(i))
			return newDiskStore(n, dir, memory/int64(stores), opts.Checkpoint != ""), os.MkdirAll(dir, 0o700)
		}
		return newExactStore(n, max(1, opts.Workers)), nil
	case Compact:
		return newCompactStore(n)
	case HashCompact:
		return hashStore{statetable.NewHashed(n.Words(), opts.Seed)}, nil
	case BitstateHash:
		size := opts.StoreBytes
		if size <= 0 {
			size = defaultBitstate
		}
		return bitstate{statetable.NewBitstate(n.Words(), size/int64(stores), opts.Seed)}, nil
	}
	return nil, fmt.Errorf("explore: there is no store %v", opts.Store)
}

// States is a set of states of a network, as the Exact or the Compact store keeps them, for
// searches of other packages. It is not safe for concurrent use.
type States struct{ store stateStore }

// NewStates returns an empty set. The error says that there is no such store for the network.
func NewStates(n *lks.Network, store Store) (*States, error) {
	if store != Exact && store != Compact {
		return nil, fmt.Errorf("explore: the %v store is not for other searches", store)
	}
	s, err := newStateStore(n, Options{Resources: Resources{Store: store, Workers: 1}}, 0, 1)
	return &States{s}, err
}

// AddAll adds states, which lie one after the other, and appends those that were new to
// fresh, in their order.
func (s *States) AddAll(states, fresh []uint64) []uint64 { return s.store.AddAll(states, fresh) }

// Len returns the size of the set, Bytes the memory that it holds.
func (s *States) Len() int     { return s.store.Len() }
func (s *States) Bytes() int64 { return s.store.Bytes() }

// Full reports whether no more states can be stored, but for some millions.
func (s *States) Full() bool {
	exact, ok := s.store.(*exactStore)
	return ok && exact.Nodes() > mostNodes
}

// Save calls list with parts of what Load needs to make the set again.
func (s *States) Save(list func(words []uint64)) { s.store.(saver).save(list) }

// Prepare makes room for so many states, before Load is called for each list of a saved set,
// in order. tick is called meanwhile if that takes long; its error ends it.
func (s *States) Prepare(states int, tick func() error) error {
	return s.store.(saver).prepare(states, tick)
}
func (s *States) Load(list []uint64) { s.store.(saver).load(list) }

// saveStates is save for states.
func saveStates(all func(yield func([]uint64) bool), list func([]uint64)) {
	var states []uint64
	for state := range all {
		if states = append(states, state...); len(states) >= savedWords {
			list(states)
			states = states[:0]
		}
	}
	if len(states) > 0 {
		list(states)
	}
}

// savedWords is about how long a list of a saved store is.
const savedWords = 1 << 14

type bitstate struct{ *statetable.Bitstate }

func (s bitstate) save(list func([]uint64))        { s.Save(list) }
func (s bitstate) prepare(int, func() error) error { return nil }
func (s bitstate) load(words []uint64)             { s.Load(words) }

// saveNumbers is save for numbers.
func saveNumbers(set *statetable.Compact, list func([]uint64)) {
	var numbers []uint64
	for x := range set.All {
		if numbers = append(numbers, x); len(numbers) >= savedWords {
			list(numbers)
			numbers = numbers[:0]
		}
	}
	if len(numbers) > 0 {
		list(numbers)
	}
}

// compactStore keeps the ranks of states.
type compactStore struct {
	words   int
	ranks   *lks.Ranks
	set     *statetable.Compact
	numbers [portion]uint64
	fresh   [portion]bool
}

func newCompactStore(n *lks.Network) (*compactStore, error) {
	ranks, err := n.Ranks()
	if err != nil {
		return nil, err
	}
	return &compactStore{words: n.Words(), ranks: ranks, set: statetable.NewCompact(uint(max(1, bits.Len64(ranks.Count()-1))))}, nil
}

func (s *compactStore) AddAll(states, fresh []uint64) []uint64 {
	for len(states) > 0 {
		k := min(portion, len(states)/s.words)
		for i := range k {
			s.numbers[i] = s.ranks.Of(states[i*s.words : (i+1)*s.words])
		}
		s.set.AddAll(s.numbers[:k], s.fresh[:k])
		fresh = statetable.AppendFresh(fresh, states, s.words, s.fresh[:k])
		states = states[k*s.words:]
	}
	return fresh
}

// portion is how many numbers are added at once.
const portion = 64

func (s *compactStore) save(list func([]uint64)) { saveNumbers(s.set, list) }

func (s *compactStore) prepare(int, func() error) error { return nil }

func (s *compactStore) load(ranks []uint64) {
	for _, r := range ranks {
		s.set.Add(r)
	}
}

func (s *compactStore) Len() int      { return s.set.Len() }
func (s *compactStore) Bytes() int64  { return s.set.Bytes() }
func (s *compactStore) Load() float64 { return s.set.Load() }

type hashStore struct{ *statetable.Hashed }

func (s hashStore) save(list func([]uint64))        { saveNumbers(s.Compact, list) }
func (s hashStore) prepare(int, func() error) error { return nil }
func (s hashStore) load(hashes []uint64)            { s.AddHashes(hashes) }
