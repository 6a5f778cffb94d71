// Package exchange says what one worker of a distributed search has of the others. A
// search is the same program on every worker, in phases (bulk-synchronous, [Valiant90]): in
// a phase each worker sends payloads to others and takes theirs, and the phase ends, on all,
// when everything that was sent in it was taken. What carries the payloads is below this interface: package local within
// one process, package fabric over NATS.
package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// BatchBytes is how large payloads should become before they are sent: less costs more for
// headers and calls than for states.
const BatchBytes = 64 << 10

// ErrRestart is wrapped by the error of an exchange whose workers are not all there any
// more, or whose coordinator began anew. What the worker computed since the last
// checkpoint is worth nothing then; it can take part in the next attempt.
var ErrRestart = errors.New("the attempt ended, another can begin at the last checkpoint")

// ErrUnreadable is wrapped where a checkpoint that was committed could not be read, by some
// worker. It is an ErrRestart; where it comes again, it is better to begin anew.
var ErrUnreadable = fmt.Errorf("a checkpoint cannot be read: %w", ErrRestart)

// Receiver takes one payload of another worker. It may keep nothing of it. An error of its
// ends the search.
type Receiver func(from int, payload []byte) error

// Exchange connects one worker of a job with the others. It is for one goroutine, the one
// that searches; receivers are called on that one, by Send, Poll and Finish. Every method
// but Rank, Size and Buffer returns the context's error, one that wraps ErrRestart, or that
// of the receiver; the exchange cannot be used any more then.
type Exchange interface {
	// Rank is this worker's number, Size how many there are: 0 <= Rank < Size.
	Rank() int
	Size() int

	// Begin begins a phase: from now on receive takes what others send in it, also what
	// they sent before this worker came here. All workers begin and finish the same phases
	// in the same order.
	Begin(receive Receiver)

	// Buffer returns an empty slice with room for BatchBytes, for a payload.
	Buffer() []byte

	// Send hands payload to a worker, which may not be this one; the slice belongs to the
	// exchange from then on. Each payload is taken once, in no order. While the other has
	// given no credit for more, Send waits, and takes what comes in meanwhile.
	Send(ctx context.Context, to int, payload []byte) error

	// Poll takes what has come in, without waiting.
	Poll(ctx context.Context) error

	// Finish ends the phase: it waits until everything that any worker sent in it was
	// taken, and returns every worker's tally, by rank, the same for all. A tally is small.
	// Receivers may not send; what they find out is sent in the next phase.
	Finish(ctx context.Context, tally []byte) ([][]byte, error)
}

// Checkpoints keep what a worker needs to go on from a round. Several workers of one job
// have one each, over a place that all of them, and those that replace them, can read.
type Checkpoints interface {
	// Save stores a worker's part of round, whole or not at all. Parts of a round that is
	// not committed are never read.
	Save(ctx context.Context, rank, round int, write func(to io.Writer) error) error
	// Commit says that every worker saved its part of round; earlier rounds may go. Only
	// rank 0 calls it, after a phase in which all said so.
	Commit(ctx context.Context, round int) error
	// Latest is the round that was committed last, -1 without one.
	Latest(ctx context.Context) (round int, err error)
	// Load reads a worker's part of a round that was committed.
	Load(ctx context.Context, rank, round int, read func(from io.Reader) error) error
}
