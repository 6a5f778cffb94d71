package programs

import (
	"context"

	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/names"
)

// Calls is how routines that a C program calls are seen. Its values have texts, as `reach --calls` writes them:
// UnmarshalText reads one, Names lists them.
type Calls uint8

const (
	// AutoCalls: inlined, or by relations where the program is recursive, or too large.
	AutoCalls Calls = iota
	// InlineCalls: inlined.
	InlineCalls
	// RelateCalls: by relations, for what calls itself or is called in several places.
	RelateCalls
)

var seen = names.Of[Calls]("calls", "auto", "inline", "relations")

func (how *Calls) UnmarshalText(text []byte) error { return seen.Unmarshal(text, how) }

// Names lists the texts of all values.
func (Calls) Names() []string { return seen.List() }

// Encode encodes a program that begins at a routine. If not all calls are inlined the encoding has Routines, and
// ReachRoutines decides it, else ReachC. The error is that of encode.EncodeContext.
func (how Calls) Encode(ctx context.Context, p *ir.Program, entry string) (*encode.Encoding, error) {
	if how == RelateCalls {
		return encode.EncodeApart(ctx, p, entry, true)
	}
	enc, err := encode.EncodeContext(ctx, p, entry)
	if how == AutoCalls && (encode.IsRecursive(err) || encode.IsTooLarge(err)) {
		return encode.EncodeApart(ctx, p, entry, false)
	}
	return enc, err
}
