package local

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"sync"
)

// Checkpoints keeps checkpoints in memory, those of all workers in one place. All of its
// methods may be called at once. The zero value is empty.
type Checkpoints struct {
	lock      sync.Mutex
	parts     map[part][]byte
	committed []int // rounds, in the order in which they were
}

type part struct{ rank, round int }

// Save stores a worker's part of a round.
func (c *Checkpoints) Save(_ context.Context, rank, round int, write func(to io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.parts == nil {
		c.parts = map[part][]byte{}
	}
	c.parts[part{rank, round}] = text.Bytes()
	return nil
}

// Commit says that every worker saved its part of a round, and forgets earlier rounds.
func (c *Checkpoints) Commit(_ context.Context, round int) error {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.committed = append(c.committed, round)
	maps.DeleteFunc(c.parts, func(p part, _ []byte) bool { return p.round < round })
	return nil
}

// Latest is the round that was committed last, -1 without one.
func (c *Checkpoints) Latest(context.Context) (int, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if len(c.committed) == 0 {
		return -1, nil
	}
	return c.committed[len(c.committed)-1], nil
}

// Load reads a worker's part of a round that was committed.
func (c *Checkpoints) Load(_ context.Context, rank, round int, read func(from io.Reader) error) error {
	c.lock.Lock()
	text, ok := c.parts[part{rank, round}]
	c.lock.Unlock()
	if !ok {
		return fmt.Errorf("there is no part of worker %d of round %d", rank, round)
	}
	return read(bytes.NewReader(text))
}
