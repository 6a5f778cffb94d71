// Package specification reads and prints specifications of C programs, the files that end in
// .spec: the language of the tool MAGIC ([Chaki05], 6.4), with additions for copies of
// procedures and for machines with assignments (Def. 8). docs/spec.md teaches it.
//
// Parse gives a tree for every text, with bad nodes and diagnostics where the text is
// wrong. C expressions are kept as they are written (CExpr): what they mean is found out
// beside the program that they speak of. File.Machine makes of a definition the states
// and transitions that it stands for, and Format prints a file in the standard layout.
package specification
