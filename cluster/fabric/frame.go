package fabric

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// What a frame is for. Batches and the frames of the barrier have a sequence number and are
// sent again until they were received.
type kind uint8

const (
	batch kind = 1 + iota // a payload of the search
	done                  // to rank 0: a worker finished sending in a phase
	turn                  // from rank 0: all did, and this is what you have to take
	ack                   // what was received and taken
	probe                 // asks for an ack
)

const (
	magic   = 0x786c7473 // "stlx"
	version = 1
	// trailerBytes is the length of what stands behind a payload: behind, so that the
	// buffer that the search fills is the one that is published.
	trailerBytes = 48
)

// header says what a frame is. It is written behind the payload:
//
//	0 magic   4 version, kind, two zero bytes   8 digest   16 epoch   20 phase
//	24 from   28 to   32 sequence   40 length of the payload   44 checksum
//
// in little-endian order. The checksum is CRC-32C over everything before it.
type header struct {
	kind     kind
	digest   uint64
	epoch    uint32
	phase    uint32
	from, to uint32
	seq      uint64
}

// Reasons why a frame is refused.
var (
	errShort    = errors.New("shorter than a frame")
	errMagic    = errors.New("not a frame")
	errVersion  = errors.New("a frame of another version")
	errKind     = errors.New("a frame of no known kind")
	errLength   = errors.New("the length is wrong")
	errChecksum = errors.New("the checksum is wrong")
	errDigest   = errors.New("a frame of another job")
	errEpoch    = errors.New("a frame of another attempt")
	errSender   = errors.New("no worker sends this")
	errPhase    = errors.New("a frame of another phase")
	errSequence = errors.New("a sequence number outside the window")
	errContent  = errors.New("the content of a control frame is wrong")
)

// refusals are the reasons by the name under which they are counted.
var refusals = []struct {
	name string
	err  error
}{
	{"short", errShort}, {"magic", errMagic}, {"version", errVersion}, {"kind", errKind},
	{"length", errLength}, {"checksum", errChecksum}, {"digest", errDigest}, {"epoch", errEpoch},
	{"sender", errSender}, {"phase", errPhase}, {"sequence", errSequence}, {"content", errContent},
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal appends the trailer to a payload.
func seal(payload []byte, h header) []byte {
	n := len(payload)
	b := payload
	b = binary.LittleEndian.AppendUint32(b, magic)
	b = append(b, version, byte(h.kind), 0, 0)
	b = binary.LittleEndian.AppendUint64(b, h.digest)
	b = binary.LittleEndian.AppendUint32(b, h.epoch)
	b = binary.LittleEndian.AppendUint32(b, h.phase)
	b = binary.LittleEndian.AppendUint32(b, h.from)
	b = binary.LittleEndian.AppendUint32(b, h.to)
	b = binary.LittleEndian.AppendUint64(b, h.seq)
	b = binary.LittleEndian.AppendUint32(b, uint32(n))
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// open takes a frame apart; the payload is a part of it. It refuses, with one of the
// reasons above, everything that seal cannot have made.
func open(frame []byte) (h header, payload []byte, err error) {
	n := len(frame) - trailerBytes
	if n < 0 {
		return h, nil, errShort
	}
	t := frame[n:]
	if binary.LittleEndian.Uint32(t) != magic {
		return h, nil, errMagic
	}
	if t[4] != version || t[6] != 0 || t[7] != 0 {
		return h, nil, errVersion
	}
	h = header{
		kind:   kind(t[5]),
		digest: binary.LittleEndian.Uint64(t[8:]),
		epoch:  binary.LittleEndian.Uint32(t[16:]),
		phase:  binary.LittleEndian.Uint32(t[20:]),
		from:   binary.LittleEndian.Uint32(t[24:]),
		to:     binary.LittleEndian.Uint32(t[28:]),
		seq:    binary.LittleEndian.Uint64(t[32:]),
	}
	if h.kind < batch || h.kind > probe {
		return h, nil, errKind
	}
	if uint64(binary.LittleEndian.Uint32(t[40:])) != uint64(n) {
		return h, nil, errLength
	}
	if binary.LittleEndian.Uint32(t[44:]) != crc32.Checksum(frame[:n+44], castagnoli) {
		return h, nil, errChecksum
	}
	return h, frame[:n:n], nil
}

// acknowledgement is the content of an ack.
type acknowledgement struct {
	received uint64 // every sequence number up to here
	beyond   uint64 // bit i: received+1+i, too
	taken    uint64 // how many batches the search took
}

func (a acknowledgement) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, a.received)
	b = binary.LittleEndian.AppendUint64(b, a.beyond)
	return binary.LittleEndian.AppendUint64(b, a.taken)
}

func readAcknowledgement(b []byte) (a acknowledgement, err error) {
	if len(b) != 24 {
		return a, errContent
	}
	return acknowledgement{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:])}, nil
}

// A list of numbers, one for each worker, and a tally are the content of done; one list and
// every worker's tally that of turn.

func appendCounts(b []byte, counts []uint64) []byte {
	for _, c := range counts {
		b = binary.AppendUvarint(b, c)
	}
	return b
}

func readCounts(b []byte, n int) (counts []uint64, rest []byte, err error) {
	if len(b) < n { // each takes a byte at least
		return nil, nil, errContent
	}
	counts = make([]uint64, n)
	for i := range counts {
		c, k := binary.Uvarint(b)
		if k <= 0 {
			return nil, nil, errContent
		}
		counts[i], b = c, b[k:]
	}
	return counts, b, nil
}

func appendTallies(b []byte, tallies [][]byte) []byte {
	for _, t := range tallies {
		b = binary.AppendUvarint(b, uint64(len(t)))
		b = append(b, t...)
	}
	return b
}

func readTallies(b []byte, n int) ([][]byte, error) {
	if len(b) < n {
		return nil, errContent
	}
	tallies := make([][]byte, n)
	for i := range tallies {
		size, k := binary.Uvarint(b)
		if k <= 0 || size > uint64(len(b)-k) {
			return nil, errContent
		}
		tallies[i], b = b[k:k+int(size):k+int(size)], b[k+int(size):]
	}
	if len(b) != 0 {
		return nil, errContent
	}
	return tallies, nil
}

// A SizeError says that a payload is larger than what the fabric carries.
type SizeError struct{ Bytes, Max int }

func (e *SizeError) Error() string {
	return fmt.Sprintf("a payload of %d bytes: the message server takes %d at most (its option max_payload)", e.Bytes, e.Max)
}
