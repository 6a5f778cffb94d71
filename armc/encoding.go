package armc

import (
	"slices"
	"sync"

	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/program"
)

// Encoding chooses what of several edges becomes one step of a method.
type Encoding uint8

const (
	// AutoBlocks is the encoding that a method does best with.
	AutoBlocks Encoding = iota
	// Small makes one step of each edge.
	Small
	// Spliced makes one step of each path, see program.SplicedBlocks.
	Spliced
	// Large makes one step of all paths between two locations, see program.LargeBlocks.
	Large
)

var encodings = names.Of[Encoding]("encoding", "auto", "small", "spliced", "large")

func (e Encoding) String() string                   { return encodings.String(e) }
func (e Encoding) MarshalText() ([]byte, error)     { return encodings.Marshal(e) }
func (e *Encoding) UnmarshalText(text []byte) error { return encodings.Unmarshal(text, e) }

// Names lists the texts of all values.
func (Encoding) Names() []string { return encodings.List() }

// of is the encoding of a way.
func (e Encoding) of(w way) Encoding {
	if e == AutoBlocks {
		e = w.blocks
	}
	if best := techniques[w.method].blocks; e == AutoBlocks && best != nil {
		e = best(w)
	}
	if e == AutoBlocks {
		e = Large
	}
	return e
}

// encoded are the blocks of a system, which are made once for all lanes.
type encoded struct {
	once   [Large + 1]sync.Once
	blocks [Large + 1]*program.Blocks
}

func (c *encoded) of(e Encoding, sys *program.System) *program.Blocks {
	c.once[e].Do(func() {
		switch e {
		case Small:
			c.blocks[e] = program.SmallBlocks(sys)
		case Spliced:
			c.blocks[e] = program.SplicedBlocks(sys)
		default:
			c.blocks[e] = program.LargeBlocks(sys)
		}
	})
	return c.blocks[e]
}

// branching reports whether some large block consists of many edges: questions about it may
// be harder than many about those.
func (c *encoded) branching(sys *program.System) bool {
	return slices.ContainsFunc(c.of(Large, sys).All, func(b program.Block) bool { return len(b.Edges) >= manyEdges })
}

// manyEdges are those of eight branches after one another.
const manyEdges = 16

// byCubes are the refinements that need the disjuncts of every step.
func byCubes(how predabs.Refinement) bool {
	return how == predabs.Least || how == predabs.Greatest || how == predabs.AtomsOfPre || how == predabs.UnsatCore
}
