package explore

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/wordfile"
)

// A checkpoint is a file with all that a search by levels needs to go on: counts,
// findings, the states to be explored, and the stores. It is written under another
// name, flushed to disk, and then renamed, so that whatever happens there is
// either the old file or the new one. It consists of 64-bit words, little-endian;
// lists are preceded by their length; the last word is a checksum.

const (
	checkpointMagic   = 0x36306b63_6c746c73 // "sltlck06"
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
	onDisk := int32(0)
	if l.opts.Disk != "" {
		onDisk = 1
	}
	put(onDisk, int32(l.opts.Store), int32(len(l.workers)), int32(l.opts.StoreBytes), int32(l.opts.StoreBytes>>32), int32(l.opts.Seed), int32(l.opts.Seed>>32))
	net := l.net.Fingerprint()
	h.Write(net[:])
	words := make([]uint64, 4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(h.Sum(nil)[i*8:])
	}
	return words
}

// checkpoint writes one if it is due, or in any case. That a disk is full is no reason to lose the
// search: it goes on, and another one is tried when it is due.
func (l *levels) checkpoint(always bool) {
	if l.opts.Checkpoint == "" || !always && time.Since(l.saved) < l.every() {
		return
	}
	l.lap(&l.workers[0].phases.Queue)
	if l.Unsaved = l.writeFile(); l.Unsaved == nil {
		for i := range l.stores {
			if d, ok := l.stores[i].stateStore.(*diskStore); ok {
				d.saved()
			}
		}
	}
	l.lap(&l.workers[0].phases.Checkpoint)
	l.saved = time.Now()
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
		return fmt.Errorf("cannot write the checkpoint: %w", err)
	}
	w := wordfile.NewWriter(f)
	l.write(w)
	w.Words(uint64(w.Sum()))
	for _, step := range []func() error{
		w.Flush, f.Sync, f.Close,
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

func (l *levels) write(w *wordfile.Writer) {
	w.Words(checkpointMagic)
	w.List(l.fingerprint())
	w.Words(uint64(l.Depth))
	for _, found := range l.findings() {
		w.List(*found)
	}
	writeBlocks(w, l.level)
	for _, worker := range l.workers {
		w.Words(uint64(worker.transitions), uint64(worker.deadlocks), uint64(worker.ends), uint64(worker.errors))
		for _, found := range worker.found {
			w.List(found)
		}
		writeBlocks(w, worker.next)
	}
	for i := range l.stores {
		states := l.stores[i].Len()
		if d, ok := l.stores[i].stateStore.(*diskStore); ok {
			states = d.gathered.Len() // the others are in files
		}
		w.Words(uint64(states))
		l.stores[i].stateStore.(saver).save(w.List)
		w.Words(0)
	}
}

func writeBlocks(w *wordfile.Writer, blocks [][]uint64) {
	w.Words(uint64(len(blocks)))
	for _, b := range blocks {
		w.List(b)
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
	r := wordfile.NewReader(f, size, l.resuming)
	var stop *wordfile.Stopped
	switch err := l.read(r); {
	case err != nil:
		return false, err
	case errors.As(r.Err(), &stop):
		return false, stop.Err
	case r.Err() != nil:
		return false, l.damaged(r.Err().Error())
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
	sum := wordfile.NewSum()
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
		return 0, l.damaged(wordfile.ErrDamaged.Error())
	}
	_, err = f.Seek(0, io.SeekStart)
	return size / 8, err
}

// read is the inverse of write. The error is the meter's, or says that the checkpoint
// is another search's; what r meets is in r.err.
func (l *levels) read(r *wordfile.Reader) error {
	r.Word()
	if !slices.Equal(r.List(), l.fingerprint()) && r.Err() == nil {
		return l.damaged("it is of another model, or was written with other options (store, workers)")
	}
	l.Depth = int64(r.Word())
	for _, found := range l.findings() {
		if list := r.List(); len(list) > 0 {
			*found = list
		}
	}
	l.level = l.readBlocks(r)
	for _, worker := range l.workers {
		worker.transitions, worker.deadlocks = int64(r.Word()), int64(r.Word())
		worker.ends, worker.errors = int64(r.Word()), int64(r.Word())
		for kind := range worker.found {
			if list := r.List(); len(list) > 0 {
				worker.found[kind] = list
			}
		}
		worker.next = l.readBlocks(r)
	}
	for i := range l.stores {
		if err := l.readStore(l.stores[i].stateStore.(saver), r); err != nil {
			return err
		}
		if d, ok := l.stores[i].stateStore.(*diskStore); ok && r.Err() == nil {
			switch err := d.check(l.resuming); {
			case budget.Stopped(err):
				return err
			case err != nil:
				return l.damaged(err.Error())
			}
		}
	}
	return nil
}

func (l *levels) readStore(store saver, r *wordfile.Reader) error {
	states := r.Word()
	if states > uint64(max(0, r.Left())) && l.opts.Store != BitstateHash {
		r.Fail(wordfile.ErrDamaged)
		return nil
	}
	if err := store.prepare(int(states), l.resuming); err != nil {
		return err
	}
	for list := r.List(); len(list) > 0 && r.Err() == nil; list = r.List() {
		store.load(list)
	}
	return nil
}

func (l *levels) readBlocks(r *wordfile.Reader) [][]uint64 {
	var blocks [][]uint64
	for n := r.Word(); n > 0 && r.Err() == nil; n-- {
		b := slices.Clip(r.List())
		l.queued += int64(cap(b)) * 8
		blocks = append(blocks, b)
	}
	return blocks
}

// removeCheckpoint removes a checkpoint, and one that was being written when a run
// was killed.
func removeCheckpoint(file string) error {
	if err := errors.Join(removeIfThere(file), removeIfThere(file+".tmp")); err != nil {
		return fmt.Errorf("cannot remove the checkpoint: %w", err)
	}
	return nil
}

func removeIfThere(file string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
