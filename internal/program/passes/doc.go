// Package passes makes systems smaller before they are searched, without changing whether
// an error can be reached:
//
//   - Slice leaves out what no error can be reached from;
//   - Constants is conditional constant propagation ([WegmanZadeck91]);
//   - Copies reads a variable where another one, or a comparison, has the same value;
//   - Dead leaves out assignments of values that nothing depends on, and variables of which
//     nothing else remains;
//   - Merge joins straight lines, and branches with the same effect;
//   - Remainders reads mod(t, m) as t where the guard keeps t in [0, m), as conversions of C that change nothing;
//   - Split copies locations for the values of a variable that decides branches, so that
//     control knows the value and the variable is not needed any more; of components, also for
//     those of a variable together with what it is assigned: a state that is stored and restored.
//
// A pass makes one system of another, and an image, which carries what is found out about the new one back: an inductive invariant to one of the
// old system, a run to an error to one of the old system. So nothing needs to be believed:
// certificates are checked and runs replayed on the system before all passes.
//
// # Components
//
// Components pass in the same way (ApplyComponent); what a proof about one rests on is told as
// obligations, for whoever has a solver. What must stay depends on the question (Sight):
//
//   - Conformance asks what can be done (weak simulation). Actions, ends and lost locations stay.
//     All passes do: locations are left out where control only passes, so that a choice is made
//     earlier, but whoever makes it later could make it at once.
//   - Deadlock asks what is refused as well (Offers). Where a component waits, the actions
//     that it offers there, by the same guards, and its silent alternatives stay, and so do the
//     places to which these lead: a component that has chosen silently between two actions does
//     not offer both. So no silent step is joined with one that performs an action, or that is an
//     alternative to one. Elsewhere a component offers nothing, and always can go on, were it to
//     where an assumption fails: silent steps between such places may be joined, and choices
//     between them made earlier. A place where the component waits stays one, whatever is left of
//     its edges. All passes do; Slice takes silent runs that go on for ever, or end where an
//     assumption fails, for one another, which no deadlock is behind.
//   - SE-LTL asks, besides, whether a run goes on for ever (Endless) and what propositions say
//     (Watched). Slice is left out: it loses endless silent runs. No other pass adds or loses
//     one: Merge leaves out no location with a loop of its own, Dead drops no guard. A
//     location is left out only where nothing that is watched changes on the way to it, and
//     variables stay as long as something watched speaks of them; it may come to speak of
//     locations instead. Formulas must not notice how often a silent step leaves all as it is,
//     which cegar asks before (product.IgnoresSilentSteps): with X no step might be joined.
//
// Nothing here asks a solver, and nothing depends on anything but the system.
//
// # Decisions
//
// Passes are trusted with nothing (internal/program/passes): each makes a system and an image, which carries
// invariants back (facts that were used, 0 for dead variables, weakest preconditions or strongest
// postconditions of joined lines, the union of copies) and runs forth by the same inputs. There is one such
// mechanism for all passes; the checker and the interpreter see the system before them. Components pass by
// the same mechanism (ApplyComponent): actions become ways to errors, and what else a question sees stays
// (passes.Sight: offers, endless runs, propositions). These questions have no invariant to carry back, so
// cegar asks the solver the obligations of each image before it takes a component (internal/cegar/smaller.go).
package passes
