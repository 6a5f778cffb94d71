package checkpoint

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrFull says that the message server has no room for more.
var ErrFull = errors.New("the message server's store is full")

// full wraps ErrFull where that is why JetStream did not store something.
func full(err error) error {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		switch api.ErrorCode {
		case storeFailed, noStorage, noResources, noAccountResources:
			return fmt.Errorf("%w (%s)", ErrFull, api.Description)
		}
	}
	return err
}

// Codes of JetStream's errors that say so.
const (
	storeFailed        jetstream.ErrorCode = 10077 // of a stream, at its limit or on a full disk
	noStorage          jetstream.ErrorCode = 10047
	noResources        jetstream.ErrorCode = 10023
	noAccountResources jetstream.ErrorCode = 10002
)

// Bucket is an object store whose objects can be removed without a trace. What Delete leaves
// behind stays for ever, and needs room where there may be none.
type Bucket struct {
	jetstream.ObjectStore
	name   string
	stream jetstream.Stream
}

// OpenBucket opens an object store, and makes it if it is not there. It may have so many bytes;
// 0: as many as it may have, or else no limit.
func OpenBucket(ctx context.Context, js jetstream.JetStream, name string, bytes int64) (*Bucket, error) {
	config := jetstream.ObjectStoreConfig{Bucket: name, MaxBytes: bytes}
	store, err := js.ObjectStore(ctx, name)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		store, err = js.CreateObjectStore(ctx, config)
		if errors.Is(err, jetstream.ErrBucketExists) { // by another process, meanwhile
			store, err = js.ObjectStore(ctx, name)
		}
	}
	if err != nil {
		return nil, err
	}
	b := &Bucket{ObjectStore: store, name: name}
	if b.stream, err = js.Stream(ctx, "OBJ_"+name); err != nil {
		return nil, err
	}
	if bytes > 0 && b.stream.CachedInfo().Config.MaxBytes != bytes {
		if b.ObjectStore, err = js.UpdateObjectStore(ctx, config); err != nil {
			return nil, fmt.Errorf("a limit of %d bytes: %w", bytes, err)
		}
	}
	return b, nil
}

// PutBytes stores an object.
func (b *Bucket) PutBytes(ctx context.Context, name string, data []byte) (*jetstream.ObjectInfo, error) {
	info, err := b.ObjectStore.PutBytes(ctx, name, data)
	return info, full(err)
}

// Subjects of objects are those of NATS's architecture decision 20: of the pieces, by the
// object's number, and of what describes it, by its name.
func (b *Bucket) pieces(number string) string { return "$O." + b.name + ".C." + number }

func (b *Bucket) description(object string) string {
	return "$O." + b.name + ".M." + base64.URLEncoding.EncodeToString([]byte(object))
}

// Erase removes an object. The description goes last: while it is there, this can be done again.
func (b *Bucket) Erase(ctx context.Context, o *jetstream.ObjectInfo) error {
	if err := b.stream.Purge(ctx, jetstream.WithPurgeSubject(b.pieces(o.NUID))); err != nil {
		return err
	}
	return b.stream.Purge(ctx, jetstream.WithPurgeSubject(b.description(o.Name)))
}

// EraseNamed removes the object of a name, if there is one, without a look at all others.
func (b *Bucket) EraseNamed(ctx context.Context, name string) error {
	o, err := b.GetInfo(ctx, name, jetstream.GetObjectInfoShowDeleted())
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return b.Erase(ctx, o)
}

// Sweep erases what nobody needs any more: objects that are not wanted, and pieces of objects
// that were never finished, because who wrote them was killed. What was written since a time
// is left alone.
func (b *Bucket) Sweep(ctx context.Context, since time.Time, wanted func(object string) bool) error {
	// The pieces first: of what is finished meanwhile, the description is seen then.
	info, err := b.stream.Info(ctx, jetstream.WithSubjectFilter(b.pieces(">")))
	if err != nil {
		return err
	}
	list, err := b.List(ctx, jetstream.ListObjectsShowDeleted())
	if err != nil && !errors.Is(err, jetstream.ErrNoObjectsFound) {
		return err
	}
	described := map[string]bool{}
	for _, o := range list {
		described[o.NUID] = true
		if o.ModTime.Before(since) && (o.Deleted || !wanted(o.Name)) {
			if err := b.Erase(ctx, o); err != nil {
				return err
			}
		}
	}
	for subject := range info.State.Subjects {
		if described[strings.TrimPrefix(subject, b.pieces(""))] {
			continue
		}
		last, err := b.stream.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if last.Time.Before(since) {
			if err := b.stream.Purge(ctx, jetstream.WithPurgeSubject(subject)); err != nil {
				return err
			}
		}
	}
	return nil
}
