package ir

import (
	"slices"
	"strconv"
	"strings"
)

// Output is such an argument.
type Output struct {
	Arg   int
	Count int64 // how many elements there are, from that one on
	Room  int   // the argument that points to how long the object is, or -1
}

// outputsOf reads them: fills=1,2:2 are one object behind argument 1, and two behind argument 2; with room=1:2 the
// length of the first one is what argument 2 points to.
func outputsOf(fills, room string) (all []Output) {
	for text := range strings.SplitSeq(fills, ",") {
		at, count, several := strings.Cut(text, ":")
		out := Output{Count: 1, Room: -1}
		out.Arg, _ = strconv.Atoi(at)
		if several {
			out.Count, _ = strconv.ParseInt(count, 10, 64)
		}
		if of, by, _ := strings.Cut(room, ":"); of == at {
			out.Room, _ = strconv.Atoi(by)
		}
		all = append(all, out)
	}
	return all
}

// UnknownObject says why an argument that is written to is not followed: what it points to is no whole object.
func (k *Known) UnknownObject(c *Call) bool {
	return slices.ContainsFunc(k.Outputs, func(out Output) bool {
		if out.Arg >= len(c.Args) || IsNull(c.Args[out.Arg]) {
			return false
		}
		t := ElementOf(c.Args[out.Arg])
		return t == nil || out.Room >= 0 && t.Kind == Integer // as a buffer of bytes, whose size is not told
	})
}
