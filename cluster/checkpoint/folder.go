package checkpoint

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// folder keeps parts as files DIR/EPOCH-ROUND/RANK. Behind the content of each stand its
// length and CRC-32C.
type folder struct{ dir string }

// Folder returns parts in a folder, which need not exist and is for one job alone.
func Folder(dir string) Parts { return folder{dir} }

const footerBytes = 12

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (f folder) round(epoch uint32, round int) string {
	return filepath.Join(f.dir, fmt.Sprintf("%d-%d", epoch, round))
}

// sum counts and sums up what passes.
type sum struct {
	length uint64
	crc    uint32
}

func (s *sum) Write(p []byte) (int, error) {
	s.length += uint64(len(p))
	s.crc = crc32.Update(s.crc, castagnoli, p)
	return len(p), nil
}

func (s *sum) footer() []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(nil, s.length), s.crc)
}

// Put writes a file beside its place, and moves it there when it is whole and on disk.
func (f folder) Put(_ context.Context, n Name, write func(io.Writer) error) (err error) {
	dir := f.round(n.Epoch, n.Round)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, "part-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = file.Close()
			_ = os.Remove(file.Name())
		}
	}()
	var s sum
	buffer := bufio.NewWriterSize(file, 1<<20)
	if err := write(io.MultiWriter(buffer, &s)); err != nil {
		return err
	}
	if _, err := buffer.Write(s.footer()); err != nil {
		return err
	}
	if err := buffer.Flush(); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), filepath.Join(dir, fmt.Sprint(n.Rank))); err != nil {
		return err
	}
	return syncFolder(dir)
}

// syncFolder has the names in a folder on disk.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	return errors.Join(err, d.Close())
}

// Get checks the whole file before anything of it is used.
func (f folder) Get(_ context.Context, n Name, read func(io.Reader) error) error {
	file, err := os.Open(filepath.Join(f.round(n.Epoch, n.Round), fmt.Sprint(n.Rank)))
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	content := info.Size() - footerBytes
	damaged := fmt.Errorf("%s: this part of a checkpoint is damaged", file.Name())
	if content < 0 {
		return damaged
	}
	var s sum
	if _, err := io.Copy(&s, bufio.NewReaderSize(io.NewSectionReader(file, 0, content), 1<<20)); err != nil {
		return err
	}
	footer := make([]byte, footerBytes)
	if _, err := file.ReadAt(footer, content); err != nil {
		return err
	}
	if string(footer) != string(s.footer()) {
		return damaged
	}
	return read(bufio.NewReaderSize(io.NewSectionReader(file, 0, content), 1<<20))
}

func (f folder) Prune(_ context.Context, epoch uint32, round int) error {
	return f.remove(func(n Name) bool { return n.older(epoch, round) })
}

func (f folder) Remove(_ context.Context, epoch uint32, round, _ int) error {
	return os.RemoveAll(f.round(epoch, round))
}

func (f folder) Clear(context.Context) error {
	err := f.remove(func(Name) bool { return true })
	_ = os.Remove(f.dir) // if nothing else is in it
	return err
}

func (f folder) remove(which func(n Name) bool) error {
	entries, err := os.ReadDir(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		var n Name
		if _, wrong := fmt.Sscanf(e.Name(), "%d-%d", &n.Epoch, &n.Round); wrong == nil && which(n) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(f.dir, e.Name())))
		}
	}
	return err
}
