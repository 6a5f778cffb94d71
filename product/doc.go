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
//
// # Decisions
//
// Automata as properties (product/automaton.go): a task has a formula or a Language. That one differs in
// how violations become a Büchi automaton (complement, conversion) and in what confirms a run: the
// automaton as it was read, on the run's word (omega.Automaton.Accepts), so that complement and conversion
// are not believed. All that needs a formula is off.
//
// A verification is a plan (product/plan.go): a task that nothing changes, attempts (which network, which
// runs, which reductions, which search), the decision, and a result put together in one place.
//
// Every search of the product is a line of one table (emptiness.Methods): its name, what it can do
// (acceptance by states or by edges, fair runs, stores and workers), and a function that starts it.
// product.Emptiness counts its lines; names, help and errors of the command line come from there, and tests
// that compare searches compare all of them. A search is called once, not for each transition: the graph is
// no interface. Fairness comes to it as numbered requirements of rules (emptiness.Fairness); what
// processes, actions and sets of actions ask for is said in one place, product/fairness.go.
//
// Bad prefixes and reasons of fairness are in product itself, not with the other evidence in
// product/internal/witness: their types are part of Result, and a public type that is defined in a room
// would have no documentation for those who use it.
package product
