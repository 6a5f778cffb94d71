package explore

import "time"

// Phases says where the time of an exploration went. The phases of all workers
// add up to Reached.Workers times Reached.Elapsed. They are measured for batches
// of states, not for each.
type Phases struct {
	Successors time.Duration // computing transitions
	Store      time.Duration // looking targets up, and adding them
	Queue      time.Duration // handing states on to be explored, looking at what was found, and the rest
	Waiting    time.Duration // of a worker, for the others
	Checkpoint time.Duration // reading and writing checkpoints
	Disk       time.Duration // sorting and merging states on disk
}

// Total is the sum of all phases.
func (p Phases) Total() time.Duration {
	return p.Successors + p.Store + p.Queue + p.Waiting + p.Checkpoint + p.Disk
}

// add adds the phases of a worker.
func (p *Phases) add(q Phases) {
	p.Successors += q.Successors
	p.Store += q.Store
	p.Queue += q.Queue
	p.Waiting += q.Waiting
	p.Checkpoint += q.Checkpoint
	p.Disk += q.Disk
}

// stopwatch divides a time into phases without gaps.
type stopwatch struct{ start, last time.Time }

func newStopwatch() *stopwatch {
	now := time.Now()
	return &stopwatch{now, now}
}

// lap adds the time since the last lap to a phase.
func (w *stopwatch) lap(phase *time.Duration) {
	now := time.Now()
	*phase += now.Sub(w.last)
	w.last = now
}

// elapsed returns the time from the start to the last lap.
func (w *stopwatch) elapsed() time.Duration { return w.last.Sub(w.start) }
