package wordfile

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

func TestRoundTrip(t *testing.T) {
	long := make([]uint64, 40_000)
	for i := range long {
		long[i] = uint64(i) * 0x9e3779b97f4a7c15
	}
	var file bytes.Buffer
	w := NewWriter(&file)
	w.Words(1, 2)
	w.List(long)
	w.List(nil)
	w.Words(uint64(w.Sum()))
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	words := int64(file.Len() / 8)
	read := func(text []byte, words int64, tick func() error) (*Reader, bool) {
		r := NewReader(bytes.NewReader(text), words, tick)
		same := slices.Equal(r.Words(2), []uint64{1, 2}) && slices.Equal(r.List(), long) && len(r.List()) == 0
		sum := r.Sum()
		return r, same && r.Word() == uint64(sum)
	}
	if r, ok := read(file.Bytes(), words, nil); !ok || r.Err() != nil || r.Left() != 0 {
		t.Error(ok, r.Err(), r.Left())
	}
	changed := slices.Clone(file.Bytes())
	changed[1000]++
	if _, ok := read(changed, words, nil); ok {
		t.Error("a changed file is as it was")
	}
	if r, ok := read(file.Bytes()[:file.Len()-8], words, nil); ok || r.Err() == nil {
		t.Error("the end is not missed")
	}
	if r, ok := read(file.Bytes(), 100, nil); ok || !errors.Is(r.Err(), ErrDamaged) {
		t.Error("more is read than there can be")
	}
	stop := errors.New("stop")
	var stopped *Stopped
	if r, ok := read(file.Bytes(), words, func() error { return stop }); ok || !errors.As(r.Err(), &stopped) || !errors.Is(r.Err(), stop) {
		t.Error("it does not stop")
	}
}

// A length that is nonsense costs no memory.
func TestLength(t *testing.T) {
	for _, n := range []uint64{1 << 20, 1 << 31, 1 << 63} {
		var file bytes.Buffer
		w := NewWriter(&file)
		w.Words(n, 1)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if r := NewReader(&file, 1<<40, nil); r.List() != nil || r.Err() == nil {
			t.Errorf("%d: no error", n)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestWriteError(t *testing.T) {
	w := NewWriter(full{})
	w.List(make([]uint64, 1<<18))
	w.Words(1)
	if err := w.Flush(); err == nil || err.Error() != "full" {
		t.Error(err)
	}
}
