package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/seltl/seltl/cluster/exchange"
)

// worker is one worker of a search: it packs what it sends, unpacks what it gets, and keeps
// the time.
type worker struct {
	ctx    context.Context
	ex     exchange.Exchange
	ck     exchange.Checkpoints // may be nil
	opts   Options
	rank   int
	size   int
	owners *owners // of what is searched
	// identity is that of the search, the same for all.
	identity []uint64

	codec *codec                // of the phase
	kind  kind                  // of its payloads; 0: it has none
	taken func(states []uint64) // what the phase does with states of others
	out   []outgoing            // by rank
	phase uint32
	in    decoding
	batch []uint64 // states that are being read

	stats   Worker
	traffic traffic
	others  int64         // states of all workers, at the end of the round before
	moves   int64         // transitions of all
	start   time.Time     // of the search
	last    time.Time     // of a phase of the time
	told    time.Time     // when progress was reported
	doing   string        // for progress
	round   int64         // rounds that ended
	since   int64         // rounds since the last checkpoint
	memory  func() int64  // of states and queues
	states  func() int64  // that it has
	stop    *interruption // nil: none
}

// traffic sums up payloads, sent and taken: over all workers the sums are equal, unless one
// was lost, came twice, or was changed under way.
type traffic struct{ Sent, Taken uint64 }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func sumOf(payload []byte) uint64 { return 1<<32 + uint64(crc32.Checksum(payload, castagnoli)) }

// interruption is why a worker asks all to end the search, once a round.
type interruption struct {
	reason string
}

// tellEvery is how often progress is reported. Tests change it.
var tellEvery = time.Second

// readStates is how many states of a payload are read and stored at once.
const readStates = 512

func newWorker(ctx context.Context, ex exchange.Exchange, ck exchange.Checkpoints, opts Options) *worker {
	now := time.Now()
	return &worker{
		ctx: ctx, ex: ex, ck: ck, opts: opts, rank: ex.Rank(), size: ex.Size(),
		out: make([]outgoing, ex.Size()), start: now, last: now, told: now, memory: func() int64 { return 0 }, states: func() int64 { return 0 },
	}
}

// lap adds the time since the last lap to a phase.
func (w *worker) lap(phase *time.Duration) {
	now := time.Now()
	*phase += now.Sub(w.last)
	w.last = now
}

// begin begins a phase with payloads of a kind, of states of a codec; what others send is
// given to taken.
func (w *worker) begin(k kind, c *codec, taken func(states []uint64)) {
	w.phase++
	w.kind, w.codec, w.taken = k, c, taken
	if c != nil && cap(w.batch) < readStates*c.words {
		w.batch = make([]uint64, 0, readStates*c.words)
	}
	w.ex.Begin(w.receive)
}

// receive reads a payload. What is no payload of this phase, or has what is no state of this
// worker, ends the search.
func (w *worker) receive(from int, payload []byte) error {
	w.lap(&w.stats.Phases.Wait)
	err := w.read(payload)
	if err != nil {
		w.stats.Refused++
		return fmt.Errorf("a payload of worker %d is refused: %w: %w", from, err, exchange.ErrRestart)
	}
	return nil
}

var errNotMine = errors.New("it has a state that another worker owns")

func (w *worker) read(payload []byte) error {
	if w.codec == nil {
		return errors.New("nothing is expected in this phase")
	}
	if err := w.codec.open(&w.in, payload, w.kind, w.phase); err != nil {
		return err
	}
	w.stats.Received += int64(w.in.count)
	w.traffic.Taken += sumOf(payload)
	for w.in.count > 0 {
		states, err := w.codec.next(&w.in, w.batch)
		if err != nil {
			return err
		}
		if !w.owners.has(w.rank, states, w.codec.words) {
			return errNotMine
		}
		w.lap(&w.stats.Phases.Take)
		if w.stop == nil {
			w.taken(states)
		}
		w.lap(&w.stats.Phases.Store)
	}
	return nil
}

// send has states sent to another worker, soon.
func (w *worker) send(to int, states []uint64) error {
	o := &w.out[to]
	w.stats.Sent += int64(len(states) / w.codec.words)
	for len(states) > 0 {
		if o.payload == nil {
			w.codec.begin(o, w.ex.Buffer())
		}
		if states = w.codec.add(o, states); len(states) > 0 {
			if err := w.flush(to); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush sends the payload that is being made.
func (w *worker) flush(to int) error {
	o := &w.out[to]
	if o.payload == nil {
		return nil
	}
	payload := w.codec.finish(o, w.kind, w.phase)
	w.stats.SentBytes += int64(len(payload))
	w.stats.Payloads++
	w.traffic.Sent += sumOf(payload)
	w.lap(&w.stats.Phases.Encode)
	err := w.ex.Send(w.ctx, to, payload)
	w.lap(&w.stats.Phases.Wait)
	return err
}

// poll takes what has come in, and looks after limits, interruptions and progress.
func (w *worker) poll() error {
	err := w.ex.Poll(w.ctx)
	w.lap(&w.stats.Phases.Wait)
	if err == nil {
		err = w.ctx.Err()
	}
	if err != nil {
		return err
	}
	w.watch()
	return nil
}

// watch looks after limits, interruptions and progress.
func (w *worker) watch() {
	memory := w.bytes()
	w.stats.Memory = max(w.stats.Memory, memory)
	if w.stop == nil && w.opts.Memory > 0 && memory > w.opts.Memory {
		w.end(fmt.Sprintf("memory limit reached on worker %d", w.rank))
	}
	select {
	case <-w.opts.Interrupt:
		w.end("interrupted")
	default:
	}
	if w.opts.Progress != nil && w.last.Sub(w.told) >= tellEvery {
		w.tell()
	}
}

// end asks for the end of the search.
func (w *worker) end(reason string) {
	if w.stop == nil {
		w.stop = &interruption{reason}
	}
}

func (w *worker) tell() {
	w.told = w.last
	now := w.stats
	now.States, now.Elapsed = w.states(), w.last.Sub(w.start)
	w.opts.Progress(Progress{Phase: w.doing, Round: w.round, Worker: now, States: w.others, Transitions: w.moves})
}

// bytes is the memory of states, queues and buffers.
func (w *worker) bytes() int64 {
	total := w.memory() + int64(cap(w.batch))*8
	for i := range w.out {
		total += int64(cap(w.out[i].payload))
	}
	return total
}

// tally is what workers tell each other at the end of a phase.
type tally struct {
	States int64      `json:"s,omitempty"` // owned
	Work   int64      `json:"w,omitempty"` // states that the phase had to do with
	Moves  int64      `json:"m,omitempty"` // transitions
	Found  [][]uint64 `json:"f,omitempty"` // states by kind, see findings
	Flags  uint32     `json:"g,omitempty"`
	Stop   string     `json:"x,omitempty"` // why the search is to end, or what failed
	Text   string     `json:"t,omitempty"`
}

// finish sends what is left, waits for the end of the phase, and returns the tallies.
func (w *worker) finish(mine *tally) ([]tally, error) {
	for to := range w.out {
		if err := w.flush(to); err != nil {
			return nil, err
		}
	}
	w.watch() // who has no states in this phase has not yet
	if w.stop != nil {
		mine.Stop = w.stop.reason
	}
	text, err := json.Marshal(mine)
	if err != nil {
		return nil, err
	}
	texts, err := w.ex.Finish(w.ctx, text)
	w.lap(&w.stats.Phases.Wait)
	if err != nil {
		return nil, err
	}
	all := make([]tally, len(texts))
	for rank, text := range texts {
		if err := json.Unmarshal(text, &all[rank]); err != nil {
			return nil, inconsistent("the tally of worker %d cannot be read: %v", rank, err)
		}
	}
	if len(all) != w.size {
		return nil, inconsistent("there are %d tallies of %d workers", len(all), w.size)
	}
	return all, nil
}

// inconsistent is the error of workers that contradict each other, as when somebody else sends
// in their name. It ends the attempt, and may not come again in the next.
func inconsistent(format string, args ...any) error {
	return fmt.Errorf("messages between workers were wrong: %s: %w", fmt.Sprintf(format, args...), exchange.ErrRestart)
}

// agree is a phase without payloads.
func (w *worker) agree(mine *tally) ([]tally, error) {
	w.begin(0, nil, nil)
	return w.finish(mine)
}

// stopped returns why some worker asks for the end, or "".
func stopped(all []tally) string {
	for i := range all {
		if all[i].Stop != "" {
			return all[i].Stop
		}
	}
	return ""
}
