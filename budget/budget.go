// Package budget bounds long computations: by a context, by numbers of states,
// by memory, and by time; and reports how far they are.
//
// A search makes one Meter, calls Tick every few thousand steps, and stops with
// the error that Tick returns. The error says which limit was reached, so that
// the caller can say so and what to try.
package budget

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"
)

// Limits of a computation. A zero field is no limit.
type Limits struct {
	States int64         // states stored
	Memory int64         // bytes of the Go heap of the whole process
	Time   time.Duration // wall-clock time since the Meter was made
}

// Within returns a context that ends with the limit of time, if there is one. Who calls it calls cancel in the end.
func (l Limits) Within(ctx context.Context) (within context.Context, cancel context.CancelFunc) {
	if l.Time > 0 {
		return context.WithTimeout(ctx, l.Time)
	}
	return ctx, func() {}
}

// Progress is what a computation has done so far.
type Progress struct {
	Phase       string // "exploring", "translating", ...
	States      int64
	Transitions int64
	Depth       int64
	Rounds      int64         // of refinement, before this one
	Predicates  int64         // that refinement has found
	Elapsed     time.Duration // filled in by the Meter
	Memory      int64         // bytes of Go heap in use; filled in by the Meter
	Need        int64         // bytes that are to be allocated next, if those are many
}

// Exhausted is the error of a computation that ran into a limit: one of Limits, or one
// that an algorithm or a data structure has. Whoever meets it does not know the answer; the
// input is not wrong.
type Exhausted struct {
	What   string // "states", "memory", "time", or something that an algorithm bounds
	Limit  string // the limit, for people; "" if nobody knows it
	Advice string // what to try instead, "" if that follows from What
	At     Progress
}

func (e *Exhausted) Error() string {
	if e.Limit == "" {
		return e.What + " limit reached"
	}
	return fmt.Sprintf("%s limit reached (%s)", e.What, e.Limit)
}

// Is makes errors.Is(err, context.DeadlineExceeded) hold for a limit of time.
func (e *Exhausted) Is(target error) bool {
	return target == context.DeadlineExceeded && e.What == "time"
}

// ErrInterrupted is returned by Tick once the context is cancelled;
// errors.Is(ErrInterrupted, context.Canceled) holds.
var ErrInterrupted error = interrupted{}

type interrupted struct{}

func (interrupted) Error() string        { return "interrupted" }
func (interrupted) Is(target error) bool { return target == context.Canceled }

// Stopped reports whether err says that a computation was stopped, by a limit or by its
// context, so that the answer is unknown and nothing is wrong.
func Stopped(err error) bool {
	var e *Exhausted
	return errors.As(err, &e) || errors.Is(err, ErrInterrupted)
}

// Full is the error of a table of what ("states", "edges") that has n of them, no more of
// which can be numbered.
func Full(what string, n int, at Progress) error {
	return &Exhausted{What: what, Limit: fmt.Sprintf("%d, all that can be numbered", n), At: at,
		Advice: "smaller constants (-D), minimised parts (seltl compose --minimise), or another --store"}
}

// Meter watches one computation. It is not safe for concurrent use; parallel
// searches tick from one goroutine.
type Meter struct {
	ctx     context.Context
	limits  Limits
	report  func(Progress)
	start   time.Time
	next    time.Time // of the next report
	nextMem time.Time // of the next look at the heap, which is not free
	memory  int64
	tick    func(Progress) error // see Watch
}

// TickEvery is a good number of steps between two calls of Tick: often enough
// to react within milliseconds, rarely enough to cost nothing.
const TickEvery = 4096

// Pace says when a search of states is to call Tick: every TickEvery states, or more often
// where states are long or have many transitions, so that time and memory between two
// calls are bounded, save for those of one state. The zero value is ready.
type Pace struct{ next int64 }

// Due takes what the search has done so far, in states and transitions, and the words of a
// state.
func (p *Pace) Due(states, transitions int64, words int) bool {
	work := states + transitions*int64(words)/16
	if work < p.next {
		return false
	}
	p.next = work + TickEvery
	return true
}

// New makes a Meter. report may be nil; otherwise it is called from Tick about
// once a second, the first time after one second. ctx may be nil.
func New(ctx context.Context, limits Limits, report func(Progress)) *Meter {
	if ctx == nil {
		ctx = context.Background()
	}
	now := time.Now()
	return &Meter{ctx: ctx, limits: limits, report: report, start: now, next: now.Add(time.Second)}
}

// Watch makes a Meter that only passes on what it is told, for a computation that is
// a part of another one, which has its own way to count.
func Watch(tick func(Progress) error) *Meter { return &Meter{tick: tick, start: time.Now()} }

// Over reports that a computation has more states than it may: Tick, which is asked now and then,
// would say so. It costs next to nothing, and is false of nil and of a Meter made by Watch, unless
// that is Within another one.
func (m *Meter) Over(states int64) bool {
	return m != nil && m.limits.States > 0 && states > m.limits.States
}

// Within has Over answer as that of another Meter, and returns m.
func (m *Meter) Within(outer *Meter) *Meter {
	if outer != nil {
		m.limits.States = outer.limits.States
	}
	return m
}

// Elapsed returns the time since the Meter was made.
func (m *Meter) Elapsed() time.Duration { return time.Since(m.start) }

// Tick reports progress when due and returns *Exhausted, ErrInterrupted or nil.
// p.Elapsed and p.Memory need not be set.
func (m *Meter) Tick(p Progress) error {
	if m.tick != nil {
		return m.tick(p)
	}
	if err := m.ctx.Err(); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			p.Elapsed = time.Since(m.start)
			limit := m.limits.Time.String()
			if m.limits.Time == 0 { // the deadline is the caller's
				limit = p.Elapsed.Round(time.Millisecond).String()
				if deadline, _ := m.ctx.Deadline(); deadline.Before(m.start) {
					limit = "" // it was over before
				}
			}
			return &Exhausted{What: "time", Limit: limit, At: p}
		}
		return ErrInterrupted
	}
	now := time.Now()
	p.Elapsed = now.Sub(m.start)
	if (m.limits.Memory > 0 || m.report != nil) && (p.Need > 0 || !now.Before(m.nextMem)) {
		m.memory = heapInUse()
		m.nextMem = now.Add(50 * time.Millisecond)
	}
	p.Memory = m.memory
	switch l := m.limits; {
	case l.States > 0 && p.States > l.States:
		return &Exhausted{What: "states", Limit: fmt.Sprint(l.States), At: p}
	case l.Memory > 0 && p.Memory+p.Need > l.Memory && m.overAfterGC(p.Need):
		p.Memory = m.memory
		return &Exhausted{What: "memory", Limit: FormatBytes(l.Memory), At: p}
	case l.Time > 0 && p.Elapsed > l.Time:
		return &Exhausted{What: "time", Limit: l.Time.String(), At: p}
	}
	if m.report != nil && !now.Before(m.next) {
		m.next = now.Add(time.Second)
		m.report(p)
	}
	return nil
}

// overAfterGC collects garbage, which is not what the limit is about, and reports
// whether the rest, with what is needed, is still over the limit, or so near that collecting
// again and again would be all that is done.
func (m *Meter) overAfterGC(need int64) bool {
	runtime.GC()
	m.memory = heapInUse()
	return m.memory+need > m.limits.Memory-m.limits.Memory/10
}

func heapInUse() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64())
}

// FormatBytes prints a number of bytes for people: "512 B", "1.5 MiB".
func FormatBytes(n int64) string {
	const unit = 1024
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	value, exp := float64(n)/unit, 0
	for value >= unit && exp < 4 {
		value /= unit
		exp++
	}
	return fmt.Sprintf("%.1f %ciB", value, "KMGTP"[exp])
}
