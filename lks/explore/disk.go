package explore

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/lks"
)

// diskStore keeps the states in sorted runs on disk, for searches whose states
// exceed the memory: delayed duplicate detection [Korf04]. The candidates of a level
// are gathered in a set, which goes to disk as a sorted run when it is large. At
// the end of the level the runs of candidates are merged with those of the states
// seen before; what is only among the candidates is new, and a run from then on.
// Every level reads all runs once; when there are many they become one.
//
// With checkpoints a run that is not needed any more stays until one is written that does not
// name it: whatever happens, the files of the last checkpoint are there.
//
// Errors are remembered and come out of settle.
type diskStore struct {
	net      *lks.Network
	words    int
	dir      string // its own
	memory   int64  // bytes of candidates that are kept in memory
	n        int
	gathered *exactStore
	scratch  []uint64
	runs     uint64    // how many were made, for their names
	spilled  []diskRun // of candidates of this level
	closed   []diskRun // of states, disjoint
	resumes  bool      // there are checkpoints
	old      []diskRun // of the last checkpoint, perhaps, and not needed
	loaded   bool      // from a checkpoint: what comes next are states that were gathered
	err      error
}

// diskRun is a file of sorted states.
type diskRun struct {
	number uint64
	bytes  int64
	sum    uint32
}

const (
	defaultDiskMemory = 256 << 20
	maxRuns           = 8 // of states, before they are merged
)

// newDiskStore returns a store with a folder of its own, which is there.
func newDiskStore(n *lks.Network, dir string, memory int64, resumes bool) *diskStore {
	return &diskStore{net: n, words: n.Words(), dir: dir, memory: max(1, memory), gathered: newExactStore(n, 1), resumes: resumes}
}

func (d *diskStore) path(r diskRun) string {
	return filepath.Join(d.dir, fmt.Sprintf("run%d", r.number))
}

// gather notes candidates; settle says which are new.
func (d *diskStore) gather(states []uint64) {
	d.scratch = d.gathered.AddAll(states, d.scratch[:0])
	// What a state of one word takes on average, whatever has been allocated.
	const bytes = 12
	if int64(d.gathered.Len())*int64(d.words)*bytes > d.memory && d.gathered.Len() > 1 {
		d.spill()
	}
}

// AddAll is for levels that are settled at once; see gather.
func (d *diskStore) AddAll(states, fresh []uint64) []uint64 {
	d.gather(states)
	d.settle(func(state []uint64) { fresh = append(fresh, state...) }, func() bool { return false })
	return fresh
}

func (d *diskStore) Len() int     { return d.n }
func (d *diskStore) Bytes() int64 { return d.gathered.Bytes() }

// sorted returns the gathered states in order and forgets them.
func (d *diskStore) sorted() []uint64 {
	states := make([]uint64, 0, d.gathered.Len()*d.words)
	for s := range d.gathered.All {
		states = append(states, s...)
	}
	d.gathered = newExactStore(d.net, 1)
	if d.words == 1 {
		slices.Sort(states)
	} else {
		sort.Sort(&wordStates{states, d.words})
	}
	return states
}

// wordStates sorts states of several words.
type wordStates struct {
	states []uint64
	words  int
}

func (s *wordStates) at(i int) []uint64  { return s.states[i*s.words : (i+1)*s.words] }
func (s *wordStates) Len() int           { return len(s.states) / s.words }
func (s *wordStates) Less(i, j int) bool { return slices.Compare(s.at(i), s.at(j)) < 0 }
func (s *wordStates) Swap(i, j int) {
	a, b := s.at(i), s.at(j)
	for w := range a {
		a[w], b[w] = b[w], a[w]
	}
}

// spill writes the gathered states to a run.
func (d *diskStore) spill() {
	w := d.create()
	w.write(d.sorted())
	d.spilled = append(d.spilled, w.finish(d))
}

// settle calls fresh for every state gathered since the last time that was never
// settled before, in order. It must not keep state. halt is asked now and then; if
// it says so the store is left in pieces.
func (d *diskStore) settle(fresh func(state []uint64), halt func() bool) {
	if d.gathered.Len() == 0 && len(d.spilled) == 0 {
		return
	}
	candidates := d.open(d.spilled)
	candidates.add(&runReader{buffer: d.sorted(), words: d.words})
	seen := d.open(d.closed)
	var out *runWriter // none for a level that brings nothing new
	known := seen.next()
	steps, halted := 0, false
	pause := func() bool {
		steps++
		halted = halted || steps%budget.TickEvery == 0 && halt()
		return halted
	}
	for c := candidates.next(); c != nil && d.err == nil && !pause(); c = candidates.next() {
		for known != nil && slices.Compare(known, c) < 0 && !pause() {
			known = seen.next()
		}
		if halted {
			break
		}
		if known != nil && slices.Equal(known, c) {
			continue
		}
		if out == nil {
			out = d.create()
		}
		d.n++
		out.write(c)
		fresh(c)
	}
	d.close(candidates, d.spilled)
	d.spilled = nil
	d.close(seen, nil)
	if out != nil {
		d.closed = append(d.closed, out.finish(d))
	}
	if len(d.closed) > maxRuns {
		d.mergeClosed(pause)
	}
}

// mergeClosed makes one run of all.
func (d *diskStore) mergeClosed(pause func() bool) {
	all := d.open(d.closed)
	out := d.create()
	for s := all.next(); s != nil && !pause(); s = all.next() {
		out.write(s)
	}
	d.close(all, d.closed)
	d.closed = []diskRun{out.finish(d)}
}

func (d *diskStore) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

// runWriter writes a run.
type runWriter struct {
	diskRun
	file  *os.File
	to    *bufio.Writer
	bytes [8]byte
	err   error
}

func (d *diskStore) create() *runWriter {
	d.runs++
	w := &runWriter{diskRun: diskRun{number: d.runs}}
	f, err := os.OpenFile(d.path(w.diskRun), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		d.fail(err)
		w.to, w.err = bufio.NewWriter(io.Discard), err
		return w
	}
	w.file, w.to = f, bufio.NewWriterSize(f, 1<<17)
	return w
}

func (w *runWriter) write(words []uint64) {
	for _, x := range words {
		binary.LittleEndian.PutUint64(w.bytes[:], x)
		w.sum = crc32.Update(w.sum, castagnoli, w.bytes[:])
		w.diskRun.bytes += int64(len(w.bytes))
		if _, err := w.to.Write(w.bytes[:]); err != nil && w.err == nil {
			w.err = err
		}
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// finish closes the file, which is on the disk then where it is to survive.
func (w *runWriter) finish(d *diskStore) diskRun {
	if w.file == nil {
		return w.diskRun
	}
	err := cmp.Or(w.err, w.to.Flush())
	if d.resumes && err == nil {
		err = w.file.Sync()
	}
	if closed := w.file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		d.fail(err)
	}
	return w.diskRun
}

// runReader reads a run, from a file or from memory.
type runReader struct {
	file   *os.File
	from   *bufio.Reader
	buffer []uint64 // states to come, if in memory
	words  int
	state  []uint64 // the current one, nil at the end
	bytes  []byte
	err    error
}

// advance reads the next state.
func (r *runReader) advance() {
	if r.from == nil {
		if len(r.buffer) == 0 {
			r.state = nil
			return
		}
		r.state, r.buffer = r.buffer[:r.words], r.buffer[r.words:]
		return
	}
	if _, err := io.ReadFull(r.from, r.bytes); err != nil {
		if err != io.EOF {
			r.err = err
		}
		r.state = nil
		return
	}
	for w := range r.state {
		r.state[w] = binary.LittleEndian.Uint64(r.bytes[w*8:])
	}
}

// merged is several sorted runs as one without repetitions.
type merged struct {
	runs []*runReader
	last []uint64
	any  bool
}

func (d *diskStore) open(runs []diskRun) *merged {
	m := &merged{last: make([]uint64, d.words)}
	for _, r := range runs {
		f, err := os.Open(d.path(r))
		if err != nil {
			d.fail(err)
			continue
		}
		m.add(&runReader{
			file: f, from: bufio.NewReaderSize(f, 1<<17), words: d.words,
			state: make([]uint64, d.words), bytes: make([]byte, 8*d.words),
		})
	}
	return m
}

func (m *merged) add(r *runReader) {
	r.advance()
	m.runs = append(m.runs, r)
}

// next returns the next state, nil at the end; it is valid until the next call.
func (m *merged) next() []uint64 {
	for {
		var least *runReader
		for _, r := range m.runs {
			if r.state != nil && (least == nil || slices.Compare(r.state, least.state) < 0) {
				least = r
			}
		}
		if least == nil {
			return nil
		}
		repeated := m.any && slices.Equal(least.state, m.last)
		copy(m.last, least.state)
		m.any = true
		least.advance()
		if !repeated {
			return m.last
		}
	}
}

// close closes the files of runs, and removes those that are not needed any more.
func (d *diskStore) close(m *merged, done []diskRun) {
	for _, r := range m.runs {
		if r.err != nil {
			d.fail(r.err)
		}
		if r.file != nil {
			r.file.Close()
		}
	}
	if d.resumes {
		d.old = append(d.old, done...)
		return
	}
	d.remove(done)
}

func (d *diskStore) remove(runs []diskRun) {
	for _, r := range runs {
		if err := os.Remove(d.path(r)); err != nil {
			d.fail(err)
		}
	}
}
