package source

import (
	"bytes"
	"io"
	"strings"
)

// Bounds of what Read reads. People write kilobytes, and a parser takes up to two hundred
// bytes for one of a text; state spaces, which programs write, are longer, and take less.
const (
	MaxText  = 16 << 20
	MaxSpace = 1 << 30
)

// Read reads a text to its end, so many bytes at most, and drops a byte order mark: what
// never ends, such as a device, is no text. name is what messages call it. The error is
// r's or, for a longer text, a List.
func Read(name string, r io.Reader, most int64) (*File, error) {
	var parts [][]byte
	total, size := int64(0), int64(1<<16)
	for {
		part := make([]byte, min(size, most+1-total))
		n, err := io.ReadFull(r, part)
		parts = append(parts, part[:n])
		switch total += int64(n); {
		case total > most:
			return nil, TooLarge(name, most)
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			var text strings.Builder
			text.Grow(int(total))
			for i, part := range parts {
				if i == 0 {
					part = bytes.TrimPrefix(part, []byte("\xef\xbb\xbf"))
				}
				text.Write(part)
			}
			return NewFile(name, text.String()), nil
		case err != nil:
			return nil, err
		}
		size = min(2*size, 1<<24)
	}
}

// TooLarge is the error of Read, for who knows before that a text is longer.
func TooLarge(name string, most int64) error {
	var errs List
	errs.Errorf(NewFile(name, "").Span(0, 0), "too-large", "the text has more than %d MiB, which is the most that is read", most>>20).
		Help = "is it the file that was meant?"
	return errs
}
