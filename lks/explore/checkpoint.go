package explore

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A checkpoint is a file with all that a search by levels needs to go on: counts,
// findings, the states to be explored, and the stores. It is written under another
// name, flushed to disk, and then renamed, so that whatever happens there is
// either the old file or the new one. It consists of 64-bit words, little-endian;
// lists are preceded by their length; the last word is a checksum.

const (
	checkpointMagic   = 0x35306b63_6c746c73 // "sltlck05"
	checkpointDefault = time.Minute
)

// CheckpointError says why a file cannot be resumed from.
type CheckpointError struct {
	File string
	Why  string
}

func (e *CheckpointError) Error() string {
	return fmt.Sprintf("checkpoint %s: %s", e.File, e.Why)
}

// saver is a store whose contents can be saved, as lists of words, and added
// again, in the same order, once it is prepared for so many states. tick is called
// meanwhile if that takes long.
type saver interface {
	save(list func(words []uint64))
	prepare(states int, tick func() error) error
	load(words []uint64)
}

// fingerprint identifies a network and the options that a checkpoint depends on.
func (l *levels) fingerprint() []uint64 {
	h := sha256.New()
	put := func(values ...int32) { _ = binary.Write(h, binary.LittleEndian, values) }
	put(int32(l.opts.Store), int32(len(l.workers)), int32(l.opts.StoreBytes), int32(l.opts.StoreBytes>>32), int32(l.opts.Seed), int32(l.opts.Seed>>32), int32(l.net.Words()), int32(len(l.net.Components())))
	for i, m := range l.net.Components() {
		put(int32(m.NumStates()), int32(len(m.Initial())), int32(len(m.Props())))
		put(m.Initial()...)
		for s := range int32(m.NumStates()) {
			put(int32(m.Kind(s)), m.LabelClass(s), int32(len(m.Edges(s))))
			for _, e := range m.Edges(s) {
				put(e.Action, e.Target)
			}
		}
		if l.net.Observer(i) {
			put(1)
		}
	}
	for i, r := range l.net.Rules() {
		put(int32(i), r.Action)
		for _, p := range r.Parts {
			put(p.Component, p.Action)
		}
		for _, low := range l.net.Low() {
			if low[i] {
				put(-1)
			}
		}
	}
	words := make([]uint64, 4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(h.Sum(nil)[i*8:])
	}
	return words
}

// wordWriter writes words and remembers the first error.
type wordWriter struct {
	to    *bufio.Writer
	sum   hash.Hash32
	bytes []byte
	err   error
}

func newWordWriter(to io.Writer) *wordWriter {
	return &wordWriter{to: bufio.NewWriterSize(to, 1<<18), sum: crc32.New(crc32.MakeTable(crc32.Castagnoli))}
}

func (w *wordWriter) words(words ...uint64) {
	w.bytes = w.bytes[:0]
	for _, x := range words {
		w.bytes = binary.LittleEndian.AppendUint64(w.bytes, x)
	}
	w.sum.Write(w.bytes)
	if w.err == nil {
		_, w.err = w.to.Write(w.bytes)
	}
}

func (w *wordWriter) list(words []uint64) {
	w.words(uint64(len(words)))
	for len(words) > 0 {
		k := min(len(words), 1<<14)
		w.words(words[:k]...)
		words = words[k:]
	}
}

// wordReader reads what a wordWriter wrote and remembers the first error.
type wordReader struct {
	from  *bufio.Reader
	sum   hash.Hash32
	bytes []byte
	left  int64 // words that the file still has
	tick  func() error
	err   error
}

var errDamaged = errors.New("the file is damaged")

// stopped is what a meter says while a checkpoint is read.
type stopped struct{ error }

func (r *wordReader) words(n int) []uint64 {
	if r.left -= int64(n); r.err == nil && (n < 0 || r.left < 0) {
		r.err = errDamaged
	}
	if r.err != nil {
		return nil
	}
	r.bytes = slices.Grow(r.bytes[:0], n*8)[:n*8]
	if _, r.err = io.ReadFull(r.from, r.bytes); r.err != nil {
		return nil
	}
	r.sum.Write(r.bytes)
	words := make([]uint64, n)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(r.bytes[i*8:])
	}
	return words
}

func (r *wordReader) word() uint64 {
	if words := r.words(1); words != nil {
		return words[0]
	}
	return 0
}

func (r *wordReader) list() []uint64 {
	if err := r.tick(); err != nil {
		r.err = errors.Join(r.err, &stopped{err})
		return nil
	}
	n := r.word()
	if n > math.MaxInt32 {
		r.err = errors.Join(r.err, errDamaged)
		return nil
	}
	return r.words(int(n))
}

// checkpoint writes one if it is due, or in any case.
func (l *levels) checkpoint(always bool) error {
	if l.opts.Checkpoint == "" || !always && time.Since(l.saved) < l.every() {
		return nil
	}
	l.lap(&l.workers[0].phases.Queue)
	err := l.writeFile()
	l.lap(&l.workers[0].phases.Checkpoint)
	l.saved = time.Now()
	return err
}

func (l *levels) every() time.Duration {
	if l.opts.CheckpointEvery > 0 {
		return l.opts.CheckpointEvery
	}
	return checkpointDefault
}

func (l *levels) writeFile() error {
	// Always the same name, so that a run that is killed leaves one at most, which
	// the next one overwrites.
	f, err := os.OpenFile(l.opts.Checkpoint+".tmp", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	w := newWordWriter(f)
	l.write(w)
	w.words(uint64(w.sum.Sum32()))
	for _, step := range []func() error{
		func() error { return w.err }, w.to.Flush, f.Sync, f.Close,
		func() error { return os.Rename(f.Name(), l.opts.Checkpoint) },
	} {
		if err := step(); err != nil {
			f.Close()
			os.Remove(f.Name())
			return fmt.Errorf("cannot write the checkpoint: %w", err)
		}
	}
	// The new name must reach the disk too; not every system can be asked to.
	if d, err := os.Open(filepath.Dir(l.opts.Checkpoint)); err == nil {
		_ = d.Sync()
		d.Close()
	}
	return nil
}

func (l *levels) write(w *wordWriter) {
	w.words(checkpointMagic)
	w.list(l.fingerprint())
	w.words(uint64(l.Depth))
	for _, found := range l.findings() {
		w.list(*found)
	}
	writeBlocks(w, l.level)
	for _, worker := range l.workers {
		w.words(uint64(worker.transitions), uint64(worker.deadlocks), uint64(worker.ends), uint64(worker.errors))
		for _, found := range worker.found {
			w.list(found)
		}
		writeBlocks(w, worker.next)
	}
	for i := range l.stores {
		w.words(uint64(l.stores[i].Len()))
		l.stores[i].stateStore.(saver).save(w.list)
		w.words(0)
	}
}

func writeBlocks(w *wordWriter, blocks [][]uint64) {
	w.words(uint64(len(blocks)))
	for _, b := range blocks {
		w.list(b)
	}
}

// resume reads the checkpoint, if there is one, and reports whether there was.
func (l *levels) resume() (bool, error) {
	if l.opts.Checkpoint == "" {
		return false, nil
	}
	l.saved = time.Now()
	f, err := os.Open(l.opts.Checkpoint)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	size, err := l.verifyFile(f)
	if err != nil {
		return false, err
	}
	r := &wordReader{from: bufio.NewReaderSize(f, 1<<18), sum: crc32.New(crc32.MakeTable(crc32.Castagnoli)), left: size, tick: l.resuming}
	var stop *stopped
	switch err := l.read(r); {
	case err != nil:
		return false, err
	case errors.As(r.err, &stop):
		return false, stop.error
	case r.err != nil:
		return false, l.damaged(r.err.Error())
	}
	return true, nil
}

// resuming asks the meter while a checkpoint is read. What it ends leaves the file as
// it is.
func (l *levels) resuming() error {
	if l.opts.Meter == nil {
		return nil
	}
	p := l.progress()
	p.Phase = "reading the checkpoint"
	return l.opts.Meter.Tick(p)
}

func (l *levels) damaged(why string) error {
	return &CheckpointError{File: l.opts.Checkpoint, Why: why}
}

// verifyFile checks magic and checksum before anything is believed, goes back to
// the start, and returns the length in words.
func (l *levels) verifyFile(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	size := info.Size()
	if size < 24 || size%8 != 0 {
		return 0, l.damaged("it is no checkpoint, or cut short")
	}
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	in := bufio.NewReaderSize(f, 1<<18)
	var word [8]byte
	if _, err := io.ReadFull(in, word[:]); err != nil {
		return 0, err
	}
	if binary.LittleEndian.Uint64(word[:]) != checkpointMagic {
		return 0, l.damaged("it is no checkpoint, or of another version")
	}
	sum.Write(word[:])
	for left := size - 16; left > 0; left -= 1 << 24 {
		if err := l.resuming(); err != nil {
			return 0, err
		}
		if _, err := io.CopyN(sum, in, min(left, 1<<24)); err != nil {
			return 0, err
		}
	}
	if _, err := io.ReadFull(in, word[:]); err != nil {
		return 0, err
	}
	if binary.LittleEndian.Uint64(word[:]) != uint64(sum.Sum32()) {
		return 0, l.damaged(errDamaged.Error())
	}
	_, err = f.Seek(0, io.SeekStart)
	return size / 8, err
}

// read is the inverse of write. The error is the meter's, or says that the checkpoint
// is another search's; what r meets is in r.err.
func (l *levels) read(r *wordReader) error {
	r.word()
	if !slices.Equal(r.list(), l.fingerprint()) && r.err == nil {
		return l.damaged("it is of another model, or was written with other options (store, workers)")
	}
	l.Depth = int64(r.word())
	for _, found := range l.findings() {
		if list := r.list(); len(list) > 0 {
			*found = list
		}
	}
	l.level = l.readBlocks(r)
	for _, worker := range l.workers {
		worker.transitions, worker.deadlocks = int64(r.word()), int64(r.word())
		worker.ends, worker.errors = int64(r.word()), int64(r.word())
		for kind := range worker.found {
			if list := r.list(); len(list) > 0 {
				worker.found[kind] = list
			}
		}
		worker.next = l.readBlocks(r)
	}
	for i := range l.stores {
		if err := l.readStore(l.stores[i].stateStore.(saver), r); err != nil {
			return err
		}
	}
	return nil
}

func (l *levels) readStore(store saver, r *wordReader) error {
	states := r.word()
	if states > uint64(max(0, r.left)) && l.opts.Store != BitstateHash {
		r.err = errors.Join(r.err, errDamaged)
		return nil
	}
	if err := store.prepare(int(states), l.resuming); err != nil {
		return err
	}
	for list := r.list(); len(list) > 0 && r.err == nil; list = r.list() {
		store.load(list)
	}
	return nil
}

func (l *levels) readBlocks(r *wordReader) [][]uint64 {
	var blocks [][]uint64
	for n := r.word(); n > 0 && r.err == nil; n-- {
		b := slices.Clip(r.list())
		l.queued += int64(cap(b)) * 8
		blocks = append(blocks, b)
	}
	return blocks
}

// removeCheckpoint removes a checkpoint, and one that was being written when a run
// was killed.
func removeCheckpoint(file string) error {
	return errors.Join(removeIfThere(file), removeIfThere(file+".tmp"))
}

func removeIfThere(file string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
