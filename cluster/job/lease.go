package job

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const leaseKey = "coordinator"

// lease is the right to coordinate: a key of JetStream that its holder renews and that is
// gone some time after it does not. The revision of the key when it was taken is the term:
// later holders have larger ones.
type lease struct {
	store    *Store
	holder   string
	term     uint64
	revision uint64
	renewed  time.Time // when the last renewal that succeeded was begun
}

// acquire waits until nobody holds the lease, and takes it.
func (s *Store) acquire(ctx context.Context, holder string) (*lease, error) {
	for {
		asked := time.Now()
		within, cancel := context.WithTimeout(ctx, LeaseTime)
		revision, err := s.lease.Create(within, leaseKey, []byte(holder))
		cancel()
		if err == nil {
			return &lease{s, holder, revision, revision, asked}, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(LeaseTime / 10):
		}
	}
}

// hold renews the lease until the context ends or it is lost: to another holder, or because
// the server did not answer in time. It gives up somewhat earlier than the server does.
func (l *lease) hold(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(LeaseTime / 5):
		}
		left := time.Until(l.renewed.Add(LeaseTime * 4 / 5))
		if left <= 0 {
			return
		}
		asked := time.Now()
		within, cancel := context.WithTimeout(ctx, min(left, LeaseTime/4))
		revision, err := l.store.lease.Update(within, leaseKey, []byte(l.holder), l.revision)
		cancel()
		switch {
		case err == nil:
			l.revision, l.renewed = revision, asked
		case errors.Is(err, jetstream.ErrKeyRevisionMismatch), errors.Is(err, jetstream.ErrKeyExists):
			if !l.reread(ctx) {
				return
			}
		}
	}
}

// reread reads the revision of the lease, and reports whether it is still ours: it was changed by
// a renewal whose answer was lost.
func (l *lease) reread(ctx context.Context) bool {
	e, err := l.store.lease.Get(ctx, leaseKey)
	if err != nil || string(e.Value()) != l.holder {
		return false
	}
	l.revision = e.Revision()
	return true
}

// release gives the lease back, so that another need not wait for its end. It must not be held
// any more: who ends in the middle of a renewal does not know its revision.
func (l *lease) release(ctx context.Context) error {
	err := l.store.lease.Delete(ctx, leaseKey, jetstream.LastRevision(l.revision))
	if err != nil && l.reread(ctx) {
		err = l.store.lease.Delete(ctx, leaseKey, jetstream.LastRevision(l.revision))
	}
	return err
}
