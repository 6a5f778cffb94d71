package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// TestSweep: what was never finished, what was deleted and what is not wanted goes, once it is
// old; all else stays, and can be read.
func TestSweep(t *testing.T) {
	ctx, js := context.Background(), newJetStream(t)
	b, err := OpenBucket(ctx, js, "things", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"wanted/1", "wanted/2", "unwanted/1", "deleted/1"} {
		if _, err := b.PutBytes(ctx, name, []byte(strings.Repeat(name, 50_000))); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Delete(ctx, "deleted/1"); err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(ctx, b.pieces("half"), []byte("of a process that was killed")); err != nil {
		t.Fatal(err)
	}
	count := func() uint64 {
		info, err := b.stream.Info(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return info.State.Msgs
	}
	wanted := func(object string) bool { return strings.HasPrefix(object, "wanted/") }
	before := count()
	if err := b.Sweep(ctx, time.Now().Add(-time.Hour), wanted); err != nil || count() != before {
		t.Errorf("of %d messages, all of them new, %d remain: %v", before, count(), err)
	}
	if err := b.Sweep(ctx, time.Now().Add(time.Hour), wanted); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"wanted/1", "wanted/2"} {
		if text, err := b.GetBytes(ctx, name); err != nil || string(text) != strings.Repeat(name, 50_000) {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
		o, err := b.GetInfo(ctx, name)
		if err == nil {
			err = b.Erase(ctx, o)
		}
		if err != nil {
			t.Error(err)
		}
	}
	if n := count(); n != 0 {
		t.Errorf("%d messages remain of nothing", n)
	}
}

// TestFull: where there is no room that is the error, of objects and of parts; what was there
// stays, and when something goes there is room.
func TestFull(t *testing.T) {
	ctx, js := context.Background(), newJetStream(t)
	b, err := OpenBucket(ctx, js, "things", 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenBucket(ctx, js, "things", 500_000); err != nil { // another limit
		t.Fatal(err)
	}
	parts, name := Objects(b, "part"), Name{1, 1, 0}
	put := func(bytes int) error {
		return parts.Put(ctx, name, func(to io.Writer) error {
			_, err := to.Write(make([]byte, bytes))
			return err
		})
	}
	if err := put(200_000); err != nil {
		t.Fatal(err)
	}
	name.Rank = 1
	if err := put(400_000); !errors.Is(err, ErrFull) {
		t.Errorf("a part: %v", err)
	}
	if _, err := b.PutBytes(ctx, "object", make([]byte, 400_000)); !errors.Is(err, ErrFull) {
		t.Errorf("an object: %v", err)
	}
	if other, err := OpenBucket(ctx, js, "things", 0); err != nil { // as clients open it
		t.Error(err)
	} else if _, err := other.PutBytes(ctx, "object", make([]byte, 400_000)); !errors.Is(err, ErrFull) {
		t.Errorf("the limit is gone: %v", err)
	}
	err = parts.Get(ctx, Name{1, 1, 0}, func(from io.Reader) error {
		text, err := io.ReadAll(from)
		if !bytes.Equal(text, make([]byte, 200_000)) {
			t.Errorf("%d bytes of it are there", len(text))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if err := parts.Clear(ctx); err != nil {
		t.Error(err)
	}
	if err := put(400_000); err != nil {
		t.Errorf("there is room: %v", err)
	}
}
