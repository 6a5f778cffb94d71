// Package deadlock decides whether a network of labeled Kripke structures can
// deadlock, and explains the answer.
//
// A deadlock is a reachable state that refuses every action, the silent one
// included ([Chaki05], ch. 10, Def. 35), and that is neither a successful
// termination (End) nor a violation (Error). Check decides by one of these ways:
//
//   - Plain search through the reachable states (plain.go), which gives shortest
//     traces.
//   - IterDeadlock (iter.go), the thesis's compositional abstraction refinement:
//     every component is replaced by a quotient; a deadlock of the quotients'
//     composition is either confirmed component by component or refines the
//     quotients of the components that cannot take part in it. The composition of
//     the quotients is searched with stubborn sets (stubborn.go).
//   - Search after compositional minimisation (tree.go).
//   - Sufficient conditions (waits.go, acyclic.go), which prove freedom from pairs of
//     components without any search of the composition.
//
// Auto tries the conditions and then runs the two searches side by side. Two
// more questions are answered by Livelock and Local.
//
// # Refusals over rules
//
// The thesis's components synchronise on shared actions and have no silent
// steps. A network here moves by rules (lks.Rule), which hiding and relabelling
// have rewritten, and a component's own silent step is a rule with one part. So
// refusals here are sets of rules: a component in state s refuses a rule in which
// it has a part iff s has no transition by that part's local action, and it never
// refuses a rule in which it has no part. With Def. 33 to 39 read this way,
//
//   - a global state (s1,...,sn) refuses a rule iff some component does, so its
//     refusal is the union of the components' refusals, which is all that Theorem
//     26, 29 and 30 use of synchronisation;
//   - a trace is a sequence of rules, and its projection to a component is the
//     sequence of the local actions of its parts; a component can follow the
//     projection independently of the others, since a rule moves exactly its
//     parts and each of them to any of its targets;
//   - a quotient has a transition whenever one of its members has, and its
//     abstract refusal is the union of its members' refusals, so that Theorem 27
//     and 28 and Lemma 1 hold word for word.
//
// Nothing in the proofs depends on which action a rule shows to the outside, so
// hidden rules, renamed rules and several rules for one action are no special
// cases. Special states: a class never mixes kinds, so that "in error" and
// "terminated" are the same question for an abstract state and for each of its
// members. Priorities (lks.Network.Yield) only remove steps from states that keep
// another step; ignoring them in the abstraction keeps Lemma 1, and a
// counterexample that priorities forbid is found out when it is replayed.
//
// # Decisions
//
// deadlock stubborn sets are its own; LTL needs other conditions, which live in product.
package deadlock
