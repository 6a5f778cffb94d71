package checkpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// objects keeps parts in an object store, under a prefix. The store's own digest says what
// was damaged.
type objects struct {
	store  *Bucket
	prefix string
}

// Objects returns parts in an object store of JetStream; prefix is the job's.
func Objects(store *Bucket, prefix string) Parts { return objects{store, prefix} }

func (o objects) name(n Name) string {
	return fmt.Sprintf("%s/%d-%d/%d", o.prefix, n.Epoch, n.Round, n.Rank)
}

func (o objects) Put(ctx context.Context, n Name, write func(io.Writer) error) error {
	reader, writer := io.Pipe()
	written := make(chan struct{})
	go func() {
		defer close(written)
		writer.CloseWithError(write(writer))
	}()
	_, err := o.store.Put(ctx, jetstream.ObjectMeta{Name: o.name(n)}, reader)
	// Whatever ended the transfer ends write, too, which reads what the search goes on with.
	reader.CloseWithError(errors.Join(err, io.ErrClosedPipe))
	<-written
	return full(err)
}

// transferTime is how long a part of so many bytes may take to be read. Without a deadline
// the library sets one of five seconds, however large the part is.
func transferTime(bytes uint64) time.Duration {
	const slowest = 1 << 20 // bytes in a second
	return time.Minute + time.Duration(bytes/slowest)*time.Second
}

func (o objects) Get(ctx context.Context, n Name, read func(io.Reader) error) error {
	info, err := o.store.GetInfo(ctx, o.name(n))
	if err != nil {
		return err
	}
	within, cancel := context.WithTimeout(ctx, transferTime(info.Size))
	defer cancel()
	r, err := o.store.Get(within, o.name(n))
	if err != nil {
		return err
	}
	defer r.Close()
	if err := read(r); err != nil {
		return err
	}
	// The digest is compared at the end.
	if _, err := io.Copy(io.Discard, r); err != nil {
		return err
	}
	return r.Error()
}

func (o objects) Prune(ctx context.Context, epoch uint32, round int) error {
	return o.remove(ctx, func(n Name) bool { return n.older(epoch, round) })
}

func (o objects) Remove(ctx context.Context, epoch uint32, round, size int) (err error) {
	for rank := range size {
		err = errors.Join(err, o.store.EraseNamed(ctx, o.name(Name{epoch, round, rank})))
	}
	return err
}

func (o objects) Clear(ctx context.Context) error {
	return o.remove(ctx, func(Name) bool { return true })
}

func (o objects) remove(ctx context.Context, which func(n Name) bool) error {
	list, err := o.store.List(ctx)
	if errors.Is(err, jetstream.ErrNoObjectsFound) {
		return nil
	}
	for _, info := range list {
		var n Name
		rest, ours := strings.CutPrefix(info.Name, o.prefix+"/")
		if !ours {
			continue
		}
		if _, wrong := fmt.Sscanf(rest, "%d-%d/%d", &n.Epoch, &n.Round, &n.Rank); wrong == nil && which(n) {
			err = errors.Join(err, o.store.Erase(ctx, info))
		}
	}
	return err
}

// bucketLedger keeps an entry under a key of a bucket.
type bucketLedger struct {
	bucket jetstream.KeyValue
	key    string
}

// BucketLedger returns the ledger of a job.
func BucketLedger(bucket jetstream.KeyValue, job string) Ledger { return bucketLedger{bucket, job} }

func (l bucketLedger) Read(ctx context.Context) (Entry, uint64, error) {
	none := Entry{Round: -1}
	kv, err := l.bucket.Get(ctx, l.key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return none, 0, nil
	}
	if err != nil {
		return none, 0, err
	}
	var e Entry
	if err := json.Unmarshal(kv.Value(), &e); err != nil {
		return none, 0, fmt.Errorf("the ledger of job %s: %w", l.key, err)
	}
	return e, kv.Revision(), nil
}

func (l bucketLedger) Write(ctx context.Context, e Entry, revision uint64) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if revision == 0 {
		_, err = l.bucket.Create(ctx, l.key, text)
	} else {
		_, err = l.bucket.Update(ctx, l.key, text, revision)
	}
	if errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		return ErrStale
	}
	return err
}
