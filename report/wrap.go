package report

import (
	"bytes"
	"io"
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// prose at the start of a line says that the line may be broken between its words;
// without it a line is part of a table or of code. No name has this character.
const prose = "\x00"

// proseWriter breaks lines of prose at a width, 0 for not at all.
type proseWriter struct {
	w     io.Writer
	width int
	all   bool   // all lines are prose
	line  []byte // not ended yet
}

// Wrapped breaks all lines that are written to it at a width, 0 for not at all.
func Wrapped(w io.Writer, width int) io.Writer { return &proseWriter{w: w, width: width, all: true} }

func (p *proseWriter) Write(data []byte) (int, error) {
	written := len(data)
	for {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			p.line = append(p.line, data...)
			return written, nil
		}
		p.line = append(p.line, data[:i+1]...)
		data = data[i+1:]
		line := string(p.line)
		p.line = p.line[:0]
		if text, ok := strings.CutPrefix(line, prose); ok || p.all {
			text = strings.TrimSuffix(text, "\n")
			indent := len(text) - len(strings.TrimLeft(text, " "))
			line = source.Wrap(text, p.width, indent+2) + "\n"
		}
		if _, err := io.WriteString(p.w, line); err != nil {
			return 0, err
		}
	}
}
