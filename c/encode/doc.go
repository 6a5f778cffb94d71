// Package encode makes systems of guarded commands (package program) of C programs
// (package cfront).
//
// Calls are inlined; a routine's variables exist once, since no two of its activations
// live at a time. Memory is cells: a scalar of a variable, of a member, of an element.
// An address is a number, different for all objects, and an access through a pointer
// becomes one edge for each cell that the points-to analysis names, guarded by the
// comparison of addresses. What is left over, like everything that C leaves undefined,
// leads to a location of Encoding.Lost: a proof has to show that it is not reached either.
// There is none where the pointer is a constant of the encoding (&x, as written), since
// comparisons of constants are decided here. What arithmetic moves out of its object is any
// value. The sets of the analysis are checked to be closed before they are used.
//
// Arrays that are too large to be cells, and memory of computed size, are arrays of the
// logic (run); bytes that are used in several ways are cells of their own.
//
// A pointer that no object was ever assigned to points to memory of its own, where reads
// give any value; only Replay knows what was written there. The null pointer ends a run.
//
// With ir.CheckMemory, an access by a pointer into an object that has ended is lost, too, and Replay says
// that it is a mistake (mortal.go).
//
// There are two encodings with the same locations and edges: Words, which has the
// program's machine integers and which verdicts rest on, and Numbers, which has
// mathematical integers and is for finding invariants; Lift reads them over words.
// Replay runs an error trace on package machine.
//
// # Decisions
//
// Memory of C programs (c/encode): the points-to analysis (pointsto.go) says what a pointer may hold,
// numbers, garbage and walking pointers included; it only proposes, and every access has a way out of the
// model. Which values are addresses, and which pointers have memory of their own, is still its word:
// closed.go checks that its sets are a post-fixpoint, without its code, before they are used. Layouts of
// memory are abstracted from by what operations on addresses may do (addresses.go). How memory is seen, as
// cells, bytes or arrays of the logic (runs.go), is found by encoding again until nothing changes
// (builder.discover).
//
// Lives of objects (c/encode/mortal.go): a pointer says by its number of which life it is, since memory on the
// heap has a new one each time, and a variable whose address outlives it (ended.go) moves with each life; its
// cells are those of the one life that there is. So no generation is kept beside pointers, in memory or in
// integers, and what is not kept costs nothing. Where activations of a routine are a stack of places that are
// used again, and of values of expressions, it is not told, and lost.
//
// Components of C programs (c/encode/component.go): what a specification says in C is parsed as routines of
// its own at the end of the source that has the routine it is about (c/cfront/outside.go), so that types,
// macros and static names are right without a second type checker; their parameters are the same memory as
// the arguments of the call. A state of a routine's machine is a location at each call.
// Encoding.ReplayComponent compares a run with machine.Machine step by step (Machine.Step), and has it
// evaluate guards, assignments and results (Machine.Abstract, Machine.Do); random procedures with random
// machines are walked through so. internal/testing/naive.Concrete builds the semantics with few values.
package encode
