package explore

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A checkpoint of a search with its states on disk names their files, with lengths and checksums, and has
// the states in it that were in memory. The files lie in a folder that belongs to the checkpoint: it is
// there as long as that is.

// statesFolder makes the folder for the states of a search: with a checkpoint that of the checkpoint, so
// that it is found again, and else one of its own.
func statesFolder(opts *Options) (string, error) {
	if opts.Checkpoint == "" {
		return os.MkdirTemp(opts.Disk, "seltl-states-")
	}
	file, err := filepath.Abs(opts.Checkpoint)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(opts.Disk, fmt.Sprintf("seltl-states-%x", sha256.Sum256([]byte(file)))[:len("seltl-states-")+16])
	if errors.Is(stat(opts.Checkpoint), fs.ErrNotExist) { // what a run left that was killed early
		if err := os.RemoveAll(dir); err != nil {
			return "", err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return dir, nil
}

// removeStates removes the folder, but if there is a checkpoint that needs it: an empty one goes in any case.
func removeStates(opts *Options, dir string) {
	if opts.Checkpoint == "" || errors.Is(stat(opts.Checkpoint), fs.ErrNotExist) {
		os.RemoveAll(dir)
		return
	}
	parts, err := os.ReadDir(dir)
	for _, p := range parts {
		err = errors.Join(err, os.Remove(filepath.Join(dir, p.Name()))) // fails where there are files
	}
	if err == nil {
		os.Remove(dir)
	}
}

func stat(file string) error {
	_, err := os.Lstat(file)
	return err
}

func (d *diskStore) save(list func(words []uint64)) {
	words := []uint64{uint64(d.n), d.runs, uint64(len(d.closed)), uint64(len(d.spilled))}
	for _, r := range slices.Concat(d.closed, d.spilled) {
		words = append(words, r.number, uint64(r.bytes), uint64(r.sum))
	}
	list(words)
	d.gathered.save(list)
}

// saved removes what the checkpoint before needed, and this one does not.
func (d *diskStore) saved() {
	d.remove(d.old)
	d.old = nil
}

func (d *diskStore) prepare(states int, tick func() error) error {
	return d.gathered.prepare(states, tick)
}

// load reads what save listed. What makes no sense is found when the files are looked for.
func (d *diskStore) load(words []uint64) {
	if d.loaded {
		d.gathered.load(words)
		return
	}
	d.loaded = true
	if len(words) < 4 || uint64(len(words)) != 4+3*(words[2]+words[3]) || words[2] > uint64(len(words)) {
		d.fail(errors.New("its list of files makes no sense"))
		return
	}
	d.n, d.runs = int(words[0]), words[1]
	for i := 4; i < len(words); i += 3 {
		r := diskRun{words[i], int64(words[i+1]), uint32(words[i+2])}
		if uint64(len(d.closed)) < words[2] {
			d.closed = append(d.closed, r)
		} else {
			d.spilled = append(d.spilled, r)
		}
	}
}

// check compares the files with what the checkpoint says of them, and removes others, which a search
// has left that was killed.
func (d *diskStore) check(tick func() error) error {
	if d.err != nil {
		return d.err
	}
	known := map[string]bool{}
	for _, r := range slices.Concat(d.closed, d.spilled) {
		known[filepath.Base(d.path(r))] = true
		if err := d.compare(r, tick); err != nil {
			return err
		}
	}
	entries, err := os.ReadDir(d.dir)
	for _, e := range entries {
		if !known[e.Name()] {
			err = errors.Join(err, os.Remove(filepath.Join(d.dir, e.Name())))
		}
	}
	return err
}

// errStates says that files are not there.
var errStates = errors.New("the states that it needs are not in the folder of --disk: give the same one as before")

func (d *diskStore) compare(r diskRun, tick func() error) error {
	f, err := os.Open(d.path(r))
	if errors.Is(err, fs.ErrNotExist) {
		return errStates
	}
	if err != nil {
		return err
	}
	defer f.Close()
	in, sum, left := bufio.NewReaderSize(f, 1<<18), crc32.New(castagnoli), r.bytes
	for ; left > 0; left -= 1 << 24 {
		if err := tick(); err != nil {
			return err
		}
		if _, err := io.CopyN(sum, in, min(left, 1<<24)); err != nil {
			return fmt.Errorf("the file %s of states is damaged: %w", d.path(r), err)
		}
	}
	if _, err := in.ReadByte(); err != io.EOF || sum.Sum32() != r.sum {
		return fmt.Errorf("the file %s of states is damaged", d.path(r))
	}
	return nil
}
