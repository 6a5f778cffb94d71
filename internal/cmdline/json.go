package cmdline

import (
	"io"
	"strconv"
	"strings"
)

// With --json there is one object on standard output. A command that comes to its end writes it;
// for all others the program makes it, out of the error they end with.

// Noticed passes on what is written, and knows whether anything was.
type Noticed struct {
	To   io.Writer
	Used bool
}

func (n *Noticed) Write(p []byte) (int, error) {
	n.Used = true
	return n.To.Write(p)
}

// WantsJSON looks for --json by itself: a command line, of which the first word is the program,
// may be too wrong to be read.
func WantsJSON(args []string) bool {
	for _, word := range args[min(1, len(args)):] {
		name, value, hasValue := strings.Cut(strings.TrimLeft(word, "-"), "=")
		switch {
		case word == "--":
			return false
		case name != "json" || !strings.HasPrefix(word, "-"):
		case hasValue:
			off, err := strconv.ParseBool(value)
			return err != nil || off
		default:
			return true
		}
	}
	return false
}
