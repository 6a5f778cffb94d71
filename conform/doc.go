// Package conform decides whether an implementation conforms to a specification.
// Both are networks of labeled Kripke structures (package lks), explored on the fly.
// Package conform/equivalence asks whether two processes are equivalent.
//
// # Preorders
//
// Check knows four, from the finest to the coarsest (failures refinement apart):
//
//   - Simulation ([Chaki05], Def. 3): the specification can answer every
//     step of the implementation by a step with the same action into a state with
//     the same propositions, for ever;
//   - Weak simulation (Def. 4): the same, but a silent step of the implementation
//     may also be answered by staying. It does not preserve liveness (fig. 2.4);
//   - Trace containment: what can be noted along a run of the implementation can be
//     noted along one of the specification: visible events, and between them any
//     number of looks at the propositions, at termination and at error. Silent steps
//     are not seen, what they do to propositions is to those who look;
//   - Failures refinement (stable failures of CSP): trace containment, and where
//     the implementation has come to rest after a trace, the specification can
//     come to rest after the same trace, in a state with the same propositions
//     that offers no more. Divergence is not looked at.
//
// Implementation and specification must have the same alphabet and propositions;
// Options.Restrict projects the implementation on those of the specification
// (Def. 19). An initial state of the implementation needs a partner among the
// initial states of the specification. Termination and error count as
// observations: a terminated state needs a terminated partner, a state in error
// needs one in error, and (in simulations) a state that is not in error one that
// is not.
//
// # Answers
//
// That a preorder holds is known by a certificate: a simulation relation, or a
// set of pairs of an implementation state and a set of specification states,
// closed under the steps of the implementation. It is checked against the
// definition before the answer is given. That it fails is shown by a
// counterexample tree (sec. 5.2: a strategy by which the implementation wins the
// simulation game) and a witness (sec. 5.5: an LKS that the implementation
// simulates and the specification does not), or by a trace; they are replayed
// step by step on the networks, without the tables of the search, before they are
// returned.
//
// # Files
//
// game.go: N-HORNSAT over the positions of the game (5.4). smallest.go: smallest
// counterexample trees (5.3). tree.go: trees (5.2) and witnesses (5.5).
// traces.go: trace containment and failures refinement with antichains.
// quotient.go, twolevel.go: action-guided abstraction (ch. 9).
//
// # Decisions
//
// conform and conform/equivalence share no space of states. Games and refinements explore an implementation
// on the fly against a specification that is built; bisimulations need both built (lks.Network.Build), and
// begin with lks.Classes. What they have in common is conform.Comparable, and that simulation, trace and
// failures equivalence are conform.Check both ways.
package conform
