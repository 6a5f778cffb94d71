package product

import (
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/product/internal/silent"
	"github.com/seltl/seltl/product/internal/stubborn"
)

// POR is the use of partial-order reduction.
type POR int

const (
	// AutoPOR: where it is sound, unless a sample of states says that it leaves
	// out next to nothing.
	AutoPOR POR = iota
	// NoPOR: never.
	NoPOR
	// EagerPOR: wherever it is sound.
	EagerPOR
)

var pors = names.Of[POR]("use of partial-order reduction", "auto", "off", "on")

func (p POR) String() string                   { return pors.String(p) }
func (p POR) MarshalText() ([]byte, error)     { return pors.Marshal(p) }
func (p *POR) UnmarshalText(text []byte) error { return pors.Unmarshal(text, p) }

// Names lists the texts of all values.
func (POR) Names() []string { return pors.List() }

// reduceOrder has the search follow stubborn sets if that is sound: the formula is
// invariant under silent stuttering (package silent), every run counts, and no rule
// has priority over another. Verdicts are the same for every reading of finite
// runs. The error is the budget's.
func (s *search) reduceOrder() error {
	why, err := s.noOrderReduction()
	if err != nil {
		return err
	}
	if why == "" {
		sets := s.stubbornSets()
		worth := true
		if s.opts.POR == AutoPOR {
			if worth, err = stubborn.Worthwhile(s.on, sets, s.meter); err != nil {
				return err
			}
		}
		if worth {
			s.g.Order = sets
		} else {
			why = "it would leave out next to nothing"
		}
	}
	s.result.POR, s.result.NoPORBecause = s.g.Order != nil, why
	return nil
}

// noOrderReduction says why stubborn sets must not be used, or would cost too much, or "".
func (s *search) noOrderReduction() (why string, err error) {
	if s.opts.POR == NoPOR {
		return "it was switched off", nil
	}
	why = stubborn.TooWide(s.on)
	switch {
	case why != "":
		return why, nil
	case s.fair:
		return silent.FairnessSees, nil
	case s.on.Low() != nil:
		return "the model has priorities", nil
	}
	return silent.Invariant(s.on, s.f, true, s.meter)
}

// stubbornSets prepares the sets for the search, closed under its symmetry.
func (s *search) stubbornSets() *stubborn.Sets {
	if s.sym == nil {
		return stubborn.New(s.on, s.f, nil)
	}
	return stubborn.New(s.on, s.f, s.sym.Close)
}
