package partition

// pace asks a caller now and then whether to go on.
type pace struct {
	tick func() error // nil: nobody is asked
	left int          // work until it is asked again
}

// paceWork is the work between two questions, in edges: about a millisecond.
const paceWork = 1 << 14

// spend accounts for work done.
func (p *pace) spend(work int) error {
	if p.left -= work; p.left > 0 || p.tick == nil {
		return nil
	}
	p.left = paceWork
	return p.tick()
}
