package search

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/seltl/seltl/cluster/exchange"
	"github.com/seltl/seltl/lks"
)

// A payload is a header and states, each as its difference to the one before: neighbours in
// the order in which they are found differ in few components. A byte says which bytes of a
// word differ, and these follow, the lowest first. Of states of several words a
// byte comes first for each eight words, which says which of them differ. That is fewer bytes
// than sorted states with their distances, and costs less: BenchmarkCodec.

// kind is what a payload is for.
type kind byte

const (
	kindStates kind = 1 + iota // to be explored
	kindEdges                  // targets, once for each edge
	kindPairs                  // targets of edges, each before its source
)

const (
	payloadMagic = 0x53
	headerBytes  = 12
)

// putHeader writes the first bytes of a payload.
func putHeader(to []byte, k kind, phase, count uint32) {
	to[0], to[1], to[2], to[3] = payloadMagic, Schema, byte(k), 0
	binary.LittleEndian.PutUint32(to[4:], phase)
	binary.LittleEndian.PutUint32(to[8:], count)
}

// readHeader returns the number of states of a payload that is as it should be.
func readHeader(payload []byte, k kind, phase uint32) (count int, err error) {
	switch {
	case len(payload) < headerBytes:
		return 0, fmt.Errorf("it has %d bytes, a header alone has %d", len(payload), headerBytes)
	case payload[0] != payloadMagic || payload[1] != Schema || payload[3] != 0:
		return 0, errors.New("it is no payload, or of another version")
	case kind(payload[2]) != k:
		return 0, fmt.Errorf("it is of kind %d, where %d is expected", payload[2], k)
	case binary.LittleEndian.Uint32(payload[4:]) != phase:
		return 0, fmt.Errorf("it is of phase %d, and this is phase %d", binary.LittleEndian.Uint32(payload[4:]), phase)
	}
	n := binary.LittleEndian.Uint32(payload[8:])
	if n == 0 || uint64(n) > uint64(len(payload)-headerBytes) {
		return 0, fmt.Errorf("%d states do not fit into %d bytes", n, len(payload))
	}
	return int(n), nil
}

// codec makes payloads of states, and reads them.
type codec struct {
	words int
	most  int // bytes of a state, at most
	valid *ranges
}

func newCodec(words int, valid *ranges) *codec {
	c := &codec{words: words, most: 9 * words, valid: valid}
	if words > 1 {
		c.most += (words + 7) / 8
	}
	return c
}

// outgoing is a payload that is being made.
type outgoing struct {
	payload []byte // nil without states
	before  []uint64
	count   uint32
}

// room is what the buffer of a payload must have room for.
func (c *codec) room() int { return max(exchange.BatchBytes, headerBytes+c.most) }

// begin begins a payload in an empty slice.
func (c *codec) begin(o *outgoing, buffer []byte) {
	if cap(buffer) < c.room() {
		buffer = make([]byte, 0, c.room())
	}
	o.payload, o.count = buffer[:headerBytes], 0
	o.before = slices.Grow(o.before[:0], c.words)[:c.words]
	clear(o.before)
}

// add adds states to a payload, until it is full, and returns those for which there is no
// room.
func (c *codec) add(o *outgoing, states []uint64) (rest []uint64) {
	to, n := o.payload[:cap(o.payload)], len(o.payload)
	if c.words == 1 {
		before := o.before[0]
		i := 0
		for ; i < len(states) && n+9 <= len(to); i++ {
			n = putWord(to, n, states[i]^before)
			before = states[i]
		}
		o.before[0], o.payload = before, to[:n]
		o.count += uint32(i)
		return states[i:]
	}
	for ; len(states) > 0 && n+c.most <= len(to); states = states[c.words:] {
		state := states[:c.words]
		for from := 0; from < c.words; from += 8 {
			at, differ := n, byte(0)
			n++
			for w := from; w < min(from+8, c.words); w++ {
				if d := state[w] ^ o.before[w]; d != 0 {
					differ |= 1 << (w - from)
					n = putWord(to, n, d)
				}
			}
			to[at] = differ
		}
		copy(o.before, state)
		o.count++
	}
	o.payload = to[:n]
	return states
}

// putWord writes which bytes of d are not 0, and these.
func putWord(to []byte, n int, d uint64) int {
	at, which := n, byte(0)
	n++
	for d != 0 {
		b := uint(bits.TrailingZeros64(d)) &^ 7
		to[n] = byte(d >> b)
		which |= 1 << (b / 8)
		d &^= 0xff << b
		n++
	}
	to[at] = which
	return n
}

// finish returns the payload, and forgets it.
func (c *codec) finish(o *outgoing, k kind, phase uint32) []byte {
	payload := o.payload
	putHeader(payload, k, phase, o.count)
	o.payload = nil
	return payload
}

// decoding is a payload that is being read.
type decoding struct {
	left   []byte
	count  int // states that are still to come
	before []uint64
}

// open begins to read a payload.
func (c *codec) open(d *decoding, payload []byte, k kind, phase uint32) (err error) {
	d.count, err = readHeader(payload, k, phase)
	if err != nil {
		return err
	}
	d.left = payload[headerBytes:]
	d.before = slices.Grow(d.before[:0], c.words)[:c.words]
	clear(d.before)
	return nil
}

var errShort = errors.New("it ends in the middle of a state")

// next returns the next states, as many as fit into the slice, with their number. Without
// an error they are states that there can be.
func (c *codec) next(d *decoding, to []uint64) (states []uint64, err error) {
	n := min(d.count, cap(to)/c.words)
	to = to[:n*c.words]
	if c.words == 1 {
		err = d.one(to)
	} else {
		err = d.several(to, c.words)
	}
	if err == nil {
		err = c.valid.check(to)
	}
	if d.count -= n; err == nil && d.count == 0 && len(d.left) > 0 {
		err = fmt.Errorf("%d bytes follow the last state", len(d.left))
	}
	return to, err
}

// one reads states of one word.
func (d *decoding) one(to []uint64) error {
	from, x := d.left, d.before[0]
	at := 0
	for i := range to {
		if at >= len(from) {
			return errShort
		}
		which := from[at]
		at++
		if at+bits.OnesCount8(which) > len(from) {
			return errShort
		}
		for ; which != 0; which &= which - 1 {
			x ^= uint64(from[at]) << (8 * uint(bits.TrailingZeros8(which)) & 63)
			at++
		}
		to[i] = x
	}
	d.left, d.before[0] = from[at:], x
	return nil
}

// several reads states of several words.
func (d *decoding) several(to []uint64, words int) error {
	from := d.left
	for ; len(to) > 0; to = to[words:] {
		for first := 0; first < words; first += 8 {
			if len(from) == 0 {
				return errShort
			}
			differ := from[0]
			from = from[1:]
			for ; differ != 0; differ &= differ - 1 {
				w := first + bits.TrailingZeros8(differ)
				if w >= words {
					return fmt.Errorf("a state has no word %d", w)
				}
				if len(from) == 0 || 1+bits.OnesCount8(from[0]) > len(from) {
					return errShort
				}
				which, at := from[0], 1
				for ; which != 0; which &= which - 1 {
					d.before[w] ^= uint64(from[at]) << (8 * uint(bits.TrailingZeros8(which)))
					at++
				}
				from = from[at:]
			}
		}
		copy(to, d.before)
	}
	d.left = from
	return nil
}

// part is a field of packed states with so many values.
type part struct {
	lks.Field
	values int
}

// ranges say which words are states: fields below their numbers of values, all other bits 0.
// All fields of a word are checked by two additions: that of what is missing to
// a power of two to every other field, whose carries have the fields between to themselves.
type ranges struct{ words []wordRange }

type wordRange struct {
	unused uint64
	sides  [2]struct{ mask, missing, carry uint64 }
	loose  bool // no field has a number of values that is no power of two
}

// newRanges returns those of states of so many words with these fields, which do not overlap.
func newRanges(words int, fields []part) *ranges {
	r := &ranges{words: make([]wordRange, words)}
	fields = slices.DeleteFunc(slices.Clone(fields), func(p part) bool { return p.Width == 0 })
	slices.SortFunc(fields, func(a, b part) int { return (int(a.Word)<<8 | int(a.Shift)) - (int(b.Word)<<8 | int(b.Shift)) })
	for i := range r.words {
		r.words[i] = wordRange{unused: ^uint64(0), loose: true}
	}
	at := make([]int, words)
	for _, f := range fields {
		w := &r.words[f.Word]
		w.unused &^= f.Mask << f.Shift
		missing := f.Mask + 1 - uint64(f.values)
		side := &w.sides[at[f.Word]%2]
		at[f.Word]++
		side.mask |= f.Mask << f.Shift
		side.missing |= missing << f.Shift
		if f.Shift+f.Width < 64 {
			side.carry |= 1 << (f.Shift + f.Width)
		}
		w.loose = w.loose && missing == 0
	}
	return r
}

// networkFields are the fields of a network's states.
func networkFields(n *lks.Network) (fields []part) {
	for c, m := range n.Components() {
		fields = append(fields, part{n.Field(int32(c)), m.NumStates()})
	}
	return fields
}

// check returns an error if some word is no state's.
func (r *ranges) check(states []uint64) error {
	for len(states) > 0 {
		for i := range r.words {
			w, x := &r.words[i], states[i]
			if x&w.unused == 0 && (w.loose || w.inside(x)) {
				continue
			}
			return fmt.Errorf("%#x is no word %d of a state of the network", x, i)
		}
		states = states[len(r.words):]
	}
	return nil
}

func (w *wordRange) inside(x uint64) bool {
	a, carryA := bits.Add64(x&w.sides[0].mask, w.sides[0].missing, 0)
	b, carryB := bits.Add64(x&w.sides[1].mask, w.sides[1].missing, 0)
	return a&w.sides[0].carry|b&w.sides[1].carry|carryA|carryB == 0
}
