package local

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/cluster/exchange"
)

// TestOnce: every payload is taken once, in its phase, whatever the order; tallies are the
// same for all.
func TestOnce(t *testing.T) {
	const phases = 20
	for seed := range uint64(30) {
		size := 1 + int(seed%5)
		opts := Options{Credit: 1 + int(seed%3), Disorder: seed%2 == 0, Seed: seed}
		errs := Run(context.Background(), size, opts, func(ctx context.Context, ex exchange.Exchange) error {
			random := rand.New(rand.NewPCG(seed, uint64(ex.Rank())))
			for phase := range phases {
				seen := map[[2]uint32]bool{}
				ex.Begin(func(from int, payload []byte) error {
					p, n := binary.LittleEndian.Uint32(payload), binary.LittleEndian.Uint32(payload[4:])
					key := [2]uint32{uint32(from), n}
					if p != uint32(phase) || seen[key] {
						return fmt.Errorf("payload %d of phase %d in phase %d, seen %v", n, p, phase, seen[key])
					}
					seen[key] = true
					return nil
				})
				sent := make([]byte, size)
				for n := range random.IntN(20) {
					to := random.IntN(size)
					if to == ex.Rank() {
						continue
					}
					b := binary.LittleEndian.AppendUint32(ex.Buffer(), uint32(phase))
					if err := ex.Send(ctx, to, binary.LittleEndian.AppendUint32(b, uint32(n))); err != nil {
						return err
					}
					sent[to]++
					if err := ex.Poll(ctx); err != nil {
						return err
					}
				}
				tallies, err := ex.Finish(ctx, sent)
				if err != nil {
					return err
				}
				want := 0
				for _, sent := range tallies {
					want += int(sent[ex.Rank()])
				}
				if len(seen) != want {
					return fmt.Errorf("phase %d: %d payloads, want %d", phase, len(seen), want)
				}
			}
			return nil
		})
		for rank, err := range errs {
			if err != nil {
				t.Errorf("seed %d, worker %d: %v", seed, rank, err)
			}
		}
	}
}

// TestEnd: what ends one worker's part ends the attempt for the others.
func TestEnd(t *testing.T) {
	wrong := errors.New("wrong")
	ctx, cancel := context.WithCancel(context.Background())
	for name, first := range map[string]func(ex exchange.Exchange) error{
		"leaves": func(exchange.Exchange) error { return wrong },
		"cancelled": func(ex exchange.Exchange) error {
			cancel()
			_, err := ex.Finish(ctx, nil)
			return err
		},
		"refuses": func(ex exchange.Exchange) error {
			_, err := ex.Finish(context.Background(), nil)
			return err
		},
	} {
		errs := Run(context.Background(), 3, Options{}, func(c context.Context, ex exchange.Exchange) error {
			ex.Begin(func(int, []byte) error { return wrong })
			if ex.Rank() == 0 {
				return first(ex)
			}
			if name == "refuses" {
				if err := ex.Send(c, 0, []byte{1}); err != nil {
					return err
				}
			}
			_, err := ex.Finish(c, nil)
			return err
		})
		if !errors.Is(errs[0], wrong) && !errors.Is(errs[0], context.Canceled) || !errors.Is(errs[1], exchange.ErrRestart) || !errors.Is(errs[2], exchange.ErrRestart) {
			t.Errorf("%s: %v", name, errs)
		}
	}
}

func TestCheckpoints(t *testing.T) {
	ctx, c := context.Background(), &Checkpoints{}
	write := func(text string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	}
	read := func(rank, round int) string {
		var text []byte
		err := c.Load(ctx, rank, round, func(r io.Reader) (err error) { text, err = io.ReadAll(r); return err })
		if err != nil {
			return err.Error()
		}
		return string(text)
	}
	if round, err := c.Latest(ctx); round != -1 || err != nil {
		t.Error(round, err)
	}
	for round, text := range []string{"a", "b"} {
		if err := c.Save(ctx, 1, round, write(text)); err != nil {
			t.Error(err)
		}
	}
	if err := c.Save(ctx, 1, 2, func(io.Writer) error { return io.ErrShortWrite }); err != io.ErrShortWrite {
		t.Error(err)
	}
	if err := c.Commit(ctx, 1); err != nil {
		t.Error(err)
	}
	if round, _ := c.Latest(ctx); round != 1 || read(1, 1) != "b" || read(1, 0) == "a" || read(1, 2) == "" {
		t.Errorf("round %d: %s, %s", round, read(1, 1), read(1, 0))
	}
}
