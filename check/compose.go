package check

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/aut"
	"github.com/seltl/seltl/lks/fsp"
)

// Minimisation is what Compose reduces by: an equivalence, or traces. The zero value
// leaves the composition as it is.
type Minimisation uint8

const (
	Unminimised Minimisation = iota
	ByStrong
	ByWeak
	ByBranching
	ByDivergence
	ByTraces
)

var minimisations = names.Of[Minimisation]("minimisation", "none", "strong", "weak", "branching", "divergence", "trace")

func (m Minimisation) String() string                   { return minimisations.String(m) }
func (m Minimisation) MarshalText() ([]byte, error)     { return minimisations.Marshal(m) }
func (m *Minimisation) UnmarshalText(text []byte) error { return minimisations.Unmarshal(text, m) }

// Names lists the texts of all values.
func (Minimisation) Names() []string { return minimisations.List() }

// Compose builds the reachable composition of a model, and reduces it: both are the same
// without a minimisation.
func Compose(ctx context.Context, m *Model, by Minimisation, opts Options) (built, reduced *lks.LKS, err error) {
	meter := budget.New(ctx, opts.Limits, opts.Progress)
	if built, err = m.Net.Build(meter); err != nil {
		return nil, nil, err
	}
	switch by {
	case Unminimised:
		reduced = built
	case ByTraces:
		reduced, err = lks.Determinise(built, lks.AllTraces, meter)
	default:
		equivalence := map[Minimisation]lks.Equivalence{ByStrong: lks.Strong, ByWeak: lks.Weak, ByBranching: lks.Branching, ByDivergence: lks.DivergenceBranching}[by]
		reduced, err = lks.Minimise(built, equivalence, meter)
	}
	return built, reduced, err
}

// writers write structures, by the names of formats: the modelling language, Aldebaran,
// Graphviz, JSON.
var writers = map[string]func(io.Writer, *lks.LKS) error{
	"lks": fsp.Write, "aut": aut.Write, "dot": lks.WriteDOT, "svg": lks.WriteSVG, "json": lks.WriteJSON,
}

// Formats lists the formats of Write, sorted.
func Formats() []string { return slices.Sorted(maps.Keys(writers)) }

// Write writes a structure in one of Formats.
func Write(w io.Writer, format string, m *lks.LKS) error {
	write, ok := writers[format]
	if !ok {
		return fmt.Errorf("unknown format %q: want one of %s", format, strings.Join(Formats(), ", "))
	}
	return write(w, m)
}
