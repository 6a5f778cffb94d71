// Package svcomp reads and writes the files of the competition on software verification: task definitions
// (format 2.0), properties (.prp), and witnesses (format 2.0) [Ayaziova24]. It knows no C and no engine:
// what places and expressions in them mean is somebody else's.
//
// These texts come from other tools. They are bounded by their readers (source.MaxText), nested no deeper than
// maxDepth, and have no aliases; what is wrong with them is said at its place.
package svcomp
