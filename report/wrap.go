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
	line  []byte // not ended yet
}

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
		if text, ok := strings.CutPrefix(line, prose); ok {
			text = strings.TrimSuffix(text, "\n")
			indent := len(text) - len(strings.TrimLeft(text, " "))
			line = source.Wrap(text, p.width, indent+2) + "\n"
		}
		if _, err := io.WriteString(p.w, line); err != nil {
			return 0, err
		}
	}
}
