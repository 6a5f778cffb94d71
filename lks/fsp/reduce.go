package fsp

import "github.com/seltl/seltl/lks"

// reduce applies the marks minimal and deterministic to a primitive process, in
// this order.
func (c *compiler) reduce(m *lks.LKS, marks marks, at pos) *lks.LKS {
	if marks.minimal || marks.deterministic {
		c.fail(at, "unsupported", "", "minimal and deterministic are not supported yet")
	}
	return m
}

// reduceComposite applies the marks of a composite: LTSA determinises (a
// property always) or else minimises.
func (c *compiler) reduceComposite(m *lks.LKS, marks marks, at pos) *lks.LKS {
	c.fail(at, "unsupported", "", "minimal and deterministic are not supported yet")
	return m
}
