package program

// JoiningWork returns what SplicedBlocks touches: locations, blocks and parts of commands.
func JoiningWork(sys *System) int {
	j := newJoiner(sys)
	j.enlarge()
	j.blocks()
	return j.work
}

// LargeBlocksOf is LargeBlocks with another bound on branches.
func LargeBlocksOf(sys *System, branches int) *Blocks { return largeBlocks(sys, branches) }

// Kept says which locations are cut points, or not come to.
func (b *Blocks) Kept() []bool {
	kept := make([]bool, len(b.inner.kept))
	for l := range kept {
		kept[l] = true
	}
	for _, l := range b.inner.removed {
		kept[l] = false
	}
	return kept
}

// Removed are the locations inside blocks.
func (b *Blocks) Removed() []int { return b.inner.removed }
