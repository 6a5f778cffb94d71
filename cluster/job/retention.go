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
	r, err := s.Job(ctx, id)
	if err != nil {
		return err
	}
	if r.State != Done {
		return fmt.Errorf("%s: %w", id, ErrNotEnded)
	}
	list, err := s.objects.List(ctx, jetstream.ListObjectsShowDeleted())
	if err != nil && !errors.Is(err, jetstream.ErrNoObjectsFound) {
		return err
	}
	for _, o := range list {
		if jobOf(o.Name) == id {
			if err := s.objects.Erase(ctx, o); err != nil {
				return err
			}
		}
	}
	if r.Options.Folder != "" {
		if err := s.parts(id, &r.Options).Clear(ctx); err != nil {
			return err
		}
	}
	if err := s.ledgers.Purge(ctx, id); err != nil {
		return err
	}
	return s.jobs.Purge(ctx, id, jetstream.LastRevision(r.revision))
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
		e, err := s.ledgers.Get(ctx, id)
		if err == nil && !known[id] && e.Created().Before(since) {
			err = s.ledgers.Purge(ctx, id)
		}
		if err != nil && !errors.Is(err, jetstream.ErrKeyNotFound) {
			return err
		}
	}
	older := jetstream.DeleteMarkersOlderThan(time.Since(since))
	return errors.Join(s.jobs.PurgeDeletes(ctx, older), s.ledgers.PurgeDeletes(ctx, older))
}

// retain forgets jobs whose time is over, while the context lasts.
func (c *Coordinator) retain(ctx context.Context) {
	every := min(max(c.Keep/20, time.Second/5), 10*time.Minute)
	var swept time.Time
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
		}
		if err := c.forgetOld(ctx, time.Now()); err != nil && ctx.Err() == nil {
			c.Log(fmt.Sprintf("jobs that ended are kept for now: %v", err))
		}
		if time.Since(swept) < orphaned {
			continue
		}
		swept = time.Now()
		if err := c.store.sweep(ctx, swept.Add(-orphaned)); err != nil && ctx.Err() == nil {
			c.Log(fmt.Sprintf("what was left behind remains for now: %v", err))
		}
	}
}

// forgetOld forgets jobs that had ended long enough before a time.
func (c *Coordinator) forgetOld(ctx context.Context, now time.Time) error {
	all, err := c.store.Jobs(ctx)
	if err != nil {
		return err
	}
	for _, r := range all {
		if r.State != Done || now.Sub(r.Ended) < c.Keep {
			continue
		}
		if err := c.store.Forget(ctx, r.ID); err != nil && !errors.Is(err, ErrNoJob) {
			return fmt.Errorf("job %s: %w", r.ID, err)
		}
		c.Log(fmt.Sprintf("job %s is forgotten: it ended %s ago", r.ID, now.Sub(r.Ended).Round(time.Second)))
	}
	return nil
}
