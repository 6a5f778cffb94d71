// Package syntax reads and prints the text of model files: FSP with seltl's additions.
//
// Parse gives a tree for every text. Where the text is wrong, the diagnostics say so
// and the tree has bad nodes; all other definitions are there. Every node knows its
// place in the text, and comments are kept, so that Format can print the file in the
// standard layout, and editors can work with files that are being typed.
//
// What names mean is found out by package types, what processes mean by package fsp.
package syntax
