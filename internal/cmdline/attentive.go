package cmdline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
)

// isSteady reports whether reading a file ends, and soon: what is no regular file may wait for
// a writer, or have no end. Of what cannot be looked at, opening says why.
func isSteady(info fs.FileInfo, err error) bool {
	return err != nil || info.Mode().IsRegular() || info.IsDir()
}

// openAttentively opens a pipe or a device. Opening a pipe waits for who writes into it, which
// is said after a second. Signals end opening and reading.
func openAttentively(ctx context.Context, name string, say io.Writer) (io.ReadCloser, error) {
	type opened struct {
		r   io.ReadCloser
		err error
	}
	done := make(chan opened, 1)
	go func() {
		r, err := check.OpenFile(name)
		done <- opened{r, err}
	}()
	silence := time.NewTimer(time.Second)
	defer silence.Stop()
	for {
		select {
		case o := <-done:
			if o.err != nil {
				return nil, o.err
			}
			return attend(ctx, o.r), nil
		case <-ctx.Done():
			return nil, budget.ErrInterrupted
		case <-silence.C:
			fmt.Fprintf(say, "seltl: waiting for something to be written into the pipe %s\n", name)
		}
	}
}

// attentive reads ahead elsewhere, so that a signal ends waiting.
type attentive struct {
	ctx    context.Context
	from   io.Reader
	chunks chan chunk // nil before the first Read
	rest   []byte
	err    error // behind rest
}

type chunk struct {
	text []byte
	err  error
}

// attend makes a reader whose Read returns budget.ErrInterrupted once ctx is cancelled. Closing
// it closes from, if that can be closed.
func attend(ctx context.Context, from io.Reader) *attentive { return &attentive{ctx: ctx, from: from} }

func (a *attentive) Read(p []byte) (int, error) {
	if a.chunks == nil {
		a.chunks = make(chan chunk)
		go a.pump()
	}
	if len(a.rest) == 0 && a.err == nil {
		select {
		case c := <-a.chunks:
			a.rest, a.err = c.text, c.err
		case <-a.ctx.Done():
			a.err = budget.ErrInterrupted
		}
	}
	n := copy(p, a.rest)
	if a.rest = a.rest[n:]; n > 0 || a.err == nil {
		return n, nil
	}
	return 0, a.err
}

func (a *attentive) pump() {
	for {
		text := make([]byte, 1<<16)
		n, err := a.from.Read(text)
		select {
		case a.chunks <- chunk{text[:n], err}:
		case <-a.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

func (a *attentive) Close() error {
	if c, ok := a.from.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// StandardIn is standard input, to be read to its end. It stays open.
func (s Streams) StandardIn() io.Reader {
	if f, ok := s.In.(*os.File); s.Ctx == nil || ok && isSteady(f.Stat()) {
		return s.In
	}
	return attend(s.Ctx, s.In)
}

// openFile opens a file by its name, attentively where that may take long.
func (s Streams) openFile(name string) (io.ReadCloser, error) {
	if info, err := os.Stat(name); s.Ctx == nil || isSteady(info, err) {
		return check.OpenFile(name)
	}
	return openAttentively(s.Ctx, name, s.Err)
}

// SteadyFile refuses what cannot be read twice with the same result.
func SteadyFile(name string) error {
	if isSteady(os.Stat(name)) {
		return nil
	}
	return &check.InputError{Code: "file", File: name, Text: name + ": this is no file, but a pipe or a device; a batch reads its files more than once", Err: errors.ErrUnsupported}
}

// Open opens a file by its name, or standard input for "-".
func (s Streams) Open(name string) (io.ReadCloser, error) {
	return s.Opened.From(func(name string) (io.ReadCloser, error) {
		if name == "-" {
			return io.NopCloser(s.StandardIn()), nil
		}
		if err := s.Files.reads(name); err != nil {
			return nil, err
		}
		if s.Source != nil {
			return s.Source(name)
		}
		return s.openFile(name)
	})(name)
}

// Path is where a file is, by its name.
func (s Streams) Path(name string) string {
	if s.Folder == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.Folder, name)
}
