package conform

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/lks"
)

// Preorder is a notion of conformance, see the package comment.
type Preorder int

const (
	Simulation Preorder = iota
	Weak
	Trace
	Failures
)

var preorders = names.Of[Preorder]("preorder", "simulation", "weak", "trace", "failures")

func (p Preorder) String() string                   { return preorders.String(p) }
func (p Preorder) MarshalText() ([]byte, error)     { return preorders.Marshal(p) }
func (p *Preorder) UnmarshalText(text []byte) error { return preorders.Unmarshal(text, p) }

// Names lists the texts of all values.
func (Preorder) Names() []string { return preorders.List() }

// Method is how conformance is decided.
type Method int

const (
	// Auto tries Plain on a small budget, then TwoLevel where it applies.
	Auto Method = iota
	// Plain explores implementation and specification together.
	Plain
	// TwoLevel explores quotients of the implementation's components instead and
	// refines them ([Chaki05], ch. 9). For Simulation, Weak and Trace, and for
	// networks without priorities.
	TwoLevel
)

var methods = names.Of[Method]("method", "auto", "plain", "two-level")

func (m Method) String() string                   { return methods.String(m) }
func (m Method) MarshalText() ([]byte, error)     { return methods.Marshal(m) }
func (m *Method) UnmarshalText(text []byte) error { return methods.Unmarshal(text, m) }

// Names lists the texts of all values.
func (Method) Names() []string { return methods.List() }

// Silent says what Simulation and Weak make of silent steps of the specification.
// Trace and Failures have a meaning for them and need no choice.
type Silent int

const (
	// Refuse makes them an error (*SilentSpec): the thesis's specifications have
	// none, and their meaning depends on the choice between the other two.
	Refuse Silent = iota
	// Letter takes Def. 3 and 4 to the letter: for Simulation tau is an action as
	// any other; in Weak a silent step may be answered by one silent step, a
	// visible one may not.
	Letter
	// Saturate lets the specification take any number of silent steps before and
	// after a visible one, and in answer to a silent one (Milner's weak
	// transitions). Propositions are compared where it comes to rest.
	Saturate
)

var silents = names.Of[Silent]("reading of silent steps", "refuse", "letter", "saturate")

func (s Silent) String() string                   { return silents.String(s) }
func (s Silent) MarshalText() ([]byte, error)     { return silents.Marshal(s) }
func (s *Silent) UnmarshalText(text []byte) error { return silents.Unmarshal(text, s) }

// Names lists the texts of all values.
func (Silent) Names() []string { return silents.List() }

// Options of Check. The zero value decides simulation by the Auto method.
type Options struct {
	Preorder Preorder
	Method   Method
	// Restrict projects the implementation on the alphabet and propositions of
	// the specification ([Chaki05], Def. 19): other actions become silent, other
	// propositions are ignored.
	Restrict bool
	// SilentSpec is for Simulation and Weak.
	SilentSpec Silent
	// Trees is how many different counterexample trees are wanted; 0 means 1.
	// Fewer are returned if there are fewer.
	Trees int
	// TreeEffort bounds the search for smaller trees once one is known: the game
	// positions looked at beyond those that the verdict needed. 0 means 50,000,
	// negative none.
	TreeEffort int

	Limits   budget.Limits
	Progress func(budget.Progress) // may be nil
}

// Mismatch is the error of a comparison of processes with different alphabets or
// propositions. Each list is sorted; not all are empty.
type Mismatch struct {
	Impl, Spec               string // names
	ActionsImpl, ActionsSpec []string
	PropsImpl, PropsSpec     []string
	Restricted               bool // the implementation was projected
}

func (e *Mismatch) Error() string {
	var differences []string
	say := func(what string, names []string, in, notIn string) {
		if len(names) > 0 {
			differences = append(differences, fmt.Sprintf("%s has the %s %s, %s has not", in, what+plural(names), enumerate(names), notIn))
		}
	}
	say("action", e.ActionsImpl, e.Impl, e.Spec)
	say("action", e.ActionsSpec, e.Spec, e.Impl)
	say("proposition", e.PropsImpl, e.Impl, e.Spec)
	say("proposition", e.PropsSpec, e.Spec, e.Impl)
	return fmt.Sprintf("%s and %s cannot be compared, because they are about different things: %s", e.Impl, e.Spec, strings.Join(differences, "; "))
}

func plural(names []string) string {
	if len(names) > 1 {
		return "s"
	}
	return ""
}

// enumerate lists at most a dozen names.
func enumerate(names []string) string {
	const most = 12
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// SilentSpec is the error of a specification that can move silently.
type SilentSpec struct {
	Spec  string
	State string
}

func (e *SilentSpec) Error() string {
	return fmt.Sprintf("the specification %s has silent steps (tau), the first in state %s: simulation needs a specification without them. Minimise it, show the actions that it hides, choose the preorder trace or failures, or say how silent steps are to be read", e.Spec, e.State)
}

// difference returns the names of a that b lacks; both are sorted.
func difference(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(name string) bool {
		_, both := slices.BinarySearch(b, name)
		return both
	})
}

// Comparable says why two processes cannot be compared, a *Mismatch, or returns nil:
// their alphabets and propositions must be the same.
func Comparable(a, b *lks.Network) error {
	_, err := projected(a, b, false)
	return err
}

// projected projects impl if asked to and checks that it is about the same actions
// and propositions as spec.
func projected(impl, spec *lks.Network, restrict bool) (*lks.Network, error) {
	if restrict {
		impl = impl.Hide(func(action string) bool { return spec.Action(action) < 0 })
	}
	e := &Mismatch{
		Impl: impl.Name(), Spec: spec.Name(), Restricted: restrict,
		ActionsImpl: difference(impl.Alphabet()[1:], spec.Alphabet()[1:]),
		ActionsSpec: difference(spec.Alphabet()[1:], impl.Alphabet()[1:]),
		PropsSpec:   difference(spec.Props(), impl.Props()),
	}
	if !restrict {
		e.PropsImpl = difference(impl.Props(), spec.Props())
	}
	if len(e.ActionsImpl)+len(e.ActionsSpec)+len(e.PropsImpl)+len(e.PropsSpec) > 0 {
		return nil, e
	}
	return impl, nil
}
