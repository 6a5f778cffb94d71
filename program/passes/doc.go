// Package passes makes systems smaller before they are searched, without changing whether
// an error can be reached:
//
//   - Slice leaves out what no error can be reached from;
//   - Constants is conditional constant propagation ([WegmanZadeck91]);
//   - Copies reads a variable where another one, or a comparison, has the same value;
//   - Dead leaves out assignments of values that nothing depends on, and variables of which
//     nothing else remains;
//   - Merge joins straight lines, and branches with the same effect;
//   - Split copies locations for the values of a variable that decides branches, so that
//     control knows the value and the variable is not needed any more.
//
// A pass makes one system of another, and an image, which carries what is found out about the new one back: an inductive invariant to one of the
// old system, a run to an error to one of the old system. So nothing needs to be believed:
// certificates are checked and runs replayed on the system before all passes.
//
// Components pass in the same way (ApplyComponent); what a proof about one rests on is told as
// obligations, for whoever has a solver.
//
// Nothing here asks a solver, and nothing depends on anything but the system.
package passes
