// Package wordfile writes and reads files of 64-bit words, little-endian, with lists that
// are preceded by their length, and a checksum: what searches keep to go on from.
package wordfile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"math"
	"slices"
)

// NewSum returns the checksum of files.
func NewSum() hash.Hash32 { return crc32.New(crc32.MakeTable(crc32.Castagnoli)) }

// ErrDamaged is why a file cannot be read that is not what was written.
var ErrDamaged = errors.New("the file is damaged")

// Writer writes words and remembers the first error, which Flush returns.
type Writer struct {
	to    *bufio.Writer
	sum   hash.Hash32
	bytes []byte
	err   error
}

// NewWriter returns one that has written nothing.
func NewWriter(to io.Writer) *Writer {
	return &Writer{to: bufio.NewWriterSize(to, 1<<18), sum: NewSum()}
}

// Words writes words.
func (w *Writer) Words(words ...uint64) {
	w.bytes = w.bytes[:0]
	for _, x := range words {
		w.bytes = binary.LittleEndian.AppendUint64(w.bytes, x)
	}
	w.sum.Write(w.bytes)
	if w.err == nil {
		_, w.err = w.to.Write(w.bytes)
	}
}

// List writes words after their number.
func (w *Writer) List(words []uint64) {
	w.Words(uint64(len(words)))
	for part := range slices.Chunk(words, 1<<14) {
		w.Words(part...)
	}
}

// Sum is the checksum of what was written.
func (w *Writer) Sum() uint32 { return w.sum.Sum32() }

// Flush writes what is left, and returns the first error of all.
func (w *Writer) Flush() error {
	if w.err != nil {
		return w.err
	}
	return w.to.Flush()
}

// Reader reads what a Writer wrote and remembers the errors. Once there is one it reads
// nothing more.
type Reader struct {
	from  *bufio.Reader
	sum   hash.Hash32
	bytes []byte
	left  int64 // words that the file still has, at most
	tick  func() error
	err   error
}

// Stopped is the error of a tick.
type Stopped struct{ Err error }

func (s *Stopped) Error() string { return s.Err.Error() }
func (s *Stopped) Unwrap() error { return s.Err }

// NewReader returns a reader of no more than so many words. tick, which may be nil, is
// called before each list is read; its error ends that.
func NewReader(from io.Reader, words int64, tick func() error) *Reader {
	return &Reader{from: bufio.NewReaderSize(from, 1<<18), sum: NewSum(), left: words, tick: tick}
}

// Err returns the errors so far.
func (r *Reader) Err() error { return r.err }

// Left is how many words there are still, at most.
func (r *Reader) Left() int64 { return r.left }

// Fail notes an error.
func (r *Reader) Fail(err error) { r.err = errors.Join(r.err, err) }

// Sum is the checksum of what was read.
func (r *Reader) Sum() uint32 { return r.sum.Sum32() }

// Words reads so many words; nil after an error.
func (r *Reader) Words(n int) []uint64 {
	if r.left -= int64(n); r.err == nil && (n < 0 || r.left < 0) {
		r.err = ErrDamaged
	}
	if r.err != nil {
		return nil
	}
	words := make([]uint64, 0, min(n, 1<<14))
	for n > 0 {
		k := min(n, 1<<14)
		r.bytes = slices.Grow(r.bytes[:0], k*8)[:k*8]
		if _, r.err = io.ReadFull(r.from, r.bytes); r.err != nil {
			return nil
		}
		r.sum.Write(r.bytes)
		words = slices.Grow(words, k)
		for i := range k {
			words = append(words, binary.LittleEndian.Uint64(r.bytes[i*8:]))
		}
		n -= k
	}
	return words
}

// Word reads a word; 0 after an error.
func (r *Reader) Word() uint64 {
	if words := r.Words(1); words != nil {
		return words[0]
	}
	return 0
}

// List reads a list.
func (r *Reader) List() []uint64 {
	if r.tick != nil {
		if err := r.tick(); err != nil {
			r.Fail(&Stopped{err})
			return nil
		}
	}
	n := r.Word()
	if n > math.MaxInt32 {
		r.Fail(ErrDamaged)
		return nil
	}
	return r.Words(int(n))
}
