package search

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/seltl/seltl/cluster/exchange"
	"github.com/seltl/seltl/internal/wordfile"
)

// A checkpoint has a part of each worker, written where a round begins: what search it is
// and where that is, then what the stage of the search keeps. Rank 0 commits it when all
// have written theirs.

const checkpointMagic = 0x31306b63_756c6373 // "scluck01"

// checkpoint writes one if it is due, where a round begins.
func (w *worker) checkpoint(stage uint64, save func(to *wordfile.Writer)) error {
	w.since++
	if w.ck == nil || w.opts.CheckpointEvery <= 0 || w.since < int64(w.opts.CheckpointEvery) {
		return nil
	}
	w.since = 0
	w.lap(&w.stats.Phases.Store)
	failed := w.ck.Save(w.ctx, w.rank, int(w.round), func(to io.Writer) error {
		file := wordfile.NewWriter(to)
		file.Words(checkpointMagic)
		file.List(w.identity)
		file.Words(uint64(w.rank), uint64(w.size), stage, uint64(w.round))
		save(file)
		file.Words(uint64(file.Sum()))
		return file.Flush()
	})
	w.lap(&w.stats.Phases.Checkpoint)
	t := &tally{}
	if failed != nil {
		t.Text = failed.Error()
	}
	all, err := w.agree(t)
	if err != nil {
		return err
	}
	if err := failure(exchange.ErrRestart, w.round, all, failed); err != nil {
		return err
	}
	if w.rank == 0 {
		err = w.ck.Commit(w.ctx, int(w.round))
		w.lap(&w.stats.Phases.Checkpoint)
	}
	return err
}

// failure is the error of all workers if one has failed: the first, which on the worker
// itself is the error that it met. It wraps what on all, which says that another attempt may
// do better.
func failure(what error, round int64, all []tally, mine error) error {
	if mine != nil {
		return fmt.Errorf("round %d: %w: %w", round, what, mine)
	}
	for rank, t := range all {
		if t.Text != "" {
			return fmt.Errorf("round %d: worker %d: %s: %w", round, rank, t.Text, what)
		}
	}
	return nil
}

// resume reads the checkpoint that was committed last, and returns its round, -1 without
// one. load reads what a stage has saved.
func (w *worker) resume(load func(stage uint64, from *wordfile.Reader) error) (int, error) {
	round, failed := -1, error(nil)
	if w.ck != nil && w.opts.CheckpointEvery > 0 {
		round, failed = w.ck.Latest(w.ctx)
	}
	t := &tally{Work: int64(round)}
	if failed != nil {
		t.Text = failed.Error()
	}
	all, err := w.agree(t)
	if err == nil {
		err = failure(exchange.ErrRestart, -1, all, failed)
	}
	if err != nil {
		return -1, err
	}
	if slices.ContainsFunc(all, func(t tally) bool { return t.Work != all[0].Work }) {
		return -1, fmt.Errorf("%w: workers see different checkpoints", exchange.ErrRestart)
	}
	if round < 0 {
		return -1, nil
	}
	failed = w.ck.Load(w.ctx, w.rank, round, func(from io.Reader) error { return w.readPart(from, load) })
	w.lap(&w.stats.Phases.Checkpoint)
	t = &tally{}
	if failed != nil {
		t.Text = failed.Error()
	}
	if all, err = w.agree(t); err == nil {
		err = failure(exchange.ErrUnreadable, int64(round), all, failed)
	}
	return round, err
}

// readPart reads the worker's part of a checkpoint.
func (w *worker) readPart(from io.Reader, load func(stage uint64, from *wordfile.Reader) error) error {
	file := wordfile.NewReader(from, math.MaxInt64, w.ctx.Err)
	if file.Word() != checkpointMagic || !slices.Equal(file.List(), w.identity) {
		return errors.Join(errors.New("it is of another search, or was written with other options"), file.Err())
	}
	if rank, size := file.Word(), file.Word(); rank != uint64(w.rank) || size != uint64(w.size) {
		return fmt.Errorf("it is that of worker %d of %d, and this is %d of %d", rank, size, w.rank, w.size)
	}
	stage := file.Word()
	w.round = int64(file.Word())
	if file.Err() != nil {
		return file.Err()
	}
	if err := load(stage, file); err != nil {
		return err
	}
	if sum := file.Sum(); file.Word() != uint64(sum) || file.Err() != nil {
		return errors.Join(wordfile.ErrDamaged, file.Err())
	}
	return nil
}
