package naive

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// SplicedBlocks joins edges as program.SplicedBlocks does, by making all blocks anew for
// every location that is removed.
func SplicedBlocks(sys *program.System) []program.Block {
	var blocks []program.Block
	for i, e := range sys.Edges {
		blocks = append(blocks, program.Block{From: e.From, To: e.To, Edges: []int{i}, Command: e.Command})
	}
	kept := map[int]bool{}
	for _, r := range slices.Concat(sys.Init, sys.Error) {
		if !r.Where.IsFalse() {
			kept[r.Location] = true
		}
	}
	for again := true; again; {
		again = false
		for l := range sys.Locations {
			if more, ok := withoutLocation(blocks, l); ok && !kept[l] {
				blocks, again = more, true
			}
		}
	}
	return blocks
}

// withoutLocation joins all blocks that enter a location with those that leave it, unless
// one of them returns or chooses inputs, or more than two blocks would be added.
func withoutLocation(blocks []program.Block, l int) ([]program.Block, bool) {
	var in, out, rest []program.Block
	for _, b := range blocks {
		if b.To == l {
			in = append(in, b)
		}
		if b.From == l {
			if b.To == l || len(b.Command.Inputs) > 0 {
				return nil, false
			}
			out = append(out, b)
		}
		if b.To != l && b.From != l {
			rest = append(rest, b)
		}
	}
	if len(in)+len(out) == 0 || len(in)*len(out) > len(in)+len(out)+2 {
		return nil, false
	}
	for _, a := range in {
		for _, b := range out {
			c := &program.Command{Inputs: a.Command.Inputs, Update: map[*logic.Term]*logic.Term{}}
			c.Guard = logic.And(a.Command.Guard, logic.Substitute(b.Command.Guard, a.Command.Update))
			maps.Copy(c.Update, a.Command.Update)
			for v, e := range b.Command.Update {
				c.Update[v] = logic.Substitute(e, a.Command.Update)
			}
			if !c.Guard.IsFalse() {
				rest = append(rest, program.Block{From: a.From, To: b.To, Edges: slices.Concat(a.Edges, b.Edges), Command: c})
			}
		}
	}
	return rest, true
}
