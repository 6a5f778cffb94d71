package fabric

import "time"

// maxWindow is how many frames can be received beyond one that is missing: the bits of an
// acknowledgement. Frames of the barrier need no credit and come on top of the batches.
const (
	maxWindow   = 64
	maxBatches  = 48
	minBatches  = 2
	totalQueued = 1024 // batches that all others together may have under way to one worker
)

// window is how many batches each of size workers may have sent to another that this one
// has not taken: together they fill a bounded queue.
func window(size int) int {
	return max(minBatches, min(maxBatches, totalQueued/max(1, size-1)))
}

// parcel is a reliable frame on its way.
type parcel struct {
	to         int
	seq        uint64
	phase      int64
	frame      []byte
	lent       bool // the frame is one of the buffers
	sent       time.Time
	publishing bool // the courier reads the frame
	received   bool // by the other side: nobody needs the frame any more
}

// outgoing is the sending end of the channel to one worker.
type outgoing struct {
	last    uint64    // sequence number of the last reliable frame
	batches uint64    // sent so far
	taken   uint64    // of them, by the other side
	inPhase uint64    // batches sent in this phase
	before  uint64    // and in all phases before it
	flight  []*parcel // sent and not known to be received, by sequence number
	heard   time.Time // when the other side last acknowledged anything, or had nothing to
	probes  uint64    // how often it was asked to
	probed  time.Time
	backoff time.Duration
}

// acked takes an acknowledgement in, which answers the probe of a number, 0 for none. It
// returns the frames that nobody needs any more and those that were lost: what is missing
// in the answer to the last probe though it was sent before that. What the other side
// cannot know is refused.
func (o *outgoing) acked(a acknowledgement, probe uint64, now time.Time) (released, lost []*parcel, err error) {
	if a.received > o.last || a.taken > o.batches || probe > o.probes {
		return nil, nil, errContent
	}
	kept := o.flight[:0]
	for _, p := range o.flight {
		if p.seq <= a.received || p.seq-a.received <= maxWindow && a.beyond>>(p.seq-a.received-1)&1 == 1 {
			p.received = true
			released = append(released, p)
			continue
		}
		kept = append(kept, p)
		if probe != 0 && probe == o.probes && !p.sent.IsZero() && p.sent.Before(o.probed) {
			lost = append(lost, p)
		}
	}
	clear(o.flight[len(kept):])
	o.flight = kept
	o.heard = now
	if len(released) > 0 || a.taken > o.taken {
		o.backoff = 0
	}
	o.taken = max(o.taken, a.taken)
	return released, lost, nil
}

// credit says whether another batch may be sent: the other side's queue has room for it,
// and no missing frame is so far back that an acknowledgement could not tell.
func (o *outgoing) credit(window uint64) bool {
	return o.batches-o.taken < window && (len(o.flight) == 0 || o.last-o.flight[0].seq < maxWindow-8)
}

// settle drops what needs no acknowledgement any more, at the end of a phase: workers come
// there only when they have taken all of the phase before, so that this was received.
func (o *outgoing) settle(phase int64) (released []*parcel) {
	kept := o.flight[:0]
	for _, p := range o.flight {
		if p.phase < phase {
			p.received = true
			released = append(released, p)
		} else {
			kept = append(kept, p)
		}
	}
	clear(o.flight[len(kept):])
	o.flight = kept
	o.taken = max(o.taken, o.before)
	return released
}

// incoming is the receiving end of the channel from one worker.
type incoming struct {
	received  uint64 // all frames up to here
	beyond    uint64 // bit i: received+1+i, too
	taken     uint64 // batches that the search took, in all phases
	announced uint64 // of them, in the last acknowledgement
	inPhase   uint64 // batches taken in this phase
}

// admit says whether a frame is new, and remembers it.
func (i *incoming) admit(seq uint64) (fresh bool, err error) {
	if seq == 0 {
		return false, errSequence
	}
	if seq <= i.received {
		return false, nil
	}
	ahead := seq - i.received - 1
	if ahead >= maxWindow {
		return false, errSequence
	}
	if i.beyond>>ahead&1 == 1 {
		return false, nil
	}
	i.beyond |= 1 << ahead
	for i.beyond&1 == 1 {
		i.beyond >>= 1
		i.received++
	}
	return true, nil
}

func (i *incoming) acknowledgement() acknowledgement {
	i.announced = i.taken
	return acknowledgement{i.received, i.beyond, i.taken}
}
