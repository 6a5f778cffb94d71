package sim

import (
	"errors"
	"fmt"

	"github.com/seltl/seltl/report"
)

// history is the run of a session: what it has visited up to at, and behind that what lies
// ahead: was undone, or loaded. V says where the session was, and how it came there.
type history[V any] struct {
	visits []V
	at     int
	// loop is where the loop of a run that was loaded begins, -1 if it has none, and
	// period its length: once round it, Redo goes round again.
	loop, period int
	keys         []string       // of visits: those of one state are equal
	seen         map[string]int // by key: the first index of such visits
	round        func(V) error  // makes the step of a visit once more, behind the last one
}

// clear forgets the run.
func (h *history[V]) clear() {
	h.visits, h.keys, h.at, h.loop, h.seen = nil, nil, 0, -1, map[string]int{}
}

// add puts a visit behind the last one.
func (h *history[V]) add(v V, key string) {
	if _, ok := h.seen[key]; !ok {
		h.seen[key] = len(h.visits)
	}
	h.visits, h.keys = append(h.visits, v), append(h.keys, key)
}

func (h *history[V]) now() *V { return &h.visits[h.at] }

// branch forgets what lies ahead.
func (h *history[V]) branch() {
	for i := len(h.visits) - 1; i > h.at; i-- {
		if h.seen[h.keys[i]] == i {
			delete(h.seen, h.keys[i])
		}
	}
	h.visits, h.keys = h.visits[:h.at+1], h.keys[:h.at+1]
}

// next is what lies ahead, nil for nothing: at the end of a lasso that was loaded its loop
// again.
func (h *history[V]) next() *V {
	switch {
	case h.at+1 < len(h.visits):
		return &h.visits[h.at+1]
	case h.loop >= 0:
		return &h.visits[h.at+1-h.period]
	}
	return nil
}

// same returns the first index of an earlier visit to the state, or -1.
func (h *history[V]) same() int {
	if i := h.seen[h.keys[h.at]]; i < h.at {
		return i
	}
	return -1
}

// What Undo and Redo say where they can do nothing.
var (
	ErrAtStart = errors.New("this is the start of the run")
	ErrNoRedo  = errors.New("no step lies ahead: nothing was undone or loaded")
)

// Undo goes back one step, which lies ahead then.
func (h *history[V]) Undo() error {
	if h.at == 0 {
		return ErrAtStart
	}
	h.at--
	return nil
}

// Redo takes the step that lies ahead. At the end of a lasso that was loaded it goes round
// the loop again.
func (h *history[V]) Redo() error {
	switch {
	case h.at+1 < len(h.visits):
	case h.loop >= 0:
		if err := h.round(*h.next()); err != nil {
			return err
		}
	default:
		return ErrNoRedo
	}
	h.at++
	return nil
}

// Reset goes back to the start. All steps lie ahead then.
func (h *history[V]) Reset() { h.at = 0 }

// Jump goes to a state of the run by its number of steps, back or, of what lies ahead,
// forth.
func (h *history[V]) Jump(step int) error {
	if step < 0 || step >= len(h.visits) {
		return fmt.Errorf("there is no step %d: the run has %s", step, report.Counted(int64(len(h.visits)-1), "step"))
	}
	h.at = step
	return nil
}

// At returns the number of steps so far, as in Position.
func (h *history[V]) At() int { return h.at }

// ahead says what lies ahead.
func (h *history[V]) ahead() string {
	text := report.Counted(int64(len(h.visits)-1-h.at), "step")
	if h.loop >= 0 {
		text += fmt.Sprintf(", the last %d of which are a loop", h.period)
	}
	return text
}

// onLoop says where the loop of a lasso is that was loaded, on it.
func (h *history[V]) onLoop() *Loop {
	if h.loop >= 0 && h.at >= h.loop {
		return &Loop{Start: h.loop, Length: h.period}
	}
	return nil
}

// travel does a command that goes back or forth in the run; false for others.
func (h *history[V]) travel(c Command) (a *Answer, done bool, err error) {
	switch c.Verb {
	case "undo":
		a, err = repeated(c, h.Undo)
	case "redo":
		a, err = repeated(c, h.Redo)
	case "reset":
		h.Reset()
		a = &Answer{Moved: true}
	case "jump":
		if c.Number < 0 {
			return nil, true, needs(c, "a number of steps", "jump 3")
		}
		a, err = &Answer{Moved: true}, h.Jump(c.Number)
	default:
		return nil, false, nil
	}
	return a, true, err
}
