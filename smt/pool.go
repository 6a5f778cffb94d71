package smt

import (
	"context"
	"sync"
)

// Pool lends solvers to goroutines, one each, and more of them to those that have one. It
// is safe for concurrent use.
type Pool struct {
	start func() (Solver, error)
	slots chan struct{} // one token for every solver that Acquire may lend

	mu     sync.Mutex
	idle   []Solver
	more   map[Solver]bool // lent by Another
	stats  Stats           // of closed solvers
	closed bool
}

// NewPool makes a pool that at most size may use at a time. start makes solvers when they
// are needed first.
func NewPool(size int, start func() (Solver, error)) *Pool {
	p := &Pool{start: start, slots: make(chan struct{}, max(1, size)), more: map[Solver]bool{}}
	for range cap(p.slots) {
		p.slots <- struct{}{}
	}
	return p
}

// Z3Pool is a pool of z3 processes.
func Z3Pool(size int, options Options) *Pool {
	return NewPool(size, func() (Solver, error) { return NewZ3(options) })
}

// Acquire returns a solver without assertions, waiting for one if all are lent.
// It must be given back by Release. Errors: ctx ended, the pool is closed, or no
// solver can be started.
func (p *Pool) Acquire(ctx context.Context) (Solver, error) {
	select {
	case <-p.slots:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s, err := p.lend()
	if err != nil {
		p.slots <- struct{}{}
	}
	return s, err
}

// Another returns a further solver for who has acquired one. It does not wait and is not
// counted in the size of the pool: who waited with one in hand could wait forever. It must
// be given back by Release, too. Errors: the pool is closed, or no solver can be started.
func (p *Pool) Another() (Solver, error) {
	s, err := p.lend()
	if err == nil {
		p.mu.Lock()
		p.more[s] = true
		p.mu.Unlock()
	}
	return s, err
}

// lend returns a solver that is idle, or starts one.
func (p *Pool) lend() (Solver, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errClosed
	}
	if n := len(p.idle); n > 0 {
		s := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return s, nil
	}
	p.mu.Unlock()
	return p.start()
}

// Release gives a solver back.
func (p *Pool) Release(s Solver) {
	s.Reset()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.more[s] {
		delete(p.more, s)
	} else {
		defer func() { p.slots <- struct{}{} }()
	}
	if p.closed {
		p.stats.Add(s.Stats())
		s.Close()
	} else {
		p.idle = append(p.idle, s)
	}
}

// Stats adds up the work of the solvers that are not lent.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	for _, idle := range p.idle {
		s.Add(idle.Stats())
	}
	return s
}

// Close closes all solvers; those that are lent, when they are given back.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, s := range p.idle {
		p.stats.Add(s.Stats())
		s.Close()
	}
	p.idle = nil
}
