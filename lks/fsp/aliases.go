package fsp

// Local processes that are only another name: in A = B, B = (x -> A) there is one state.

// resolveTargets follows definitions like P = Q to states of their own.
func (pc *processCompiler) resolveTargets() {
	const busy = -100
	for k := range pc.target {
		var chain []int32
		at := int32(k)
		for at >= 0 && int(at) < len(pc.target) && pc.target[at] != at && pc.target[at] != busy {
			chain = append(chain, at)
			next := pc.target[at]
			pc.target[at] = busy
			at = next
		}
		if at >= 0 && int(at) < len(pc.target) && pc.target[at] == busy {
			pc.unguarded(at)
		}
		for _, c := range chain {
			pc.target[c] = at
		}
	}
}

// resolve returns the state that a node stands for.
func (pc *processCompiler) resolve(node int32) int32 {
	if node >= 0 && int(node) < len(pc.target) {
		return pc.target[node]
	}
	return node
}
