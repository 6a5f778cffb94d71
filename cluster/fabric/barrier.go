package fabric

import "slices"

// barrier is what is known of the ends of phases: on rank 0 what workers have sent in a
// phase, elsewhere what rank 0 said. Workers are at most one phase apart: to end a phase,
// rank 0 needs every worker.
type barrier struct {
	dones []doneNote
	turns []turnNote
}

// doneNote is what one worker did in a phase.
type doneNote struct {
	phase int64
	from  int
	sent  []uint64 // batches, to each
	tally []byte
}

// turnNote is what a worker has to take in a phase, and what all found.
type turnNote struct {
	phase   int64
	expect  []uint64 // batches, from each
	tallies [][]byte
}

// read decodes a frame of the barrier: a *doneNote, a *turnNote, or nil for a batch. Done
// is for rank 0 and turn is from it.
func (b *barrier) read(w *Worker, h header, payload []byte) (any, error) {
	switch h.kind {
	case done:
		if w.Config.Rank != 0 {
			return nil, errSender
		}
		sent, tally, err := readCounts(payload, w.Config.Size)
		if err != nil {
			return nil, err
		}
		return doneNote{int64(h.phase), int(h.from), sent, tally}, nil
	case turn:
		if h.from != 0 {
			return nil, errSender
		}
		expect, rest, err := readCounts(payload, w.Config.Size)
		if err != nil {
			return nil, err
		}
		tallies, err := readTallies(rest, w.Config.Size)
		if err != nil {
			return nil, err
		}
		return turnNote{int64(h.phase), expect, tallies}, nil
	}
	return nil, nil
}

// note remembers what read returned.
func (b *barrier) note(n any) {
	switch n := n.(type) {
	case doneNote:
		b.dones = append(b.dones, n)
	case turnNote:
		b.turns = append(b.turns, n)
	}
}

// repeats says whether n, which read returned, says again what its sender has said already: some
// other frame has taken the place of one of its frames.
func (b *barrier) repeats(n any) bool {
	switch n := n.(type) {
	case doneNote:
		return slices.ContainsFunc(b.dones, func(d doneNote) bool { return d.phase == n.phase && d.from == n.from })
	case turnNote:
		return b.turn(n.phase) != nil
	}
	return false
}

// complete says whether all of size workers have ended a phase: no two notes are of one worker.
func (b *barrier) complete(phase int64, size int) bool {
	n := 0
	for _, d := range b.dones {
		if d.phase == phase {
			n++
		}
	}
	return n == size
}

// turn returns rank 0's word on a phase, nil before it came.
func (b *barrier) turn(phase int64) *turnNote {
	for i := range b.turns {
		if b.turns[i].phase == phase {
			return &b.turns[i]
		}
	}
	return nil
}

// forget drops what is known of a phase that is over.
func (b *barrier) forget(phase int64) {
	dones, turns := b.dones, b.turns
	b.dones, b.turns = nil, nil
	for _, d := range dones {
		if d.phase != phase {
			b.dones = append(b.dones, d)
		}
	}
	for _, t := range turns {
		if t.phase != phase {
			b.turns = append(b.turns, t)
		}
	}
}

// arrive tells rank 0 that this worker sends no more in this phase. The caller holds the
// lock.
func (w *Worker) arrive(tally []byte) error {
	sent := make([]uint64, w.Config.Size)
	for to := range w.out {
		sent[to] = w.out[to].inPhase
	}
	if w.Config.Rank == 0 {
		w.barrier.note(doneNote{w.phase, 0, sent, append([]byte(nil), tally...)})
		return nil
	}
	content := append(appendCounts(nil, sent), tally...)
	if len(content) > w.largest {
		return &SizeError{len(content) + trailerBytes, w.largest + trailerBytes}
	}
	w.sendReliably(done, 0, content, false)
	return nil
}

// release tells all workers that a phase is complete, and what each has to take. The
// caller, on rank 0, holds the lock.
func (w *Worker) release() error {
	size := w.Config.Size
	sent, tallies := make([][]uint64, size), make([][]byte, size)
	for _, d := range w.barrier.dones {
		if d.phase == w.phase {
			sent[d.from], tallies[d.from] = d.sent, d.tally
		}
	}
	for to := range size {
		expect := make([]uint64, size)
		for from := range size {
			expect[from] = sent[from][to]
		}
		if to == 0 {
			w.barrier.note(turnNote{w.phase, expect, tallies})
			continue
		}
		content := appendTallies(appendCounts(nil, expect), tallies)
		if len(content) > w.largest {
			return &SizeError{len(content) + trailerBytes, w.largest + trailerBytes}
		}
		w.sendReliably(turn, to, content, false)
	}
	return nil
}
