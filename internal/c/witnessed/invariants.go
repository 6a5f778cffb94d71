package witnessed

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/internal/source"
)

// Assert puts the invariants into the program as assertions, without some of them. A call of Broken is where
// one fails.
func (p *Program) Assert(without map[int]bool) ([]*source.File, error) {
	for _, f := range p.files {
		f.adds = nil
	}
	for i := range p.witness.Invariants {
		if !without[i] {
			if err := p.assert(i); err != nil {
				return nil, err
			}
		}
	}
	return p.finish(fmt.Sprintf("extern void %s(void); ", broken), ""), nil
}

// Broken is the routine that is called where an invariant does not hold.
const Broken = broken

func (p *Program) assert(i int) error {
	inv := p.witness.Invariants[i]
	f, err := p.sourceOf(inv.Location)
	if err != nil {
		return err
	}
	value, err := f.expression(inv.Value)
	if err != nil {
		return wrong(inv.Span, "the invariant is no expression that is read here: %v", err)
	}
	test := fmt.Sprintf("((%s) ? (void)0 : %s())", value, broken)
	if inv.Loop {
		s := f.at(inv.Location, cfront.LoopSite)
		if s == nil {
			return wrong(inv.Location.Span, "there is no loop here: %s", told(inv.Location.Line, inv.Location.Column))
		}
		if name := f.declares(s, value); name != "" {
			return wrong(inv.Span, "which %s is meant is not clear: the loop declares one, and another one is known before it", name)
		}
		f.adds = append(f.adds, f.condition(s, test, i))
		return nil
	}
	s := f.at(inv.Location, cfront.StatementSite)
	if s == nil {
		return wrong(inv.Location.Span, "no statement begins here: %s", told(inv.Location.Line, inv.Location.Column))
	}
	f.adds = append(f.adds, f.before(s, test, i))
	return nil
}

// declares is a name of an expression that means another thing before a loop than in its condition.
func (f *file) declares(s *cfront.Site, value string) string {
	for rest := value; rest != ""; {
		t := tokens().FindString(rest)
		if t == "" {
			t = rest[:1]
		}
		if slices.Contains(s.Names, t) {
			return t
		}
		rest = rest[len(t):]
	}
	return ""
}

func told(line, column int) string {
	if column == 0 {
		return fmt.Sprintf("line %d", line)
	}
	return fmt.Sprintf("line %d, column %d", line, column)
}

// condition has something done before a condition is evaluated.
func (f *file) condition(s *cfront.Site, what string, mark int) insertion {
	return insertion{from: s.From, to: s.To, open: what + ", (", shut: ")", mark: mark, blank: f.blank(s)}
}

// blank reports a condition that is not there.
func (f *file) blank(s *cfront.Site) bool {
	for i := s.From; i < s.To; i++ {
		if c := f.src.Text()[i]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return false
		}
	}
	return true
}

// before has something done before a statement.
func (f *file) before(s *cfront.Site, what string, mark int) insertion {
	if s.Item {
		return insertion{from: s.From, to: s.From, open: what + "; ", mark: mark}
	}
	return insertion{from: s.From, to: s.To, open: "{ " + what + "; ", shut: " }", mark: mark}
}
