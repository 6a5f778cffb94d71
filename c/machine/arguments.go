package machine

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// misused takes down that a routine of the library is given what it is not for: a character that is none, or null as a
// stream or a text to be written. C does not say what it does then.
func (m *Machine) misused(f *ir.Func, args []uint64, of []label, span ir.Span) {
	if m.guess != "" || !f.Library && !f.Extern() {
		return
	}
	name := ir.PlainName(f.Name)
	if m.usesClosed(f, args) {
		m.decided(m.guesses.label(guess{why: "what " + name + "() does with a stream that is closed" + placeIn(span)}))
	}
	if f.Known == nil || len(args) == 0 {
		return
	}
	stream, is := ir.StreamArguments[strings.TrimSuffix(name, "_unlocked")]
	null := func(n int) bool { return n < len(args) && args[n] == 0 && of[n] == 0 }
	bad := slices.Contains(ir.OfCharacters, name) && of[0] == 0 && (int32(args[0]) < -1 || int32(args[0]) > 255)
	bad = bad || is && null(stream) && !strings.HasPrefix(name, "fflush")
	bad = bad || (name == "fclose" || name == "puts" || strings.HasPrefix(name, "fputs")) && null(0)
	if bad {
		m.decided(m.guesses.label(guess{why: "what " + name + "() does with what it is given" + placeIn(span)}))
	}
}
