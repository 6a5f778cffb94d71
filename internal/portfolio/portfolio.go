// Package portfolio runs attempts at one question when nobody knows which will have the
// answer first. It knows nothing of the question.
//
// An attempt is a search that tells how far it has come, in a measure of its own: work
// done, states stored. Whoever plans allows it to come so far, and decides there whether
// it goes on, waits while another one has its turn, or is given up. Since measures count
// what is done, not the time it takes, what happens depends on the input only, whatever
// the machine does.
//
// Start begins an attempt that can go on after a wait, Try makes one that is given up when
// it has come as far as it may. A Race lets several have turns.
//
// # Decisions
//
// One portfolio (internal/portfolio): who does not know which search will be the first to answer makes
// attempts. An attempt tells how far it has come, in states or in work, and waits there; whoever plans lets
// it go on, or gives it up, and nobody reads an error to learn that. Levels are counts, never times: same
// input, same attempts, same answer. product uses it for AutoReduce, for one worker before several, and for
// the smaller network; deadlock for its race, the turns of reduced and unreduced search, and searches that
// may store few states. conform uses it for the turns of plain search and abstractions; these give way to
// plain search where all their counterexamples are too large for a witness. armc uses it for the lanes of
// its Auto, each with a solver of its own; their level is the solver's count of work (smt.Stats.Work) and a
// price for what is done outside it. They are a portfolio.Race, and so are the lanes of clp and those of safety:
// two run at a time, and others go on for a few turns while one takes long, but what comes of it is what comes
// of one after the other. A Race keeps what lanes say until their turn is due, numbers turns, and takes an
// answer that is early when the time is over; what a share is and which errors cost a lane only its own
// chance, each of the three says for itself. A search that
// is given up still unwinds by an error, one of its lane's own, that only the portfolio knows.
package portfolio

import (
	"errors"
	"fmt"
	"math"
	"runtime/debug"

	"github.com/seltl/seltl/budget"
)

// Lane is what a search tells how far it has come. A nil lane never ends.
type Lane struct {
	until, level int64
	// wait waits for the next allowance; nil: there is none.
	wait func() (until int64, ok bool)
	end  error // of a search that is given up; each lane has its own
	said []func()
}

func newLane(until int64, wait func() (int64, bool)) *Lane {
	return &Lane{until: until, wait: wait, end: errors.New("portfolio: the attempt was given up")}
}

// Reach says that the search has come to a level, and waits there if it may not go on. After
// an error the search must end, and return that error or one that wraps it.
func (l *Lane) Reach(level int64) error {
	if l == nil || level < l.until {
		return nil
	}
	return l.reached(level) // so that Reach is inlined
}

func (l *Lane) reached(level int64) error {
	l.level = level
	for level >= l.until {
		if err := l.pause(); err != nil {
			return err
		}
	}
	return nil
}

// Last is Reach for a search that will not tell any more: it waits as well where it has
// come at least half as far as it may.
func (l *Lane) Last(level int64) error {
	if l == nil || level < l.until/2 {
		return nil
	}
	l.level = level
	return l.pause()
}

func (l *Lane) pause() error {
	if l.wait == nil {
		return l.end
	}
	until, ok := l.wait()
	if !ok {
		return l.end
	}
	l.until = until
	return nil
}

// Ever is as far as one likes.
const Ever = math.MaxInt64

// Try makes an attempt that is given up when it has come to until; enough is false then, and
// answer what the search has returned so far.
func Try[T any](until int64, search func(*Lane) (T, error)) (answer T, enough bool, err error) {
	l := newLane(until, nil)
	answer, err = search(l)
	if errors.Is(err, l.end) {
		return answer, false, nil
	}
	return answer, true, err
}

// Attempt is a search that runs beside others, in a goroutine of its own.
type Attempt[T any] struct {
	lane    *Lane
	allowed chan int64    // how far it may come next; closed: no further
	paused  chan struct{} // it waits
	done    chan struct{}
	waits   bool
	ended   bool
	answer  T
	err     error
	failure *failure
}

// failure is what a search panicked with.
type failure struct {
	value any
	stack []byte
}

// Start begins a search that may come to until: 0 lets it prepare.
func Start[T any](until int64, search func(*Lane) (T, error)) *Attempt[T] {
	a := &Attempt[T]{allowed: make(chan int64), paused: make(chan struct{}), done: make(chan struct{})}
	a.lane = newLane(until, func() (int64, bool) {
		a.paused <- struct{}{}
		until, ok := <-a.allowed
		return until, ok
	})
	go func() {
		defer close(a.done)
		defer func() {
			if p := recover(); p == nil {
				return
			} else if a.err = budget.Aborted(p); a.err == nil {
				a.failure = &failure{p, debug.Stack()}
			}
		}()
		a.answer, a.err = search(a.lane)
	}()
	return a
}

// Wait waits until a has come as far as it may, or has ended. If its search panics, so does
// Wait.
func (a *Attempt[T]) Wait() {
	a.settle()
	a.panicked()
}

// settle is Wait without the panic.
func (a *Attempt[T]) settle() {
	if a.ended || a.waits {
		return
	}
	select {
	case <-a.paused:
		a.waits = true
	case <-a.done:
		a.ended = true
	}
}

func (a *Attempt[T]) panicked() {
	if f := a.failure; f != nil && a.ended {
		panic(fmt.Sprintf("%v, in an attempt:\n%s", f.value, f.stack))
	}
}

// Resume lets a, which has been waited for, come to until. If it has ended nothing happens.
func (a *Attempt[T]) Resume(until int64) {
	if !a.ended {
		a.waits = false
		a.allowed <- until
	}
}

// Level returns how far a has come, which waits.
func (a *Attempt[T]) Level() int64 { return a.lane.level }

// Ended reports whether a has ended, when it was last waited for.
func (a *Attempt[T]) Ended() bool { return a.ended }

// Stop gives a up unless it has ended, waits for that, and returns what its search has
// returned; enough is false if it was given up.
func (a *Attempt[T]) Stop() (answer T, enough bool, err error) {
	a.Wait()
	if !a.ended {
		close(a.allowed)
		a.waits = false
		<-a.done
		a.ended = true
		a.panicked()
	}
	if errors.Is(a.err, a.lane.end) {
		return a.answer, false, nil
	}
	return a.answer, true, a.err
}
