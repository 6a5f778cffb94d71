package passes

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Pass is a way of making systems smaller; see the package comment.
type Pass uint8

const (
	Slice Pass = iota
	Constants
	Copies
	Dead
	Merge
	Remainders
	Split
)

var passNames = names.Of[Pass]("pass", "slice", "constants", "copies", "dead", "merge", "remainders", "split")

func (p Pass) String() string                   { return passNames.String(p) }
func (p Pass) MarshalText() ([]byte, error)     { return passNames.Marshal(p) }
func (p *Pass) UnmarshalText(text []byte) error { return passNames.Unmarshal(text, p) }

// Names lists the texts of all values.
func (Pass) Names() []string { return passNames.List() }

// Default are the passes that pay, in the order in which Apply does them.
func Default() []Pass { return []Pass{Slice, Constants, Copies, Dead, Merge, Remainders, Split} }

// run are the passes as functions, but for Split; nil means that there is nothing to do.
var run = map[Pass]func(subject) *image{Slice: slice, Constants: constants, Copies: copies, Dead: dead, Merge: merge, Remainders: remainders}

// subject is what a pass is done to: a system, and conditions whose truth at their locations
// must stay to be known, each by its name; where one of that name has no region at a location, it
// does not hold there. A location with regions may be left out where control only passes, if
// nothing that is watched changes on the way to it.
type subject struct {
	*program.System
	watched []program.Region
}

// Passed is a system after passes.
type Passed struct {
	Source *program.System
	System *program.System // after all passes
	Sizes  []Size          // of Source first, then after each pass that changed something

	images  []*image
	watched []program.Region // of System
	groups  bool             // see divide
}

func (p *Passed) subject() subject { return subject{p.System, p.watched} }

// take adds what a pass has made.
func (p *Passed) take(m *image, after Pass) {
	p.images, p.System, p.watched = append(p.images, m), m.to, m.watched
	p.Sizes = append(p.Sizes, sizeOf(m.to, after))
}

// Did reports whether a pass has changed something.
func (p *Passed) Did(pass Pass) bool {
	return slices.ContainsFunc(p.Sizes[1:], func(s Size) bool { return s.After == pass })
}

// Size is the size of a system.
type Size struct {
	After                       Pass // that made the system; of no meaning for the first
	Locations, Edges, Variables int  // of locations, those that edges touch
}

// maxRounds bounds how often all passes are done: each makes work for others.
const maxRounds = 8

// Apply does passes, in the order of the list, again and again until none changes anything,
// or maxRounds times; Split comes last, and tries the others on what it makes. The system must
// be valid (program.System.Validate); it stays as it is. Work is polynomial: each pass takes
// about the time of the product of edges and variables. When the context ends, so do the
// passes: what was done until then is the result.
func Apply(ctx context.Context, sys *program.System, list []Pass) *Passed {
	return apply(ctx, subject{System: sys}, false, list)
}

func apply(ctx context.Context, in subject, groups bool, list []Pass) *Passed {
	p := &Passed{Source: in.System, System: in.System, watched: in.watched, groups: groups, Sizes: []Size{sizeOf(in.System, 0)}}
	others := slices.DeleteFunc(slices.Clone(list), func(pass Pass) bool { return pass == Split })
	p.simplify(ctx, others)
	if len(others) < len(list) {
		p.divide(ctx, others)
	}
	return p
}

// simplify does passes but for Split.
func (p *Passed) simplify(ctx context.Context, list []Pass) {
	for range maxRounds {
		before := len(p.images)
		for _, pass := range list {
			if ctx.Err() != nil {
				return
			}
			if m := run[pass](p.subject()); m != nil {
				p.take(m, pass)
			}
		}
		if len(p.images) == before {
			return
		}
	}
}

func sizeOf(sys *program.System, after Pass) Size {
	touched := map[int]bool{}
	for _, e := range sys.Edges {
		touched[e.From], touched[e.To] = true, true
	}
	return Size{after, len(touched), len(sys.Edges), len(sys.Vars)}
}

// Invariant makes of an inductive invariant of System, by location, one of Source, that has
// no error states if the given one has none.
func (p *Passed) Invariant(inv []*logic.Term) []*logic.Term {
	for i := len(p.images) - 1; i >= 0; i-- {
		inv = p.images[i].invariant(inv)
	}
	return inv
}

// Trace makes of a run of System to an error one of Source, replayed there. The error says
// that there is none for it.
func (p *Passed) Trace(t *program.Trace) (*program.Trace, error) {
	for i := len(p.images) - 1; i >= 0; i-- {
		var err error
		if t, err = p.images[i].trace(t); err != nil {
			return nil, fmt.Errorf("before the passes: %w", err)
		}
	}
	if err := t.Replay(p.Source); err != nil {
		return nil, fmt.Errorf("before the passes: %w", err)
	}
	return t, nil
}
