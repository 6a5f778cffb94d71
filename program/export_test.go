package program

// JoiningWork returns what SplicedBlocks touches: locations, blocks and parts of commands.
func JoiningWork(sys *System) int {
	j := newJoiner(sys)
	j.enlarge()
	j.blocks()
	return j.work
}
