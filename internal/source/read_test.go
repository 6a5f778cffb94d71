package source

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// endless counts what is read of it.
type endless struct{ n int64 }

func (e *endless) Read(p []byte) (int, error) {
	e.n += int64(len(p))
	return len(p), nil
}

func TestRead(t *testing.T) {
	for _, size := range []int{0, 1, 3, 1 << 16, 1<<16 + 1, 300_000, 1 << 20} {
		text := strings.Repeat("x", size)
		for _, r := range []io.Reader{strings.NewReader(text), iotest.HalfReader(strings.NewReader(text)), strings.NewReader("\xef\xbb\xbf" + text)} {
			f, err := Read("m.lks", r, 1<<20+3)
			if err != nil || f.Text() != text || f.Name() != "m.lks" {
				t.Errorf("%d bytes: %v", size, err)
			}
		}
		if size == 0 {
			continue
		}
		var list List
		if _, err := Read("m.lks", strings.NewReader(text), int64(size)-1); !errors.As(err, &list) {
			t.Errorf("%d bytes, one more than the bound: %v", size, err)
		}
	}
	var e endless
	_, err := Read("/dev/zero", &e, 3<<20)
	var list List
	if !errors.As(err, &list) || e.n != 3<<20+1 {
		t.Fatalf("%d bytes were read, error %v", e.n, err)
	}
	var shown bytes.Buffer
	list.Render(&shown)
	want := "/dev/zero:1:1: error: the text has more than 3 MiB, which is the most that is read\n    help: is it the file that was meant?\n"
	if shown.String() != want {
		t.Errorf("%q, want %q", shown.String(), want)
	}
	broken := errors.New("broken")
	if _, err := Read("m.lks", io.MultiReader(strings.NewReader("x"), iotest.ErrReader(broken)), 100); err != broken {
		t.Errorf("%v, want %v", err, broken)
	}
}
