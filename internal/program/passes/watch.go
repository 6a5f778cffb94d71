package passes

import (
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// watch knows what is watched, by name and location.
type watch struct {
	names []string
	at    map[string][]*logic.Term
}

func watching(in subject) *watch {
	w := &watch{at: map[string][]*logic.Term{}}
	for _, r := range in.watched {
		if w.at[r.Name] == nil {
			w.names = append(w.names, r.Name)
			w.at[r.Name] = make([]*logic.Term, len(in.Locations))
		}
		w.at[r.Name][r.Location] = r.Where
	}
	return w
}

// where is where something that is watched holds at a location.
func (w *watch) where(name string, l int) *logic.Term {
	if f := w.at[name][l]; f != nil {
		return f
	}
	return logic.False()
}

// change reports whether something that is watched may be true before an edge and not behind it,
// or the other way round.
func (w *watch) change(e *program.Edge) bool {
	var learned map[*logic.Term]*logic.Term
	for _, name := range w.names {
		before, after := w.where(name, e.From), e.Command.After(w.where(name, e.To))
		if before == after {
			continue
		}
		if learned == nil {
			learned = bindings(e.Command.Guard)
		}
		if logic.Substitute(before, learned) != logic.Substitute(after, learned) {
			return true
		}
	}
	return false
}
