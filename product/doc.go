// Package product checks networks of labeled Kripke structures against SE-LTL
// formulas: it is where models and automata meet.
//
//	result, err := product.Verify(ctx, net, formula, product.Options{})
//
// A formula holds if all runs of the network satisfy it. Verify negates it,
// translates the negation into a Büchi automaton, and searches the state/event
// product of network and automaton ([Chaki05], 8.3.4) for an accepting run,
// building both no further than the search goes. An accepting run is a
// counterexample: a run with a loop (lks/run), which is made shorter at little cost,
// replayed on the components, and evaluated by the semantics of package ltl, before
// it is reported. A disagreement is a *bug.Error.
//
// What happens where:
//
//	verify       what is asked and answered; plan makes attempts until one decides: attempt,
//	             auto (a smaller network, once a search is long); evidence shows violations
//	internal/meet  what atoms mean in a network: letters, what the translation may assume,
//	             and which edges of an automaton read them; the product on the fly, and
//	             ways and lassos in it
//	internal/emptiness  searches of it, each behind one interface: nested depth-first, by one
//	             worker or several, and by components, also for fair runs; emptiness
//	             chooses
//	fairness     which runs are fair; whyfair explains and checks lassos
//	por          partial-order reduction: internal/stubborn chooses sets of rules,
//	             internal/silent decides where they are sound
//	reduce       components, or compositions of them, minimised first, violations lifted
//	internal/symmetry  components that can change places: one state for each orbit
//	internal/finite  models with finite runs, if they are to be refused
//	internal/witness  shorter lassos and runs; what is reported is checked
//
// # Finite runs
//
// A state without successors, whether deadlocked, terminated or in error, ends a
// run. Options.Finite says what that means; Result.FiniteMet says whether it
// made a difference. The atom deadlock holds in all three.
package product
