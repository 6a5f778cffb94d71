// Package checkpoint keeps what the workers of a job need to go on from a round, in a
// folder that all of them share or in JetStream's object store. Which round is the last
// one that all have saved stands in a ledger, which knows the attempt, too: a worker of an
// attempt that was given up can neither commit nor overwrite what the next one saved.
package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seltl/seltl/cluster/exchange"
)

// Entry is what a ledger knows of a job: which attempt may commit, and what was committed
// last, by which attempt; Round is -1 before that.
type Entry struct {
	Epoch uint32 `json:"epoch"`
	Round int    `json:"round"`
	Saved uint32 `json:"saved"` // attempt whose parts count
}

// ErrStale says that an entry is not the last one any more.
var ErrStale = errors.New("the ledger was changed by another")

// Ledger keeps an entry. Revisions are its versions.
type Ledger interface {
	// Read returns the entry and its revision. A job without one has an entry of attempt 0
	// and round -1, of revision 0.
	Read(ctx context.Context) (Entry, uint64, error)
	// Write replaces the entry of a revision; it returns ErrStale if there is a later one.
	Write(ctx context.Context, e Entry, revision uint64) error
}

// Parts keeps parts of checkpoints by name: an attempt, a round, a rank.
type Parts interface {
	// Put stores a part, whole or not at all.
	Put(ctx context.Context, n Name, write func(to io.Writer) error) error
	// Get reads a part; what was damaged since is an error.
	Get(ctx context.Context, n Name, read func(from io.Reader) error) error
	// Prune removes the parts of rounds before one of an attempt, and of attempts before it.
	// It leaves alone what is newer: others may be saving the next round, or be in the next
	// attempt, while this is called.
	Prune(ctx context.Context, epoch uint32, round int) error
	// Remove removes the parts that so many workers saved of a round, of which the names are
	// known: the others are not looked through.
	Remove(ctx context.Context, epoch uint32, round, size int) error
	// Clear removes all parts.
	Clear(ctx context.Context) error
}

// Name says which part it is.
type Name struct {
	Epoch uint32
	Round int
	Rank  int
}

// Checkpoints are those of one attempt, an exchange.Checkpoints.
type Checkpoints struct {
	parts  Parts
	ledger Ledger
	epoch  uint32
	size   int
}

// New returns the checkpoints of an attempt by so many workers, which Fence has begun.
func New(parts Parts, ledger Ledger, epoch uint32, size int) *Checkpoints {
	return &Checkpoints{parts: parts, ledger: ledger, epoch: epoch, size: size}
}

// older says whether a part is of a round before one of an attempt, or an attempt before.
func (n Name) older(epoch uint32, round int) bool {
	return n.Epoch < epoch || n.Epoch == epoch && n.Round < round
}

// Fence begins an attempt: attempts before it cannot commit from now on. It returns the
// round that it goes on from, or -1, which it always does if anew is set.
func Fence(ctx context.Context, ledger Ledger, epoch uint32, anew bool) (round int, err error) {
	for {
		e, revision, err := ledger.Read(ctx)
		if err != nil {
			return -1, err
		}
		if e.Epoch > epoch {
			return -1, fmt.Errorf("attempt %d begins after attempt %d did: %w", epoch, e.Epoch, exchange.ErrRestart)
		}
		if e.Epoch == epoch {
			return e.Round, nil
		}
		e.Epoch = epoch
		if anew {
			e.Round = -1
		}
		if err := ledger.Write(ctx, e, revision); !errors.Is(err, ErrStale) {
			return e.Round, err
		}
	}
}

// Save stores a worker's part of a round.
func (c *Checkpoints) Save(ctx context.Context, rank, round int, write func(to io.Writer) error) error {
	return again(c.parts.Put(ctx, Name{c.epoch, round, rank}, write))
}

// Commit says that every worker has saved its part of a round.
func (c *Checkpoints) Commit(ctx context.Context, round int) error {
	e, revision, err := c.read(ctx)
	if err != nil {
		return err
	}
	err = c.ledger.Write(ctx, Entry{Epoch: c.epoch, Round: round, Saved: c.epoch}, revision)
	if errors.Is(err, ErrStale) {
		err = c.lost()
	}
	if err != nil {
		return again(err)
	}
	switch {
	case e.Round >= 0 && e.Saved == c.epoch: // the one before is all that this attempt has left
		err = c.parts.Remove(ctx, c.epoch, e.Round, c.size)
	case c.epoch > 1: // attempts before may have left parts of a round that was never committed
		err = c.parts.Prune(ctx, c.epoch, round)
	}
	return again(err)
}

// Latest is the round that was committed last.
func (c *Checkpoints) Latest(ctx context.Context) (int, error) {
	e, _, err := c.read(ctx)
	return e.Round, err
}

// Load reads a worker's part of a round that was committed.
func (c *Checkpoints) Load(ctx context.Context, rank, round int, read func(from io.Reader) error) error {
	e, _, err := c.read(ctx)
	if err != nil {
		return err
	}
	if e.Round != round {
		return fmt.Errorf("round %d is not the one that was committed last, %d", round, e.Round)
	}
	if err := c.parts.Get(ctx, Name{e.Saved, round, rank}, read); err != nil {
		return fmt.Errorf("%w: %w", exchange.ErrUnreadable, err)
	}
	return nil
}

// again says of what went wrong with a checkpoint that another attempt may do better: a
// server may have been away, a disk full.
func again(err error) error {
	if err == nil || errors.Is(err, exchange.ErrRestart) {
		return err
	}
	return fmt.Errorf("%w: %w", err, exchange.ErrRestart)
}

// read returns the entry, if this attempt is still the one that counts.
func (c *Checkpoints) read(ctx context.Context) (Entry, uint64, error) {
	e, revision, err := c.ledger.Read(ctx)
	if err == nil && e.Epoch != c.epoch {
		err = c.lost()
	}
	if err != nil {
		return Entry{Round: -1}, 0, again(err)
	}
	return e, revision, nil
}

func (c *Checkpoints) lost() error {
	return fmt.Errorf("attempt %d was given up: %w", c.epoch, exchange.ErrRestart)
}
