package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seltl/seltl/cluster/broker"
	"github.com/seltl/seltl/cluster/exchange"
)

// newJetStream starts a server.
func newJetStream(t *testing.T) jetstream.JetStream {
	t.Helper()
	s, err := broker.Start(broker.ServerOptions{Listen: "127.0.0.1:0", User: "u", Password: "p", Store: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	nc, err := broker.Connect(context.Background(), broker.Access{URL: s.URL(), User: "u", Password: "p"}, "test", time.Second, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// places are where parts can be, each with a ledger.
func places(t *testing.T) map[string]func() (Parts, Ledger) {
	js := newJetStream(t)
	ctx := context.Background()
	kv, err := js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "ledgers"})
	if err != nil {
		t.Fatal(err)
	}
	store, err := OpenBucket(ctx, js, "parts", 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	name := func() string { n++; return fmt.Sprint("job", n) }
	return map[string]func() (Parts, Ledger){
		"folder":  func() (Parts, Ledger) { return Folder(filepath.Join(t.TempDir(), "new")), BucketLedger(kv, name()) },
		"objects": func() (Parts, Ledger) { job := name(); return Objects(store, job), BucketLedger(kv, job) },
	}
}

func saveText(t *testing.T, c *Checkpoints, rank, round int, text string) {
	t.Helper()
	err := c.Save(context.Background(), rank, round, func(to io.Writer) error {
		_, err := io.WriteString(to, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func loadText(c *Checkpoints, rank, round int) (text string, err error) {
	err = c.Load(context.Background(), rank, round, func(from io.Reader) error {
		b, err := io.ReadAll(from)
		text = string(b)
		return err
	})
	return text, err
}

// What was committed is there, also for the next attempt; what an attempt that was given up
// does changes nothing.
func TestAttempts(t *testing.T) {
	ctx := context.Background()
	for name, place := range places(t) {
		parts, ledger := place()
		if round, err := Fence(ctx, ledger, 1, false); round != -1 || err != nil {
			t.Fatal(name, round, err)
		}
		first := New(parts, ledger, 1, 2)
		large := strings.Repeat("many states ", 50000)
		for round := range 3 {
			for rank := range 2 {
				saveText(t, first, rank, round, fmt.Sprint(large, round, rank))
			}
		}
		// The other worker is already saving the next round when this one is committed.
		if err := first.Commit(ctx, 1); err != nil {
			t.Fatal(name, err)
		}
		if err := first.Commit(ctx, 2); err != nil {
			t.Fatal(name, err)
		}
		if text, err := loadText(first, 1, 2); err != nil || text != fmt.Sprint(large, 2, 1) {
			t.Fatal(name, len(text), err)
		}
		there := func(n Name) bool {
			return parts.Get(ctx, n, func(io.Reader) error { return nil }) == nil
		}
		for rank := range 2 {
			if there(Name{1, 1, rank}) || !there(Name{1, 2, rank}) {
				t.Errorf("%s, worker %d: the round before is there: %v, the last one: %v", name, rank, there(Name{1, 1, rank}), there(Name{1, 2, rank}))
			}
		}
		if round, err := Fence(ctx, ledger, 2, false); round != 2 || err != nil {
			t.Fatal(name, round, err)
		}
		second := New(parts, ledger, 2, 2)
		if text, err := loadText(second, 0, 2); err != nil || text != fmt.Sprint(large, 2, 0) {
			t.Fatal(name, len(text), err)
		}
		saveText(t, second, 0, 3, "second")
		saveText(t, second, 1, 3, "second")
		// One that does not know yet that it was given up.
		saveText(t, first, 0, 3, "first")
		if err := first.Commit(ctx, 3); !errors.Is(err, exchange.ErrRestart) {
			t.Error(name, "an attempt that was given up commits:", err)
		}
		if _, err := first.Latest(ctx); !errors.Is(err, exchange.ErrRestart) {
			t.Error(name, err)
		}
		if err := second.Commit(ctx, 3); err != nil {
			t.Fatal(name, err)
		}
		if there(Name{1, 0, 0}) || there(Name{1, 2, 1}) || there(Name{1, 3, 0}) {
			t.Error(name, "parts of the attempt before are left, which nobody needs")
		}
		if err := parts.Prune(ctx, 1, 2); err != nil { // late, by the first attempt
			t.Fatal(name, err)
		}
		if text, err := loadText(second, 1, 3); err != nil || text != "second" {
			t.Error(name, text, err)
		}
		if round, err := second.Latest(ctx); round != 3 || err != nil {
			t.Error(name, round, err)
		}
		if _, err := Fence(ctx, ledger, 1, false); !errors.Is(err, exchange.ErrRestart) {
			t.Error(name, "an earlier attempt begins:", err)
		}
		if round, err := Fence(ctx, ledger, 3, true); round != -1 || err != nil {
			t.Error(name, round, err)
		}
		if err := parts.Clear(ctx); err != nil {
			t.Error(name, err)
		}
		if _, err := loadText(second, 1, 3); err == nil {
			t.Error(name, "a part is left")
		}
	}
}

// Nothing is left of a part that could not be written, and a damaged one is not read.
func TestDamage(t *testing.T) {
	ctx := context.Background()
	wrong := errors.New("disk full")
	for name, place := range places(t) {
		parts, ledger := place()
		if _, err := Fence(ctx, ledger, 1, false); err != nil {
			t.Fatal(err)
		}
		c := New(parts, ledger, 1, 2)
		err := c.Save(ctx, 0, 0, func(to io.Writer) error {
			_, _ = io.WriteString(to, "half")
			return wrong
		})
		if !errors.Is(err, wrong) || !errors.Is(err, exchange.ErrRestart) {
			t.Error(name, err)
		}
		if err := c.Commit(ctx, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := loadText(c, 0, 0); !errors.Is(err, exchange.ErrUnreadable) {
			t.Error(name, "half a part is read:", err)
		}
		f, ok := parts.(folder)
		if !ok {
			continue
		}
		saveText(t, c, 0, 0, "whole")
		file := filepath.Join(f.round(1, 0), "0")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := range text {
			for _, damaged := range [][]byte{append(append([]byte(nil), text[:i]...), append([]byte{text[i] ^ 4}, text[i+1:]...)...), text[:i]} {
				if err := os.WriteFile(file, damaged, 0o600); err != nil {
					t.Fatal(err)
				}
				if got, err := loadText(c, 0, 0); !errors.Is(err, exchange.ErrUnreadable) {
					t.Fatalf("%x is read as %q: %v", damaged, got, err)
				}
			}
		}
	}
}

// TestSlowReader reads a part for longer than the library gives a request.
func TestSlowReader(t *testing.T) {
	if testing.Short() {
		t.Skip("takes six seconds")
	}
	parts, _ := places(t)["objects"]()
	text := strings.Repeat("a part of many bytes ", 100_000)
	name := Name{1, 2, 3}
	err := parts.Put(context.Background(), name, func(to io.Writer) error {
		_, err := io.WriteString(to, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	err = parts.Get(context.Background(), name, func(from io.Reader) error {
		if _, err := io.CopyN(&got, from, 1000); err != nil {
			return err
		}
		time.Sleep(6 * time.Second)
		_, err := io.Copy(&got, from)
		return err
	})
	if err != nil || got.String() != text {
		t.Errorf("%d of %d bytes: %v", got.Len(), len(text), err)
	}
}
