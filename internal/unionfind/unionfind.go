// Package unionfind keeps sets of things that are joined one after the other.
package unionfind

// Sets are disjoint sets; what was never joined is one of its own. The zero value is ready for use. There is no
// balance: they are for the variables of formulas, not for states.
type Sets[N comparable] struct{ up map[N]N }

// Of is the member that stands for the set of a thing, until that is joined with another one.
func (s *Sets[N]) Of(n N) N {
	for {
		up, joined := s.up[n]
		if !joined {
			return n
		}
		n = up
	}
}

// Join makes one set of two, which what stands for the first one stands for then.
func (s *Sets[N]) Join(a, b N) {
	if a, b = s.Of(a), s.Of(b); a != b {
		if s.up == nil {
			s.up = map[N]N{}
		}
		s.up[b] = a
	}
}
