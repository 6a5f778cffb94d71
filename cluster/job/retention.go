package job

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A job that has ended is kept for a while, and then goes with its task, its result, and what
// is left of its checkpoints. Objects go first and the record last: who is interrupted can
// begin again. Now and then objects go that no record knows: of processes that were killed
// before they had written one, or while they saved a part.

// ErrNotEnded refuses to forget a job.
var ErrNotEnded = errors.New("it has not ended")

// Forget removes all that is kept of a job, which must have ended.
func (s *Store) Forget(ctx context.Context, id string) error {
	return (&eraser{Store: s}).forget(ctx, id)
}

// eraser removes what is kept of jobs. It looks through all objects once at most, and only for
// jobs of which it cannot know their names.
type eraser struct {
	*Store
	objects map[string][]*jetstream.ObjectInfo // by job; nil: not looked through
}

// forget removes all that is kept of a job, which must have ended.
func (e *eraser) forget(ctx context.Context, id string) error {
	r, err := e.Job(ctx, id)
	if err != nil {
		return err
	}
	if r.State != Done {
		return fmt.Errorf("%s: %w", id, ErrNotEnded)
	}
	if err := e.eraseObjects(ctx, r); err != nil {
		return err
	}
	if r.Options.Folder != "" {
		if err := e.parts(id, &r.Options).Clear(ctx); err != nil {
			return err
		}
	}
	if err := e.ledgers.Purge(ctx, id); err != nil {
		return err
	}
	return e.jobs.Purge(ctx, id, jetstream.LastRevision(r.revision))
}

// orderly says whether of all parts of a job's checkpoints the last ones that were committed are
// left at most: there was one attempt, and it came to its end.
func (r *Record) orderly() bool {
	return r.Options.CheckpointEvery == 0 || r.Epoch == 1 && r.Outcome.Ending == Answered
}

// clear removes the checkpoints of a job that has ended.
func (s *Store) clear(ctx context.Context, r *Record) error {
	parts := s.parts(r.ID, &r.Options)
	if r.Options.Folder != "" || !r.orderly() {
		return parts.Clear(ctx)
	}
	last, _, err := s.ledger(r.ID).Read(ctx)
	if err == nil && last.Round >= 0 {
		err = parts.Remove(ctx, last.Saved, last.Round, r.Options.Workers)
	}
	return err
}

// fewAttempts is up to how many attempts each of them is asked for its result.
const fewAttempts = 5

// eraseObjects removes a job's objects: its task, the result of some attempt, and checkpoints.
func (e *eraser) eraseObjects(ctx context.Context, r *Record) error {
	if e.objects == nil && r.orderly() && r.Epoch <= fewAttempts {
		err := e.Store.objects.EraseNamed(ctx, taskName(r.ID))
		if r.Options.CheckpointEvery > 0 && err == nil {
			err = e.clear(ctx, r)
		}
		for epoch := uint32(1); epoch <= r.Epoch && err == nil; epoch++ {
			err = e.Store.objects.EraseNamed(ctx, resultName(r.ID, epoch))
		}
		return err
	}
	if e.objects == nil {
		list, err := e.Store.objects.List(ctx, jetstream.ListObjectsShowDeleted())
		if err != nil && !errors.Is(err, jetstream.ErrNoObjectsFound) {
			return err
		}
		e.objects = map[string][]*jetstream.ObjectInfo{}
		for _, o := range list {
			e.objects[jobOf(o.Name)] = append(e.objects[jobOf(o.Name)], o)
		}
	}
	for _, o := range e.objects[r.ID] {
		if err := e.Store.objects.Erase(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// jobOf returns the job that an object belongs to.
func jobOf(object string) string {
	_, rest, _ := strings.Cut(object, "/")
	id, _, _ := strings.Cut(rest, "/")
	return id
}

// orphaned is how old something must be that no record knows, before it goes: whoever wrote it
// had this time to write the record.
const orphaned = time.Hour

// sweep removes what no record knows, and marks of what was removed.
func (s *Store) sweep(ctx context.Context, since time.Time) error {
	known := map[string]bool{}
	keys, err := s.jobs.Keys(ctx)
	if err != nil && !errors.Is(err, jetstream.ErrNoKeysFound) {
		return err
	}
	for _, id := range keys {
		known[id] = true
	}
	if err := s.objects.Sweep(ctx, since, func(object string) bool { return known[jobOf(object)] }); err != nil {
		return err
	}
	ledgers, err := s.ledgers.Keys(ctx)
	if err != nil && !errors.Is(err, jetstream.ErrNoKeysFound) {
		return err
	}
	for _, id := range ledgers {
		if known[id] {
			continue
		}
		e, err := s.ledgers.Get(ctx, id)
		if err == nil && e.Created().Before(since) {
			err = s.ledgers.Purge(ctx, id)
		}
		if err != nil && !errors.Is(err, jetstream.ErrKeyNotFound) {
			return err
		}
	}
	older := jetstream.DeleteMarkersOlderThan(time.Since(since))
	return errors.Join(s.jobs.PurgeDeletes(ctx, older), s.ledgers.PurgeDeletes(ctx, older))
}

// retain forgets jobs whose time is over, while the context lasts, and sweeps: when it begins, and
// then every hour.
func (c *Coordinator) retain(ctx context.Context) {
	every := 5 * time.Second
	if c.Keep > 0 {
		every = min(every, max(c.Keep/20, time.Second/5))
	}
	var swept time.Time
	for ctx.Err() == nil {
		if now := time.Now(); now.Sub(swept) >= orphaned {
			swept = now
			if err := c.store.sweep(ctx, now.Add(-orphaned)); err != nil && ctx.Err() == nil {
				c.Log(fmt.Sprintf("what was left behind remains for now: %v", err))
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
		}
		if err := c.forgetOld(ctx, time.Now()); err != nil && ctx.Err() == nil {
			c.Log(fmt.Sprintf("jobs that ended are kept for now: %v", err))
		}
	}
}

// forgetOld forgets jobs that had ended long enough before a time, or before too many others.
func (c *Coordinator) forgetOld(ctx context.Context, now time.Time) error {
	got := make(chan []string, 1)
	c.tell(ctx, due{now, got})
	var ids []string
	select {
	case ids = <-got:
	case <-ctx.Done():
		return ctx.Err()
	}
	e := &eraser{Store: c.store}
	for _, id := range ids {
		if err := e.forget(ctx, id); err != nil && !errors.Is(err, ErrNoJob) {
			return fmt.Errorf("job %s: %w", id, err)
		}
	}
	if n := len(ids); n > 0 {
		c.Log(fmt.Sprintf("%s that had ended, from %s to %s, and forgotten", counted(n, "job"), ids[0], ids[n-1]))
	}
	return nil
}
