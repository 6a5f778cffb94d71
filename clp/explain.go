package clp

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/names"
)

// Explain tells a round in lines for people.
func (r *Round) Explain() string {
	var b strings.Builder
	if r.Known != nil {
		b.WriteString("facts, found before there are predicates:\n")
		for _, k := range r.Known {
			fmt.Fprintf(&b, "  %s\n", k)
		}
		if r.Answered {
			b.WriteString("  they exclude a derivation of the query\n")
		}
		return b.String()
	}
	fmt.Fprintf(&b, "round %d: %s, ", r.Number, names.Counted(r.Predicates, "predicate"))
	if r.Explicated > 0 {
		fmt.Fprintf(&b, "%s, ", names.Counted(r.Explicated, "explicated clause"))
	}
	fmt.Fprintf(&b, "%s\n", names.Counted(r.Facts, "abstract fact"))
	switch {
	case r.Nodes == 0:
		b.WriteString("  the abstract query has no derivation\n")
	case r.Derivation:
		fmt.Fprintf(&b, "  an abstract derivation of %s, which values make one of the query\n", names.Counted(r.Nodes, "fact"))
	default:
		fmt.Fprintf(&b, "  an abstract derivation of %s, which no values make one; new predicates:\n", names.Counted(r.Nodes, "fact"))
		for _, p := range r.New {
			fmt.Fprintf(&b, "    %s\n", p)
		}
	}
	return b.String()
}
